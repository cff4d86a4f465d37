import { createServer } from 'node:http';
import { forbid, foreignName } from './guard.mjs';
import { sendInPieces } from './pieces.mjs';

/**
 * Another origin that serves stored files and recordings without credentials.
 * @param {import('./sandbox.mjs').Sandbox} sandbox
 * @param {{names: string[]}} options as of `platformServer`
 */
export function fileServer(sandbox, { names }) {
	return createServer((request, response) => {
		const foreign = foreignName(request, names);
		if (foreign !== undefined) return forbid(response, foreign);
		serveFile(sandbox, request, response).catch((error) => {
			process.stderr.write(`${error.stack}\n`);
			response.destroy();
		});
	});
}

async function serveFile(sandbox, request, response) {
	const { drip, fileBytes } = sandbox.settings.manners;
	const [path] = request.url.split('?');
	const authorized = request.headers.authorization !== undefined;
	const entry = { method: request.method, path, authorized };
	sandbox.fileRequests.push(entry);
	const [, kind, name] = path.split('/');
	const found = kind === 'recordings' ? recording(sandbox, name) : sandbox.files.get(name);
	if (found === undefined) {
		response.writeHead(404, { 'content-type': 'text/plain' });
		response.end('Not found');
		return;
	}
	const body = fileBytes ? Buffer.alloc(fileBytes) : found.bytes;
	const headers = {
		'content-type': found.mediaType || 'application/octet-stream',
		'content-length': body.length,
		'content-disposition': `attachment; filename="${encodeURIComponent(found.filename)}"`,
	};
	if (request.method === 'HEAD') {
		response.writeHead(200, headers);
		response.end();
		return;
	}
	const pieces = drip && drip.of !== 'api' ? drip : { bytes: 65_536 };
	Object.assign(entry, await sendInPieces(response, { status: 200, headers, body }, pieces));
}

/** One second of silence: a file that players accept. */
function recording({ store }, name) {
	const uuid = name?.replace(/\.wav$/, '');
	if (store.get('calls', uuid) === undefined) return undefined;
	const samples = 8000;
	const bytes = Buffer.alloc(44 + samples, 128);
	bytes.write('RIFF', 0);
	bytes.writeUInt32LE(36 + samples, 4);
	bytes.write('WAVEfmt ', 8);
	bytes.writeUInt32LE(16, 16);
	bytes.writeUInt16LE(1, 20);
	bytes.writeUInt16LE(1, 22);
	bytes.writeUInt32LE(8000, 24);
	bytes.writeUInt32LE(8000, 28);
	bytes.writeUInt16LE(1, 32);
	bytes.writeUInt16LE(8, 34);
	bytes.write('data', 36);
	bytes.writeUInt32LE(samples, 40);
	return { filename: `${uuid}.wav`, mediaType: 'audio/wav', bytes };
}
