/** Where the form of a request is our guess and the platform refuses it, there is a way out. Nothing happens twice. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { byId, failure, hintsOf, ok } from './guarantees/scene.cts';

const { sandbox, engine } = usePlatform({ speed: 10 });

const manners = async (turnedOn: object) => {
	await sandbox.settings({ manners: turnedOn });
	await sandbox.clearLedger();
};
const posts = async (path: string) =>
	(await sandbox.ledger({ method: 'POST' })).filter((entry) => entry.path.endsWith(path));
const refusal = (field: string, message: string) => ({
	kind: 'status' as const,
	status: 422,
	body: { success: false, message, error: { code: 'VALIDATION_ERROR', field } },
});

/** The same workspace under another name, which n8n takes for another one, so that nothing is remembered of it. */
const useOtherName = () => {
	const credential = sandbox.credential();
	const baseUrl = String(credential.baseUrl).replace('127.0.0.1', 'localhost');
	engine.credentials = { acpApi: { ...credential, baseUrl } };
};

describe('Guarantee: a guessed request key that the platform refuses stops nothing, and nothing happens twice', () => {
	const listing = (more: INodeParameters = {}): INodeParameters => ({
		resource: 'listing',
		operation: 'create',
		name: '={{ $json.name }}',
		contacts: { values: [{ phoneNumber: '+14155550001' }] },
		...more,
	});
	const task = (agent: string, more: INodeParameters = {}): INodeParameters => ({
		resource: 'task',
		operation: 'create',
		title: '={{ $json.name }}',
		agent: byId(agent),
		type: 'make_call',
		scheduledAt: '2035-03-01T10:00:00Z',
		phoneNumber: '+14155550001',
		...more,
	});
	const run = async (parameters: INodeParameters, names: string[]) =>
		await engine.runNode('acpOutreach', parameters, {
			items: names.map((name) => ({ name })),
		});
	const keysAt = async (path: string) =>
		(await posts(path)).map(({ body, effect }) => [body.request_key !== undefined, effect]);

	const ways: Array<
		[string, string, (agent: string, more?: INodeParameters) => INodeParameters, string]
	> = [
		['the field is named', 'field', (_, more) => listing(more), '/listings'],
		['the message alone names it', 'message', task, '/tasks'],
	];

	test.each(ways)('%s: each item is sent once without it', async (_, way, of, path) => {
		const agent = (await sandbox.state('agents'))[0].agent_uuid;
		await manners({ guessedKeys: way });
		const names = ['One', 'Two', 'Three'];
		const result = ok(await run(of(agent), names));
		const done = (await posts(path)).filter(({ effect }) => effect === 'created');
		expect(done.map(({ body }) => body.request_key)).toEqual(names.map(() => undefined));
		expect(done.map(({ body }) => body.name ?? body.title).sort()).toEqual([...names].sort());
		expect(hintsOf(result)).toContain('so the request was sent without one');
	});

	test.each(ways)(
		'%s, with Concurrency 1: sent once without it, and the next items do without at once',
		async (_, way, of, path) => {
			useOtherName();
			const agent = (await sandbox.state('agents'))[0].agent_uuid;
			await manners({ guessedKeys: way });
			const options = { concurrency: 1 };
			const result = ok(await run(of(agent, { options }), ['One', 'Two', 'Three']));
			expect(await keysAt(path)).toEqual([
				[true, 'rejected'],
				[false, 'created'],
				[false, 'created'],
				[false, 'created'],
			]);
			expect(hintsOf(result)).toContain(
				'does not accept a request key here, so the request was sent without one',
			);

			await sandbox.clearLedger();
			const later = await run(of(agent, { options }), ['Four']);
			expect(await keysAt(path)).toEqual([[false, 'created']]);
			expect(hintsOf(later)).toContain('does not accept a request key');
		},
	);

	test('a key that stands for another request already is not left out: nothing is created', async () => {
		// Both names are known by now to refuse keys.
		await engine.restart();
		await manners({ guessedKeys: 'taken' });
		const keyed = listing({ options: { requestKey: 'order-1' } });
		ok(await run(keyed, ['One']));
		const again = await run(keyed, ['One']);
		expect(again.error?.message).toContain('The request_key has already been used');
		expect(await keysAt('/listings')).toEqual([
			[true, 'created'],
			[true, 'rejected'],
		]);
	});

	test('another refusal is told as it is: nothing is sent a second time', async () => {
		await manners({ guessedKeys: 'field' });
		await sandbox.strike('POST ^/listings$', refusal('name', 'The name is too long.'));
		const result = await run(listing(), ['One']);
		expect(result.error?.message).toContain("The platform did not accept 'Name'");
		expect(await posts('/listings')).toHaveLength(1);
	});

	test('the second request is lost after acceptance: found in the list, not created again', async () => {
		const agent = (await sandbox.state('agents'))[0].agent_uuid;
		await manners({ guessedKeys: 'field' });
		await sandbox.strike('POST ^/listings$', 'reset-after', { nth: 2 });
		const started = listing({ autoStart: true, agent: byId(agent) });
		const result = ok(await run(started, ['Now']));
		expect(await keysAt('/listings')).toEqual([
			[true, 'rejected'],
			[false, 'created'],
		]);
		expect(await sandbox.state('listings')).toHaveLength(1);
		expect(hintsOf(result)).toContain('It was found on the platform and not created again');
	});
});

