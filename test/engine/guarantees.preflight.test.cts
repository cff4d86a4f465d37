/**
 * Operations that look at their target before they write: what an earlier try has done changed the target, so a later
 * try looks only at what is still to be sent, and says what was sent before.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, ok, mapped } from './guarantees/scene.cts';
import { until, type NodeOptions } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ settings: { builders: { processingMs: 5 } } });

const retrying: NodeOptions = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

interface Way {
	node: string;
	/** Two targets for which the operation is possible. */
	targets: () => Promise<string[]>;
	parameters: INodeParameters;
	/** The write, and the read of what it is compared with. */
	method: string;
	write: (target: string) => string;
	read: (target: string) => string;
}

const call = async (method: string, url: string, data: object = {}): Promise<any> => {
	const answer = await sandbox.api.request({ method, url, ...(method === 'GET' ? {} : { data }) });
	expect(answer.status).toBeLessThan(300);
	return answer.data?.data ?? answer.data;
};

/** Conversations that have come as far as a state. */
const conversations = (wanted: string) => async () => {
	const begun = await Promise.all(
		[1, 2].map(
			async (number) => await call('POST', '/builder-agents', { prompt: `App ${number}` }),
		),
	);
	const way: Record<string, string> = { gathering: 'answers', awaiting_approval: 'approve' };
	for (const { uuid } of begun) {
		const path = `/builder-agents/${uuid}`;
		for (let status = ''; status !== wanted;) {
			status = await until(`${path} to be ready`, async () => {
				const now = (await call('GET', path)).status;
				return now !== 'processing' && now;
			});
			if (status !== wanted) await call('POST', `${path}/${way[status]}`, { message: 'EU' });
		}
	}
	// What is answered stays in work.
	await sandbox.settings({ builders: { processingMs: 600_000 } });
	return begun.map(({ uuid }) => uuid as string);
};

const building = (operation: string, path: string, wanted: string): Way => ({
	node: 'acpBuilders',
	targets: conversations(wanted),
	parameters: {
		resource: 'buildConversation',
		operation,
		buildConversation: byId('={{ $json.target }}'),
		...(operation === 'approve' ? {} : { message: 'EU' }),
	},
	method: 'POST',
	write: (target) => `/builder-agents/${target}/${path}`,
	read: (target) => `/builder-agents/${target}`,
});

const columns = mapped({ name: 'a' });
const tables = async () =>
	await Promise.all(
		[1, 2].map(async (number) => {
			const table = { name: `Table ${number}`, columns: [{ name: 'name', data_type: 'text' }] };
			return (await call('POST', '/data/tables', table)).uuid as string;
		}),
	);
const agents = async () => [await agentOf(sandbox), await agentOf(sandbox, 1)];

const ways: Record<string, Way> = {
	'Build Conversation › Answer': building('answer', 'answers', 'gathering'),
	'Build Conversation › Approve': building('approve', 'approve', 'awaiting_approval'),
	'Build Conversation › Rebuild': building('rebuild', 'rebuild', 'deployed'),
	'Record › Create': {
		node: 'acpTables',
		targets: tables,
		parameters: {
			resource: 'record',
			operation: 'create',
			table: byId('={{ $json.target }}'),
			columns,
		},
		method: 'POST',
		write: (target) => `/data/${target}/records`,
		read: (target) => `/data/${target}/fields`,
	},
	'Agent Voice › Update Voice Tuning': {
		node: 'acpAgents',
		targets: agents,
		parameters: {
			resource: 'agentVoice',
			operation: 'updateVoiceAdvanced',
			agent: byId('={{ $json.target }}'),
			fields: mapped({ speed: 1 }),
		},
		method: 'PATCH',
		write: (target) => `/agents/${target}/voice-advanced`,
		read: (target) => `/agents/${target}/voice-advanced`,
	},
};

const run = async (way: Way, targets: string[], node: NodeOptions, options: IDataObject = {}) =>
	await engine.runNode(
		way.node,
		{ ...way.parameters, options: options as INodeParameters },
		{ items: targets.map((target) => ({ target })), ...node },
	);
const counts = async (way: Way, targets: string[]) => {
	const ledger = await sandbox.ledger();
	return targets.map((target) => ({
		sent: ledger.filter(({ method, path }) => method === way.method && path === way.write(target))
			.length,
		read: ledger.filter(({ method, path }) => method === 'GET' && path === way.read(target)).length,
	}));
};

describe('Guarantee: only what is still to be sent is compared with its target', () => {
	test.each(Object.entries(ways))('%s', async (_, way) => {
		const targets = await way.targets();
		await sandbox.clearLedger();
		await sandbox.faults([
			{
				match: { method: way.method, path: `^${way.write(targets[1]!)}$`, nth: 1 },
				fault: { kind: 'status', status: 403 },
			},
			{
				match: { method: 'GET', path: `^${way.read(targets[0]!)}$`, nth: [2, 3, 4] },
				fault: { kind: 'status', status: 404 },
			},
		]);
		const result = ok(await run(way, targets, retrying));
		expect(result.pairedItems()).toEqual([[0], [1]]);
		expect(await counts(way, targets)).toEqual([
			{ sent: 1, read: 1 },
			{ sent: 2, read: 2 },
		]);
	});

	const answer = ways['Build Conversation › Answer'] as Way;
	const posts = async (target: string) => (await counts(answer, [target]))[0]!.sent;

	test('Retry execution', async () => {
		const targets = await answer.targets();
		await sandbox.strike(`POST ^${answer.write(targets[1]!)}$`, 403, { nth: 1 });
		const failed = await run(answer, targets, {});
		expect(failed.error?.description).toContain('1 done');
		ok(await engine.retry(failed));
		expect([await posts(targets[0]!), await posts(targets[1]!)]).toEqual([1, 2]);
	});

	test('what was sent before is said, where the rest cannot be', async () => {
		const [target] = (await answer.targets()) as [string];
		const result = await run(answer, [target, target], retrying);
		expect(result.error?.message).toMatch(/^'Answer' is not possible while .* \[item 1\]$/);
		expect(result.error?.description).toBe(
			'An earlier try of this execution sent 1 item, and no item is sent twice. ' +
				'Nothing was sent in this try. Items are counted from 0.',
		);
		expect(await posts(target)).toBe(2);
	});

	test('its answer was lost: it is named as uncertain, not as impossible', async () => {
		const [target] = (await answer.targets()) as [string];
		await sandbox.strike(`POST ^${answer.write(target)}$`, 'reset-after');
		const result = await run(answer, [target], retrying);
		expect(result.error?.message).toBe('This request may have gone through in an earlier try');
		expect(await posts(target)).toBe(1);
	});

	test("its answer was lost and 'Retry Writes' is on: the state refuses it, and both is said", async () => {
		const [target] = (await answer.targets()) as [string];
		await sandbox.strike(`POST ^${answer.write(target)}$`, 'reset-after', { times: 1 });
		await sandbox.strike(`POST ^${answer.write(target)}$`, 403);
		const result = await run(answer, [target], retrying, { retryWrites: true });
		expect(result.error?.message).toMatch(
			/^'Answer' is not possible while .*An earlier try sent this and lost the response/,
		);
		expect(result.error?.description).not.toContain('Nothing was sent. ');
	});
});
