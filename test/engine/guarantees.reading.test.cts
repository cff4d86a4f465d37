/**
 * What is read, and what is not: an answer that holds no list is no empty list, a list that moves or is cut short never
 * looks complete, and large numbers stay what they are. What counts is what the platform holds, by its own state.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { agentOf, byId, contact, failure, fast, hintsOf, people, ok } from './guarantees/scene.cts';
import { type FaultRule, usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({
	settings: fast,
	speed: 50,
	engine: { expressionEngine: 'legacy' },
});

const getAll = { resource: 'contact', operation: 'getAll', returnAll: true };
const apiRequest = {
	resource: 'otherEndpoint',
	operation: 'apiRequest',
	method: 'GET',
	path: '/contacts',
	paginate: true,
};
const get = (uuid: string) => ({
	resource: 'contact',
	operation: 'get',
	contact: byId(uuid),
	simplify: false,
});

/** Every read of contacts is answered like this, with status 200 unless said otherwise. */
const answered = (body: unknown, more: object = {}): FaultRule => ({
	match: { method: 'GET', path: '^/contacts' },
	fault: {
		kind: 'status',
		status: 200,
		body: typeof body === 'string' ? body : JSON.stringify(body),
	},
	...more,
});

const start = async (contacts: number, settings: object = {}): Promise<void> => {
	await sandbox.reset({ contacts, settings: { ...fast, ...settings } });
	engine.credentials = { acpApi: sandbox.credential() };
};
const run = async (parameters: INodeParameters, node = 'acpContacts') =>
	await engine.runNode(node, parameters);
const uuids = async () => (await sandbox.state('contacts')).map(({ uuid }) => uuid as string);
const quick = { options: { maxRetries: 1 } };

