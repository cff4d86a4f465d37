/** A listing that goes in several requests: whose rows are in it, once each, whatever ends a try. */
import type { INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, failure, ok, mapped, requestsShown } from './guarantees/scene.cts';
import type { FaultRule, NodeOptions, Result } from './harness/index.cts';

// Without keys, whose names are a guess for listings: the node has to do without them.
const { sandbox, engine } = usePlatform({ settings: { requestKeysInferred: false }, speed: 10 });
// A process remembers what it has launched.
beforeEach(async () => {
	await engine.forget();
});

const phoneOf = (index: number) => `+1415555${String(1000 + index)}`;
const people = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ phone: phoneOf(index), who: `Lead ${index}` }));
const contacts = mapped({ phone_number: '={{ $json.phone }}', name: '={{ $json.who }}' });
const create = async (options: INodeParameters): Promise<INodeParameters> => ({
	resource: 'listing',
	operation: 'createFromItems',
	name: 'Spring offer',
	autoStart: true,
	agent: byId(await agentOf(sandbox)),
	contacts: contacts as never,
	options,
});
const run = async (
	options: INodeParameters,
	{ items = people(10), ...more }: NodeOptions = {},
): Promise<Result> =>
	await engine.runNode('acpOutreach', await create(options), { items, ...more });
const again = async (failed: Result, options?: INodeParameters): Promise<Result> =>
	await engine.retry(
		failed,
		options && {
			currentWorkflow: engine.nodeWorkflow('acpOutreach', await create(options), {
				items: people(10),
			}),
		},
	);
const fault = async (path: string, nth: number, kind: FaultRule['fault']) =>
	await sandbox.strike(`POST ${path}`, kind, { nth });
const refused = {
	kind: 'status',
	status: 422,
	body: { success: false, message: 'No.', error: { code: 'VALIDATION_ERROR', field: 'contacts' } },
} as const;
const lost = { kind: 'reset-after' } as const;
const adding = '^/listings/[^/]+/contacts$';

const carriedOut = async () =>
	(await sandbox.ledger({ method: 'POST' })).filter(
		({ path, effect }) =>
			path.includes('/listings') && (effect === 'created' || effect === 'changed'),
	);
const sizes = async (): Promise<number[]> =>
	(await carriedOut()).map(({ body }) => body.contacts.length);
/** Every number that the platform accepted, as often as it did. */
const accepted = async (): Promise<string[]> =>
	(await carriedOut()).flatMap(({ body }) =>
		body.contacts.map((one: { phone_number: string }) => one.phone_number),
	);
const all = people(10).map(({ phone }) => phone);
const listings = async () => await sandbox.state('listings');

