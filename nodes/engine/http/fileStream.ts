import type { IDataObject, IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { once } from 'lodash';
import type { Deadline } from './deadline';
import { RequestError } from '../errors/requestError';
import { rethrow } from '../errors/rethrow';
import { tidy } from '../text/text';

/** Node's readable stream, taken from n8n's types: its linter refuses those of `node:stream`. */
type Stream = Exclude<Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0], Buffer>;

/** Who stores a file, and how much of it is taken. */
export interface FileSink<T = unknown> {
	/** Megabytes. */
	largest: number;
	/** Whether n8n keeps files in memory; asked only about a file that may be too large for it. */
	keepsInMemory: () => Promise<boolean>;
	store: (stream: Stream, headers: IDataObject) => Promise<T>;
}

const megabyte = 1024 * 1024;

/** Megabytes where n8n keeps files in memory. It does so as base64, in a text that cannot hold more than 384. */
const mostInMemory = 256;

/** Bytes of a refusal that are read for its message. */
const mostOfRefusal = 100_000;

/**
 * The body of a streamed answer: a file where the request succeeded, else the text that says why not.
 * @param response of a request with `encoding: 'stream'`
 * @throws RequestError `tooLarge` or `storage`; whatever the network throws, for `Deadline.reasonOf`
 */
export async function readStream<T>(
	{ body, headers, statusCode }: IN8nHttpFullResponse,
	deadline: Deadline,
	sink: FileSink<T>,
): Promise<T | string> {
	const stream = body as Stream;
	// An error that nobody listens to ends the process.
	stream.on('error', () => {});
	const close = () => stream.destroy(new Error('Stopped waiting for the response'));
	if (deadline.signal.aborted) close();
	deadline.signal.addEventListener('abort', close);
	try {
		return statusCode < 300
			? await storeStream(stream, headers, deadline, sink)
			: await textOf(stream);
	} finally {
		// The stream may only stand before the connection's own, which would stay open behind it.
		if (!stream.readableEnded) deadline.end();
	}
}

/**
 * Lets go of a streamed answer whose body nobody wants.
 * @param end closes its connection
 */
export function discardStream({ body }: IN8nHttpFullResponse, end: () => void): void {
	// An error that nobody listens to ends the process.
	(body as Stream).on('error', () => {});
	end();
}

async function textOf(stream: Stream): Promise<string> {
	const pieces: Buffer[] = [];
	let bytes = 0;
	for await (const piece of stream as AsyncIterable<Buffer>) {
		pieces.push(piece);
		bytes += piece.length;
		if (bytes > mostOfRefusal) break;
	}
	return Buffer.concat(pieces).toString('utf8');
}

async function storeStream<T>(
	stream: Stream,
	headers: IDataObject,
	deadline: Deadline,
	{ largest, keepsInMemory, store }: FileSink<T>,
): Promise<T> {
	const inMemory = once(keepsInMemory);
	let tooLarge: RequestError | undefined;
	const check = async (bytes: number): Promise<void> => {
		const held = bytes > mostInMemory * megabyte && largest > mostInMemory && (await inMemory());
		const most = held ? mostInMemory : largest;
		if (bytes <= most * megabyte) return;
		tooLarge = new RequestError('tooLarge', 'done', { largest: most, inMemory: held });
		throw tooLarge;
	};
	// How long storing takes is not the network's matter.
	stream.once('end', () => deadline.lift());
	try {
		await check(Number(headers['content-length'] ?? 0));
		let bytes = 0;
		const counted = stream.map(async (piece: Buffer) => {
			await check((bytes += piece.length));
			return piece;
		});
		return await store(counted, headers);
	} catch (thrown) {
		if (tooLarge) rethrow(tooLarge);
		if (deadline.signal.aborted || stream.errored) rethrow(thrown);
		const storageError = storageErrorOf(thrown);
		throw storageError;
	}
}

/** Why n8n did not store a file that arrived. */
function storageErrorOf(thrown: unknown): RequestError {
	const { code, message } = (thrown ?? {}) as { code?: unknown; message?: unknown };
	return new RequestError(
		'storage',
		'done',
		typeof code === 'string' ? { code } : { message: tidy(message, 150) },
		thrown,
	);
}
