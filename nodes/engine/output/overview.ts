import type { INodeExecutionData } from 'n8n-workflow';
import { countBy, filter, orderBy, range, sumBy, uniqBy } from 'lodash';
import { isUnproven, nothingSent, type Result } from './failures';
import { isDone } from '../deliver/pool';
import { item } from './items';
import { callingCode } from '../phone/numberingPlans';
import { sendsPerSecond } from '../platform/paceLimits';
import type { Operation, Delivering } from '../operation/operation';
import { recipientCount, type Recipient, recipientsOf } from '../operation/places';
import { type Reason, reasons, type Shared, type Sorted } from '../prepare/leftOut';
import { itemName } from '../text/itemName';
import { listOf, many, quoted, sentences, spanOf } from '../text/text';
import { highlight } from './hints';

const mergedRows = (recipients: Recipient[]): Shared[] =>
	recipients
		.filter(
			({ row, items, request }) => row !== undefined && items !== request.items && items.length > 1,
		)
		.map(({ number = '', items }) => ({
			number,
			items,
			places: items.map((item) => itemName({ item })),
		}));

/** Of a run that makes one list, recipients, merged, skipped and refused ones add up to the items. */
function overviewOf(
	operation: Operation,
	items: number,
	{ ready, leftOut, shared, problems }: Sorted,
) {
	const recipients = ready.flatMap(recipientsOf);
	const codes = countBy(
		recipients.filter(({ number }) => number?.startsWith('+')),
		({ number = '' }) => callingCode(number),
	);
	const merged = mergedRows(recipients);
	const skipped = (reason: Reason): number => filter(leftOut, { reason }).length;
	return {
		items,
		recipients: sumBy(ready, recipientCount),
		skipped_total: leftOut.length,
		skipped_skip_numbers: skipped('skip_numbers'),
		skipped_blacklisted: skipped('blacklisted'),
		skipped_same_number: skipped('same_number'),
		skipped_reached_before: skipped('reached_before'),
		...(operation.reaches?.rows !== undefined && {
			merged: sumBy(merged, 'items.length') - merged.length,
		}),
		refused: uniqBy(problems, 'item').length,
		countryCodes: listOf(
			orderBy(Object.entries(codes), [1, 0], ['desc', 'asc']).map(
				([code, count]) => `${code} (${count})`,
			),
		),
		sameNumber: listOf(
			[...merged, ...shared].map(({ number, places }) => `${number} (${listOf(places)})`),
		),
		/** Until all requests have left, at least; null if the platform goes on at its own pace. */
		seconds: operation.paced ? Math.ceil(ready.length / sendsPerSecond) : null,
	};
}

type Overview = ReturnType<typeof overviewOf>;
type Reached = ReturnType<typeof reached>;

function reached(execution: Delivering, results: Result[]) {
	const { requests, deliveries, mayBeDone } = execution;
	const count = {
		done: 0,
		/** Left, and nobody knows what became of it. */
		uncertain: 0,
		/** Accepted by the platform, and nothing shows that it was done. */
		unproven: 0,
		/** In requests that the platform took as a whole, and not among them, by its own count. */
		notTaken: 0,
		uncounted: false,
	};
	requests.forEach((request, at) => {
		const sent = recipientCount(request);
		// What was accepted counts, whatever became of the wait for its end.
		const delivery = deliveries.get(request);
		if (!delivery && !isDone(results[at])) {
			if (mayBeDone.has(request.item)) count.uncertain += sent;
			return;
		}
		const unproven = isUnproven(execution, request);
		const { counted } = request.operation.reaches ?? {};
		const taken = unproven ? 0 : counted?.in(delivery?.records[0] ?? {});
		count.uncounted ||= counted !== undefined && taken === undefined;
		count.done += taken ?? sent;
		if (unproven) count.unproven += sent;
		else count.notTaken += Math.max(0, sent - (taken ?? sent));
	});
	return count;
}

const leastWorthSaying = 10;

/** @param after the outcome for the recipients; absent if nothing was sent */
function overviewText(operation: Operation, overview: Overview, after?: Reached): string {
	const { items, recipients, merged, refused, countryCodes, sameNumber, seconds } = overview;
	const [one = 'request', several = 'requests', verb = 'sent'] = operation.reaches?.words ?? [];
	const out = (Object.keys(reasons) as Reason[])
		.filter((reason) => overview[`skipped_${reason}`] > 0)
		.map((reason) => `${overview[`skipped_${reason}`]} ${reasons[reason]}`);
	const { done = recipients, uncertain = 0, unproven = 0, notTaken = 0, uncounted } = after ?? {};
	const failed = Math.max(0, recipients - done - uncertain - unproven - notTaken);
	const known = after && operation.paced && 'accepted';
	const happened = (uncounted && operation.reaches?.counted?.sent) || known || verb;
	const open = uncertain + unproven;
	const would = after ? (done === 1 ? 'was' : 'were') : 'would be';
	return sentences(
		`${many(done, one, several)} ${would} ${happened}${open ? `, and ${open} may have been` : ''}, from ${many(items, 'item')}.`,
		notTaken && `The platform counts ${notTaken} fewer: usually they were there already.`,
		out.length > 0 && `Skipped: ${out.join(', ')}.`,
		merged &&
			`${many(merged, 'item was', 'items were')} merged into an earlier one with the same number.`,
		refused && `${many(refused, 'item')} cannot be sent; see 'error' in the output.`,
		unproven && `${many(unproven, 'was', 'were')} answered without proof.`,
		failed && `${failed} did not succeed.`,
		countryCodes && `Country codes: ${countryCodes}.`,
		sameNumber && `In several items: ${sameNumber}.`,
		!after &&
			seconds !== null &&
			seconds >= leastWorthSaying &&
			`At ${sendsPerSecond} per second this takes at least ${spanOf(seconds)}.`,
	);
}

/** @returns the same as the first item of a preview by an AI agent, which sees items alone */
export async function tellOverview(
	execution: Delivering,
	sorted: Sorted,
	results: Result[],
): Promise<INodeExecutionData[]> {
	const { context, hints, operation, options, requests, asTool } = execution;
	const items = context.getInputData().length;
	const isPreview = range(items).some((index) => options(index).preview === true);
	const overview = overviewOf(operation, items, sorted);
	const starts =
		isPreview && sorted.ready.length > 0 && (await operation.preview?.(execution, sorted.ready));
	const text = sentences(
		starts,
		overviewText(operation, overview, isPreview ? undefined : reached(execution, results)),
	);
	const before = requests.length
		? "Items with 'Preview' off were sent; the figures include them."
		: nothingSent;
	const said = isPreview ? `${before} ${text}` : text;
	if (items > 1 || sorted.leftOut.length > 0 || starts) hints.add(said, 'first');
	if (!isPreview) highlight(execution, 'acp_done', `${quoted(context.getNode().name)}: ${said}`);
	return isPreview && asTool ? [item({ preview: true, text: said }, range(items))] : [];
}