describe('Guarantee: a listing is what the platform takes for one', () => {
	const listing = (): INodeParameters => ({
		resource: 'listing',
		operation: 'create',
		name: 'Empty',
		additionalFields: { ruleType: 'whatsapp' },
	});
	const run = async (parameters: INodeParameters) =>
		await engine.runNode('acpOutreach', parameters);

	test('no contacts, and a rule for WhatsApp: sent as it is', async () => {
		ok(await run(listing()));
		expect((await posts('/listings')).map(({ body }) => body)).toMatchObject([
			{ name: 'Empty', contacts: [], rule: { type: 'whatsapp' } },
		]);
	});

	test('the platform wants contacts: it says so, and nothing is created', async () => {
		await manners({ strictListings: true });
		const result = await run(listing());
		expect(result.error?.message).toContain("The platform did not accept 'Contacts'");
		expect(await sandbox.created()).toEqual([]);
	});
});

describe('Guarantee: a deletion carries nothing but its address', () => {
	test.each(['by its own operation', 'by API Request'])('%s', async (way) => {
		const { data } = await sandbox.api.post('/contacts', { name: 'Zoe' });
		const { uuid } = data.data as { uuid: string };
		await manners({ bareDeletes: true });
		ok(
			await engine.runNode(
				'acpContacts',
				way === 'by API Request'
					? {
							resource: 'otherEndpoint',
							operation: 'apiRequest',
							method: 'DELETE',
							path: `/contacts/${uuid}`,
						}
					: { resource: 'contact', operation: 'delete', contact: byId(uuid) },
			),
		);
		const [request] = await sandbox.ledger({ method: 'DELETE' });
		expect(request).toMatchObject({ path: `/contacts/${uuid}`, effect: 'changed' });
		expect(Object.keys(request!.headers)).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/^content-type$|^transfer-encoding$/)]),
		);
	});
});

