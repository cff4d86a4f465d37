import { isPlainObject, pickBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { addressOf, KeptNumbers } from '../phone/sameNumber';
import type { Likeness } from '../operation/recovery';
import { quoted } from '../text/text';
import { type Heading, headingOf, hiding, readCell } from './skipColumns';

const hidden = new RegExp(`[${hiding}]{2}|…|x{3}`, 'i');
const gaps = new RegExp(`[${hiding}]+|x{3,}`);

/** What a record tells about how its person is reached. */
export interface Known {
	/** Phone numbers and email addresses, as they are written. */
	addresses: string[];
	/** Texts that are meant as one, but cannot be read: whom they could be. */
	unread: Array<{ text: string; couldBe: (address: string) => boolean }>;
}

/** Fields of a record that hold further fields of the same person. */
const ofPerson = /^(?:custom|fields$|attributes$)/;

/** Whether a text has all parts in their order, the first at its beginning and the last at its end. */
function hasParts(text: string, parts: string[]): boolean {
	let from = 0;
	return parts.every((part, index) => {
		const isLast = index === parts.length - 1;
		const at = isLast ? text.length - part.length : text.indexOf(part, from);
		const fits = at >= from && (index > 0 || at === 0) && text.startsWith(part, at);
		from = at + part.length;
		return fits;
	});
}

/**
 * Whether a number or an email address, in the form to compare by, fits what a text shows of one: `+49151*****11`,
 * `a***@example.com`, or digits that a spreadsheet cut.
 */
function likenessOf(text: string): (address: string) => boolean {
	const bare = text.normalize('NFKC').toLowerCase();
	if (bare.includes('@')) {
		const parts = bare.replace(/\s/g, '').split(gaps);
		return (address) => hasParts(address, parts);
	}
	const cut = bare.replace(/e\+?\d+$/, '…');
	const digits = cut.replace(/\(\s*0\s*\)|[\s()./-]/g, '').replace(/^\+?0+/, '');
	const parts = ['', ...(digits.match(/\d+/g) ?? ['']), ...(/\d$/.test(cut) ? [] : [''])];
	return (address) => !address.includes('@') && hasParts(address.replace(/\D/g, ''), parts);
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
			const isEmail =
				text.includes('@') && (/e-?mail/i.test(name) || addressOf(text) !== undefined);
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

/** Fields for the person's own number. One with another word in its name may hold that of an office or a manager. */
const ownNumbers =
	/^(?:(?:mobile|cell|whatsapp|contact)?_?(?:phone|number)s?|phone_?numbers?|mobile|telephone|msisdn|wa_id)$/i;

/**
 * For finding a contact by its number: which contacts may have it although their phone number does not prove it.
 * @param wanted numbers, as digits in international format
 * @param countries possible countries of numbers without a country code
 */
export function likeNumbers(
	wanted: string[],
	countries: ReadonlyArray<string | undefined>,
): (record: IDataObject) => Likeness {
	const kept = new KeptNumbers<string>();
	for (const digits of wanted) kept.add(`+${digits}`, [undefined], digits);
	return (record) => {
		const own = pickBy(record, (_, name) => ownNumbers.test(name));
		const { addresses, unread } = knownOf(own, countries);
		const mayBe = new Map<string, string>();
		for (const address of addresses)
			for (const country of countries) {
				const digits = kept.find(address, country);
				if (digits !== undefined) mayBe.set(digits, address);
			}
		for (const { text, couldBe } of unread)
			for (const digits of wanted) if (couldBe(`+${digits}`)) mayBe.set(digits, text);
		const number = record.phone_number;
		const isRead = addresses.length + unread.length > 0 || number === null || number === '';
		return {
			mayBe: [...mayBe].map(([digits, text]) => [
				digits,
				`Contact ${String(record.uuid)} shows ${quoted(text)}, which may be this number. Correct that contact, or ` +
					"choose 'Default Country' under Options if it lacks the country code.",
			]),
			compared: isRead ? true : number === undefined ? undefined : false,
		};
	};
}
