/**
 * Answers that come in pieces, slowly or without end, and files that are too large: what a time-out of silence does not
 * end. That the connection was closed, and when, is the sandbox's word.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { hit, promisesOf } from './guarantees/promises.cts';
import { agentOf, byId, failure, fast } from './guarantees/scene.cts';
import { type FaultRule, type NodeOptions, type Result, until } from './harness/index.cts';

const platform = usePlatform({ settings: fast });
const { sandbox, engine, run } = platform;
const { given, perform } = promisesOf(platform);
const { contact } = kinds;

/** Something every 50 ms, so that nothing is ever silent for as long as the time-out. */
const drip: FaultRule['fault'] = { kind: 'drip', everyMs: 50 };
const endless = { ...drip, endless: true };
/** As much and as fast as it goes. */
const flood: FaultRule['fault'] = { ...endless, bytes: 65_536, everyMs: 0 };
const once = (fault: FaultRule['fault']) => ({ strikes: [hit(fault)('all', { times: 1 })] });
const hasty = { timeout: 1, maxRetries: 0 };

/** The request or file that was answered in pieces, once its connection is closed. */
const closedOf = async <T extends { closedEarly?: boolean }>(all: () => Promise<T[]>) =>
	await until(
		'the connection to be closed',
		async () => (await all()).find(({ closedEarly }) => closedEarly !== undefined),
		// Long before n8n would give up by itself.
		30,
	);
const closed = async () => await closedOf(async () => await sandbox.ledger());
const fileClosed = async () => await closedOf(async () => await sandbox.fileRequests());
const posts = async () => {
	await closed();
	return await sandbox.ledger({ method: 'POST' });
};

/** Reads an agent, the first time answered like this. */
const readAgent = async (
	fault: FaultRule['fault'],
	options: INodeParameters,
	node?: NodeOptions,
) => {
	await sandbox.strike('GET ^/agents/', fault, { times: 1 });
	const agent = byId(await agentOf(sandbox));
	return await run('acpAgents agent.get', { agent, options }, node);
};
/** Reads contacts as a file, or writes one. */
const asFile = async (options: INodeParameters, more: INodeParameters = {}, node?: NodeOptions) =>
	await run(
		'acpContacts otherEndpoint.apiRequest',
		{ method: 'GET', path: '/contacts', ...more, options: { downloadFile: true, ...options } },
		node,
	);
const writing = { method: 'POST', body: { phone_number: '+14155550100', name: 'Ada' } as never };

/** Downloads a stored file, which lies at another address than the API, and comes in some manner. */
const download = async (options: INodeParameters, manners: object, node?: NodeOptions) => {
	const data = { data: Buffer.from('x'.repeat(200)), fileName: 'a.bin', mimeType: 'video/mp4' };
	const items = [{ json: {}, binary: { data } }];
	const [{ uuid }] = (await run('acpMedia media.upload', {}, { items })).json() as [IDataObject];
	await sandbox.clearLedger();
	await sandbox.settings({ manners });
	return await run('acpMedia media.download', { media: byId(uuid), options }, node);
};

describe('Guarantee: a slow answer ends at its time-out', () => {
	const late = /did not respond within 1 second \| Raise 'Timeout' under Options › Advanced/;

	/** Runs, and gives what is told, once the connection is closed before its end. */
	const toldOf = async (
		running: Promise<Result>,
		ended: () => Promise<{ closedEarly?: boolean }> = closed,
	) => {
		const told = failure(await running);
		expect((await ended()).closedEarly).toBe(true);
		return told;
	};

	test('a read, with Timeout 1 and Max Retries 0', async () => {
		expect(await toldOf(readAgent(drip, hasty))).toMatch(late);
	});

	test('a file of the API, also where it answers a write, with Timeout 1 and Max Retries 0', async () => {
		await sandbox.strike('GET ^/contacts$', drip, { times: 1 });
		expect(await toldOf(asFile(hasty))).toMatch(late);

		await sandbox.clearLedger();
		await given(contact, once(drip));
		const written = await toldOf(asFile(hasty, writing));
		expect(written).toMatch(late);
		expect(written).toMatch(/request may have gone through/);
	});

	test('a file of another address, with Timeout 1 and Max Retries 0', async () => {
		const drips = { drip: { of: 'files', everyMs: 50 } };
		expect(await toldOf(download(hasty, drips), fileClosed)).toMatch(late);
	});

	test('what is slow but in time comes whole', async () => {
		const result = await download({}, { drip: { of: 'all', bytes: 10, everyMs: 1 } });
		const { data } = result.items()[0]!.binary!;
		expect(data).toMatchObject({ fileName: 'a.bin', mimeType: 'video/mp4' });
		expect((await engine.binary(data!)).toString()).toBe('x'.repeat(200));
		expect(await fileClosed()).toMatchObject({ closedEarly: false, sentBytes: 200 });
		const content = await engine.binary((await asFile({})).items()[0]!.binary!.data!);
		expect(JSON.parse(content.toString())).toMatchObject({ success: true });
	});
});

