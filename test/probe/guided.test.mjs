// The first hour with a workspace: it asks before each step, removes what it made or says what stays, and finds out
// what the platform does, however it behaves.
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startSandbox } from '../../sandbox/client.mjs';
import { opened } from '../../scripts/probe/compare.mjs';
import { guided } from '../../scripts/probe/guided.mjs';
import { stored } from './stored.mjs';
import { takesEverything } from './takesEverything.mjs';

/** @type {Awaited<ReturnType<typeof startSandbox>>} */
let sandbox;
before(async () => {
	sandbox = await startSandbox({ settings: { rate: { general: { limit: 100_000 } } } });
});
beforeEach(() => sandbox.control('POST /reset', {}));
after(() => sandbox.stop());

const ownNumber = '+14155550111';
const binUrl = 'https://bin.example.com/secret-path';

/** Steps by a word of their question. */
const all = /./;

/** Somebody at the terminal who agrees to these steps. */
function person(agreesTo, { rang = '1', pasted = [] } = {}) {
	const lines = [];
	const questions = [];
	const paste = [...pasted];
	return {
		lines,
		questions,
		say: (text) => lines.push(text),
		agrees: async (question) => {
			questions.push(question);
			return agreesTo.test(question);
		},
		answer: async (question) => {
			lines.push(question);
			if (/^Number of the agent/.test(question)) return '1';
			if (/request bin/.test(question)) return binUrl;
			if (/own phone number/.test(question)) return ownNumber;
			if (/phone ring/.test(question)) return rang;
			return paste.shift() ?? '';
		},
	};
}

/** An hour with the sandbox, or another platform. */
async function hour(agreesTo, options, where) {
	const { root, token } = where ?? { root: `${sandbox.url}/api/v1`, token: sandbox.token };
	const terminal = person(agreesTo, options);
	const { findings, stays } = await guided({ ...(await opened({ root, token })), terminal });
	return {
		...terminal,
		findings,
		stays,
		of: (question) =>
			findings.find((one) => one.question.includes(question))?.finding ?? 'not asked',
		about: (endpoint) =>
			findings.flatMap(({ about }) => about ?? []).find((one) => one.endpoint === endpoint),
	};
}

const ledger = async () => await sandbox.control('GET /ledger');
const calls = async () =>
	(await ledger()).filter(({ path, effect }) => path === '/call' && effect !== 'rejected');

test('a person who agrees to nothing: nothing is sent', async () => {
	await sandbox.control('DELETE /ledger');
	const { findings, stays, questions } = await hour(/nothing at all/);
	assert.ok(questions.length >= 5);
	assert.deepEqual([await ledger(), findings, stays], [[], [], []]);
});

