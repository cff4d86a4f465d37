import { addressOf, hiding } from './contactPoints';
import type { Heading } from './headings';
import { isCompactDate, isDate, isDecimal, meaningsOf, numberOfChat } from '../phone/phoneNumber';

const joining =
	// cspell:disable-next-line
	/\s(?:or|oder|und|and|ou|et|o|y|e|ve|veya|lub|или)\s+([\d+(])/giu;

/** A value without digits and without an email address, or a date or time; an amount, where no telephones are. */
const saysNothing = (text: string, heading: Heading): boolean =>
	!/[\p{Nd}@]/u.test(text) ||
	isDate(text) ||
	/^\d{1,2}:\d{2}/.test(text) ||
	(heading !== 'phone' &&
		(isDecimal(text) || /^\p{Sc}|\p{Sc}$/u.test(text) || isCompactDate(text)));

const digitsIn = (text: string): number => text.replace(/\P{Nd}/gu, '').length;

/** Digits among words, markup or JSON that may be a number. */
const amongWords = new RegExp(
	`(?<![\\p{L}\\p{N}${hiding}])(?:\\+\\s?)?[(\\d](?:[\\s()./-]{0,5}\\d){4,16}(?![\\p{L}\\p{N}${hiding}])`,
	'gu',
);

export interface Cell {
	numbers: string[];
	addresses: string[];
	/** Numbers and email addresses among words: whoever has them, it is safer not to reach them. */
	among: string[];
	/** Meant as a telephone, but not a clear number. */
	unreadable?: string;
	/** With the sign of an email address, but none. */
	noAddress?: string;
}

/** Whether a text is a phone number by itself; where it may be another number, the heading decides. */
function isNumber(text: string, heading: Heading, countries: ReadonlyArray<string | undefined>) {
	if (saysNothing(text, heading)) return false;
	const { numbers, ending } = meaningsOf(text, countries);
	const isRead = numbers.length > 0;
	if (heading === 'phone') return isRead || ending !== undefined;
	if (heading === 'other')
		return isRead && (/^(?:[='"]*\+|[='"]*00|tel:)/.test(text) || numberOfChat(text) !== undefined);
	const hasForm = /^(?:[='"]*\+|[='"]*0|tel:)/.test(text);
	return isRead || (ending !== undefined && (hasForm || digitsIn(text) > 8));
}

/** @param countries possible countries of numbers without a country code */
export function readCell(
	value: unknown,
	heading: Heading,
	countries: ReadonlyArray<string | undefined>,
): Cell {
	const cell: Cell = { numbers: [], addresses: [], among: [] };
	const text = String(value ?? '').trim();
	const isOne =
		isDecimal(text) || addressOf(text) !== undefined || numberOfChat(text) !== undefined;
	const parts = isOne ? [text] : text.replace(joining, ';$1').split(/[,;|\n\t]|\s\/\s|\s(?=\+\d)/);
	for (const part of parts) {
		const written = part.trim();
		if (saysNothing(written, heading)) continue;
		if (addressOf(written) !== undefined) cell.addresses.push(written);
		else if (isNumber(written, heading, countries)) cell.numbers.push(written);
		else {
			cell.among.push(
				...(written.match(amongWords) ?? []).filter((one) => isNumber(one, heading, countries)),
				...written.split(/[\s"'<>]+/).filter((word) => addressOf(word) !== undefined),
			);
			const isMeant = heading === 'phone' || (heading === 'unknown' && written.startsWith('+'));
			if (written.includes('@')) cell.noAddress ??= written;
			else if (isMeant && digitsIn(written) > 6) cell.unreadable ??= written;
		}
	}
	return cell;
}
