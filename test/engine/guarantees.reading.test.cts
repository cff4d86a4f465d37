/**
 * What is read, and what is not: an answer that holds no list is no empty list, a list that moves or is cut short never
 * looks complete, and large numbers stay what they are. What counts is what the platform holds, by its own state.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { promisesOf } from './guarantees/promises.cts';
import { byId, failure, fast, hintsOf, ok } from './guarantees/scene.cts';
import type { FaultRule } from './harness/index.cts';

const platform = usePlatform({ settings: fast, speed: 50 });
const { sandbox, engine, run } = platform;
const { agent, perform, requests } = promisesOf(platform);
const { findOrCreate } = kinds;

const quick = { options: { maxRetries: 1 } };
const all = async (more: INodeParameters = {}) =>
	await run('acpContacts contact.getAll', { returnAll: true, ...more });
const apiRequest = async (more: INodeParameters = {}) =>
	await run('acpContacts otherEndpoint.apiRequest', {
		method: 'GET',
		path: '/contacts',
		paginate: true,
		...more,
	});
const first = async (more: INodeParameters = {}) => {
	const contact = byId((await uuids())[0]);
	return await run('acpContacts contact.get', { contact, simplify: false, ...more });
};
const dropdown = async () => await engine.listSearch('acpContacts', 'searchContacts', {});

/** What a read is answered with, in status 200. */
const shown = (body: unknown): FaultRule['fault'] => ({
	kind: 'status',
	status: 200,
	body: typeof body === 'string' ? body : JSON.stringify(body),
});
/** Every read of contacts, or of something else, is answered like this. */
const answered = async (body: unknown, which: object = {}, path = '^/contacts') =>
	await sandbox.strike(`GET ${path}`, shown(body), which);

const start = async (contacts: number, settings: object = {}): Promise<void> => {
	await sandbox.reset({ contacts, settings: { ...fast, ...settings } });
	engine.credentials = { acpApi: sandbox.credential() };
};
const uuids = async () => (await sandbox.state('contacts')).map(({ uuid }) => uuid as string);
const busy = { message: 'Server busy' };
const bare = (rowsPerPage: number) => ({ manners: { listLayout: 'bare', rowsPerPage } });

/** What platforms, and what stands before them, say with status 200 in place of data. */
const lies: unknown[] = [
	{ error: { code: 'OUT_OF_ORDER', message: 'Out of order.' } },
	{ success: true, data: [], error: { code: 'OUT_OF_ORDER' } },
	{ error: true, message: 'Out of order.' },
	{ errors: [{ title: 'Out of order' }] },
	busy,
	{ status: 'error', messages: ['Server busy'] },
	{ status: 'error', data: null, ...busy },
	{ code: '503', ...busy },
	{ title: 'Service Unavailable', status: 503, detail: 'Try later' },
	{ success: 'false', message: 'Out of order.' },
	{ ok: false },
	{ success: true, message: 'OK' },
	{ data: null, ...busy },
	{ success: true, data: null, meta: { total: 230 } },
	{ success: true, data: {} },
	{},
	'null',
	'"Server busy"',
	'0',
	'Server busy, try again later',
	'',
];
/** These hold no list, and what may be a record. */
const records = [
	{ success: true, data: 'Server busy' },
	{ success: true, data: { state: 'warming up', tags: ['a'], id: 5 } },
];

