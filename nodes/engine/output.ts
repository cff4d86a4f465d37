import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { get, isPlainObject } from 'lodash';
import type { Operation } from './operation';
import type { Prepared } from './prepare';

/** What the platform put under `data`; the whole body where there is no envelope (interface §1, §4.2). */
export const unwrap = (body: unknown): unknown =>
	isPlainObject(body) && 'data' in (body as IDataObject) ? (body as IDataObject).data : body;

/** An answer as records, one n8n item each. */
export function records(
	answer: unknown,
	prepared: Pick<Prepared, 'operation' | 'path' | 'body'>,
): IDataObject[] {
	const { operation } = prepared;
	if (operation.deletes) return [{ deleted: true, uuid: prepared.path[operation.deletes] }];
	const value = operation.output ? operation.output(answer, prepared) : unwrap(answer);
	const list = Array.isArray(value) ? value : [value];
	return list.map((entry) => {
		if (isPlainObject(entry)) return entry as IDataObject;
		return entry === undefined || entry === null || entry === ''
			? { success: true }
			: { value: entry as string };
	});
}

/** At most ten fields of a record, flattened: `contact.name` becomes `contact_name`. */
export function simplified(record: IDataObject, operation: Operation): IDataObject {
	if (!operation.simplify) return record;
	const result: IDataObject = {};
	for (const path of operation.simplify) {
		const value: unknown = get(record, path);
		if (value !== undefined) result[path.replace(/\./g, '_')] = value as string;
	}
	return Object.keys(result).length ? result : record;
}

/** n8n runs a node again whose first item has a truthy `error`; the platform's own field of that name moves. */
export function withoutErrorKey(record: IDataObject): IDataObject {
	if (!('error' in record)) return record;
	const { error, ...rest } = record;
	return { ...rest, errorDetail: error };
}

/** An output item that belongs to the input items it was made from. */
export function item(json: IDataObject, items: number[]): INodeExecutionData {
	return {
		json: withoutErrorKey(json),
		pairedItem:
			items.length === 1 ? { item: items[0] as number } : items.map((index) => ({ item: index })),
	};
}

/**
 * An item that tells what happened instead of an answer. Everything stands under `error`, so that nothing of the input
 * item is replaced; an `error` that the input has itself is kept as `error.inputError`. n8n adds the input to items of
 * the error branch, which it recognises by having no other key.
 */
export function errorItem(
	context: IExecuteFunctions,
	input: INodeExecutionData | undefined,
	facts: IDataObject,
	index: number,
): INodeExecutionData {
	const branch = context.getNode().onError === 'continueErrorOutput';
	const error = input && 'error' in input.json ? { ...facts, inputError: input.json.error } : facts;
	return { json: branch ? { error } : { ...input?.json, error }, pairedItem: { item: index } };
}
