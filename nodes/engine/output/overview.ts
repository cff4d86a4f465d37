import { compact, countBy, mapKeys, sum } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Result } from './failures';
import type { Delivering, Execution } from '../execution';
import { callingCode } from '../phone/numberingPlans';
import { sendsPerSecond } from '../operation/forMany';
import type { Operation } from '../operation/operation';
import type { PreparedRequest } from '../operation/preparedRequest';
import { reachOf, recipientsOf } from '../operation/recipients';
import type { Reason, Shared, Sorted } from '../prepare/leftOut';
import { itemName } from '../text/itemName';

/** Whom a run reaches. */
export interface Overview {
	/** Input items. */
	items: number;
	/** Remaining calls, messages or contacts of a listing. */
	recipients: number;
	skipped: Record<Reason | 'total', number>;
	/** Items with the number of an earlier one, which went into the same contact of a list. */
	merged?: number;
	/** Items that cannot be sent. */
	refused: number;
	/** By frequency, the highest first. */
	countryCodes: Array<{ code: string; count: number }>;
	/** Numbers that more than one item has. */
	sameNumber: Shared[];
	/** Minimum time until all requests have left; null if the platform goes on at its own pace. */
	seconds: number | null;
}

/** Maximum number of lines of a list in a hint. */
const mostNamed = 10;

const many = (count: number, one: string, several: string): string =>
	`${count} ${count === 1 ? one : several}`;

const duration = (seconds: number): string => {
	if (seconds < 60) return many(seconds, 'second', 'seconds');
	const minutes = Math.round(seconds / 60);
	return minutes < 120
		? many(minutes, 'minute', 'minutes')
		: many(Math.round(minutes / 60), 'hour', 'hours');
};

/** A list in words, cut short. */
const listed = (parts: string[]): string =>
	parts.length > mostNamed
		? `${parts.slice(0, mostNamed).join(', ')} and ${parts.length - mostNamed} more`
		: parts.join(', ');

const sharedText = (shared: Shared[]): string =>
	listed(shared.map(({ number, places }) => `${number} (${listed(places)})`));

const reasons: Record<Reason, string> = {
	skip_numbers: "in 'Skip Numbers'",
	blacklisted: 'blacklisted',
	same_number: 'with the number of an earlier item',
};

/** Rows that were made of several items. */
const mergedRows = (ready: PreparedRequest[]): Shared[] =>
	ready.flatMap((request) =>
		recipientsOf(request)
			.filter(({ row, items }) => row !== undefined && items !== request.items && items.length > 1)
			.map(({ number = '', items }) => ({
				number,
				items,
				places: items.map((item) => itemName({ item })),
			})),
	);

/**
 * Sums up whom a run reaches. Of a run that makes one list of all items, recipients, merged, skipped and refused ones
 * add up to the items.

 * @param items number of input items
 */
export function overviewOf(
	operation: Operation,
	items: number,
	{ ready, leftOut, shared, problems }: Sorted,
): Overview {
	const counts = new Map<string, number>();
	for (const request of ready)
		for (const { number } of recipientsOf(request)) {
			if (!number?.startsWith('+')) continue;
			const code = callingCode(number);
			counts.set(code, (counts.get(code) ?? 0) + 1);
		}
	const codes = [...counts]
		.map(([code, count]) => ({ code, count }))
		.sort((a, b) => b.count - a.count || a.code.localeCompare(b.code));
	const counted = countBy(leftOut, ({ reason }) => reason) as Partial<Record<Reason, number>>;
	const skipped = {
		total: leftOut.length,
		skip_numbers: counted.skip_numbers ?? 0,
		blacklisted: counted.blacklisted ?? 0,
		same_number: counted.same_number ?? 0,
	};
	const refused = new Set(problems.map(({ item }) => item)).size;
	const merged = mergedRows(ready);
	const seconds = operation.paced ? Math.ceil(ready.length / sendsPerSecond) : null;
	return {
		items,
		recipients: sum(ready.map(reachOf)),
		skipped,
		...(operation.reaches?.rows === undefined
			? {}
			: { merged: sum(merged.map(({ items: { length } }) => length - 1)) }),
		refused,
		countryCodes: codes,
		sameNumber: [...merged, ...shared],
		seconds,
	};
}

/** An overview as fields of an item, each of them flat; their names are public. */
export const flatOverview = (overview: Overview): IDataObject => ({
	summary_items: overview.items,
	summary_recipients: overview.recipients,
	...mapKeys(overview.skipped, (_, reason) => `summary_skipped_${reason}`),
	...(overview.merged === undefined ? {} : { summary_merged: overview.merged }),
	summary_refused: overview.refused,
	summary_countryCodes: overview.countryCodes
		.map(({ code, count }) => `${code} (${count})`)
		.join(', '),
	summary_sameNumber: sharedText(overview.sameNumber),
	summary_seconds: overview.seconds,
});

