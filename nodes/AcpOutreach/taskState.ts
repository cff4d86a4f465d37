import type { IDataObject } from 'n8n-workflow';
import { stateWord } from '../engine/text/text';

/** States of a task (reference: tasks, filter of the list), and what each means. */
const meanings = {
	cancelled: 'canceled',
	completed: 'over',
	expired: 'over',
	failed: 'over',
	in_progress: 'underWay',
	on_hold: 'ahead',
	pending: 'ahead',
	queued: 'ahead',
	scheduled: 'ahead',
} as const;

type State = keyof typeof meanings;
export const taskStates = Object.keys(meanings) as State[];

/** The state of a task, in the platform's spelling; empty if it shows none. */
export function stateOf({ status }: IDataObject): string {
	const state = stateWord(status).replaceAll('-', '_');
	return state === 'canceled' ? 'cancelled' : state;
}

export type Progress = (typeof meanings)[State] | 'unknown';

export const progressOf = (task: IDataObject): Progress =>
	meanings[stateOf(task) as State] ?? 'unknown';

/** Whether a task belongs to a campaign, or to the listing that started it; undefined if it names neither. */
export function belongsTo(
	{ campaign_uuid: shown, listing_uuid: ofListing }: IDataObject,
	campaign: string,
	listing?: unknown,
): boolean | undefined {
	if (listing !== undefined && typeof ofListing === 'string') return ofListing === listing;
	return typeof shown === 'string' ? shown === campaign : undefined;
}
