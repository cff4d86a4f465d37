/** Where the form of a request is our guess and the platform refuses it, there is a way out. Nothing happens twice. */
import type { IDataObject } from 'n8n-workflow';
import { type Kind, kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { hit, lost, promisesOf } from './guarantees/promises.cts';
import { byId, hintsOf, mapped, ok, tableWith } from './guarantees/scene.cts';

const platform = usePlatform({ speed: 50 });
const { sandbox, engine, run } = platform;
const { given, perform, promises, requests } = promisesOf(platform);
const { task } = kinds;

const listing: Kind = {
	...kinds.listing,
	parameters: (agent) => ({ ...kinds.listing.parameters(agent), autoStart: false }),
};
const refusal = (field: string, message: string, nth: number | 'all' = 'all') =>
	hit({
		status: 422,
		body: { success: false, message, error: { code: 'VALIDATION_ERROR', field } },
	})(nth);
/** What became of each request, and whether it had a key. */
const keysAt = async ({ path }: Kind) =>
	(await requests(path)).map(({ body, effect }) => [body.request_key !== undefined, effect]);

describe('Guarantee: a guessed request key that the platform refuses stops nothing, and nothing happens twice', () => {
	// A process remembers which workspace refuses keys.
	beforeEach(async () => await engine.forget());
	const created = [false, 'created'];
	test.each([
		['the field is named', 'field', listing],
		['the message alone names it', 'message', task],
	])(
		'%s, with Concurrency 1: sent once without it, and the next items do without at once',
		async (_, guessedKeys, kind) => {
			await given(kind, { manners: { guessedKeys } });
			const options = { concurrency: 1 };
			const said = 'does not accept a request key here, so the request was sent without one';
			expect(hintsOf(ok(await perform(kind, 3, { options })))).toContain(said);
			expect(await keysAt(kind)).toEqual([[true, 'rejected'], created, created, created]);
			await sandbox.clearLedger();
			expect(hintsOf(await perform(kind, 1, { options }))).toContain(said);
			expect(await keysAt(kind)).toEqual([created]);
		},
	);

	test('a key that stands for another request already is not left out: nothing is created', async () => {
		await given(listing, { manners: { guessedKeys: 'taken' } });
		const keyed = { options: { requestKey: 'order-1' } };
		ok(await perform(listing, 1, keyed));
		const again = await perform(listing, 1, keyed);
		expect(again.error?.message).toContain('The request_key has already been used');
		expect(await keysAt(listing)).toEqual([
			[true, 'created'],
			[true, 'rejected'],
		]);
	});

	promises({
		'another refusal is told as it is: nothing is sent a second time': {
			does: listing,
			when: {
				manners: { guessedKeys: 'field' },
				strikes: [refusal('name', 'The name is too long.')],
			},
			then: { fails: "The platform did not accept 'Name'", requests: 1 },
		},
		'the second request is lost after acceptance: found in the list, not created again': {
			does: kinds.listing,
			when: { manners: { guessedKeys: 'field' }, strikes: [lost(2)] },
			then: {
				hints: 'It was found on the platform and not created again',
				requests: 2,
				there: { listings: 1 },
			},
		},
	});
});

describe('Guarantee: a listing is what the platform takes for one', () => {
	const empty: Kind = {
		node: 'acpOutreach listing.create',
		parameters: () => ({ name: 'Empty', additionalFields: { ruleType: 'whatsapp' } }),
		path: '/listings',
	};
	promises({
		'the platform wants contacts: it says so, and nothing is created': {
			does: empty,
			when: { manners: { strictListings: true } },
			then: { fails: "The platform did not accept 'Contacts'", there: { listings: 0 } },
		},
	});

	test('no contacts, and a rule for WhatsApp: sent as it is', async () => {
		ok(await perform(empty));
		expect((await requests('/listings')).map(({ body }) => body)).toMatchObject([
			{ name: 'Empty', contacts: [], rule: { type: 'whatsapp' } },
		]);
	});
});

describe('Guarantee: a deletion carries nothing but its address', () => {
	test.each([
		['by its own operation', 'contact.delete'],
		['by API Request', 'otherEndpoint.apiRequest'],
	])('%s', async (_, operation) => {
		const [{ uuid }] = await sandbox.state('contacts');
		const path = `/contacts/${uuid}`;
		await sandbox.settings({ manners: { bareDeletes: true } });
		ok(await run(`acpContacts ${operation}`, { contact: byId(uuid), method: 'DELETE', path }));
		const [request] = await sandbox.ledger({ method: 'DELETE' });
		expect(request).toMatchObject({ path, effect: 'changed' });
		const sent = Object.keys(request!.headers);
		expect(sent.filter((name) => /^content-type$|^transfer-encoding$/.test(name))).toEqual([]);
	});
});

describe('Guarantee: what is not known of a table stops no record, and none is written twice', () => {
	const types = { product: 'text', price: 'number', active: 'boolean', details: 'json' };
	let table: ReturnType<typeof byId>;
	beforeEach(async () => {
		table = byId(await tableWith(sandbox, types));
	});

	const row = { product: 'Lamp', price: '12.5', active: 'yes', details: '{"colors":["red"]}' };
	const typed = { product: 'Lamp', price: 12.5, active: true, details: { colors: ['red'] } };
	const texts = { product: 'Lamp', price: '12.5', active: 'true', details: '{"colors":["red"]}' };
	const recordOf = (value: IDataObject): Kind => ({
		node: 'acpTables record.create',
		parameters: () => ({ table, columns: mapped(value) }),
		path: '/data/[^/]+/records',
	});
	const record = recordOf(row);
	const update = async (value: IDataObject) => {
		const [{ uuid }] = await sandbox.state('records');
		const columns = mapped(value);
		ok(await run('acpTables record.update', { table, record: byId(uuid), columns }));
	};
	const writes = async () =>
		(await sandbox.ledger())
			.filter(({ method, path }) => method !== 'GET' && path.includes('/records'))
			.map(({ body, effect }) => [body.record, effect]);

	test('values of another type than text are refused: sent once more as text', async () => {
		await sandbox.settings({ manners: { textCells: true } });
		expect(hintsOf(ok(await perform(record)))).toContain('so the record was sent as text');
		await update({ price: 13 });
		expect(await writes()).toEqual([
			[typed, 'rejected'],
			[texts, 'created'],
			[{ price: 13 }, 'rejected'],
			[{ price: '13' }, 'changed'],
		]);
	});

	promises({
		'refused for another column: told as it is, sent once': {
			does: record,
			when: { strikes: [refusal('record.product', 'The product is not known.')] },
			then: { fails: 'The product is not known', requests: 1 },
		},
		'the answer to the first form is lost: not sent in the other one': {
			does: record,
			when: { strikes: [lost()] },
			then: { fails: 'request may have gone through', requests: 1, there: { records: 1 } },
		},
		'refused after a try whose answer was lost, with Retry Writes: nobody knows, so the other form is not sent':
			{
				does: record,
				when: {
					options: { retryWrites: true },
					strikes: [lost(), refusal('record.price', 'The price must be a string.', 2)],
				},
				then: { fails: 'must be a string', requests: 2, there: { records: 1 } },
			},
		'neither form is accepted: the refusal of the first is told, and nothing is written': {
			does: record,
			when: { strikes: [refusal('record.price', 'Too cheap.', 1)] },
			then: { fails: 'Too cheap', requests: 2, there: { records: 0 } },
		},
	});

	test('the columns cannot be read: values leave as they came', async () => {
		await sandbox.settings({ manners: { noTableFields: true } });
		const lamp = { product: 'Lamp', price: 12.5 };
		const created = ok(await perform(recordOf(lamp)));
		expect(hintsOf(created)).toContain("The table's columns could not be read");
		await update({ price: 13 });
		expect(await writes()).toEqual([
			[lamp, 'created'],
			[{ price: 13 }, 'changed'],
		]);
	});

	test.each<[string, object, boolean]>([
		['there is no such endpoint', { status: 404, code: 'ENDPOINT_NOT_FOUND' }, true],
		['the endpoint takes no GET', { status: 405 }, true],
		['the table is not there', { status: 404, code: 'RESOURCE_NOT_FOUND' }, false],
	])(
		'the columns cannot be listed, because %s: the editor offers to map automatically, unless nothing can be mapped',
		async (_, fault, isOffered) => {
			await sandbox.strike('/fields$', fault);
			const { fields, emptyFieldsNotice } = await engine.resourceMapping(
				'acpTables',
				'getTableFields',
				{
					parameters: { resource: 'record', operation: 'create', table },
					path: 'parameters.columns',
				},
			);
			expect(fields).toEqual([]);
			expect(emptyFieldsNotice).toMatch(/\w+ \w+/);
			expect(emptyFieldsNotice!.includes("'Map Automatically'")).toBe(isOffered);
		},
	);
});
