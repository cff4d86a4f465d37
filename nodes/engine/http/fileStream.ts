import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { once } from 'lodash';
import type { Deadline } from './clock';
import { RequestError, rethrow } from '../errors/requestError';
import { tidy } from '../text/text';

/** Node's readable stream, from n8n's types: n8n's linter refuses those of `node:stream`. */
export type Stream = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

export interface FileSink<T = unknown> {
	/** Megabytes. */
	largest: number;
	/** Whether n8n keeps files in memory; called only for a file that may be too large for that. */
	keepsInMemory: () => Promise<boolean>;
	store: (stream: Stream, headers: IDataObject) => Promise<T>;
}

export const megabyte = 1024 * 1024;

/** Maximum megabytes if n8n keeps files in memory: as base64, in a text that cannot hold more than 384. */
const mostInMemory = 256;

/** @throws RequestError `tooLarge` or `storage`; whatever the network throws, for `Deadline.reasonOf` */
export async function storeStream<T>(
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
