import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Execution } from '../execution';
import type { Answer } from '../http/client';
import { RequestError } from '../http/requestError';
import type { DownloadDefinition } from '../operation/operation';
import type { RunOptions } from '../operation/runOptions';

/** Puts a file into an item, under the name that the user chose. @returns the item */
export function putFile(
	out: INodeExecutionData,
	file: IBinaryData,
	{ binaryProperty }: RunOptions,
): INodeExecutionData {
	const chosen = typeof binaryProperty === 'string' ? binaryProperty.trim() : '';
	out.binary = { ...out.binary, [chosen || 'data']: file };
	return out;
}

/** An answer of the API as a file, whatever it is. */
export const storeAnswer = async (
	{ helpers }: IExecuteFunctions,
	{ body, headers }: Answer,
	fileName: string | undefined,
): Promise<IBinaryData> =>
	await helpers.prepareBinaryData(Buffer.from(body as ArrayBuffer), fileName, typeOf(headers));

/**
 * Fetches the file that a record points to, or makes it of the text that the record holds, and puts it into the item.
 * URLs of the API are read with the token, all others without any credential.
 * @throws RequestError
 */
export async function downloadInto(
	out: INodeExecutionData,
	execution: Execution,
	download: DownloadDefinition,
	record: IDataObject,
	options: RunOptions,
): Promise<void> {
	if (download.when === 'option' && options.downloadFile !== true) return;
	const content = download.text?.of(record) ?? download.url?.(record);
	if (typeof content !== 'string' || content === '') {
		execution.hints.add(`There is no ${download.what} to download for some items.`);
		return;
	}
	const { helpers } = execution.context;
	const file = download.text
		? await helpers.prepareBinaryData(
				Buffer.from(content, 'utf8'),
				download.text.fileName(record),
				'text/plain',
			)
		: await fetchFile(execution, content, options);
	putFile(out, file, options);
}

async function fetchFile(
	{ client, context }: Execution,
	url: string,
	{ timeout = 60 }: RunOptions,
): Promise<IBinaryData> {
	const { root, loopback } = client.workspace;
	if (!URL.canParse(url, root)) {
		throw new RequestError('status', 'nothing', {
			message: 'The platform gave an address that is not a web address',
		});
	}
	const target = new URL(url, root);
	if (target.protocol !== 'https:' && !(target.protocol === 'http:' && loopback)) {
		throw new RequestError('status', 'nothing', {
			message: 'The platform gave a file address without encryption; it was not read',
		});
	}
	const fileName = nameOf(target);
	if (target.href.startsWith(`${root}/`)) {
		const answer = await client.request({
			method: 'GET',
			path: target.pathname.slice(new URL(root).pathname.length),
			query: Object.fromEntries(target.searchParams),
			class: 'read',
			raw: true,
			timeout,
		});
		return await storeAnswer(context, answer, fileName);
	}
	return await client.readForeignFile(
		target,
		timeout,
		async ({ body, headers }) =>
			await context.helpers.prepareBinaryData(body as never, fileName, typeOf(headers)),
	);
}

/** Name of a file by its URL; a name that is not encoded properly is taken as it stands. */
function nameOf(url: URL): string {
	const last = url.pathname.split('/').pop() ?? '';
	try {
		return decodeURIComponent(last) || 'file';
	} catch {
		return last;
	}
}

const typeOf = (headers: IDataObject): string | undefined => {
	const type = headers['content-type'];
	return typeof type === 'string' ? type.split(';')[0]?.trim() : undefined;
};
