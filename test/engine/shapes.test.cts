/**
 * Whatever the node itself adds to output items is flat, and on every item of a run or on none: a table behind the node
 * takes one shape (n8n's Data Table refuses lists and objects, and all rows with them).
 */
import type { INodeParameters } from 'n8n-workflow';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { fill } from './everyOperation/samples.cts';
import { beforehand, Scene } from './everyOperation/workspace.cts';
import { failure, hintsOf, ok, mapped } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({
	settings: {
		call: { lifeMs: 600_000 },
		rate: { send: { limit: 100_000 }, general: { limit: 1_000_000 } },
		builders: { processingMs: 5 },
		transcription: { processingMs: 5 },
	},
});

const isFlat = (value: unknown): boolean => value === null || typeof value !== 'object';

/** Fields that hold lists or objects. */
const nested = (items: any[], ...raw: string[]): string[] =>
	items.flatMap((item) =>
		Object.keys(item).filter((name) => !raw.includes(name) && !isFlat(item[name])),
	);

const shapesOf = (items: any[]): string[] => [
	...new Set(items.map((item) => Object.keys(item).sort().join())),
];

const operations = operationsOf(nodes()).map(
	(entry) => [`${entry.resource.value}.${entry.value}`, entry] as const,
);
type Entry = (typeof operations)[number][1];

async function filled(subject: string, { node, resource, value, parameters }: Entry) {
	const scene = new Scene(sandbox, engine, subject, node.name, {}, 'required', false);
	for (const name of beforehand[subject] ?? []) await scene.get(name);
	const content = await fill(parameters, scene, 'required', [], {});
	return { resource: resource.value, operation: value, ...content } as INodeParameters;
}

const writes = operations.filter(([, { operation }]) => operation.method !== 'GET');

describe.each(writes)('%s', (subject, entry) => {
	// The request itself is shown as the platform would get it.
	test('Preview: items of one shape, flat but for the request', async () => {
		const result = await run(
			entry.node.name,
			{
				...(await filled(subject, entry)),
				options: { preview: true, sameNumberTwice: 'both' },
			} as INodeParameters,
			{ items: [{}, {}], onError: 'continueRegularOutput' },
		);
		const shown = result.json().filter((json) => !('error' in json));
		expect(nested(shown, 'request')).toEqual([]);
		expect(shapesOf(shown).length).toBeLessThanOrEqual(1);
	});
});

const reachingWrites = async (options: INodeParameters): Promise<INodeParameters> => {
	const [agent] = await sandbox.state('agents');
	return {
		resource: 'call',
		operation: 'start',
		agent: { __rl: true, mode: 'id', value: agent.agent_uuid },
		phoneNumber: '={{ $json.phone }}',
		options,
	};
};

describe('calls', () => {
	const call = async (phones: string[], options: INodeParameters = {}, more: object = {}) =>
		await run('acpCalls', await reachingWrites(options), {
			items: phones.map((phone) => ({ phone })),
			...more,
		});

	test('a number that was converted: the item is as the others', async () => {
		const result = ok(await call(['+1 212 555 0102', '+12125550103']));
		expect(shapesOf(result.json())).toHaveLength(1);
		expect(nested(result.json(), ...(await rawNames()))).toEqual([]);
		expect(hintsOf(result)).toContain(
			'1 number was converted to international format: "+1 212 555 0102" → +12125550102 (item 0).',
		);
	});

	test('who is skipped keeps the fields of the item, and has the same ones whoever it is', async () => {
		const contacts = mapped({ phone_number: '={{ $json.phone }}', email: '={{ $json.mail }}' });
		const skipped = async (row: object) => {
			const list = { resource: 'listing', operation: 'createFromItems', name: 'L', contacts };
			const options = { skipNumbers: '+12125550101, ada@example.com' };
			const result = await run('acpOutreach', { ...list, options } as INodeParameters, {
				items: [row as never],
			});
			return result.json('Node', 1);
		};
		const first = ['phone_number', 'email', 'reason', 'message'];
		const [one] = await skipped({ phone: '+12125550101', email: 'of the row', reason: 'mine' });
		expect(Object.keys(one)).toEqual([...first, 'phone']);
		expect(one).toMatchObject({ email: 'of the row', reason: 'skip_numbers' });
		const [other] = await skipped({ phone: '+12125550102', mail: 'ada@example.com' });
		expect(Object.keys(other)).toEqual([...first, 'phone', 'mail']);
	});

	test('what nothing proves: the response is text, and the others have its fields', async () => {
		await sandbox.strike('^/call$', { status: 200, body: 'Service busy' }, { nth: 1 });
		const result = await call(['+12125550101', '+12125550102'], { concurrency: 1 });
		const [first, second] = result.json();
		expect([first, second].map((json) => json.acceptedWithoutProof)).toEqual([true, null]);
		expect(Object.keys(first).filter((name) => !(name in second))).toEqual([]);
		expect(typeof first.response).toBe('string');
	});

	/** What the platform itself returns of a call. */
	const rawNames = async (): Promise<string[]> => {
		const [{ response }] = (await sandbox.ledger({ path: '/call' })) as any[];
		return Object.keys(response?.data ?? response ?? {});
	};
});

