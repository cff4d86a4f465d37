// The contract against the platform's own OpenAPI file: one made from the contract itself and bent, so that it is known
// what must be found. The file is written as others write it: paths below the server, other names in paths, JSON.
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { jsonOf } from '../../scripts/probe/report.mjs';
import catalog from '../../tools/catalog.cjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
after(() => rmSync(folder, { recursive: true }));

const { document, endpoints } = catalog.contract();

/** A copy without anything that only our contract has. */
const plain = (value) =>
	Array.isArray(value)
		? value.map(plain)
		: value !== null && typeof value === 'object'
			? Object.fromEntries(
					Object.entries(value)
						.filter(([name]) => !name.startsWith('x-'))
						.map(([name, inside]) => [name, plain(inside)]),
				)
			: value;

/** The platform's file. @param {(file: any) => void} [bend] @returns {string} where it is */
function theirFile(bend = () => {}) {
	const file = plain(document);
	bend(file);
	file.servers = [{ url: 'https://workspace.example.com' }];
	file.paths = Object.fromEntries(
		Object.entries(file.paths).map(([path, item]) => [
			`/api/v1${path.replaceAll('{uuid}', '{id}')}`,
			JSON.parse(
				JSON.stringify(item).replaceAll('"name":"uuid","in":"path"', '"name":"id","in":"path"'),
			),
		]),
	);
	file.components.parameters.Uuid.name = 'id';
	const target = join(folder, 'platform.json');
	writeFileSync(target, JSON.stringify(file));
	return target;
}

function run(script, ...parameters) {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[join(root, 'scripts', script), ...parameters],
		{ encoding: 'utf8' },
	);
	return { code: status, output: stdout + stderr };
}

function probe(file, ...more) {
	const { code, output } = run('probe.mjs', '--openapi', file, '--json', ...more);
	const lines = output
		.split('\n')
		.filter((line) => line.startsWith('{'))
		.map((line) => JSON.parse(line).openapi);
	return { code, output, lines, of: (key) => lines.find(({ endpoint }) => endpoint === key) };
}

test('a file that says what the contract says: every endpoint is confirmed', () => {
	const { code, lines } = probe(theirFile());
	assert.equal(code, 0);
	assert.equal(lines.length, endpoints.length);
	assert.deepEqual(
		lines.filter(({ verdict, how }) => verdict !== 'confirmed' || !/^confirmed: \d+$/.test(how)),
		[],
	);
});

const schemaOf = (file, name) => file.components.schemas[name];
/** The part of a schema that holds a property, in the schema itself or in one that it is made of. */
const holder = (file, schema, name) => {
	const found = schema.$ref ? schemaOf(file, schema.$ref.split('/').pop()) : schema;
	if (found.properties?.[name]) return found;
	return (found.allOf ?? []).map((part) => holder(file, part, name)).find(Boolean);
};
const bodyOf = (file, path, verb) =>
	file.paths[path][verb].requestBody.content['application/json'].schema;

