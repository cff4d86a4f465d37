import type { INodeExecutionData } from 'n8n-workflow';
import { type Execution, placeOf } from '../execution';
import type { Problem } from '../fields/field';
import { describeError, errorFacts } from '../http/errorText';
import type { PreparedRequest } from '../operation/preparedRequest';
import { type Result, situationOf } from './failures';
import { errorItem } from './items';

/** Items in input order: what was sent, and error items for what was not. */
export function collect(
	execution: Execution,
	inputs: INodeExecutionData[],
	ready: PreparedRequest[],
	results: Result[],
	problems: Problem[],
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
						errorFacts(result.requestError, said, placeOf(execution, index)),
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
			...placeOf(execution, index),
		};
		byItem.set(index, [errorItem(execution.context, inputs[index], facts, index)]);
	}
	return [...byItem.entries()].sort(([a], [b]) => a - b).flatMap(([, items]) => items);
}
