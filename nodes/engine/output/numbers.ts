import { type Execution, itemPlaceOf } from '../execution';
import type { PreparedRequest } from '../operation/preparedRequest';
import { itemName } from '../text/itemName';
import { listOf, many, quoted } from '../text/text';

/** Maximum number of phone numbers that a preview lists; a listing of a whole sheet would carry the sheet. */
const mostListed = 100;
/** The same for a hint. */
const mostNamed = 5;

/** The numbers of a request that are not sent as they were written: both forms, and the item if there are several. */
function changedIn(execution: Execution, { items }: PreparedRequest, areMany: boolean): string[] {
	return items.flatMap((item) =>
		(execution.numbers.get(item) ?? [])
			.filter(({ written, number }) => number !== undefined && number !== written)
			.map(({ written, number }) => {
				const { row } = itemPlaceOf(execution, item);
				const place = itemName({ item, ...(row === undefined ? {} : { row }) });
				return `${quoted(written)} → ${number}${areMany ? ` (${place})` : ''}`;
			}),
	);
}

/** How the phone numbers of a request were converted, as one text for its preview. */
export const changedNumbers = (execution: Execution, prepared: PreparedRequest): string =>
	listOf(changedIn(execution, prepared, prepared.items.length > 1), mostListed, '; ');

/** Tells which phone numbers were brought into international format, and which ones could not be checked. */
export function tellNumbers(execution: Execution, ready: PreparedRequest[]): void {
	const { hints, numbers } = execution;
	const items = ready.flatMap((prepared) => prepared.items);
	const areMany = items.length > 1;
	const changed = ready.flatMap((prepared) => changedIn(execution, prepared, areMany));
	if (changed.length > 0)
		hints.add(
			`${many(changed.length, 'number was', 'numbers were')} converted to international format: ${listOf(changed, mostNamed, '; ')}.`,
		);
	const unchecked = items
		.flatMap((item) => numbers.get(item) ?? [])
		.flatMap(({ number, unchecked: isUnchecked }) => (isUnchecked && number ? [number] : []));
	if (unchecked.length > 0)
		hints.add(
			`No country has the calling code of ${listOf(unchecked, mostNamed, '; ')}. It is sent as it is, because nothing is known of such numbers. Check its digits.`,
		);
}
