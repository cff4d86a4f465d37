/** The pages whose steps can run: each expression is read out of the page and resolved by n8n, with fields missing. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { executeFilterCondition, type FilterConditionValue } from 'n8n-workflow';
import { byId, fast, ok } from './guarantees/scene.cts';
import { until, usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ settings: { ...fast, call: { lifeMs: 50 } } });

const pageOf = (page: string): string =>
	readFileSync(path.join(__dirname, `../../docs/${page}.md`), 'utf8');

/** Every expression that a page writes, in its order, each once. */
function expressionsOf(page: string): string[] {
	const blocks = [...page.matchAll(/^```\n([^`]*\{\{[^`]*)\n```$/gm)].map(([, text]) => text!);
	const inline = [...page.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]*\{\{[^`\n]*)`/g)];
	return [...new Set([...blocks, ...inline.map(([, text]) => text!)])];
}

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
	const [filter, , , , , ...others] = expressionsOf(page);

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
});

describe('consent-and-opt-outs', () => {
	const page = pageOf('guides/consent-and-opt-outs');
	const all = expressionsOf(page);
	const list = "{{ $('Opt-outs').all() }}";
	const skipped = '{{ $json.skipped }}';
	const column = '{{ $json.optedOut }}';
	const summary = '{{ $json.summary }}';
	const recipients = '{{ $json.summary_recipients }}';

	test('its expressions are those that are tried here', () =>
		expect(new Set(all)).toEqual(new Set([list, skipped, column, summary, recipients])));

	/** Calls two people, one of whom is on the list; n8n resolves the values for each item that comes out. */
	async function called(skipNumbers: string, values: object, options: object = {}) {
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
						{ name: 'Values', type: 'harness.values', parameters: { values } as never },
					],
					connections: { 'Opt-outs': next('People'), People: next('Node'), Node: next('Values') },
				},
				{ startNode: 'Opt-outs' },
			),
		);
		return result.json('Values');
	}

	/** What n8n's Filter node says of a value, with the operator that the page names beside the expression. */
	function passes(expression: string, value: unknown): boolean {
		const beside = page.slice(page.indexOf(`\`${expression}\``) + expression.length + 2);
		const operation = { 'does not exist': 'notExists' }[/\*([^*]+)\*/.exec(beside)![1]!];
		if (operation === undefined) throw new Error(`no operator of n8n beside ${expression}`);
		const condition = {
			id: '1',
			leftValue: value ?? undefined,
			rightValue: '',
			operator: { type: 'boolean', operation },
		} as FilterConditionValue;
		return executeFilterCondition(condition, {
			caseSensitive: true,
			leftValue: '',
			typeValidation: 'loose',
			version: 2,
		} as never);
	}

	test.each([list, column])(
		'%s skips, and the filter lets through who was reached',
		async (one) => {
			const out = await called(one, { skipped: `=${skipped}` });
			expect(out.map((json: any) => passes(skipped, json.skipped))).toEqual([false, true]);
			expect(await sandbox.created('/call')).toHaveLength(1);
		},
	);
});
