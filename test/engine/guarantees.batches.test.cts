/** A listing that goes in several requests: whose rows are in it, once each, whatever ends a try. */
import type { INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, mapped, ok, phoneOf, requestsShown } from './guarantees/scene.cts';
import type { NodeOptions, Result } from './harness/index.cts';

// Without keys, whose names are a guess for listings: the node has to do without them.
const { sandbox, engine } = usePlatform({ settings: { requestKeysInferred: false }, speed: 10 });
// A process remembers what it has launched.
beforeEach(async () => {
	await engine.forget();
});

const people = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		phone: phoneOf(1000 + index),
		who: `Lead ${index}`,
	}));
const all = people(10).map(({ phone }) => phone);
const contacts = mapped({ phone_number: '={{ $json.phone }}', name: '={{ $json.who }}' });
const workflow = async (options: INodeParameters, more: NodeOptions = {}) => {
	const agent = byId(await agentOf(sandbox));
	const parameters = { name: 'Spring offer', autoStart: true, agent, contacts, options };
	const node = 'acpOutreach listing.createFromItems';
	return engine.nodeWorkflow(node, parameters, { items: people(10), ...more });
};
const run = async (options: INodeParameters, more?: NodeOptions): Promise<Result> =>
	await engine.run(await workflow(options, more), { startNode: 'Items' });
/** Executions › Retry, with other options in the current workflow. */
const again = async (failed: Result, options?: INodeParameters): Promise<Result> =>
	await engine.retry(failed, options && { currentWorkflow: await workflow(options) });
const refusal = (about: object) =>
	({
		status: 422,
		body: { success: false, message: 'No.', error: { code: 'X', ...about } },
	}) as const;
const refused = refusal({ field: 'contacts' });
/** What comes of the first request that adds contacts. */
const adding = async (fault: Parameters<typeof sandbox.strike>[1], nth = 1) =>
	await sandbox.strike('POST ^/listings/[^/]+/contacts$', fault, { nth });
const batchSize = 4;

/** Numbers that the platform accepted, by request, as often as it did. */
const batches = async (): Promise<string[][]> =>
	(await sandbox.ledger({ method: 'POST' }))
		.filter(({ path, effect }) => path.includes('/listings') && /created|changed/.test(effect))
		.map(({ body }) => body.contacts.map(({ phone_number: one }: any) => one));
const sizes = async (): Promise<number[]> => (await batches()).map(({ length }) => length);
const accepted = async (): Promise<string[]> => (await batches()).flat();
const listings = async () => await sandbox.state('listings');

