/** What cells of sheets and records tell about how somebody is reached. */
import { readCell } from '../../nodes/engine/people/cells';
import { ContactPoints } from '../../nodes/engine/people/contactPoints';
import { type Heading, headingOf } from '../../nodes/engine/people/headings';
import { alsoReached, knownOf } from '../../nodes/engine/people/known';

const [number, link] = ['+4915112345678', 'https://wa.me/4915112345678?text=a,b'];

test.each<[string, Heading, string | undefined, object]>([
	// In a column of telephones everything with enough digits is meant as one.
	['20240115', 'phone', 'DE', { numbers: ['20240115'] }],
	['1.250.000,00', 'phone', 'DE', { among: ['1.250.000'], unreadable: '1.250.000,00' }],
	['€ 4711000', 'phone', 'DE', { among: ['4711000'], unreadable: '€ 4711000' }],
	...['20240115', '1.250.000,00', '€ 4711000'].map((text): [string, Heading, string, object] => [
		text,
		'unknown',
		'DE',
		{},
	]),
	['10:30 4711000', 'phone', 'DE', {}],
	['0151 12345678', 'phone', undefined, { numbers: ['0151 12345678'] }],
	['4915112345678', 'other', 'DE', {}],
	[number, 'other', 'DE', { numbers: [number] }],
	[link, 'other', 'DE', { numbers: [link] }],
	['5551234567', 'unknown', undefined, { numbers: ['5551234567'] }],
	['5551234', 'unknown', undefined, {}],
	['Berg, Anna <a@b.co>', 'unknown', 'DE', { addresses: ['Berg, Anna <a@b.co>'] }],
	[`${number} or twice`, 'unknown', 'DE', { among: [number], unreadable: `${number} or twice` }],
	['order 30901820', 'unknown', 'DE', { among: ['30901820'] }],
	['see 12', 'phone', 'DE', {}],
])('%j under a heading for %s, at home in %s', (text, heading, country, told) => {
	const nothing = { numbers: [], addresses: [], among: [] };
	expect(readCell(text, heading, [country])).toEqual({ ...nothing, ...told });
});

test('headings of telephones, of something else, and of what nobody knows', () => {
	const headings = ['Handy', 'sms', 'Phone ID', 'Order date', 'Number', 'Order number', 'Wer'];
	const said = ['phone', 'phone', 'other', 'other', 'phone', 'other', 'unknown'];
	expect(headings.map(headingOf)).toEqual(said);
});

test('a contact is known by all its numbers and email addresses, not by those of others', () => {
	const contact = {
		phone_number: [number, '0151 1234567'],
		custom: { mobile: '+4915112345671', gsm: '+49152*****22', fax: '030 901820' },
		agent: { phone: '+4915112345672' },
		whatsapp: { any: '+4915112345673' },
		email: 'anna at @example.com',
		owner: 'a@b.co',
		rate: '5 @ 10',
		sms: '+49151*****11',
		tel: `${number} or twice`,
	};
	expect(knownOf(contact, ['DE'])).toEqual({
		addresses: [number, '0151 1234567', '+4915112345671', '+4915112345673', 'a@b.co', number],
		unread: ['+49152*****22', 'anna at @example.com', '+49151*****11'],
	});
});

test.each([
	['address', ['a@b.co', 'd@b.co'], ['nobody', number]],
	['number', ['a@b.co', number, 'd@b.co', '+49 30 90182001'], ['nobody']],
] as const)('whom else a request by %s reaches', (by, addresses, unread) => {
	const written = {
		...{ cc: ['a@b.co', `nobody, , ${number}`], from: 'me@b.co', subject: 'c' },
		more: { any: 'd@b.co', phone: '+49 30 90182001' },
	};
	expect(alsoReached(written, by)).toEqual({ addresses, unread });
});

test('of numbers and email addresses it is told whose they are', () => {
	const points = new ContactPoints<string>();
	expect(points.find(number)).toBeUndefined();
	const said = ['a@b.co', number, '0049 151 12345678', 'none'].map((one) =>
		points.add(one, ['DE'], one),
	);
	expect(said).toEqual(['address', 'number', 'number', undefined]);
	const found = ['A+x@b.co', '0151 12345678', 'b@b.co'].map((one) => points.find(one));
	expect(found).toEqual(['a@b.co', number, undefined]);
});