/** What platforms, and what stands before them, say with status 200 in place of data. */
const lies: Array<[string, unknown]> = [
	['an error object', { error: { code: 'OUT_OF_ORDER', message: 'Out of order.' } }],
	['an error in words', { error: 'The list is out of order' }],
	['an error as a flag', { error: true, message: 'Out of order.' }],
	['errors', { errors: [{ title: 'Out of order' }] }],
	['a message alone', { message: 'Server busy' }],
	['a message in a list of its own', { status: 'error', messages: ['Server busy'] }],
	['status error', { status: 'error' }],
	['status error with null', { status: 'error', data: null, message: 'Server busy' }],
	['a code of an error', { code: 500 }],
	['a code as text', { code: '503', message: 'Server busy' }],
	['a status number', { title: 'Service Unavailable', status: 503, detail: 'Try later' }],
	['null beside an error', { data: null, error: { code: 'OUT_OF_ORDER' } }],
	['success beside an error', { success: true, data: [], error: { code: 'OUT_OF_ORDER' } }],
	['success as text', { success: 'false', message: 'Out of order.' }],
	['ok: false', { ok: false }],
	['success without data', { success: true, message: 'OK' }],
	['null beside a message', { data: null, message: 'Server busy' }],
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
	test.each(lies)('%s: an error, and no item', async (_, body) => {
		await sandbox.faults([answered(body)]);
		for (const parameters of [
			{ ...getAll, ...quick },
			{ ...apiRequest, ...quick },
		]) {
			const result = await run(parameters);
			expect(result.status).toBe('error');
			expect(failure(result)).toMatch(/\S/);
		}
		const created = await engine.runNode(
			'acpContacts',
			{ ...contact(), operation: 'findOrCreate', ...quick },
			{ items: people(1) },
		);
		expect(created.status).toBe('error');
		expect(await sandbox.created('/contacts')).toEqual([]);
	});

	test.each(lies)('%s in a dropdown: a sentence', async (_, body) => {
		await sandbox.faults([answered(body)]);
		const listed = engine.listSearch('acpContacts', 'searchContacts', {});
		await expect(listed).rejects.toThrow(/\w+ \w+/);
	});

	test.each(lies)('%s once: asked for again', async (_, body) => {
		await sandbox.faults([answered(body, { times: 1 })]);
		const all = await uuids();
		expect(all.length).toBeGreaterThan(20);
		const result = await run(getAll);
		const told = JSON.stringify(body).includes('OUT_OF_ORDER');
		// A refusal that names its reason comes again.
		expect(result.status).toBe(told ? 'error' : 'success');
		expect(result.error ? [] : result.json().map(({ uuid }) => uuid)).toEqual(told ? [] : all);
	});

	test('the sentence names the endpoint, what came, what the platform says and what to do', async () => {
		await sandbox.faults([answered({ message: 'Server busy' })]);
		const result = await run({ ...getAll, ...quick });
		expect(result.error?.message).toBe('The platform returned no list for GET /contacts');
		expect(result.error?.description).toBe(
			'Nothing can be concluded from this response, so the run does not treat it as empty. It ' +
				'returned an object with "message". Try again in a moment. If it happens again, look at the ' +
				"response with the resource 'Other Endpoint'. The platform says: Server busy.",
		);
	});

	test('the agents of a trigger and mapped fields: a sentence instead of nothing', async () => {
		await sandbox.strike('.', { status: 200, body: { message: 'Server busy' } });
		const [first, ...more] = await engine.loadOptions('acpTrigger', 'getAgents');
		expect(first).toEqual({ name: expect.stringContaining('no list for GET /agents'), value: '' });
		expect(more).toEqual([]);
		const mapped = await engine.resourceMapping('acpContacts', 'getContactFields');
		expect(mapped.emptyFieldsNotice).toContain('no list for GET /contacts/fields');
		const voice = await engine.resourceMapping('acpAgents', 'getVoiceAdvancedFields', {
			parameters: {
				resource: 'agentVoice',
				operation: 'updateVoiceAdvanced',
				agent: byId(await agentOf(sandbox)),
			},
			path: 'parameters.fields',
		});
		expect(voice.emptyFieldsNotice).toContain('voice-advanced');
	});

	test.each<[string, unknown]>([
		['an empty list under data', { success: true, message: 'OK', data: [] }],
		['a bare empty list', '[]'],
		['null as data', { success: true, message: 'No contacts.', data: null }],
		['null and nothing else', { data: null }],
		['no items', { data: { items: [] } }],
		['items without a value', { success: true, data: { items: null } }],
		['a total of 0', { data: { pagination: { total: 0 } } }],
		['an error without content', { data: [], error: null, errors: [] }],
		['status 204', undefined],
	])('%s: no records', async (_, body) => {
		const empty = { fault: { kind: 'status', status: 204, body: '' } };
		await sandbox.faults([answered(body ?? '', body === undefined ? empty : {})]);
		for (const parameters of [getAll, apiRequest]) {
			const result = ok(await run(parameters));
			expect(result.json()).toEqual([]);
		}
		await expect(engine.listSearch('acpContacts', 'searchContacts', {})).rejects.toThrow(
			'No contacts in this workspace yet',
		);
	});
});

describe('Evidence: an answer that holds no record is taken for a record', () => {
	test.each([...lies, ['an empty list', '[]'], ['an empty list under data', { data: [] }]])(
		'%s: an error, and no item',
		async (name, body) => {
			const [uuid] = await uuids();
			await sandbox.faults([answered(body)]);
			const result = await run({ ...get(uuid!), ...quick });
			const isRecord = name === 'an object under data' || name === 'a text under data';
			expect(result.status).toBe(isRecord ? 'success' : 'error');
			expect(failure(result) === undefined).toBe(isRecord);
		},
	);

	test.each([
		['an agent with an error', { agent_uuid: 'a', error: { code: 'X', message: 'm' } }],
		['a conversation that failed', { uuid: 'a', status: 'failed', message: 'Hung up' }],
		['a log with a code', { id: 5, code: 500, message: 'm' }],
		['a record under data', { success: true, data: { message: 'm', status: 'error', name: 'n' } }],
	])('%s: a record', async (_, record) => {
		const [uuid] = await uuids();
		await sandbox.faults([answered(record)]);
		const result = ok(await run(get(uuid!)));
		// n8n would take `error` for that of an item.
		const { error, ...rest } = ('data' in record ? record.data : record) as IDataObject;
		expect(result.json()).toEqual([{ ...rest, ...(error ? { errorDetail: error } : {}) }]);
	});
});

