/** ACP Media in n8n's own engine against the sandbox. */
import type { IDataObject } from 'n8n-workflow';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { byId, ok } from './guarantees/scene.cts';
import { Engine, usePlatform } from './harness/index.cts';

const platform = usePlatform({ engine: { binaryMode: 'filesystem' } });
const { sandbox } = platform;
const run = async (
	parameters: IDataObject,
	options: Parameters<typeof platform.engine.runNode>[2] = {},
) =>
	await platform.engine.runNode('acpMedia', { resource: 'media', ...parameters } as never, options);
const file = (fileName: string, data: Buffer | string, mimeType = 'text/plain') => ({
	json: {},
	binary: { data: { data: Buffer.from(data), fileName, mimeType } },
});
const upload = async (name: string, text = name) =>
	(await run({ operation: 'upload' }, { items: [file(name, text)] })).json()[0] as IDataObject;

// interface: §4 bodies; §4.4 medias
test('what is uploaded is downloaded again, byte for byte, without the token on another host', async () => {
	const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251));
	const uploaded = ok(
		await run({ operation: 'upload' }, { items: [file('Fotoğraf 1.jpg', content, 'image/jpeg')] }),
	);
	const [media] = uploaded.json();
	const [request] = await sandbox.ledger({ path: '/medias', method: 'POST' });
	expect(request!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
	expect(media).toMatchObject({
		name: 'Fotoğraf 1.jpg',
		mime_type: 'image/jpeg',
		size: content.length,
	});

	const result = await run({
		operation: 'download',
		media: byId(media.uuid),
		options: { binaryPropertyName: ' photo ' },
	});
	const { photo } = result.items()[0]!.binary!;
	expect(photo).toMatchObject({ fileName: 'Fotoğraf 1.jpg', mimeType: 'image/jpeg' });
	expect((await platform.engine.binary(photo!)).equals(content)).toBe(true);
	expect(result.json()[0]).toMatchObject({ uuid: media.uuid });
	expect((await sandbox.fileRequests()).map(({ authorized }) => authorized)).toEqual([false]);
	expect(
		(await run({ operation: 'get', media: byId(media.uuid) })).items()[0]!.binary,
	).toBeUndefined();
});

test('a file that is too large is refused before anything is sent, in every item', async () => {
	const large = {
		json: {},
		binary: { data: { bytes: 128 * 1024 * 1024 + 1, fileName: 'large.bin' } },
	};
	const result = await run({ operation: 'upload' }, { items: [file('small.txt', 'x'), large] });
	expect(result.error?.message).toContain(
		"'Input Binary Field' contains a file of 128.1 MB; at most 128 MB can be uploaded",
	);
	expect(await sandbox.ledger()).toEqual([]);
});

test('an empty file is refused before anything is sent', async () => {
	const empty = { json: {}, binary: { data: { bytes: 0, fileName: 'empty.txt' } } };
	const result = await run({ operation: 'upload' }, { items: [file('a.txt', 'x'), empty] });
	expect(result.error?.message).toContain(
		`'Input Binary Field' names the field "data", but its file is empty. Check the node that made the file`,
	);
	expect(result.error?.message).toContain('[item 1]');
	expect(await sandbox.ledger()).toEqual([]);
});

test('an item without the file is named and nothing is sent', async () => {
	const result = await run({ operation: 'upload' }, { items: [file('a.txt', 'x'), { json: {} }] });
	expect(result.error?.message).toContain('[item 1]');
	expect(await sandbox.ledger()).toEqual([]);
});

// interface: §4.4 medias
test.each([
	['searches under the name that is our guess', {}],
	['knows no such parameter', { manners: { ignoreGuesses: true } }],
])(
	'files are found by a part of their name, also in the editor: the platform %s',
	async (_, settings) => {
		await sandbox.settings(settings);
		for (const name of ['price-list.pdf', 'Prices.csv', 'menu.pdf']) await upload(name);
		expect((await run({ operation: 'getAll', returnAll: true })).json()).toHaveLength(3);
		const found = await run({
			operation: 'getAll',
			returnAll: true,
			filters: { fileName: ' PRICE' },
		});
		expect(
			found
				.json()
				.map(({ name }) => name)
				.sort(),
		).toEqual(['Prices.csv', 'price-list.pdf']);
		// The interface does not show the name of the parameter: it is a guess, and the node looks through the rows.
		// Nothing tells that a first page is all.
		expect(
			(await sandbox.ledger({ path: '/medias', method: 'GET' })).map(({ query }) => query),
		).toEqual([{}, { page: '2' }, { search: 'PRICE' }, { search: 'PRICE', page: '2' }]);
		expect(
			(await run({ operation: 'getAll', limit: 1, filters: { fileName: 'menu' } })).json(),
		).toMatchObject([{ name: 'menu.pdf' }]);
		expect((await run({ operation: 'getAll', filters: { fileName: 'nothing' } })).json()).toEqual(
			[],
		);
		const listed = await platform.engine.listSearch('acpMedia', 'searchMedias', {
			parameters: { resource: 'media', operation: 'get' } as never,
			path: 'parameters.media',
			filter: 'menu',
		});
		expect(listed.results.map(({ name }) => name)).toEqual(['menu.pdf']);
	},
);

