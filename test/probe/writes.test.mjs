// The probe with --writes: nothing is written that was not asked for, however a platform behaves.
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startSandbox } from '../../sandbox/client.mjs';
import { compareWorkspace } from '../../scripts/probe/compare.mjs';
import { stored } from './stored.mjs';
import { takesEverything } from './takesEverything.mjs';

/** @type {Awaited<ReturnType<typeof startSandbox>>} */
let sandbox;
before(async () => {
	sandbox = await startSandbox({ settings: { rate: { general: { limit: 100_000 } } } });
});
beforeEach(() => sandbox.control('POST /reset', {}));
after(() => sandbox.stop());

const probed = async (only, { root, token } = sandbox) => {
	const { endpoints } = await compareWorkspace({ root, token, only, writes: true });
	return endpoints.filter(({ endpoint }) => !endpoint.startsWith('GET '));
};
const onSandbox = () => ({ root: `${sandbox.url}/api/v1`, token: sandbox.token });

/** Writes that the sandbox took, by its ledger. */
const taken = async () =>
	(await sandbox.control('GET /ledger')).filter(
		({ method, effect }) => method !== 'GET' && effect !== 'rejected',
	);

const harmless = 'PUT /contacts/fields/{key}';

test('a platform that refuses bad JSON: endpoints with an ID are looked for, the others are not asked', async () => {
	const before = await stored(sandbox);
	await sandbox.control('DELETE /ledger');
	const verdicts = await probed('', onSandbox());
	const asked = (await sandbox.control('GET /ledger')).filter(({ method }) => method !== 'GET');
	assert.deepEqual(await stored(sandbox), before);
	assert.deepEqual(await taken(), []);
	const [withId, others] = [true, false].map((id) =>
		verdicts.filter(({ endpoint }) => endpoint.includes('{') === id),
	);
	assert.ok(withId.length > 60 && others.length > 20);
	assert.deepEqual([...new Set(withId.map(({ verdict }) => verdict))], ['as in the contract']);
	assert.deepEqual(
		[...new Set(others.map(({ verdict, how }) => `${verdict}: ${how}`))],
		['not asked: without an ID in its path, a request could do something'],
	);
	assert.equal(asked.length, withId.length);
	assert.match(asked[0].path, /^\/contacts\/fields\/[0-9a-f-]{36}$/);
	// Deletions come last: most of them have no body that could be refused.
	const methods = asked.slice(1).map(({ method }) => method);
	assert.ok(methods.includes('DELETE'));
	assert.equal(methods.indexOf('DELETE'), methods.filter((one) => one !== 'DELETE').length);
});

test('a platform with other manners: whatever it does, nothing is written', async () => {
	const manners = Object.entries(await sandbox.control('GET /manners')).flatMap(([name, ways]) =>
		// Slow answers and answers that never end are no matter of what is written.
		name === 'drip' ? [] : ways.map((way) => ({ [name]: way })),
	);
	assert.ok(manners.length > 40);
	for (const manner of manners) {
		await sandbox.control('POST /reset', {});
		await sandbox.control('PATCH /settings', { manners: manner });
		await sandbox.control('DELETE /ledger');
		const verdicts = await probed(harmless.slice('PUT '.length), onSandbox());
		const asked = await sandbox.control('GET /ledger');
		const told = JSON.stringify(manner);
		assert.equal(verdicts.length, 2, told);
		assert.ok(asked.length > 0, told);
		assert.deepEqual(await taken(), [], told);
	}
});

test('a platform that answers 200 to what it refuses: the probe stops after one request', async () => {
	await sandbox.control('PATCH /settings', { manners: { refusalsAsSuccess: true } });
	await sandbox.control('DELETE /ledger');
	const verdicts = await probed('/agents/{uuid}', onSandbox());
	const asked = (await sandbox.control('GET /ledger')).filter(({ method }) => method !== 'GET');
	assert.equal(asked.length, 1);
	assert.deepEqual(
		verdicts.filter(({ verdict }) => verdict !== 'not asked').map(({ endpoint }) => endpoint),
		[harmless],
	);
	assert.match(
		verdicts[0].how,
		/^stopped: PUT \/contacts\/fields\/\{key\} answered bad JSON with status 200, not with 400$/,
	);
});

test('a platform that takes everything: one request, about a key that does not exist', async () => {
	const platform = await takesEverything();
	try {
		const verdicts = await probed('', { root: platform.root, token: 'any' });
		assert.equal(platform.done.length, 1);
		assert.match(platform.done[0], /^PUT \/contacts\/fields\/[0-9a-f-]{36}$/);
		const said = verdicts.filter(({ verdict }) => verdict !== 'not asked');
		assert.deepEqual(
			said.map(({ endpoint, how }) => [endpoint, how]),
			[[harmless, 'it accepted a request that is none (status 201)']],
		);
		assert.ok(verdicts.length > 100);
	} finally {
		await platform.stop();
	}
});

test('a platform that refuses bad JSON here and takes it there: the probe stops at the first that takes it', async () => {
	const platform = await takesEverything((request) => /^PUT \/contacts|^PATCH /.test(request));
	try {
		const verdicts = await probed('', { root: platform.root, token: 'any' });
		assert.equal(platform.done.length, 1);
		assert.match(platform.done[0], /^(POST|PUT) \/\S*[0-9a-f-]{36}/);
		assert.ok(platform.refused.length > 1);
		assert.ok(verdicts.some(({ how }) => /^stopped: .* accepted a request that is none/.test(how)));
	} finally {
		await platform.stop();
	}
});