describe('Evidence: a list that changes while it is read is taken for complete', () => {
	const read = async () => {
		const result = ok(await run(getAll));
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
		const { ids, hints } = await read();
		expect(ids).toEqual(await uuids());
		expect(hints).toBe('');
		expect(await sandbox.ledger({ path: '/contacts' })).toHaveLength(5);
		expect((await sandbox.summary()).maxInFlight).toBeGreaterThan(1);
	});
});

describe('Evidence: a list that is cut short is taken for complete', () => {
	test.each([3, 7, 9])(
		'pages of %i rows that say nothing of others: all rows',
		async (rowsPerPage) => {
			await start(20, { manners: { listLayout: 'bare', rowsPerPage } });
			const result = await run(getAll);
			expect(result.json().map(({ uuid }) => uuid)).toEqual(await uuids());
		},
	);

	const page = (count: number, about: object) => ({
		success: true,
		data: { data: Array.from({ length: count }, (_, at) => ({ uuid: `${at}` })), ...about },
	});

	test.each<[string, unknown]>([
		['fewer rows than the total', page(20, { total: 230, last_page: 1 })],
		['no rows of a total', page(0, { total: 230 })],
		['pages that stop before the last', page(20, { last_page: 5 })],
	])('%s: a hint', async (_, body) => {
		await sandbox.faults([answered(body)]);
		const result = ok(await run(getAll));
		expect(hintsOf(result)).toContain('The list may be incomplete');
	});

	test('a page in the middle that is not found: an error where it was promised', async () => {
		await start(250);
		await sandbox.strike('^/contacts$', 404, { nth: 2 });
		expect((await run(getAll)).status).toBe('error');
	});

	test('a page in the middle that is not found: a hint where nothing is known of it', async () => {
		await start(40, { manners: { listLayout: 'bare', rowsPerPage: 10 } });
		await sandbox.strike('^/contacts$', 404, { nth: 3 });
		const result = ok(await run(getAll));
		expect(result.json()).toHaveLength(20);
		expect(hintsOf(result)).toContain('The list may be incomplete');
	});

	test('a page in the middle without a list: an error', async () => {
		await start(250);
		await sandbox.faults([
			answered({ message: 'Server busy' }, { match: { path: '^/contacts$', nth: [2, 4, 5, 6] } }),
		]);
		expect((await run({ ...getAll, ...quick })).status).toBe('error');
	});
});