describe('Guarantee: a stopped execution closes the connections of its requests', () => {
	const arrived = async () => (await sandbox.ledger()).some(({ fault }) => fault === 'drip');
	const stopping = { cancelWhen: arrived };

	test('a read, and a file of the API', async () => {
		expect((await readAgent(endless, {}, stopping)).status).toBe('canceled');
		expect((await closed()).closedEarly).toBe(true);
		await sandbox.clearLedger();
		await sandbox.strike('GET ^/contacts$', endless, { times: 1 });
		expect((await asFile({}, {}, stopping)).status).toBe('canceled');
		expect((await closed()).closedEarly).toBe(true);
	});

	test('a write, whose outcome stays known as uncertain', async () => {
		await given(contact, once(endless));
		const stopped = await perform(contact, 1, stopping);
		expect(stopped.status).toBe('canceled');
		expect(await posts()).toMatchObject([{ effect: 'created', closedEarly: true }]);
		const again = await engine.retry(stopped);
		expect(failure(again)).toMatch(/may have gone through in an earlier try/);
		expect(await sandbox.created('/contacts')).toHaveLength(1);
	});

	test('a file of another address', async () => {
		const cancelWhen = async () => (await sandbox.fileRequests()).length > 0;
		const pieces = { of: 'files', everyMs: 50, endless: true };
		expect((await download({}, { drip: pieces }, { cancelWhen })).status).toBe('canceled');
		expect((await fileClosed()).closedEarly).toBe(true);
	});
});

describe('Guarantee: a file is read no further than it may be large', () => {
	const megabyte = 1024 * 1024;
	/** Connections hold some megabytes by themselves. */
	const little = 40 * megabyte;
	const endlessFile = { drip: { of: 'files', bytes: 65_536, endless: true } };

	const tooLarge = (size: number) =>
		new RegExp(`^The file is larger than ${size} MB and was not read`);
	test.each<[string, number, object, RegExp]>([
		['by its announced size', 100, { fileBytes: 100 * megabyte + 1 }, tooLarge(100)],
		['counted as it arrives, where it does not say how large it is', 1, endlessFile, tooLarge(1)],
		[
			'where n8n keeps files in memory, 256 MB at most',
			2000,
			{ fileBytes: 256 * megabyte + 1 },
			/larger than 256 MB .* This n8n keeps files in memory/,
		],
	])('%s', async (_, maximumFileSize, manners, says) => {
		expect(failure(await download({ maximumFileSize }, manners))).toMatch(says);
		expect((await fileClosed()).closedEarly).toBe(true);
		expect((await fileClosed()).sentBytes).toBeLessThan(little);
	});

	test('an answer of the API as well; a write says that it was accepted', async () => {
		await given(contact, once(flood));
		const result = await asFile({ maximumFileSize: 1 }, writing);
		expect(failure(result)).toMatch(/larger than 1 MB .* The platform accepted the request\./);
		expect(await posts()).toMatchObject([{ effect: 'created', closedEarly: true }]);
	});

	test('no other answer is read further than 64 MB; a write says that it was accepted, with Timeout 60 and Max Retries 0', async () => {
		await given(contact, once(flood));
		const options = { timeout: 60, maxRetries: 0 };
		const written = failure(await perform(contact, 1, { options }));
		expect(written).toMatch(/answered with more than 64 MB, .* Ask for less per request/);
		expect(written).toMatch(/The platform accepted the request\./);
		expect(await posts()).toMatchObject([{ effect: 'created', closedEarly: true }]);
		expect((await closed()).sentBytes).toBeLessThan(80 * megabyte);
	});

	test('a size that the option does not know is refused before anything is sent', async () => {
		expect(failure(await download({ maximumFileSize: 2001 }, {}))).toMatch(
			/'Options › Advanced › Maximum File Size' is 2001; it must be 2000 or less/,
		);
		expect(await sandbox.ledger()).toEqual([]);
	});
});
