/** What pages tell a reader to build: each expression is read out of the page and resolved by n8n, with fields missing. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { merge, set } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { expressionsOf, pageOf, repositoryFile } from './guarantees/guidePages.cts';
import { agentOf, byId, failure, fast, hintsOf, ok } from './guarantees/scene.cts';
import { until, usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({
	settings: { ...fast, call: { lifeMs: 50 } },
	speed: 10,
});
const own = 'n8n-nodes-agent-conversation-platform.';

/** A step: `[type, parameters]`, or `['<type> <resource>.<operation>', parameters]` of this package. */
type Steps = Record<string, [node: string, parameters: object, settings?: object]>;
const rows = (...all: object[]): Steps[string] => [
	'harness.items',
	{ items: all.map((json) => ({ json })) },
];
const values = (all: object): Steps[string] => ['harness.values', { values: all }];
/** Each expression under its own text. */
const resolved = (...all: string[]) =>
	values(Object.fromEntries(all.map((one) => [one, `=${one}`])));

/** Runs steps one after the other; `after` says of a step behind which one it comes, if not behind the last. */
async function inLine(steps: Steps, after: Record<string, string> = {}) {
	const names = Object.keys(steps);
	const nodes = Object.entries(steps).map(([name, [node, parameters, settings]]) => {
		const [type, operationOf] = node.split(' ') as [string, string?];
		const [resource, operation] = operationOf?.split('.') ?? [];
		const all = { ...(operationOf && { resource, operation }), ...parameters };
		return { name, type: operationOf ? own + type : type, parameters: all as never, ...settings };
	});
	const connections: any = {};
	for (const [at, name] of names.slice(1).entries()) {
		const from = (connections[after[name] ?? names[at]!] ??= { main: [[]] });
		from.main[0].push({ node: name, type: 'main', index: 0 });
	}
	return await engine.run({ nodes, connections }, { startNode: names[0]! });
}

const [moment, offset] = [expect.stringMatching(/^2\d{3}-\d\d-\d\dT/), '.000-0[45]:00$'];
type Given = Record<string, [item: object, value: unknown, without: unknown]>;
/** Expressions that name a field and nothing else. */
const fields = (...names: string[]): Given =>
	Object.fromEntries(
		names.map((name) => [`{{ $json.${name} }}`, [set({}, name, name), name, null]]),
	);
