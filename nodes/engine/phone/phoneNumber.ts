import { type Country, nameOfCountry } from './countries';
import { getCountryCallingCode, parsePhoneNumberFromString } from './libphonenumber';
import { quoted } from '../text/text';

/** A number in E.164, or why there is none: the rest of a sentence that names the field. */
type Reading = { number: string; refused?: undefined } | { number?: undefined; refused: string };

const fail = (text: string): Reading => ({ refused: text });

/** E.164, the one form the platform takes (interface §7 `INVALID_FORMAT`). */
const isPhone = (text: string): boolean => /^\+[1-9]\d{1,14}$/.test(text);

/** No spelling of a phone number is longer. */
const longest = 60;

const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/g;
const dashes = /[\u2010-\u2015\u2212\u30fc]/g;
/** What spreadsheets and links put around a number. */
const before = /^(?:[='"\u2018\u2019]+|tel:(?:\/\/)?)+\s*/i;
const after = /['"\u2019]+$/;
/** What people put between the digits, without meaning. */
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
		.replace(/^(\d{6,})[.,]0$/, '$1');

const digitsIn = (text: string): number => text.replace(/\D/g, '').length;

/** Whether a slash stands between an area code and the rest, as in 030/901820. */
const dividesAreaCode = (left: string, right: string): boolean =>
	/^(?:(?:\+|00)\d{3,8}|0\d{1,5}|\d{2,5})$/.test(left.replace(separators, '')) &&
	digitsIn(right) >= 5;

/** Spellings that look like a number once their signs are dropped, and are something else. */
const others: Array<{ is: (text: string) => boolean; told: (shown: string) => Reading }> = [
	{
		is: (text) => /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(text),
		told: (shown) =>
			fail(
				`is in the scientific notation of a spreadsheet, which dropped digits: ${shown}. Format the column as text in the sheet and enter the number again`,
			),
	},
	{
		is: (text) => /^\d{5,}[.,]\d+$/.test(text),
		told: (shown) =>
			fail(
				`is a number with decimals, not a phone number: ${shown}. Check which column fills the field`,
			),
	},
	{
		is: (text) =>
			/^(?:(?:19|20)\d\d[-./][01]?\d[-./][0-3]?\d|[0-3]?\d[-./][0-3]?\d[-./](?:19|20)\d\d)(?:[T\s]|$)/.test(
				text,
			),
		told: (shown) =>
			fail(`is a date, not a phone number: ${shown}. Check which column fills the field`),
	},
	{
		is: (text) => /\d[\s)]*(?:[,;#]+|[,;]?\s*\p{L}[\p{L}.]*\s*[.:=]?)\s*\d{1,7}$/u.test(text),
		told: (shown) =>
			fail(
				`has an extension, but the platform accepts only phone numbers without one: ${shown}. Keep only the number; put the extension in another field`,
			),
	},
	{
		is: (text) => {
			const parts = text.split(/[,;|&/\n]|(?<=\d)\s*\p{L}+\s*(?=[\d+(])/u);
			const [left = '', right = ''] = parts;
			if (text.split('+').length > 2) return true;
			if (parts.length === 2 && text.includes('/') && dividesAreaCode(left, right)) return false;
			return parts.length > 1 && parts.every((part) => digitsIn(part) > 0);
		},
		told: (shown) => fail(`contains more than one phone number: ${shown}. Keep one per item`),
	},
];

const numberOf = (text: string, defaultCountry?: Country): string | undefined => {
	const found = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
	return found?.isValid() && isPhone(found.number) ? found.number : undefined;
};

/**
 * All phone numbers that digits can stand for. Digits that begin with the country's own calling code may be a number
 * with its country code or one inside the country; so may those that begin like a call abroad.
 * @param compact digits, with a plus before them or not
 */
function readingsOf(compact: string, country: Country | undefined): string[] {
	const international = (digits: string) => numberOf(`+${digits}`);
	const readings = compact.startsWith('+')
		? [numberOf(compact)]
		: [
				compact.startsWith('00') ? international(compact.slice(2)) : undefined,
				country && compact.startsWith(getCountryCallingCode(country))
					? international(compact)
					: undefined,
				country && numberOf(compact, country),
			];
	return [...new Set(readings.filter((reading) => reading !== undefined))];
}

/**
 * Reads a phone number in whichever way people write it. What is E.164 already passes as it is; anything else must be
 * a number that can exist.
 * @param country where numbers without a country code are at home
 */
export function readPhone(written: string, country?: Country): Reading {
	const trimmed = written.trim();
	// Most numbers are: nothing else is asked about them.
	if (isPhone(trimmed)) return { number: trimmed };
	const text = trimmed.length > longest ? '' : plain(trimmed);
	if (isPhone(text)) return { number: text };
	const shown = quoted(trimmed);
	const other = others.find(({ is }) => is(text));
	if (other) return other.told(shown);
	const compact = text.replace(separators, '');
	if (!/^\+?\d+$/.test(compact) || text.startsWith('-')) {
		return fail(
			`is not a phone number: ${shown}. Enter only the number, with a plus and its country code, for example +14155550123`,
		);
	}
	const [number, second] = readingsOf(compact, country);
	if (number && second) {
		return fail(
			`is ambiguous: ${shown} is ${number} or ${second}. Enter the one you mean, with its plus`,
		);
	}
	if (number) return { number };
	if (/^(?:\+|00)/.test(compact)) {
		return fail(`is not a possible phone number: ${shown}. Check its country code and its digits`);
	}
	const withPlus = numberOf(`+${compact}`);
	const code = withPlus ? `. If it begins with a country code, enter ${withPlus}` : '';
	return fail(
		country
			? `is not a phone number of the 'Default Country', ${nameOfCountry(country)}: ${shown}. Correct it, or enter it with a plus and its country code${code}`
			: `is not a phone number in international format: ${shown}. Choose its country in 'Default Country' under Options, or put a plus and the country code before it, for example +14155550123${code}`,
	);
}

/**
 * A phone number in the form that its spellings share, for comparing: its digits in international format, or the digits
 * as they are written where it cannot be read.
 */
export function comparable(written: unknown, country?: Country): string {
	const text = String(written ?? '');
	return readPhone(text, country).number?.slice(1) ?? text.replace(/\D/g, '');
}
