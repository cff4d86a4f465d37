import { escapeRegExp, isPlainObject } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isCompactDate, isDate, isDecimal, meaningsOf, numberOfChat } from '../phone/phoneNumber';
import { addressOf } from '../phone/sameNumber';

/** What the heading of a column says about its digits: telephones, perhaps telephones, something else, or nothing. */
export type Heading = 'phone' | 'number' | 'other' | 'unknown';

// cspell:disable -- words of ten languages
/** Words for telephones in the languages of sheets, by how they begin. */
const phoneWords =
	/^(?:(?:tele|smart|cell)?(?:phone|fon|foon)|mob[ií]|mov[ií]l|handy|telemov|telef|tel[eé]f|whatsapp|rufn|cellular|celular|komork|festnetz|matkapuh|puhelin|телеф|моб|сотов|هاتف|الهاتف|جوال|الجوال|موبايل|電話|携帯|电话|手机|전화|휴대)/u;
/** The same as whole words: "cell" is one, "Cancelled" is not. */
const phones = words(
	'tel cell cells cel gsm sms msisdn wa hp cep fixe portable tlf tfn тел phone phones phoneno phonenumber',
);
const numbers = words(
	'number numbers no nr num nummer numero numeros numer numara numarasi nro номер رقم 番号 号码 contact contacts ' +
		'contacto contatto contato kontakt kontakte iletisim контакт recipient recipients empfanger destinataire',
);
const days = words(
	'date dates day time timestamp at on since until datum zeit uhrzeit am seit fecha hora data ora heure tarih saat ' +
		'дата время تاريخ 日付 日期 created updated',
);
const identities = words('id ids uuid guid key type typ format');
/** Other columns that hold numbers. */
const others = words(
	'row zeile index order orders invoice account customer client member ticket case amount price total sum betrag ' +
		'preis summe umsatz montant prix importe precio prezzo valor fiyat tutar kwota cena сумма цена zip zipcode ' +
		'postcode postal plz cp cap age alter edad yas status count qty quantity year jahr version vat iban bic ' +
		'kundennummer bestellnummer rechnungsnummer auftragsnummer mitgliedsnummer vertragsnummer hausnummer',
);

// cspell:enable
function words(text: string): ReadonlySet<string> {
	return new Set(text.split(' '));
}

/** The words of a heading, in small letters and without accents: "Telefon-Nr." and "phoneNumber" are two each. */
const wordsOf = (heading: string): string[] =>
	heading
		.normalize('NFKC')
		.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
		.toLowerCase()
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.normalize('NFC')
		.replace(/ı/g, 'i')
		.split(/[^\p{L}]+/u)
		.filter(Boolean);

export function headingOf(name: string): Heading {
	const found = wordsOf(name);
	const has = (list: ReadonlySet<string>) => found.some((word) => list.has(word));
	// WhatsApp's ID of a person is the number.
	if (/^(?:wa|whatsapp) id$/.test(found.join(' '))) return 'unknown';
	if (has(identities)) return 'other';
	if (has(phones) || found.some((word) => phoneWords.test(word))) return 'phone';
	if (has(others) || has(days)) return 'other';
	return has(numbers) ? 'number' : 'unknown';
}

