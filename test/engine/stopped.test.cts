/** What a stopped execution leaves behind: n8n keeps no output of a stopped node, and a new run begins at the start. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';
import type { Result } from './harness/engine.cts';

const rate = { send: { limit: 1000 }, general: { limit: 100_000 } };
const { sandbox, run } = usePlatform({ settings: { latencyMs: 60, rate } });

const people = (count: number, rows = false): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		phone: `+1415555${1000 + index}`,
		...(rows ? { row_number: index + 2 } : {}),
	}));
const sms = async (more: INodeParameters = {}): Promise<INodeParameters> => {
	const [agent] = await sandbox.state('agents');
	return {
		resource: 'sms',
		operation: 'send',
		agent: byId(agent.agent_uuid),
		phoneNumber: '={{ $json.phone }}',
		message: 'Hello',
		options: { concurrency: 4, ...more },
	};
};
const sent = async (): Promise<number[]> =>
	(await sandbox.created('/sms/send'))
		.map(({ body }) => Number(body.phoneNumber.slice(-4)) - 999)
		.sort((one, other) => one - other);
const leftBehind = ({ stored }: Result): Record<string, string> =>
	stored.data.resultData.metadata ?? {};
/** Numbers of a text such as "3, 5–7". */
const numbers = (text = ''): number[] =>
	text.split(', ').flatMap((part) => {
		const [from, to = from] = part.split('–').map(Number);
		return part === '' ? [] : Array.from({ length: to! - from! + 1 }, (_, at) => from! + at);
	});

test('a run of 60 sends is stopped in the middle: what is done, uncertain and not done, as the platform has it', async () => {
	const result = await run('acpMessages', await sms(), {
		items: people(60, true),
		cancelWhen: async () => (await sent()).length >= 20,
	});
	expect(result.status).toBe('canceled');
	const { acp_stopped: text = '', ...others } = leftBehind(result);
	expect(others).toEqual({});
	expect(text.length).toBeLessThanOrEqual(512);
	expect(text).toMatch(/^"Node" was stopped\. Done: \d+ of 60\./);
	const done = Number(/Done: (\d+) of 60/.exec(text)?.[1]);
	const uncertain = numbers(/Uncertain.*?: \d+ \(items? ([^;)]+)/.exec(text)?.[1]);
	const rest = numbers(/Not done: \d+ \(items? ([^;)]+)/.exec(text)?.[1]);
	expect(done).toBeGreaterThan(0);
	expect(uncertain.length).toBeLessThanOrEqual(4);
	expect(done + uncertain.length + rest.length).toBe(60);
	const reached = await sent();
	// Nobody who was reached is among those to go on with, and nobody is missing.
	expect(rest.filter((item) => reached.includes(item))).toEqual([]);
	expect(reached.length).toBeGreaterThanOrEqual(done);
	expect(reached.length).toBeLessThanOrEqual(done + uncertain.length);
	expect(text).toContain(`rows ${rest[0]! + 1}–61`);
});

test('in a loop, the text names the run that was stopped; runs that have ended leave none', async () => {
	const parameters = await sms();
	const { executionData, status } = await run('acpMessages', parameters, {
		items: people(6),
		batchSize: 3,
		cancelWhen: async () => (await sent()).length >= 4,
	});
	expect(status).toBe('canceled');
	const { metadata = {} } = executionData.resultData;
	expect(Object.keys(metadata)).toEqual(['acp_stopped']);
	expect(metadata.acp_stopped).toMatch(/^"Node" was stopped in its run 2\. Done: \d of 3\./);
});

test('a stop during Start and Wait: calls that are being waited for are placed, and only the others are not done', async () => {
	const [agent] = await sandbox.state('agents');
	const placed = async () =>
		(await sandbox.created('/call')).map(({ body }) => body.participant.number);
	const result = await run(
		'acpCalls call.startAndWait',
		{
			agent: byId(agent.agent_uuid),
			phoneNumber: '={{ $json.phone }}',
			options: { concurrency: 2 },
		},
		{
			items: people(5),
			cancelWhen: async () =>
				(await sandbox.ledger()).some(
					({ method, path }) => method === 'GET' && path.startsWith('/conversations'),
				),
		},
	);
	expect(result.status).toBe('canceled');
	const { acp_stopped: text = '' } = leftBehind(result);
	const reached = await placed();
	expect(reached.length).toBeGreaterThan(0);
	expect(text).toContain(`Done: ${reached.length} of 5.`);
	expect(text).not.toContain('Uncertain');
	const rest = numbers(/Not done: \d+ \(items? ([^;)]+)/.exec(text)?.[1]);
	const open = people(5).flatMap(({ phone }, at) => (reached.includes(phone) ? [] : [at + 1]));
	expect(rest).toEqual(open);
});

test('a run that reads, or that ends by itself, leaves nothing', async () => {
	const read = await run(
		'acpAgents agent.getAll',
		{ returnAll: true },
		{ cancelWhen: async () => (await sandbox.ledger()).length > 0 },
	);
	expect(read.status).toBe('canceled');
	expect(leftBehind(read)).toEqual({});
	const whole = await run('acpMessages', await sms(), { items: people(3) });
	expect(whole.status).toBe('success');
	expect(leftBehind(whole)).toEqual({});
});
