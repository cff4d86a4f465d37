/** What is read from the request of an intent, wherever the platform may put it (no source shows one). */
import { set } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { contactOf, conversationOf, parametersOf } from '../../nodes/AcpIntentTrigger/request';

const at = (place: string, value: unknown): IDataObject => set({ event: 'x' }, place, value);
const roots = ['', 'call.', 'intent.'].flatMap((root) => [root, `data.${root}`, `payload.${root}`]);
const people = ['contact_info', 'contact', 'customer', 'caller', 'participant'];
const ofPeople = (...names: string[]) =>
	people.flatMap((person) => names.map((name) => `${person}.${name}`));
const parameters = (...keys: string[]) => keys.map((key) => ({ key })) as never;

describe('the conversation', () => {
	test.each([
		...['conversation_uuid', 'conversationUuid', 'conversation_id', 'conversationId'],
		...['conversation.uuid', 'conversation.conversation_uuid', 'conversation.id'],
	])('under %s', (place) => {
		for (const root of roots) {
			expect(conversationOf(at(root + place, ' abc '), [])).toBe('abc');
			expect(conversationOf(at(root + place, 17), [])).toBe('17');
		}
	});

	test.each([undefined, null, '', '  ', {}, true])('of %p is not known', (value) => {
		expect(conversationOf({ conversation_uuid: value as never }, [])).toBeNull();
	});

	test('a long text is cut', () => {
		expect(conversationOf({ conversation_uuid: 'x'.repeat(300) }, [])).toBe('x'.repeat(200));
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
		for (const place of places)
			for (const root of roots)
				expect(contactOf(at(root + place, 'it'), parameters('order'))).toEqual({
					contact: { ...nobody, [field]: 'it' },
					contactFrom: { ...nobody, [field]: root + place },
				});
	});

	test('is nobody if the request names nobody', () => {
		expect(contactOf({}, [])).toEqual({ contact: nobody, contactFrom: nobody });
	});

	test.each([
		['number', 'number'],
		['phone_number', 'phone_number'],
		['phoneNumber', 'phone_number'],
		['Phone-Number', 'phone_number'],
		['email', 'email'],
		['contact_uuid', 'contact_uuid'],
		['contact_name', 'contact_name'],
		['customer', 'customer.number'],
		['contact.phone_number', 'contact.phone_number'],
	])('is never read from a parameter: %s is declared, so %s is not the contact', (key, place) => {
		for (const root of roots) {
			const body = at(root + place, 'said');
			const { contact } = contactOf(body, parameters('order'));
			expect(Object.values(contact as object)).toContain('said');
			expect(contactOf(body, parameters('order', key)).contact).toEqual(nobody);
		}
	});

	test.each(['call', 'intent', 'data', 'payload'])(
		'is never read from inside of a parameter called %s',
		(key) => {
			const body = { [key]: { contact: { email: 'said' }, number: 'said' } };
			expect(contactOf(body, parameters(key)).contact).toEqual(nobody);
			expect(contactOf(body, []).contact).toMatchObject({ email: 'said', phone_number: 'said' });
		},
	);

	test("a person's own fields count, whatever the parameters are called", () => {
		const body = {
			number: 'said',
			email: 'said',
			name: 'said',
			caller: { number: '+1', name: 'A' },
		};
		expect(contactOf(body, parameters('number', 'email', 'name', 'id'))).toEqual({
			contact: { ...nobody, phone_number: '+1', name: 'A' },
			contactFrom: { ...nobody, phone_number: 'caller.number', name: 'caller.name' },
		});
	});

	test('Evidence: while the parameters are not known, only the fields of a person count', () => {
		const body = { number: 'said', phone_number: 'said', email: 'said', contact_uuid: 'said' };
		expect(contactOf(body, undefined).contact).toEqual(nobody);
		const person = { ...body, data: { contact_info: { phone_number: '+1' } } };
		expect(contactOf(person, undefined)).toEqual({
			contact: { ...nobody, phone_number: '+1' },
			contactFrom: { ...nobody, phone_number: 'data.contact_info.phone_number' },
		});
	});

	test('a parameter does not name the conversation either', () => {
		const declared = parameters('conversation_id', 'id');
		expect(conversationOf({ conversation_id: 'said' }, declared)).toBeNull();
		expect(conversationOf({ conversation_id: 'x', conversation: { id: 'c' } }, declared)).toBe('c');
	});
});

describe('what the agent found out', () => {
	const declared = (type: string, standard: unknown = '') =>
		[{ key: 'order', type, default: standard, required: false }] as never;

	test.each(['parameters', 'params', 'arguments', 'args', 'slots', 'variables'])(
		'is read under %s, as an object, entries or text, and by its own name',
		(place) => {
			for (const root of roots) {
				for (const value of [
					{ order: 'A1' },
					[{ key: 'order', value: 'A1' }],
					[{ name: 'order', value: 'A1' }],
					'{"order":"A1"}',
					'[{"key":"order","value":"A1"}]',
				])
					expect(parametersOf(at(root + place, value), declared('string'))).toEqual({
						order: 'A1',
					});
				expect(parametersOf(at(`${root}order`, 'A1'), declared('string'))).toEqual({ order: 'A1' });
			}
		},
	);

	test.each([[[]], [['A1']], ['no JSON'], [17]])('%j holds no named values', (value) => {
		const body = { parameters: value } as IDataObject;
		expect(parametersOf(body, declared('string'))).toEqual({ order: null });
	});

	const same = (...texts: string[]) => texts.map((text): [string, string] => [text, text]);
	/** Values as they come, and as they are for a type. What could not be written back as it was stays a text. */
	test.each<[string, Array<[unknown, unknown]>]>([
		['string', [[17, '17']]],
		['text', [[true, 'true']]],
		['Number', [['17.5', 17.5]]],
		[
			'number',
			[
				['3.000', 3],
				['100', 100],
				[{ valueOf: 1 }, { valueOf: 1 }],
				...same(' ', 'Infinity', 'NaN', '0x10', '+905551234567', '0.12345678901234567891'),
			],
		],
		['integer', [['17', 17], ...same('00042', '-0', '12345678901234567890', '9007199254740993')]],
		['int', [[' 17 ', 17]]],
		['float', [['4.50', 4.5], ['-0.5', -0.5], ...same('1e3')]],
		['double', [['17', 17]]],
		['decimal', same('seventeen')],
		[
			'object',
			[
				['{"a":1}', { a: 1 }],
				['{"id":12345678901234567890}', { id: '12345678901234567890' }],
			],
		],
		['bool', [[' no ', false]]],
		[
			'boolean',
			[
				['Yes', true],
				[1, true],
				['0', false],
				['true', true],
				['FALSE', false],
				[true, true],
				[{ toString: 1 }, { toString: 1 }],
				...same('maybe', 'constructor'),
			],
		],
		['json', [['[1]', [1]]]],
		['array', [['[1,2]', [1, 2]]]],
		['list', same('one, two', 'null')],
		['colour', same('17')],
	])('as %s: %j', (type, values) => {
		const read = ([value]: [unknown, unknown]) =>
			parametersOf({ parameters: { order: value } } as IDataObject, declared(type));
		expect(values.map(read)).toEqual(values.map(([, order]) => ({ order })));
	});

	test.each([undefined, null, ''])('%p has its default', (value) => {
		const body = { parameters: { order: value, other: 'as it came' } } as IDataObject;
		expect(parametersOf(body, declared('number', '3'))).toEqual({ order: 3, other: 'as it came' });
		expect(parametersOf(body, declared('number'))).toEqual({ order: null, other: 'as it came' });
	});
});
