/**
 * Answers that come in pieces, slowly or without end, and files that are too large: what a time-out of silence does not
 * end. That the connection was closed, and when, is the sandbox's word.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import {
	agentOf,
	byId,
	contact,
	failure,
	fast,
	hintsOf,
	note,
	people,
	sms,
	ok,
} from './guarantees/scene.cts';
import { type FaultRule, until } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ settings: fast });

/** Something every 50 ms, so that nothing is ever silent for as long as the time-out. */
const drip: FaultRule['fault'] = { kind: 'drip', everyMs: 50 };
const endless = { ...drip, endless: true };
/** Seconds, long before n8n would give up by itself. */
const soon = 30;
const hasty = { timeout: 1, maxRetries: 0 };

/** The first request of a method and path is answered like this. */
const answerOnce = async (method: string, path: string, fault: FaultRule['fault']) =>
	await sandbox.faults([{ match: { method, path }, times: 1, fault }]);

/** The request that was answered in pieces, once its connection is closed. */
const closed = async () =>
	await until(
		'the connection to be closed',
		async () => (await sandbox.ledger()).find(({ closedEarly }) => closedEarly !== undefined),
		soon,
	);

/** The requests of a path or method, once the sandbox has noted that a connection was closed. */
const ledgerOnceClosed = async (match: Parameters<typeof sandbox.ledger>[0] = {}) => {
	await closed();
	return await sandbox.ledger(match);
};

/** The same of the file server. */
const fileClosed = async () =>
	await until(
		'the connection to be closed',
		async () => (await sandbox.fileRequests()).find(({ closedEarly }) => closedEarly !== undefined),
		soon,
	);

const readAgent = async (options: INodeParameters) => ({
	resource: 'agent',
	operation: 'get',
	agent: byId(await agentOf(sandbox)),
	options,
});

const asFile = (options: INodeParameters) => ({
	resource: 'otherEndpoint',
	operation: 'apiRequest',
	method: 'GET',
	path: '/contacts',
	options: { downloadFile: true, ...options },
});

/** A download of a stored file, which lies at another address than the API. */
const download = async (options: INodeParameters) => {
	const file = { data: Buffer.from('x'.repeat(200)), fileName: 'a.bin', mimeType: 'video/mp4' };
	const uploaded = await run(
		'acpMedia media.upload',
		{},
		{ items: [{ json: {}, binary: { data: file } }] },
	);
	const [{ uuid }] = uploaded.json() as [IDataObject];
	await sandbox.clearLedger();
	return { resource: 'media', operation: 'download', media: byId(uuid), options };
};

