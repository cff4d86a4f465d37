/** What no source shows: parameters and fields that people write themselves, and what a refusal tells them. */
import type { INodeParameters } from 'n8n-workflow';
import { byId as by, ok } from './guarantees/scene.cts';
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
	// interface: §4.2 query
	test.each([
		['analytics', 'getEvaluations', '/analytics/evaluations', { from: '2026-05-01' }],
		['phoneNumber', 'search', '/phone-numbers/search', { country_code: 'DE' }],
		['phoneNumber', 'getRequirements', '/phone-numbers/search/requirements', { country: 'DE' }],
	])('%s.%s: a period or a country goes along', async (resource, operation, path, query) => {
		for (const queryParametersJson of [query, JSON.stringify(query)]) {
			ok(await run('acpInsights', { resource, operation, options: { queryParametersJson } }));
		}
		const text = Object.fromEntries(
			Object.entries(query).map(([name, value]) => [name, String(value)]),
		);
		const sent = (await asked(path)).filter(({ page }) => page === undefined);
		expect(sent).toHaveLength(2);
		for (const one of sent) expect(one).toMatchObject(text);
	});

	test.each([400, 422])('a %i points to it', async (status) => {
		await refuse('/phone-numbers/search$', status);
		const result = await run('acpInsights', { resource: 'phoneNumber', operation: 'search' });
		expect(result.error?.message).toContain('did not accept the request');
		expect(result.error?.description).toContain(
			"Enter missing fields in 'Query Parameters (JSON)' under Options.",
		);
	});
});

describe('fields whose names are a guess', () => {
	test('an email to nobody, an expression that gives nothing for one of the items: nothing is sent to anybody', async () => {
		const parameters = { to: '={{ $json.to }}', bodyJson: '{"subject": "Hi"}' };
		const items = [{ to: 'zoe@example.com' }, {}];
		const result = await run('acpMessages email.send', parameters, { items });
		expect(result.error?.message).toMatch(/'To' is empty\. Fill it in, or/);
		expect(result.error?.context?.itemIndex).toBe(1);
		expect(await sandbox.ledger()).toEqual([]);
	});

	const live = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';

	test.each([
		['acpCalls', 'callAction', 'hangup', { conversation: by(live) }, { text: 'Goodbye' }],
		['acpCalls', 'callAction', 'mute', { conversation: by(live) }, { on: true }],
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
		expect(result.json()).toMatchObject([{ body }]);
		expect(Object.keys((result.json()[0] as any).body)).toEqual(Object.keys(body));
	});

	test.each([400, 422])('a %i points to it', async () => {
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
		expect(result.json()).toMatchObject([
			{ body: { fields: [{ key: 'style', value: 0.25 }], stability: 0.5 } },
		]);
	});
});
