// The probe against the sandbox: it finds what is as in the contract, what differs and what is
// not there, and changes nothing.
import assert, { assertNone } from '../asserted.mjs';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { after, before, beforeEach, test } from 'node:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import lodash from 'lodash';
import { startSandbox } from '../../sandbox/client.mjs';
import { compareWorkspace } from '../../scripts/probe/compare.mjs';
import { HIDDEN, Names } from '../../scripts/probe/names.mjs';
import { contract } from '../../tools/contract.cjs';

let sandbox;
before(async () => {
	sandbox = await startSandbox({ settings: { rate: { general: { limit: 100_000 } } } });
});
beforeEach(() => sandbox.control('POST /reset', {}));
after(() => sandbox.stop());

/** Runs the command. */
async function probe(token, ...parameters) {
	const script = fileURLToPath(new URL('../../scripts/probe.mjs', import.meta.url));
	const child = spawn(process.execPath, [script, ...parameters], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, ACP_TOKEN: token },
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk) => (output += chunk));
	const code = await new Promise((resolve) => child.on('exit', resolve));
	return { code, output };
}

/** What the command prints, as data: of endpoints (`lines`) and lists. */
async function compared(only, token = sandbox.token) {
	const root = `${sandbox.url}/api/v1`;
	const { endpoints: lines, lists } = await compareWorkspace({ root, token, only });
	return {
		lines,
		lists,
		of: (endpoint) => lines.find((line) => line.endpoint === endpoint),
		list: (endpoint) => lists.find((list) => list.endpoint === `GET ${endpoint}`),
	};
}