/** Ten ways in which the platform could be other than the contract, and what is said of each. */
const bends = [
	{
		what: 'an endpoint is missing',
		bend: (file) => delete file.paths['/agents/{uuid}'].get,
		of: 'GET /agents/{uuid}',
		verdict: 'missing',
		how: /^the file has PATCH(, \w+)* there$/,
	},
	{
		what: 'a whole path is missing',
		bend: (file) => delete file.paths['/logs/actions'],
		of: 'GET /logs/actions',
		verdict: 'missing',
		how: /^the file does not have the path$/,
	},
	{
		what: 'an endpoint is there that the contract does not have',
		bend: (file) =>
			(file.paths['/logs/webhooks'] = { get: { responses: { 200: { description: '' } } } }),
		of: 'GET /logs/webhooks',
		verdict: 'not in the contract',
		how: /^$/,
	},
	{
		what: 'a filter has another name',
		bend: (file) =>
			(file.paths['/agents'].get.parameters.find(({ name }) => name === 'search').name = 'q'),
		of: 'GET /agents',
		how: /query search is not there; .*beyond the contract: query q$/,
	},
	{
		what: 'a field of a body is of another kind',
		bend: (file) =>
			(holder(file, bodyOf(file, '/agents/{uuid}/notes', 'post'), 'order').properties.order = {
				type: 'string',
			}),
		of: 'POST /agents/{uuid}/notes',
		how: /body order is string, not integer/,
	},
	{
		what: 'a field must be sent that the contract lets out',
		bend: (file) =>
			(schemaOf(file, 'AgentWebhookWrite').required = ['url', 'events', 'secret_key']),
		of: 'POST /agents/{uuid}/webhooks',
		how: /body secret_key must be sent/,
	},
	{
		what: 'a value of a list of values is gone, another has come',
		bend: (file) =>
			(schemaOf(file, 'AgentStatus').enum = [
				'pending',
				'ready',
				'paused',
				'archived',
				'completed',
			]),
		of: 'GET /agents',
		how: /query status does not take in_progress; query status also takes archived/,
	},
	{
		what: 'a bound is another',
		bend: (file) =>
			(file.paths['/conversations'].get.parameters.find(
				({ name }) => name === 'per_page',
			).schema.maximum = 50),
		of: 'GET /conversations',
		how: /query per_page has maximum 50, not 100/,
	},
	{
		what: 'a field of an answer has another name',
		bend: (file) => {
			const properties =
				schemaOf(file, 'VoiceAdvanced')?.properties ?? file.components.responses.VoiceAdvanced;
			const text = JSON.stringify(properties).replaceAll('"voice_uuid"', '"voice_id"');
			if (schemaOf(file, 'VoiceAdvanced'))
				schemaOf(file, 'VoiceAdvanced').properties = JSON.parse(text);
			else file.components.responses.VoiceAdvanced = JSON.parse(text);
		},
		of: 'GET /agents/{uuid}/voice-advanced',
		how: /answer data\.voice_uuid is not there/,
	},
	{
		what: 'a body is sent in another form',
		bend: (file) => {
			const body = file.paths['/call'].post.requestBody;
			body.content = { 'multipart/form-data': body.content['application/json'] };
		},
		of: 'POST /call',
		how: /its body is multipart\/form-data, not application\/json/,
	},
];

test('a file bent in ten places: all ten are found, and nothing else', () => {
	const { code, lines, of } = probe(theirFile((file) => bends.forEach(({ bend }) => bend(file))));
	assert.equal(bends.length, 10);
	assert.equal(code, 1);
	for (const { what, of: key, verdict = 'wrong', how } of bends) {
		assert.equal(of(key)?.verdict, verdict, what);
		assert.match(of(key).how, how, what);
	}
	const expected = new Set(bends.map(({ of: key }) => key));
	// What is shared bends whatever shares it; it is said of each, and of nothing else.
	const shared =
		/(body secret_key must be sent|body order is string|status (does not|also)|voice_uuid is not there)/;
	assert.deepEqual(
		lines.filter(
			({ endpoint, verdict, how }) =>
				verdict !== 'confirmed' && !expected.has(endpoint) && !shared.test(how),
		),
		[],
	);
});

test('each of the ten alone is found as well', () => {
	for (const { what, bend, of: key, verdict = 'wrong', how } of bends) {
		const { of } = probe(theirFile(bend), '--only', key.split(' ')[1]);
		assert.equal(of(key)?.verdict, verdict, what);
		if (key !== 'GET /agents') assert.match(of(key).how, how, what);
	}
});

test('what the file leaves out is not confirmed, and not called wrong', () => {
	const { code, of } = probe(
		theirFile((file) => {
			file.paths['/agents'].get.responses = { 200: { description: 'The agents.' } };
			delete file.paths['/agents'].get.parameters[0].schema.minimum;
		}),
	);
	assert.equal(code, 0);
	assert.match(of('GET /agents').how, /^confirmed: \d+; the file does not say: .*the answer/);
	assert.match(of('GET /agents').how, /minimum of query page/);
});

