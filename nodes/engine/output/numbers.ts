import type { IDataObject } from 'n8n-workflow';
import { type Execution, itemPlaceOf } from '../execution';
import type { PreparedRequest } from '../operation/preparedRequest';

/**
 * Maximum number of phone numbers that an output item lists; otherwise a listing of a whole sheet would carry the
 * sheet.
 */
const mostListed = 100;

/** The phone numbers of a request that are not sent as they were written, with where they came from. */
function changedIn(execution: Execution, { items }: PreparedRequest): IDataObject[] {
	return items.flatMap((item) =>
		(execution.numbers.get(item) ?? [])
			.filter(({ written, number }) => number !== undefined && number !== written)
			.map(({ written, number }) => {
				const { row } = itemPlaceOf(execution, item);
				return { item, ...(row === undefined ? {} : { row }), written, sent: number as string };
			}),
	);
}

/** Tells which phone numbers were brought into international format: in a hint, and beside each response. */
export function tellNumbers(execution: Execution, ready: PreparedRequest[]): void {
	let count = 0;
	for (const prepared of ready) {
		const changed = changedIn(execution, prepared);
		if (changed.length === 0) continue;
		count += changed.length;
		prepared.report.facts.changedNumbers = changed.slice(0, mostListed);
	}
	if (count > 0) {
		execution.hints.add(
			`${count === 1 ? '1 number was' : `${count} numbers were`} converted to international format. "changedNumbers" in the output shows how${count > mostListed && ready.length === 1 ? `, for the first ${mostListed}` : ''}.`,
		);
	}
}
