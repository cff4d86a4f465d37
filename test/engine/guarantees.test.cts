/**
 * What the engine promises about what happens on the platform, each promise in each situation that threatens it.
 * The oracle is the sandbox's ledger. The names of these tests are the table in docs/reference/guarantees.md.
 */
import type { INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import {
	agentOf,
	allHintsOf,
	byId,
	contact,
	failure,
	fast,
	happened,
	hintsOf,
	note,
	onceEach,
	people,
	phoneOf,
	sms,
	requestsShown,
	ok,
} from './guarantees/scene.cts';
import { until } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({
	settings: fast,
	// Keys hold the number of a run and what expressions gave.
	engine: { expressionEngine: 'vm' },
	speed: 10,
});

const messages = 'acpMessages';
const sent = async () =>
	await happened(sandbox, '/sms/send', (body) => `${body.phoneNumber} ${body.message}`);
const nameOf = ({ phone, text }: { phone: string; text: string }) => `${phone} ${text}`;
const posts = async (path: string) => (await sandbox.ledger({ path, method: 'POST' })).length;
const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
/** The first answer to the n-th request of a path is lost, after the platform accepted it. */
const loseAnswer = async (path: string, nth: number | number[] = 1) =>
	await sandbox.strike(`POST ${path}`, 'reset-after', { nth });
/** What people have who change nothing: a request leaves six times before it fails. */
const tries = 6;
/** So many numbers, from the first one on. */
const numbers = (first: number, count: number) =>
	Array.from({ length: count }, (_, index) => first + index);

describe('Guarantee: nothing is sent before every item is prepared', () => {
	const mixed = [
		{ phone: phoneOf(0), text: 'a' },
		{ phone: '0555 123', text: 'b' },
		{ phone: phoneOf(2), text: '' },
		{ phone: phoneOf(3), text: 'd' },
		{ text: 'e' },
	];

	test('On Error is Stop: nothing leaves, and all bad items are listed with their fields', async () => {
		const result = await run(messages, sms(await agentOf(sandbox)), { items: mixed });
		expect(result.error?.message).toMatch(
			/^3 of 5 items cannot be sent: 'Phone Number' is not a phone number.*\[item 1\]$/,
		);
		expect(result.error?.description).toMatch(
			/^Nothing was sent\. Items are counted from 0\. <ul><li>Item 1: 'Phone Number' .*<li>Item 2, \+14155550002: 'Message' is empty.*<li>Item 4: 'Phone Number' is empty/,
		);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('many bad items: every one of them is named', async () => {
		const items = Array.from({ length: 60 }, (_, index) => ({
			phone: index % 10 === 0 ? phoneOf(index) : '<b>none & "x"</b>',
			text: 'x',
		}));
		const result = await run(messages, sms(await agentOf(sandbox)), { items });
		expect(result.error?.message).toMatch(/^54 of 60 items/);
		const description = result.error!.description!;
		expect(description).toContain(
			"<ul><li>54 items (1–9, 11–19, 21–29, 31–39, 41–49, 51–59): 'Phone Number' is not",
		);
		expect(description).toContain('"&lt;b&gt;none &amp; "x"&lt;/b&gt;"');
		expect(await sandbox.ledger()).toEqual([]);
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
		const items = phones.map((phone, index) => ({ phone, text: 'x', row_number: index + 2 }));
		const parameters = sms(await agentOf(sandbox));
		const stopped = await run(messages, parameters, { items });
		expect(stopped.error?.message).toMatch(/^8 of 9 items cannot be sent: .*"none".* \(row 3\)$/);
		const listed = stopped.error!.description!.match(/(?<=<li>).*?(?=<\/li>)/g)!;
		const date = "4 rows (4–5, 8, 10), for example row 4: 'Phone Number' is a date, not a phone";
		expect(listed.map((line) => line.slice(0, 75))).toEqual([
			expect.stringMatching(/^Row 3: 'Phone Number' is not a phone number: "none"/),
			expect.stringMatching(/^Row 6: 'Phone Number' is not a phone number: "nobody"/),
			date.slice(0, 75),
			expect.stringMatching(/^2 rows \(7, 9\): 'Phone Number' is empty/),
		]);
		const going = await run(messages, parameters, { items, onError: 'continueRegularOutput' });
		expect(hintsOf(going)).toContain(date);
		expect(hintsOf(going)).toContain("2 rows (7, 9): 'Phone Number' is empty");
		expect(hintsOf(going)).not.toContain('nobody');
	});

	test('On Error is Continue: bad items become error items in their places, good ones are sent', async () => {
		const result = ok(
			await run(messages, sms(await agentOf(sandbox)), {
				items: mixed,
				onError: 'continueRegularOutput',
			}),
		);
		expect(result.pairedItems()).toEqual([[0], [1], [2], [3], [4]]);
		expect(result.json()[1]).toEqual({
			...mixed[1],
			error: expect.stringMatching(/^'Phone Number' is not a phone number/),
			errorDescription: 'This item was not sent.',
			errorCode: 'INVALID_ITEM',
			errorField: 'Phone Number',
			errorStatus: null,
			errorItem: 1,
		});
		expect(result.json().map((json) => 'error' in json)).toEqual([false, true, true, false, true]);
		expect(await sent()).toEqual(onceEach([nameOf(mixed[0] as never), nameOf(mixed[3] as never)]));
	});

	test('On Error is Continue (error output): bad items take the error branch with their input', async () => {
		const result = await run(messages, sms(await agentOf(sandbox)), {
			items: mixed,
			onError: 'continueErrorOutput',
		});
		expect(result.pairedItems()).toEqual([[0], [3]]);
		expect(result.pairedItems('Node', 1)).toEqual([[1], [2], [4]]);
		expect(result.json('Node', 1)[0]).toMatchObject({
			...mixed[1],
			error: expect.stringMatching(/^'Phone Number' is not .*\. This item was not sent\.$/),
		});
		expect(await sent()).toEqual(onceEach([nameOf(mixed[0] as never), nameOf(mixed[3] as never)]));
	});

	test('a wrong value under Options (Max Retries) counts like any other', async () => {
		const items = people(3).map((item, index) => ({ ...item, retries: ['2', 'many', 3][index] }));
		const result = await run(
			messages,
			sms(await agentOf(sandbox), { maxRetries: '={{ $json.retries }}' }),
			{ items },
		);
		expect(result.error?.message).toBe(
			`'Options › Max Retries' should be a number, but it is "many" [item 1]`,
		);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('an expression that cannot be resolved counts like any other', async () => {
		const parameters = sms(
			await agentOf(sandbox),
			{},
			{ message: '={{ $("Nowhere").item.json.text }}' },
		);
		const stopped = await run(messages, parameters, { items: people(2) });
		expect(stopped.status).toBe('error');
		const result = await run(messages, parameters, {
			items: people(2),
			onError: 'continueRegularOutput',
		});
		expect(result.json()).toHaveLength(2);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('two items with the same request key are refused, and both are named', async () => {
		const items = people(4).map((item, index) => ({
			...item,
			order: ['A-1', 'A-2', 'A-1', 'A-3'][index],
		}));
		const parameters = sms(await agentOf(sandbox), { requestKey: '={{ $json.order }}' });
		const stopped = await run(messages, parameters, { items });
		expect(stopped.error?.description).toMatch(
			/Item 0, \+14155550000: 'Request Key' "A-1" is also the key of item 2, \+14155550002\..*<li>Item 2, \+14155550002: 'Request Key' "A-1" is also the key of item 0, \+14155550000\./,
		);
		expect(await sandbox.ledger()).toEqual([]);
		const result = await run(messages, parameters, {
			items,
			onError: 'continueRegularOutput',
		});
		expect(result.json().map((json) => json.errorField)).toEqual([
			'Request Key',
			undefined,
			'Request Key',
			undefined,
		]);
		expect(await sent()).toEqual(onceEach([nameOf(items[1]!), nameOf(items[3]!)]));
	});
});

describe('Guarantee: a preview sends nothing', () => {
	test('a write returns what it would send', async () => {
		const agent = await agentOf(sandbox);
		const result = await run(messages, sms(agent, { preview: true }), { items: people(2) });
		expect(requestsShown(result)).toEqual(
			people(2).map(({ phone, text }) =>
				expect.objectContaining({
					preview: true,
					text: `Nothing was sent. Turn 'Preview' off to send this request to ${phone}.`,
					method: 'POST',
					url: `${sandbox.url}/api/v1/sms/send`,
					body: {
						agentId: agent,
						phoneNumber: phone,
						message: text,
						request_key: expect.stringMatching(/^[0-9a-f]{40}$/),
					},
				}),
			),
		);
		expect(result.pairedItems()).toEqual([[0, 1], [0], [1]]);
		const [first, ...rest] = result.json().map((json) => Object.keys(json).sort());
		expect(rest[0]).toEqual(rest[1]);
		expect(first).toEqual(expect.arrayContaining(rest[0]!));
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('chosen for some items by an expression, the others are sent', async () => {
		const items = people(3).map((item, index) => ({ ...item, test: index !== 1 }));
		const result = await run(
			messages,
			sms(await agentOf(sandbox), { preview: '={{ $json.test }}' }),
			{ items },
		);
		expect(requestsShown(result).map(({ preview }) => preview)).toEqual([true, null, true]);
		expect(result.json()[0].text).toMatch(/^Items with 'Preview' off were sent/);
		expect(await sent()).toEqual(onceEach([nameOf(items[1]!)]));
	});

	test('API Request', async () => {
		const parameters = {
			resource: 'otherEndpoint',
			operation: 'apiRequest',
			method: 'POST',
			path: '/sms/send',
			body: '={{ {message: $json.text} }}',
			options: { preview: true },
		};
		const result = await run(messages, parameters, { items: people(1) });
		expect(result.json()[0]).toMatchObject({
			preview: true,
			method: 'POST',
			body: { message: 'Hello 0', request_key: expect.any(String) },
		});
		expect(await sandbox.ledger()).toEqual([]);
	});
});

describe('Guarantee: a send happens once, without a key of the user’s', () => {
	// interface: §8 rule 3
	test('an answer is lost after acceptance: the node tries again and gets the first answer', async () => {
		await loseAnswer('^/sms/send$', [2, 5]);
		const items = people(6);
		const result = ok(await run(messages, sms(await agentOf(sandbox)), { items }));
		expect(await sent()).toEqual(onceEach(items.map(nameOf)));
		expect(await posts('/sms/send')).toBe(8);
		expect(result.json().map(({ recipientPhone }) => recipientPhone)).toEqual(
			items.map(({ phone }) => phone),
		);
	});

	test('Retry execution, with the current workflow', async () => {
		await loseAnswer('^/sms/send$', numbers(1, 6 * tries));
		const items = people(6);
		const parameters = sms(await agentOf(sandbox));
		const currentWorkflow = engine.nodeWorkflow(messages, parameters, { items });
		let result = await run(messages, parameters, { items });
		expect(result.status).toBe('error');
		for (let retries = 0; result.status === 'error' && retries < 3; retries++)
			result = await engine.retry(result, { currentWorkflow });
		expect(failure(result)).toBeUndefined();
		expect(await sent()).toEqual(onceEach(items.map(nameOf)));
	});

	test('in a loop: every round sends its own, also to the same recipient', async () => {
		await loseAnswer('^/sms/send$', [2]);
		const items = Array.from({ length: 4 }, () => ({ phone: phoneOf(1), text: 'Same' }));
		const result = await run(messages, sms(await agentOf(sandbox)), { items, batchSize: 1 });
		expect(result.runs()).toHaveLength(4);
		expect(await sent()).toEqual({ [`${phoneOf(1)} Same`]: 4 });
	});

	test('in a loop that fails in the middle and is retried', async () => {
		await loseAnswer('^/sms/send$', numbers(3, 2 * tries));
		const items = people(5);
		const failed = await run(messages, sms(await agentOf(sandbox)), { items, batchSize: 2 });
		expect(failed.status).toBe('error');
		ok(await engine.retry(failed));
		expect(await sent()).toEqual(onceEach(items.map(nameOf)));
	});

	test('several items to the same recipient are all sent', async () => {
		await loseAnswer('^/sms/send$', [1, 2]);
		const items = Array.from({ length: 3 }, () => ({ phone: phoneOf(7), text: 'Same' }));
		await run(messages, sms(await agentOf(sandbox), { sameNumberTwice: 'both' }), { items });
		expect(await sent()).toEqual({ [`${phoneOf(7)} Same`]: 3 });
	});

	test('two agents write to the same recipient', async () => {
		const agents = [await agentOf(sandbox, 0), await agentOf(sandbox, 1)];
		const items = agents.map((agent) => ({ agent, phone: phoneOf(7), text: 'Same' }));
		await loseAnswer('^/sms/send$', [1, 2]);
		await run(messages, sms('', {}, { agent: byId('={{ $json.agent }}') as never }), { items });
		expect(await happened(sandbox, '/sms/send', ({ agentId }) => agentId)).toEqual(
			onceEach(agents),
		);
	});

	test('the same workflow run twice sends twice', async () => {
		const parameters = sms(await agentOf(sandbox));
		await run(messages, parameters, { items: people(2) });
		await run(messages, parameters, { items: people(2) });
		expect(Object.values(await sent())).toEqual([2, 2]);
	});
});

describe('Guarantee: a send by an AI agent happens once per call', () => {
	const parameters = async () =>
		sms(
			await agentOf(sandbox),
			{},
			{
				phoneNumber: "={{ $fromAI('phone', 'Whom to write to', 'string') }}",
				message: "={{ $fromAI('text', 'What to write', 'string') }}",
			},
		);
	const calls = [0, 1, 2].map((index) => ({ id: `call_${index}`, args: people(3)[index]! }));

	test.each([
		['several calls, one after the other, with answers lost', 'engine'],
		['several calls at once, with answers lost', 'invoke'],
	] as const)('%s', async (_, via) => {
		await loseAnswer('^/sms/send$', [1, 3]);
		const { answers } = await engine.callTools(messages, await parameters(), calls, { via });
		expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
		expect(await sent()).toEqual(onceEach(calls.map(({ args }) => nameOf(args))));
	});

	test.each([
		['two calls that ask for the same are two sends, one after the other', 'engine'],
		['two calls that ask for the same are two sends, at once', 'invoke'],
	] as const)('%s', async (_, via) => {
		const same = { phone: phoneOf(1), text: 'Same' };
		await engine.callTools(
			messages,
			await parameters(),
			[
				{ id: 'one', args: same },
				{ id: 'two', args: same },
			],
			{ via },
		);
		expect(await sent()).toEqual({ [nameOf(same)]: 2 });
	});

	test('the tool has Retry On Fail: the same call again is the same send', async () => {
		await loseAnswer('^/sms/send$', numbers(1, tries));
		const options = { via: 'engine', ...retrying } as const;
		const { answers } = await engine.callTools(messages, await parameters(), calls, options);
		expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
		expect(await sent()).toEqual(onceEach(calls.map(({ args }) => nameOf(args))));
	});
});

describe('Guarantee: with a key of the user’s a send happens once however often the workflow runs', () => {
	const keyed = async (options = {}) =>
		sms(await agentOf(sandbox), { requestKey: '=order-{{ $json.phone }}', ...options });

	// interface: §8 rule 3
	test('a new execution', async () => {
		const parameters = await keyed();
		const first = await run(messages, parameters, { items: people(5) });
		const second = await run(messages, parameters, { items: people(5) });
		expect(second.json()).toEqual(first.json());
		expect(await sent()).toEqual(onceEach(people(5).map(nameOf)));
	});

	test('n8n is killed in the middle and the workflow runs anew', async () => {
		await sandbox.settings({ latencyMs: 50 });
		const parameters = await keyed();
		const items = people(300);
		const running = await engine.startNode(messages, parameters, { items });
		const gone = expect(running.done).rejects.toThrow('The engine process ended');
		await until('some sends', async () => (await sandbox.created('/sms/send')).length >= 8);
		await engine.restart();
		await gone;
		expect((await sandbox.created('/sms/send')).length).toBeLessThan(300);
		ok(await run(messages, parameters, { items }));
		expect(await sent()).toEqual(onceEach(items.map(nameOf)));
	});

	// What n8n does then: another execution of the sub-workflow, with another id and an empty context.
	test('a parent workflow starts its sub-workflow anew', async () => {
		const parameters = await keyed();
		await loseAnswer('^/sms/send$', numbers(1, 5 * tries));
		const again = { items: people(5), mode: 'integrated' } as const;
		expect((await run(messages, parameters, again)).status).toBe('error');
		ok(await run(messages, parameters, again));
		expect(await sent()).toEqual(onceEach(people(5).map(nameOf)));
	});

	test('a partial manual run', async () => {
		const workflow = engine.nodeWorkflow(messages, await keyed(), { items: people(4) });
		workflow.nodes.unshift({ name: 'Start', type: 'n8n-nodes-base.manualTrigger' });
		workflow.connections.Start = { main: [[{ node: 'Items', type: 'main', index: 0 }]] };
		const first = await engine.run(workflow);
		const { Start, Items } = first.executionData.resultData.runData;
		const second = await engine.run(workflow, {
			runData: { Start: Start!, Items: Items! },
			destinationNode: 'Node',
		});
		expect(second.json()).toEqual(first.json());
		expect(await sent()).toEqual(onceEach(people(4).map(nameOf)));
	});

	test('a key that is no text or number is refused before sending', async () => {
		const items = people(3).map((item, index) => ({ ...item, key: [{ id: 1 }, 17, ''][index] }));
		const result = await run(
			messages,
			sms(await agentOf(sandbox), { requestKey: '={{ $json.key }}' }),
			{ items },
		);
		expect(result.error?.description).toMatch(
			/Item 0, \+14155550000: 'Request Key' should be text or a number, but it is .*<li>Item 2, \+14155550002: 'Request Key' is empty for this item/,
		);
		expect(await sandbox.ledger()).toEqual([]);
	});
});

describe('Guarantee: a write without a key is not repeated', () => {
	const created = async () => await happened(sandbox, '/contacts', (body) => body.name);
	const refuse = (nth: number) => ({
		match: { method: 'POST', path: '^/contacts$', nth },
		fault: { kind: 'status' as const, status: 403 },
	});
	const names = (count: number) => people(count).map(({ text }) => text);

	test('a fault in the middle, Retry On Fail: what is done is returned, the rest is sent', async () => {
		await sandbox.faults([refuse(4), refuse(9)]);
		const result = ok(await run('acpContacts', contact(), { items: people(12), ...retrying }));
		expect(await created()).toEqual(onceEach(names(12)));
		expect(result.json().map(({ name }) => name)).toEqual(names(12));
		expect(result.nodeContext()).toEqual({ acp: {} });
	});

	// With one item after the other it is known which are done when one is refused.
	const four = /4 done, 6 not done\. .*Retry On Fail and Executions › Retry are safe/;
	const some = /\d done, \d not done\. .*Retry On Fail and Executions › Retry are safe/;
	const middle = 'a fault in the middle, Retry execution with the';
	test.each<[string, boolean, INodeParameters, RegExp]>([
		[`${middle} current workflow`, true, {}, some],
		[`${middle} original workflow, with Concurrency 1`, false, { concurrency: 1 }, four],
	])('%s', async (_, current, options, said) => {
		await sandbox.faults([refuse(5)]);
		const items = people(10);
		const failed = await run('acpContacts', contact(options), { items });
		expect(failed.error?.description).toMatch(said);
		const currentWorkflow = engine.nodeWorkflow('acpContacts', contact(), { items });
		const result = ok(await engine.retry(failed, current ? { currentWorkflow } : {}));
		expect(await created()).toEqual(onceEach(names(10)));
		expect(result.json().map(({ name }) => name)).toEqual(names(10));
	});

	test('a fault in the middle of a loop, Retry execution', async () => {
		await sandbox.faults([refuse(4)]);
		const failed = await run('acpContacts', contact(), { items: people(6), batchSize: 2 });
		ok(await engine.retry(failed));
		expect(await created()).toEqual(onceEach(names(6)));
	});

	test.each([
		[
			'an answer is lost, Retry On Fail: the item is named and not sent again, the rest is',
			'reset-after',
			1,
		],
		[
			'a request is lost, Retry On Fail: the item is named and not sent again, the rest is',
			'reset-before',
			0,
		],
	] as const)('%s', async (_, kind, times) => {
		await sandbox.strike('POST ^/contacts$', { kind }, { nth: 3 });
		const result = await run('acpContacts', contact(), { items: people(6), ...retrying });
		const says = /^This request may have gone through in an earlier try \[item (\d), .*000\1\]$/;
		const [, named] = says.exec(result.error!.message) ?? [];
		expect(result.error?.description).toMatch(
			/5 done, 1 uncertain, 0 not done\..*omit what is uncertain/,
		);
		expect({ [`Hello ${named}`]: 0, ...(await created()) }).toEqual({
			...onceEach(names(6)),
			[`Hello ${named}`]: times,
		});
		expect(await posts('/contacts')).toBe(6);
	});

	test("a request is lost and 'Retry Writes' is on: it is sent again", async () => {
		await sandbox.strike('POST ^/contacts$', 'reset-before', { nth: 2 });
		ok(await run('acpContacts', contact({ retryWrites: true }), { items: people(3) }));
		expect(await created()).toEqual(onceEach(names(3)));
	});

	test("a request is lost, 'Retry Writes' is turned on and the execution retried with the current workflow", async () => {
		await sandbox.strike('POST ^/contacts$', 'reset-before', { nth: 2 });
		const items = people(3);
		const failed = await run('acpContacts', contact(), { items });
		const currentWorkflow = engine.nodeWorkflow('acpContacts', contact({ retryWrites: true }), {
			items,
		});
		ok(await engine.retry(failed, { currentWorkflow }));
		expect(await created()).toEqual(onceEach(names(3)));
	});

	test('the execution is stopped while requests are under way, and retried', async () => {
		await sandbox.settings({ latencyMs: 300 });
		const stopped = await run('acpContacts', contact(), {
			items: people(200),
			cancelWhen: async () => (await sandbox.created('/contacts')).length >= 3,
		});
		expect(stopped.status).toBe('canceled');
		await sandbox.settings({ latencyMs: 0 });
		const result = await engine.retry(stopped);
		expect(Math.max(...Object.values(await created()))).toBe(1);
		// What was under way is named, everything else is there.
		expect(result.error?.description).toMatch(/\d+ done, ([1-5]?\d|6[0-4]) uncertain, 0 not/);
	});

	test('a change or deletion whose answer is lost is made again by Retry On Fail', async () => {
		const contacts = (await sandbox.state('contacts')).slice(0, 3);
		await sandbox.strike('DELETE ^/contacts/', 'reset-after', { nth: 2 });
		const items = contacts.map(({ uuid }) => ({ uuid }));
		const result = ok(
			await run(
				'acpContacts contact.delete',
				{ contact: byId('={{ $json.uuid }}') },
				{ items, ...retrying },
			),
		);
		expect(result.json()).toEqual(items.map(({ uuid }) => ({ deleted: true, uuid })));
	});
});

describe('Guarantee: a note whose answer is lost is looked for on its agent', () => {
	const notes = async () =>
		await happened(sandbox, `/agents/${await agentOf(sandbox)}/notes`, (body) => body.content);
	const lost = async (kind: 'reset-after' | 'reset-before' | 'html', nth: number[]) =>
		await sandbox.strike('POST /notes$', { kind }, { nth });

	test.each([
		['the answer is lost after acceptance: found, not added again', 'reset-after', {}],
		[
			'the request is lost, with Retry Writes: not found, added once',
			'reset-before',
			{ retryWrites: true },
		],
		[
			'a proxy answers with a page, with Retry Writes: not found, added once',
			'html',
			{ retryWrites: true },
		],
	] as const)('%s', async (_, kind, options) => {
		await lost(kind, [2, 3]);
		const agent = await agentOf(sandbox);
		const result = ok(await run('acpAgents', note(agent, options), { items: people(5) }));
		expect(await notes()).toEqual(onceEach(people(5).map(({ text }) => text)));
		expect(result.json()).toHaveLength(5);
		for (const [index, json] of result.json().entries()) {
			expect(json.agent_uuid).toBe(agent);
			expect(json.notes.map(({ content }: any) => content)).toContain(`Hello ${index}`);
		}
	});

	test('the request is lost: not found, so nobody knows; the item is named and not added again', async () => {
		await lost('reset-before', [1]);
		const agent = await agentOf(sandbox);
		const result = await run('acpAgents', note(agent), { items: people(3), ...retrying });
		expect(result.error?.message).toContain('the request may have gone through');
		expect(Object.keys(await notes())).toHaveLength(2);
		expect(await posts(`/agents/${agent}/notes`)).toBe(3);
	});

	test.each([
		['items that ask for the same, answers lost', 'reset-after', {}],
		[
			'items that ask for the same, requests lost, with Retry Writes',
			'reset-before',
			{ retryWrites: true },
		],
	] as const)('%s', async (_, kind, options) => {
		await lost(kind, [1, 3]);
		const items = Array.from({ length: 4 }, () => ({ text: 'Same' }));
		ok(await run('acpAgents', note(await agentOf(sandbox), options), { items }));
		expect(await notes()).toEqual({ Same: 4 });
	});

	test('the agent cannot be read: the note is named and not added again', async () => {
		const agent = await agentOf(sandbox);
		await sandbox.strike('POST /notes$', 'reset-after', { nth: 1 });
		await sandbox.strike(`GET ^/agents/${agent}$`, { status: 404, code: 'ENDPOINT_NOT_FOUND' });
		const result = await run('acpAgents', note(agent), { items: people(1), ...retrying });
		expect(result.error?.message).toContain('the request may have gone through');
		expect(result.error?.description).toContain('could not be searched');
		expect(await notes()).toEqual({ 'Hello 0': 1 });
	});
});

describe('Guarantee: a costly one-shot without a documented key is not created twice', () => {
	const task = async (options = {}) => ({
		resource: 'task',
		operation: 'create',
		title: '={{ $json.text }}',
		type: 'make_call',
		phoneNumber: '={{ $json.phone }}',
		scheduledAt: '2030-05-01T10:00:00+03:00',
		autoQueue: true,
		agent: byId(await agentOf(sandbox)),
		options,
	});
	const tasks = async () => await happened(sandbox, '/tasks', (body) => body.title);

	beforeEach(async () => {
		await sandbox.settings({ requestKeysInferred: false });
	});

	test('answers are lost after acceptance: found, not created again', async () => {
		await sandbox.strike('POST ^/tasks$', 'reset-after', { nth: [1, 3] });
		const result = ok(await run('acpOutreach', await task(), { items: people(3) }));
		expect(await tasks()).toEqual(onceEach(people(3).map(({ text }) => text)));
		expect(new Set(result.json().map(({ uuid }) => uuid)).size).toBe(3);
	});

	test('items that ask for the same, answers lost: each item has its own', async () => {
		await sandbox.strike('POST ^/tasks$', 'reset-after', { nth: [1, 2] });
		const items = Array.from({ length: 3 }, () => people(1)[0]!);
		const result = ok(await run('acpOutreach', await task({ sameNumberTwice: 'both' }), { items }));
		expect(await tasks()).toEqual({ 'Hello 0': 3 });
		expect(new Set(result.json().map(({ uuid }) => uuid)).size).toBe(3);
	});

	test('nothing is found: it stops and says so, also with Retry On Fail', async () => {
		await sandbox.strike('POST ^/tasks$', 'reset-before', { nth: 1 });
		const result = await run('acpOutreach', await task(), {
			items: people(1),
			...retrying,
			maxTries: 2,
		});
		expect(result.error?.message).toContain('the request may have gone through');
		expect(await posts('/tasks')).toBe(1);
	});
});

describe('Guarantee: every output stands in its place and is linked to its item', () => {
	test('many items at once, answers in any order', async () => {
		await sandbox.strike('^/contacts$', { kind: 'slow', ms: 120 }, { every: 3 });
		await sandbox.strike('^/contacts$', { kind: 'slow', ms: 40 }, { every: 2 });
		const items = people(120);
		const result = await run('acpContacts', contact(), { items });
		expect(result.json().map(({ name }) => name)).toEqual(items.map(({ text }) => text));
		expect(result.pairedItems()).toEqual(items.map((_, index) => [index]));
	});

	test('refused items stay in their places', async () => {
		await sandbox.strike('^/contacts$', { status: 422, code: 'VALIDATION_ERROR' }, { every: 4 });
		const items = people(40);
		const result = await run('acpContacts', contact(), { items, onError: 'continueRegularOutput' });
		expect(result.pairedItems()).toEqual(items.map((_, index) => [index]));
		for (const [index, json] of result.json().entries()) {
			if (json.error)
				expect(json).toMatchObject({
					...items[index],
					errorItem: index,
					errorStatus: 422,
					errorCode: 'VALIDATION_ERROR',
				});
			else expect(json.name).toBe(items[index]!.text);
		}
		expect(result.json().filter(({ error }) => error)).toHaveLength(10);
	});

	test.each([
		[
			'an error item replaces nothing of its input, in the regular output',
			'continueRegularOutput',
			0,
		],
		[
			'an error item replaces nothing but an earlier error of its input, in the error output',
			'continueErrorOutput',
			1,
		],
	] as const)('%s', async (_, onError, output) => {
		await sandbox.strike('^/contacts$', {
			status: 422,
			code: 'INVALID_FORMAT',
			body: {
				success: false,
				message: 'Bad number',
				error: { code: 'INVALID_FORMAT', field: 'phone_number' },
			},
		});
		const item = {
			...people(1)[0]!,
			error: { message: 'of an earlier node' },
			message: 'mine',
			status: 'new',
			code: 7,
		};
		const said = "The platform did not accept 'Phone Number': Bad number";
		const result = await run('acpContacts', contact(), {
			items: [item],
			onError,
		});
		expect(result.json('Node', output)).toEqual([
			{
				...item,
				...(output === 0
					? {
							error: said,
							errorDescription: expect.stringContaining('Nothing was done for this item'),
							errorCode: 'INVALID_FORMAT',
							errorField: 'phone_number',
							errorStatus: 422,
							errorItem: 0,
							inputError: item.error,
						}
					: { error: expect.stringMatching(`^${said}. .*Nothing was done for this item`) }),
			},
		]);
	});
});

describe('Guarantee: stopping stops', () => {
	test('a fault with On Error = Stop: what waits for its turn is not sent', async () => {
		await sandbox.settings({ rate: { send: { limit: 5 } } });
		const agent = await agentOf(sandbox);
		// The pack learns the limit of 5 first.
		await run(messages, sms(agent), { items: people(1) });
		await sandbox.clearLedger();
		await sandbox.strike('^/sms/send$', { status: 422, code: 'VALIDATION_ERROR' }, { nth: 2 });
		const result = await run(messages, sms(agent), { items: people(50) });
		expect(result.error?.message).toMatch(/\[item 1, \+14155550001\]$/);
		const { total } = await sandbox.summary();
		// One leaves every 200 ms while the refusal is on its way, which takes time on a busy machine.
		expect(total).toBeLessThanOrEqual(10);
		expect(result.error?.description).toMatch(
			new RegExp(`${total - 1} done, ${51 - total} not done`),
		);
		await sandbox.settings(fast);
	});

	test('the user stops the execution: nothing more leaves', async () => {
		await sandbox.settings({ latencyMs: 30 });
		const result = await run(messages, sms(await agentOf(sandbox)), {
			items: people(1000),
			cancelWhen: async () => (await sandbox.ledger()).length >= 5,
		});
		expect(result.status).toBe('canceled');
		const atOnce = (await sandbox.ledger()).length;
		// Long enough for any request that was still waiting: the pace would let 100 leave in this time.
		await new Promise((resolve) => setTimeout(resolve, 1000));
		expect((await sandbox.ledger()).length).toBe(atOnce);
		expect(atOnce).toBeLessThan(1000);
	});

	test('the user stops an execution with Retry On Fail: it is not tried again', async () => {
		await sandbox.settings({ latencyMs: 30 });
		const result = await run('acpContacts', contact(), {
			items: people(2000),
			...retrying,
			cancelWhen: async () => (await sandbox.ledger()).length >= 5,
		});
		expect(result.status).toBe('canceled');
		const atOnce = (await sandbox.ledger()).length;
		await new Promise((resolve) => setTimeout(resolve, 500));
		expect((await sandbox.ledger()).length).toBe(atOnce);
		expect(atOnce).toBeLessThan(2000);
	});
});

describe('Guarantee: what is under way at once is bounded', () => {
	test.each([
		['by default', undefined, 64],
		['by the option Concurrency 5', 5, 5],
	])('%s', async (_, concurrency, most) => {
		// Long enough that a busy machine has sent all that it may before the first answer comes.
		await sandbox.settings({ latencyMs: 400 });
		await run('acpContacts', contact(concurrency ? { concurrency } : {}), { items: people(150) });
		const { maxInFlight } = await sandbox.summary();
		expect(maxInFlight).toBeLessThanOrEqual(most);
		expect(maxInFlight).toBeGreaterThanOrEqual(most / 2);
	});

	test('what the node keeps for a later try is gone when it succeeds', async () => {
		const result = await run('acpContacts', contact(), {
			items: people(20),
			onError: 'continueRegularOutput',
		});
		expect(result.nodeContext()).toEqual({ acp: {} });
	});
});

describe('Guarantee: the user sees what happened on the way', () => {
	test('requests that were tried again, and how long they waited', async () => {
		await sandbox.strike('^/sms/send$', 503, { nth: [2, 3] });
		const result = await run(messages, sms(await agentOf(sandbox)), { items: people(4) });
		expect(allHintsOf(result)).toMatch(
			/2 requests were retried.*the maximum wait was [\d.]+ seconds/,
		);
	});

	test('requests that were held back', async () => {
		await sandbox.settings({ rate: { send: { limit: 5 } } });
		const agent = await agentOf(sandbox);
		await run(messages, sms(agent), { items: people(1) });
		const result = await run(messages, sms(agent), { items: people(12) });
		expect(allHintsOf(result)).toMatch(
			/1[0-2] requests were delayed to keep the platform's rate limits; the maximum wait was [\d.]+ seconds/,
		);
		await sandbox.settings(fast);
	});

	test('nothing is said where nothing happened', async () => {
		const result = await run('acpContacts', contact(), { items: people(2) });
		expect(hintsOf(result)).toBe('');
	});
});