test('references to other files and YAML are read; Swagger 2 and a missing file are refused in one line', () => {
	const file = theirFile((theirs) => {
		writeFileSync(join(folder, 'status.yaml'), 'type: string\nenum: [pending]\n');
		theirs.components.schemas.AgentStatus = { $ref: './status.yaml' };
	});
	assert.match(probe(file).of('GET /agents').how, /status does not take completed, in_progress/);
	writeFileSync(
		join(folder, 'old.yaml'),
		"swagger: '2.0'\ninfo: {title: x, version: '1'}\npaths: {}\n",
	);
	for (const [name, says] of [
		['old.yaml', /is not OpenAPI 3/],
		['nowhere.yaml', /cannot be read as OpenAPI/],
	]) {
		const { code, output } = run('probe.mjs', '--openapi', join(folder, name));
		assert.equal(code, 2, output);
		assert.match(output, says);
		assert.equal(output.trim().split('\n').length, 1, output);
	}
});

test('the report of a comparison with a file needs no workspace', () => {
	const report = join(folder, 'report.md');
	run('probe.mjs', '--openapi', theirFile(bends[0].bend), '--report', report);
	assert.match(
		readFileSync(report, 'utf8'),
		/\| GET \/agents\/\{uuid\} \| inferred \| missing \| the file has PATCH/,
	);
});

/** Raises what a file confirms in a copy of the contract. */
function confirm(file) {
	const target = join(folder, 'contract');
	rmSync(target, { recursive: true, force: true });
	cpSync(join(root, 'contract'), target, { recursive: true });
	const read = () =>
		readFileSync(join(target, 'openapi.yaml'), 'utf8')
			// The sentence of a guess goes with the guess.
			.replace(/^ +x-unconfirmed: .*\n/gm, '')
			.replaceAll(/, x-unconfirmed: '(?:[^']|'')*'/g, '')
			.split('\n');
	const before = read();
	const { code, output } = run('contract.mjs', '--confirm', file, '--folder', target);
	const whole = readFileSync(join(target, 'openapi.yaml'), 'utf8');
	const text = read();
	assert.equal(code, 0, output);
	assert.equal(text.length, before.length);
	const changed = text.flatMap((line, index) =>
		line === before[index] ? [] : [{ number: index + 1, before: before[index], line }],
	);
	return { output, whole, text, changed };
}
const guess = /(x-source|x-bounds-source): (inferred|catalogue)/g;
const guesses = (text) => [...text.matchAll(guess)].length;

