import type { IDataObject, IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { once } from 'lodash';
import type { Deadline } from './deadline';
import { RequestError, rethrow } from '../errors/requestError';
import { tidy } from '../text/text';

/** Node's readable stream, from n8n's types: n8n's linter refuses those of `node:stream`. */
type Stream = Exclude<Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0], Buffer>;

export interface FileSink<T = unknown> {
	/** Megabytes. */
	largest: number;
	/** Whether n8n keeps files in memory; called only for a file that may be too large for that. */
	keepsInMemory: () => Promise<boolean>;
	store: (stream: Stream, headers: IDataObject) => Promise<T>;
}

const megabyte = 1024 * 1024;

/** Maximum megabytes if n8n keeps files in memory: as base64, in a text that cannot hold more than 384. */
const mostInMemory = 256;

/** Maximum bytes of a refusal in place of a file. */
const mostOfRefusal = 100_000;

/** Maximum megabytes of any other answer. A list is read in pages of at most 100 records, far below that. */
const mostOfAnswer = 64;

/**
 * The file if one was asked for and the request succeeded, and otherwise the text of a response.
 * @throws RequestError `tooLarge`, `longAnswer` or `storage`; whatever the network throws, for `Deadline.reasonOf`
 */
export async function readStream<T>(
	{ body, headers, statusCode }: IN8nHttpFullResponse,
	deadline: Deadline,
	sink?: FileSink<T>,
): Promise<T | string> {
	const stream = body as Stream;
	// An error event without a listener ends the process.
	stream.on('error', () => {});
	const close = () => stream.destroy(new Error('Stopped waiting for the response'));
	if (deadline.signal.aborted) close();
	deadline.signal.addEventListener('abort', close);
	try {
		if (sink && statusCode < 300) return await storeStream(stream, headers, deadline, sink);
		const text = await textOf(stream, sink ? mostOfRefusal : mostOfAnswer * megabyte);
		if (text.whole || statusCode >= 300) return text.read;
		throw new RequestError('longAnswer', 'done', { largest: mostOfAnswer });
	} finally {
		// This stream may only wrap the connection's own, which would stay open.
		if (!stream.readableEnded) deadline.end();
	}
}

export function discardStream({ body }: IN8nHttpFullResponse, end: () => void): void {
	(body as Stream).on('error', () => {});
	end();
}

async function textOf(stream: Stream, most: number): Promise<{ read: string; whole: boolean }> {
	const pieces: Buffer[] = [];
	let bytes = 0;
	for await (const piece of stream as AsyncIterable<Buffer>) {
		pieces.push(piece);
		bytes += piece.length;
		if (bytes > most) break;
	}
	return { read: new TextDecoder().decode(Buffer.concat(pieces)), whole: bytes <= most };
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
	// The deadline is about the network, not about how long storing takes.
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
		const { code, message } = (thrown ?? {}) as { code?: unknown; message?: unknown };
		const facts = typeof code === 'string' ? { code } : { message: tidy(message, 150) };
		return rethrow(new RequestError('storage', 'done', facts, thrown));
	}
}
