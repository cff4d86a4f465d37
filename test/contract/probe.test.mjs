// The probe against the sandbox: it finds what is as in the contract, what differs and what is
// not there, and changes nothing.
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { after, before, beforeEach, test } from 'node:test';
import { startSandbox } from '../../sandbox/client.mjs';

/** @type {Awaited<ReturnType<typeof startSandbox>>} */
let sandbox;
before(async () => {
	sandbox = await startSandbox({ settings: { rate: { general: { limit: 100_000 } } } });
});
beforeEach(() => sandbox.control('POST /reset', {}));
after(() => sandbox.stop());

/** @returns {Promise<{code: number, output: string, lines: any[], of: (endpoint: string) => any}>} */
async function probe(...parameters) {
	const script = fileURLToPath(new URL('../../scripts/probe.mjs', import.meta.url));
	const child = spawn(process.execPath, [script, ...parameters], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk) => (output += chunk));
	const code = await new Promise((resolve) => child.on('exit', resolve));
	const lines = output
		.split('\n')
		.filter((line) => line.startsWith('{'))
		.map((line) => JSON.parse(line));
	return {
		code,
		output,
		lines,
		of: (endpoint) => lines.find((line) => line.endpoint === endpoint),
	};
}

/** Everything that the sandbox holds; collections that are empty may not exist yet. */
async function stored() {
	const names = await sandbox.control('GET /state');
	const all = await Promise.all(
		names.map(async (name) => [name, await sandbox.control(`GET /state/${name}`)]),
	);
	return Object.fromEntries(all.filter(([, records]) => records.length > 0));
}

const whole = (...more) => probe('--base-url', sandbox.url, '--token', sandbox.token, ...more);

test('a workspace that keeps the contract: everything is as it says, and only reads are sent', async () => {
	const { conversation_uuid: call } = (
		await sandbox.api('POST /call', {
			agentId: (await sandbox.control('GET /state/agents'))[0].agent_uuid,
			participant: { number: '+14155550111' },
		})
	).body.data;
	await sandbox.api(`POST /calls/action/${call}/hangup`, {});
	await sandbox.control('DELETE /ledger');
	const { code, lines, output, of } = await whole('--json');
	const ledger = await sandbox.control('GET /ledger');
	assert.deepEqual(
		lines.filter(({ verdict }) => verdict === 'differs' || verdict === 'not there'),
		[],
	);
	assert.equal(code, 0);
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
		/its shape is not known; it answers with \{success, message, data\[\]\{uid, name/,
	);
	assert.ok(
		!output.includes(sandbox.token) && !output.includes('Northwind') && !output.includes('+1555'),
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
	const { code, of } = await whole('--json');
	assert.equal(code, 1);
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

test('for people: one line each, and a sum', async () => {
	await sandbox.control('PATCH /settings', {
		differ: [{ path: '/agents/{uuid}', kind: 'missing' }],
	});
	const { output } = await whole('--only', '/agents');
	assert.match(output, /^as in the contract +GET \/agents$/m);
	assert.match(output, /^not there +GET \/agents\/\{uuid\}: ENDPOINT_NOT_FOUND$/m);
	assert.match(output, /\d+ as in the contract, \d+ not asked, 1 not there\./);
});

test('writing endpoints are looked for without carrying anything out', async () => {
	await sandbox.control('PATCH /settings', {
		differ: [{ path: '/listings', method: 'POST', kind: 'missing' }],
	});
	const before = await stored();
	await sandbox.control('DELETE /ledger');
	const { code, lines, of } = await whole('--writes', '--json');
	const ledger = await sandbox.control('GET /ledger');
	assert.deepEqual(
		ledger.filter(
			({ method, effect, status }) => method !== 'GET' && (effect !== 'rejected' || status < 400),
		),
		[],
	);
	assert.deepEqual(await stored(), before);
	assert.deepEqual(
		lines
			.filter(({ verdict }) => verdict !== 'as in the contract')
			.map(({ endpoint, verdict }) => [endpoint, verdict]),
		[['POST /listings', 'not there']],
	);
	assert.match(of('POST /call').how, /it is there/);
	assert.equal(code, 1);
});

test('what keeps it from asking is said in one line, without the token', async () => {
	const revoked = (await sandbox.control('GET /tokens')).find(
		({ kind }) => kind === 'revoked',
	).token;
	for (const [parameters, line] of [
		[['--base-url', sandbox.url, '--token', revoked], /did not accept the token/],
		[['--base-url', 'http://workspace.example.com', '--token', 'x'], /must begin with https/],
		[['--base-url', 'workspace', '--token', 'x'], /is not a web address/],
		[['--token', 'x'], /--base-url/],
		[['--base-url', sandbox.url], /Give an API token/],
		[['--base-url', 'http://127.0.0.1:9', '--token', 'secret-token'], /could not be reached/],
	]) {
		const { code, output } = await probe(...parameters);
		assert.equal(code, 2, output);
		assert.match(output, line);
		assert.equal(output.trim().split('\n').length, 1);
		assert.ok(!output.includes(revoked) && !output.includes('secret-token'));
	}
});

test('a token without permission: nothing is called different because of it', async () => {
	const forbidden = (await sandbox.control('GET /tokens')).find(
		({ kind }) => kind === 'forbidden',
	).token;
	const { lines } = await probe('--base-url', sandbox.url, '--token', forbidden, '--json');
	assert.deepEqual([...new Set(lines.map(({ verdict }) => verdict))], ['not asked']);
});