describe('addresses of files', () => {
	let server: Server | undefined;
	afterEach(() => server?.close());

	test('a file that is gone fails its own item only', async () => {
		const kept = await upload('kept.txt');
		server = createServer((_, response) => response.writeHead(410).end('gone'));
		await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as { port: number };
		const gone = await sandbox.add('medias', {
			name: 'gone.txt',
			url: `http://127.0.0.1:${port}/gone.txt`,
		});
		const result = await run(
			{ operation: 'download', media: byId('={{ $json.uuid }}') },
			{
				items: [{ uuid: kept.uuid }, { uuid: gone.uuid }] as IDataObject[],
				onError: 'continueRegularOutput',
			},
		);
		const [first, second] = result.items();
		expect((await platform.engine.binary(first!.binary!.data!)).toString()).toBe('kept.txt');
		expect(second!.json.errorStatus).toBe(410);
	});

	test.each([
		[
			'as the response says',
			{ 'content-disposition': 'attachment; filename="offer.pdf"' },
			'offer.pdf',
		],
		['as the record says', {}, 'Price list.pdf'],
	])('a downloaded file is called %s, not by its URL', async (_, headers, name) => {
		server = createServer((__, response) => response.writeHead(200, headers).end('content'));
		await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as { port: number };
		const media = await sandbox.add('medias', {
			name: 'Price list',
			url: `http://127.0.0.1:${port}/8f3a2c1e-5d47-4a9b-8f60.pdf`,
		});
		const result = await run({ operation: 'download', media: byId(media.uuid) });
		expect(result.items()[0]!.binary!.data).toMatchObject({ fileName: name });
	});

	// interface: §5 rule 1
	test('the token goes to the API and nowhere else, not even beside it on the same host', async () => {
		const { url, token } = sandbox;
		const inside = await sandbox.add('medias', {
			name: 'agents.json',
			url: `${url}/api/v1/agents?per_page=1`,
		});
		const result = await run({ operation: 'download', media: byId(inside.uuid) });
		expect(
			JSON.parse((await platform.engine.binary(result.items()[0]!.binary!.data!)).toString()),
		).toMatchObject({ success: true });

		const seen: string[] = [];
		const uuid = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
		server = createServer((request, response) => {
			seen.push(`${request.url} ${request.headers.authorization ?? 'no token'}`);
			if (request.url!.endsWith(uuid))
				response
					.setHeader('content-type', 'application/json')
					.end(JSON.stringify({ success: true, data: { uuid, url: '/storage/my%20file.txt' } }));
			else response.end('stored');
		});
		await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as { port: number };
		const beside = await run(
			{ operation: 'download', media: byId(uuid) },
			{
				credentials: {
					acpApi: sandbox.credential({ baseUrl: `http://127.0.0.1:${port}` }),
				},
			},
		);
		expect(beside.items()[0]!.binary!.data).toMatchObject({ fileName: 'my file.txt' });
		expect(seen).toEqual([
			`/api/v1/medias/${uuid} Bearer ${token}`,
			'/storage/my%20file.txt no token',
		]);
	});

	test('a record without an address gives the record and a hint', async () => {
		const media = await sandbox.add('medias', { name: 'nowhere.txt', url: '' });
		const result = await run({ operation: 'download', media: byId(media.uuid) });
		expect(result.json()).toMatchObject([{ uuid: media.uuid }]);
		expect(
			result
				.hints()
				.map(({ message }) => message)
				.join(),
		).toContain('no file to download');
	});
});

describe('where n8n keeps files on disk', () => {
	const large = { fileBytes: 300 * 1024 * 1024, drip: null };

	test('they may be larger than in memory', async () => {
		const { uuid } = await upload('large.bin');
		await sandbox.settings({ manners: large });
		const result = ok(await run({ operation: 'download', media: byId(uuid as string) }));
		expect(result.items()[0]!.binary!.data).toMatchObject({ bytes: large.fileBytes });
		expect(await sandbox.fileRequests()).toMatchObject([
			{ closedEarly: false, sentBytes: large.fileBytes },
		]);
	});

	test('512 MB at most, unless the option says more', async () => {
		const { uuid } = await upload('larger.bin');
		await sandbox.settings({ manners: { fileBytes: 512 * 1024 * 1024 + 1 } });
		const result = await run({ operation: 'download', media: byId(uuid as string) });
		expect(result.error?.message).toBe(
			'The file is larger than 512 MB and was not read completely',
		);
		expect(result.error?.description).toContain("raise 'Maximum File Size' under Options");
	});

	test('a place where nothing can be written is told as such, not as the network', async () => {
		const { uuid } = await upload('a.txt');
		const storage = mkdtempSync(path.join(os.tmpdir(), 'storage-'));
		const engine = await Engine.start({
			binaryMode: 'filesystem',
			credentials: platform.engine.credentials,
			env: { N8N_BINARY_DATA_STORAGE_PATH: storage },
		});
		try {
			// A file where n8n wants a folder.
			writeFileSync(path.join(storage, 'workflows'), '');
			const { error } = await engine.runNode('acpMedia media.download', {
				media: byId(uuid as string),
			});
			expect(error?.message).toBe('The file arrived, but n8n could not store it');
			expect(error?.description).toMatch(/to check where it stores files \(E[A-Z]+\)\.$/);
		} finally {
			await engine.stop();
			rmSync(storage, { recursive: true });
		}
	});
});
