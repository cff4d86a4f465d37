/**
 * Operations that look at their target before they write: what an earlier try has done changed the target, so a later
 * try looks only at what is still to be sent, and says what was sent before.
 */
import type { INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { byId, ok, retrying } from './guarantees/scene.cts';
import { until } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ settings: { builders: { processingMs: 5 } } });

const node = 'acpBuilders buildConversation.answer';
const parameters = { buildConversation: byId('={{ $json.target }}'), message: 'EU' };
const write = (target: string) => `/builder-agents/${target}/answers`;

/** Conversations that wait for an answer; what is answered stays in work. */
async function conversations(count: number): Promise<string[]> {
	const uuids = [];
	for (let at = 0; at < count; at++) {
		const { data } = await sandbox.api.post('/builder-agents', { prompt: `App ${at}` });
		const { uuid } = data.data;
		uuids.push(uuid);
		await until(
			'it to be ready',
			async () =>
				(await sandbox.api.get(`/builder-agents/${uuid}`)).data.data.status === 'gathering',
		);
	}
	await sandbox.settings({ builders: { processingMs: 600_000 } });
	await sandbox.clearLedger();
	return uuids;
}

const run = async (targets: string[], chosen: object = retrying, options: object = {}) =>
	await engine.runNode(
		node,
		{ ...parameters, options: options as INodeParameters },
		{ items: targets.map((target) => ({ target })), ...chosen },
	);
/** How often each target was written to, and read before. */
const counts = async (targets: string[]) => {
	const ledger = await sandbox.ledger();
	const count = (of: string, at: string) =>
		ledger.filter(({ method, path }) => method === of && path === at).length;
	return targets.map((one) => [count('POST', write(one)), count('GET', `/builder-agents/${one}`)]);
};

describe('Guarantee: only what is still to be sent is compared with its target', () => {
	test('Retry On Fail: what is done is not read again', async () => {
		const targets = await conversations(2);
		await sandbox.strike(`POST ^${write(targets[1]!)}$`, 403, { nth: 1 });
		await sandbox.strike(`GET ^/builder-agents/${targets[0]}$`, 404, { nth: [2, 3, 4] });
		expect(ok(await run(targets)).pairedItems()).toEqual([[0], [1]]);
		expect(await counts(targets)).toEqual([
			[1, 1],
			[2, 2],
		]);
	});

	test('what was sent before is said, where the rest cannot be', async () => {
		const [target] = (await conversations(1)) as [string];
		const { error } = await run([target, target]);
		expect(error?.message).toMatch(/^'Answer' is not possible while .* \[item 1\]$/);
		expect(error?.description).toMatch(
			/^An earlier try of this execution sent 1 item, .* Nothing was sent in this try\./,
		);
	});

	test('its answer was lost: it is named as uncertain, not as impossible', async () => {
		const targets = await conversations(1);
		await sandbox.strike('POST /answers$', 'reset-after');
		const { error } = await run(targets);
		expect(error?.message).toBe('This request may have gone through in an earlier try');
		expect((await counts(targets))[0]![0]).toBe(1);
	});

	test("its answer was lost and 'Retry Writes' is on: the state refuses it, and both is said", async () => {
		await sandbox.strike('POST /answers$', 'reset-after', { times: 1 });
		await sandbox.strike('POST /answers$', 403);
		const { error } = await run(await conversations(1), retrying, { retryWrites: true });
		expect(error?.message).toMatch(
			/^'Answer' is not possible while .*An earlier try sent this and lost the response/,
		);
		expect(error?.description).not.toContain('Nothing was sent. ');
	});
});
