/**
 * What is read, and what is not: an answer that holds no list is no empty list, a list that moves or is cut short never
 * looks complete, and large numbers stay what they are. What counts is what the platform holds, by its own state.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { promisesOf } from './guarantees/promises.cts';
import { byId, failure, fast, hintsOf, mapped, ok } from './guarantees/scene.cts';
import type { FaultRule } from './harness/index.cts';

const platform = usePlatform({ settings: fast, speed: 50 });
const { sandbox, engine, run } = platform;
const { agent, perform, promises, requests } = promisesOf(platform);
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
const lies: Array<[string, unknown]> = [
	['an error object', { error: { code: 'OUT_OF_ORDER', message: 'Out of order.' } }],
	['an error in words', { error: 'The list is out of order' }],
	['an error as a flag', { error: true, message: 'Out of order.' }],
	['errors', { errors: [{ title: 'Out of order' }] }],
	['a message alone', busy],
	['a message in a list of its own', { status: 'error', messages: ['Server busy'] }],
	['status error', { status: 'error' }],
	['status error with null', { status: 'error', data: null, ...busy }],
	['a code of an error', { code: 500 }],
	['a code as text', { code: '503', ...busy }],
	['a status number', { title: 'Service Unavailable', status: 503, detail: 'Try later' }],
	['null beside an error', { data: null, error: { code: 'OUT_OF_ORDER' } }],
	['success beside an error', { success: true, data: [], error: { code: 'OUT_OF_ORDER' } }],
	['success as text', { success: 'false', message: 'Out of order.' }],
	['ok: false', { ok: false }],
	['success without data', { success: true, message: 'OK' }],
	['null beside a message', { data: null, ...busy }],
	['a text under data', { success: true, data: 'Server busy' }],
	['an object under data', { success: true, data: { state: 'warming up', tags: ['a'], id: 5 } }],
	['null although there are some', { success: true, data: null, meta: { total: 230 } }],
	['an empty object', {}],
	['an empty object under data', { success: true, data: {} }],
	['null', 'null'],
	['a JSON text', '"Server busy"'],
	['a number', '0'],
	['a plain text', 'Server busy, try again later'],
	['no body', ''],
];

describe('Evidence: an answer that holds no list is taken for an empty list', () => {
	test.each(lies)('%s: an error and no item, and a sentence in a dropdown', async (_, body) => {
		await answered(body);
		for (const read of [all, apiRequest]) {
			const result = await read(quick);
			expect(result.status).toBe('error');
			expect(failure(result)).toMatch(/\S/);
		}
		expect((await perform(findOrCreate, 1, quick)).status).toBe('error');
		expect(await requests('/contacts')).toEqual([]);
		await expect(dropdown()).rejects.toThrow(/\w+ \w+/);
	});

	test.each(lies)('%s once: asked for again', async (_, body) => {
		await answered(body, { times: 1 });
		const there = await uuids();
		expect(there.length).toBeGreaterThan(20);
		const result = await all();
		const told = JSON.stringify(body).includes('OUT_OF_ORDER');
		// A refusal that names its reason comes again.
		expect(result.status).toBe(told ? 'error' : 'success');
		expect(result.json().map(({ uuid }) => uuid)).toEqual(told ? [] : there);
	});

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
		['a bare empty list', shown('[]')],
		['null as data', shown({ success: true, message: 'No contacts.', data: null })],
		['null and nothing else', shown({ data: null })],
		['no items', shown({ data: { items: [] } })],
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
	const isRecord = ([name]: [string, unknown]) => /^an? (object|text) under data$/.test(name);
	const empty: typeof lies = [
		['an empty list', '[]'],
		['an empty list under data', { data: [] }],
	];

	test.each([...lies.filter((lie) => !isRecord(lie)), ...empty])(
		'%s: an error, and no item',
		async (_, body) => {
			await answered(body);
			const result = await first(quick);
			expect(result.status).toBe('error');
			expect(failure(result)).toBeDefined();
		},
	);

	test.each(lies.filter(isRecord))('%s: a record', async (_, body) => {
		await answered(body);
		expect(ok(await first()).json()).toHaveLength(1);
	});

	test.each<[string, IDataObject]>([
		['an agent with an error', { agent_uuid: 'a', error: { code: 'X', message: 'm' } }],
		['a conversation that failed', { uuid: 'a', status: 'failed', message: 'Hung up' }],
		['a log with a code', { id: 5, code: 500, message: 'm' }],
		['what looks like an error', { message: 'm', status: 'error', name: 'n' }],
	])('%s under data: a record', async (_, record) => {
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

	test.each([
		['30 records come in at the top with each page', { add: 30 }],
		['30 records come in at the end with each page', { add: 30, at: 'end' }],
		['5 of the first are deleted with each page', { remove: 5 }],
		['40 come in and 10 are deleted', { add: 40, remove: 10 }],
	])('%s: every old record once, and a hint', async (_, move) => {
		await start(500, { movingLists: { '/contacts': move } });
		const there = await uuids();
		expect(there).toHaveLength(500);
		const { ids, hints } = await read();
		const seen = new Set(ids);
		expect(seen.size).toBe(ids.length);
		expect(there.filter((uuid) => !seen.has(uuid))).toEqual([]);
		expect(hints).toContain('The list changed while it was read.');
		expect(hints).toContain('deleted records can hide others');
	});

	test('nothing changes: no hint, and the pages are read side by side', async () => {
		await start(500, { latencyMs: 20 });
		expect(await read()).toEqual({ ids: await uuids(), hints: '' });
		expect(await requests('/contacts', 'GET')).toHaveLength(5);
		expect((await sandbox.summary()).maxInFlight).toBeGreaterThan(1);
	});
});

describe('Evidence: a list that is cut short is taken for complete', () => {
	const page = (count: number, about: object) => ({
		success: true,
		data: { data: Array.from({ length: count }, (_, at) => ({ uuid: `${at}` })), ...about },
	});

	test.each<[string, unknown]>([
		['fewer rows than the total', page(20, { total: 230, last_page: 1 })],
		['no rows of a total', page(0, { total: 230 })],
		['pages that stop before the last', page(20, { last_page: 5 })],
	])('%s: a hint', async (_, body) => {
		await answered(body);
		expect(hintsOf(ok(await all()))).toContain('The list may be incomplete');
	});

	test.each<[string, Parameters<typeof sandbox.strike>[1], number[]]>([
		['that is not found: an error where it was promised', 404, [2]],
		['without a list: an error', shown(busy), [2, 4, 5, 6]],
	])('a page in the middle %s', async (_, fault, nth) => {
		await start(250);
		await sandbox.strike('^/contacts$', fault, { nth });
		expect((await all(quick)).status).toBe('error');
	});
});

describe('Evidence: a part of a list is taken for the whole list', () => {
	const short = { data: { data: [], total: 5 } };
	const isMoving = { movingLists: { '/contacts': { add: 30 } }, manners: { listLayout: 'bare' } };

	test.each<[string, object, Parameters<typeof sandbox.strike> | undefined, string]>([
		['the list changes with each page', isMoving, undefined, 'the list changed while it was read'],
		[
			'fewer rows than promised',
			{},
			['^/contacts$', shown(short)],
			'has more records than its pages',
		],
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
	const intent = { name: 'Slot', description: 'Asks', parameters: [] };

	test('the webhooks of an agent, fewer than promised: nothing is published', async () => {
		await answered(short, {}, '/webhooks$');
		const said = await published('acpTrigger', { agents: [await agent()] });
		expect(said).toContain('returned no list for GET /agents');
	});

	test('an agent that does not show its intents: none is created', async () => {
		const uuid = await agent();
		await answered({ data: { agent_uuid: uuid, name: 'Anna' } }, {}, '^/agents/[^/]+$');
		const made = { intentToUse: 'create', intentName: 'Slot', intentDescription: 'Asks' };
		const said = await published('acpIntentTrigger', { agent: uuid, ...made });
		expect(said).toContain('returned no list');
	});

	test('an action of an intent that is not shown: it is not replaced', async () => {
		const uuid = await agent();
		await answered(busy, {}, '/event$');
		const { data } = await sandbox.api.post(`/agents/${uuid}/intents`, intent);
		const of = { agent: uuid, intent: data.data.intent_uuid };
		expect(await published('acpIntentTrigger', of)).toContain('returned no record');
	});
});

describe('Evidence: columns that nobody could read are taken for columns of any type', () => {
	const record = async (more: INodeParameters = {}) => {
		const table = { name: 'Prices', columns: [{ name: 'price', data_type: 'number' }] };
		const { data } = await sandbox.api.post('/data/tables', table);
		const columns = mapped({ price: 12.5 });
		return await run('acpTables record.create', { table: byId(data.data.uuid), columns, ...more });
	};
	const written = async () =>
		(await requests('/data/[^/]+/records')).map(({ body }) => body.record);

	test.each<[string, unknown]>([
		['an object in their place', { data: { title: 'Prices', id: 5 } }],
		['an empty list', { data: [] }],
		['columns without a name', { data: [{ label: 'price' }] }],
	])('%s: the values leave unchanged, and a hint says so', async (_, body) => {
		await answered(body, {}, '/fields$');
		expect(hintsOf(ok(await record()))).toContain("The table's columns could not be read");
		expect(await written()).toEqual([{ price: 12.5 }]);
	});

	test('a message in their place: the record is refused', async () => {
		await answered(busy, {}, '/fields$');
		expect(failure(await record(quick))).toContain('returned no record for GET /data');
		expect(await written()).toEqual([]);
	});
});

describe('Evidence: an unreadable response is taken for "the platform does not tell its time zone"', () => {
	test.each<[string, object, string | undefined, string[]]>([
		[
			'each time: the item is refused, and it says how to set the time zone',
			{},
			"Choose one under 'Timezone' in the credential or under Options",
			['/agents', '/agents'],
		],
		['once: asked for again', { nth: 1 }, undefined, ['/agents', '/agents', '/analytics/calls']],
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
		expect(failure(result) ?? '').toContain(why ?? '');
		expect(result.status).toBe(why ? 'error' : 'success');
		expect((await sandbox.ledger()).map(({ path }) => path)).toEqual(paths);
	});
});

describe('Evidence: a web page is taken for a file', () => {
	const download = async (name: string) => {
		await sandbox.addMany('medias', 1, () => ({}));
		const [{ uuid }] = await sandbox.state('medias');
		await sandbox.change('medias', uuid, { url: `${sandbox.url}/api/v1/agents/${name}` });
		await sandbox.strike('GET ^/agents/', { kind: 'html', status: 200 });
		return await run('acpMedia media.download', { media: byId(uuid), ...quick });
	};

	test('a page in the place of a recording: an error, and no file', async () => {
		const why = failure(await download('call.mp3'));
		expect(why).toContain('returned no file');
		expect(why).toContain('It returned a web page.');
	});

	test('a file that is called a page: the file', async () => {
		const [item] = ok(await download('page.html')).items();
		expect(Object.keys(item!.binary ?? {})).toEqual(['data']);
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
	test.each<[string, string, string | undefined, object[]]>([
		[
			'in the body of API Request: sent as text, as it was written',
			written,
			undefined,
			[{ name: 'Anna', note: '1e400', about: ['12345678901234567890'] }],
		],
		[
			'in an expression of API Request, which rounds it: refused, and nothing is sent',
			'={{ { about: { id: 12345678901234567890 } } }}',
			'too large to be exact. Pass it as text, in quotes',
			[],
		],
	])('%s', async (_, body, why, posted) => {
		expect(failure(await apiRequest({ method: 'POST', body })) ?? '').toContain(why ?? '');
		expect((await sandbox.ledger({ method: 'POST' })).map((one) => one.body)).toEqual(posted);
	});

	promises({
		'in an ID from an item, which is rounded already: refused, and nothing is deleted': {
			does: [
				{
					node: 'acpTables record.delete',
					parameters: () => ({
						table: byId('11111111-2222-4333-8444-555555555555'),
						record: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
					}),
					path: '',
				},
				[{ id: 12345678901234567890 }],
			],
			then: { fails: 'too large to be exact', sent: { 'GET .*': 0, 'DELETE .*': 0 } },
		},
	});
});
