import type { IBinaryData, IDataObject } from 'n8n-workflow';
import type { BinaryReference } from '../fields/binary';
import type { Report } from '../fields/field';
import type { Unproven } from '../answer/verdict';
import type { RequestError } from '../errors/requestError';
import type { Operation } from './operation';

/** Which request it is, whatever later steps make of it (`journal/`). */
export interface Identity {
	/** Made of the run, the item or tool call, the endpoint, the path, whom it reaches, and the user's own key. */
	readonly name: string;
	/** Made of the run, the parameters as they were written, and the data of its items. */
	readonly place?: string;
	/** Digest of what is sent. */
	readonly content: string;
	/** A tool call without an ID: another one that says the same has the same name. */
	readonly isShared?: true;
}

/** A request that could be sent as it is. A step that changes it makes another one of the same identity. */
export interface PreparedRequest {
	readonly identity: Identity;
	readonly operation: Operation;
	/** Input item it was made from; the first one for requests made from all. */
	readonly item: number;
	/** All input items it was made from. */
	readonly items: number[];
	readonly pathValues: IDataObject;
	/** Path below `/api/v1` with its values in place. */
	readonly path: string;
	readonly query: IDataObject;
	readonly body: IDataObject;
	/** What the platform said of its target before (`preflight` of the operation). */
	readonly checked?: unknown;
	/** Keys of the body that are only in 'Body (JSON)': they are sent as they were written. */
	readonly asWritten?: string[];
	/** Values of filters that are applied here (`pages.filters`). */
	readonly filters: IDataObject;
	readonly files: BinaryReference[];
	/** Maximum number of records of a list; Infinity for all. */
	readonly limit: number;
	/** Records are cut down to the operation's key fields. */
	readonly simplify: boolean;
	/** The user's own request key as it was written, so it is the same whenever the workflow runs. */
	readonly ownKey?: string;
	/** It carries a later part of this request's list, and leaves after it (`prepare/inBatches.ts`). */
	readonly batchOf?: PreparedRequest;
	/** What reading did to the values: facts beside the response, and sentences for the output panel. */
	readonly report: Report;
}

export type Draft = Omit<PreparedRequest, 'identity'>;

export interface Delivery {
	records: IDataObject[];
	/** The response itself, if it is a file. */
	file?: IBinaryData;
	/** The platform accepted it, and nothing in its response shows that it was done. */
	unproven?: Unproven;
	/** The user's own key was used before with other content. */
	keyUsedBefore?: true;
}

export type Result<Done> = { done: Done } | { requestError: RequestError } | undefined;
