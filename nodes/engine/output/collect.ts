import type { INodeExecutionData } from 'n8n-workflow';
import { adding, type Delivering, type Execution, itemPlaceOf } from '../execution';
import type { Problem } from '../fields/field';
import { describeError, errorFacts } from '../errors/errorText';
import type { PreparedRequest } from '../operation/preparedRequest';
import { type Result, situationOf } from './failures';
import { errorItem, item } from './items';
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

/** Items in input order: what was sent, error items for what was not, and who was left out. */
export function collect(
	execution: Delivering,
	inputs: INodeExecutionData[],
	ready: PreparedRequest[],
	results: Result[],
	problems: Problem[],
	leftOut: LeftOut[],
): INodeExecutionData[] {
	const byItem = new Map<number, INodeExecutionData[]>();
	ready.forEach((prepared, at) => {
		const result = results[at];
		if (result && 'done' in result) byItem.set(prepared.item, result.done);
		else if (result) {
			const said = describeError(result.requestError, situationOf(execution, prepared));
			for (const index of prepared.items) {
				byItem.set(index, [
					errorItem(
						execution.context,
						inputs[index],
						errorFacts(result.requestError, said, itemPlaceOf(execution, index)),
						index,
					),
				]);
			}
		}
	});
	const listed = new Map<number, Problem[]>();
	for (const problem of problems)
		listed.set(problem.item, [...(listed.get(problem.item) ?? []), problem]);
	for (const [index, found] of listed) {
		const message = found.map((problem) => problem.message).join('; ');
		const field = found.find((problem) => problem.field)?.field;
		const facts = {
			message,
			description: 'This item was not sent.',
			code: 'INVALID_ITEM',
			...(field ? { field } : {}),
			...itemPlaceOf(execution, index),
		};
		byItem.set(index, [errorItem(execution.context, inputs[index], facts, index)]);
	}
	for (const out of leftOut)
		byItem.set(out.item, [...(byItem.get(out.item) ?? []), skippedItem(execution, out)]);
	return [...byItem.entries()].sort(([a], [b]) => a - b).flatMap(([, items]) => items);
}
