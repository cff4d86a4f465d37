import { groupBy, isUndefined, omitBy, sortBy } from 'lodash';
import type { INodeExecutionData } from 'n8n-workflow';
import { errorOf, isDone } from '../deliver/pool';
import { adding, type Delivering, type Execution, itemPlaceOf } from '../execution';
import { errorFacts, type ItemError } from '../errors/errorText';
import type { PreparedRequest } from '../operation/preparedRequest';
import { reachOf, shownAddress } from '../operation/recipients';
import { type Failure, type Result, tellFailures, textOf } from './failures';
import { errorItem, item } from './items';
import type { LeftOut, Sorted } from '../prepare/leftOut';

const told = (part: PreparedRequest): string =>
	`${reachOf(part)} ${part.operation.reaches?.words[1]} of items ${part.items[0]} to ${part.items.at(-1)}`;

/**
 * Outputs one item for a list that went in several requests: what the first one made, with all input items that are in
 * it. Batches that did not succeed stay error items.
 */
export function joined(execution: Delivering, results: Result[]): Result[] {
	const { requests } = execution;
	return results.map((result, at): Result => {
		const request = requests[at] as PreparedRequest;
		if (!isDone(result)) return result;
		if (request.batchOf) return { done: [] };
		const done = requests.filter(
			(other, index) => (other === request || other.batchOf === request) && isDone(results[index]),
		);
		if (done.length < 2) return result;
		const items = done.flatMap((one) => one.items).sort((one, other) => one - other);
		const batches = adding(execution, { batches: done.map(told).join('; ') });
		return { done: result.done.map(({ json }) => item({ ...json, ...batches }, items)) };
	});
}

function skippedItem(execution: Execution, out: LeftOut): INodeExecutionData {
	const { item: index, reason, message, number, contact, entry } = out;
	const { row } = itemPlaceOf(execution, index);
	const to = { ...(number && shownAddress(number)), contact_uuid: contact };
	const json = { skipped: true, reason, message, item: index, row, entry, ...to };
	return item(adding(execution, omitBy(json, isUndefined)), [index]);
}

/** Items in input order: what was sent, error items for what was not (also told in hints), and who was left out. */
export function collect(
	execution: Delivering,
	requests: readonly PreparedRequest[],
	results: Result[],
	{ problems, leftOut }: Sorted,
): INodeExecutionData[] {
	const byItem = new Map<number, INodeExecutionData[]>();
	const failures: Failure[] = [];
	const fail = (index: number, facts: ItemError): void => {
		byItem.set(index, [errorItem(execution.context, facts, index)]);
		failures.push({ ...facts, place: itemPlaceOf(execution, index) });
	};
	requests.forEach((prepared, at) => {
		const result = results[at];
		const error = errorOf(result);
		if (isDone(result)) byItem.set(prepared.item, result.done);
		if (!error) return;
		const facts = errorFacts(error, textOf(execution, prepared, error));
		for (const index of prepared.items) fail(index, facts);
	});
	for (const found of Object.values(groupBy(problems, 'item'))) {
		fail(found[0]?.item ?? 0, {
			message: found.map(({ message }) => message).join('; '),
			description: 'This item was not sent.',
			code: 'INVALID_ITEM',
			field: found.find(({ field }) => field)?.field,
		});
	}
	if (failures.length > 0) tellFailures(execution, sortBy(failures, 'place.item'));
	for (const out of leftOut)
		byItem.set(out.item, [...(byItem.get(out.item) ?? []), skippedItem(execution, out)]);
	return sortBy([...byItem], 0).flatMap(([, items]) => items);
}