describe('Guarantee: a slow answer ends at its time-out', () => {
	const late = /did not respond within 1 seconds \| Raise 'Timeout' under Options/;

	test('a read, with Timeout 1 and Max Retries 0', async () => {
		await answerOnce('GET', '^/agents/', drip);
		const result = await run('acpAgents', await readAgent(hasty));
		expect(failure(result)).toMatch(late);
		expect((await closed()).closedEarly).toBe(true);
	});

	test('a read is tried again, as after any time-out, with Timeout 1', async () => {
		await answerOnce('GET', '^/agents/', drip);
		const result = ok(await run('acpAgents', await readAgent({ timeout: 1 })));
		expect(result.json()).toMatchObject([{ agent_uuid: await agentOf(sandbox) }]);
		expect((await ledgerOnceClosed()).map(({ closedEarly }) => closedEarly)).toEqual([
			true,
			undefined,
		]);
	});

	test('a send with a request key is sent again with it, and happens once, with Timeout 1', async () => {
		await answerOnce('POST', '^/sms/send$', drip);
		const result = ok(
			await run('acpMessages', sms(await agentOf(sandbox), { timeout: 1 }), { items: people(1) }),
		);
		const requests = await ledgerOnceClosed({ path: '/sms/send' });
		expect(requests.map(({ effect, closedEarly }) => [effect, closedEarly])).toEqual([
			['created', true],
			['repeated', undefined],
		]);
		const keys = requests.map(({ body }) => body.request_key);
		expect(keys[0]).toEqual(expect.any(String));
		expect(keys[1]).toBe(keys[0]);
		expect(result.json()[0].messageId).toBe(requests[0]!.resourceUuid);
	});

	test('a write that leaves a trace is found, not sent again, with Timeout 1', async () => {
		await answerOnce('POST', '/notes$', drip);
		const result = ok(
			await run('acpAgents', note(await agentOf(sandbox), { timeout: 1 }), { items: people(1) }),
		);
		expect(await ledgerOnceClosed({ method: 'POST' })).toMatchObject([
			{ effect: 'created', closedEarly: true },
		]);
		expect(result.json()[0].notes.map(({ content }: IDataObject) => content)).toContain('Hello 0');
	});

	test('any other write is told as uncertain, and Retry On Fail does not send it again, with Timeout 1', async () => {
		await answerOnce('POST', '^/contacts$', drip);
		const result = await run('acpContacts', contact({ timeout: 1 }), {
			items: people(1),
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 1,
		});
		expect(failure(result)).toMatch(/may have gone through in an earlier try/);
		expect(await ledgerOnceClosed({ method: 'POST' })).toMatchObject([
			{ effect: 'created', closedEarly: true },
		]);
	});

	test('a file of the API, also where it answers a write, with Timeout 1 and Max Retries 0', async () => {
		await answerOnce('GET', '^/contacts$', drip);
		const read = await run('acpContacts', asFile(hasty));
		expect(failure(read)).toMatch(late);
		expect((await closed()).closedEarly).toBe(true);

		await sandbox.clearLedger();
		await answerOnce('POST', '^/contacts$', drip);
		const written = await run('acpContacts', {
			...asFile(hasty),
			method: 'POST',
			body: { phone_number: '+14155550100', name: 'Ada' },
		});
		expect(failure(written)).toMatch(late);
		expect(failure(written)).toMatch(/request may have gone through/);
		expect(await closed()).toMatchObject({ effect: 'created', closedEarly: true });
	});

	test('a file of another address, with Timeout 1 and Max Retries 0', async () => {
		const parameters = await download(hasty);
		await sandbox.settings({ manners: { drip: { of: 'files', everyMs: 50 } } });
		const result = await run('acpMedia', parameters);
		expect(failure(result)).toMatch(late);
		expect(await fileClosed()).toMatchObject({ closedEarly: true });
		expect((await fileClosed()).sentBytes).toBeLessThan(200);
	});

	test('what is slow but in time comes whole', async () => {
		const parameters = await download({});
		const pieces = { of: 'all', bytes: 10, everyMs: 1 };
		await sandbox.settings({ manners: { drip: pieces } });
		const result = await run('acpMedia', parameters);
		const { data } = result.items()[0]!.binary!;
		expect(data).toMatchObject({ fileName: 'a.bin', mimeType: 'video/mp4' });
		expect((await engine.binary(data!)).toString()).toBe('x'.repeat(200));
		expect(await fileClosed()).toMatchObject({ closedEarly: false, sentBytes: 200 });
		const file = await run('acpContacts', asFile({}));
		const content = await engine.binary(file.items()[0]!.binary!.data!);
		expect(JSON.parse(content.toString())).toMatchObject({ success: true });
	});
});

describe('Guarantee: a stopped execution closes the connections of its requests', () => {
	const arrived = async () => (await sandbox.ledger()).some(({ fault }) => fault === 'drip');

	test.each([
		['a read', 'acpAgents', '^/agents/', readAgent],
		['a file of the API', 'acpContacts', '^/contacts$', async () => asFile({})],
	] as const)('%s', async (_, node, path, parameters) => {
		await answerOnce('GET', path, endless);
		const result = await run(node, await parameters({}), { cancelWhen: arrived });
		expect(result.status).toBe('canceled');
		expect((await closed()).closedEarly).toBe(true);
	});

	test('a write, whose outcome stays known as uncertain', async () => {
		await answerOnce('POST', '^/contacts$', endless);
		const stopped = await run('acpContacts', contact({}), {
			items: people(1),
			cancelWhen: arrived,
		});
		expect(stopped.status).toBe('canceled');
		expect(await closed()).toMatchObject({ effect: 'created', closedEarly: true });
		const again = await engine.retry(stopped);
		expect(failure(again)).toMatch(/may have gone through in an earlier try/);
		expect(await sandbox.created('/contacts')).toHaveLength(1);
	});

	test('a file of another address', async () => {
		const parameters = await download({});
		const pieces = { of: 'files', everyMs: 50, endless: true };
		await sandbox.settings({ manners: { drip: pieces } });
		const result = await run('acpMedia', parameters, {
			cancelWhen: async () => (await sandbox.fileRequests()).length > 0,
		});
		expect(result.status).toBe('canceled');
		expect((await fileClosed()).closedEarly).toBe(true);
	});
});

