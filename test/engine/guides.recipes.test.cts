/** What guides tell a reader to build, run with more rows than a list returns by default (*Limit* is 50). */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { expressionsOf, pageOf, repositoryFile } from './guarantees/guidePages.cts';
import { agentOf, byId, failure, fast, hintsOf, mapped, ok, phoneOf } from './guarantees/scene.cts';
import { until, usePlatform, type Result } from './harness/index.cts';

const rows = 60;
const { sandbox, engine, run } = usePlatform({
	settings: { ...fast, call: { lifeMs: 50 } },
	contacts: rows,
	speed: 10,
});

const people = Array.from({ length: rows }, (_, at) => ({
	phone: phoneOf(at),
	name: `Ada ${at}`,
	country: 'US',
	product: 'tea',
	date: '2026-05-04',
	language: at % 2 ? 'de' : 'en',
	appointment_id: at,
	ticket: at,
}));
const phones = people.map(({ phone }) => phone);
const items = people as never[];

const byName = (value: string) => ({ __rl: true, mode: 'name', value });
const seen = async (path: string, method = 'POST') =>
	(await sandbox.ledger({ path, method })).map(({ body }) => body);
const created = async (path: string) => (await sandbox.created(path)).map(({ body }) => body);
const contacts = mapped({ phone_number: '={{ $json.phone }}', name: '={{ $json.name }}' });
const call = async (more: INodeParameters = {}, given: object = { items }) =>
	await run(
		'acpCalls call.start',
		{ agent: byId(await agentOf(sandbox)), phoneNumber: '={{ $json.phone }}', ...more },
		given,
	);
const sms = async (options: INodeParameters, given: object = { items }, message = 'Hello') =>
	await run(
		'acpMessages sms.send',
		{
			...{ agent: byId(await agentOf(sandbox)), phoneNumber: '={{ $json.phone }}' },
			...{ message, options },
		},
		given,
	);
const listing = async (more: INodeParameters, given = items) =>
	await run(
		'acpOutreach listing.createFromItems',
		{
			name: 'Spring',
			agent: byId(await agentOf(sandbox)),
			campaignType: 'call',
			contacts,
			...more,
		},
		{ items: given },
	);
const launched = { autoStart: true };
const contactIds = async (): Promise<string[]> =>
	(await sandbox.state('contacts')).map(({ uuid }) => uuid);
/** More agents than a page of their list has; gives the last two. */
async function manyAgents(): Promise<any[]> {
	const [{ agent_uuid: _, ...agent }] = await sandbox.state('agents');
	await sandbox.addMany('agents', 2 * rows, (at) => ({ ...agent, name: `Agent ${at}` }));
	return (await sandbox.state('agents')).slice(-2);
}
const manyTasks = async (contact: string) =>
	await sandbox.addMany('tasks', rows, (at) => ({
		...{ title: `Task ${at}`, type: 'make_call', status: 'scheduled', contact_uuid: contact },
		...{ scheduled_at: '2035-05-01T10:00:00Z', created_at: '2035-01-01T00:00:00Z' },
	}));
/** Runs nodes one after the other. @returns the items of the last */
async function inLine(
	nodes: Array<{ name: string; type: string; parameters: unknown }>,
): Promise<Result> {
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, at) => [
				nodes[at]!.name,
				{ main: [[{ node: name, type: 'main' as const, index: 0 }]] },
			]),
	);
	return await engine.run({ nodes: nodes as never, connections }, { startNode: nodes[0]!.name });
}
const start = (items: object[], name = 'Start') => ({
	name,
	type: 'harness.items',
	parameters: { items: items.map((json) => ({ json })) },
});
const evaluated = async (values: object, item: object = {}, after?: string): Promise<any> =>
	ok(
		await inLine([
			start([item], after),
			{ name: 'V', type: 'harness.values', parameters: { values } },
		]),
	).json('V')[0];
/** A chain of this package's nodes; each step is `'<type> <resource>.<operation>'` and its parameters. */
async function chain(items: object[], ...steps: Array<[string, INodeParameters]>) {
	const nodes = steps.map(([node, parameters], at) => {
		const [type = '', resource, operation] = node.split(/[ .]/);
		return { name: `Step ${at}`, type, parameters: { resource, operation, ...parameters } };
	});
	return ok(await inLine([start(items), ...nodes])).json(`Step ${steps.length - 1}`);
}
const listed = { returnAll: true };

