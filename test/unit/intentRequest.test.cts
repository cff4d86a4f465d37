/** What is read from the request of an intent, wherever the platform may put it (no source shows one). */
import { set } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { contactOf, conversationOf, parametersOf } from '../../nodes/AcpIntentTrigger/request';

const at = (place: string, value: unknown): IDataObject => set({ event: 'x' }, place, value);
const roots = ['', 'call.', 'intent.'].flatMap((root) => [root, `data.${root}`, `payload.${root}`]);
const people = ['contact_info', 'contact', 'customer', 'caller', 'participant'];
const ofPeople = (...names: string[]) =>
	people.flatMap((person) => names.map((name) => `${person}.${name}`));

describe('the conversation', () => {
	const places = [
		'conversation_uuid',
		'conversationUuid',
		'conversation_id',
		'conversationId',
		'conversation.uuid',
		'conversation.conversation_uuid',
		'conversation.id',
	];
	test.each(places.flatMap((place) => roots.map((root) => root + place)))('under %s', (place) => {
		expect(conversationOf(at(place, ' abc '))).toBe('abc');
		expect(conversationOf(at(place, 17))).toBe('17');
	});

	test.each([undefined, null, '', '  ', {}, true])('of %p is not known', (value) => {
		expect(conversationOf({ conversation_uuid: value as never })).toBeNull();
	});

	test('a long text is cut', () => {
		expect(conversationOf({ conversation_uuid: 'x'.repeat(300) })).toBe('x'.repeat(200));
	});
});

describe('who is on the phone', () => {
	const nobody = { uuid: null, name: null, phone_number: null, email: null };

	test.each<[string, string[]]>([
		['uuid', [...ofPeople('uuid', 'contact_uuid', 'id'), 'contact_uuid']],
		['name', [...ofPeople('name'), 'contact_name']],
		[
			'phone_number',
			[...ofPeople('phone_number', 'phoneNumber', 'phone', 'number'), 'phone_number', 'number'],
		],
		['email', [...ofPeople('email'), 'email']],
	])('%s is found in every place, and no other field with it', (field, places) => {
		expect(places.length).toBeGreaterThan(5);
		expect(roots).toHaveLength(9);
		for (const place of places)
			for (const root of roots)
				expect({ place: root + place, ...contactOf(at(root + place, 'it')) }).toEqual({
					place: root + place,
					...nobody,
					[field]: 'it',
				});
	});

	test('is nobody if the request names nobody', () => {
		expect(contactOf({})).toEqual(nobody);
	});
});

describe('what the agent found out', () => {
	const declared = (type: string, standard: unknown = '') =>
		[{ key: 'order', type, default: standard, required: false }] as never;

	test.each(
		['parameters', 'params', 'arguments', 'args', 'slots', 'variables'].flatMap((place) =>
			roots.map((root) => root + place),
		),
	)('is read under %s, as an object, entries or text', (place) => {
		for (const value of [
			{ order: 'A1' },
			[{ key: 'order', value: 'A1' }],
			[{ name: 'order', value: 'A1' }],
			'{"order":"A1"}',
			'[{"key":"order","value":"A1"}]',
		])
			expect(parametersOf(at(place, value), declared('string'))).toEqual({ order: 'A1' });
	});

	test.each(roots)('is read under "%s" by its own name', (root) => {
		expect(parametersOf(at(`${root}order`, 'A1'), declared('string'))).toEqual({ order: 'A1' });
	});

	test.each([[[]], [['A1']], ['no JSON'], [17]])('%j holds no named values', (value) => {
		const body = { parameters: value } as IDataObject;
		expect(parametersOf(body, declared('string'))).toEqual({ order: null });
	});

	test.each([
		['string', 17, '17'],
		['text', true, 'true'],
		['Number', '17.5', 17.5],
		['integer', '17', 17],
		['int', ' 17 ', 17],
		['float', '1e3', 1000],
		['double', '17', 17],
		['decimal', 'seventeen', 'seventeen'],
		['number', ' ', ' '],
		['number', 'Infinity', 'Infinity'],
		['boolean', 'Yes', true],
		['bool', ' no ', false],
		['boolean', 1, true],
		['boolean', '0', false],
		['boolean', 'true', true],
		['boolean', 'FALSE', false],
		['boolean', 'maybe', 'maybe'],
		['object', '{"a":1}', { a: 1 }],
		['json', '[1]', [1]],
		['array', '[1,2]', [1, 2]],
		['list', 'one, two', 'one, two'],
		['list', 'null', 'null'],
		['colour', '17', '17'],
	])('as %s: %j is %j', (type, value, expected) => {
		const body = { parameters: { order: value } } as IDataObject;
		expect(parametersOf(body, declared(type))).toEqual({ order: expected });
	});

	test.each([undefined, null, ''])('%p has its default', (value) => {
		const body = { parameters: { order: value, other: 'as it came' } } as IDataObject;
		expect(parametersOf(body, declared('number', '3'))).toEqual({ order: 3, other: 'as it came' });
		expect(parametersOf(body, declared('number'))).toEqual({ order: null, other: 'as it came' });
	});
});
