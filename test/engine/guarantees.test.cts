/**
 * What the engine promises about what happens on the platform, in situations that the worlds (test/worlds) do not make.
 * The oracle is the sandbox's ledger. The names of these tests are in the table of docs/reference/guarantees.md.
 */
import { kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { lost, numbers, promisesOf } from './guarantees/promises.cts';
import {
	byId,
	fast,
	hintsOf,
	onceEach,
	people,
	phoneOf,
	requestsShown,
	retrying,
	ok,
} from './guarantees/scene.cts';

const platform = usePlatform({
	settings: fast,
	// Keys hold the number of a run and what expressions gave.
	engine: { expressionEngine: 'vm' },
	speed: 50,
});
const { sandbox, engine } = platform;
const { agent, given, happened, perform, promises } = promisesOf(platform);
const { sms, contact, note, task } = kinds;

/** What people have who change nothing: a request leaves six times before it fails. */
const tries = 6;
const once = (count: number) => onceEach(people(count).map(({ text }) => text));
const [ada, ben, cem] = people(3) as [object, object, object];
const continued = { onError: 'continueRegularOutput' } as const;

describe('Guarantee: nothing is sent before every item is prepared', () => {
	const mixed = [
		{ phone: phoneOf(0), text: 'a' },
		{ phone: '<b>none & "x"</b>', text: 'b' },
		{ phone: phoneOf(2), text: '' },
		{ phone: phoneOf(3), text: 'd' },
		{ text: 'e' },
	];
	const notSent = {
		error: expect.stringMatching(/^'Phone Number' is not a phone number/),
		errorDescription: 'This item was not sent.',
		errorCode: 'INVALID_ITEM',
		errorField: 'Phone Number',
		errorStatus: null,
	};
	const keyed = people(4).map((item, at) => ({ ...item, order: ['A-1', 'A-2', 'A-1', 'A-3'][at] }));

	promises({
		'On Error is Stop: nothing leaves, and all bad items are listed with their fields': {
			does: [sms, mixed],
			then: {
				fails:
					/^3 of 5 .* \| Nothing was sent\. .*<li>Item 1: 'Phone Number' .*"&lt;b&gt;none &amp; "x"&lt;\/b&gt;".*<li>Item 4/,
				sent: { 'POST .*': 0, 'GET .*': 0 },
			},
		},
		'On Error is Continue, and Retry On Fail: bad items are error items in their places, good ones are sent once':
			{
				does: [sms, mixed],
				when: { ...continued, ...retrying },
				then: {
					json: [
						{ recipientPhone: phoneOf(0) },
						{ ...mixed[1], ...notSent },
						{ errorField: 'Message' },
						{ recipientPhone: phoneOf(3) },
						{ errorField: 'Phone Number' },
					],
					errors: [1, 2, 4],
					happens: onceEach(['a', 'd']),
					requests: 2,
				},
			},
		'two items with the same request key are refused, and both are named': {
			does: [sms, keyed],
			when: { options: { requestKey: '={{ $json.order }}' } },
			then: {
				fails: [
					/\+14155550000 \(item 0\): 'Request Key' "A-1" is also the key of \+14155550002 \(item 2\)\./,
					/<li>\+14155550002 \(item 2\): 'Request Key' "A-1" is also the key of \+14155550000 \(item 0\)\./,
				],
				requests: 0,
			},
		},
	});

	test('On Error is Continue (error output): bad items take the error branch with their input', async () => {
		const result = await perform(sms, mixed, { onError: 'continueErrorOutput' });
		expect(result.pairedItems()).toEqual([[0], [3]]);
		expect(result.pairedItems('Node', 2)).toEqual([[1], [2], [4]]);
		const error = expect.stringMatching(
			/^'Phone Number' is not .*\. This item was not sent\. \(INVALID_ITEM, nothing happened\)$/s,
		);
		expect(result.json('Node', 2)[0]).toEqual({ ...mixed[1], error });
	});

	test('many rows for several reasons: each reason once, with its rows', async () => {
		const phones = [
			phoneOf(0),
			'none',
			'1.2.24',
			'12.03.2025',
			'nobody',
			'',
			'2.2.24',
			'',
			'3.2.24',
		];
		const items = phones.map((phone, at) => ({ phone, text: 'x', row_number: at + 2 }));
		const { error } = await perform(sms, items);
		expect(error?.message).toMatch(/^8 of 9 items cannot be sent: .*"none".* \(row 3\)$/);
		const date = "4 rows (4–5, 8, 10), for example row 4: 'Phone Number' is a date, not a phone";
		expect(error!.description!.match(/(?<=<li>).*?(?=<\/li>)/g)!).toEqual([
			expect.stringMatching(/^Row 3: 'Phone Number' is not a phone number: "none"/),
			expect.stringMatching(/^Row 6: 'Phone Number' is not a phone number: "nobody"/),
			expect.stringContaining(date),
			expect.stringMatching(/^2 rows \(7, 9\): 'Phone Number' is empty/),
		]);
		const hints = hintsOf(await perform(sms, items, continued));
		expect(hints).toContain(date);
		expect(hints).not.toContain('nobody');
	});
});

describe('Guarantee: what matters comes first', () => {
	test('who and how many, then what was refused as a warning, conversions last', async () => {
		const phones = [phoneOf(0).replace('+1', '+1 '), phoneOf(1), phoneOf(2), 'nobody', 'nobody'];
		const items = phones.map((phone, at) => ({ phone, text: `${at}` }));
		const hints = (await perform(sms, items, continued)).hints();
		expect(hints.map(({ type, message }) => [type, message.split(' ', 4).join(' ')])).toEqual([
			[undefined, '3 SMS were accepted,'],
			['warning', "2 items (3–4): 'Phone"],
			[undefined, '1 number was converted'],
		]);
	});
});

describe('Guarantee: a preview sends nothing', () => {
	test('a write returns what it would send', async () => {
		const result = await perform(sms, 2, { options: { preview: true } });
		const agentId = await agent();
		const request_key = expect.stringMatching(/^[0-9a-f]{40}$/);
		expect(requestsShown(result)).toMatchObject(
			people(2).map(({ phone, text }) => ({
				preview: true,
				phone_number: phone,
				text: `Nothing was sent. Turn 'Preview' off to send this request to ${phone}.`,
				method: 'POST',
				url: `${sandbox.url}/api/v1/sms/send`,
				body: { agentId, phoneNumber: phone, message: text, request_key },
			})),
		);
		expect(result.pairedItems()).toEqual([[0], [1]]);
		for (const json of result.json())
			expect(Object.keys(json)).toEqual(['phone_number', 'text', 'preview', 'request']);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('chosen for some items by an expression, the others are sent', async () => {
		const items = people(3).map((item, index) => ({ ...item, test: index !== 1 }));
		const result = await perform(sms, items, { options: { preview: '={{ $json.test }}' } });
		expect(requestsShown(result).map(({ preview }) => preview)).toEqual([true, null, true]);
		expect(hintsOf(result)).toMatch(/^Items with 'Preview' off were sent/);
		expect(await happened(sms)).toEqual(onceEach(['Hello 1']));
	});
});

describe('Guarantee: a send by an AI agent happens once per call', () => {
	test.each<[string, Parameters<typeof engine.callTools>[3], number[]]>([
		['several calls at once, two of them for the same, answers lost', { via: 'invoke' }, [1, 3]],
		[
			'the tool has Retry On Fail: the same call again is the same send',
			retrying,
			numbers(1, tries),
		],
	])('%s', async (_, options, nth) => {
		await given(sms, { strikes: [lost(nth)] });
		const parameters = {
			...sms.parameters(await agent()),
			phoneNumber: "={{ $fromAI('phone', 'Whom to write to', 'string') }}",
			message: "={{ $fromAI('text', 'What to write', 'string') }}",
		};
		const calls = [ada, ben, cem, ada].map((args, at) => ({ id: `call_${at}`, args: { ...args } }));
		const { answers } = await engine.callTools(sms.node, parameters, calls, options);
		expect(answers.map(({ error }) => error)).toEqual(calls.map(() => undefined));
		expect(await happened(sms)).toEqual({ ...once(3), 'Hello 0': 2 });
	});
});

describe('Guarantee: with a key of the user’s a send happens once however often the workflow runs', () => {
	// What n8n does where a parent workflow starts its sub-workflow anew: another execution, with an empty context.
	// interface: §8 rule 3
	test('a new execution, after one whose answers were lost, and another one', async () => {
		const keyed = { options: { requestKey: '=order-{{ $json.phone }}' } };
		await given(sms, { strikes: [lost(numbers(1, 5 * tries))] });
		expect((await perform(sms, 5, { ...keyed, mode: 'integrated' })).status).toBe('error');
		const second = ok(await perform(sms, 5, { ...keyed, mode: 'integrated' }));
		const third = await perform(sms, 5, keyed);
		expect(third.json()).toEqual(second.json());
		expect(await happened(sms)).toEqual(once(5));
	});

	promises({
		'a key that is no text or number is refused before sending': {
			does: [sms, people(3).map((item, index) => ({ ...item, key: [{ id: 1 }, 17, ''][index] }))],
			when: { options: { requestKey: '={{ $json.key }}' } },
			then: {
				fails: [
					/\+14155550000 \(item 0\): 'Request Key' should be text or a number, but it is/,
					/<li>\+14155550002 \(item 2\): 'Request Key' is empty for this item/,
				],
				requests: 0,
			},
		},
	});
});

describe('Guarantee: a write without a key is not repeated', () => {
	promises({
		'an answer is lost, Retry On Fail: the item is named and not sent again, the rest is': {
			does: [contact, 6],
			when: { ...retrying, strikes: [lost(3)] },
			then: {
				fails: [
					/^This request may have gone through in an earlier try \(.*000(\d)\) \[item \1\]/,
					/5 done, 1 uncertain, 0 not done\..*omit what is uncertain/,
				],
				happens: 'once',
				requests: 6,
			},
		},
	});

	test('a deletion whose answer is lost is made again by Retry On Fail', async () => {
		const items = (await sandbox.state('contacts')).slice(0, 3).map(({ uuid }) => ({ uuid }));
		await sandbox.strike('DELETE ^/contacts/', 'reset-after', { nth: 2 });
		const contactOf = { contact: byId('={{ $json.uuid }}') };
		const chosen = { items, ...retrying };
		const result = ok(await engine.runNode('acpContacts contact.delete', contactOf, chosen));
		expect(result.json()).toEqual(items.map(({ uuid }) => ({ deleted: true, uuid })));
	});
});

describe('Guarantee: a note whose answer is lost is looked for on its agent', () => {
	promises({
		'the agent cannot be read: the note is named and not added again': {
			does: note,
			when: {
				...retrying,
				strikes: [lost(), ['GET ^/agents/[^/]+$', { status: 404, code: 'ENDPOINT_NOT_FOUND' }]],
			},
			then: {
				fails: ['the request may have gone through', 'could not be searched'],
				happens: 'once',
			},
		},
	});
});

describe('Guarantee: a costly one-shot without a documented key is not created twice', () => {
	test.each<[string, object[], number[], object]>([
		['answers are lost after acceptance: found, not created again', people(3), [1, 3], {}],
		[
			'items that ask for the same: each has its own',
			[ada, ada, ada],
			[1, 2],
			{ sameNumberTwice: 'both' },
		],
	])('%s', async (_, items, nth, options) => {
		await given(task, { settings: { requestKeysInferred: false }, strikes: [lost(nth)] });
		const result = ok(await perform(task, items, { options: { ...options } }));
		expect(new Set(result.json().map(({ uuid }) => uuid)).size).toBe(3);
		expect(await sandbox.state('tasks')).toHaveLength(3);
	});
});

describe('Guarantee: every output stands in its place and is linked to its item', () => {
	const said = "The platform did not accept 'Phone Number': Bad number";
	const before = { message: 'of an earlier node' };
	const told = {
		error: said,
		errorDescription: expect.stringContaining('Nothing was done for this item'),
		errorCode: 'INVALID_FORMAT',
		errorField: 'phone_number',
		errorStatus: 422,
		errorOutcome: 'nothing happened',
		errorItem: 0,
		inputError: before,
	};
	const inOne = new RegExp(
		`^${said}. .*Nothing was done for this item.*\\(INVALID_FORMAT, 422, nothing happened\\)$`,
	);
	test.each([
		['of its input, in the regular output', 'continueRegularOutput', 0, told],
		[
			'but an earlier error of its input, in the error output',
			'continueErrorOutput',
			1,
			{ error: expect.stringMatching(inOne) },
		],
	] as const)('an error item replaces nothing %s', async (_, onError, output, added) => {
		const error = { code: 'INVALID_FORMAT', field: 'phone_number' };
		const body = { success: false, message: 'Bad number', error };
		await sandbox.strike('^/contacts$', { status: 422, body });
		const item = { ...people(1)[0]!, error: before, message: 'mine', status: 'new', code: 7 };
		const result = await perform(contact, [item], { onError });
		expect(result.json('Node', output)).toEqual([{ ...item, ...added }]);
	});
});
