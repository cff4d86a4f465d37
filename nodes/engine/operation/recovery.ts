import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { PagesRequest } from '../pages/pages';
import type { Search } from '../pages/whole';
import type { Country } from '../phone/countries';
import type { SecondaryRead } from './secondaryRead';
import { hasOffset } from '../time';

export interface KeyedRecord {
	/** Empty if the row shows none. */
	id: string;
	row: IDataObject;
	keys: string[];
	/** What it holds that an update may lose. */
	values: IDataObject;
	/** Keys of records that it may be, and why: they keep one from being created. */
	mayBe?: Array<[key: string, why: string]>;
}

export interface Look {
	keys: string[];
	/** Possible countries of numbers without a country code. */
	countries: Array<Country | undefined>;
	matching: string[];
	/** What was read before (`preflight` of the operation). */
	checked: unknown;
}

/**
 * A record is looked for before it is created, by its keys: the one that has them is returned, or updated. If several
 * have them, or if that cannot be known, nothing is sent. `created` in the output tells which it was.
 */
export interface MatchFirst extends Pick<PagesRequest, 'pageSize'> {
	by: 'match';
	in: SecondaryRead;
	/** What the records are, for people: "contacts". */
	what: string;
	/** What the record of a request is found by; undefined if that cannot be compared. */
	key: (body: IDataObject, matching: string[]) => string | undefined;
	says: (body: IDataObject, matching: string[]) => string;
	/** Whether a row must be kept until the list is read; all by default. */
	keeps?: (look: Look) => (row: IDataObject) => boolean;
	/** @returns also why nothing can be concluded from the kept rows of all, or a sentence for the output panel */
	records: (
		kept: IDataObject[],
		look: Look,
		rows: number,
	) => { records: KeyedRecord[]; unclear?: string; hint?: string };
	/** A search that may narrow the list, under a name that is our guess; nothing if it does not search such keys. */
	search?: (matching: string[]) => (Search & { guess: (key: string) => IDataObject }) | undefined;
	/** The endpoint that updates the record, with the same body, and its path parameter that names the record. */
	update?: { endpoint: string; id: string; sent: (body: IDataObject) => IDataObject };
}

/** Code beside the resource finds it out, from the pieces in `deliver/recovery/finder.ts`, which declares it. */
export interface OwnFinder {
	by: 'finder';
	/** `request_key` is sent although only the four sending endpoints are known to take it (interface §8 rule 3). */
	inferredKey?: true;
}

/** How a lost response is found out about. */
export type Recovery = { by: 'nothing' } | { by: 'requestKey' } | MatchFirst | OwnFinder;

/** The outcome cannot be found out: a create is told as uncertain; a change or a deletion may be repeated. */
export const unrecoverable: Recovery = { by: 'nothing' };

/** The request is repeated with its `request_key`; the platform returns the first one (interface §8 rule 3). */
export const requestKey: Recovery = { by: 'requestKey' };

/** Whether a later try sends a write again: changes and deletions, and what 'Retry Writes' allows. */
export const isRepeatable = (method: string, retryWrites: boolean | undefined): boolean =>
	method !== 'POST' || retryWrites === true;

/** Whether two values say the same; undefined if they are written in ways that cannot be compared. */
function sameValue(shown: unknown, sent: unknown): boolean | undefined {
	if (isEqual(shown, sent) || String(shown) === String(sent)) return true;
	if (typeof shown !== typeof sent || typeof shown === 'object') return undefined;
	const times = [shown, sent].map(String);
	if (!times.every((time) => /^\d{4}-\d\d-\d\d/.test(time))) return false;
	const [one, other] = times.map((time) => (hasOffset(time) ? Date.parse(time) : NaN)) as [
		number,
		number,
	];
	return Number.isNaN(one + other) ? undefined : one === other;
}

/** Whether a record shows these fields of a request; undefined if it lacks one, or shows one in its own form. */
export function showsFields(record: IDataObject, sent: IDataObject): boolean | undefined {
	const told = Object.entries(sent).map(([name, value]) =>
		record[name] === undefined ? undefined : sameValue(record[name], value),
	);
	return told.includes(false) ? false : told.includes(undefined) ? undefined : true;
}

export const matchFirst = (how: Omit<MatchFirst, 'by'>): MatchFirst => ({ by: 'match', ...how });

/** What repeating a request of an operation can do. */
export const classOf = (of: { method: string; recover: Recovery }): 'read' | 'keyed' | 'write' =>
	of.method === 'GET' ? 'read' : of.recover.by === 'requestKey' ? 'keyed' : 'write';

/** Whether requests of this kind carry `request_key`, and on whose word. */
export const keySourceOf = (recover: Recovery): 'documented' | 'inferred' | undefined => {
	if (recover.by === 'requestKey') return 'documented';
	return recover.by === 'finder' && recover.inferredKey ? 'inferred' : undefined;
};

/**
 * An operation in a workspace whose owner has found out that the platform acts once on each request key of its
 * endpoint: the key then counts like a documented one.
 * @param confirmed endpoints, as the credential names them
 */
export const withConfirmedKeys = <Of extends { endpoint: string; recover: Recovery }>(
	operation: Of,
	confirmed: string[],
): Of =>
	keySourceOf(operation.recover) === 'inferred' && confirmed.includes(operation.endpoint)
		? { ...operation, recover: requestKey }
		: operation;
