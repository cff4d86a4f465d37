/** Which answers of a success status are refusals, and which are records that happen to have such a field. */
import {
	errorFactsOf,
	isAnother,
	readRecord,
	recordOf,
	refusalOf,
	unreadable,
} from '../../nodes/engine/response/response';

describe('a refusal', () => {
	test.each([
		['a success beside an error', { success: true, data: null, error: 'No.' }],
		['data beside it', { success: false, message: 'Partly.', data: { sent: 3 } }],
		['rows beside it', { success: false, message: 'Partly.', data: [{ uuid: 'a' }] }],
	])('with %s may have been done in part', (_, body) => {
		expect(refusalOf(body)).toEqual({ status: undefined, partly: true });
	});
});

test.each([
	[
		{ message: 'No.', error: { code: 'X', details: 'd', field: 'f' } },
		{ code: 'X', message: 'No.', details: 'd', field: 'f' },
	],
	[
		{ errors: { email: ['is taken'], name: [] } },
		{ details: '{"email":["is taken"],"name":[]}', field: 'email' },
	],
	[{ error: 'X', message: '' }, { code: 'X' }],
	['text', {}],
])('the facts of %j are %j', (body, facts) => {
	expect(errorFactsOf(body)).toEqual(facts);
});

test.each([
	[{ data: [] }, {}],
	[[], {}],
	[{ data: { uuid: 'a' } }, { uuid: 'a' }],
	[{ data: [1] }, [1]],
	[undefined, undefined],
])('the record of %j is %j', (body, record) => {
	expect(recordOf(body)).toEqual(record);
});

test.each<[unknown, string]>([
	[undefined, 'nothing'],
	[null, 'null'],
	['Busy', 'a string'],
	[[], 'an empty list'],
	[[1], 'a list'],
	[{}, 'an empty object'],
	[{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, 'an object with "a", "b", "c", "d", "e" and more'],
])('instead of a record, %j came: %s', (body, received) => {
	expect(unreadable('record', body).facts).toEqual({ asked: 'record', received });
});

test('an empty list may stand in the place of a record where it is said so', () => {
	expect(readRecord({ data: [] }, true)).toEqual([]);
	expect(() => readRecord({ data: [] })).toThrow('unreadable');
	expect(() => readRecord({ data: {} }, true)).toThrow('unreadable');
});

describe('the record that a path names', () => {
	const [a, b, c] = ['a', 'b', 'c'].map(
		(one) => `${one}`.repeat(8) + '-1111-4111-8111-111111111111',
	);

	test.each<[string, string, object]>([
		['by its ID', '/contacts/{uuid}', { uuid: b }],
		['by the name of its kind', '/agents/{uuid}', { agent_uuid: b }],
		['by that of what is inside', '/agents/{uuid}/webhooks/{webhookUuid}', { webhook_uuid: c }],
		['by that of what it is inside', '/agents/{uuid}/compliance', { agent_uuid: b }],
		['by its key', '/contacts/fields/{key}', { key: 'other' }],
	])('is another one %s: %s answered by %j', (_, template, record) => {
		expect(isAnother(record as never, template, { uuid: a, webhookUuid: b, key: 'company' })).toBe(
			true,
		);
	});

	test.each<[string, string, object]>([
		['it shows the ID', '/contacts/{uuid}', { uuid: a, agent_uuid: b }],
		['it shows it in capitals', '/contacts/{uuid}', { uuid: String(a).toUpperCase() }],
		['it shows no ID', '/contacts/{uuid}', { id: 5, name: 'Anna' }],
		['it shows the ID elsewhere', '/calls/{uuid}', { uuid: b, conversation_uuid: a }],
		['it is what the record is inside', '/agents/{uuid}/notes/{noteUuid}', { uuid: a }],
		['the answer is about something of it', '/sessions/{uuid}/evaluation', { uuid: b }],
		['it was asked for by a number', '/contacts/{id}', { uuid: b }],
		['the key is the same', '/contacts/fields/{key}', { key: 'company', uuid: b }],
	])('may be the one, because %s: %s answered by %j', (_, template, record) => {
		const path = { uuid: a, noteUuid: c, id: '17', key: 'company' };
		expect(isAnother(record as never, template, path as never)).toBe(false);
	});
});
