import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { RequestError } from '../errors/requestError';
import type { Execution } from '../execution';
import { fileHop } from '../http/fileHop';
import type { FileSink } from '../http/fileStream';
import type { Operation } from '../operation/operation';
import { fileNameFrom } from './fileName';
import { decoded } from '../text/text';
import { defaultMaximumFileSize, type RunOptions } from '../operation/runOptions';

const fieldOf = ({ binaryPropertyName }: RunOptions): string =>
	(typeof binaryPropertyName === 'string' && binaryPropertyName.trim()) || 'data';

export function putFile(
	out: INodeExecutionData,
	file: IBinaryData,
	options: RunOptions,
): INodeExecutionData {
	out.binary = { ...out.binary, [fieldOf(options)]: file };
	return out;
}

/** Stores a file in n8n's binary data, under its response's own name, or the first of these. */
export const fileSink = (
	{ helpers }: IExecuteFunctions,
	names: Array<string | undefined>,
	{ maximumFileSize = defaultMaximumFileSize }: RunOptions,
): FileSink<IBinaryData> => ({
	largest: maximumFileSize,
	// n8n does not say where it keeps files, but only those outside its memory have an ID.
	keepsInMemory: async () =>
		(await helpers.prepareBinaryData(Buffer.from(' '), 'empty.txt', 'text/plain')).id === undefined,
	store: async (stream, headers) =>
		await helpers.prepareBinaryData(
			stream,
			fileNameFrom(headers, names),
			(headers['content-type'] as string | undefined)?.split(';')[0]?.trim(),
		),
});

type Store = (
	execution: Execution,
	record: IDataObject,
	options: RunOptions,
) => Promise<IBinaryData | undefined>;

declare module '../operation/operation' {
	interface Operation {
		/**
		 * Stores the file of a record in n8n, if it has one. `what` the file is, "recording", if people get it only with
		 * "Download File" under Options. @throws RequestError, Cancelled
		 */
		download?: { what?: string; file: Store };
	}
}

/** Puts the file of a record beside it, if there is one. @throws RequestError, Cancelled */
export async function downloadInto(
	out: INodeExecutionData,
	execution: Execution,
	{ what, file }: NonNullable<Operation['download']>,
	record: IDataObject,
	options: RunOptions,
): Promise<void> {
	if (what !== undefined && options.downloadFile !== true) return;
	const stored = await file(execution, record, options);
	if (stored) putFile(out, stored, options);
	else
		execution.hints.add(
			`Some items have no ${what ?? 'file'} to download, so they have no file. Before a node that needs one, keep ` +
				`only items with {{ !!$binary.${fieldOf(options)} }} true.`,
		);
}

/**
 * The file at a URL that a record shows. URLs of the API are read with the token, all others without any credential.
 * @param nameOf its name in a record, with or without an extension; the response's own name comes first
 */
export const fileAt =
	(
		urlOf: (record: IDataObject) => unknown,
		nameOf: (record: IDataObject) => string | undefined,
	): Store =>
	async ({ client, context }, record, options) => {
		const url = urlOf(record);
		if (typeof url !== 'string' || url === '') return undefined;
		const { root, loopback } = client.workspace;
		const target = fileHop(new URL(root), url, loopback);
		const { timeout = 60 } = options;
		const names = [nameOf(record), decoded(target.pathname.split('/').pop() ?? '')];
		const sink = fileSink(context, names, options);
		const path = target.pathname.slice(new URL(root).pathname.length);
		const query = Object.fromEntries(target.searchParams);
		const request = { method: 'GET', path, query, class: 'read', file: sink, timeout } as const;
		const file = target.href.startsWith(`${root}/`)
			? ((await client.request(request)).body as IBinaryData)
			: await client.readForeignFile(target, timeout, sink);
		// A page to sign in, or one that says that a link has expired, comes with status 200 too.
		if (file.mimeType === 'text/html' && !/\.html?$/i.test(target.pathname)) {
			const facts = { asked: 'file', received: 'a web page' } as const;
			throw new RequestError('unreadable', 'nothing', { ...facts, endpoint: `GET ${target.host}` });
		}
		return file;
	};
