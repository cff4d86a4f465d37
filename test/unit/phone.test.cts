/** Phone numbers as people, spreadsheets and phones write them: what is sent, and what is refused with which words. */
import { meaningsOf, readPhone, countries, countryOf } from '../../nodes/engine/phone/phoneNumber';
import { mayBeSame, normalForm } from '../../nodes/engine/people/contactPoints';
import { provingDigits, showsDigits } from '../../nodes/engine/phone/numberSearch';

/** [what is written, the default country, what is sent] */
const understood: Array<[string, string | undefined, string]> = [
	// with a country code, without asking
	['+14155550101', undefined, '+14155550101'],
	['+1 (415) 555-0101', undefined, '+14155550101'],
	['+1.415.555.0101', undefined, '+14155550101'],
	['(+90) 532 123 45 67', undefined, '+905321234567'],
	['+(90) 532 123 45 67', undefined, '+905321234567'],
	['0049 30 901820', undefined, '+4930901820'],
	['0049 30 901820', 'US', '+4930901820'],
	['tel:+90-532-123-45-67', undefined, '+905321234567'],
	['tel://+14155550101', undefined, '+14155550101'],
	['＋１（４１５）５５５－０１０１', undefined, '+14155550101'],
	['+١٤١٥٥٥٥٠١٠١', undefined, '+14155550101'],
	['+۱۴۱۵۵۵۵۰۱۰۱', undefined, '+14155550101'],
	['\u202a+1 415 555 0101\u202c', undefined, '+14155550101'],
	['+1\u00a0415\u00a0555\u00a00101', undefined, '+14155550101'],
	['+1415555\u200b0101', undefined, '+14155550101'],
	['\u200b+14155550101\u200b', undefined, '+14155550101'],
	['+1 415 555‑0101', undefined, '+14155550101'],
	["'+14155550101", undefined, '+14155550101'],
	['="+14155550101"', undefined, '+14155550101'],
	['=+14155550101', undefined, '+14155550101'],
	// the trunk prefix that is not dialled from abroad, and the zero that is
	['+49 (0)30 901820', undefined, '+4930901820'],
	['+44 (0)20 7946 0958', undefined, '+442079460958'],
	['+39 06 6981 2345', undefined, '+390669812345'],
	['+49 30/901820', undefined, '+4930901820'],
	// numbers of the default country
	['(415) 555-0102', 'US', '+14155550102'],
	['415.555.0102', 'US', '+14155550102'],
	['1 415 555 0102', 'US', '+14155550102'],
	['4155550102', 'US', '+14155550102'],
	['4155550102.0', 'US', '+14155550102'],
	['４１５５５５０１０２', 'US', '+14155550102'],
	['030 901820', 'DE', '+4930901820'],
	['030/901820', 'DE', '+4930901820'],
	['030/901820-21', 'DE', '+493090182021'],
	['0532 123 45 67', 'TR', '+905321234567'],
	['0(532) 123 45 67', 'TR', '+905321234567'],
	['5321234567', 'TR', '+905321234567'],
	['06 6981 2345', 'IT', '+390669812345'],
	['8 (912) 345-67-89', 'RU', '+79123456789'],
	['11 15 2345-6789', 'AR', '+5491123456789'],
	// others, whatever the default country is
	['+1 (415) 555-0101', 'DE', '+14155550101'],
	['011 49 30 901820', 'US', '+4930901820'],
	['001 65 9123 4567', 'SG', '+6591234567'],
	// digits that begin with the country's own code and can be read in one way alone
	['905551112233', 'TR', '+905551112233'],
	['49 30 901820', 'DE', '+4930901820'],
	['49 2323 269', 'DE', '+492323269'],
	['919876543210', 'IN', '+919876543210'],
	['9198765432', 'IN', '+919198765432'],
	['55 99123-4567', 'BR', '+5555991234567'],
	['79123456789', 'RU', '+79123456789'],
	['48 123 45 67', 'PL', '+48481234567'],
	// no day, whatever it looks like
	['2051-36-11', 'DE', '+4920513611'],
	['30.90.2018', 'DE', '+4930902018'],
];

test.each(understood)('%j at home in %s is sent as %s', (written, country, number) => {
	expect(readPhone(written, country)).toEqual({ number });
});

test('up to sixty characters are read, spaces and all', () => {
	const written = (length: number) => `+1${' '.repeat(length - 12)}4158675309`;
	expect(readPhone(written(60))).toEqual({ number: '+14158675309' });
	expect(readPhone(written(61))).not.toHaveProperty('number');
});

