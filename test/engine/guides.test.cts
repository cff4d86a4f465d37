/** The pages whose steps can run: each expression is read out of the page and resolved by n8n, with fields missing. */
import { expressionsOf, pageOf } from './guarantees/guidePages.cts';
import { byId, fast, ok, hintsOf } from './guarantees/scene.cts';
import { until, usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({
	settings: { ...fast, call: { lifeMs: 50 } },
	speed: 10,
});

/** The rows of the tables of a page, by their first cell without its marks. */
const rowsOf = (page: string): Map<string, string> =>
	new Map(
		[...page.matchAll(/^\| ([^|]+) \| ([^|]+(?:\|\|[^|]+)*) \|/gm)].map(([, first, second]) => [
			first!.replaceAll('`', ''),
			second!,
		]),
	);

/** The expression in a cell, as n8n keeps it in a parameter. */
const inCell = (cell: string | undefined): string =>
	`=${/`([^`]*\{\{[^`]*)`/.exec(cell ?? '')?.[1] ?? 'no expression'}`;

const firstAgent = async (): Promise<string> => (await sandbox.state('agents'))[0].agent_uuid;

describe('outcomes-into-your-crm', () => {
	const page = pageOf('guides/outcomes-into-your-crm');
	const all = expressionsOf(page);
	const rows = rowsOf(page);
	const trigger = 'Conversation Event Trigger';
	const read = 'Read the Conversation';

	/** The expressions of a step, by what `$json` is there. */
	const afterTrigger = ['{{ $json.data.conversation_uuid }}'];
	const afterSession = ['{{ $json.uuid }}'];
	const afterEvaluation = ['{{ $json.success_value }}', '{{ $json.satisfaction_value }}'];
	const afterRead = all.filter(
		(one) => ![...afterTrigger, ...afterEvaluation].includes(one) && one.startsWith('{{'),
	);

	/** Runs the steps of the guide for an event, with its own expressions. */
	async function followed(event: string, conversation: string, data: object = {}) {
		const step = (name: string, type: string, parameters: object) => ({
			name,
			type,
			parameters: parameters as never,
			alwaysOutputData: true,
			onError: 'continueRegularOutput' as const,
		});
		const own = 'n8n-nodes-agent-conversation-platform';
		const steps = [
			step(trigger, 'harness.items', {
				items: [{ json: { event, data: { conversation_uuid: conversation, ...data } } }],
			}),
			step(read, `${own}.acpConversations`, {
				resource: 'conversation',
				operation: 'get',
				conversation: byId(`=${afterTrigger[0]}`),
				simplify: false,
			}),
			step('Values', 'harness.values', {
				values: Object.fromEntries(afterRead.map((one) => [one, `=${one}`])),
			}),
			step('Sessions', `${own}.acpConversations`, {
				resource: 'session',
				operation: 'getAll',
				conversation: byId(`=${afterSession[0]}`),
				returnAll: true,
			}),
			step('Evaluation', `${own}.acpQuality`, {
				resource: 'evaluation',
				operation: 'getForSession',
				session: byId(`=${afterSession[0]}`),
			}),
			step('Rating', 'harness.values', {
				values: Object.fromEntries(afterEvaluation.map((one) => [one, `=${one}`])),
			}),
		];
		const main = (...names: string[]) => ({
			main: [names.map((node) => ({ node, type: 'main' as const, index: 0 }))],
		});
		const result = await engine.run(
			{
				nodes: steps,
				connections: {
					[trigger]: main(read),
					[read]: main('Values', 'Sessions'),
					Sessions: main('Evaluation'),
					Evaluation: main('Rating'),
				},
			},
			{ startNode: trigger },
		);
		const [values] = result.json('Values');
		const field = (name: string): unknown => values[inCell(rows.get(name)).slice(1)];
		return { values, field, rating: result.json('Rating')[0] };
	}

	async function conversationOf(send: string, body: object): Promise<any> {
		const agentId = await firstAgent();
		await sandbox.api.post(send, { agentId, ...body });
		return await until('the conversation', async () =>
			(await sandbox.state('conversations')).find(
				({ channel, status }) => channel !== 'Call' || status === 'Closed',
			),
		);
	}

	test('its expressions are those that are tried here', () => {
		expect(all.length).toBeGreaterThan(12);
		for (const one of [...afterTrigger, ...afterSession, ...afterEvaluation])
			expect(all).toContain(one);
	});

	test('a call that was answered', async () => {
		const { uuid, contact } = await conversationOf('/call', {
			participant: { number: '+14155550101' },
		});
		const { values, field, rating } = await followed('voice_evaluation', uuid);
		expect(values[`{{ $('${read}').item.json.channel }}`]).toBe('Call');
		expect(values[`{{ $('${trigger}').item.json.event }}`]).toMatch(/evaluation$/);
		expect(values['{{ $json.uuid }}']).toBe(uuid);
		expect(field('Phone Number')).toBe(contact.phone_number);
		expect(field('Metadata › To Number')).toBe(contact.phone_number);
		expect(field('Metadata › Status')).toBe('COMPLETED');
		expect(field('Metadata › Duration Milliseconds')).toBeGreaterThanOrEqual(1000);
		expect(field('Metadata › Body')).toMatch(/\w/);
		expect(field('Metadata › Recording URL')).toMatch(/^http/);
		expect(field('activity, task or call log: subject')).toBe('Call: Closed');
		expect(rating).toEqual({
			'{{ $json.success_value }}': expect.any(String),
			'{{ $json.satisfaction_value }}': expect.any(String),
		});
	});

	test('a text conversation: no call, no number, no email, no evaluation', async () => {
		const { uuid, contact } = await conversationOf('/sms/send', {
			phoneNumber: '+14155550102',
			message: 'Hello',
		});
		await sandbox.change('conversations', uuid, { contact: { uuid: contact.uuid } });
		const { values, field, rating } = await followed('conversation_end_report', uuid);
		expect(values[`{{ $('${read}').item.json.channel }}`]).not.toBe('Call');
		expect(values[`{{ $('${trigger}').item.json.event }}`]).not.toMatch(/evaluation$/);
		expect(values['{{ $json.uuid }}']).toBe(uuid);
		for (const name of [
			'Email',
			'First Name',
			'Last Name',
			'Phone Number',
			'Metadata › Body',
			'Metadata › Recording URL',
			'Metadata › To Number',
		])
			expect([name, field(name)]).toEqual([name, null]);
		expect(field('Metadata › Duration Milliseconds')).toBe(0);
		expect(JSON.stringify(values)).not.toMatch(/NaN|\[object/);
		expect(rating).toEqual({
			'{{ $json.success_value }}': null,
			'{{ $json.satisfaction_value }}': null,
		});
	});

	test('an evaluation under the name of the end report', async () => {
		const { uuid } = await conversationOf('/call', { participant: { number: '+14155550101' } });
		const id = '71d0b5c8-2e6f-4a94-b3c7-d58e1f9a0264';
		const { values } = await followed('conversation_end_report', uuid, {
			session_evaluation_uuid: id,
		});
		expect(values[`{{ $('${trigger}').item.json.data.session_evaluation_uuid }}`]).toBe(id);
	});
});

describe('empty-expressions', () => {
	const page = pageOf('reference/empty-expressions');
	const [filter, joined, choice, whole, optional, ...others] = expressionsOf(page);

	test('its expressions are those that are tried here', () => expect(others).toEqual([]));

	test('the filter of an item without the field is refused with the sentence of the page', async () => {
		const result = await run(
			'acpOutreach task.getAll',
			{ filters: { contact: byId(`=${filter}`) } },
			{ items: [{ name: 'no contactId' }] },
		);
		const [, sentence] = /`('Contact' is empty: [^`]+\.)`/.exec(page)!;
		expect(`${result.error?.message}.`).toContain(sentence!.replace(/\.$/, ''));
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('text with several expressions, and a default', async () => {
		const listed = async (item: object) =>
			await run(
				'acpConversations conversation.getAll',
				{ filters: { phone: `=${joined}` } },
				{ items: [item as never] },
			);
		expect((await listed({ name: 'no phone' })).error?.message).toContain('$json.phone');
		expect((await listed({ phone: '14155550101' })).error).toBeUndefined();
		expect((await sandbox.ledger()).map(({ query }) => query.phone)).toEqual(['+14155550101']);
		const values = { choice: `=${choice}`, whole: `=${whole}`, optional: `=${optional}` };
		const { nodes, connections } = engine.nodeWorkflow('harness.values', { values } as any, {
			items: [{}, { sms: true, phone: '1', timezone: 'Asia/Tokyo' }],
		});
		const result = await engine.run({ nodes, connections }, { startNode: 'Items' });
		expect(result.json()).toEqual([
			{ choice: 'call', whole: '+undefined', optional: 'Europe/Berlin' },
			{ choice: 'call,sms', whole: '+1', optional: 'Asia/Tokyo' },
		]);
	});
});

describe('voicemail', () => {
	test.each([true, false])(
		'simplify %s: a person is reached, a voicemail is not',
		async (simplify) => {
			const outcomeByNumber = { '0101': 'interested', '0102': 'voicemail', '0103': 'no_answer' };
			await sandbox.settings({ call: { outcomeByNumber, lifeMs: 50 } });
			const expressions = expressionsOf(pageOf('guides/voicemail'));
			expect(expressions).toHaveLength(2);
			const next = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
			const items = Object.keys(outcomeByNumber).map((end) => ({
				json: { phone: `+1415555${end}` },
			}));
			const result = ok(
				await engine.run(
					{
						nodes: [
							{ name: 'People', type: 'harness.items', parameters: { items } as never },
							{
								name: 'Call',
								type: 'n8n-nodes-agent-conversation-platform.acpCalls',
								parameters: {
									...{ resource: 'call', operation: 'startAndWait', simplify },
									...{ agent: byId(await firstAgent()), phoneNumber: '={{ $json.phone }}' },
								} as never,
							},
							{
								name: 'Values',
								type: 'harness.values',
								parameters: {
									values: {
										answered: '={{ $json.answered }}',
										reached: `=${expressions[simplify ? 0 : 1]}`,
									},
								} as never,
							},
						],
						connections: { People: next('Call'), Call: next('Values') },
					},
					{ startNode: 'People' },
				),
			);
			expect(result.json('Values')).toEqual([
				{ answered: 'yes', reached: true },
				{ answered: 'yes', reached: false },
				{ answered: 'no', reached: false },
			]);
		},
	);
});

describe('stop-a-listing', () => {
	const page = pageOf('guides/stop-a-listing');

	test('the node gives every field that the page names, and has no expression to try', async () => {
		expect(expressionsOf(page)).toEqual([]);
		const { data } = await sandbox.api.post('/listings', {
			name: 'To be stopped',
			agent_uuid: await firstAgent(),
			auto_start: true,
			contacts: [{ phone_number: '+14155550101' }, { phone_number: '+14155550102' }],
		});
		const result = ok(await run('acpOutreach listing.stop', { listing: byId(data.data.uuid) }));
		const output = page.slice(page.indexOf('Its output:'), page.indexOf('A listing without'));
		const named = [...output.matchAll(/^- `(\w+)`/gm)].map(([, name]) => name);
		expect(named.length).toBeGreaterThan(7);
		expect(Object.keys(result.json()[0])).toEqual(expect.arrayContaining(named));
	});
});

describe('consent-and-opt-outs', () => {
	const page = pageOf('guides/consent-and-opt-outs');
	const all = expressionsOf(page);
	const list = "{{ $('Opt-outs').all() }}";
	const column = '{{ $json.optedOut }}';

	test('its expressions are those that are tried here', () =>
		expect(new Set(all)).toEqual(new Set([list, column])));

	/** Calls two people, one of whom is on the list. */
	async function called(skipNumbers: string, options: object = {}) {
		const next = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
		const items = (rows: object[]) => ({ items: rows.map((json) => ({ json })) }) as never;
		const result = ok(
			await engine.run(
				{
					nodes: [
						{
							name: 'Opt-outs',
							type: 'harness.items',
							parameters: items([{ phone: '+1 (415) 555-0101' }]),
						},
						{
							name: 'People',
							type: 'harness.items',
							parameters: items([
								{ phone: '+14155550101', optedOut: '+14155550101' },
								{ phone: '+14155550102', optedOut: '+14155550101' },
							]),
						},
						{
							name: 'Node',
							type: 'n8n-nodes-agent-conversation-platform.acpCalls',
							parameters: {
								resource: 'call',
								operation: 'start',
								agent: byId(await firstAgent()),
								phoneNumber: '={{ $json.phone }}',
								options: { skipNumbers: `=${skipNumbers}`, ...options },
							} as never,
						},
					],
					connections: { 'Opt-outs': next('People'), People: next('Node') },
				},
				{ startNode: 'Opt-outs' },
			),
		);
		return { kept: result.json(), skipped: result.json('Node', 1), hints: hintsOf(result) };
	}

	test.each([list, column])('%s skips, and whoever is skipped leaves by Skipped', async (one) => {
		const { kept, skipped } = await called(one);
		expect([kept.length, skipped.length]).toEqual([1, 1]);
		expect(await sandbox.created('/call')).toHaveLength(1);
	});

	test('the preview: a row for each person, and a hint that sums up', async () => {
		const { kept, hints } = await called(list, { preview: true });
		expect(kept).toMatchObject([{ phone_number: '+14155550102', preview: true }]);
		expect(hints).toContain('1 call would be placed, from 2 items');
	});
});