describe('Guarantee: a file is read no further than it may be large', () => {
	const megabyte = 1024 * 1024;
	/** Connections hold some megabytes by themselves. */
	const little = 40 * megabyte;

	test('by its announced size', async () => {
		const parameters = await download({ maximumFileSize: 100 });
		await sandbox.settings({ manners: { fileBytes: 100 * megabyte + 1 } });
		const result = await run('acpMedia', parameters);
		expect(failure(result)).toMatch(
			/^The file is larger than 100 MB and was not read completely \| To read it, raise 'Maximum File Size'/,
		);
		expect(await fileClosed()).toMatchObject({ closedEarly: true });
		expect((await fileClosed()).sentBytes).toBeLessThan(little);
	});

	test('counted as it arrives, where it does not say how large it is', async () => {
		const parameters = await download({ maximumFileSize: 1 });
		const pieces = { of: 'all', bytes: 65_536, endless: true };
		await sandbox.settings({ manners: { drip: { ...pieces, of: 'files' } } });
		const result = await run('acpMedia', parameters, { onError: 'continueRegularOutput' });
		expect(result.json()).toMatchObject([
			{ error: 'The file is larger than 1 MB and was not read completely' },
		]);
		expect(await fileClosed()).toMatchObject({ closedEarly: true });
		expect((await fileClosed()).sentBytes).toBeLessThan(little);
	});

	test('an answer of the API as well; a write says that it was accepted', async () => {
		await answerOnce('POST', '^/contacts$', {
			kind: 'drip',
			bytes: 65_536,
			everyMs: 0,
			endless: true,
		});
		const result = await run('acpContacts', {
			...asFile({ maximumFileSize: 1 }),
			method: 'POST',
			body: { phone_number: '+14155550100', name: 'Ada' },
		});
		expect(failure(result)).toMatch(/larger than 1 MB .* The platform accepted the request\./);
		expect(await closed()).toMatchObject({ effect: 'created', closedEarly: true });
		expect(await sandbox.created('/contacts')).toHaveLength(1);
	});

	test('where n8n keeps files in memory, 256 MB at most', async () => {
		const parameters = await download({ maximumFileSize: 2000 });
		await sandbox.settings({ manners: { fileBytes: 256 * megabyte + 1 } });
		const result = await run('acpMedia', parameters);
		expect(failure(result)).toMatch(/larger than 256 MB .* This n8n keeps files in memory/);
		expect((await fileClosed()).sentBytes).toBeLessThan(little);
	});

	test('no other answer is read further than 64 MB; a write says that it was accepted, with Timeout 60 and Max Retries 0', async () => {
		const patient = { timeout: 60, maxRetries: 0 };
		const flood: FaultRule['fault'] = { kind: 'drip', bytes: 65_536, everyMs: 0, endless: true };
		const bound = /answered with more than 64 MB, .* Ask for less per request/;
		await answerOnce('GET', '^/agents/', flood);
		const read = await run('acpAgents', await readAgent(patient));
		expect(failure(read)).toMatch(bound);
		expect((await closed()).sentBytes).toBeLessThan(80 * megabyte);

		await sandbox.clearLedger();
		await answerOnce('POST', '^/contacts$', flood);
		const written = await run('acpContacts', contact(patient), { items: people(1) });
		expect(failure(written)).toMatch(bound);
		expect(failure(written)).toMatch(/The platform accepted the request\./);
		expect(await ledgerOnceClosed({ method: 'POST' })).toMatchObject([
			{ effect: 'created', closedEarly: true },
		]);
	});

	test('a size that the option does not know is refused before anything is sent', async () => {
		const result = await run('acpMedia', await download({ maximumFileSize: 2001 }));
		expect(failure(result)).toMatch(
			/'Options › Maximum File Size' is 2001; it must be 2000 or less/,
		);
		expect(hintsOf(result)).toBe('');
		expect(await sandbox.ledger()).toEqual([]);
	});
});
