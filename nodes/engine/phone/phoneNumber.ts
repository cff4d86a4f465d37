import {
	getCountryCallingCode,
	parsePhoneNumberFromString,
	type Country,
	getCountries,
} from './libphonenumber';
import { isGivenOut, isOfNoCountry } from './numberingPlans';
import { quoted } from '../text/text';

export type { Country };

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** "Germany" */
export const nameOfCountry = (country: Country): string => names.of(country) ?? country;

const known = new Set(getCountries());

/** The country that the user wrote as a code, in capitals or not; nothing if it is none. */
export function countryOf(written: unknown): Country | undefined {
	const code = typeof written === 'string' ? written.trim().toUpperCase() : '';
	return known.has(code) ? code : undefined;
}

/** All countries that have phone numbers, by name, as a dropdown offers them. */
export const countries: ReadonlyArray<{ name: string; value: Country }> = [...known]
	.map((value) => ({
		name: `${nameOfCountry(value)} (+${getCountryCallingCode(value)})`,
		value,
	}))
	.sort((a, b) => a.name.localeCompare(b.name));

/** A number in E.164, or why there is none: the rest of a sentence that names the field. */
type Reading =
	/** `unchecked`: in E.164 as written and of a length that its country has, and the plan does not know it. */
	| { number: string; unchecked?: true; refused?: undefined }
	| { number?: undefined; refused: string };

/** E.164, the one form the platform takes (interface §7 `INVALID_FORMAT`). */
const isPhone = (text: string): boolean => /^\+[1-9]\d{1,14}$/.test(text);

/** No spelling of a phone number is longer. */
const longest = 60;

