import type { IDataObject } from 'n8n-workflow';
import { get, isEmpty, isPlainObject, omit } from 'lodash';
import { recordOf, unwrap } from '../http/envelope';
import { isRaw } from '../operation/kinds';
import type { Operation } from '../operation/operation';
import type { PreparedRequest } from '../operation/preparedRequest';

/** Whether a later step (a file, a wait, a hint) reads more of a record than Simplify keeps. */
export const needsWholeRecord = ({ download, wait, hint }: Operation): boolean =>
	download !== undefined || wait !== undefined || hint !== undefined;

/** What a response holds. API Request may read a list; an empty one means no records. */
const contentOf = (answer: unknown, operation: Operation): unknown =>
	isRaw(operation) && operation.method === 'GET' ? unwrap(answer) : recordOf(answer);

/** A response as records, one n8n item each. */
export function records(
	answer: unknown,
	prepared: Pick<PreparedRequest, 'operation' | 'path' | 'body'>,
): IDataObject[] {
	const { operation } = prepared;
	if (operation.removes) return [{ deleted: true, uuid: prepared.path[operation.removes] }];
	const value = operation.output
		? operation.output(answer, prepared)
		: contentOf(answer, operation);
	const list = Array.isArray(value) ? value : [value];
	return list.map((entry) => {
		if (isPlainObject(entry)) return entry as IDataObject;
		return entry === undefined || entry === null || entry === ''
			? { success: true }
			: { value: entry as string };
	});
}

/** Whether a write's records tell no more than that it was done. */
export const sayNothing = (done: IDataObject[]): boolean =>
	done.every((record) => isEmpty(omit(record, 'success', 'message')));

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