/** Expressions whose whole meaning is their value: for an item that has what they name, and for one that lacks it. */
const given: Record<string, Given> = {
	'guides/first-call': fields('phone', 'data.conversation_uuid'),
	'guides/moving-from-the-http-request-node': fields('data.conversation_uuid', 'conversation_uuid'),
	'guides/phone-numbers': fields('country'),
	'guides/webhooks-and-signatures': fields('deliveryId'),
	'guides/let-the-agent-ask-your-workflow': {
		...fields('contactFrom.phone_number', 'contact.phone_number'),
		"{{ String($json.parameters.order_number).replace(/\\D/g, '') }}": [
			{ parameters: { order_number: '47 11' } },
			'4711',
			null,
		],
		'{{ DateTime.fromISO($json.answerBy) > $now }}': [{ answerBy: '2099-01-01' }, true, false],
	},
	'guides/queue-mode': {
		'{{ DateTime.fromISO($json.answerBy) > $now }}': [{ answerBy: '2020-01-01' }, false, false],
	},
	'guides/questions': {
		...fields('data.conversation_uuid'),
		"{{ $now.setZone('Europe/Berlin').hour }}": [{}, expect.any(Number), expect.any(Number)],
		"{{ $json.language === 'de' ? 'Sales German' : 'Sales English' }}": [
			{ language: 'de' },
			'Sales German',
			'Sales English',
		],
		"{{ String($json.phone).slice(-1) % 2 ? 'Sales A' : 'Sales B' }}": [
			{ phone: 14155550101 },
			'Sales A',
			'Sales B',
		],
		"{{ $now.setZone('Europe/Berlin').plus({ days: 1 }).set({ hour: 9, minute: 0 }) }}": [
			{},
			expect.stringMatching(/T09:00:.*\+0[12]:00$/),
			expect.stringMatching(/T09:00:.*\+0[12]:00$/),
		],
	},
	'guides/pace-and-retries': {
		'reminder-1-{{ $json.appointment_id }}': [{ appointment_id: 7 }, 'reminder-1-7', 'reminder-1-'],
	},
	'guides/timezones': {
		'{{ $today.toISODate() }}': [
			{},
			expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
			expect.stringMatching(/^\d{4}/),
		],
		'{{ $today }}': [{}, expect.stringMatching(`T00:00:00${offset}`), moment],
		'{{ $now.plus({ hours: 2 }) }}': [{}, moment, moment],
		'{{ $now.set({ hour: 9, minute: 0 }) }}': [
			{},
			expect.stringMatching(/T09:00:.*-0[45]/),
			moment,
		],
		"{{ $now.setZone('Europe/Istanbul').set({ hour: 9, minute: 0 }) }}": [
			{},
			expect.stringMatching(/T09:00:.*\+03:00$/),
			moment,
		],
	},
	'guides/what-the-agent-knows': {
		'{{ $json.name }} ordered {{ $json.product }} on {{ $json.date }}.': [
			{ name: 'Ada', product: 'tea', date: '2026-05-04' },
			'Ada ordered tea on 2026-05-04.',
			' ordered  on .',
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
/** @returns the expressions of a page, all of which the test follows */
function all(page: string): string[] {
	const expressions = expressionsOf(pageOf(page));
	followed.set(page, expressions);
	return expressions;
}

test.each(Object.keys(given))('%s: what its expressions give', async (page) => {
	const expressions = Object.entries(given[page]!);
	const item = merge({}, ...expressions.map(([, [one]]) => one));
	const texts = expressions.map(([one]) => one);
	for (const [at, json] of [item, {}].entries()) {
		const steps = { 'Read the Conversation': rows(json), V: resolved(...texts) };
		expect(ok(await inLine(steps)).json('V')).toEqual([
			Object.fromEntries(expressions.map(([one, row]) => [one, row[at + 1]])),
		]);
	}
	followed.set(page, texts);
});

test('a row of your own: the message names it', async () => {
	const [rowNumber] = all('troubleshooting');
	const people = ['+14155550101', '+14155550102', 'none'].map((phone) => ({ phone }));
	const agent = byId(await agentOf(sandbox));
	const result = await inLine({
		Start: rows(...people),
		Edit: values({ phone: '={{ $json.phone }}', row_number: `=${rowNumber}` }),
		Call: ['acpCalls call.start', { agent, phoneNumber: '={{ $json.phone }}' }],
	});
	expect(failure(result)).toContain('(row 4)');
	expect(await sandbox.ledger()).toEqual([]);
});

test('a model fills in an ID, a search that it may leave empty, and a part of a path', async () => {
	const [conversation, search, ticket, path] = all('guides/ai-tool').map((one) => `=${one}`);
	expect(ticket).toBe('=ticket-{{ $json.ticket }}');
	const agentId = await agentOf(sandbox);
	await sandbox.api.post('/call', { agentId, participant: { number: '+14155550101' } });
	const [{ uuid }] = await sandbox.state('conversations');
	const answer = async (node: string, parameters: object, args: object) => {
		const [type, resource, operation] = node.split(/[ .]/) as [string, string, string];
		const all = { resource, operation, ...parameters } as INodeParameters;
		const { answers } = await engine.callTools(type, all, [{ args: args as never }]);
		return JSON.stringify(answers);
	};
	const found = { conversation: byId(conversation) };
	expect(
		await answer('acpConversations conversation.get', found, { conversation: uuid }),
	).toContain(uuid);
	const find = { limit: 5, filters: { search } };
	expect((await answer('acpContacts contact.getAll', find, {})).match(/"uuid"/g)).toHaveLength(5);
	expect(await answer('acpContacts contact.getAll', find, { search: 'Nobody' })).toMatch(
		/"found":0/,
	);
	const raw = { method: 'GET', path };
	expect(await answer('acpAgents otherEndpoint.apiRequest', raw, { agent: agentId })).toContain(
		agentId,
	);
});

test('what one step gives, the next one takes: a call is read, the tasks of its contact are canceled', async () => {
	const [{ uuid: contact }, { uuid: other }] = await sandbox.state('contacts');
	const task = { title: 'T', type: 'make_call', status: 'scheduled' };
	const times = { scheduled_at: '2035-05-01T10:00:00Z', created_at: '2035-01-01T00:00:00Z' };
	// More than a list returns by default.
	await sandbox.addMany('tasks', 60, () => ({ ...task, ...times, contact_uuid: contact }));
	await sandbox.add('tasks', { ...task, ...times, contact_uuid: other });
	const agent = byId(await agentOf(sandbox));
	const steps: Steps = {
		Start: rows({ phone: '+14155550101' }),
		Call: ['acpCalls call.start', { agent, phoneNumber: '={{ $json.phone }}' }],
		Read: [
			'acpConversations conversation.get',
			{ conversation: byId('={{ $json.conversation_uuid }}') },
		],
		List: ['acpOutreach task.getAll', { returnAll: true, filters: { contact: byId(contact) } }],
		Cancel: ['acpOutreach task.cancel', { task: byId('={{ $json.uuid }}') }],
	};
	const result = ok(await inLine(steps));
	expect(result.json('Read')).toMatchObject([
		{ channel: 'Call', contact_phone_number: '+14155550101' },
	]);
	expect(result.json('Cancel')).toHaveLength(60);
	const still = (await sandbox.state('tasks')).filter(({ status }) => status === 'scheduled');
	expect(still.map(({ contact_uuid: of }) => of)).toEqual([other]);
});

describe('outcomes-into-your-crm', () => {
	const guide = 'guides/outcomes-into-your-crm';
	const [trigger, read] = ['Conversation Event Trigger', 'Read the Conversation'];
	/** The rows of the tables of the page, by their first cell without its marks. */
	const cells = new Map(
		[...pageOf(guide).matchAll(/^\| ([^|]+) \| ([^|]+(?:\|\|[^|]+)*) \|/gm)].map(
			([, first, second]) => [first!.replaceAll('`', ''), second!],
		),
	);
	const ofEvaluation = ['{{ $json.success_value }}', '{{ $json.satisfaction_value }}'];

	/** Runs the steps of the guide for an event, with its own expressions. */
	async function outcomes(event: string, conversation: string, data: object = {}) {
		const [ofTrigger, ofSession, ...others] = all(guide);
		expect([ofTrigger, ofSession]).toEqual([
			'{{ $json.data.conversation_uuid }}',
			'{{ $json.uuid }}',
		]);
		for (const one of ofEvaluation) expect(others).toContain(one);
		const afterRead = [ofSession!, ...others.filter((one) => !ofEvaluation.includes(one))];
		const goOn = { alwaysOutputData: true, onError: 'continueRegularOutput' };
		const whole = { conversation: byId(`=${ofTrigger}`), simplify: false };
		const result = await inLine(
			{
				[trigger]: rows({
					...{ event, isEvaluation: 'session_evaluation_uuid' in data },
					data: { conversation_uuid: conversation, ...data },
				}),
				[read]: ['acpConversations conversation.get', whole, goOn],
				Values: resolved(...afterRead),
				Sessions: [
					'acpConversations session.getAll',
					{ conversation: byId(`=${ofSession}`), returnAll: true },
					goOn,
				],
				Evaluation: [
					'acpQuality evaluation.getForSession',
					{ session: byId(`=${ofSession}`) },
					goOn,
				],
				Rating: resolved(...ofEvaluation),
			},
			{ Sessions: read },
		);
		const [shown] = result.json('Values');
		const field = (name: string): unknown =>
			shown[/`([^`]*\{\{[^`]*)`/.exec(cells.get(name) ?? '')?.[1] ?? 'no expression'];
		return { shown, field, rating: ofEvaluation.map((one) => result.json('Rating')[0][one]) };
	}

	async function conversationOf(send: string, body: object): Promise<any> {
		await sandbox.api.post(send, { agentId: await agentOf(sandbox), ...body });
		return await until('the conversation', async () =>
			(await sandbox.state('conversations')).find(
				({ channel, status }) => channel !== 'Call' || status === 'Closed',
			),
		);
	}
	const call = { participant: { number: '+14155550101' } };

	test('a call that was answered, under the name of the end report as well', async () => {
		const { uuid, contact } = await conversationOf('/call', call);
		const id = '71d0b5c8-2e6f-4a94-b3c7-d58e1f9a0264';
		const { shown, field, rating } = await outcomes('conversation_end_report', uuid, {
			session_evaluation_uuid: id,
		});
		expect(shown).toMatchObject({
			[`{{ $('${read}').item.json.channel }}`]: 'Call',
			[`{{ $('${trigger}').item.json.event }}`]: 'conversation_end_report',
			[`{{ $('${trigger}').item.json.isEvaluation }}`]: true,
			'{{ $json.uuid }}': uuid,
		});
		expect([field('Phone Number'), field('Metadata › To Number')]).toEqual([
			contact.phone_number,
			contact.phone_number,
		]);
		expect(field('Metadata › Status')).toBe('COMPLETED');
		expect(field('Metadata › Duration Milliseconds')).toBeGreaterThanOrEqual(1000);
		expect(field('Metadata › Body')).toMatch(/\w/);
		expect(field('Metadata › Recording URL')).toMatch(/^http/);
		expect(field('activity, task or call log: subject')).toBe('Call: Closed');
		expect(rating).toEqual([expect.any(String), expect.any(String)]);
	});

	test('a text conversation: no call, no number, no email, no evaluation', async () => {
		const sms = { phoneNumber: '+14155550102', message: 'Hello' };
		const { uuid, contact } = await conversationOf('/sms/send', sms);
		await sandbox.change('conversations', uuid, { contact: { uuid: contact.uuid } });
		const { shown, field, rating } = await outcomes('conversation_status', uuid);
		expect(shown[`{{ $('${read}').item.json.channel }}`]).toBe('SMS');
		const names = ['Email', 'First Name', 'Last Name', 'Phone Number'];
		const metadata = ['Body', 'Recording URL', 'To Number'].map((name) => `Metadata › ${name}`);
		for (const name of [...names, ...metadata]) expect([name, field(name)]).toEqual([name, null]);
		expect(field('Metadata › Duration Milliseconds')).toBe(0);
		expect(JSON.stringify(shown)).not.toMatch(/NaN|\[object/);
		expect(rating).toEqual([null, null]);
	});
});

test('empty-expressions: refused with the sentence of the page; with a default, an item may lack the field', async () => {
	const page = pageOf('reference/empty-expressions');
	const [filter, joined, choice, whole, optional, ...others] = expressionsOf(page);
	expect(others).toEqual([]);
	const tasks = { filters: { contact: byId(`=${filter}`) } };
	const refused = failure(await run('acpOutreach task.getAll', tasks));
	expect(refused).toContain(/`('Contact' is empty: [^`]+)\.`/.exec(page)![1]);
	const phones = { filters: { phone: `=${joined}` } };
	expect(failure(await run('acpConversations conversation.getAll', phones))).toContain(
		'$json.phone',
	);
	expect(await sandbox.ledger()).toEqual([]);
	ok(
		await run('acpConversations conversation.getAll', phones, {
			items: [{ phone: '14155550101' }],
		}),
	);
	expect((await sandbox.ledger())[0]!.query.phone).toBe('+14155550101');
	const items = rows({}, { sms: true, phone: '1', timezone: 'Asia/Tokyo' });
	const defaults = { choice: `=${choice}`, whole: `=${whole}`, optional: `=${optional}` };
	expect((await inLine({ Items: items, V: values(defaults) })).json('V')).toEqual([
		{ choice: 'call', whole: '+undefined', optional: 'Europe/Berlin' },
		{ choice: 'call,sms', whole: '+1', optional: 'Asia/Tokyo' },
	]);
});

test.each([true, false])(
	'voicemail, simplify %s: a person is reached, a voicemail is not',
	async (simplify) => {
		const outcomeByNumber = { '0101': 'interested', '0102': 'voicemail', '0103': 'no_answer' };
		await sandbox.settings({ call: { outcomeByNumber, lifeMs: 50 } });
		const expressions = all('guides/voicemail');
		expect(expressions).toHaveLength(2);
		const agent = byId(await agentOf(sandbox));
		const result = ok(
			await inLine({
				People: rows(...Object.keys(outcomeByNumber).map((end) => ({ phone: `+1415555${end}` }))),
				Call: [
					'acpCalls call.startAndWait',
					{ agent, simplify, phoneNumber: '={{ $json.phone }}' },
				],
				V: values({
					answered: '={{ $json.answered }}',
					reached: `=${expressions[simplify ? 0 : 1]}`,
				}),
			}),
		);
		expect(result.json('V')).toEqual([
			{ answered: 'yes', reached: true },
			{ answered: 'yes', reached: false },
			{ answered: 'no', reached: false },
		]);
	},
);

test('the page of limits names every field of Listing: Stop', async () => {
	const page = pageOf('reference/limits');
	const { data } = await sandbox.api.post('/listings', {
		...{ name: 'To be stopped', agent_uuid: await agentOf(sandbox), auto_start: true },
		contacts: [{ phone_number: '+14155550101' }, { phone_number: '+14155550102' }],
	});
	const result = ok(await run('acpOutreach listing.stop', { listing: byId(data.data.uuid) }));
	const output = page.slice(page.indexOf('## Listing: Stop'));
	const named = [...output.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
	expect(Object.keys(result.json()[0]).sort()).toEqual(named.sort());
});

test('those whom a listing did not reach are in another one, and nobody else', async () => {
	const page = pageOf('nodes/acpOutreach');
	const [, part] = page.split('## Call those whom a listing did not reach');
	const [reached, ...others] = expressionsOf(part!.split('<!-- generated')[0]!);
	expect(others).toEqual([]);
	const outcomeByNumber = { '0101': 'interested', '0102': 'no_answer', '0103': 'voicemail' };
	await sandbox.settings({ call: { outcomeByNumber, lifeMs: 50 } });
	const people = Object.keys(outcomeByNumber).map((end) => ({ phone: `+1415555${end}` }));
	const { data } = await sandbox.api.post('/listings', {
		...{ name: 'First', agent_uuid: await agentOf(sandbox), auto_start: true },
		contacts: people.map(({ phone }) => ({ phone_number: phone })),
	});
	await until('all calls to end', async () => {
		const calls = await sandbox.state('conversations');
		return calls.length > 2 && calls.every(({ status }) => status === 'Closed');
	});
	await sandbox.clearLedger();
	const listing = byId(data.data.uuid);
	const [type, parameters] = rows(...people, { phone: '+14155550104' });
	const contacts = { mappingMode: 'defineBelow', value: { phone_number: '={{ $json.phone }}' } };
	ok(
		await inLine({
			Outcomes: [
				'acpOutreach listing.getOutcomes',
				{ listing, returnAll: true },
				{ alwaysOutputData: true },
			],
			Rows: [type, parameters, { executeOnce: true }],
			Create: [
				'acpOutreach listing.createFromItems',
				{ name: 'Second', contacts, options: { skipNumbers: `=${reached}` } },
			],
		}),
	);
	const created = await sandbox.created('/listings');
	expect(created.map(({ body }) => body.contacts.map((one: any) => one.phone_number))).toEqual([
		['+14155550102', '+14155550104'],
	]);
});

test.each([0, 1])('consent-and-opt-outs: expression %i skips, the preview sums up', async (at) => {
	const expressions = all('guides/consent-and-opt-outs');
	expect(expressions).toHaveLength(2);
	const agent = byId(await agentOf(sandbox));
	const called = async (preview: boolean) => {
		const options = { skipNumbers: `=${expressions[at]}`, preview };
		const optedOut = '+14155550101';
		return ok(
			await inLine({
				'Opt-outs': rows({ phone: '+1 (415) 555-0101' }),
				People: rows({ phone: optedOut, optedOut }, { phone: '+14155550102', optedOut }),
				Node: ['acpCalls call.start', { agent, phoneNumber: '={{ $json.phone }}', options }],
			}),
		);
	};
	const preview = await called(true);
	expect(preview.json()).toMatchObject([{ phone_number: '+14155550102', preview: true }]);
	expect(hintsOf(preview)).toContain('1 call would be placed, from 2 items');
	const result = await called(false);
	expect([result.json().length, result.json('Node', 1).length]).toEqual([1, 1]);
	expect(await sandbox.created('/call')).toHaveLength(1);
});

/** Pages whose expressions a test of another file runs. */
const elsewhere: Record<string, string> = {
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
	const found = pages.flatMap((page) =>
		expressionsOf(pageOf(page)).map((one) => [page, one] as const),
	);
	expect(found.length).toBeGreaterThanOrEqual(50);
	const missing = found.filter(([page, one]) =>
		elsewhere[page]
			? !repositoryFile(elsewhere[page]).includes(one)
			: !followed.get(page)?.includes(one),
	);
	expect(missing).toEqual([]);
});