/** Signs without width, which sheets and chats leave in texts. */
const signs = '\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff';
export const invisible = new RegExp(`[${signs}]`, 'g');
/** Footnote marks, circled digits, fractions: Unicode's plain form would make digits of them. */
const marks = /\p{No}/u;
/** Digits behind a number that may be a footnote or an extension: "(2)", "[10]", or parted by a sign without width. */
// At most 60 characters: readPhone and those who read for comparing look at the length first.
const footnote = new RegExp(
	`(?<=\\d\\s*)(?:[([]\\s*\\d{1,4}\\s*[)\\]]|[${signs}]+\\d{1,2})[${signs}\\s'"]*$`,
);
const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/g;
const dashes = /[\u2010-\u2015\u2212\u30fc]/g;
/** What spreadsheets and links put around a number. */
const before = /^(?:[='"\u2018\u2019]|tel:(?:\/\/)?)+\s*/i;
const after = /['"\u2019]{1,9}$/;
const separators = /[\s()[\]./\u00b7-]/g;

/** A number as people meant it, in plain signs: its separators stay. */
const plain = (text: string): string =>
	text
		.normalize('NFKC')
		.replace(invisible, '')
		.replace(arabicDigits, (digit) => String(digit.charCodeAt(0) & 15))
		.replace(dashes, '-')
		.trim()
		.replace(before, '')
		.replace(after, '')
		.trim()
		// A spreadsheet's number, written with decimals.
		.replace(/^(\+?\d{6,})[.,]0$/, '$1');

const digitsIn = (text: string): number => text.replace(/\D/g, '').length;

/** Whether a slash separates an area code from the rest, as in 030/901820. */
const dividesAreaCode = (left: string, right: string): boolean =>
	/^(?:(?:\+|00)\d{3,8}|0\d{1,5}|\d{2,5})$/.test(left.replace(separators, '')) &&
	digitsIn(right) >= 5;

/** An amount, or what a spreadsheet makes of a long number. */
export const isDecimal = (text: string): boolean =>
	!/^\+?\d{6,}[.,]0$/.test(text) &&
	/^[+-]?(?:\d{5,}[.,]\d+|\d+[.,]\d{1,2}|\d{1,3}(?:([.,\s'])\d{3})(?:\1\d{3})*(?!\1)[.,]\d{1,2})$/.test(
		text,
	);

/** Whether three numbers are year, month and day, in one of the orders that people write. */
function areDay(...parts: [string, string, string]): boolean {
	const [a, b, c] = parts.map(Number) as [number, number, number];
	const isMonth = (part: number) => part >= 1 && part <= 12;
	const isDayOfMonth = (part: number) => part >= 1 && part <= 31;
	const dayAndMonth = (one: number, other: number) =>
		(isMonth(one) && isDayOfMonth(other)) || (isDayOfMonth(one) && isMonth(other));
	if (parts[0].length === 4) return /^(?:19|20)/.test(parts[0]) && dayAndMonth(b, c);
	return (/^(?:19|20)\d\d$/.test(parts[2]) || parts[2].length <= 2) && c >= 0 && dayAndMonth(a, b);
}

/** A date, with or without a time behind it. */
export function isDate(text: string): boolean {
	const [, one, , other, last] =
		/^(\d{1,4})([-./])\s?(\d{1,2})\2\s?(\d{1,4})(?:[T\s,].*)?$/.exec(text) ?? [];
	return (
		one !== undefined &&
		one.length !== 3 &&
		last?.length !== 3 &&
		areDay(one, other as string, last as string)
	);
}

/** A date without separators: 20240115. */
export const isCompactDate = (text: string): boolean =>
	/^(?:19|20)\d{6}$/.test(text) && areDay(text.slice(0, 4), text.slice(4, 6), text.slice(6));

const fail = (text: string): Reading => ({ refused: text });

const aDate = (shown: string): string =>
	`is a date, not a phone number: ${shown}. Check which column fills the field`;

const areSeveral = (text: string): boolean => {
	const parts = text.split(/[,;|&/\t\n\v\f\r\u0085\u2028\u2029]|(?<=\d)\s*\p{L}+\s*(?=[\d+(])/u);
	const [left = '', right = ''] = parts;
	if (text.split('+').length > 2) return true;
	if (parts.length === 2 && text.includes('/') && dividesAreaCode(left, right)) return false;
	return parts.length > 1 && parts.every((part) => digitsIn(part) > 0);
};

/** Spellings that look like a number once their signs are dropped, but are none. */
const others: Array<[is: (text: string) => boolean, told: (shown: string) => string]> = [
	[
		(text) => /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(text),
		(shown) =>
			`is in the scientific notation of a spreadsheet, which dropped digits: ${shown}. Format the column as text in the sheet and enter the number again`,
	],
	[
		isDecimal,
		(shown) =>
			`is a number with decimals, not a phone number: ${shown}. Check which column fills the field`,
	],
	[isDate, aDate],
	[
		(text) =>
			/\d[\s)]*(?:[,;#]+\s*|(?:[,;]\s*)?\p{L}[\p{L}.]*\s*(?:[.:=]\s*)?)\d{1,7}$/u.test(text),
		(shown) =>
			`has an extension, but the platform accepts only phone numbers without one: ${shown}. Keep only the number; put the extension in another field`,
	],
	[
		areSeveral,
		(shown) =>
			`contains more than one phone number: ${shown}. Make an item of each: a row of its own in the sheet, or a list that the Split Out node splits`,
	],
];

interface Existing {
	number: string;
	nationalNumber: string;
	type: string;
}

/** What the rules of all countries make of a text; in Mexico also a number as it was dialled until 2020. */
function parsed(text: string, defaultCountry?: Country): Existing | undefined {
	const found = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
	if (!found || !isPhone(found.number)) return undefined;
	const { number, nationalNumber } = found;
	// A number without a type does not exist; checking both takes twice as long.
	const type = found.getType();
	if (type !== undefined) return { number, nationalNumber, type };
	return /^\+521\d{10}$/.test(number) && parsed(number.replace('+521', '+52'))
		? { number, nationalNumber, type: 'MOBILE' }
		: undefined;
}

/** The number of a text that is in E.164 already, the usual case: nothing more is asked about it. */
function international(text: string): string | undefined {
	if (!isPhone(text)) return undefined;
	return isGivenOut(text) ? text : parsed(text)?.number;
}

/** Whether people of the country dial a zero before a number that is written without it. */
const lacksZero = (compact: string, country: Country, { number }: Existing): boolean =>
	parsed(`0${compact}`, country)?.number === number;

/** Fewer digits than this are not by themselves a phone number. */
const fewest = 7;

/** Digits that would be a number inside the country if the zero before them was lost: not certain enough for a call. */
const isDoubtful = (compact: string, country: Country, inside: Existing): boolean =>
	(compact.length < fewest || isCompactDate(compact)) && lacksZero(compact, country, inside);

/** Digits that begin like a call from abroad: a mobile number without its plus that lacks a digit, or a fixed line. */
const isCutShort = (compact: string, country: Country, inside: Existing): boolean =>
	compact.startsWith(getCountryCallingCode(country)) &&
	inside.type !== 'MOBILE' &&
	inside.number !== `+${compact}` &&
	lacksZero(compact, country, inside);

/** Those with the country's own calling code may be inside it, too. @param compact digits, with a plus or not */
function readingsOf(compact: string, country: Country | undefined) {
	if (compact.startsWith('+')) return { abroad: parsed(compact) };
	if (compact.startsWith('00')) {
		const abroad = parsed(`+${compact.slice(2)}`);
		if (abroad) return { abroad, inside: country ? parsed(compact, country) : undefined };
	}
	const abroad =
		country && compact.startsWith(getCountryCallingCode(country))
			? parsed(`+${compact}`)
			: undefined;
	return { abroad, inside: country ? parsed(compact, country) : undefined };
}

/** Shorter mobile numbers are no numbers, whatever the rules of a country allow. */
const shortestMobile = 8;

/** A mobile number whose plus a spreadsheet dropped rather than a fixed line without its zero; a country code set apart. */
function meant(
	text: string,
	country: Country,
	{ abroad, inside }: { abroad: Existing; inside: Existing },
): Existing | undefined {
	if (abroad.number === inside.number) return abroad;
	const isMobile = ({ type }: Existing) => type === 'MOBILE';
	if (isMobile(inside)) return undefined;
	if (isMobile(abroad) && abroad.nationalNumber.length >= shortestMobile) return abroad;
	const code = getCountryCallingCode(country);
	const isApart = text.startsWith(code) && /^[\s(./-]/.test(text.slice(code.length));
	return isApart && lacksZero(text.replace(separators, ''), country, inside) ? abroad : undefined;
}

/** Digits of a text that holds nothing else, with the plus before them; nothing for any other text. */
function compactOf(text: string): string | undefined {
	const compact = text.replace(separators, '');
	return /^\+?\d+$/.test(compact) && !text.startsWith('-') ? compact : undefined;
}

const hasFootnote = (text: string): boolean =>
	text.length <= longest && (marks.test(text) || footnote.test(text.normalize('NFKC')));

/** The same, whether or not they are a number that can exist. */
export const bareDigits = (text: string): string | undefined =>
	text.length > longest || hasFootnote(text) ? undefined : compactOf(plain(text));

/** Whether its country has numbers of this length: an area code may be newer than the plan. */
function mayBeNew(number: string): boolean {
	const found = parsePhoneNumberFromString(number, { extract: false });
	return found?.number === number && found.isPossible();
}

function refuseNational(shown: string, compact: string, country?: Country): Reading {
	const withPlus = parsed(`+${compact}`)?.number;
	const code = withPlus ? `. If it begins with a country code, enter ${withPlus}` : '';
	return fail(
		country
			? `is not a valid ${nameOfCountry(country)} number: ${shown}. Correct it, enter it with a plus and its country code, or change 'Default Country'${code}`
			: `is not a phone number in international format: ${shown}. Choose 'Default Country' under Options, or put a plus and the country code before it, for example +14155550123${code}`,
	);
}

/** In whichever way people write it; it must be able to exist. @param country of numbers without a country code */
export function readPhone(written: string, country?: Country): Reading {
	const trimmed = written.trim();
	const number = international(trimmed);
	if (number !== undefined) return { number };
	const shown = quoted(trimmed);
	if (hasFootnote(trimmed))
		return fail(
			`contains a footnote mark or another sign that is not a digit of a phone number: ${shown}. Remove it`,
		);
	const text = trimmed.length > longest ? '' : plain(trimmed);
	const [, told] = others.find(([is]) => is(text)) ?? [];
	if (told) return fail(told(shown));
	const compact = compactOf(text);
	if (compact === undefined)
		return fail(
			`is not a phone number: ${shown}. Enter only the number, with a plus and its country code, for example +14155550123`,
		);
	const { abroad, inside } = readingsOf(compact, country);
	const ambiguous = (one: string, other: string): Reading =>
		fail(`is ambiguous: ${shown} is ${one} or ${other}. Enter the one you mean, with its plus`);
	if (abroad && inside && country) {
		const chosen = meant(text, country, { abroad, inside });
		return chosen ? { number: chosen.number } : ambiguous(abroad.number, inside.number);
	}
	if (abroad) return { number: abroad.number };
	if (inside && country) {
		if (isCutShort(compact, country, inside)) return ambiguous(`+${compact}`, inside.number);
		if (!isDoubtful(compact, country, inside)) return { number: inside.number };
		if (compact.length >= fewest) return fail(aDate(shown));
	}
	if (isPhone(compact) && (isOfNoCountry(compact) || (compact === trimmed && mayBeNew(trimmed))))
		return { number: compact, unchecked: true };
	if (/^(?:\+|00)/.test(compact)) {
		const asWritten =
			isPhone(compact) && mayBeNew(compact) ? `; if they are right, enter ${compact}` : '';
		return fail(
			`is not a possible phone number: ${shown}. Check its country code and its digits${asWritten}`,
		);
	}
	return refuseNational(shown, compact, country);
}

/** IDs and links of WhatsApp hold a number with its country code: "4915112345678@c.us", "wa.me/4915112345678". */
const chat =
	/^(?:(\d{7,15})(?::\d+)?@(?:c\.us|s\.whatsapp\.net)|(?:https?:\/\/)?(?:www\.)?(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?(?:[^&]*&)*phone=)(?:\+|%2B)?(\d{7,15})(?:[/?&#][^]*)?)$/i;

/** No browser is sure to open a longer one. */
const longestLink = 2048;

/** The number in an ID or a link of WhatsApp, with its plus; nothing if the text is none. */
export function numberOfChat(text: string): string | undefined {
	const line = text.trim();
	if (line.length > longestLink || /[\n\r\u2028\u2029]/.test(line)) return undefined;
	const [, ofAddress, ofLink] = chat.exec(line) ?? [];
	const digits = ofAddress ?? ofLink;
	return digits === undefined ? undefined : `+${digits}`;
}

const callsAbroad = ['00', '011', '0011'];

/**
 * All that a number can mean: whoever said no must be found in each reading.
 * @param countries `undefined` among them for unknown
 * @returns numbers in E.164, and the digits that any number may end in if its country is not known; neither if it is none
 */
export function meaningsOf(
	written: unknown,
	countries: ReadonlyArray<Country | undefined>,
): { numbers: string[]; ending?: string } {
	const whole = String(written ?? '').trim();
	const trimmed = numberOfChat(whole) ?? whole;
	const number = international(trimmed);
	if (number !== undefined) return { numbers: [number] };
	if (trimmed.length > longest) return { numbers: [] };
	const unmarked = trimmed.split(marks).join('').normalize('NFKC');
	const text = plain(unmarked);
	const compact = compactOf(text);
	if (compact === undefined || others.some(([is]) => is(text))) return { numbers: [] };
	const numbers = new Set<string>();
	const add = (number: string | undefined) => number !== undefined && numbers.add(number);
	const withoutTrunk = text.replace(/\(\s*0\s*\)/, '').replace(separators, '');
	const withoutFootnote = plain(unmarked.replace(footnote, '')).replace(separators, '');
	for (const digits of new Set([compact, withoutTrunk, withoutFootnote])) {
		if (digits.startsWith('+')) {
			// A number that no country has assigned may be on a list all the same.
			add(parsed(digits)?.number ?? (isPhone(digits) ? digits : undefined));
			continue;
		}
		for (const prefix of ['', ...callsAbroad])
			if (digits.startsWith(prefix)) add(parsed(`+${digits.slice(prefix.length)}`)?.number);
		for (const country of countries) {
			const { abroad, inside } = readingsOf(digits, country);
			add(abroad?.number);
			if (inside && country && !isDoubtful(digits, country, inside)) add(inside.number);
		}
	}
	const ending = /^0*([1-9]\d{6,14})$/.exec(withoutTrunk)?.[1];
	const isKnown = numbers.size > 0 && !countries.includes(undefined);
	return { numbers: [...numbers], ...(isKnown ? {} : { ending }) };
}

/** One form of a telephone's numbers: Mexico's 1 and Argentina's 9 after the country code are optional. */
export const lineOf = (number: string): string =>
	number.replace(/^\+(52)1(?=\d{10}$)|^\+(54)9(?=\d{10}$)/, '+$1$2');

/** A number with and without that digit, whichever way a list shows it. */
export function formsOf(number: string): string[] {
	const line = lineOf(number);
	const long = line.replace(/^\+52(?=\d{10}$)/, '+521').replace(/^\+54(?=\d{10}$)/, '+549');
	return line === long ? [line] : [line, long];
}
