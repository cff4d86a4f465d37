/**
 * Whatever the node itself adds to output items is flat, and on every item of a run or on none: a table behind the node
 * takes one shape (n8n's Data Table refuses lists and objects, and all rows with them).
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	agentOf,
	byId,
	failure,
	fast,
	hintsOf,
	mapped,
	nested,
	ok,
	sms,
} from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, run } = usePlatform({ settings: fast });

const columns = { phone_number: '={{ $json.phone }}', name: '={{ $json.name }}' };
const contacts = mapped({ ...columns, email: '={{ $json.email }}' });
const listing = async (items: IDataObject[], options: INodeParameters = {}) => {
	const parameters = { name: 'Spring', contacts, options };
	return await run('acpOutreach listing.createFromItems', parameters, { items });
};

test('what nothing proves: the response is text, and the others have its fields', async () => {
	await sandbox.strike('^/call$', { status: 200, body: 'Service busy' }, { nth: 1 });
	const agent = byId(await agentOf(sandbox));
	const parameters = { agent, phoneNumber: '={{ $json.phone }}', options: { concurrency: 1 } };
	const items = [{ phone: '+12125550101' }, { phone: '+12125550102' }];
	const [first, second] = ok(await run('acpCalls call.start', parameters, { items })).json();
	expect([first, second].map((json) => json.acceptedWithoutProof)).toEqual([true, null]);
	expect(Object.keys(first).filter((name) => !(name in second))).toEqual([]);
	expect(typeof first.response).toBe('string');
});

describe('a listing', () => {
	const sent = async () =>
		(await sandbox.created('/listings')).flatMap(({ body }) => body.contacts);

	test('who is skipped keeps the fields of the item, and has the same ones whoever it is', async () => {
		const options = { skipNumbers: '+12125550101, ada@example.com' };
		const row = { phone: '+12125550101', email: '', reason: 'mine' };
		const items = [row, { ...row, phone: '+12125550102', email: 'ada@example.com' }];
		const skipped = (await listing(items, options)).json('Node', 1);
		expect(skipped).toMatchObject([{ reason: 'skip_numbers' }, { reason: 'skip_numbers' }]);
		for (const one of skipped)
			expect(Object.keys(one)).toEqual(['phone_number', 'email', 'reason', 'message', 'phone']);
	});

	test('what the node says of its items is flat', async () => {
		const phone = '+12125550101';
		const phones = [phone, '+1 212 555 0101', '+12125550102', '+12125550103'];
		const items = phones.map((one) => ({ phone: one }));
		const result = await listing(items, { batchSize: 2, skipNumbers: '+12125550103' });
		const counts = { itemsRead: 4, contactsSent: 2, itemsMerged: 1, itemsSkipped: 1 };
		const merged = `${phone}: item 0 and item 1`;
		expect(result.json()).toMatchObject([{ ...counts, merged }]);
		expect(nested(result.json(), 'contacts')).toEqual([]);
	});

	test('two people with one number are not made one: refused, and both are named', async () => {
		const phone = '+12125550101';
		const { error } = await listing(['John', 'Mary'].map((name) => ({ phone, name })));
		expect(error?.message).toMatch(
			/is the number of item 0 and item 1, which do not agree: 'Name' is "John" and "Mary"/,
		);
		expect(await sent()).toEqual([]);
	});

	test('two people with one number, and the first is to be kept: it gets nothing of the other', async () => {
		const items = [
			{ phone: '+12125550101', name: 'John' },
			{ phone: '+1 (212) 555-0101', name: 'Mary', email: 'mary@example.com' },
			{ phone: '+12125550101', name: 'John', email: 'john@example.com' },
		];
		const result = ok(await listing(items, { itemsThatDisagree: 'first' }));
		const john = { phone_number: '+12125550101', name: 'John', email: 'john@example.com' };
		expect(await sent()).toEqual([john]);
		expect(result.json()).toMatchObject([{ itemsRead: 3, contactsSent: 1, itemsMerged: 2 }]);
		expect(hintsOf(result)).toContain(
			`the first was kept: +12125550101 (item 0, item 1 and item 2: 'Name' is "John" and "Mary").`,
		);
	});

	test('what agrees is merged: a row takes what it lacks', async () => {
		const phone = '+12125550101';
		const mary = { name: 'Mary', email: 'mary@example.com' };
		const items = [{ name: 'Mary' }, { ...mary, name: ' mary' }];
		ok(await listing(items.map((one) => ({ phone, ...one }))));
		expect(await sent()).toEqual([{ phone_number: phone, ...mary }]);
	});
});

describe('the same message twice', () => {
	const phones = ['+12125550101', '+1 212 555 0101'];
	const text = async (texts: string[], options: INodeParameters = {}, more: object = {}) =>
		await run('acpMessages', sms(await agentOf(sandbox), options), {
			items: texts.map((one, at) => ({ phone: phones[at % 2]!, text: one })),
			...more,
		});
	const sent = async () => await sandbox.created('/sms/send');

	test('the same text twice: nothing is sent, and the items are named', async () => {
		const key = { requestKey: '={{ $itemIndex }}' };
		expect(failure(await text(['Hello', 'Other', 'Hello', 'Hello'], key))).toContain(
			'3 of 4 items cannot be sent: item 0, item 2 and item 3 send the same content to the same number, +12125550101',
		);
		expect(await sent()).toEqual([]);
	});

	test('with Both, all are sent; with Continue, only what differs', async () => {
		await text(['Hello', 'Hello'], { sameNumberTwice: 'both' });
		expect(await sent()).toHaveLength(2);
		const onError = 'continueRegularOutput';
		const result = await text(['Hello', 'Other', 'Hello'], {}, { onError });
		expect(result.json().map(({ errorItem }) => errorItem)).toEqual([0, undefined, 2]);
		expect(await sent()).toHaveLength(3);
	});
});
