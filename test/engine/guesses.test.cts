/** What no source shows: parameters and fields that people write themselves, and what a refusal tells them. */
import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { byId as by, ok, requestsShown } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ speed: 10 });
const asked = async (path: string, method?: string) =>
	(await sandbox.ledger({ path, ...(method ? { method } : {}) })).map(({ query, body }) =>
		method === 'POST' ? body : query,
	);
const run = async (node: string, parameters: INodeParameters, options: object = {}) =>
	await engine.runNode(node, parameters, options);
/** The platform does not accept what it is sent to a path. */
const refuse = async (path: string, status = 422) =>
	await sandbox.strike(`${path}`, { status, code: 'VALIDATION_ERROR' });

describe('Query Parameters (JSON)', () => {
	test.each([
		[
			'acpInsights',
			'analytics',
			'getConversations',
			'/analytics/conversations',
			{ from: '2026-05-01', days: 3 },
		],
		[
			'acpInsights',
			'analytics',
			'getEvaluations',
			'/analytics/evaluations',
			{ from: '2026-05-01' },
		],
		['acpCalls', 'phoneNumber', 'search', '/phone-numbers/search', { country_code: 'DE' }],
		[
			'acpCalls',
			'phoneNumber',
			'getRequirements',
			'/phone-numbers/search/requirements',
			{ country: 'DE' },
		],
	])(
		'%s %s.%s: a period or a country goes along',
		async (node, resource, operation, path, query) => {
			for (const queryParametersJson of [query, JSON.stringify(query)]) {
				ok(await run(node, { resource, operation, options: { queryParametersJson } }));
			}
			const text = Object.fromEntries(
				Object.entries(query).map(([name, value]) => [name, String(value)]),
			);
			const sent = (await asked(path)).filter(({ page }) => page === undefined);
			expect(sent).toHaveLength(2);
			for (const one of sent) expect(one).toMatchObject(text);
		},
	);

	test('fields that are filled in win; every page is asked for with it', async () => {
		ok(
			await run('acpContacts', {
				resource: 'contact',
				operation: 'getAll',
				returnAll: true,
				filters: { status: 'Active' },
				options: { queryParametersJson: '{"status": "Inactive", "sort_by": "name"}' },
			}),
		);
		const queries = await asked('/contacts');
		expect(queries.length).toBeGreaterThan(0);
		for (const query of queries) expect(query).toMatchObject({ status: 'Active', sort_by: 'name' });
	});

	test.each([400, 422])('a %i points to it', async (status) => {
		await refuse('/phone-numbers/search$', status);
		const result = await run('acpCalls', { resource: 'phoneNumber', operation: 'search' });
		expect(result.error?.message).toContain('did not accept the request');
		expect(result.error?.description).toContain(
			"Enter missing fields in 'Query Parameters (JSON)' under Options.",
		);
	});

	test('a 422 of an operation whose parameters are all known does not', async () => {
		await refuse('/tasks$');
		const result = await run('acpOutreach', { resource: 'task', operation: 'getAll' });
		expect(result.error?.message).toContain('did not accept the request');
		expect(result.error?.description).not.toContain('JSON');
	});
});

