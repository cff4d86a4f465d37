/** Numbers that are in E.164 already: read by one expression per country, and exactly as the library reads them. */
import {
	getCountries,
	getCountryCallingCode,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { isEqual } from 'lodash';
import { isGivenOut, isOfNoCountry, planDate } from '../../nodes/engine/phone/numberingPlans';
import { readPhone } from '../../nodes/engine/phone/phoneNumber';

const examples = require('libphonenumber-js/examples.mobile.json') as Record<string, string>;

/** What the library says, each time anew. */
const byLibrary = (text: string): string | undefined => {
	const found = parsePhoneNumberFromString(text, { extract: false });
	return found?.getType() === undefined ? undefined : found.number;
};

/** The same numbers in every run. */
function random(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

const next = random(20261123);
const digits = (count: number): string =>
	Array.from({ length: count }, () => Math.floor(next() * 10)).join('');

const codes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];
const mobile = getCountries().map(
	(country) => `+${getCountryCallingCode(country)}${examples[country]}`,
);

/** Any digits behind every calling code, and numbers that lie close to one that exists. */
const written = [
	...mobile,
	...codes.flatMap((code) =>
		Array.from({ length: 150 }, () => `+${code}${digits(4 + Math.floor(next() * 9))}`.slice(0, 16)),
	),
	...mobile.flatMap((number) =>
		Array.from({ length: 120 }, (_, at) => {
			const kept = number.slice(0, number.length - (at % 8) - 1);
			return (kept + digits(number.length - kept.length + (at % 3) - 1)).slice(0, 16);
		}),
	),
	// The prefix that is dialled inside a country, left behind its calling code.
	...mobile.flatMap((number) => {
		const code = codes.find((one) => number.startsWith(`+${one}`)) as string;
		return ['0', '1', '8', '06', '9', '15'].map(
			(prefix) => `+${code}${prefix}${number.slice(code.length + 1)}`,
		);
	}),
].filter((number) => /^\+[1-9]\d{1,14}$/.test(number));

test('an expression of ours says the same as the library, or leaves the number to it', () => {
	const wrong = written.filter((number) => isGivenOut(number) && byLibrary(number) !== number);
	expect(wrong).toEqual([]);
	expect(written.length).toBeGreaterThan(60_000);
});

test('almost no number in international format is left to the library', () => {
	const real = written.filter((number) => byLibrary(number) === number);
	const left = real.filter((number) => !isGivenOut(number));
	expect(real.length).toBeGreaterThan(10_000);
	expect(left.length).toBeLessThan(real.length / 100);
	expect(mobile.filter((number) => !isGivenOut(number))).toEqual([]);
});

test('a number that its plan does not know is taken as written, and said to be unchecked', () => {
	const unknown = written.filter(
		(number) =>
			byLibrary(number) === undefined && !isOfNoCountry(number) && !number.startsWith('+521'),
	);
	const read = unknown.filter((number) => readPhone(number).number !== undefined);
	expect(read.filter((number) => !isEqual(readPhone(number), { number, unchecked: true }))).toEqual(
		[],
	);
	expect(read.length).toBeGreaterThan(10_000);
	// In another spelling it would have to be converted.
	expect(
		read.filter((number) => readPhone(`${number.slice(0, 6)} ${number.slice(6)}`).number),
	).toEqual([]);
	// Of a length that its country does not have.
	for (const number of ['+1415555010', '+490', '+33612345', '+4412345678901234'])
		expect(readPhone(number).number).toBeUndefined();
});

test('the date of the plan is that of the pinned library', () => {
	expect([
		planDate,
		(require('libphonenumber-js/package.json') as { version: string }).version,
	]).toEqual(['November 2026', '1.13.16']);
});

test('a number of a network that no country has is taken as it is written, and said to be unchecked', () => {
	for (const number of ['+8835100012345', '+883 510 001 2345', '+999123456789'])
		expect(readPhone(number)).toEqual({ number: number.replace(/ /g, ''), unchecked: true });
	for (const [number, country] of [
		['+0123456789', undefined],
		['+15555', undefined],
		['8835100012345', 'US'],
		['+8835100012345678', undefined],
	] as const)
		expect(readPhone(number, country).refused).toBeDefined();
});
