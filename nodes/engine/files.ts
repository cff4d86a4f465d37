import type {
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';
import { networkFault, Fault } from './http/fault';
import type { DownloadDefinition } from './operation';
import type { RunOptions } from './options';
import { item } from './output';
import type { Prepared } from './prepare';
import type { Run } from './run';

/**
 * Fetches the file that a record points to, or makes it of the text that the record holds, and
 * puts it into the item's binary field.
 * Addresses of the API are read with the token, all others without any credential.
 * @throws Fault
 */
export async function fileOf(
	running: Run,
	download: DownloadDefinition,
	record: IDataObject,
	out: INodeExecutionData,
	options: RunOptions,
): Promise<void> {
	if (download.when === 'option' && options.downloadFile !== true) return;
	const content = download.text?.of(record) ?? download.url?.(record);
	if (typeof content !== 'string' || content === '') {
		running.hints.add(`There is no ${download.what} to download for some items.`);
		return;
	}
	const file = download.text
		? await running.context.helpers.prepareBinaryData(
				Buffer.from(content, 'utf8'),
				download.text.fileName(record),
				'text/plain',
			)
		: await readFile(running, content, options);
	out.binary = { ...out.binary, [fieldOf(options)]: file };
}

/** Binary field that a file is put into. */
const fieldOf = ({ binaryProperty }: RunOptions): string =>
	typeof binaryProperty === 'string' && binaryProperty.trim() !== ''
		? binaryProperty.trim()
		: 'data';

/** The answer of API Request as a file, whatever it is. @throws Fault */
export async function answerAsFile(
	running: Run,
	prepared: Prepared,
	options: RunOptions,
): Promise<INodeExecutionData> {
	const { operation, address, query, body, items } = prepared;
	const answer = await running.gate.request({
		...running.call(prepared),
		method: operation.method,
		path: address,
		query,
		...(operation.method === 'GET' ? {} : { body }),
		class: operation.method === 'GET' ? 'read' : 'write',
		raw: true,
	});
	const name = address.split('/').pop();
	const file = await running.context.helpers.prepareBinaryData(
		Buffer.from(answer.body as ArrayBuffer),
		name,
		typeOf(answer.headers),
	);
	return { ...item({ status: answer.status }, items), binary: { [fieldOf(options)]: file } };
}

async function readFile(running: Run, address: string, options: RunOptions) {
	const { gate, context } = running;
	const timeout = (Number(options.timeout) || 60) * 1000;
	if (!URL.canParse(address, gate.workspace.root)) {
		throw new Fault('status', 'nothing', {
			message: 'The platform gave an address that is not a web address',
		});
	}
	const target = new URL(address, gate.workspace.root);
	if (target.protocol !== 'https:' && !(target.protocol === 'http:' && gate.workspace.loopback)) {
		throw new Fault('status', 'nothing', {
			message: 'The platform gave a file address without encryption; it was not read',
		});
	}
	const fileName = nameOf(target);
	if (target.href.startsWith(`${gate.workspace.root}/`)) {
		const answer = await gate.request({
			method: 'GET',
			path: target.pathname.slice(new URL(gate.workspace.root).pathname.length),
			query: Object.fromEntries(target.searchParams),
			class: 'read',
			raw: true,
			timeout: timeout / 1000,
		});
		return await context.helpers.prepareBinaryData(
			Buffer.from(answer.body as ArrayBuffer),
			fileName,
			typeOf(answer.headers),
		);
	}
	const request: IHttpRequestOptions = {
		method: 'GET',
		url: target.toString(),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		timeout,
	};
	try {
		const response = (await context.helpers.httpRequest(request)) as IN8nHttpFullResponse;
		if (response.statusCode >= 300) {
			throw new Fault('status', 'nothing', {
				status: response.statusCode,
				message: 'The file could not be read from the address that the platform gave',
			});
		}
		return await context.helpers.prepareBinaryData(
			response.body as never,
			fileName,
			typeOf(response.headers),
		);
	} catch (thrown) {
		const fault = thrown instanceof Fault ? thrown : networkFault(thrown, timeout / 1000);
		throw fault;
	}
}

/** Name of a file by its address; a name that is not encoded properly is taken as it stands. */
function nameOf(address: URL): string {
	const last = address.pathname.split('/').pop() ?? '';
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