test('a workspace that keeps the contract: everything is as it says, and only reads are sent', async () => {
	const [{ agent_uuid: agentId }] = await sandbox.control('GET /state/agents');
	const participant = { number: '+14155550111' };
	const { body } = await sandbox.api('POST /call', { agentId, participant });
	const { conversation_uuid: call } = body.data;
	await sandbox.api(`POST /calls/action/${call}/hangup`, {});
	await sandbox.control('DELETE /ledger');
	const { lines, lists, of } = await compared();
	const ledger = await sandbox.control('GET /ledger');
	assertNone(
		[...lines, ...lists].filter(({ verdict }) => verdict === 'differs' || verdict === 'not there'),
	);
	assert.deepEqual([...new Set(ledger.map(({ method }) => method))], ['GET']);
	assert.ok(lines.filter(({ verdict }) => verdict === 'as in the contract').length > 55);
	assert.deepEqual(of('POST /call'), {
		endpoint: 'POST /call',
		source: 'seed',
		verdict: 'not asked',
		how: 'it writes',
	});
	// Records are found by themselves, and no value of the workspace is shown.
	for (const path of [
		'/agents/{uuid}/webhooks',
		'/conversations/{uuid}',
		'/sessions/{uuid}/messages',
		'/contacts/{uuid}',
		'/logs/actions/{type}/{uuid}',
		'/phone-numbers/{uuid}/channels',
	]) {
		const { verdict, how } = of(`GET ${path}`);
		assert.deepEqual([path, verdict, how], [path, 'as in the contract', undefined]);
	}
	assert.match(
		of('GET /flow/apps').how,
		/its shape is not known; it answers with \{success: boolean, message: text, data: list of \{uid: text, name/,
	);
});

test('a workspace that differs: how, per endpoint', async () => {
	await sandbox.control('PATCH /settings', {
		differ: [
			{ path: '/agents', method: 'GET', kind: 'extra-field' },
			{ path: '/contacts', method: 'GET', kind: 'other-layout' },
			{ path: '/agents/{uuid}', method: 'GET', kind: 'missing' },
		],
	});
	const { of } = await compared();
	const { how, verdict } = of('GET /agents');
	assert.deepEqual(
		[verdict, how],
		['differs', 'data.items[] has a field beyond the contract: field_beyond_the_contract'],
	);
	assert.equal(of('GET /contacts').verdict, 'differs');
	assert.match(of('GET /contacts').how, /data is missing; .*a field beyond the contract: result/);
	assert.deepEqual(of('GET /agents/{uuid}'), {
		endpoint: 'GET /agents/{uuid}',
		source: 'inferred',
		verdict: 'not there',
		how: 'ENDPOINT_NOT_FOUND',
	});
	assert.equal(of('GET /agents/{uuid}/webhooks').verdict, 'as in the contract');
});

test('whether a search finds numbers in every spelling, and what to choose then', async () => {
	const told = async () => (await compared('/contacts')).of('search contacts by number');
	const [one] = await sandbox.control('GET /state/contacts');
	assert.match((await told()).how, /are stored as a plus and digits\. Turn on .* if all/);
	const written = { phone_number: '+1 (415) 555-0123' };
	await sandbox.control(`PATCH /state/contacts/${one.uuid}`, written);
	assert.equal((await told()).verdict, 'it misses contacts');
	await sandbox.control('PATCH /settings', { manners: { contactSearch: 'digits' } });
	assert.match((await told()).how, /^1 of \d have spaces or signs .* Turn on 'Number Search/);
	await sandbox.control('PATCH /settings', { ignoredQuery: ['search'] });
	assert.deepEqual(await told(), {
		endpoint: 'search contacts by number',
		source: 'reference',
		verdict: 'it is ignored',
		how: "leave 'Number Search Confirmed' in the credential off",
	});
});

test('what keeps it from asking is said in one line, without the token', async () => {
	const tokens = await sandbox.control('GET /tokens');
	const revoked = tokens.find(({ kind }) => kind === 'revoked').token;
	for (const [url, token, line] of [
		[sandbox.url, revoked, /did not accept the token/],
		['http://workspace.example.com', 'x', /must begin with https/],
		['workspace', 'x', /is not a web address/],
		[sandbox.url, '', /Give an API token/],
		['http://127.0.0.1:9', 'secret-token', /could not be reached/],
	]) {
		const { code, output } = await probe(token, '--base-url', url);
		assert.equal(code, 2, output);
		assert.match(output, line);
		assert.equal(output.trim().split('\n').length, 1);
		assert.ok(!output.includes(revoked) && !output.includes('secret-token'));
	}
});

test('a token without permission: nothing is called different because of it', async () => {
	const tokens = await sandbox.control('GET /tokens');
	const { token } = tokens.find(({ kind }) => kind === 'forbidden');
	const { lines } = await compared('', token);
	assert.deepEqual([...new Set(lines.map(({ verdict }) => verdict))], ['not asked']);
});

/** The facts of a list of a platform with other manners. */
async function listWith(manners, path = '/contacts') {
	await sandbox.control('PATCH /settings', { manners });
	return (await compared(path)).list(path);
}

test('lists in another layout: where their rows stand, and what stands around them', async () => {
	const { verdict, differs, rows, beside } = await listWith({ listLayout: 'meta-beside' });
	assert.deepEqual(
		[verdict, differs, rows],
		['differs', ['the layout is another, not page'], 'data'],
	);
	assert.match(beside, /meta: \{current_page: integer, last_page: integer, per_page: integer/);
	const camel = await listWith({ listLayout: 'camel-case' });
	assert.match(camel.beside, /pagination: \{currentPage: integer, totalPages/);
	assert.equal((await listWith({ listLayout: 'array' })).rows, 'the answer itself');
});

test('page sizes: what is ignored, what is refused, and how many rows a page has by itself', async () => {
	for (const [manners, differs] of [
		[{ rowsPerPage: 10 }, ['per_page is ignored', 'a page has 10 rows, not 15']],
		[{ rowsPerPage: null, largestPage: 30 }, ['per_page=100 is refused (422)']],
		[{ largestPage: null, samePage: true }, ['page is ignored']],
	])
		assert.deepEqual((await listWith(manners)).differs, differs);
	const { search, status, tag_uuid: tag, ...says } = (await listWith({ samePage: false })).says;
	assert.deepEqual({ search, status, tag }, { search: 'works', status: 'works', tag: 'works' });
	assert.deepEqual(
		lodash.pick(says, ['per_page=1', 'per_page=100', 'per_page=101', 'page=2', 'rows of a page']),
		{
			'per_page=1': 'that many rows',
			'per_page=100': 'taken',
			'per_page=101': 'refused (422)',
			'page=2': 'other rows',
			'rows of a page': '15',
		},
	);
});

test('filters that nothing comes of are named, and where no row can tell that is said', async () => {
	const agents = await listWith({ ignoreGuesses: true }, '/agents');
	assert.deepEqual(agents.differs, ['status is ignored', 'search is ignored']);
	assert.equal((await listWith({}, '/conversations')).says.channel, 'the list is empty');
});

/** Every text that a value holds, and every name in it. */
const textsIn = (value) =>
	Array.isArray(value)
		? value.flatMap(textsIn)
		: value !== null && typeof value === 'object'
			? Object.entries(value).flatMap(([name, inside]) => [name, ...textsIn(inside)])
			: [String(value)];

test('the report holds no value of the workspace, however full it is', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'probe-'));
	try {
		const file = join(folder, 'report.md');
		const [{ agent_uuid: uuid }] = await sandbox.control('GET /state/agents');
		const zebulon = { name: 'Zebulon', surname: 'Quarterstaff', zodiacsign: 'Ophiuchus' };
		const email = 'zebulon.quarterstaff@private.example';
		const url = 'https://hooks.private.example/9f8e7d';
		const secret_key = 'whsec_0123456789';
		for (const [request, body] of [
			['POST /contacts/fields', { key: 'zodiacsign', name: 'Zodiac Sign', field_type: 'text' }],
			['POST /contacts', { ...zebulon, email, phone_number: '+14155550199' }],
			[`POST /agents/${uuid}/notes`, { content: 'Sezam-open', order: 1 }],
			[`POST /agents/${uuid}/webhooks`, { url, events: ['intent_call'], secret_key }],
			['POST /call', { agentId: uuid, participant: { number: '+14155550198' } }],
		]) {
			const { status, body: said } = await sandbox.api(request, body);
			assert.ok(status < 300, JSON.stringify(said));
		}
		// Refusals that repeat, and fields that nobody expected, are shown without values, too.
		await sandbox.control('PATCH /settings', {
			manners: { refusalsRepeat: true },
			differ: [
				{ path: '/contacts', method: 'GET', kind: 'other-layout' },
				{ path: '/agents/{uuid}', method: 'GET', kind: 'missing' },
			],
		});
		const asked = ['--base-url', sandbox.url, '--report', file];
		const { code, output } = await probe(sandbox.token, ...asked);
		// One line each, and a sum.
		assert.equal(code, 1, output);
		assert.match(output, /^as in the contract +GET \/agents$/m);
		assert.match(output, /^not there +GET \/agents\/\{uuid\}: ENDPOINT_NOT_FOUND$/m);
		assert.match(output, /\d+ as in the contract, \d+ not asked, \d+ not there, \d+ differs\./);
		const report = readFileSync(file, 'utf8');
		for (const part of ['## Endpoints', '## Lists', 'POST /call'])
			assert.ok(report.includes(part), part);
		// What the contract or the report's own words say is no secret: kinds, states, names of fields.
		const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_@.+-]+/u);
		const open = new Set(
			[
				readFileSync(new URL('../../contract/openapi.yaml', import.meta.url), 'utf8'),
				...['', '/compare', '/lists', '/names', '/workspace'].map((name) =>
					readFileSync(new URL(`../../scripts/probe${name}.mjs`, import.meta.url), 'utf8'),
				),
			].flatMap((text) => text.toLowerCase().split(/\W+/)),
		);
		const collections = await sandbox.control('GET /state');
		const secrets = new Set(
			[
				...(
					await Promise.all(collections.map((name) => sandbox.control(`GET /state/${name}`)))
				).flatMap(textsIn),
				...(await sandbox.control('GET /tokens')).map(({ token }) => token),
				sandbox.url,
				'whsec_0123456789',
				'4155550198',
			]
				.flatMap((text) => [text.toLowerCase(), ...words(text)])
				.filter((text) => text.length > 3 && text.split(/\W+/).some((word) => !open.has(word))),
		);
		assert.ok(secrets.size > 200, String(secrets.size));
		for (const known of ['zebulon', 'ophiuchus', 'zodiacsign', 'sezam-open'])
			assert.ok(secrets.has(known), known);
		for (const text of [report, output]) {
			// Short ones count as words: "ines" stands in "guidelines".
			const told = text.toLowerCase();
			const single = new Set(told.split(/\W+/));
			assertNone(
				[...secrets].filter((one) => (one.length < 8 ? single.has(one) : told.includes(one))),
			);
			assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}|\+?\d{7,}|@/);
		}
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test("a name that is somebody's is hidden, a field that the contract does not have is not", () => {
	const names = new Names(contract().document);
	names.saw([{ name: 'Sarah Miller', key: 'favourite_doctor' }]);
	const ofPeople = { favourite_doctor: 'x', sarah: 1, '+12125550100': 1 };
	assert.equal(
		names.shape({ uuid: 'x', sentiment_trend: 1, ...ofPeople }),
		`{uuid: text, sentiment_trend: integer, ${HIDDEN}}`,
	);
	// Counted by people: nothing of it is a field.
	assert.equal(
		names.shape({ name: 'x', by_owner: { ottilie: 3, konrad: 4 } }),
		`{name: text, by_owner: {${HIDDEN}}}`,
	);
	assert.equal(
		names.shape({ uuid: 'x', custom_fields: { budget: 3, mood: 'x' } }),
		`{uuid: text, custom_fields: {${HIDDEN}}}`,
	);
	assert.equal(
		names.shape([
			{ uuid: 'x', name: null },
			{ uuid: 'y', name: 'z' },
		]),
		'list of {uuid: text, name: text}',
	);
});
