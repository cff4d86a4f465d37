/** Texts made to be slow to read: n8n runs everything in one process, so one of them would stop the whole server. */
import { readPhone } from '../../nodes/engine/phone/phoneNumber';
import { readCell } from '../../nodes/engine/people/cells';
import { addressOf, ContactPoints } from '../../nodes/engine/people/contactPoints';
import { knownOf } from '../../nodes/engine/people/known';
import { safePath } from '../../nodes/engine/apiRequest/prepareApiRequest';
import { withoutSecrets } from '../../nodes/engine/secrets/secrets';

const spaces = ' '.repeat(1_000_000);

/** @returns who the contact with this email address or phone number could be, among these */
const couldBe = (shown: string, ...among: string[]): string[] => {
	const field = shown.includes('@') ? 'email' : 'phone_number';
	const { unread } = knownOf({ [field]: shown }, [undefined]);
	expect(unread).toHaveLength(1);
	const points = new ContactPoints();
	points.addMasked(unread[0] as string);
	return among.filter((one) => points.findMasked(one) !== undefined);
};

test.each([
	['a***@x.de', ['anna@x.de', 'a@x.de', 'ba@x.de', 'anna@x.com'], ['anna@x.de', 'a@x.de']],
	['a**n**a@x.de', ['anna@x.de', 'anja@x.de', 'ana@x.de'], ['anna@x.de', 'anja@x.de', 'ana@x.de']],
	['ab**ba@x.de', ['abba@x.de', 'aba@x.de', 'abxba@x.de'], ['abba@x.de', 'abxba@x.de']],
	[
		'+49151*****11',
		['+4915100000011', '+491510000112', '+4915111'],
		['+4915100000011', '+4915111'],
	],
	['4.9151E+12', ['+491510000001', '+4815100000000'], ['+491510000001']],
	['+49151****', ['+4915100000011', '+4815100000011'], ['+4915100000011']],
])('%s could be those whom its signs fit', (shown, among, expected) => {
	expect(couldBe(shown, ...among)).toEqual(expected);
});

test('an address of many hidden parts is compared in one go', () => {
	expect(couldBe(`${'a**'.repeat(10_000)}@x.de`, `${'a'.repeat(60)}b@x.de`)).toEqual([]);
	expect(couldBe(`${'a**'.repeat(30)}@x.de`, `${'a'.repeat(60)}b@x.de`)).toHaveLength(1);
	expect(couldBe('1**'.repeat(10_000), '+11111111111112')).toEqual([]);
});

test('a comment is read in one go, with the number in it', () => {
	const comment = readCell(`Please stop${spaces}1`, 'unknown', ['DE']);
	expect(comment).toEqual({ numbers: [], addresses: [], among: [] });
	const { among } = readCell(
		`Stop +49 151 12345678${spaces}or${spaces}anna@example.com please${spaces}.`,
		'unknown',
		['DE'],
	);
	expect(among).toEqual(['+49 151 12345678', 'anna@example.com']);
	expect(readCell(`0151 12345678${spaces}und${spaces}030 901820`, 'phone', ['DE']).numbers).toEqual(
		['0151 12345678', '030 901820'],
	);
});

test('an email address is no longer than a line of a mail', () => {
	const address = `${'a'.repeat(64)}@${'b'.repeat(255)}`;
	expect(addressOf(`"Anna" <${address}>`)).toBe(address);
	expect(addressOf(`mailto:${address}?subject=Hi`)).toBe(address);
	expect(addressOf(`${'a'.repeat(999)}@x.de`)).toBeUndefined();
	expect(addressOf(`a@b${'.'.repeat(1_000_000)}x`)).toBeUndefined();
});

test('signs without width behind a number are read in one go', () => {
	expect(readPhone(`+4915112345678(2)${'\ufeff'.repeat(40)}x`).refused).toContain('not a phone');
	expect(readPhone('+4915112345678 (2)\ufeff').refused).toContain('footnote');
});

test('URLs without an end lose their secrets in one go', () => {
	const evil = 'http:'.repeat(200_000);
	expect(withoutSecrets(`${evil}//x.de?token=abc`, [])).toBe(`${evil}//x.de?********`);
	expect(withoutSecrets('see http://x.de/a and https://x.de/b?c=d&e=f.', [])).toBe(
		'see http://x.de/a and https://x.de/b?********',
	);
});

test('a path and a refusal with ten thousand values of a query take no longer than reading them', () => {
	const values = Array.from(
		{ length: 10_000 },
		(_, index) => `value${String(index).padStart(6, '0')}`,
	);
	const search = values.map((value) => `${value}=${value}`).join('&');
	const before = process.cpuUsage();
	expect(Object.keys(safePath(`/agents?${search}`).query)).toHaveLength(values.length);
	expect(withoutSecrets(`toString&${search}`, values)).not.toContain('value0');
	// Quadratic, it computed for more than five seconds, in microseconds here. A busy machine adds nothing to computing.
	expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});