const twice = /^is ambiguous: "(.+)" is (\+\d+) or (\+\d+)\. Enter the one you mean/;
describe('Evidence: what stands in the column is taken for a phone number', () => {
	const dialled: Array<[string, string, string | undefined]> = [
		['a price', '12.50', 'DE'],
		['a price with a comma', '12,5', 'DE'],
		['an amount with thousands', '1.250,00', 'DE'],
		['a postcode', '10115', 'DE'],
		['a postcode that begins like an area code', '30159', 'DE'],
		['a day as a spreadsheet counts it', '45306', 'DE'],
		['a short date', '1.2.24', 'DE'],
		['a date with slashes', '1/15/2024', 'US'],
		['a date without separators', '20240115', 'DE'],
		['the emergency number with a plus', '+112', undefined],
		['five digits with a plus', '+12345', undefined],
		['a number with a footnote mark', '+491511234567¹', undefined],
		['a circled digit', '0151 1234567①', 'DE'],
		['a count in brackets', '+49 30 901820 (2)', undefined],
		['square brackets', '+43 1 58858 [10]', undefined],
		['a sign without width before another digit', '+49 30 901820\u200b1', undefined],
		['two cells pasted into one', '+43 1 58858\t10', undefined],
		['decimals behind a number', '+4915112345678.50', undefined],
	];
	test.each(dialled)('%s: it is refused', (_, written, country) => {
		expect(readPhone(written, country)).toEqual({ refused: expect.any(String) });
	});

	const meantPlus: Array<[string, string, string | undefined, string]> = [
		['a decimal that a spreadsheet added', '+4915112345678.0', undefined, '+4915112345678'],
		['a mobile number without its plus', '4915112345678', 'DE', '+4915112345678'],
		['the same in Indonesia', '628123456789', 'ID', '+628123456789'],
		['the zero of the country behind its code', '+49015112345678', undefined, '+4915112345678'],
		['Mexico as it was dialled until 2020', '+5215512345678', undefined, '+5215512345678'],
	];
	test.each(meantPlus)('%s: the number that is meant is sent', (_, written, country, number) => {
		expect(readPhone(written, country)).toEqual({ number });
	});
});

const extension = /^has an extension, but the platform accepts only phone numbers without one: "/;
const scientific =
	/^is in the scientific notation of a spreadsheet, which dropped digits: ".+"\. Format the column as text/;
const several =
	/^contains more than one phone number: ".+"\. Make an item of each: .*Split Out node/;
const impossible = /^is not a possible phone number: "/;
const nothing = /^is not a phone number: "/;
const national =
	/^is not a phone number in international format: ".+"\. Choose 'Default Country' under Options/;
const foreign = /^is not a valid [A-Z][A-Za-z ]+ number: "/;

const refused: Array<[string, string | undefined, RegExp]> = [
	['(415) 555-0102', undefined, national],
	['030 901820', undefined, national],
	['905551112233', undefined, national],
	['0', undefined, national],
	// both +49 2323 269 and a number inside Germany exist; a mobile number may lack a digit
	['492323269', 'DE', twice],
	['48 1419404', 'PL', twice],
	['004981127790', 'SG', twice],
	['491512345678', 'DE', twice],
	['415 555 0101 ext. 12', 'US', extension],
	['(415) 555-0101 x12', 'US', extension],
	['+1 415 555 0101 extension 12', undefined, extension],
	['+1-415-555-0101;ext=12', undefined, extension],
	['+1 415 555 0101 #12', undefined, extension],
	['+14155550101,,12', undefined, extension],
	['+14155550101x12', undefined, extension],
	['0212 123 45 67 dahili 12', 'TR', extension],
	['5.32123E+9', 'TR', scientific],
	['5,32123E+9', 'TR', scientific],
	['4.15555e9', undefined, scientific],
	['4155550101.5', 'US', /^is a number with decimals, .*"4155550101\.5"\. Check which column/],
	['030901.000', 'DE', /^is a number with decimals/],
	['12.05.2024', 'DE', /^is a date, not a phone number: "12\.05\.2024"\. Check which column/],
	['31.12.24', 'DE', /^is a date, not/],
	['2024-05-12', 'DE', /^is a date, not/],
	['2024-05-12T10:00:00', 'DE', /^is a date, not/],
	['+14155550101, +14155550102', undefined, several],
	['030\n901820', 'DE', several],
	['+14155550101 +14155550102', undefined, several],
	['415 555 0101 / 415 555 0102', 'US', several],
	['415 555 0101 or 415 555 0102', 'US', several],
	['901820/901821', 'DE', several],
	['030 901820/21', 'DE', several],
	['+49 110', undefined, impossible],
	['+1 415 555 010', undefined, impossible],
	['+1 415 555 01011', undefined, impossible],
	['+0123456789', undefined, impossible],
	['+5211382928331', undefined, impossible],
	['00 1 415 555 010', 'US', impossible],
	['110', 'DE', foreign],
	['0532 123 45 67', 'US', foreign],
	['415 555 010', 'US', foreign],
	['12.40.1990', 'DE', foreign],
	['340970', 'DE', foreign],
	['044 55 1234 5678', 'MX', foreign],
	['call me 4155550101', 'US', nothing],
	['1-800-FLOWERS', 'US', nothing],
	['0151*****78', 'DE', nothing],
	['030 9018xx', 'DE', nothing],
	['-4155550101', 'US', nothing],
	['0+49 30 901820', 'DE', nothing],
	['n/a', 'US', nothing],
	['-', 'US', nothing],
	['+', 'US', nothing],
	['9'.repeat(100_000), 'US', nothing],
	[`${' '.repeat(50_000)}x1`, 'US', nothing],
];

