/**
 * A listing that starts at once and whose answer is lost, where the user turned on 'Retry
 * Writes' or where several things
 * look like what was asked for. How many listings run on the platform decides.
 */
import type { INodeParameters } from 'n8n-workflow';
import { agentOf, byId, hintsOf, ok, mapped } from './guarantees/scene.cts';
import { until, usePlatform, type FaultRule, type Result } from './harness/index.cts';

// Without keys, whose names are a guess for listings: the node has to do without them.
const { sandbox, engine } = usePlatform({
	settings: { requestKeysInferred: false },
	speed: 10,
	engine: { expressionEngine: 'legacy' },
});

const listing = async (options: INodeParameters): Promise<INodeParameters> => ({
	resource: 'listing',
	operation: 'createFromItems',
	name: 'Spring offer',
	autoStart: true,
	agent: byId(await agentOf(sandbox)),
	contacts: mapped({ phone_number: '={{ $json.phone }}' }),
	options: { startAgain: true, ...options },
});
const items = [{ phone: '+14155550001' }];
const run = async (options: INodeParameters): Promise<Result> =>
	await engine.runNode('acpOutreach', await listing(options), { items });
const fault = async (kind: FaultRule['fault'], times = 1) =>
	await sandbox.strike('POST ^/listings$', kind, { times });
const posts = async () => await sandbox.ledger({ path: '/listings', method: 'POST' });
const running = async (): Promise<any[]> =>
	(await sandbox.state('listings')).filter(({ status }) => status === 'running');
const retryWrites = { retryWrites: true };

describe("'Retry Writes' is on", () => {
	test.each([
		['the connection breaks', { kind: 'reset-after' }],
		['an error is answered', { kind: 'status', status: 503, afterAcceptance: true }],
		['the answer is cut off', { kind: 'truncated' }],
	] as const)('%s after acceptance: what is found is not started again', async (_, kind) => {
		await fault(kind);
		const result = ok(await run(retryWrites));
		expect(await running()).toHaveLength(1);
		expect(result.json()[0].uuid).toBe((await running())[0].uuid);
		expect(hintsOf(result)).toContain('It was found on the platform and not created again');
	});

	test('the platform shows a part of its listings only: nothing is started again, and the node says why', async () => {
		await sandbox.addMany('listings', 100, (index) => ({
			name: `Older ${index}`,
			contact_uuids: [],
		}));
		await fault({ kind: 'reset-after' });
		const result = await run(retryWrites);
		expect(await running()).toHaveLength(1);
		expect(result.status).toBe('error');
		expect(result.error?.description).toMatch(
			/lists only some of its records.*not known whether.*It was not sent again/,
		);
	});

	test('the platform cannot be asked: nothing is started again, and retrying the execution finds it', async () => {
		await fault({ kind: 'reset-after' });
		await sandbox.strike(
			'GET ^/listings$',
			{ status: 403, code: 'FORBIDDEN' },
			{ nth: [2, 3, 4, 5] },
		);
		const failed = await run(retryWrites);
		expect(failed.error?.description).toContain('could not be searched');
		expect(await running()).toHaveLength(1);
		const result = ok(await engine.retry(failed));
		expect(await posts()).toHaveLength(1);
		expect(result.json()[0].uuid).toBe((await running())[0].uuid);
	});

	test('it is never carried out: it is sent as often as Max Retries says, and no more', async () => {
		await fault({ kind: 'status', status: 502 }, 100);
		const result = await run({ ...retryWrites, maxRetries: 1 });
		expect(result.error?.description).toMatch(/A search on the platform did not find it/);
		expect(await posts()).toHaveLength(2);
		expect(await running()).toEqual([]);
	});

	test('turned on by hand, and the execution retried: what was not found is started, once', async () => {
		await fault({ kind: 'reset-before' });
		const failed = await run({});
		expect(failed.error?.description).toMatch(/did not find it.*turn on 'Retry Writes'/);
		const currentWorkflow = engine.nodeWorkflow('acpOutreach', await listing(retryWrites), {
			items,
		});
		ok(await engine.retry(failed, { currentWorkflow }));
		expect(await running()).toHaveLength(1);
		expect(await posts()).toHaveLength(2);
	});
});

describe('several things look like what was asked for', () => {
	/** While the answer is awaited, somebody else makes the same. */
	async function meanwhile(path: string, result: Promise<Result>, make: () => Promise<unknown>) {
		await until('the request', async () => (await sandbox.created(path)).length > 0);
		await make();
		return await result;
	}
	const silence = { kind: 'timeout', afterAcceptance: true } as const;

	test.each([
		['without', {}],
		['with', retryWrites],
	])(
		"two new listings of the name, %s 'Retry Writes': the node says that it does not know which, and starts none",
		async (_, options) => {
			await fault(silence);
			const result = await meanwhile('/listings', run({ ...options, timeout: 3 }), async () => {
				const [{ uuid: _own, ...mine }] = (await running()) as [any];
				return await sandbox.add('listings', mine);
			});
			expect(result.error?.description).toMatch(
				/Several new records .* not known which one it is\. It was not sent again/,
			);
			expect(await posts()).toHaveLength(1);
			expect(await running()).toHaveLength(2);
		},
	);

	test('two new contacts of the number: the node says that it does not know which, and adds none', async () => {
		await sandbox.strike('POST ^/contacts$', silence, { times: 1 });
		const result = await meanwhile(
			'/contacts',
			engine.runNode(
				'acpContacts contact.findOrCreate',
				{ phoneNumber: '+14155550001', name: 'Anna', options: { timeout: 3 } },
				{ items: [{}] },
			),
			async () =>
				await sandbox.api.post('/contacts', { phone_number: '+14155550001', name: 'Another Anna' }),
		);
		expect(result.error?.description).toMatch(
			/Several new records .* not known which one it is\. It was not sent again/,
		);
		expect(await sandbox.created('/contacts')).toHaveLength(2);
	});
});
