import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { FileSink } from '../http/fileStream';
import type { Operation, Execution } from '../operation/operation';
import { fileNameFrom } from './fileName';
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