test('a file that confirms everything raises every guess, and changes nothing but the marks', () => {
	const { text, changed, output } = confirm(theirFile());
	assert.ok(changed.length > 30);
	// What is said of every list is said of no endpoint, so no file can confirm it.
	const endpointsOn = text
		.join('\n')
		.replace(/^x-every-list:\n( .*\n)+/m, '')
		.replace(/^#.*$/gm, '');
	assert.equal(guesses(endpointsOn), 0, output);
	for (const { before, line } of changed) {
		assert.ok(guesses(before) > 0);
		assert.equal(line, before.replaceAll(guess, '$1: reference'));
	}
});

test('a guess that the file contradicts, or does not speak of, stays one', () => {
	const { output, text, changed } = confirm(
		theirFile((file) => {
			delete file.paths['/agents/{uuid}'].get;
			file.paths['/agents'].get.parameters.find(({ name }) => name === 'search').name = 'q';
			delete file.paths['/agents'].get.parameters.find(({ name }) => name === 'page').schema
				.minimum;
		}),
	);
	const agents = text.join('\n').slice(text.join('\n').indexOf('\n  /agents:'));
	assert.match(agents, /\{name: search, in: query, x-source: inferred/);
	// Two marks in one line: the parameter is there, its bound is not spoken of.
	assert.match(
		agents,
		/\{name: page, in: query, x-source: reference, .*x-bounds-source: catalogue/,
	);
	assert.match(agents, /\{name: status, in: query, x-source: reference/);
	assert.match(agents, /summary: Get an agent\n +x-source: inferred/);
	assert.match(output, /left as it is +line \d+: wrong: GET \/agents\/\{uuid\} is missing/);
	assert.match(output, /left as it is +line \d+: wrong: GET \/agents: query search is not there/);
	assert.match(
		output,
		/left as it is +line \d+: the file does not say: GET \/agents: minimum of query page/,
	);
	const raised = changed.reduce(
		(sum, { before, line }) => sum + guesses(before) - guesses(line),
		0,
	);
	assert.match(output, new RegExp(`^${raised} raised, 3 left\\.`, 'm'));
});

test('a report of the probe raises what it saw, with the sentence of the guess, and leaves the rest', () => {
	const file = join(folder, 'report.json');
	const about = (endpoint, verdict, field) => ({
		question: 'Is it so?',
		finding: 'it is',
		about: [{ endpoint, verdict, ...(field ? { field } : {}) }],
	});
	const found = {
		endpoints: [
			{ endpoint: 'GET /agents/{uuid}', verdict: 'as in the contract' },
			{ endpoint: 'GET /logs/actions', verdict: 'not there', how: 'ENDPOINT_NOT_FOUND' },
			{
				endpoint: 'POST /builders/{uuid}/start',
				verdict: 'as in the contract',
				how: 'it is there; it refused a request that is none',
			},
			{ endpoint: 'POST /phone-numbers/documents', verdict: 'not asked', how: 'it writes' },
		],
		lists: [
			{
				endpoint: 'GET /agents',
				paging: { 'per_page=1': 'one row', 'page=2': 'other rows' },
				filters: { status: 'works', search: 'ignored' },
			},
			{ endpoint: 'GET /medias', paging: {}, filters: { search: 'the list is empty' } },
		],
		guided: [
			about('POST /tasks', 'confirmed', 'request_key'),
			about('DELETE /agents/{uuid}/webhooks/{webhookUuid}', 'wrong'),
			about('POST /agents/{uuid}/intents', 'confirmed'),
			{ question: 'What else?', finding: 'nothing' },
		],
	};
	writeFileSync(file, jsonOf(found));
	const { output, whole, changed } = confirm(file);
	const marked = (operationId) =>
		/x-source: (\w+)\n( +x-unconfirmed)?/.exec(
			whole.slice(whole.indexOf(`operationId: ${operationId}\n`)),
		);
	for (const [operationId, source, sentence] of [
		['getAgent', 'workspace', false],
		['createAgentIntent', 'workspace', false],
		['deleteAgentWebhook', 'inferred', true],
		['listActionLogs', 'inferred', true],
		['startBuilder', 'inferred', true],
		['uploadPhoneNumberDocument', 'inferred', true],
	]) {
		const [, now, kept] = marked(operationId);
		assert.deepEqual([operationId, now, kept !== undefined], [operationId, source, sentence]);
	}
	assert.match(whole, /\{name: status, in: query, x-source: workspace, schema/);
	assert.match(whole, /\{name: search, in: query, x-source: inferred, x-unconfirmed: 'Unc/);
	assert.equal([...whole.matchAll(/request_key: .*x-source: workspace\}/g)].length, 1);
	assert.equal(changed.length, 5);
	assert.match(output, /^5 raised, \d+ left\./m);
	assert.match(
		output,
		/wrong: DELETE \/agents\/\{uuid\}\/webhooks\/\{webhookUuid\}: Is it so\? it is/,
	);
	assert.match(output, /the file does not say: GET \/medias: query search: the list is empty/);
});
