import type { IDataObject } from 'n8n-workflow';
import type { ErrorText } from '../errors/errorText';
import type { PageSize } from '../pages/pages';
import type { Country } from '../phone/countries';
import type { SecondaryRead } from './secondaryRead';

/** A record of the platform is what the request asked for. */
type Matches = (record: IDataObject, body: IDataObject) => boolean;

/** Where a costly record is looked for after its answer was lost; the request is not repeated on a guess. */
export interface SearchList {
	by: 'searchList';
	/** List that would hold it. */
	in: SecondaryRead;
	/** Whether this request is a costly one; the others are sent like any write. */
	when?: (body: IDataObject) => boolean;
	query?: (body: IDataObject) => IDataObject;
	matches: Matches;
	pageSize?: PageSize;
	/** `request_key` is sent although only the four sending endpoints are known to take it (interface §8 rule 3). */
	inferredKey?: true;
}

/** Where a small write is recognized after its answer was lost: the record that it became a part of. */
export interface SearchParent {
	by: 'searchParent';
	/** Its answer stands for the lost one. */
	in: SecondaryRead;
	/** Key of the list in the record. */
	inside: string;
	/** Whether a part is what the request added. */
	matches: Matches;
}

/** A record is looked for before it is created; `created` in the output tells which it was. */
export interface SearchFirst {
	by: 'searchFirst';
	in: SecondaryRead;
	/** What a record is known by, taken from a record or from what is to be created. */
	identity: (fields: IDataObject) => string;
	/** The same of a record that may be stored as people wrote it; `country` as the option "Default Country" has it. */
	alias?: (record: IDataObject, country: Country | undefined) => string;
	/** Query that may narrow the list to it, under names that are our guess. */
	guess: (identity: string) => IDataObject;
	/** Whether a row is what the guess looks for; others show that the platform takes no notice of it. */
	fits: (row: IDataObject, guess: IDataObject) => boolean;
	/**
	 * A guess by which a record must be found to prove that the search finds every record, however it is stored; nothing
	 * where finding this one would prove too little.
	 */
	proof: (record: IDataObject) => IDataObject | undefined;
	pageSize?: PageSize;
}

/**
 * A costly action on a record: the record is read before it is sent and, where the answer was lost, before anything is
 * sent again. Of several requests of a run for the same record only the first is sent.
 */
export interface WatchRecord {
	by: 'watchRecord';
	in: SecondaryRead;
	/** Whether this request is a costly one; the others are sent like any write. */
	when?: (body: IDataObject) => boolean;
	/**
	 * Why it is not sent at all, as the record stands: it would happen twice. Without this the
	 * record is read only after a lost answer.
	 */
	refuses?: (record: IDataObject) => ErrorText | undefined;
	/** Whether the record shows that the request was carried out. `statusBefore`: where it was read before. */
	shows: (record: IDataObject, statusBefore?: string) => boolean;
}

/** How a lost answer is found out about. */
export type Recovery =
	{ by: 'nothing' } | { by: 'requestKey' } | SearchList | SearchParent | SearchFirst | WatchRecord;

/** Nobody can find out. What creates is named as uncertain, not sent again; a change or a deletion may be repeated. */
export const unrecoverable: Recovery = { by: 'nothing' };

/** The request is repeated with its `request_key`; the platform returns the first one (interface §8 rule 3). */
export const requestKey: Recovery = { by: 'requestKey' };

/**
 * Whether a write is sent again although nobody can find out what became of it: changes and deletions, because the
 * second time they change nothing more, and what the user allows with 'Retry Writes'.
 */
export const isRepeatable = (method: string, retryWrites: boolean | undefined): boolean =>
	method !== 'POST' || retryWrites === true;

export const searchList = (search: Omit<SearchList, 'by'>): SearchList => ({
	by: 'searchList',
	...search,
});

export const searchParent = (search: Omit<SearchParent, 'by'>): SearchParent => ({
	by: 'searchParent',
	...search,
});

export const searchFirst = (search: Omit<SearchFirst, 'by'>): SearchFirst => ({
	by: 'searchFirst',
	...search,
});

export const watchRecord = (watch: Omit<WatchRecord, 'by'>): WatchRecord => ({
	by: 'watchRecord',
	...watch,
});

/** Whether a request is a costly write: what became of it is looked at before it is sent twice. */
export const isCostly = (recover: Recovery, body: IDataObject): boolean =>
	(recover.by === 'searchList' || recover.by === 'watchRecord') && recover.when?.(body) !== false;

/** Whether requests of this kind carry `request_key`, and on whose word. */
export const keySourceOf = (recover: Recovery): 'documented' | 'inferred' | undefined => {
	if (recover.by === 'requestKey') return 'documented';
	return recover.by === 'searchList' && recover.inferredKey ? 'inferred' : undefined;
};