describe('a listing', () => {
	const listing = async (items: object[], options: INodeParameters = {}) =>
		await run(
			'acpOutreach listing.createFromItems',
			{
				name: 'Spring',
				contacts: mapped({
					phone_number: '={{ $json.phone }}',
					name: '={{ $json.name }}',
					email: '={{ $json.email }}',
				}),
				options: options as never,
			},
			{ items: items as never },
		);
	const contacts = async () =>
		(await sandbox.created('/listings')).flatMap(({ body }) => body.contacts);

	test('what the node says of its items is flat', async () => {
		const phone = '+12125550101';
		const result = await listing(
			[
				{ phone },
				{ phone: '+1 212 555 0101' },
				{ phone: '+12125550102' },
				{ phone: '+12125550103' },
			],
			{ batchSize: 2, skipNumbers: '+12125550103' },
		);
		const [made] = result.json();
		const added = ['itemsRead', 'contactsSent', 'itemsMerged', 'itemsSkipped', 'merged'];
		expect(added.map((name) => made[name])).toEqual([4, 2, 1, 1, `${phone}: item 0 and item 1`]);
		expect(nested(result.json(), 'contacts')).toEqual([]);
	});

	test('two people with one number are not made one: refused, and both are named', async () => {
		const john = { phone: '+12125550101', name: 'John', email: '' };
		const mary = { phone: '+1 (212) 555-0101', name: 'Mary', email: 'mary@example.com' };
		const result = await listing([john, { phone: '+12125550102', name: 'Ben' }, mary]);
		expect(result.error?.message).toBe(
			`2 of 3 items cannot be sent: +12125550101 is the number of item 0 and item 2, which do not agree: 'Name' is "John" and "Mary". Correct them, or set 'Items That Disagree' to 'Keep the First' [item 0]`,
		);
		expect(await contacts()).toEqual([]);
	});

	test('two people with one number, and the first is to be kept: it gets nothing of the other', async () => {
		const items = [
			{ phone: '+12125550101', name: 'John' },
			{ phone: '+1 (212) 555-0101', name: 'Mary', email: 'mary@example.com' },
			{ phone: '+12125550101', name: 'John', email: 'john@example.com' },
			{ phone: '+12125550102', name: 'Ben' },
		];
		const result = ok(await listing(items, { itemsThatDisagree: 'first' }));
		expect(await contacts()).toEqual([
			{ phone_number: '+12125550101', name: 'John', email: 'john@example.com' },
			{ phone_number: '+12125550102', name: 'Ben' },
		]);
		const [made] = result.json();
		expect([made.itemsRead, made.contactsSent, made.itemsMerged]).toEqual([4, 2, 2]);
		expect(hintsOf(result)).toContain(
			`the first was kept: +12125550101 (item 0, item 1 and item 2: 'Name' is "John" and "Mary").`,
		);
	});

	test('what agrees is merged: a row takes what it lacks', async () => {
		ok(
			await listing([
				{ phone: '+12125550101', name: 'Mary' },
				{ phone: '+12125550101', name: ' mary', email: 'mary@example.com' },
			]),
		);
		expect(await contacts()).toEqual([
			{ phone_number: '+12125550101', name: 'Mary', email: 'mary@example.com' },
		]);
	});
});

describe('the same message twice', () => {
	const text = async (texts: string[], options: INodeParameters = {}, more: object = {}) => {
		const [agent] = await sandbox.state('agents');
		return await run(
			'acpMessages sms.send',
			{
				agent: { __rl: true, mode: 'id', value: agent.agent_uuid },
				phoneNumber: '={{ $json.phone }}',
				message: '={{ $json.text }}',
				options,
			},
			{
				items: texts.map((one, at) => ({
					phone: at % 2 ? '+1 212 555 0101' : '+12125550101',
					text: one,
				})) as never,
				...more,
			},
		);
	};
	const sent = async () =>
		(await sandbox.created('/sms/send')).map(({ body }) => body.text ?? body.message);

	test('two texts to one person are sent', async () => {
		expect(failure(await text(['Your order has left', 'Your order is there']))).toBeUndefined();
		expect(await sent()).toHaveLength(2);
	});

	test('the same text twice: nothing is sent, and the items are named', async () => {
		const result = await text(['Hello', 'Other', 'Hello', 'Hello'], {
			requestKey: '={{ $itemIndex }}',
		});
		expect(failure(result)).toContain(
			'3 of 4 items cannot be sent: item 0, item 2 and item 3 send the same content to the same number, +12125550101',
		);
		expect(await sent()).toEqual([]);
	});

	test('with Both, all are sent; with Continue, only what differs', async () => {
		await text(['Hello', 'Hello'], { sameNumberTwice: 'both' });
		expect(await sent()).toHaveLength(2);
		const result = await text(
			['Hello', 'Other', 'Hello'],
			{},
			{ onError: 'continueRegularOutput' },
		);
		expect(result.json().map(({ errorItem }) => errorItem)).toEqual([0, undefined, 2]);
		expect(await sent()).toHaveLength(3);
	});
});