describe('Evidence: an answer that holds no list is taken for an empty list', () => {
	test.each([...lies, ...records])(
		'%j: an error, and if it comes once, it is asked again',
		async (body) => {
			await answered(body);
			for (const read of [all, apiRequest]) {
				const result = await read(quick);
				expect(result.status).toBe('error');
				expect(failure(result)).toMatch(/\S/);
			}
			expect((await perform(findOrCreate, 1, quick)).status).toBe('error');
			expect(await requests('/contacts')).toEqual([]);
			await expect(dropdown()).rejects.toThrow(/\w+ \w+/);

			await start(30);
			await answered(body, { times: 1 });
			// A refusal that names its reason comes again.
			const isRefusal = JSON.stringify(body).includes('OUT_OF_ORDER');
			const result = await all();
			expect(result.status).toBe(isRefusal ? 'error' : 'success');
			expect(result.json().map(({ uuid }) => uuid)).toEqual(isRefusal ? [] : await uuids());
		},
	);

	test('the sentence names the endpoint, what came, what the platform says and what to do', async () => {
		await answered(busy);
		expect(failure(await all(quick))).toBe(
			'The platform returned no list for GET /contacts | ' +
				'This does not mean that there is none. It returned an object with "message". Try again in a moment. ' +
				"Or look at the response with 'Other Endpoint'. The platform says: Server busy.",
		);
	});

	test('the agents of a trigger and mapped fields: a sentence instead of nothing', async () => {
		await answered(busy, {}, '.');
		await expect(engine.loadOptions('acpTrigger', 'getAgents')).rejects.toThrow(
			'no list for GET /agents',
		);
		const contactFields = await engine.resourceMapping('acpContacts', 'getContactFields');
		expect(contactFields.emptyFieldsNotice).toContain('no list for GET /contacts/fields');
		const parameters = {
			resource: 'agentVoice',
			operation: 'updateVoiceAdvanced',
			agent: byId(await agent()),
		};
		const asked = { parameters, path: 'parameters.fields' };
		const voice = await engine.resourceMapping('acpAgents', 'getVoiceAdvancedFields', asked);
		expect(voice.emptyFieldsNotice).toContain('voice-advanced');
	});

	test.each<[string, object]>([
		['an empty list under data', shown({ success: true, message: 'OK', data: [] })],
		['null as data', shown({ success: true, message: 'No contacts.', data: null })],
		['items without a value', shown({ success: true, data: { items: null } })],
		['a total of 0', shown({ data: { pagination: { total: 0 } } })],
		['an error without content', shown({ data: [], error: null, errors: [] })],
		['status 204', { status: 204, body: '' }],
	])('%s: no records', async (_, fault) => {
		await sandbox.strike('GET ^/contacts', fault);
		for (const read of [all, apiRequest]) expect(ok(await read()).json()).toEqual([]);
		await expect(dropdown()).rejects.toThrow('No contacts in this workspace yet');
	});
});

describe('Evidence: an answer that holds no record is taken for a record', () => {
	test.each([...lies, '[]'])('%j: an error, and no item', async (body) => {
		await answered(body);
		const result = await first(quick);
		expect(result.status).toBe('error');
		expect(failure(result)).toBeDefined();
	});

	test.each(records)('%j: a record', async (body) => {
		await answered(body);
		expect(ok(await first()).json()).toHaveLength(1);
	});

	test.each<IDataObject>([
		{ agent_uuid: 'a', error: { code: 'X', message: 'm' } },
		{ uuid: 'a', status: 'failed', message: 'Hung up' },
		{ message: 'm', status: 'error', code: 500 },
	])('%j under data: a record', async (record) => {
		await answered({ success: true, data: record });
		// n8n would take `error` for that of an item.
		const { error, ...rest } = record;
		expect(ok(await first()).json()).toEqual([{ ...rest, ...(error && { errorDetail: error }) }]);
	});
});

