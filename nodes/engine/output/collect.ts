import { groupBy, sortBy } from 'lodash';
import type { INodeExecutionData } from 'n8n-workflow';
import { adding, type Delivering, type Execution, itemPlaceOf } from '../execution';
import type { Problem } from '../fields/field';
import { errorFacts, type ItemError } from '../errors/errorText';
import type { PreparedRequest } from '../operation/preparedRequest';
import { errorOf, isDone, type Result, tellFailures, textOf } from './failures';
import { errorItem, item } from './items';
import type { Failure } from './reasons';
import type { LeftOut } from '../prepare/leftOut';

/** A recipient who was left out. */
function skippedItem(execution: Execution, out: LeftOut): INodeExecutionData {
	const { item: index, reason, message, number, contact, entry } = out;
	const { row } = itemPlaceOf(execution, index);
	const json = adding(execution, {
		skipped: true,
		reason,
		message,
		item: index,
		...(row === undefined ? {} : { row }),
		...(entry === undefined ? {} : { entry }),
		...(number === undefined ? {} : { [number.includes('@') ? 'email' : 'phone_number']: number }),
		...(contact === undefined ? {} : { contact_uuid: contact }),
	});
	return item(json, [index]);
}

/** Items in input order: what was sent, error items for what was not (also told in hints), and who was left out. */
export function collect(
	execution: Delivering,
	inputs: INodeExecutionData[],
	ready: PreparedRequest[],
	results: Result[],
	problems: Problem[],
	leftOut: LeftOut[],
): INodeExecutionData[] {
	const byItem = new Map<number, INodeExecutionData[]>();
	const failures: Failure[] = [];
	const fail = (index: number, facts: ItemError): void => {
		byItem.set(index, [errorItem(execution.context, inputs[index], facts, index)]);
		failures.push({ ...facts, place: itemPlaceOf(execution, index) });
	};
	ready.forEach((prepared, at) => {
		const result = results[at];
		const error = errorOf(result);
		if (isDone(result)) byItem.set(prepared.item, result.done);
		if (!error) return;
		const facts = errorFacts(error, textOf(execution, prepared, error));
		for (const index of prepared.items) fail(index, facts);
	});
	for (const found of Object.values(groupBy(problems, 'item'))) {
		const field = found.find((problem) => problem.field)?.field;
		fail((found[0] as Problem).item, {
			message: found.map((problem) => problem.message).join('; '),
			description: 'This item was not sent.',
			code: 'INVALID_ITEM',
			field,
		});
	}
	tellFailures(execution, sortBy(failures, 'place.item'));
	for (const out of leftOut)
		byItem.set(out.item, [...(byItem.get(out.item) ?? []), skippedItem(execution, out)]);
	return sortBy([...byItem], 0).flatMap(([, items]) => items);
}