/** Expressions whose whole meaning is their value: for an item that has what they name, and for one that lacks it. */
const values: Record<string, Record<string, [item: object, value: unknown, without: unknown]>> = {
	'guides/first-call': {
		'{{ $json.data.conversation_uuid }}': [{ data: { conversation_uuid: 'c' } }, 'c', null],
	},
	'guides/let-the-agent-ask-your-workflow': {
		"{{ String($json.parameters.order_number).replace(/\\D/g, '') }}": [
			{ parameters: { order_number: '47 11' } },
			'4711',
			null,
		],
		'{{ DateTime.fromISO($json.answerBy) > $now }}': [
			{ answerBy: '2099-01-01T00:00:00Z' },
			true,
			false,
		],
		'{{ $json.contactFrom.phone_number }}': [
			{ contactFrom: { phone_number: 'body.from' } },
			'body.from',
			null,
		],
		'{{ $json.contact.phone_number }}': [{ contact: { phone_number: '+1' } }, '+1', null],
	},
	'guides/queue-mode': {
		'{{ DateTime.fromISO($json.answerBy) > $now }}': [
			{ answerBy: '2020-01-01T00:00:00Z' },
			false,
			false,
		],
	},
	'guides/moving-from-the-http-request-node': {
		'{{ $json.data.conversation_uuid }}': [{ data: { conversation_uuid: 'c' } }, 'c', null],
	},
	'guides/webhooks-and-signatures': {
		'{{ $json.deliveryId }}': [{ deliveryId: 'd' }, 'd', null],
	},
	'guides/questions': {
		"{{ $now.setZone('Europe/Berlin').hour }}": [{}, expect.any(Number), expect.any(Number)],
		'{{ $json.data.conversation_uuid }}': [{ data: { conversation_uuid: 'c' } }, 'c', null],
	},
	'guides/timezones': {
		'{{ $today.toISODate() }}': [
			{},
			expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
			expect.stringMatching(/^\d{4}/),
		],
	},
	examples: {
		"{{ ['call-' + $('Read the Conversation').first().json.uuid] }}": [
			{ uuid: 'u' },
			['call-u'],
			['call-undefined'],
		],
		'labels = "call-{{ $json.uuid }}"': [{ uuid: 'u' }, 'labels = "call-u"', 'labels = "call-"'],
	},
};

/** What the tests below follow, by page. */
const followed = new Map<string, string[]>();
/** @returns pieces of a page, word for word; an expression as n8n keeps it */
function written(page: string, ...pieces: string[]): string[] {
	const text = pageOf(page).replace(/\s+/g, ' ');
	for (const one of pieces) expect(text).toContain(one);
	followed.set(page, [...(followed.get(page) ?? []), ...pieces]);
	return pieces.map((one) => `=${one}`);
}

test.each(Object.keys(values))('%s: what its expressions give', async (page) => {
	const expressions = Object.keys(values[page]!);
	const given = Object.values(values[page]!);
	const start = 'Read the Conversation';
	const resolved = async (item: object) =>
		await evaluated(Object.fromEntries(expressions.map((one) => [one, `=${one}`])), item, start);
	expect(await resolved(Object.assign({}, ...given.map(([item]) => item)))).toEqual(
		Object.fromEntries(expressions.map((one, at) => [one, given[at]![1]])),
	);
	expect(await resolved({})).toEqual(
		Object.fromEntries(expressions.map((one, at) => [one, given[at]![2]])),
	);
});

