/** Media Files: files byte for byte, where they come from, and who hears the token on the way. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { cases } from './guarantees/cases.cts';
import { byId, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ engine: { binaryMode: 'filesystem' } });
const { sandbox, engine, run } = platform;
const file = (fileName: string, data: Buffer | string, mimeType = 'text/plain') => ({
	json: {},
	binary: { data: { data: Buffer.from(data), fileName, mimeType } },
});
const upload = async (name: string) =>
	ok(await run('acpMedia media.upload', {}, { items: [file(name, name)] })).json()[0].uuid;
const download = async (uuid: unknown, more: object = {}) =>
	await run('acpMedia media.download', { media: byId(uuid) }, more);
const textOf = async (file: any) => (await engine.binary(file)).toString();

// interface: §4 bodies; §4.4 medias
test('what is uploaded is downloaded again, byte for byte, without the token on another host', async () => {
	const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251));
	const [name, mimeType] = ['Fotoğraf 1.jpg', 'image/jpeg'];
	const items = [file(name, content, mimeType)];
	const [media] = ok(await run('acpMedia media.upload', {}, { items })).json();
	const [request] = await sandbox.ledger({ path: '/medias', method: 'POST' });
	expect(request!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
	expect(media).toMatchObject({ name, mime_type: mimeType, size: content.length });
	const options = { binaryPropertyName: ' photo ' };
	const result = await run('acpMedia media.download', { media: byId(media.uuid), options });
	const { photo } = result.items()[0]!.binary!;
	expect(photo).toMatchObject({ fileName: name, mimeType });
	expect((await engine.binary(photo!)).equals(content)).toBe(true);
	expect(result.json()[0]).toMatchObject({ uuid: media.uuid });
	expect((await sandbox.fileRequests()).map(({ authorized }) => authorized)).toEqual([false]);
});

const made = (fileName: string, bytes: number) => ({
	node: 'acpMedia media.upload',
	parameters: {},
	items: [file('a.txt', 'x'), { json: {}, binary: { data: { bytes, fileName } } }],
});
cases(platform, {
	'a file that is too large is refused before anything is sent': {
		...made('large.bin', 128 * 1024 * 1024 + 1),
		refused: /'Input Binary Field' contains a file of 128\.1 MB; at most 128 MB can be uploaded/,
	},
	'an empty file is refused before anything is sent': {
		...made('empty.txt', 0),
		refused: /names the field "data", but its file is empty\. Check the node that made.*\[item 1\]/,
	},
	'a record without an address gives the record and a hint': async () => {
		const { uuid } = await sandbox.add('medias', { name: 'nowhere.txt', url: '' });
		const parameters = { media: byId(uuid) };
		return { node: 'acpMedia media.download', parameters, json: [{ uuid }], hints: 'no file to' };
	},
});

describe('addresses of files', () => {
	let server: Server;
	afterEach(() => server.close());
	/** Another host for this test. @returns its address */
	const serving = async (answer: RequestListener): Promise<string> => {
		server = createServer(answer);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
	};

	test('a file that is gone fails its own item only', async () => {
		const uuid = await upload('kept.txt');
		const url = await serving((_, response) => response.writeHead(410).end('gone'));
		const gone = await sandbox.add('medias', { name: 'gone.txt', url: `${url}/gone.txt` });
		const items = [{ uuid }, { uuid: gone.uuid }];
		const goingOn = { items, onError: 'continueRegularOutput' };
		const [first, second] = (await download('={{ $json.uuid }}', goingOn)).items();
		expect(await textOf(first!.binary!.data)).toBe('kept.txt');
		expect(second!.json.errorStatus).toBe(410);
	});

	// interface: §5 rule 1
	test('the token goes to the API and nowhere else, not even beside it on the same host', async () => {
		const seen: string[] = [];
		const uuid = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
		const body = { success: true, data: { uuid, url: '/storage/my%20file.txt' } };
		const baseUrl = await serving((request, response) => {
			seen.push(`${request.url} ${request.headers.authorization ?? 'no token'}`);
			if (!request.url!.endsWith(uuid)) return response.end('stored');
			return response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
		});
		const url = `${sandbox.url}/api/v1/agents?per_page=1`;
		const inside = await sandbox.add('medias', { name: 'agents.json', url });
		const [read] = (await download(inside.uuid)).items();
		expect(JSON.parse(await textOf(read!.binary!.data))).toMatchObject({ success: true });
		const credentials = { acpApi: sandbox.credential({ baseUrl }) };
		const [beside] = (await download(uuid, { credentials })).items();
		expect(beside!.binary!.data).toMatchObject({ fileName: 'my file.txt' });
		expect(seen).toEqual([
			`/api/v1/medias/${uuid} Bearer ${sandbox.token}`,
			'/storage/my%20file.txt no token',
		]);
	});
});

test('where n8n keeps files on disk, they may be larger than in memory', async () => {
	const uuid = await upload('large.bin');
	const fileBytes = 300 * 1024 * 1024;
	await sandbox.settings({ manners: { fileBytes } });
	expect(ok(await download(uuid)).items()[0]!.binary!.data).toMatchObject({ bytes: fileBytes });
});
