/**
 * What the engine promises about what happens on the platform, in situations that the worlds (test/worlds) do not make.
 * The oracle is the sandbox's ledger. The names of these tests are in the table of docs/reference/guarantees.md.
 */
import { kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { lost, numbers, promisesOf, refused } from './guarantees/promises.cts';
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
const named = (count: number) => people(count).map(({ text }) => ({ name: text }));
const same = (count: number) => Array.from({ length: count }, () => people(1)[0]!);
const once = (count: number) => onceEach(people(count).map(({ text }) => text));
const continued = { onError: 'continueRegularOutput' } as const;

describe('Guarantee: nothing is sent before every item is prepared', () => {
	const mixed = [
		{ phone: phoneOf(0), text: 'a' },
		{ phone: '<b>none & "x"</b>', text: 'b' },
		{ phone: phoneOf(2), text: '' },
		{ phone: phoneOf(3), text: 'd' },
		{ text: 'e' },
	];
	const keyed = people(4).map((item, at) => ({ ...item, order: ['A-1', 'A-2', 'A-1', 'A-3'][at] }));
	const byOrder = { options: { requestKey: '={{ $json.order }}' } };

	promises({
		'On Error is Stop: nothing leaves, and all bad items are listed with their fields': {
			does: [sms, mixed],
			then: {
				fails: [
					/^3 of 5 items cannot be sent: 'Phone Number' is not a phone number.*\[item 1\] \|/,
					/\| Nothing was sent\. Items are counted from 0\. <ul><li>Item 1: 'Phone Number' .*"&lt;b&gt;none &amp; "x"&lt;\/b&gt;".*<li>\+14155550002 \(item 2\): 'Message' is empty.*<li>Item 4: 'Phone Number' is empty/,
				],
				sent: { 'POST .*': 0, 'GET .*': 0 },
			},
		},
		'On Error is Continue: bad items become error items in their places, good ones are sent': {
			does: [sms, mixed],
			when: continued,
			then: {
				json: [
					{ recipientPhone: phoneOf(0) },
					{
						...mixed[1],
						error: expect.stringMatching(/^'Phone Number' is not a phone number/),
						errorDescription: 'This item was not sent.',
						errorCode: 'INVALID_ITEM',
						errorField: 'Phone Number',
						errorStatus: null,
					},
					{ errorField: 'Message' },
					{ recipientPhone: phoneOf(3) },
					{ errorField: 'Phone Number' },
				],
				errors: [1, 2, 4],
				happens: onceEach(['a', 'd']),
			},
		},
		'On Error is Continue, and Retry On Fail: each try refuses the first item, and the others are sent once':
			{
				does: [sms, [mixed[1]!, ...people(3)]],
				when: { ...continued, ...retrying },
				then: { errors: [0], happens: once(3), requests: 3 },
			},
		'two items with the same request key are refused, and both are named': {
			does: [sms, keyed],
			when: byOrder,
			then: {
				fails:
					/\+14155550000 \(item 0\): 'Request Key' "A-1" is also the key of \+14155550002 \(item 2\)\..*<li>\+14155550002 \(item 2\): 'Request Key' "A-1" is also the key of \+14155550000 \(item 0\)\./,
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
		const phones = ['none', '1.2.24', '12.03.2025', 'nobody', '', '2.2.24', '', '3.2.24'];
		const items = [phoneOf(0), ...phones].map((phone, index) => ({
			phone,
			text: 'x',
			row_number: index + 2,
		}));
		const stopped = await perform(sms, items);
		expect(stopped.error?.message).toMatch(/^8 of 9 items cannot be sent: .*"none".* \(row 3\)$/);
		const date = "4 rows (4–5, 8, 10), for example row 4: 'Phone Number' is a date, not a phone";
		expect(stopped.error!.description!.match(/(?<=<li>).*?(?=<\/li>)/g)!).toEqual([
			expect.stringMatching(/^Row 3: 'Phone Number' is not a phone number: "none"/),
			expect.stringMatching(/^Row 6: 'Phone Number' is not a phone number: "nobody"/),
			expect.stringContaining(date),
			expect.stringMatching(/^2 rows \(7, 9\): 'Phone Number' is empty/),
		]);
		const hints = hintsOf(await perform(sms, items, continued));
		expect(hints).toContain(date);
		expect(hints).toContain("2 rows (7, 9): 'Phone Number' is empty");
		expect(hints).not.toContain('nobody');
	});
});

describe('Guarantee: what matters comes first', () => {
	test('who and how many, then what was refused as a warning, conversions last', async () => {
		const items = [...people(3), { phone: 'nobody', text: 'x' }, { phone: 'nobody', text: 'y' }];
		items[0]!.phone = items[0]!.phone.replace('+1', '+1 ');
		const result = await perform(sms, items, continued);
		expect(
			result.hints().map(({ type, message }) => [type, message.split(' ', 4).join(' ')]),
		).toEqual([
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
		expect(requestsShown(result)).toMatchObject(
			people(2).map(({ phone, text }) => ({
				preview: true,
				phone_number: phone,
				text: `Nothing was sent. Turn 'Preview' off to send this request to ${phone}.`,
				method: 'POST',
				url: `${sandbox.url}/api/v1/sms/send`,
				body: { agentId, phoneNumber: phone, message: text },
			})),
		);
		for (const { body } of requestsShown(result))
			expect(body.request_key).toMatch(/^[0-9a-f]{40}$/);
		expect(result.pairedItems()).toEqual([[0], [1]]);
		const [first, second] = result.json().map((json) => Object.keys(json));
		expect([first, second]).toEqual(Array(2).fill(['phone_number', 'text', 'preview', 'request']));
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
	const callTools = async (calls: object[], options: object) =>
		await engine.callTools(
			sms.node,
			{
				...sms.parameters(await agent()),
				phoneNumber: "={{ $fromAI('phone', 'Whom to write to', 'string') }}",
				message: "={{ $fromAI('text', 'What to write', 'string') }}",
			},
			calls.map((args, index) => ({ id: `call_${index}`, args: { ...args } })),
			options,
		);

	test.each([
		['several calls at once, with answers lost', { via: 'invoke' }, [1, 3]],
		[
			'the tool has Retry On Fail: the same call again is the same send',
			retrying,
			numbers(1, tries),
		],
	])('%s', async (_, options, nth) => {
		await given(sms, { strikes: [lost(nth)] });
		const { answers } = await callTools(people(3), options);
		expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
		expect(await happened(sms)).toEqual(once(3));
	});

	test('two calls that ask for the same are two sends, at once', async () => {
		await callTools(same(2), { via: 'invoke' });
		expect(await happened(sms)).toEqual({ 'Hello 0': 2 });
	});
});

describe('Guarantee: with a key of the user’s a send happens once however often the workflow runs', () => {
	const keyed = { options: { requestKey: '=order-{{ $json.phone }}' } };

	// interface: §8 rule 3
	test('a new execution', async () => {
		const first = await perform(sms, 5, keyed);
		const second = await perform(sms, 5, keyed);
		expect(second.json()).toEqual(first.json());
		expect(await happened(sms)).toEqual(once(5));
	});

	// What n8n does then: another execution of the sub-workflow, with another id and an empty context.
	test('a parent workflow starts its sub-workflow anew', async () => {
		await given(sms, { strikes: [lost(numbers(1, 5 * tries))] });
		const again = { ...keyed, mode: 'integrated' } as const;
		expect((await perform(sms, 5, again)).status).toBe('error');
		ok(await perform(sms, 5, again));
		expect(await happened(sms)).toEqual(once(5));
	});

	test('a partial manual run', async () => {
		const parameters = { ...sms.parameters(await agent()), ...keyed };
		const workflow = engine.nodeWorkflow(sms.node, parameters, { items: people(4) });
		workflow.nodes.unshift({ name: 'Start', type: 'n8n-nodes-base.manualTrigger' });
		workflow.connections.Start = { main: [[{ node: 'Items', type: 'main', index: 0 }]] };
		const first = await engine.run(workflow);
		const { Start, Items } = first.executionData.resultData.runData;
		const runData = { Start: Start!, Items: Items! };
		const second = await engine.run(workflow, { runData, destinationNode: 'Node' });
		expect(second.json()).toEqual(first.json());
		expect(await happened(sms)).toEqual(once(4));
	});

	promises({
		'a key that is no text or number is refused before sending': {
			does: [sms, people(3).map((item, index) => ({ ...item, key: [{ id: 1 }, 17, ''][index] }))],
			when: { options: { requestKey: '={{ $json.key }}' } },
			then: {
				fails:
					/\+14155550000 \(item 0\): 'Request Key' should be text or a number, but it is .*<li>\+14155550002 \(item 2\): 'Request Key' is empty for this item/,
				requests: 0,
			},
		},
	});
});

describe('Guarantee: a write without a key is not repeated', () => {
	const safe = 'Retry On Fail and Executions › Retry are safe';
	const middle = 'a fault in the middle, Retry execution with the';

	promises({
		[`${middle} current workflow`]: {
			does: [contact, 10],
			when: { strikes: [refused(5)], again: {} },
			then: { first: [/\d done, \d not done\./, safe], happens: 'once', json: named(10) },
		},
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

	test('a change or deletion whose answer is lost is made again by Retry On Fail', async () => {
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
	const settings = { requestKeysInferred: false };
	const both = { sameNumberTwice: 'both' };
	const ofSame = 'items that ask for the same, answers lost: each item has its own';

	test.each<[string, object[], number[], object]>([
		['answers are lost after acceptance: found, not created again', people(3), [1, 3], {}],
		[ofSame, same(3), [1, 2], both],
	])('%s', async (_, items, nth, options) => {
		await given(task, { settings, strikes: [lost(nth)] });
		const result = ok(await perform(task, items, { options: { ...options } }));
		expect(new Set(result.json().map(({ uuid }) => uuid)).size).toBe(3);
		expect(await sandbox.state('tasks')).toHaveLength(3);
	});
});

describe('Guarantee: every output stands in its place and is linked to its item', () => {
	test('many items at once, answers in any order', async () => {
		await sandbox.strike('^/contacts$', { kind: 'slow', ms: 120 }, { every: 3 });
		await sandbox.strike('^/contacts$', { kind: 'slow', ms: 40 }, { every: 2 });
		const result = await perform(contact, 120);
		expect(result.json()).toMatchObject(named(120));
		expect(result.pairedItems()).toEqual(people(120).map((_, index) => [index]));
	});

	const said = "The platform did not accept 'Phone Number': Bad number";
	const before = { message: 'of an earlier node' };
	const nothing = 'an error item replaces nothing';
	test.each<[string, 'continueRegularOutput' | 'continueErrorOutput', number, object]>([
		[
			`${nothing} of its input, in the regular output`,
			'continueRegularOutput',
			0,
			{
				error: said,
				errorDescription: expect.stringContaining('Nothing was done for this item'),
				errorCode: 'INVALID_FORMAT',
				errorField: 'phone_number',
				errorStatus: 422,
				errorOutcome: 'nothing happened',
				errorItem: 0,
				inputError: before,
			},
		],
		[
			`${nothing} but an earlier error of its input, in the error output`,
			'continueErrorOutput',
			1,
			{
				error: expect.stringMatching(
					`^${said}. .*Nothing was done for this item.*\\(INVALID_FORMAT, 422, nothing happened\\)$`,
				),
			},
		],
	])('%s', async (_, onError, output, added) => {
		const error = { code: 'INVALID_FORMAT', field: 'phone_number' };
		const body = { success: false, message: 'Bad number', error };
		await sandbox.strike('^/contacts$', { status: 422, body });
		const item = { ...people(1)[0]!, error: before, message: 'mine', status: 'new', code: 7 };
		const result = await perform(contact, [item], { onError });
		expect(result.json('Node', output)).toEqual([{ ...item, ...added }]);
	});
});
