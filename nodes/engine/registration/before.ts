import type { IDataObject } from 'n8n-workflow';
import { query } from './address';
import type { Place, Plan } from './plan';
import { sealAlike, unseal } from './proof';

/** What stood at a place before, in the form of the requests that put it back. */
export interface Before {
	/** Changes of the record. */
	changes?: IDataObject;
	/** Its action, and whether it was live. */
	action?: IDataObject;
	live?: boolean;
	/** A mark of what the node wrote in place of the fields in `changes`. */
	wrote?: string;
}

/** Longer URLs are cut or refused by some servers on the way. */
export const longestUrl = 2000;

/** Of the place, not of the workflow: whoever takes a place over with this credential inherits what stood there. */
const keyOf = (plan: Plan, { agent, intent = '' }: Place): string =>
	plan.derive(['before', agent, intent]);

/**
 * What stood at a place before, sealed for the query of the callback URL. The platform stores it in the same write as
 * the URL, so that it is there whenever the URL is, whatever happens to n8n. Only the API token opens it, which no log
 * of URLs shows. Equal contents are equal when sealed, so that the whole URL can be compared.
 */
export const sealBefore = (plan: Plan, place: Place, before: Before): string =>
	sealAlike(JSON.stringify(before), keyOf(plan, place));

/** @returns what the query of a callback URL holds sealed; undefined if there is nothing, or it does not open */
export function openBefore(plan: Plan, place: Place, url: string): Before | undefined {
	const opened = unseal(query(url, 'before'), keyOf(plan, place));
	return opened === undefined ? undefined : (JSON.parse(opened) as Before);
}