describe('Evidence: a part of a list is taken for the whole list', () => {
	const short = { data: { data: [], total: 5 } };
	const failing = async (path: string, body: unknown) =>
		await sandbox.faults([answered(body, { match: { method: 'GET', path } })]);
	const published = async (node: string, parameters: object) => {
		const trigger = await engine.trigger(node, parameters as never);
		return await trigger.activate().then(
			() => 'published',
			(error: Error) => error.message,
		);
	};
	const writes = async () => (await sandbox.ledger()).filter(({ method }) => method !== 'GET');

	test.each<[string, object, FaultRule[], string]>([
		[
			'the list changes with each page',
			{ movingLists: { '/contacts': { add: 30 } }, manners: { listLayout: 'bare' } },
			[],
			'the list changed while it was read',
		],
		['fewer rows than promised', {}, [answered(short)], 'has more records than its pages'],
		[
			'a page is refused',
			{ manners: { listLayout: 'bare', rowsPerPage: 60 } },
			[{ match: { path: '^/contacts$', nth: 4 }, fault: { kind: 'status', status: 404 } }],
			'refused a further page',
		],
	])(
		'Find or Create, %s: nothing is created, and it says why',
		async (_, settings, faults, why) => {
			await start(250, settings);
			await sandbox.faults(faults);
			const created = await engine.runNode(
				'acpContacts',
				{ ...contact(), operation: 'findOrCreate' },
				{ items: people(1) },
			);
			expect(failure(created)).toContain('It is not known whether the record exists already');
			expect(failure(created)).toContain(why);
			expect(await sandbox.created('/contacts')).toEqual([]);
		},
	);

	test('the webhooks of an agent, fewer than promised: nothing is published', async () => {
		await failing('/webhooks$', short);
		const agents = [await agentOf(sandbox)];
		expect(await published('acpTrigger', { agents })).toContain('returned no list for GET /agents');
		expect(await writes()).toEqual([]);
	});

	test('an agent that does not show its intents: none is created', async () => {
		const agent = await agentOf(sandbox);
		await failing('^/agents/[^/]+$', { data: { agent_uuid: agent, name: 'Anna' } });
		const intent = { intentToUse: 'create', intentName: 'Slot', intentDescription: 'Asks' };
		expect(await published('acpIntentTrigger', { agent, ...intent })).toContain('returned no list');
		expect(await writes()).toEqual([]);
	});

	test('an action of an intent that is not shown: it is not replaced', async () => {
		const agent = await agentOf(sandbox);
		await failing('/event$', { message: 'Server busy' });
		const body = { name: 'Slot', description: 'Asks', parameters: [] };
		const { data } = await sandbox.api.post(`/agents/${agent}/intents`, body);
		await sandbox.clearLedger();
		const said = await published('acpIntentTrigger', { agent, intent: data.data.intent_uuid });
		expect(said).toContain('returned no record');
		expect(await writes()).toEqual([]);
	});
});

describe('Evidence: columns that nobody could read are taken for columns of any type', () => {
	test.each<[string, unknown]>([
		['an object in their place', { data: { title: 'Prices', id: 5 } }],
		['an empty list', { data: [] }],
		['columns without a name', { data: [{ label: 'price' }] }],
	])('%s: the values leave unchanged, and a hint says so', async (_, body) => {
		const table = { name: 'Prices', columns: [{ name: 'price', data_type: 'number' }] };
		const { data } = await sandbox.api.post('/data/tables', table);
		await sandbox.faults([answered(body, { match: { method: 'GET', path: '/fields$' } })]);
		const result = ok(
			await run(
				{
					resource: 'record',
					operation: 'create',
					table: byId(data.data.uuid),
					columns: { mappingMode: 'defineBelow', value: { price: 12.5 }, schema: [] } as never,
				},
				'acpTables',
			),
		);
		expect(hintsOf(result)).toContain("The table's columns could not be read");
		const [request] = await sandbox.created(`/data/${data.data.uuid}/records`);
		expect(request!.body.record).toEqual({ price: 12.5 });
	});

	test('a message in their place: the record is refused', async () => {
		const busy = { message: 'Server busy' };
		await sandbox.faults([answered(busy, { match: { method: 'GET', path: '/fields$' } })]);
		const result = await run(
			{
				resource: 'record',
				operation: 'create',
				table: byId('11111111-2222-4333-8444-555555555555'),
				columns: { mappingMode: 'defineBelow', value: { price: 12.5 }, schema: [] } as never,
				...quick,
			},
			'acpTables',
		);
		expect(failure(result)).toContain('returned no record for GET /data');
		expect(await sandbox.ledger({ method: 'POST' })).toEqual([]);
	});
});

