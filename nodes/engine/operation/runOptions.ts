import { words } from '../text/text';

export interface RunOptions {
	timezone?: string;
	/** Two letters: the country of phone numbers without a country code. */
	defaultCountry?: string;
	/** 0 to 20. */
	maxRetries?: number;
	/** Seconds, 1 to 600. */
	timeout?: number;
	/** Megabytes. */
	maximumFileSize?: number;
	concurrency?: number;
	batchSize?: number;
	preview?: boolean;
	reachEachPerson?: ReachEachPerson;
	requestKey?: string;
	retryWrites?: boolean;
	itemsThatDisagree?: 'stop' | 'first';
	sameNumberTwice?: SameNumberTwice;
	sendEmptyFields?: boolean;
	skipBlacklistedContacts?: boolean;
	/** Starts what is running under the same name already. */
	startAgain?: boolean;
	/** A text, a list or items of another node. */
	skipNumbers?: unknown;
	[name: string]: unknown;
}

/** Options that few people need: the editor has them in one entry, 'Advanced'. */
export const advanced = words(
	'batchSize concurrency maximumFileSize maxRetries retryWrites timeout',
);

export const mostConcurrency = 64;

/** Requests under way in parallel if the user chose nothing; measured (docs/reference/benchmarks.md). */
export const defaultConcurrency = 64;

/** Megabytes of a file that is read if the user chose nothing. */
export const defaultMaximumFileSize = 512;

/** Megabytes of a file that may be read; from 2048 on n8n could not pass it to the next node. */
export const mostMaximumFileSize = 2000;

export const reachEachPerson = [
	{ name: 'Every Run', value: 'everyRun', description: 'Each run reaches everyone again' },
	{ name: 'Once a Day', value: 'onceADay', description: "Once a day, in the node's time zone" },
	{ name: 'Only Once', value: 'once', description: 'Once, in whichever run' },
	{ name: 'By My Own Key', value: 'ownKey', description: "Once for each 'Request Key'" },
] as const;

export type ReachEachPerson = (typeof reachEachPerson)[number]['value'];

export const itemsThatDisagree = [
	{
		name: 'Keep the First',
		value: 'first',
		description: 'Sends the first item as it is; the output shows which ones',
	},
	{ name: 'Stop', value: 'stop', description: 'Refuses the items before anything is sent' },
] as const;

export const sameNumberTwice = [
	{
		name: 'Both',
		value: 'both',
		description: "Sends every item, unless 'Reach Each Person' limits it",
	},
	{
		name: 'Only the First',
		value: 'first',
		description: 'Skips later items with the same number; the output shows which',
	},
	{
		name: 'Stop',
		value: 'stop',
		description: 'Refuses items with the same number before anything is sent',
	},
	{
		name: 'Stop If Identical',
		value: 'stopIdentical',
		description: 'Refuses items with the same number and content before anything is sent',
	},
] as const;

export type SameNumberTwice = (typeof sameNumberTwice)[number]['value'];