test.each(refused.map(([written, country, told]) => [written.slice(-60), country, told, written]))(
	'%j at home in %s is refused: %s',
	(_, country, told, written) => {
		const { number, refused: said } = readPhone(written as string, country as string | undefined);
		expect(number).toBeUndefined();
		expect(said).toMatch(told as RegExp);
	},
);

test('the message shows both readings', () => {
	expect(twice.exec(readPhone('492323269', 'DE').refused ?? '')?.slice(1)).toEqual([
		'492323269',
		'+492323269',
		'+49492323269',
	]);
});

test('digits that are a number once a plus stands before them: the message shows it', () => {
	for (const country of [undefined, 'US'])
		expect(readPhone('905551112233', country).refused).toMatch(
			/\. If it begins with a country code, enter \+905551112233$/,
		);
	expect(readPhone('(415) 555-0102').refused).not.toMatch(/begins with a country code/);
});

test('spellings of one number are the same, what cannot be read is its digits', () => {
	const spellings = ['+1 (415) 555-0102', '0014155550102', '(415) 555-0102', '14155550102'];
	expect(spellings.map((spelling) => normalForm(spelling, 'US'))).toEqual(
		Array(4).fill('14155550102'),
	);
	expect(normalForm('(415) 555-0102')).toBe('4155550102');
	expect(normalForm('492323269', 'DE')).toBe('492323269');
	expect(normalForm('030 901820 (2)')).toBe('030 901820 (2)');
	expect(normalForm('+5215512345678')).toBe(normalForm('+52 55 1234 5678'));
	expect(normalForm('+5491123456789')).toBe(normalForm('+54 11 2345 6789'));
	expect([normalForm(undefined), normalForm(null), normalForm(14155550102, 'US')]).toEqual([
		'',
		'',
		'14155550102',
	]);
});

test.each([
	['+49 151 12345678', '004915112345678', 'yes'],
	['Anna+shop@Example.com', 'mailto:anna@example.com', 'yes'],
	['+5215512345678', '+52 55 1234 5678', 'yes'],
	['0151 12345678', '+4915112345678', 'unknown'],
	['(415) 555-0102', '+14155550102', 'unknown'],
	['+4915112345678', 'anna@example.com', 'unknown'],
	['+49151*****78', '+4915112345678', 'unknown'],
	['+4915112345678', '+4915112345679', 'no'],
	['+4915112345678', '0151 12345679', 'no'],
	['anna@example.com', 'ben@example.com', 'no'],
])('%s and %s, the same person: %s', (one, other, same) => {
	expect([mayBeSame(one, other), mayBeSame(other, one)]).toEqual([same, same]);
});

test.each<[string, string | undefined, string[], string | undefined]>([
	['340970', 'DE', [], undefined],
	['901820/901821', undefined, [], undefined],
	['011 49 30 901820', undefined, ['+4930901820'], '114930901820'],
	['wa.me/4915112345678', undefined, ['+4915112345678'], undefined],
	['wa.me/4915112345678?\n1', undefined, [], undefined],
])('%j at home in %s may mean %j, or what ends in %s', (text, country, numbers, ending) => {
	expect(meaningsOf(text, [country])).toEqual({ numbers, ending });
});

test('a search finds a number in every spelling only if it finds one that is stored with spaces', () => {
	const stored = ['+49 151 12345678', '+4915112345678', '0049 151 12345678'];
	expect(stored.map(provingDigits)).toEqual(['15112345678', undefined, undefined]);
	const rows = [{ a: '+49 151 123' }, { a: 49151123 }, { a: null }, { a: ['49151123'] }];
	expect(rows.map((row) => showsDigits(row, '151123'))).toEqual([true, true, false, false]);
});

test('a country is two letters, in capitals or not', () => {
	expect(['DE', ' de ', 'Germany', 'XX', '', undefined, 49].map(countryOf)).toEqual([
		'DE',
		'DE',
		...Array(5).fill(undefined),
	]);
	expect(countries.length).toBeGreaterThan(240);
	expect(countries.find(({ value }) => value === 'DE')?.name).toBe('Germany (+49)');
	const names = countries.map(({ name }) => name);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
});