describe('Guarantee: a listing in batches has every row once', () => {
	test("'Batch Size': created with the first rows, the others are added, one item comes out", async () => {
		const result = ok(await run({ batchSize }));
		expect(await sizes()).toEqual([4, 4, 2]);
		expect(await accepted()).toEqual(all);
		const [{ uuid, contact_uuids: there }, ...others] = await listings();
		expect([there.length, others]).toEqual([10, []]);
		expect(result.json()).toMatchObject([
			{
				uuid,
				itemsRead: 10,
				contactsSent: 10,
				itemsMerged: 0,
				batches:
					'4 contacts of items 0 to 3; 4 contacts of items 4 to 7; 2 contacts of items 8 to 9',
			},
		]);
		expect(result.pairedItems()).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
		expect(JSON.stringify(result.nodeContext())).not.toMatch(/borders|done|pending/);
	});

	test.each([
		['', undefined, [4, 4, 2]],
		[", with a smaller 'Batch Size'", { batchSize: 3 }, [4, 3, 3]],
		[", with a larger 'Batch Size'", { batchSize: 9 }, [4, 6]],
	])(
		'a batch is refused: it is told with its rows, and Retry execution goes on with the rest%s',
		async (_, options, wanted) => {
			await adding(refused);
			const failed = await run({ batchSize });
			expect(failed.error?.message).toMatch(/\[items 4–7\]$/);
			expect(failed.error?.description).toContain('4 done, 6 not done.');
			expect(await accepted()).toEqual(all.slice(0, 4));
			ok(await again(failed, options));
			expect(await accepted()).toEqual(all);
			expect(await sizes()).toEqual(wanted);
			expect(await listings()).toHaveLength(1);
		},
	);

	test('Retry execution with other rows left out: nothing is sent, and the node says why', async () => {
		await adding(refused);
		const result = await again(await run({ batchSize }), { batchSize, skipNumbers: all[1]! });
		expect(result.error?.message).toMatch(/now other rows would be skipped/);
		expect(await accepted()).toEqual(all.slice(0, 4));
	});

	test('the answer to the creation is lost, then as many others are left out, with Start Again: no second listing', async () => {
		// Nobody can look for it; without the option nothing would be sent then.
		await sandbox.strike('POST ^/listings$', 'reset-after', { nth: 1 });
		await sandbox.strike('GET ^/listings$', 500);
		const options = { batchSize, startAgain: true };
		const failed = await run({ ...options, skipNumbers: all[1]! });
		const result = await again(failed, { ...options, skipNumbers: all[2]! });
		expect(result.error?.message).toMatch(/now other rows would be skipped/);
		expect(await listings()).toHaveLength(1);
	});

	test('the answer to a batch is lost: it is named and not sent again, the rest is', async () => {
		await adding('reset-after');
		const failed = await run({ batchSize });
		expect(failed.error?.message).toMatch(/\[items 4–7\]$/);
		expect(failed.error?.description).toMatch(/4 done, 4 uncertain, 2 not/);
		const { error } = await again(failed, { batchSize: 3 });
		expect(error?.message).toMatch(/may have gone through in an earlier try.*\[items 4–7\]$/);
		expect(error?.description).toMatch(/6 done, 4 uncertain, 0 not/);
		expect(await accepted()).toEqual(all);
	});

	test("the listing is not created: nothing is added, and a smaller 'Batch Size' begins anew", async () => {
		await sandbox.settings({ manners: { largestBody: 500 } });
		const failed = await run({ batchSize: 9 });
		expect(failed.error?.message).toMatch(/larger than the platform accepts \[items 0–8\]$/);
		expect(failed.error?.description).toMatch(
			/It contained 9 contacts\. Set 'Batch Size' under Options › Advanced to 3, for example\./,
		);
		expect(await listings()).toEqual([]);
		ok(await again(failed, { batchSize: 3 }));
		expect(await sizes()).toEqual([3, 3, 3, 1]);
	});

	const continues = { onError: 'continueRegularOutput' } as const;
	test('On Error is Continue: the rows of a refused batch become error items, the others are in the listing', async () => {
		await adding(refused);
		const result = await run({ batchSize }, continues);
		expect(await accepted()).toEqual([...all.slice(0, 4), ...all.slice(8)]);
		expect(result.pairedItems()).toEqual([[0, 1, 2, 3, 8, 9], [4], [5], [6], [7]]);
		expect(result.json().map(({ errorItem }) => errorItem)).toEqual([undefined, 4, 5, 6, 7]);
	});

	test('On Error is Continue and the listing is refused: no row is sent, and each says so', async () => {
		await sandbox.strike('POST ^/listings$', refused, { nth: 1 });
		const told = (await run({ batchSize }, continues)).json();
		expect(await accepted()).toEqual([]);
		expect(told).toHaveLength(10);
		expect(told[5].error).toBe('Not sent, because the previous request did not succeed');
	});

	test('the platform complains about a row: the message names its item', async () => {
		await adding(refusal({ field: 'contacts.1.phone_number' }));
		expect((await run({ batchSize })).error?.message).toMatch(/of \+\d+ \(item 5\)/);
	});

	test('contacts added to a listing that is there go in batches, too', async () => {
		const [{ uuid }] = (await run({}, { items: [{ phone: '+14155559999' }] })).json();
		await sandbox.clearLedger();
		await adding(refused, 2);
		const parameters = { listing: byId(uuid), contacts, options: { batchSize } };
		const node = 'acpOutreach listing.addContactsFromItems';
		const failed = await engine.runNode(node, parameters, { items: people(10) });
		expect(failed.error?.message).toMatch(/\[items 4–7\]$/);
		expect(ok(await engine.retry(failed)).json()).toHaveLength(1);
		expect(await accepted()).toEqual(all);
	});

	test('Preview shows every request and sends none', async () => {
		const result = await run({ batchSize, preview: true });
		const requests = requestsShown(result);
		expect(requests.map(({ url, body }) => [new URL(url).pathname, body.contacts.length])).toEqual([
			['/api/v1/listings', 4],
			['/api/v1/listings/%7Buuid%7D/contacts', 4],
			['/api/v1/listings/%7Buuid%7D/contacts', 2],
		]);
		expect(result.pairedItems().map(([first]) => first)).toEqual([0, 4, 8]);
		expect(await sizes()).toEqual([]);
	});
});