describe('Guarantee: what is not known of a table stops no record, and none is written twice', () => {
	const table = async () => {
		const { data } = await sandbox.api.post('/data/tables', {
			name: 'Prices',
			columns: [
				{ name: 'product', data_type: 'text' },
				{ name: 'price', data_type: 'number' },
				{ name: 'active', data_type: 'boolean' },
				{ name: 'details', data_type: 'json' },
			],
		});
		return data.data.uuid as string;
	};
	const record = (uuid: string, value: IDataObject, more: INodeParameters = {}) => ({
		resource: 'record',
		operation: 'create',
		table: byId(uuid),
		columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
		...more,
	});
	const run = async (parameters: object) =>
		await engine.runNode('acpTables', parameters as INodeParameters);
	const writes = async () =>
		(await sandbox.ledger())
			.filter(({ method, path }) => method !== 'GET' && path.includes('/records'))
			.map(({ body, effect }) => [body.record, effect]);
	const row = { product: 'Lamp', price: '12.5', active: 'yes', details: '{"colors":["red"]}' };
	const typed = { product: 'Lamp', price: 12.5, active: true, details: { colors: ['red'] } };
	const texts = { product: 'Lamp', price: '12.5', active: 'true', details: '{"colors":["red"]}' };

	test('values of another type than text are refused: sent once more as text', async () => {
		const uuid = await table();
		await manners({ textCells: true });
		const created = ok(await run(record(uuid, row)));
		expect(await writes()).toEqual([
			[typed, 'rejected'],
			[texts, 'created'],
		]);
		expect(hintsOf(created)).toContain('so the record was sent as text');
		await sandbox.clearLedger();
		const [{ uuid: one }] = await sandbox.state('records');
		const change = { operation: 'update', record: byId(one) };
		ok(await run(record(uuid, { price: 13 }, change)));
		expect(await writes()).toEqual([
			[{ price: 13 }, 'rejected'],
			[{ price: '13' }, 'changed'],
		]);
	});

	test('refused for another column: told as it is, sent once', async () => {
		const uuid = await table();
		await sandbox.strike('POST /records$', refusal('record.product', 'The product is not known.'));
		const result = await run(record(uuid, row));
		expect(result.error?.message).toContain('The product is not known');
		expect(await posts('/records')).toHaveLength(1);
	});

	test('the answer to the first form is lost: not sent in the other one', async () => {
		const uuid = await table();
		await sandbox.strike('POST /records$', 'reset-after', { nth: 1 });
		const result = await run(record(uuid, row));
		expect(result.error?.description).toContain('request may have gone through');
		expect(await sandbox.state('records')).toHaveLength(1);
		expect(await posts('/records')).toHaveLength(1);
	});

	test('refused after a try whose answer was lost, with Retry Writes: nobody knows, so the other form is not sent', async () => {
		const uuid = await table();
		await sandbox.strike('POST /records$', 'reset-after', { nth: 1 });
		await sandbox.strike(
			'POST /records$',
			refusal('record.price', 'The field record.price must be a string.'),
			{ nth: 2 },
		);
		const result = await run(record(uuid, row, { options: { retryWrites: true } }));
		expect(result.error?.message).toContain('must be a string');
		expect(await posts('/records')).toHaveLength(2);
		expect(await sandbox.state('records')).toHaveLength(1);
	});

	test('neither form is accepted: the refusal of the first is told, and nothing is written', async () => {
		const uuid = await table();
		await sandbox.strike('POST /records$', refusal('record.price', 'Too cheap.'), { nth: 1 });
		const result = await run(record(uuid, row));
		expect(result.error?.message).toContain('Too cheap');
		expect(await posts('/records')).toHaveLength(2);
		expect(await sandbox.state('records')).toEqual([]);
	});

	test('the columns cannot be read: values leave as they came', async () => {
		const uuid = await table();
		await manners({ noTableFields: true });
		const created = ok(await run(record(uuid, { product: 'Lamp', price: 12.5 })));
		expect(hintsOf(created)).toContain("The table's columns could not be read");
		const [{ uuid: one }] = await sandbox.state('records');
		const change = { operation: 'update', record: byId(one) };
		expect(failure(await run(record(uuid, { price: 13 }, change)))).toBeUndefined();
		expect(await writes()).toEqual([
			[{ product: 'Lamp', price: 12.5 }, 'created'],
			[{ price: 13 }, 'changed'],
		]);
		const { fields, emptyFieldsNotice } = await engine.resourceMapping(
			'acpTables',
			'getTableFields',
			{
				parameters: { resource: 'record', operation: 'create', table: byId(uuid) } as never,
				path: 'parameters.columns',
			},
		);
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toContain("'Map Automatically'");
	});
});
