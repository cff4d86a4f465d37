import { filter, map } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { objectOf, unwrap } from './answer/answer';
import type { NumberRead } from './fields/field';
import type { PlatformResponse, Client, ClientRequest } from './http/client';
import type { LookupName } from './lookups';
import type { Names } from './lookups/names';
import type { RunJournal } from './journal/journal';
import type { ReachMemory } from './journal/reachMemory';
import type { Operation } from './operation/operation';
import type { Delivery, PreparedRequest } from './operation/preparedRequest';
import type { RunOptions } from './operation/runOptions';
import { pathOfRead, readSameOf, type SecondaryRead } from './operation/secondaryRead';
import type { Hints } from './text/hints';
import type { PageSize } from './pages/pages';
import type { WholeRequest } from './pages/whole';
import { itemName, itemPlace, type ItemPlace } from './text/itemName';
import { tidy } from './text/text';
import type { Zone } from './time';

/** The zones of a run's items: the option's, or by default the credential's; the platform's if a value needs it. */
export interface ItemZones {
	/** The zone that times of an item without an offset are read in, as far as it is known. */
	of: (item: number) => Zone;
	/**
	 * The same for a value that cannot be sent without knowing it here; of another kind than `iana` if the platform does not
	 * tell. @throws ZoneNeeded while the platform has not been asked
	 */
	needed: (item: number) => Zone;
	/** Zones that were learned for items; from then on also those of their requests. */
	learned: Map<number, Zone>;
	/** Why a zone could not be asked for, by the zone's name: it is not tried again for every item. */
	unread: Map<string, Error>;
}

/** An item's parameter; undefined if the operation does not show it. @throws InvalidValue if it cannot be resolved */
export type ReadParameter = (name: string, item: number) => unknown;

export interface Execution {
	context: IExecuteFunctions;
	client: Client;
	journal: RunJournal;
	reach: ReachMemory;
	operation: Operation;
	asTool: boolean;
	/** On Error = stop: the first request error ends the run. */
	stops: boolean;
	hints: Hints;
	/** Names of the fields that the node itself adds to output items; all items of a run have them. */
	added: Set<string>;
	numbers: Map<number, NumberRead[]>;
	/** What this run knows of the lists in which it looks for records (`deliver/recovery/match.ts`), by name. */
	lists: Map<string, object>;
	/** What this run knows of the names that lists show. */
	names: Map<LookupName, Names>;
	parameter: ReadParameter;
	/** As they were written, expressions unresolved. */
	written: INodeParameters;
	options: (item: number) => RunOptions;
	zones: ItemZones;
}

/** Functions beside a resource, for what a request does not say. They see the run, so they are declared here. */
declare module './operation/operation' {
	interface Operation {
		/** Carries the operation out, which is more than a request. @throws RequestError, Cancelled */
		run?: (execution: Delivering, prepared: PreparedRequest) => Promise<IDataObject[]>;
		/**
		 * Why a request must not leave, asked last of all and in its turn, unless 'Start Again' (`unless`) is on;
		 * `leaves` remembers that it left, and returns what forgets it. @throws Cancelled
		 */
		before?: {
			check: (execution: Execution, prepared: PreparedRequest) => Promise<string | undefined>;
			leaves: (execution: Execution, prepared: PreparedRequest) => () => void;
			unless: string;
		};
		/** What turning Preview off starts, in a sentence; `sums` says what becomes of all items. @throws Cancelled */
		preview?: (execution: Execution, requests: PreparedRequest[]) => Promise<string>;
	}
}

export interface Delivering extends Execution {
	readonly requests: readonly PreparedRequest[];
	/** Fires when the execution or, at the first request error, the run is stopped; ends all waiting. */
	readonly signal: AbortSignal;
	/** Ends the run: what has not left is not sent. */
	readonly halting: AbortController;
	/** Results of writes that are done; the rest of their operation (a wait, a file) may not be. */
	readonly deliveries: Map<PreparedRequest, Delivery>;
	/** Items whose write has left, and may have been done, without a response that says which. */
	readonly mayBeDone: Set<number>;
}

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

/**
 * @param response whose values fill the path of the read, beside those of the request
 * @throws RequestError if there is no record, or another one; UnsafePath, Cancelled
 */
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