/** How many people the requests of a run reached. */
export interface Reached {
	done: number;
	/** Accepted by the platform, and nothing shows that it was done. */
	unproven: number;
	/** In requests that the platform took as a whole, and not among them, by its own count. */
	notTaken: number;
	/** A response does not count them. */
	uncounted: boolean;
}

/** Counts by the outcome of the requests. */
export function reached({ requests, deliveries }: Delivering, results: Result[]): Reached {
	const count: Reached = { done: 0, unproven: 0, notTaken: 0, uncounted: false };
	requests.forEach((request, at) => {
		const result = results[at];
		if (!result || !('done' in result)) return;
		const delivery = deliveries.get(request);
		const sent = reachOf(request);
		if (delivery?.unproven) {
			count.unproven += sent;
			return;
		}
		const { counted } = request.operation.reaches ?? {};
		const taken = counted?.in(delivery?.records[0] ?? {});
		count.uncounted ||= counted !== undefined && taken === undefined;
		count.done += taken ?? sent;
		count.notTaken += Math.max(0, sent - (taken ?? sent));
	});
	return count;
}

const nothingElse = { unproven: 0, notTaken: 0, uncounted: false };

/** Seconds below which nobody needs to be told how long a run takes. */
const leastWorthSaying = 10;

/**
 * An overview in sentences.
 * @param after the outcome for the recipients; absent if nothing was sent
 */
export function overviewText(operation: Operation, overview: Overview, after?: Reached): string {
	const { items, recipients, skipped, merged, refused, countryCodes, sameNumber, seconds } =
		overview;
	const [one = 'request', several = 'requests', verb = 'sent'] = operation.reaches?.words ?? [];
	const out = (Object.keys(reasons) as Reason[])
		.filter((reason) => skipped[reason] > 0)
		.map((reason) => `${skipped[reason]} ${reasons[reason]}`);
	const { done, unproven, notTaken, uncounted } = after ?? { done: recipients, ...nothingElse };
	const failed = Math.max(0, recipients - done - unproven - notTaken);
	const count = many(done, one, several);
	const happened = (uncounted && operation.reaches?.counted?.sent) || verb;
	return [
		`${count} ${after ? (done === 1 ? 'was' : 'were') : 'would be'} ${happened}, from ${many(items, 'item', 'items')}.`,
		notTaken ? `The platform counts ${notTaken} fewer: usually they were there already.` : '',
		out.length ? `Skipped: ${out.join(', ')}.` : '',
		merged
			? `${many(merged, 'item was', 'items were')} merged into an earlier one with the same number.`
			: '',
		refused ? `${many(refused, 'item', 'items')} cannot be sent; see 'error' in the output.` : '',
		unproven ? `${unproven} ${unproven === 1 ? 'was' : 'were'} accepted without proof.` : '',
		failed ? `${failed} did not succeed.` : '',
		countryCodes.length
			? `Country codes: ${listed(countryCodes.map(({ code, count: many }) => `${code} (${many})`))}.`
			: '',
		sameNumber.length ? `In several items: ${sharedText(sameNumber)}.` : '',
		!after && seconds !== null && seconds >= leastWorthSaying
			? `At ${sendsPerSecond} per second this takes at least ${duration(seconds)}.`
			: '',
	]
		.filter(Boolean)
		.join(' ');
}

/** What turning Preview off starts; nothing if the operation starts nothing by itself. @throws Cancelled */
export async function startText(
	execution: Execution,
	ready: PreparedRequest[],
	{ items, merged, skipped, refused }: Overview,
): Promise<string | undefined> {
	const { preview, allItems } = execution.operation;
	const sums = [
		many(items, 'row', 'rows'),
		merged ? `${merged} merged` : '',
		skipped.total ? `${skipped.total} skipped` : '',
		refused ? `${refused} refused` : '',
	].filter(Boolean);
	if (ready.length === 0) return undefined;
	return await preview?.(execution, ready, allItems ? `: ${sums.join(', ')}` : '');
}

/** What running the node again does; nothing if every request that was done has the user's own key. */
export function againText(
	{ paced, reaches }: Operation,
	requests: PreparedRequest[],
	results: Result[],
): string | undefined {
	const done = requests.filter((_, at) => {
		const result = results[at];
		return result && 'done' in result;
	});
	if (!reaches || done.length === 0) return undefined;
	if (paced && done.some(({ ownKey }) => ownKey === undefined))
		return (
			'Retries never call or write to anyone twice. Running this again does, unless each item has a ' +
			"'Request Key' (under Options)."
		);
	return compact(done.map(({ body }) => reaches.again?.(body)))[0];
}