describe('what a page tells a reader to build', () => {
	test('a sheet: each row is one call', async () => {
		const [phoneNumber] = written('guides/first-call', '{{ $json.phone }}');
		ok(await call({ phoneNumber: phoneNumber! }));
		expect((await created('/call')).map(({ participant }) => participant.number)).toEqual(phones);
	});

	test('the output of a call holds what the old node had in data', async () => {
		const [conversation] = written(
			'guides/moving-from-the-http-request-node',
			'{{ $json.conversation_uuid }}',
		);
		const agent = byId(await agentOf(sandbox));
		const [read] = await chain(
			[people[0]!],
			['acpCalls call.start', { agent, phoneNumber: '={{ $json.phone }}' }],
			['acpConversations conversation.get', { conversation: byId(conversation) }],
		);
		expect(read).toMatchObject({ channel: 'Call', contact_phone_number: phones[0] });
	});

	test('a model fills in an ID, and a search that it may leave empty', async () => {
		const [conversation, search, path] = written(
			'guides/ai-tool',
			"{{ $fromAI('conversation', 'The ID of the conversation, as Find Conversations returns it', 'string') }}",
			"{{ $fromAI('search', 'A name', 'string', '') }}",
			"/agents/{{ $fromAI('agent') }}",
			'set *Limit* to 5',
			'An empty list says `found: 0`',
		);
		await call({}, { items: items.slice(0, 1) });
		const [{ uuid }] = await sandbox.state('conversations');
		const answer = async (type: string, parameters: object, args: object) =>
			JSON.stringify(
				(await engine.callTools(type, parameters as never, [{ args } as never])).answers,
			);
		expect(
			await answer(
				'acpConversations',
				{ resource: 'conversation', operation: 'get', conversation: byId(conversation) },
				{ conversation: uuid },
			),
		).toContain(uuid);
		const find = { resource: 'contact', operation: 'getAll', limit: 5, filters: { search } };
		expect((await answer('acpContacts', find, {})).match(/"uuid"/g)).toHaveLength(5);
		expect(await answer('acpContacts', find, { search: 'Nobody' })).toMatch(/"found":0/);
		const agent = await agentOf(sandbox);
		const raw = { resource: 'otherEndpoint', operation: 'apiRequest', method: 'GET', path };
		expect(await answer('acpAgents', raw, { agent })).toContain(agent);
	});

	test('a key of the user’s: run again, nobody is written to twice', async () => {
		const [requestKey] = written('guides/ai-tool', 'ticket-{{ $json.ticket }}');
		for (const _ of [1, 2]) ok(await sms({ requestKey: requestKey! }));
		expect(await created('/sms/send')).toHaveLength(rows);
	});

	test('a reminder run again under the same key is not sent, and its item says so', async () => {
		const [requestKey] = written(
			'guides/pace-and-retries',
			'reminder-1-{{ $json.appointment_id }}',
			'`requestKeyUsedBefore`',
		);
		ok(await sms({ requestKey: requestKey! }));
		const second = ok(await sms({ requestKey: requestKey! }, { items }, 'Hello again'));
		expect(second.json().filter((one) => one.requestKeyUsedBefore)).toHaveLength(rows);
		const other = requestKey!.replace('reminder-1', 'reminder-2');
		ok(await sms({ requestKey: other }));
		expect(await created('/sms/send')).toHaveLength(rows * 2);
	});

	test('whether the workspace deduplicates: both outputs hold the same ID', async () => {
		written('guides/pace-and-retries', '*Request Key* `check-1`', 'both outputs hold the same ID');
		const ids = async () => {
			const sent = [];
			for (const _ of [1, 2]) {
				const result = await sms({ requestKey: 'check-1' }, { items: items.slice(0, 1) });
				sent.push(ok(result).json()[0].messageId);
			}
			return new Set(sent).size;
		};
		expect([await ids(), (await created('/sms/send')).length]).toEqual([1, 1]);
	});

	test('a country per row', async () => {
		const [defaultCountry] = written('guides/phone-numbers', '{{ $json.country }}');
		const national = people.map((one) => ({ ...one, phone: one.phone.slice(2) })) as never[];
		ok(await sms({ defaultCountry: defaultCountry! }, { items: national }));
		expect((await created('/sms/send')).map(({ phoneNumber }) => phoneNumber)).toEqual(phones);
	});

	test('an agent per language', async () => {
		const [agent] = written(
			'guides/questions',
			"{{ $json.language === 'de' ? 'Sales German' : 'Sales English' }}",
		);
		const [german, english] = (await manyAgents()).map(({ agent_uuid: uuid }) => uuid);
		await sandbox.change('agents', german, { name: 'Sales German' });
		await sandbox.change('agents', english, { name: 'Sales English' });
		ok(await call({ agent: byName(agent!) }));
		expect((await created('/call')).map(({ agentId }) => agentId)).toEqual(
			people.map(({ language }) => (language === 'de' ? german : english)),
		);
	});

	test('all planned calls of a person are canceled', async () => {
		written(
			'guides/questions',
			'*Task: Get Many* with the filter *Contact* and *Return All*',
			'*Task: Cancel*',
		);
		const [contact, other] = await contactIds();
		await manyTasks(contact!);
		await sandbox.add('tasks', { type: 'make_call', status: 'scheduled', contact_uuid: other });
		const canceled = await chain(
			[{}],
			['acpOutreach task.getAll', { ...listed, filters: { contact: byId(contact) } }],
			['acpOutreach task.cancel', { task: byId('={{ $json.uuid }}') }],
		);
		expect(canceled).toHaveLength(rows);
		const still = (await sandbox.state('tasks')).filter(({ status }) => status === 'scheduled');
		expect(still.map(({ contact_uuid: of }) => of)).toEqual([other]);
	});

	test('a long transcript is whole', async () => {
		written('guides/questions', '*Conversation: Get Messages*', '*Return All*');
		await call({}, { items: items.slice(0, 1) });
		const [{ uuid }] = await sandbox.state('conversations');
		await sandbox.addMany('messages', rows, (at) => ({
			...{ conversation_uuid: uuid, sender: 'AI', content: `Sentence ${at}` },
			...{ created_at: '2035-03-05T12:00:00Z' },
		}));
		const said = await chain(
			[{ data: { conversation_uuid: uuid } }],
			[
				'acpConversations conversation.getMessages',
				{ conversation: byId('={{ $json.data.conversation_uuid }}'), ...listed },
			],
		);
		const texts = said.map(({ content }: any) => content);
		expect(texts.filter((text: string) => /^Sentence/.test(text))).toHaveLength(rows);
	});

	test('three colleagues, then the rest under another name', async () => {
		written(
			'guides/questions',
			'Give the node three rows',
			'Use your file and another name',
			'*Preview*',
		);
		const shown = await listing({ ...launched, options: { preview: true } });
		expect(hintsOf(shown)).toContain(`${rows}`);
		ok(await listing({ ...launched, name: 'Colleagues' }, items.slice(0, 3)));
		ok(await listing({ ...launched, name: 'Spring' }, items.slice(3)));
		const sent = (await seen('/listings')).map((body) => body.contacts.length);
		expect(sent).toEqual([3, rows - 3]);
	});

	test('a second launch is refused; Start Again starts it', async () => {
		written(
			'guides/questions',
			'turn on *Start Again* under *Options*',
			'If the node refused the second run',
		);
		// This process remembers what another test has launched.
		const summer = { ...launched, name: 'Summer' };
		ok(await listing(summer));
		expect(failure(await listing(summer))).toContain('"Summer" may be running already');
		expect(await seen('/listings')).toHaveLength(1);
		ok(await listing({ ...summer, options: { startAgain: true } }));
		expect(await seen('/listings')).toHaveLength(2);
	});

	test('hours and attempts of a listing', async () => {
		written(
			'guides/questions',
			'*Rule Start Time* `09:00` and *Rule End Time* `18:00`',
			'set *Max Attempts per Contact* to 3, for example, and *Minutes Between Attempts* to 1440',
		);
		const rule = { ruleStartTime: '09:00', ruleEndTime: '18:00' };
		const attempts = { ruleMaxTotalCalls: 3, ruleRetryIntervalMinutes: 1440 };
		ok(await listing({ additionalFields: { ...rule, ...attempts } }));
		const [{ rule: sent, contacts: reached }] = await seen('/listings');
		expect([sent, reached.length]).toMatchObject([
			{
				...{ start_time: '09:00', end_time: '18:00' },
				...{ max_total_calls: 3, retry_interval_minutes: 1440 },
			},
			rows,
		]);
	});

	test('whom a listing did not reach', async () => {
		written('guides/questions', '*Listing: Get Outcomes*, *Return All*');
		const { data } = await sandbox.api.post('/listings', {
			...{ name: 'Friday', agent_uuid: await agentOf(sandbox), auto_start: true },
			contacts: phones.map((phone_number) => ({ phone_number })),
		});
		const all = async () => (await sandbox.state('conversations')).length === rows;
		await until('all calls', all);
		const outcomes = await chain(
			[{}],
			['acpOutreach listing.getOutcomes', { listing: byId(data.data.uuid), ...listed }],
		);
		const reached = outcomes.map(({ contact_phone_number: number }) => number);
		expect(reached.sort()).toEqual(phones);
	});

	test('moments, dates and times of day', async () => {
		const [inTwoHours, nineInN8n, nineInIstanbul, today] = written(
			'guides/timezones',
			'{{ $now.plus({ hours: 2 }) }}',
			'{{ $now.set({ hour: 9, minute: 0 }) }}',
			"{{ $now.setZone('Europe/Istanbul').set({ hour: 9, minute: 0 }) }}",
			'{{ $today }}',
			'`2026-05-04T10:00:00`',
		);
		const shown = async (parameters: INodeParameters, of: (body: any) => unknown) => {
			const result = await run(
				'acpOutreach task.create',
				{
					...{ title: 'T', type: 'make_call', agent: byId(await agentOf(sandbox)) },
					additionalFields: { contact: byId((await contactIds())[0]) },
					...parameters,
					options: { preview: true, timezone: 'Asia/Tokyo' },
				},
				{ items: items.slice(0, 1) },
			);
			return of(ok(result).json()[0].request.body);
		};
		const at = async (scheduledAt: string) =>
			String(await shown({ scheduledAt }, (body) => body.scheduled_at));
		expect(await at(inTwoHours!)).toMatch(/(-0[45]:00)$/);
		expect(await at(nineInN8n!)).toMatch(/T09:00:.*-0[45]:00$/);
		expect(await at(nineInIstanbul!)).toMatch(/T09:00:.*\+03:00$/);
		expect(await at('2026-05-04T10:00:00')).toBe('2026-05-04T10:00:00+09:00');
		const first = await listing({
			...{ additionalFields: { startDate: today! } },
			options: { preview: true, timezone: 'Pacific/Kiritimati' },
		});
		const { start_date: day } = ok(first).json()[0].request.body;
		expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
	});

	test('sentences about the contact', async () => {
		const [about] = written(
			'guides/what-the-agent-knows',
			'{{ $json.name }} ordered {{ $json.product }} on {{ $json.date }}.',
		);
		ok(await call({ additionalFields: { participantAbout: about! } }));
		const told = (await created('/call')).map(({ participant }) => participant.about);
		expect(told).toEqual(people.map(({ name }) => `${name} ordered tea on 2026-05-04.`));
	});

	test('a row of your own: the message names it', async () => {
		const [_, rowNumber] = written(
			'troubleshooting',
			'`row_number` = `{{ $itemIndex + 2 }}`',
			'{{ $itemIndex + 2 }}',
			'*(row 5)*',
		);
		const values = {
			phone: `={{ $itemIndex === ${rows - 1} ? 'none' : $json.phone }}`,
			row_number: rowNumber!,
		};
		const agent = byId(await agentOf(sandbox));
		const result = await inLine([
			start(people),
			{ name: 'Edit', type: 'harness.values', parameters: { values } },
			{
				name: 'Call',
				type: 'acpCalls',
				parameters: {
					...{ resource: 'call', operation: 'start', agent },
					phoneNumber: '={{ $json.phone }}',
				},
			},
		]);
		expect(failure(result)).toContain(`(row ${rows + 1})`);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('the same name in another workspace', async () => {
		written('credential', 'The name** must be exactly as in the list');
		const [wanted] = await manyAgents();
		ok(await call({ agent: byName(wanted.name) }));
		expect(new Set((await created('/call')).map(({ agentId }) => agentId))).toEqual(
			new Set([wanted.agent_uuid]),
		);
		const refused = await call({ agent: byName(wanted.name.toUpperCase()) });
		expect(failure(refused)).toContain('none of the agents has');
		expect(await created('/call')).toHaveLength(rows);
	});

	test('whether the platform shows who is blacklisted', async () => {
		written(
			'guides/consent-and-opt-outs',
			'`+14155550199`',
			'Use *Add to Blacklist* for this contact',
			'*Skip Blacklisted Contacts*',
		);
		const number = '+14155550199';
		await chain(
			[{}],
			['acpContacts contact.create', { phoneNumber: number }],
			['acpContacts contact.blacklist', { contact: byId('={{ $json.uuid }}'), reason: 'a test' }],
		);
		const options = { preview: true, skipBlacklistedContacts: true };
		const given = [...people, { phone: number }] as never[];
		const result = ok(await call({ options }, { items: given }));
		expect(result.json('Node', 1)).toMatchObject([{ phone: number, reason: 'blacklisted' }]);
	});

	test('both outputs go back to the loop', async () => {
		written(
			'guides/consent-and-opt-outs',
			'In *Loop Over Items*, connect both outputs back to the loop',
		);
		const skipNumbers = phones.slice(0, 9).join(', ');
		ok(await call({ options: { skipNumbers } }, { items, batchSize: 9 }));
		expect(await created('/call')).toHaveLength(rows - 9);
	});

	test('one contact leaves a listing', async () => {
		written(
			'guides/stop-a-listing',
			'*Listing: Remove Contact*, then find its task with *Task: Get Many*',
		);
		const { data } = await sandbox.api.post('/listings', {
			...{ name: 'L', agent_uuid: await agentOf(sandbox) },
			contacts: phones.map((phone_number) => ({ phone_number })),
		});
		const { uuid } = (await sandbox.state('contacts')).find(
			({ phone_number: number }) => number === phones[0],
		);
		await manyTasks(uuid);
		await chain(
			[{}],
			['acpOutreach listing.removeContact', { listing: byId(data.data.uuid), contact: byId(uuid) }],
		);
		const canceled = await chain(
			[{}],
			['acpOutreach task.getAll', { ...listed, filters: { contact: byId(uuid) } }],
			['acpOutreach task.cancel', { task: byId('={{ $json.uuid }}') }],
		);
		expect(canceled).toHaveLength(rows);
	});

	test('what began since the stopped execution', async () => {
		written(
			'guides/stopped-run',
			'*Call: Get Many*',
			'*Conversation: Get Many*',
			'*Created After*',
			'*Return All*',
		);
		const since = new Date(
			Date.parse((await evaluated({ now: '={{ $now.toISO() }}' })).now) - 60_000,
		).toISOString();
		ok(await call());
		const filters = { createdAfter: since };
		for (const list of ['acpCalls call.getAll', 'acpConversations conversation.getAll'])
			expect(await chain([{}], [list, { ...listed, filters }])).toHaveLength(rows);
	});
});

/** Pages whose expressions another test runs, all of them. */
const elsewhere: Record<string, string> = {
	'guides/consent-and-opt-outs': 'test/engine/guides.test.cts',
	'guides/outcomes-into-your-crm': 'test/engine/guides.test.cts',
	'guides/voicemail': 'test/engine/guides.test.cts',
	'guides/stopped-run': 'test/server/interrupted.test.mjs',
};

/** After all others. */
test('every expression of every page is run', () => {
	const docs = path.join(__dirname, '../../docs');
	const pages = ['', 'guides/'].flatMap((folder) =>
		readdirSync(path.join(docs, folder))
			.filter((name) => name.endsWith('.md'))
			.map((name) => `${folder}${name.slice(0, -3)}`),
	);
	const tried = (page: string) => [
		...Object.keys(values[page] ?? {}),
		...(followed.get(page) ?? []),
	];
	const all = pages.flatMap((page) =>
		expressionsOf(pageOf(page)).map((one) => ({ page, one, text: elsewhere[page] })),
	);
	expect(all.length).toBeGreaterThanOrEqual(50);
	const missing = all.filter(({ page, one, text }) =>
		text === undefined
			? !tried(page).includes(one)
			: !/guides\.test/.test(text) && !repositoryFile(text).includes(one),
	);
	expect(missing.map(({ page, one }) => `${page}: ${one}`)).toEqual([]);
});
