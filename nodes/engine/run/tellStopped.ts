import { mapValues } from 'lodash';
import { itemPlaceOf } from '../execution';
import { progressOf } from '../output/failures';
import { highlight } from '../output/hints';
import { isSingleWrite } from '../operation/places';
import { listed, rowOf } from '../text/itemName';
import { quoted, sentences } from '../text/text';
import type { PreparedRequest, Delivering } from '../operation/operation';

/** Ranges of items that the text lists: n8n keeps 512 characters of it. */
const mostRanges = 8;

function stoppedText(execution: Delivering, requests: PreparedRequest[]): string {
	const { context } = execution;
	const inputs = context.getInputData();
	const itemsOf = (some: PreparedRequest[]) => some.flatMap(({ items }) => items);
	const said = (items: number[]): string => {
		const rows = items.flatMap((item) => rowOf(inputs[item]?.json) ?? []);
		const inSheet = rows.length === items.length ? `; rows ${listed(rows, mostRanges)}` : '';
		const [first = 0, ...others] = items;
		const { phoneNumber = '' } = itemPlaceOf(execution, first);
		const who = phoneNumber && `, ${others.length > 0 ? 'from ' : ''}${phoneNumber}`;
		return `${items.length}${who} (items ${listed(items, mostRanges)}${inSheet})`;
	};
	const { accepted, uncertain, rest } = mapValues(progressOf(execution, requests), itemsOf);
	const run = Number(context.getWorkflowDataProxy(0).$runIndex) + 1;
	return sentences(
		`${quoted(context.getNode().name)} was stopped${run > 1 ? ` in its run ${run}` : ''}.`,
		`Done: ${accepted.length} of ${itemsOf(requests).length}.`,
		uncertain.length > 0 ? `Uncertain, look on the platform: ${said(uncertain)}.` : '',
		rest.length > 0 ? `Not done: ${said(rest)}. Pass only those to a new run: it` : 'A new run',
		'begins at the first item again. Items count from 0.',
	);
}

/** n8n keeps no output of a stopped node, and saves the execution once those who listen for the stop have returned. */
export function tellStopped(execution: Delivering, requests: PreparedRequest[]): void {
	const { context } = execution;
	const writes = requests.filter(isSingleWrite);
	if (writes.length === 0) return;
	try {
		const text = stoppedText(execution, writes);
		context.logger.info(text);
		highlight(execution, 'acp_stopped', text);
	} catch (thrown) {
		// What a listener throws would end n8n.
		context.logger.warn(String(thrown));
	}
}