/** Between the numbers of one cell. */
const between =
	// cspell:disable-next-line
	/[,;|\n\t]|\s\/\s|\s+(?=\+\d)|\s+(?:or|oder|und|and|ou|et|o|y|e|ve|veya|lub|или)\s+(?=[\d+(])/iu;

/** A value without digits and without an email address, or one that is a date, a time or an amount. */
export const saysNothing = (text: string): boolean =>
	!/[\p{Nd}@]/u.test(text) ||
	isDate(text) ||
	isDecimal(text) ||
	/^\d{1,2}:\d{2}/.test(text) ||
	/^\p{Sc}|\p{Sc}$/u.test(text) ||
	isCompactDate(text);

const digitsIn = (text: string): number => text.replace(/\P{Nd}/gu, '').length;

/** Signs that stand for hidden digits. */
const hiding = '*•●∙…_#';
const hidden = new RegExp(`[${hiding}]{2,}|…|x{3,}`, 'i');

/** Digits among words, markup or JSON that may be a number. */
const amongWords = new RegExp(
	`(?<![\\p{L}\\p{N}${hiding}])(?:\\+\\s?)?[(\\d][\\d\\s()./-]{4,40}\\d(?![\\p{L}\\p{N}${hiding}])`,
	'gu',
);

/** What a cell holds, as it is written. */
export interface Cell {
	numbers: string[];
	addresses: string[];
	/** Numbers and addresses among words: whoever they are, it is safer not to reach them. */
	among: string[];
	/** Under a heading for telephones, but not a clear number. */
	unreadable?: string;
	/** With the sign of an email address, but none. */
	noAddress?: string;
}

/** @param countries possible countries of numbers without a country code */
export function readCell(
	value: unknown,
	heading: Heading,
	countries: ReadonlyArray<string | undefined>,
): Cell {
	const cell: Cell = { numbers: [], addresses: [], among: [] };
	const text = String(value ?? '').trim();
	const isNumber = (written: string): boolean => {
		if (saysNothing(written)) return false;
		const { numbers: readings, ending } = meaningsOf(written, countries);
		const hasForm = /^(?:[='"]*\+|[='"]*0|tel:)/.test(written);
		return {
			phone: readings.length > 0 || ending !== undefined,
			number: readings.length > 0 || ending !== undefined,
			unknown: readings.length > 0 || (ending !== undefined && (hasForm || digitsIn(written) > 8)),
			other:
				readings.length > 0 &&
				(/^(?:[='"]*\+|[='"]*00|tel:)/.test(written) || numberOfChat(written) !== undefined),
		}[heading];
	};
	const parts =
		isDecimal(text) || addressOf(text) !== undefined || numberOfChat(text) !== undefined
			? [text]
			: text.split(between);
	for (const part of parts) {
		const written = part.trim();
		if (saysNothing(written)) continue;
		if (addressOf(written) !== undefined) cell.addresses.push(written);
		else if (isNumber(written)) cell.numbers.push(written);
		else {
			cell.among.push(...(written.match(amongWords) ?? []).filter(isNumber));
			cell.among.push(
				...written.split(/[\s"'<>]+/).filter((word) => addressOf(word) !== undefined),
			);
			if (written.includes('@')) cell.noAddress ??= written;
			else if (
				digitsIn(written) > 6 &&
				(heading === 'phone' ||
					heading === 'number' ||
					(heading === 'unknown' && /^\+/.test(written)))
			)
				cell.unreadable ??= written;
		}
	}
	return cell;
}

/** What a record tells about how its person is reached. */
export interface Known {
	/** Phone numbers and email addresses, as they are written. */
	addresses: string[];
	/** Texts that are meant as one, but cannot be read: whom they could be. */
	unread: Array<{ text: string; couldBe: (address: string) => boolean }>;
}

/** Fields of a record that hold further fields of the same person. */
const ofPerson = /^(?:custom|fields$|attributes$)/;

/**
 * Whether a number or an email address, in the form to compare by, fits what a text shows of one: `+49151*****11`,
 * `a***@example.com`, or digits that a spreadsheet cut.
 */
function likenessOf(text: string): (address: string) => boolean {
	const bare = text.normalize('NFKC').toLowerCase();
	if (bare.includes('@')) {
		const parts = bare.replace(/\s/g, '').split(new RegExp(`[${hiding}]+|x{3,}`));
		const pattern = new RegExp(`^${parts.map((part) => escapeRegExp(part)).join('.*')}$`);
		return (address) => pattern.test(address);
	}
	const cut = bare.replace(/e\+?\d+$/, '…');
	const digits = cut.replace(/\(\s*0\s*\)|[\s()./-]/g, '').replace(/^\+?0+/, '');
	const pattern = new RegExp(
		(digits.match(/\d+/g) ?? []).join('\\d*') + (/\d$/.test(cut) ? '$' : ''),
	);
	return (address) => !address.includes('@') && pattern.test(address);
}

/**
 * Reads all phone numbers and email addresses of a contact of the platform, whatever its fields are called.
 * @param countries possible countries of numbers without a country code
 */
export function knownOf(
	record: IDataObject,
	countries: ReadonlyArray<string | undefined>,
	above?: Heading,
): Known {
	const known: Known = { addresses: [], unread: [] };
	for (const [name, value] of Object.entries(record)) {
		const own = headingOf(name);
		const heading = own === 'unknown' && above !== undefined ? above : own;
		const isPhone = heading === 'phone' || heading === 'number';
		for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
			if (isPlainObject(one)) {
				if (!isPhone && !ofPerson.test(name)) continue;
				const inside = knownOf(one as IDataObject, countries, isPhone ? heading : undefined);
				known.addresses.push(...inside.addresses);
				known.unread.push(...inside.unread);
				continue;
			}
			const text = String(one ?? '').trim();
			const isEmail = /e-?mail/i.test(name) || addressOf(text) !== undefined;
			if (!isPhone && !isEmail) continue;
			const cell = readCell(text, heading, countries);
			const isHidden = hidden.test(text);
			if (!isHidden) known.addresses.push(...cell.numbers, ...cell.addresses, ...cell.among);
			const unread = isHidden ? text : isPhone ? cell.unreadable : cell.noAddress;
			if (unread !== undefined && (isHidden || cell.among.length === 0))
				known.unread.push({ text: unread, couldBe: likenessOf(unread) });
		}
	}
	return known;
}

/** Keys of a request that name who gets it, and who sends it. */
const receivers = /^(?:to|cc|bcc|recipients?|receivers?)$/i;
const senders = /^(?:from|sender|reply|return|caller)/i;

/**
 * Whom a request reaches beside its recipient: what people wrote into it under the platform's names, copies of an email
 * for example.
 * @param by what the operation reaches people by
 */
export function alsoReached(written: IDataObject, by: 'number' | 'address'): Known {
	const known: Known = { addresses: [], unread: [] };
	const read = (value: unknown, name: string, isReceiver: boolean): void => {
		if (Array.isArray(value)) for (const one of value as unknown[]) read(one, name, isReceiver);
		else if (isPlainObject(value))
			for (const [key, one] of Object.entries(value as IDataObject)) {
				if (!senders.test(key)) read(one, key, receivers.test(key));
			}
		else {
			const isPhone = ['phone', 'number'].includes(headingOf(name));
			for (const part of String(value ?? '').split(/[,;\n]/)) {
				const text = part.trim();
				if (text === '') continue;
				const { numbers } = readCell(text, 'phone', [undefined]);
				if (addressOf(text) !== undefined) known.addresses.push(text);
				else if (by === 'number' && numbers.length > 0 && (isReceiver || isPhone))
					known.addresses.push(...numbers);
				else if (isReceiver) known.unread.push({ text, couldBe: likenessOf(text) });
			}
		}
	};
	read(written, '', false);
	return known;
}