describe('Guarantee: a listing in batches has every row once', () => {
	test("'Batch Size': created with the first rows, the others are added, one item comes out", async () => {
		const result = ok(await run({ batchSize: 4 }));
		expect(await sizes()).toEqual([4, 4, 2]);
		expect(await accepted()).toEqual(all);
		const [listing, ...others] = await listings();
		expect(others).toEqual([]);
		expect(listing.contact_uuids).toHaveLength(10);
		expect(result.json()).toEqual([
			expect.objectContaining({
				uuid: listing.uuid,
				itemsRead: 10,
				contactsSent: 10,
				itemsMerged: 0,
				batches:
					'4 contacts of items 0 to 3; 4 contacts of items 4 to 7; 2 contacts of items 8 to 9',
			}),
		]);
		expect(result.pairedItems()).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
		expect(result.nodeContext()).toEqual({ acp: expect.not.objectContaining({ borders: {} }) });
		expect(JSON.stringify(result.nodeContext())).not.toMatch(/borders|done|pending/);
	});

	test('a batch is refused: it is told with its rows, and Retry execution goes on with the rest', async () => {
		await fault(adding, 1, refused);
		const failed = await run({ batchSize: 4 });
		expect(failed.error?.message).toMatch(/\[items 4–7\]$/);
		expect(failed.error?.description).toContain('4 done, 6 not done.');
		expect(await accepted()).toEqual(all.slice(0, 4));
		const result = ok(await again(failed));
		expect(await accepted()).toEqual(all);
		expect(await listings()).toHaveLength(1);
		expect(result.pairedItems()).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
	});

	test.each([
		['smaller', 3],
		['larger', 9],
	])(
		"Retry execution with a %s 'Batch Size': what was sent keeps its borders",
		async (_, batchSize) => {
			await fault(adding, 1, refused);
			const failed = await run({ batchSize: 4 });
			ok(await again(failed, { batchSize }));
			expect(await accepted()).toEqual(all);
			expect(await sizes()).toEqual([4, ...(batchSize === 3 ? [3, 3] : [6])]);
			expect(await listings()).toHaveLength(1);
		},
	);

	test('Retry execution with other rows left out: nothing is sent, and the node says why', async () => {
		await fault(adding, 1, refused);
		const failed = await run({ batchSize: 4 });
		const result = await again(failed, { batchSize: 4, skipNumbers: phoneOf(1) });
		expect(result.error?.message).toMatch(/now other rows would be skipped/);
		expect(await accepted()).toEqual(all.slice(0, 4));
	});

	test.each([
		['as many others', phoneOf(1), phoneOf(2)],
		['one of the first batch more', phoneOf(9), [phoneOf(9), phoneOf(0)].join()],
	])(
		'the answer to the creation is lost, then %s are left out, with Start Again: no second listing',
		async (_, before, after) => {
			// Nobody can look for it; without the option nothing would be sent then.
			const down = { kind: 'status', status: 500 } as const;
			await sandbox.strike('POST ^/listings$', lost, { nth: 1 });
			await sandbox.strike('GET ^/listings$', down);
			const options = { batchSize: 4, startAgain: true };
			const failed = await run({ ...options, skipNumbers: before });
			expect(failure(failed)).toBeDefined();
			const result = await again(failed, { ...options, skipNumbers: after });
			expect(result.error?.message).toMatch(/now other rows would be skipped/);
			expect(await listings()).toHaveLength(1);
		},
	);

	test('the answer to a batch is lost: it is named and not sent again, the rest is', async () => {
		await fault(adding, 1, lost);
		const failed = await run({ batchSize: 4 });
		expect(failed.error?.message).toMatch(/\[items 4–7\]$/);
		expect(failed.error?.description).toMatch(/4 done, 4 uncertain, 2 not/);
		const result = await again(failed, { batchSize: 3 });
		expect(result.error?.message).toMatch(
			/may have gone through in an earlier try.*\[items 4–7\]$/,
		);
		expect(result.error?.description).toMatch(/6 done, 4 uncertain, 0 not/);
		expect(await accepted()).toEqual(all);
		expect(await listings()).toHaveLength(1);
	});

	test("the listing is not created: nothing is added, and a smaller 'Batch Size' begins anew", async () => {
		await sandbox.settings({ manners: { largestBody: 500 } });
		const failed = await run({ batchSize: 9 });
		expect(failed.error?.message).toMatch(/larger than the platform accepts \[items 0–8\]$/);
		expect(await listings()).toEqual([]);
		ok(await again(failed, { batchSize: 3 }));
		expect(await sizes()).toEqual([3, 3, 3, 1]);
		expect(await accepted()).toEqual(all);
	});

	test('On Error is Continue: the rows of a refused batch become error items, the others are in the listing', async () => {
		await fault(adding, 1, refused);
		const result = await run({ batchSize: 4 }, { onError: 'continueRegularOutput' });
		expect(await accepted()).toEqual([...all.slice(0, 4), ...all.slice(8)]);
		expect(result.pairedItems()).toEqual([[0, 1, 2, 3, 8, 9], [4], [5], [6], [7]]);
		expect(result.json().map(({ errorItem }) => errorItem)).toEqual([undefined, 4, 5, 6, 7]);
	});

	test('On Error is Continue and the listing is refused: no row is sent, and each says so', async () => {
		await fault('^/listings$', 1, refused);
		const result = await run({ batchSize: 4 }, { onError: 'continueRegularOutput' });
		expect(await accepted()).toEqual([]);
		expect(result.json()).toHaveLength(10);
		expect(result.json()[5].error).toBe('Not sent, because the previous request did not succeed');
	});

	test('the platform complains about a row: the message names its item', async () => {
		const body = {
			success: false,
			message: 'The number is blocked.',
			error: { code: 'VALIDATION_ERROR', field: 'contacts.1.phone_number' },
		};
		await fault(adding, 1, { kind: 'status', status: 422, body });
		const failed = await run({ batchSize: 4 });
		expect(failed.error?.message).toMatch(/of \+\d+ \(item 5\)/);
	});

	test('contacts added to a listing that is there go in batches, too', async () => {
		const items = [{ phone: '+14155559999' }];
		const [{ uuid }] = (await run({}, { items })).json();
		await sandbox.clearLedger();
		await fault(adding, 2, refused);
		const parameters: INodeParameters = {
			resource: 'listing',
			operation: 'addContactsFromItems',
			listing: byId(uuid),
			contacts: contacts as never,
			options: { batchSize: 4 },
		};
		const failed = await engine.runNode('acpOutreach', parameters, { items: people(10) });
		expect(failed.error?.message).toMatch(/\[items 4–7\]$/);
		const result = ok(await engine.retry(failed));
		expect(await accepted()).toEqual(all);
		expect(result.json()).toHaveLength(1);
	});

	test('Preview shows every request and sends none', async () => {
		const result = await run({ batchSize: 4, preview: true });
		const requests = requestsShown(result);
		expect(requests.map(({ url, body }) => [new URL(url).pathname, body.contacts.length])).toEqual([
			['/api/v1/listings', 4],
			['/api/v1/listings/%7Buuid%7D/contacts', 4],
			['/api/v1/listings/%7Buuid%7D/contacts', 2],
		]);
		expect(result.pairedItems()).toEqual([
			[0, 1, 2, 3],
			[4, 5, 6, 7],
			[8, 9],
		]);
		expect(await sizes()).toEqual([]);
	});
});

describe('a request that is too large', () => {
	test("a listing names the option 'Batch Size', the number of its contacts and a smaller one", async () => {
		await sandbox.settings({ manners: { largestBody: 500 } });
		const result = await run({});
		expect(result.error?.message).toBe('The request is larger than the platform accepts');
		expect(result.error?.description).toMatch(
			/^It contained 10 contacts\. Set 'Batch Size' under Options › Advanced to 3, for example\. .*Nothing was done/,
		);
	});

	test('elsewhere it says to send less', async () => {
		await sandbox.settings({ manners: { largestBody: 10 } });
		const result = await engine.runNode('acpKnowledge agentKnowledge.addNote', {
			agent: byId(await agentOf(sandbox)),
			content: 'A note',
		});
		expect(result.error?.message).toBe('The request is larger than the platform accepts');
		expect(result.error?.description).not.toContain('Batch Size');
	});
});