test('a person who agrees to everything: what it made is gone or named, and the phone rings once', async () => {
	const before = await stored(sandbox);
	await sandbox.control('DELETE /ledger');
	const pasted = JSON.stringify({
		event: 'conversation_status',
		data: { duration: 7, owner: 'Ada' },
	});
	const { findings, stays, lines, of, about } = await hour(all, { pasted: ['no JSON', pasted] });
	const now = await stored(sandbox);
	const others = now.contacts.filter(({ phone_number: number }) => number !== ownNumber);
	assert.equal(now.contacts.length, others.length + 1);
	assert.deepEqual(
		[others, now.tasks, now.webhooks],
		[before.contacts, before.tasks, before.webhooks],
	);
	assert.equal(stays.length, 3);
	assert.equal(stays[2], 'the call, its conversation, and a contact with your number');
	assert.match(stays[0], /^the listing "Probe [0-9a-f]{8}": delete it on the platform$/);
	assert.match(stays[1], /^the intent "Probe [0-9a-f]{8}": delete it on the platform$/);
	assert.ok(lines.includes(`Stays in your workspace: ${stays[0]}.`));
	assert.equal((await calls()).filter(({ effect }) => effect === 'created').length, 1);
	assert.equal(of('leave alone what it does not name'), 'yes, it merges');
	assert.equal(of('empty text clear'), 'yes');
	assert.equal(of('search find a contact'), 'yes');
	assert.equal(of('list of contacts show'), 'yes');
	assert.equal(of('Which fields of a row'), 'status, blacklist');
	assert.equal(of('task with the same request key'), 'once');
	assert.equal(of('listing with the same request key'), 'once');
	assert.deepEqual(
		findings.flatMap(({ then }) => then ?? []),
		['Tasks', 'Listings'].map(
			(area) => `You may choose "${area}" under "Request Keys Confirmed" in the credential`,
		),
	);
	assert.equal(of('same key name the same conversation'), 'yes');
	assert.equal(of('How many calls'), '1');
	assert.equal(of('time zone'), 'yes');
	assert.match(of('Which rate limit'), /^\d+$/);
	assert.match(of('What does conversation_status hold'), /event: text, data: \{duration: integer/);
	assert.equal(about('POST /listings').verdict, 'confirmed');
	assert.deepEqual(about('POST /tasks'), {
		endpoint: 'POST /tasks',
		field: 'request_key',
		verdict: 'confirmed',
	});
	assert.equal(about('DELETE /agents/{uuid}/webhooks/{webhookUuid}').verdict, 'confirmed');
	assert.equal(about('POST /agents/{uuid}/intents').verdict, 'confirmed');
	const told = JSON.stringify(findings);
	const [{ name }] = now.agents;
	for (const value of [ownNumber, binUrl, sandbox.token, name, 'Ada', 'secret-path', '555'])
		assert.ok(!told.includes(value), value);
});

test('a platform with other manners: what it does is found out', async () => {
	for (const [manners, question, finding] of [
		[{ blacklistShown: 'hidden' }, 'list of contacts show', 'no'],
		[{ blacklistShown: 'untold' }, 'Which fields of a row', 'none'],
		[{ blacklistShown: 'beside-active' }, 'Which fields of a row', 'blacklist'],
		[{ contactSearch: 'prefix' }, 'search find a blacklisted', 'yes'],
		[
			{ guessedKeys: 'field' },
			'same request key',
			'the key is refused: status 422 (VALIDATION_ERROR)',
		],
		[{ guessedKeys: 'message' }, 'same request key', 'unknown: status 422 (VALIDATION_ERROR)'],
		[{ zoneUnnamed: true }, 'time zone', 'no'],
		[
			{ replacingUpdates: 'always' },
			'leave alone what it does not name',
			'no, it replaces: the other fields are gone',
		],
	]) {
		await sandbox.control('POST /reset', {});
		const before = await stored(sandbox);
		await sandbox.control('PATCH /settings', { manners });
		const { of, stays } = await hour(/zone|test contact/);
		assert.equal(of(question), finding, JSON.stringify(manners));
		assert.deepEqual(stays, [], JSON.stringify(manners));
		const now = await stored(sandbox);
		assert.deepEqual([now.contacts, now.tasks], [before.contacts, before.tasks]);
	}
});

test('a platform whose responses say nothing: whatever it made is gone or named', async () => {
	for (const manners of [
		{ writeAnswers: 'empty' },
		{ writeAnswers: 'text' },
		{ writeAnswers: 'bare-array' },
		{ refusalsAsSuccess: true },
		{ listLayout: 'array' },
	]) {
		await sandbox.control('POST /reset', {});
		const before = await stored(sandbox);
		await sandbox.control('PATCH /settings', { manners });
		const { stays } = await hour(/test contact|webhook on/);
		await sandbox.control('PATCH /settings', { manners: { writeAnswers: null } });
		const now = await stored(sandbox);
		const left = ['contacts', 'tasks', 'webhooks'].filter(
			(one) => (now[one] ?? []).length > (before[one] ?? []).length,
		);
		for (const one of left)
			assert.ok(
				stays.some((stay) => stay.startsWith(`the ${one.slice(0, -1)}`)),
				`${JSON.stringify(manners)}: ${one} stays, and only this is said: ${stays}`,
			);
	}
});

test('a workspace that has a contact with the number: it is left alone', async () => {
	const numbers = Array.from(
		{ length: 100 },
		(_, at) => `+1212555${String(100 + at).padStart(4, '0')}`,
	);
	await Promise.all(
		numbers.map((phone_number) =>
			sandbox.api('POST /contacts', { phone_number, name: 'Somebody', surname: 'Real' }),
		),
	);
	const before = await stored(sandbox);
	const { lines, findings } = await hour(/test contact/);
	assert.ok(lines.some((line) => line.includes('A contact with this number exists.')));
	assert.deepEqual(findings, []);
	assert.deepEqual((await stored(sandbox)).contacts, before.contacts);
});

test('a platform that carries out each request anew: two tasks, both deleted, and it says twice', async () => {
	// As the sandbox keeps its keys by endpoint and key, another key each time is a platform that ignores it.
	const before = await stored(sandbox);
	const { root, token } = { root: `${sandbox.url}/api/v1`, token: sandbox.token };
	const parts = await opened({ root, token });
	const ask = parts.workspace.ask.bind(parts.workspace);
	parts.workspace.ask = (method, path, query, body) =>
		ask(method, path, query, body && body.replace(/"request_key":"[^"]+"/, `"description":"x"`));
	const { findings, stays } = await guided({ ...parts, terminal: person(/test contact/) });
	const keys = findings.find(({ question }) => question.includes('same request key'));
	assert.equal(keys.finding, 'twice');
	assert.equal(keys.about[0].verdict, 'wrong');
	assert.match(keys.then, /^Leave "Tasks" out of/);
	assert.deepEqual(stays, []);
	assert.deepEqual((await stored(sandbox)).tasks, before.tasks);
});

test('a platform that takes everything: only what was agreed to is sent', async () => {
	const platform = await takesEverything();
	try {
		const where = { root: platform.root, token: 'any' };
		await hour(/nothing at all/, {}, where);
		assert.deepEqual(platform.done, []);
		const { stays } = await hour(/Create a test contact/, {}, where);
		assert.deepEqual(platform.done, ['POST /contacts']);
		assert.match(stays.join(), /^the contact "Probe [0-9a-f]{8}"$/);
	} finally {
		await platform.stop();
	}
});

test('in a terminal: no is the default, and the report stands beside its JSON', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'probe-'));
	try {
		await sandbox.control('DELETE /ledger');
		const script = fileURLToPath(new URL('../../scripts/probe.mjs', import.meta.url));
		const report = join(folder, 'report.md');
		const child = spawn(
			process.execPath,
			[script, '--guided', '--base-url', sandbox.url, '--report', report],
			{ env: { ...process.env, ACP_TOKEN: sandbox.token }, stdio: ['pipe', 'pipe', 'pipe'] },
		);
		child.stdin.end('y\n\n');
		let output = '';
		for (const stream of [child.stdout, child.stderr])
			stream.on('data', (chunk) => (output += chunk));
		const code = await new Promise((resolve) => child.on('exit', resolve));
		assert.equal(code, 0, output);
		assert.match(output, /Create a test contact .*\[y\/N\]: /);
		assert.deepEqual([...new Set((await ledger()).map(({ method }) => method))], ['GET']);
		const { guided: findings } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
		assert.equal(findings.length, 3);
		for (const { question, finding } of findings)
			assert.ok(readFileSync(report, 'utf8').includes(`| ${question} | ${finding} |`));
	} finally {
		rmSync(folder, { recursive: true });
	}
});