describe('Evidence: a list that changes while it is read is taken for complete', () => {
	const read = async () => {
		const result = ok(await all());
		return { ids: result.json().map(({ uuid }) => uuid as string), hints: hintsOf(result) };
	};

	test.each<object>([{ add: 30 }, { add: 30, at: 'end' }, { remove: 5 }, { add: 40, remove: 10 }])(
		'by %j with each page: every old record once, and a hint',
		async (move) => {
			await start(500, { movingLists: { '/contacts': move } });
			const there = await uuids();
			const { ids, hints } = await read();
			const seen = new Set(ids);
			expect(seen.size).toBe(ids.length);
			expect(there.filter((uuid) => !seen.has(uuid))).toEqual([]);
			expect(hints).toMatch(
				/The list changed while it was read\..*deleted records can hide others/,
			);
		},
	);

	test('nothing changes: no hint, and the pages are read side by side', async () => {
		await start(500, { latencyMs: 20 });
		expect(await read()).toEqual({ ids: await uuids(), hints: '' });
		expect(await requests('/contacts', 'GET')).toHaveLength(5);
		expect((await sandbox.summary()).maxInFlight).toBeGreaterThan(1);
	});
});

describe('Evidence: a list that is cut short is taken for complete', () => {
	const rows = Array.from({ length: 20 }, (_, at) => ({ uuid: `${at}` }));
	test.each<[string, object]>([
		['fewer rows than the total', { data: rows, total: 230, last_page: 1 }],
		['pages that stop before the last', { data: rows, last_page: 5 }],
	])('%s: a hint', async (_, data) => {
		await answered({ success: true, data });
		expect(hintsOf(ok(await all()))).toContain('The list may be incomplete');
	});

	test.each<[string, Parameters<typeof sandbox.strike>[1], number[]]>([
		['that is not found where it was promised', 404, [2]],
		['without a list', shown(busy), [2, 4, 5, 6]],
	])('a page in the middle %s: an error', async (_, fault, nth) => {
		await start(250);
		await sandbox.strike('^/contacts$', fault, { nth });
		expect((await all(quick)).status).toBe('error');
	});
});

describe('Evidence: a part of a list is taken for the whole list', () => {
	const short = { data: { data: [], total: 5 } };
	const isMoving = { movingLists: { '/contacts': { add: 30 } }, manners: { listLayout: 'bare' } };

	test.each<[string, object, Parameters<typeof sandbox.strike> | undefined, string]>([
		['it changes with each page', isMoving, undefined, 'the list changed while it was read'],
		['fewer rows than promised', {}, ['^/contacts$', shown(short)], 'more records than its pages'],
		['a page is refused', bare(60), ['^/contacts$', 404, { nth: 4 }], 'refused a further page'],
	])(
		'Find or Create, %s: nothing is created, and it says why',
		async (_, settings, strike, why) => {
			await start(250, settings);
			if (strike) await sandbox.strike(...strike);
			const said = failure(await perform(findOrCreate));
			expect(said).toContain('It is not known whether the record exists already');
			expect(said).toContain(why);
			expect(await requests('/contacts')).toEqual([]);
		},
	);

	/** Publishes a trigger that must not get that far. @returns what it says */
	const published = async (node: string, parameters: object) => {
		await sandbox.clearLedger();
		const trigger = await engine.trigger(node, parameters as never);
		const said = await trigger.activate().then(
			() => 'published',
			(error: Error) => error.message,
		);
		expect((await sandbox.ledger()).filter(({ method }) => method !== 'GET')).toEqual([]);
		return said;
	};

	test('an agent that does not show its intents: none is created', async () => {
		const uuid = await agent();
		await answered({ data: { agent_uuid: uuid, name: 'Anna' } }, {}, '^/agents/[^/]+$');
		const made = { intentToUse: 'create', intentName: 'Slot', intentDescription: 'Asks' };
		const said = await published('acpIntentTrigger', { agent: uuid, ...made });
		expect(said).toContain('returned no list');
	});

	test.each([
		['the webhooks of an agent', 'acpTrigger', short, '/webhooks$', 'returned no list'],
		['an action of an intent', 'acpIntentTrigger', busy, '/event$', 'returned no record'],
	])('%s are not shown: nothing is published', async (_, node, body, path, says) => {
		const uuid = await agent();
		await answered(body, {}, path);
		const intent = { name: 'Slot', description: 'Asks', parameters: [] };
		const { data } = await sandbox.api.post(`/agents/${uuid}/intents`, intent);
		const of = { agent: uuid, agents: [uuid], intent: data.data.intent_uuid };
		expect(await published(node, of)).toContain(says);
	});
});

