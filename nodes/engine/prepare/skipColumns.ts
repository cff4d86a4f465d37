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

const headings = new Map<string, Heading>();

/** Read once: records have the same fields. */
export function headingOf(name: string): Heading {
	const known = headings.get(name);
	if (known !== undefined) return known;
	const heading = readHeading(name);
	if (headings.size < 1000) headings.set(name, heading);
	return heading;
}

function readHeading(name: string): Heading {
	const found = wordsOf(name);
	const has = (list: ReadonlySet<string>) => found.some((word) => list.has(word));
	// WhatsApp's ID of a person is the number.
	if (/^(?:wa|whatsapp) id$/.test(found.join(' '))) return 'unknown';
	if (has(identities)) return 'other';
	if (has(phones) || found.some((word) => phoneWords.test(word))) return 'phone';
	if (has(others) || has(days)) return 'other';
	return has(numbers) ? 'number' : 'unknown';
}

/** Words between the numbers of one cell. */
const joining =
	// cspell:disable-next-line
	/\s(?:or|oder|und|and|ou|et|o|y|e|ve|veya|lub|или)\s+([\d+(])/giu;

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
export const hiding = '*•●∙…_#';

/** Digits among words, markup or JSON that may be a number. */
const amongWords = new RegExp(
	`(?<![\\p{L}\\p{N}${hiding}])(?:\\+\\s?)?[(\\d](?:[\\s()./-]{0,5}\\d){4,16}(?![\\p{L}\\p{N}${hiding}])`,
	'gu',
);

/** What a cell holds, as it is written. */
export interface Cell {
	numbers: string[];
	addresses: string[];
	/** Numbers and email addresses among words: whoever has them, it is safer not to reach them. */
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
			: text.replace(joining, ';$1').split(/[,;|\n\t]|\s\/\s|\s(?=\+\d)/);
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
