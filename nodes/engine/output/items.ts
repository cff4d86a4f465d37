import { omit } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { acceptedText, adding, type Delivering, type Execution } from '../execution';
import type { Delivery, PreparedRequest } from '../operation/preparedRequest';
import { namesWithoutProof } from '../answer/verdict';
import { downloadInto, putFile } from '../follow/files';
import type { ItemError } from '../errors/errorText';
import { needsWholeRecord, sentRecord, shownRecord } from '../deliver/records';
import { lacks, waitFor } from '../follow/wait';
import { sentence, sentences } from '../text/text';

/** Makes items of what a request returned, after a wait and with their files. @throws RequestError, Cancelled */
export async function outputItems(
	execution: Delivering,
	prepared: PreparedRequest,
	{ records, file, unproven }: Delivery,
): Promise<INodeExecutionData[]> {
	const { operation, items, report, simplify } = prepared;
	const options = execution.options(prepared.item);
	if (unproven) for (const name of namesWithoutProof) execution.added.add(name);
	const itemOf = (record: IDataObject) =>
		item({ ...record, ...adding(execution, report.facts) }, items);
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
	if (unnamed) execution.hints.add(`${unnamed}.`);
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

/**
 * What the node adds to one item, all of the run have, empty where it says nothing: a table behind the node takes items
 * of one shape alone. Error items have the fields of their input.
 */
export function alike({ added }: Execution, items: INodeExecutionData[]): void {
	for (const { json } of items)
		if (!('error' in json)) for (const name of added) if (!(name in json)) json[name] = null;
}

/**
 * An output item that belongs to the input items it was made from. n8n runs a node again if its first item has a truthy
 * `error`; the platform's own field of that name moves.
 */
export function item(json: IDataObject, items: number[]): INodeExecutionData {
	const { error, ...rest } = json;
	return {
		json: 'error' in json ? { ...rest, errorDetail: error } : json,
		pairedItem:
			items.length === 1 ? { item: items[0] as number } : items.map((index) => ({ item: index })),
	};
}

/**
 * An item that tells what happened instead of a response: flat, beside the fields of its input. An `error` that the
 * input has itself is kept as `inputError`. n8n recognizes items of the error branch by having no other key than
 * `error`, and adds the input; there the text says all.
 */
export function errorItem(
	context: IExecuteFunctions,
	{ message, description, code, field, status }: ItemError,
	index: number,
): INodeExecutionData {
	const pairedItem = { item: index };
	const input = context.getInputData()[index];
	if (context.getNode().onError === 'continueErrorOutput')
		return { json: { error: sentences(sentence(message), description) }, pairedItem };
	const json = {
		...input?.json,
		...(input && 'error' in input.json ? { inputError: input.json.error } : {}),
		error: message,
		errorDescription: description,
		errorCode: code,
		errorField: field ?? null,
		errorStatus: status ?? null,
		errorItem: index,
	};
	return { json, pairedItem };
}