describe('Evidence: an unreadable response is taken for "the platform does not tell its time zone"', () => {
	const way = "Choose one under 'Timezone' in the credential or under Options";
	test.each<[string, object, string, string[]]>([
		['each time: the item is refused, and it says what to do', {}, way, ['/agents', '/agents']],
		['once: asked for again', { nth: 1 }, '', ['/agents', '/agents', '/analytics/calls']],
	])('%s', async (title, which, why, paths) => {
		await sandbox.settings({ manners: { zoneUnnamed: true } });
		await answered(busy, which, '^/agents$');
		// What is known of a zone belongs to the token.
		const { token } = await sandbox.addToken('workspace', { label: title });
		await sandbox.clearLedger();
		const result = await run(
			'acpInsights analytics.getCalls',
			{ period: 'custom', from: '2027-07-01T00:00:00', to: '2027-07-02T00:00:00Z', ...quick },
			{ credentials: { acpApi: sandbox.credential({ token }) } },
		);
		expect(failure(result) ?? '').toContain(why);
		expect(result.status).toBe(why ? 'error' : 'success');
		expect((await sandbox.ledger()).map(({ path }) => path)).toEqual(paths);
	});
});

describe('Evidence: a web page is taken for a file', () => {
	test.each([
		['call.mp3', /returned no file.* It returned a web page\./, []],
		['page.html', /^$/, ['data']],
	])('%s: no file, unless it is called a page', async (name, says, files) => {
		const url = `${sandbox.url}/api/v1/agents/${name}`;
		const { uuid } = await sandbox.add('medias', { name, url });
		await sandbox.strike('GET ^/agents/', { kind: 'html', status: 200 });
		const result = await run('acpMedia media.download', { media: byId(uuid), ...quick });
		expect(failure(result) ?? '').toMatch(says);
		expect(result.items().flatMap(({ binary = {} }) => Object.keys(binary))).toEqual(files);
	});
});

describe('Evidence: a large number is taken for its neighbor', () => {
	test('IDs above 2^53 and numbers beyond all: text, each its own', async () => {
		const ids = ['9007199254740993', '9007199254740992', '-12345678901234567890', '1e400'];
		const rows = ids.map(
			(id) => `{"id": ${id}, "text": "id 9007199254740993, \\"1e400\\"", "share": 0.5}`,
		);
		await answered(`{"success": true, "data": [${rows.join()}]}`);
		const text = 'id 9007199254740993, "1e400"';
		expect((await all()).json()).toEqual(ids.map((id) => ({ id, text, share: 0.5 })));
	});

	const written = '{"name": "Anna", "note": "1e400", "about": [12345678901234567890]}';
	const exact = [{ name: 'Anna', note: '1e400', about: ['12345678901234567890'] }];
	const rounded = '={{ { about: { id: 12345678901234567890 } } }}';
	test.each([
		['in the body of API Request: sent as text, as it was written', written, '', exact],
		['in an expression, which rounds it: refused', rounded, 'too large to be exact', []],
	])('%s', async (_, body, why, posted) => {
		expect(failure(await apiRequest({ method: 'POST', body })) ?? '').toContain(why);
		expect((await sandbox.ledger({ method: 'POST' })).map((one) => one.body)).toEqual(posted);
	});

	test('in an ID from an item, which is rounded already: refused, and nothing is deleted', async () => {
		const table = byId('11111111-2222-4333-8444-555555555555');
		const parameters = { table, record: byId('={{ $json.id }}') };
		const items = [{ id: 12345678901234567890 }];
		const result = await run('acpTables record.delete', parameters, { items });
		expect(failure(result)).toContain('too large to be exact');
		expect(await sandbox.ledger()).toEqual([]);
	});
});
