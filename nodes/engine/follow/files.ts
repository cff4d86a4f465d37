import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { RequestError } from '../errors/requestError';
import type { Execution } from '../execution';
import { fileHop } from '../http/fileHop';
import type { FileSink } from '../http/fileStream';
import type { DownloadDefinition } from '../operation/operation';
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

/**
 * Fetches the file that a record points to, or makes it of the text that the record holds. URLs of the API are read with
 * the token, all others without any credential.
 * @throws RequestError, Cancelled
 */
export async function downloadInto(
	out: INodeExecutionData,
	execution: Execution,
	download: DownloadDefinition,
	record: IDataObject,
	options: RunOptions,
): Promise<void> {
	if (download.when === 'option' && options.downloadFile !== true) return;
	const content = download.text?.(record) ?? download.url?.(record);
	if (typeof content !== 'string' || content === '') {
		execution.hints.add(
			`Some items have no ${download.what} to download, so they have no file. Before a node that needs one, keep ` +
				`only items with {{ !!$binary.${fieldOf(options)} }} true.`,
		);
		return;
	}
	const { helpers } = execution.context;
	const file = download.text
		? await helpers.prepareBinaryData(
				Buffer.from(content, 'utf8'),
				fileNameFrom({}, [download.fileName?.(record)]),
				'text/plain',
			)
		: await fetchFile(execution, content, download.fileName?.(record), options);
	putFile(out, file, options);
}

async function fetchFile(
	{ client, context }: Execution,
	url: string,
	name: string | undefined,
	options: RunOptions,
): Promise<IBinaryData> {
	const { root, loopback } = client.workspace;
	const target = fileHop(new URL(root), url, loopback);
	const { timeout = 60 } = options;
	const sink = fileSink(context, [name, decoded(target.pathname.split('/').pop() ?? '')], options);
	const path = target.pathname.slice(new URL(root).pathname.length);
	const query = Object.fromEntries(target.searchParams);
	const request = { method: 'GET', path, query, class: 'read', file: sink, timeout } as const;
	const file = target.href.startsWith(`${root}/`)
		? ((await client.request(request)).body as IBinaryData)
		: await client.readForeignFile(target, timeout, sink);
	// A page to sign in, or one that says that a link has expired, comes with status 200 too.
	const facts = { asked: 'file', received: 'a web page', endpoint: `GET ${target.host}` } as const;
	if (file.mimeType === 'text/html' && !/\.html?$/i.test(target.pathname))
		throw new RequestError('unreadable', 'nothing', facts);
	return file;
}
