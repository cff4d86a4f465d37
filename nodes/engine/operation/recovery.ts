import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { MatchFirst, Recovery } from './operation';
import { hasOffset } from '../time';

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

export const classOf = (of: { method: string; recover: Recovery }): 'read' | 'keyed' | 'write' =>
	of.method === 'GET' ? 'read' : of.recover.by === 'requestKey' ? 'keyed' : 'write';

/** Whether requests of this kind carry `request_key`, and on whose word. */
export const keySourceOf = (recover: Recovery): 'documented' | 'inferred' | undefined => {
	if (recover.by === 'requestKey') return 'documented';
	return recover.by === 'finder' && recover.inferredKey ? 'inferred' : undefined;
};

/** Its owner has found out that the platform acts once on each key there: an inferred key then counts like a documented one. */
export const withConfirmedKeys = <Of extends { endpoint: string; recover: Recovery }>(
	operation: Of,
	confirmed: string[],
): Of =>
	keySourceOf(operation.recover) === 'inferred' && confirmed.includes(operation.endpoint)
		? { ...operation, recover: requestKey }
		: operation;
