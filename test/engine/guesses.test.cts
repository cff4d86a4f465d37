/** What no source shows: parameters and fields that people write themselves, and what a refusal tells them. */
import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { agentOf, byId, mapped, ok, requestsShown } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, run } = usePlatform({ speed: 10 });
const asked = async (path: string, method?: string) =>
	(await sandbox.ledger({ path, ...(method ? { method } : {}) })).map(({ query, body }) =>
		method === 'POST' ? body : query,
	);
const agent = async () => byId(await agentOf(sandbox));

describe('a refusal', () => {
	const inQuery = /Enter missing fields in 'Query Parameters \(JSON\)' under Options\./;
	const inBody = /Enter missing fields in 'Body \(JSON\)'\./;
	const inNone = /^(?!.*JSON)/s;
	test.each<[string, string, number, RegExp]>([
		['acpCalls phoneNumber.search', '/phone-numbers/search$', 400, inQuery],
		['acpMessages email.send', '/email/messages', 422, inBody],
		['acpOutreach task.getAll', '/tasks$', 422, inNone],
	])(
		'of %s points to the JSON only where parameters are not known',
		async (node, path, status, way) => {
			await sandbox.strike(path, { status, code: 'VALIDATION_ERROR' });
			const { error } = await run(node, { to: 'zoe@example.com' });
			expect(error?.message).toContain('did not accept the request');
			expect(error?.description).toMatch(way);
		},
	);
});

describe('Query Parameters (JSON)', () => {
	test.each<[string, string, Record<string, unknown>]>([
		['acpInsights analytics.getConversations', '/analytics/conversations', { days: 3 }],
		['acpInsights analytics.getEvaluations', '/analytics/evaluations', { from: '2026-05-01' }],
		['acpCalls phoneNumber.search', '/phone-numbers/search', { country_code: 'DE' }],
		['acpCalls phoneNumber.getRequirements', '/phone-numbers/search/requirements', { a: 'DE' }],
	])('%s: a period or a country goes along', async (node, path, query) => {
		for (const queryParametersJson of [query, JSON.stringify(query)] as never[])
			ok(await run(node, { options: { queryParametersJson } }));
		const text = Object.fromEntries(
			Object.entries(query).map(([name, one]) => [name, String(one)]),
		);
		const sent = (await asked(path)).filter(({ page }) => page === undefined);
		expect(sent).toMatchObject([text, text]);
	});

	test('fields that are filled in win; every page is asked for with it', async () => {
		const filters = { status: 'Active' };
		const options = { queryParametersJson: '{"status": "Inactive", "sort_by": "name"}' };
		ok(await run('acpContacts contact.getAll', { returnAll: true, filters, options }));
		const queries = await asked('/contacts');
		expect(queries.length).toBeGreaterThan(0);
		for (const query of queries) expect(query).toMatchObject({ status: 'Active', sort_by: 'name' });
	});
});

describe('fields whose names are a guess', () => {
	test('an email goes to whoever Body (JSON) names', async () => {
		const items = ['zoe', 'adam'].map((name) => ({ body: { recipient: `${name}@example.com` } }));
		ok(await run('acpMessages email.send', { bodyJson: '={{ $json.body }}' }, { items }));
		const bodies = await asked('/email/messages', 'POST');
		expect(bodies.map(({ recipient }: any) => recipient).sort()).toEqual([
			'adam@example.com',
			'zoe@example.com',
		]);
		expect(new Set(bodies.map((body: any) => body.request_key)).size).toBe(2);
	});

	test.each([
		['an expression that gives nothing for one of the items', '={{ $json.to }}', '{"a": 1}', 1],
		['neither a recipient nor any JSON', '', '{}', 0],
	])('an email to nobody, %s: nothing is sent to anybody', async (_, to, bodyJson, item) => {
		const items = [{ to: 'zoe@example.com' }, {}];
		const { error } = await run('acpMessages email.send', { to, bodyJson }, { items });
		expect(error?.message).toMatch(/'To' is empty\. Fill it in, or/);
		expect(error?.context?.itemIndex).toBe(item);
		expect(await sandbox.ledger()).toEqual([]);
	});

	const conversation = byId(randomUUID());
	test.each<[string, INodeParameters, object]>([
		['acpCalls callAction.forward', { conversation }, { to: '+14155550123' }],
		['acpCalls callAction.mute', { conversation }, { on: true }],
		['acpOutreach campaign.attachPools', { campaign: conversation }, { pools: [randomUUID()] }],
		['acpTables import.website', {}, { website: 'https://example.com' }],
	])('%s sends another name instead', async (node, where, body) => {
		const bodyJson = JSON.stringify(body);
		const isOption = node.endsWith('mute');
		const options = { preview: true, ...(isOption && { bodyJson }) };
		const result = ok(await run(node, { ...where, ...(!isOption && { bodyJson }), options }));
		expect(requestsShown(result).map((one) => one.body)).toEqual([body]);
	});

	test('the body of a guessed operation is sent as it was written, beside what is checked', async () => {
		const result = ok(
			await run('acpAgents agentVoice.updateVoiceAdvanced', {
				agent: await agent(),
				fields: mapped({ stability: '0.5' }),
				bodyJson: '{"fields": [{"key": "style", "value": 0.25}]}',
				options: { preview: true },
			}),
		);
		expect(requestsShown(result)[0].body).toMatchObject({
			fields: [{ key: 'style', value: 0.25 }],
			stability: 0.5,
		});
	});
});

test('a preview names the guessed fields of its request, those of rows once', async () => {
	const shown = async (node: string, parameters: INodeParameters) => {
		const result = await run(node, { ...parameters, options: { preview: true } });
		return requestsShown(ok(result))[0].betaFields;
	};
	const tuning = { callBehaviorNoiseCancellation: true, interactionSilenceMessage: 'Hello?' };
	const update = { agent: await agent(), settingsVoice: tuning };
	expect(await shown('acpAgents agent.update', update)).toBe(
		'settings.voice.call_behavior.noise_cancellation',
	);
	const topic = { agent: await agent(), updateFields: { topic: 'Sales' } };
	expect(await shown('acpAgents agent.update', topic)).toBeUndefined();
	const values = ['+14155550101', '+14155550102'].map((phoneNumber) => ({
		phoneNumber,
		timezone: 'Europe/Istanbul',
	}));
	const add = { listing: byId(randomUUID()), contacts: { values } };
	expect(await shown('acpOutreach listing.addContacts', add)).toBe('contacts.timezone');
});
