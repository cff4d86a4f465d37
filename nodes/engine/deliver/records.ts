import type { IDataObject } from 'n8n-workflow';
import { get, isEmpty, omit, partition } from 'lodash';
import { recordOf, unwrap } from '../response/response';
import { isRaw } from '../operation/kinds';
import type { Operation, PreparedRequest } from '../operation/operation';
import { recipientsOf } from '../operation/places';
import { isPlainObject } from '../text/text';

/** Whether a later step (a file, a wait, a hint) reads more of a record than Simplify keeps. */
export const needsWholeRecord = ({ download, wait, hint }: Operation): boolean =>
	download !== undefined || wait !== undefined || hint !== undefined;

/** What a response holds. API Request may read a list; an empty one means no records. */
const contentOf = (response: unknown, operation: Operation): unknown =>
	isRaw(operation) && operation.method === 'GET' ? unwrap(response) : recordOf(response);

export function records(
	response: unknown,
	prepared: Pick<PreparedRequest, 'operation' | 'pathValues' | 'body'>,
): IDataObject[] {
	const { operation } = prepared;
	if (operation.removes) return [{ deleted: true, uuid: prepared.pathValues[operation.removes] }];
	const value = operation.output
		? operation.output(response, prepared)
		: contentOf(response, operation);
	const list = Array.isArray(value) ? value : [value];
	return list.map((entry) => {
		if (isPlainObject(entry)) return entry;
		return entry === undefined || entry === null || entry === ''
			? { success: true }
			: { value: entry as string };
	});
}

export const sayNothing = (done: IDataObject[]): boolean =>
	done.every((record) => isEmpty(omit(record, 'success', 'message')));

const isForPrograms = (key: string): boolean => /(?:^|[._])(?:uuid|id|url)$|Id$/.test(key);

export const inReadingOrder = (keys: string[]): string[] =>
	partition(keys, (key) => !isForPrograms(key)).flat();

export function sentRecord(record: IDataObject, prepared: PreparedRequest): IDataObject {
	const [to, ...others] = recipientsOf(prepared);
	if (prepared.operation.kind !== 'send' || !to?.number || others.length > 0) return record;
	const known: IDataObject = {
		[to.number.includes('@') ? 'email' : 'phone_number']: to.number,
		...('status' in record ? { status: record.status } : {}),
		...record,
	};
	return Object.fromEntries(inReadingOrder(Object.keys(known)).map((key) => [key, known[key]]));
}

export function shownRecord(
	record: IDataObject,
	{ operation, simplify }: Pick<PreparedRequest, 'operation' | 'simplify'>,
): IDataObject {
	const whole = { ...record, ...operation.implied?.of(record) };
	return simplify ? simplified(whole, operation) : whole;
}

/** At most ten fields of a record, flattened, IDs and URLs last: `contact.name` becomes `contact_name`. */
function simplified(record: IDataObject, operation: Operation): IDataObject {
	if (!operation.simplify) return record;
	const result: IDataObject = {};
	for (const path of inReadingOrder(operation.simplify)) {
		const value: unknown = get(record, path);
		if (value !== undefined) result[path.replace(/\./g, '_')] = value as string;
	}
	return Object.keys(result).length ? result : record;
}
