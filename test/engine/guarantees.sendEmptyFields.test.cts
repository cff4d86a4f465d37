/**
 * Fields that are left empty: by default they are not sent; with 'Send Empty Fields' each of them clears what is there,
 * or is refused by its name. Every update operation with every field that it can leave out, against the sandbox, which
 * judges each request by the contract.
 */
import { isEmpty } from 'lodash';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { fill, forms } from './everyOperation/samples.cts';
import { Scene, beforehand } from './everyOperation/workspace.cts';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, failure, fast, ok } from './guarantees/scene.cts';

const { sandbox, engine } = usePlatform({ settings: { ...fast, builders: { processingMs: 5 } } });

const updates = operationsOf(nodes())
	.filter(({ operation: { method } }) => method === 'PUT' || method === 'PATCH')
	.flatMap((entry) =>
		forms(entry.parameters).map((form) => ({
			title: [entry.subject, ...Object.values(form)].join(', '),
			subject: entry.subject,
			entry,
			form,
		})),
	);

/** What stands in a parameter that somebody left empty: in the editor, and by expressions. */
const empties = ({ type }: INodeProperties): unknown[] => {
	switch (type) {
		case 'fixedCollection':
			return [{}, { values: [] }];
		case 'multiOptions':
			return [[], '={{ null }}', '={{ [] }}'];
		case 'resourceLocator':
			return ['', '={{ null }}', '={{ $json.nothing }}'].map(byId);
		default:
			return ['', '={{ null }}', '={{ $json.nothing }}'];
	}
};

/** Each optional field of an operation, left empty in each way, one at a time, with its label. */
const emptied = (parameters: INodeProperties[]) =>
	parameters
		.filter(({ name, type }) => type === 'collection' && name !== 'options')
		.flatMap(({ name, options }) =>
			(options as INodeProperties[]).flatMap((inner) =>
				empties(inner).map((value) => ({
					left: { [name]: { [inner.name]: value } } as INodeParameters,
					label: inner.displayName,
				})),
			),
		);

const refusal =
	'cannot be cleared: the platform accepts no empty value for it. Fill it in, or remove it';
/** Left empty it looks like an expression in its place, which n8n drops. */
const ofLists = "has no rows. To remove all, set it to [] in 'Body (JSON)' under Options";

/** Values that hold nothing; the ledger masks secrets, empty ones too. */
const emptyIn = (value: unknown): unknown[] =>
	value === null || value === '' || value === '***' || (typeof value === 'object' && isEmpty(value))
		? [value]
		: typeof value === 'object'
			? Object.values(value).flatMap(emptyIn)
			: [];

describe("Guarantee: with 'Send Empty Fields' nothing that was left empty is dropped in silence", () => {
	test.each(updates)('$title', async ({ subject, entry, form }) => {
		const { parameters, operation, node } = entry;
		const scene = new Scene(sandbox, engine, subject, node.name, form, 'required', false);
		const filled = await fill(parameters, scene, 'required', [], form);
		for (const name of beforehand[subject] ?? []) await scene.get(name);
		const run = async (more: INodeParameters) => {
			await sandbox.clearLedger();
			const result = await engine.runNode(`${node.name} ${subject}`, {
				...filled,
				...more,
				options: { sendEmptyFields: true },
			} as INodeParameters);
			const [request] = await sandbox.ledger({ method: operation.method });
			return { said: result.error?.message, status: request?.status, body: request?.body };
		};

		// What nobody touched is not refused, and no list or reference is cleared.
		const untouched = await run({});
		if (untouched.said)
			expect(untouched.said).toMatch(
				/There is nothing to change|'(Fields|Guard Rules|Guidelines|Routing Rules|Schedule Assignments|Skills|Training)' is empty/,
			);

		const told: Record<string, Set<string>> = {};
		const fields = emptied(parameters);
		for (const { left, label } of fields) {
			const { said, status, body } = await run(left);
			const outcome = [refusal, ofLists].some((told) => said?.endsWith(`${label}' ${told}`))
				? 'refused'
				: (said ?? `${emptyIn(body).length} cleared, ${status}`);
			(told[label] ??= new Set()).add(outcome);
		}
		expect(Object.keys(told)).toHaveLength(new Set(fields.map(({ label }) => label)).size);
		const outcomes = Object.entries(told).map(
			([label, seen]) => `${label}: ${[...seen].join(' or ')}`,
		);
		expect(outcomes.filter((line) => !/: (1 cleared, 20\d|refused)$/.test(line))).toEqual([]);
	});

	test('a list is cleared by JSON alone: without rows it looks like an expression in its place', async () => {
		const agent = byId(await agentOf(sandbox));
		const run = async (more: INodeParameters, options: INodeParameters = {}) => {
			const all = { agent, updateFields: { topic: '' }, ...more };
			const node = 'acpAgents agent.update';
			await sandbox.clearLedger();
			const result = await engine.runNode(node, {
				...all,
				options: { sendEmptyFields: true, ...options },
			});
			return failure(result) ?? (await sandbox.ledger({ method: 'PATCH' }))[0]?.body;
		};
		expect(await run({})).toEqual({ topic: '' });
		expect(await run({ knowledge: { guidelines: {} } })).toBe(
			`'Knowledge › Guidelines' ${ofLists} | Nothing was sent.`,
		);
		const body = { topic: '', guidelines: [] };
		expect(await run({}, { bodyJson: '{"guidelines": []}' })).toEqual(body);
	});
});

describe("Guarantee: without 'Send Empty Fields' nothing that is empty is sent", () => {
	test.each(['={{ [] }}', '={{ null }}', '={{ $json.nothing }}', '', ' , \n'])(
		'a list: %j',
		async (left) => {
			const [schedule] = await sandbox.state('schedules');
			const updateFields = { name: 'Weekdays', aiAgents: left, humanAgents: left };
			const parameters = { schedule: byId(schedule.uuid), updateFields };
			ok(await engine.runNode('acpScheduling schedule.update', parameters));
			const [request] = await sandbox.ledger({ method: 'PUT' });
			expect(request!.body).toEqual({ name: 'Weekdays' });
		},
	);

	test('a list that must have entries is refused', async () => {
		const pool = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');
		const parameters = { pool, contactUuids: ',' };
		const { error } = await engine.runNode('acpContacts contactPool.addContacts', parameters);
		expect(error?.message).toMatch(/^'Contact IDs' is empty/);
		expect(await sandbox.ledger()).toEqual([]);
	});
});
