import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { RequestError } from '../engine/errors/requestError';
import { fileSink } from '../engine/follow/files';
import { defaultTimeout } from '../engine/http/client';
import { fileHop } from '../engine/http/fileHop';
import { decoded } from '../engine/text/text';
import type { Store } from '../engine/operation/operation';
import { objectOf } from '../engine/response/response';

/** What comes with status 200 in place of a file: a page to sign in, an error of the API, a link that has expired. */
const instead: Record<string, { shown: string; named: RegExp }> = {
	'text/html': { shown: 'a web page', named: /\.html?$/i },
	'application/json': { shown: 'JSON', named: /\.json$/i },
};

/** URLs of the API are read with the token, others without. @param nameOf its name if the response has none */
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
		const { timeout = defaultTimeout } = options;
		const names = [nameOf(record), decoded(target.pathname.split('/').pop() ?? '')];
		const sink = fileSink(context, names, options);
		const path = target.pathname.slice(new URL(root).pathname.length);
		const query = Object.fromEntries(target.searchParams);
		const request = { method: 'GET', path, query, class: 'read', file: sink, timeout } as const;
		const file = target.href.startsWith(`${root}/`)
			? ((await client.request(request)).body as IBinaryData)
			: await client.readForeignFile(target, timeout, sink);
		const other = instead[file.mimeType];
		if (other && !names.some((name) => other.named.test(name ?? ''))) {
			const facts = { asked: 'file', received: other.shown } as const;
			throw new RequestError('unreadable', 'nothing', { ...facts, endpoint: `GET ${target.host}` });
		}
		return file;
	};

/** The recording of a call, by the conversation that holds it (reference: conversations). */
export const recording = {
	what: 'recording',
	file: fileAt(
		({ call }) => objectOf(call).recording_url,
		({ uuid }) => (typeof uuid === 'string' && uuid !== '' ? `recording-${uuid}` : undefined),
	),
};