describe('Evidence: an unreadable response is taken for "the platform does not tell its time zone"', () => {
	const calls = {
		resource: 'analytics',
		operation: 'getCalls',
		period: 'custom',
		from: '2027-07-01T00:00:00',
		to: '2027-07-02T00:00:00Z',
		...quick,
	};
	const asked = async (nth?: number) => {
		await sandbox.settings({ manners: { zoneUnnamed: true } });
		const match = { method: 'GET', path: '^/agents$', nth };
		await sandbox.faults([answered({ message: 'Server busy' }, { match })]);
		// What is known of a zone belongs to the token.
		const { token } = await sandbox.addToken('workspace', {
			label: expect.getState().currentTestName,
		});
		await sandbox.clearLedger();
		const credentials = { acpApi: sandbox.credential({ token }) };
		const result = await engine.runNode('acpInsights', calls, { credentials });
		return {
			said: failure(result),
			paths: (await sandbox.ledger()).map(({ path }) => path),
		};
	};

	test('each time: the item is refused, and it says how to set the time zone', async () => {
		const { said, paths } = await asked();
		expect(said).toContain("Choose one under 'Timezone' in the credential or under Options");
		expect(paths).toEqual(['/agents', '/agents']);
	});

	test('once: asked for again', async () => {
		const { said, paths } = await asked(1);
		expect(said).toBeUndefined();
		expect(paths).toEqual(['/agents', '/agents', '/analytics/calls']);
	});
});

describe('Evidence: a web page is taken for a file', () => {
	const download = async (name: string) => {
		await sandbox.addMany('medias', 1, () => ({}));
		const [{ uuid }] = await sandbox.state('medias');
		const url = `${sandbox.url}/api/v1/agents/${name}`;
		await sandbox.change('medias', uuid, { url });
		const match = { method: 'GET', path: '^/agents/' };
		await sandbox.faults([{ match, fault: { kind: 'html', status: 200 } }]);
		const media = byId(uuid);
		return await run({ resource: 'media', operation: 'download', media, ...quick }, 'acpMedia');
	};

	test('a page in the place of a recording: an error, and no file', async () => {
		const result = await download('call.mp3');
		expect(failure(result)).toContain('returned no file');
		expect(failure(result)).toContain('It returned a web page.');
	});

	test('a file that is called a page: the file', async () => {
		const result = ok(await download('page.html'));
		expect(Object.keys(result.items()[0]!.binary ?? {})).toEqual(['data']);
	});
});

describe('Evidence: a large number is taken for its neighbor', () => {
	test('IDs above 2^53 and numbers beyond all: text, each its own', async () => {
		const ids = ['9007199254740993', '9007199254740992', '-12345678901234567890', '1e400'];
		const rows = ids.map(
			(id) => `{"id": ${id}, "text": "id 9007199254740993, \\"1e400\\"", "share": 0.5}`,
		);
		await sandbox.faults([answered(`{"success": true, "data": [${rows.join()}]}`)]);
		const result = await run(getAll);
		const text = 'id 9007199254740993, "1e400"';
		expect(result.json()).toEqual(ids.map((id) => ({ id, text, share: 0.5 })));
	});

	const sent = async (body: unknown): Promise<{ said?: string; posted: unknown[] }> => {
		const result = await run({ ...apiRequest, method: 'POST', body: body as string });
		const posted = await sandbox.ledger({ method: 'POST' });
		return { said: failure(result), posted: posted.map((request) => request.body) };
	};

	test('in the body of API Request: sent as text, as it was written', async () => {
		const written = '{"name": "Anna", "note": "1e400", "about": [12345678901234567890]}';
		const { posted } = await sent(written);
		expect(posted).toEqual([{ name: 'Anna', note: '1e400', about: ['12345678901234567890'] }]);
	});

	test('in an ID from an item, which is rounded already: refused, and nothing is deleted', async () => {
		const result = await engine.runNode(
			'acpTables record.delete',
			{
				table: byId('11111111-2222-4333-8444-555555555555'),
				record: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			},
			{ items: [{ id: 12345678901234567890 }] },
		);
		expect(failure(result)).toContain('too large to be exact');
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('in an expression of API Request, which rounds it: refused, and nothing is sent', async () => {
		const { said, posted } = await sent('={{ { about: { id: 12345678901234567890 } } }}');
		expect(said).toContain('too large to be exact. Pass it as text, in quotes');
		expect(posted).toEqual([]);
	});
});