describe('fields whose names are a guess', () => {
	test('an email goes to whoever Body (JSON) names', async () => {
		const send = { resource: 'email', operation: 'send' };
		ok(
			await run(
				'acpMessages',
				{ ...send, bodyJson: '={{ $json.body }}' },
				{
					items: [
						{ body: { recipient: 'zoe@example.com' } },
						{ body: { recipient: 'adam@example.com' } },
					],
				},
			),
		);
		const bodies = await asked('/email/messages', 'POST');
		expect(bodies).toHaveLength(2);
		expect(bodies).toEqual(
			expect.arrayContaining([
				{ recipient: 'zoe@example.com', request_key: expect.any(String) },
				{ recipient: 'adam@example.com', request_key: expect.any(String) },
			]),
		);
		expect(new Set(bodies.map((body: any) => body.request_key)).size).toBe(2);
	});

	test.each([
		[
			'an expression that gives nothing for one of the items',
			'={{ $json.to }}',
			'{"subject": "Hi"}',
			1,
		],
		['neither a recipient nor any JSON', '', '{}', 0],
	])('an email to nobody, %s: nothing is sent to anybody', async (_, to, bodyJson, item) => {
		const result = await run(
			'acpMessages',
			{ resource: 'email', operation: 'send', to, bodyJson },
			{ items: [{ to: 'zoe@example.com' }, {}] },
		);
		expect(result.error?.message).toMatch(/'To' is empty\. Fill it in, or/);
		expect(result.error?.context?.itemIndex).toBe(item);
		expect(await sandbox.ledger()).toEqual([]);
	});

	const live = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';

	test.each([
		['acpCalls', 'callAction', 'forward', { conversation: by(live) }, { to: '+14155550123' }],
		['acpCalls', 'callAction', 'hangup', { conversation: by(live) }, { text: 'Goodbye' }],
		['acpCalls', 'callAction', 'mute', { conversation: by(live) }, { on: true }],
		['acpOutreach', 'campaign', 'attachPools', { campaign: by(live) }, { pools: [live] }],
		['acpTables', 'import', 'website', {}, { website: 'https://example.com' }],
	])('%s %s.%s sends another name instead', async (node, resource, operation, where, body) => {
		const onTop = !['hangup', 'mute'].includes(operation);
		const result = ok(
			await run(node, {
				resource,
				operation,
				...where,
				...(onTop ? { bodyJson: JSON.stringify(body) } : {}),
				options: { preview: true, ...(onTop ? {} : { bodyJson: JSON.stringify(body) }) },
			}),
		);
		expect(requestsShown(result)).toMatchObject([{ body }]);
		expect(Object.keys(requestsShown(result)[0].body)).toEqual(Object.keys(body));
	});

	test.each([400, 422])('a %i points to it', async (status) => {
		await refuse('/email/messages', status);
		const result = await run('acpMessages', {
			resource: 'email',
			operation: 'send',
			to: 'zoe@example.com',
		});
		expect(result.error?.message).toContain('did not accept the request');
		expect(result.error?.description).toContain("Enter missing fields in 'Body (JSON)'.");
	});

	test('the body of a guessed operation is sent as it was written, beside what is checked', async () => {
		const [agent] = await sandbox.state('agents');
		const result = ok(
			await run('acpAgents', {
				resource: 'agentVoice',
				operation: 'updateVoiceAdvanced',
				agent: by(agent.agent_uuid),
				fields: { mappingMode: 'defineBelow', value: { stability: '0.5' } } as never,
				bodyJson: '{"fields": [{"key": "style", "value": 0.25}]}',
				options: { preview: true },
			}),
		);
		expect(requestsShown(result)).toMatchObject([
			{ body: { fields: [{ key: 'style', value: 0.25 }], stability: 0.5 } },
		]);
	});
});

test('a preview names the guessed fields of its request, those of rows once', async () => {
	const shown = async (node: string, parameters: INodeParameters) => {
		const result = await run(node, { ...parameters, options: { preview: true } });
		return requestsShown(ok(result))[0].betaFields;
	};
	const agent = by((await sandbox.state('agents'))[0].agent_uuid);
	const update = { resource: 'agent', operation: 'update', agent };
	const tuning = {
		callBehaviorNoiseCancellation: true,
		interruptionAdvancedMinInterruptionWords: 2,
		interactionSilenceMessage: 'Hello?',
	};
	expect(await shown('acpAgents', { ...update, settingsVoice: tuning })).toBe(
		'settings.voice.interruption.advanced.min_interruption_words, settings.voice.call_behavior.noise_cancellation',
	);
	expect(await shown('acpAgents', { ...update, updateFields: { topic: 'Sales' } })).toBeUndefined();
	const contacts = ['+14155550101', '+14155550102'].map((phoneNumber) => ({
		phoneNumber,
		timezone: 'Europe/Istanbul',
	}));
	const add = { resource: 'listing', operation: 'addContacts', listing: by(randomUUID()) };
	expect(await shown('acpOutreach', { ...add, contacts: { values: contacts } })).toBe(
		'contacts.timezone',
	);
});

test('counts are grouped in the one way that there is', async () => {
	for (const operation of ['getCalls', 'getSessions']) {
		ok(
			await run('acpInsights', {
				resource: 'analytics',
				operation,
				period: 'yesterday',
				filters: { granularity: 'total' },
			}),
		);
	}
	expect([
		...(await asked('/analytics/calls')),
		...(await asked('/analytics/sessions')),
	]).toMatchObject([{ granularity: 'total' }, { granularity: 'total' }]);
});

test('a guard rule forwards without saying what kind of destination it is', async () => {
	const [agent] = await sandbox.state('agents');
	ok(
		await run('acpKnowledge', {
			resource: 'agentRule',
			operation: 'addGuardRule',
			agent: by(agent.agent_uuid),
			whenCondition: 'Asks for a person',
			thenAction: 'forward',
			additionalFields: { destination: '101' },
		}),
	);
	expect(await asked(`/agents/${agent.agent_uuid}/guard-rules`, 'POST')).toEqual([
		{ when_condition: 'Asks for a person', then_action: 'forward', destination: '101' },
	]);
});
