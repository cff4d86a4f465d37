import { groupBy, isUndefined, omit, omitBy, pick, sortBy } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { acceptedText, adding, itemPlaceOf } from '../execution';
import { namesWithoutProof } from '../response/verdict';
import { downloadInto, putFile } from '../follow/files';
import { type ItemError, errorFacts } from '../errors/errorText';
import { needsWholeRecord, sentRecord, shownRecord } from '../deliver/records';
import { lacks, waitFor } from '../follow/wait';
import { errorOf, isDone } from '../deliver/pool';
import { reachesBy, recipientCount, shownAddress } from '../operation/places';
import { errorItem, type Failure, type Result, tellFailures, failureText } from './failures';
import type { LeftOut, Sorted } from '../prepare/leftOut';
import type { Delivery } from '../journal/journal';
import type { PreparedRequest, Delivering, Execution } from '../operation/operation';

/** Makes items of what a request returned, after a wait and with their files. @throws RequestError, Cancelled */
export async function outputItems(
	execution: Delivering,
	prepared: PreparedRequest,
	{ records, file, unproven, keyUsedBefore }: Delivery,
): Promise<INodeExecutionData[]> {
	const { operation, items, report, simplify } = prepared;
	const options = execution.options(prepared.item);
	if (unproven) for (const name of namesWithoutProof) execution.added.add(name);
	const facts = { ...report.facts, ...(keyUsedBefore && { requestKeyUsedBefore: true }) };
	const itemOf = (record: IDataObject) => item({ ...record, ...adding(execution, facts) }, items);
	const sentItem = (record: IDataObject) => {
		const sent = sentRecord(record, prepared);
		adding(execution, omit(sent, Object.keys(record)));
		return itemOf(sent);
	};
	if (file) return records.map((record) => putFile(itemOf(record), file, options));
	if (!needsWholeRecord(operation)) return records.map(sentItem);

	const { wait, download, hint } = operation;
	const first = records[0] ?? {};
	const lacking = wait && lacks(wait, first);
	const unnamed =
		lacking &&
		`${acceptedText(execution, prepared)}, but its response has no ${lacking} to wait for`;
	if (unnamed) execution.hints.add(`${unnamed}.`, 'warning');
	const warned = { ...first, ...(unnamed && adding(execution, { warning: unnamed })) };
	const waited = async (): Promise<IDataObject> =>
		wait && !unnamed ? await waitFor(execution, prepared, wait, first) : warned;
	const seen = wait ? [await waited()] : records;
	return await Promise.all(
		seen.map(async (record) => {
			const sentence = hint?.(record, execution.context.getTimezone(), prepared.body);
			if (sentence) execution.hints.add(sentence);
			// The records that were read are those that Simplify knows.
			const shown = shownRecord(record, { operation, simplify: simplify && !unnamed });
			const out = wait && !unnamed ? itemOf(shown) : sentItem(shown);
			if (download) await downloadInto(out, execution, download, record, options);
			return out;
		}),
	);
}

/** All items have what the node adds to one: a table behind takes one shape alone. Error items have their input's fields. */
export function alike(added: Iterable<string>, items: INodeExecutionData[]): void {
	for (const { json } of items)
		if (!('error' in json)) for (const name of added) if (!(name in json)) json[name] = null;
}

/** n8n runs a node again if its first item has a truthy `error`: the platform's own field of that name moves. */
export function item(json: IDataObject, items: number[]): INodeExecutionData {
	const { error, ...rest } = json;
	return {
		json: 'error' in json ? { ...rest, errorDetail: error } : json,
		pairedItem:
			items.length === 1 ? { item: items[0] as number } : items.map((index) => ({ item: index })),
	};
}

const told = (part: PreparedRequest): string =>
	`${recipientCount(part)} ${part.operation.reaches?.words[1]} of items ${part.items[0]} to ${part.items.at(-1)}`;

/** What went in several requests is one item with all its input items; batches that failed stay error items. */
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

/** What skipped items of an operation hold beside the item's own fields, the same in each run: a table may follow. */
function namesOfFacts({ operation }: Execution): string[] {
	const { at = [], rows } = operation.reaches ?? {};
	const isByNumber = reachesBy(operation) === 'number';
	return [
		...(isByNumber ? ['phone_number'] : []),
		...(!isByNumber || at.some((path) => path.endsWith('email')) ? ['email'] : []),
		...(at.includes('contact_uuid') ? ['contact_uuid'] : []),
		...['reason', 'message'],
		...(rows !== undefined && !operation.allItems ? ['entry'] : []),
	];
}

const factsOf = ({ reason, message, number, contact, entry }: LeftOut): IDataObject =>
	omitBy(
		{ ...(number && shownAddress(number)), contact_uuid: contact, reason, message, entry },
		isUndefined,
	);

/** Whoever was left out, with what the input says of them: for the output *Skipped*. */
function skippedItems(execution: Execution, leftOut: LeftOut[]): INodeExecutionData[] {
	const input = execution.context.getInputData();
	const items = leftOut.map((out) => {
		const { json = {}, binary } = input[out.item] ?? {};
		const made = item({ ...json, ...factsOf(out) }, [out.item]);
		return binary ? { ...made, binary } : made;
	});
	const names = namesOfFacts(execution);
	alike(names, items);
	// What it is about comes first; the item's own field of a name stays where there is nothing else to say.
	return items.map(({ json, ...rest }) => ({ ...rest, json: { ...pick(json, names), ...json } }));
}

/** An AI model gets all items in one answer. */
function skippedForTool(execution: Execution, out: LeftOut): INodeExecutionData {
	const { row } = itemPlaceOf(execution, out.item);
	const place = omitBy({ item: out.item, row }, isUndefined);
	return item(adding(execution, { skipped: true, ...factsOf(out), ...place }), [out.item]);
}

/** In input order: what was sent, and error items, also told in hints. Whoever was left out has an output of its own. */
export function collect(
	execution: Delivering,
	requests: readonly PreparedRequest[],
	results: Result[],
	{ problems, leftOut }: Sorted,
): { kept: INodeExecutionData[]; skipped: INodeExecutionData[] } {
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
		const { method, run } = prepared.operation;
		const facts = errorFacts(error, failureText(execution, prepared, error));
		// A read changes nothing.
		if (method === 'GET' && !run) facts.outcome = 'nothing';
		for (const index of prepared.items) fail(index, facts);
	});
	for (const found of Object.values(groupBy(problems, 'item'))) {
		fail(found[0]?.item ?? 0, {
			message: found.map(({ message }) => message).join('; '),
			description: 'This item was not sent.',
			code: 'INVALID_ITEM',
			field: found.find(({ field }) => field)?.field,
			outcome: 'nothing',
		});
	}
	if (failures.length > 0) tellFailures(execution, sortBy(failures, 'place.item'));
	if (execution.asTool)
		for (const out of leftOut)
			byItem.set(out.item, [...(byItem.get(out.item) ?? []), skippedForTool(execution, out)]);
	return {
		kept: sortBy([...byItem], 0).flatMap(([, items]) => items),
		skipped: execution.asTool ? [] : skippedItems(execution, sortBy(leftOut, 'item')),
	};
}
