import { filter, map } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { objectOf, unwrap } from './response/response';
import { describeError, type ErrorText } from './errors/errorText';
import type { RequestError } from './errors/requestError';
import type { PlatformResponse, ClientRequest } from './http/client';
import type { Delivering, Execution, PreparedRequest } from './operation/operation';
import { pathOfRead, readSameOf, type SecondaryRead } from './operation/secondaryRead';
import type { PageSize } from './pages/pages';
import type { WholeRequest } from './pages/whole';
import { itemName, itemPlace, type ItemPlace } from './text/itemName';
import { tidy } from './text/text';

/** What has been done for a request, for messages: "The call was accepted"; nothing as long as nothing is. */
export const acceptedText = (
	{ deliveries }: Delivering,
	request: PreparedRequest,
): string | undefined => {
	const delivery = deliveries.get(request);
	if (!delivery) return undefined;
	const { records, unproven } = delivery;
	if (unproven) return 'The platform accepted the request';
	const { reaches, wait } = request.operation;
	if (!reaches || !wait) return 'The request went through';
	const [name = ''] = map(filter(wait.read.path, { from: 'response' }), 'name');
	const id = records[0]?.[name];
	return `The ${reaches.words[0]} was accepted${id ? ` (${name.replace(/_uuid$/, '')} ${String(id)})` : ''}`;
};

export const unreadText = ({ client }: Execution, thrown: RequestError): ErrorText =>
	describeError(thrown, { host: client.workspace.host, class: 'read' });

/** What every request for an item has in common; while requests are delivered, with the signal that ends them. */
export function requestSettings(
	execution: Execution | Delivering,
	{ item }: Pick<PreparedRequest, 'item'>,
): Pick<ClientRequest, 'zone' | 'timeout' | 'maxRetries' | 'signal'> {
	const { timeout, maxRetries } = execution.options(item);
	const signal = 'signal' in execution ? execution.signal : undefined;
	return { zone: execution.zones.of(item), timeout, maxRetries, signal };
}

/** A read beside the requests of a run: before one, after one, or to learn its outcome. @throws RequestError, Cancelled */
export const readBeside = async (
	execution: Execution,
	prepared: Pick<PreparedRequest, 'item'>,
	path: string,
	more: Pick<ClientRequest, 'query' | 'maxRetries' | 'reads'> = {},
): Promise<PlatformResponse> =>
	await execution.client.request({
		...requestSettings(execution, prepared),
		...more,
		method: 'GET',
		path,
		class: 'read',
	});

/** @param response fills the path, too @throws RequestError if there is no record, or another one; UnsafePath, Cancelled */
export async function readRecordBeside(
	execution: Execution,
	prepared: Pick<PreparedRequest, 'item' | 'pathValues'>,
	read: SecondaryRead,
	response?: IDataObject,
): Promise<IDataObject> {
	const path = pathOfRead(read, prepared.pathValues, response);
	const reads = readSameOf(read, prepared.pathValues, response);
	return objectOf(unwrap((await readBeside(execution, prepared, path, { reads })).body));
}

/** Notes what the node itself adds to an item. @returns it */
export function adding<Facts extends object>({ added }: Execution, facts: Facts): Facts {
	for (const name of Object.keys(facts)) added.add(name);
	return facts;
}

export const listBeside = (
	execution: Execution,
	prepared: Pick<PreparedRequest, 'item' | 'pathValues'>,
	{ in: list, pageSize }: { in: SecondaryRead; pageSize?: PageSize },
): Pick<WholeRequest, 'fetch' | 'path' | 'query' | 'pageSize' | 'asked'> => {
	const { client } = execution;
	const path = pathOfRead(list, prepared.pathValues);
	const fetch: WholeRequest['fetch'] = async (query, reads) =>
		await readBeside(execution, prepared, path, { query, reads });
	const { signal = client.signal, zone, ...settings } = requestSettings(execution, prepared);
	const name = JSON.stringify([client.asWhom, path, zone?.name, settings]);
	return { fetch, path: list.template, query: {}, pageSize, asked: { name, signal, fetch } };
};

export function itemPlaceOf({ context, numbers }: Execution, item: number): ItemPlace {
	const place = itemPlace(item, context.getInputData()[item]?.json);
	const [read, ...more] = numbers.get(item) ?? [];
	const phoneNumber = more.length > 0 ? undefined : tidy(read?.written, 40);
	return phoneNumber === undefined ? place : { ...place, phoneNumber };
}

/** An item as messages name it that tell its number already: "row 5". */
export const shortNameOf = ({ context }: Execution, item: number): string =>
	itemName(itemPlace(item, context.getInputData()[item]?.json));
