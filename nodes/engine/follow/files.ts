import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { FileSink } from '../http/fileStream';
import type { Operation, Execution } from '../operation/operation';
import { defaultMaximumFileSize, type RunOptions } from '../operation/runOptions';
import { truncate } from 'lodash';
import { decoded } from '../text/text';

/** Maximum length of a file's name, which the usual disks can store in any script. */
const longest = 80;

/** The name in a `Content-Disposition` header (RFC 6266); the one that may hold any sign comes first. */
function disposed({ 'content-disposition': header }: IDataObject): string | undefined {
	if (typeof header !== 'string') return undefined;
	const parameters = (header.match(/(?:"(?:\\.|[^"\\])*"|[^;"])+/g) ?? []).map((parameter) => {
		const [name = '', ...value] = parameter.split('=');
		return [name.trim().toLowerCase(), value.join('=').trim()];
	});
	const { 'filename*': any = '', filename = '' } = Object.fromEntries(parameters) as IDataObject;
	const extended = /^"?utf-8'[^']*'([^;"]+)/i.exec(any as string)?.[1];
	if (extended !== undefined) return decoded(extended.trim());
	const [, quoted, plain] = /^(?:"((?:\\.|[^"\\])*)"|([^\s"]+))/.exec(filename as string) ?? [];
	const name = quoted?.replace(/\\(.)/g, '$1') ?? plain;
	return name === undefined ? undefined : decoded(name);
}

const extensionOf = (name: string): string => /\.[a-z0-9]{1,10}$/i.exec(name)?.[0] ?? '';

/** A name that leads into no folder, shows as written, and is short enough for a disk; empty if nothing is left. */
function cleaned(name: string): string {
	const clean =
		(name.split(/[\\/]/).pop() ?? '')
			.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
			.match(/[^\s.](?:[^]*[^\s.])?/)?.[0] ?? '';
	const extension = extensionOf(clean);
	const stem = clean.slice(0, clean.length - extension.length);
	return truncate(stem, { length: longest - extension.length, omission: '' }) + extension;
}

/** As its response says, otherwise by the first of the names that says anything, with the extension of a later one. */
export function fileNameFrom(headers: IDataObject, names: Array<string | undefined>): string {
	const known = [disposed(headers), ...names].map((name) => cleaned(name ?? '')).filter(Boolean);
	const [first = 'file'] = known;
	return extensionOf(first) ? first : first + (known.map(extensionOf).find(Boolean) ?? '');
}

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
