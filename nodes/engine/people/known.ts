import type { IDataObject } from 'n8n-workflow';
import { readCell } from './cells';
import { addressOf, isMasked } from './contactPoints';
import { type Heading, headingOf } from './headings';
import { isPlainObject } from '../text/text';

/** What a record tells about how its person is reached, as it is written. */
export interface Known {
	addresses: string[];
	/** Texts that are meant as one, but cannot be read. */
	unread: string[];
}

/** Fields of a record that hold further fields of the same person. */
const ofPerson = /^(?:custom|fields$|attributes$)/;

/** Whatever the fields are called. @param countries possible countries of numbers without a country code */
export function knownOf(
	record: IDataObject,
	countries: ReadonlyArray<string | undefined>,
	above: Heading = 'unknown',
): Known {
	const known: Known = { addresses: [], unread: [] };
	for (const [name, value] of Object.entries(record)) {
		const own = headingOf(name);
		const heading = own === 'unknown' ? above : own;
		const isPhone = heading === 'phone';
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
			if (isMasked(text)) {
				known.unread.push(text);
				continue;
			}
			const cell = readCell(text, heading, countries);
			known.addresses.push(...cell.numbers, ...cell.addresses, ...cell.among);
			const unread = isPhone ? cell.unreadable : cell.noAddress;
			if (unread !== undefined && cell.among.length === 0) known.unread.push(unread);
		}
	}
	return known;
}

const receivers = /^(?:to|cc|bcc|recipients?|receivers?)$/i;
const senders = /^(?:from|sender|reply|return|caller)/i;

/** Whom a request reaches beside its recipient: copies of an email. @param by what the operation reaches people by */
export function alsoReached(written: IDataObject, by: 'number' | 'address'): Known {
	const known: Known = { addresses: [], unread: [] };
	const read = (value: unknown, name: string): void => {
		if (Array.isArray(value)) for (const one of value as unknown[]) read(one, name);
		else if (isPlainObject(value)) {
			for (const [key, one] of Object.entries(value)) if (!senders.test(key)) read(one, key);
		} else {
			const isReceiver = receivers.test(name);
			const isPhone = isReceiver || headingOf(name) === 'phone';
			for (const part of String(value ?? '').split(/[,;\n]/)) {
				const text = part.trim();
				if (text === '') continue;
				const { numbers } = readCell(text, 'phone', [undefined]);
				if (addressOf(text) !== undefined) known.addresses.push(text);
				else if (by === 'number' && isPhone && numbers.length > 0) known.addresses.push(...numbers);
				else if (isReceiver) known.unread.push(text);
			}
		}
	};
	read(written, '');
	return known;
}
