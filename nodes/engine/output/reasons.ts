import { groupBy, upperFirst } from 'lodash';
import { itemName, type ItemPlace, itemsName } from '../text/itemName';
import { sentence } from '../text/text';

/** Why one item failed. */
export interface Failure {
	place: ItemPlace;
	message: string;
	field?: string;
}

/** As few messages as this are listed one by one if they show different values. */
const few = 3;

/** A message without the values that it shows, which are quoted, or numbers. */
const withoutValues = (message: string): string =>
	message.replace(/"[^"]*"/g, '"…"').replace(/\+?\d[\d.,]*/g, '…');

/** Whether messages show different values. */
const differ = ([first, ...more]: Failure[]): boolean =>
	more.some(({ message }) => message !== first?.message);

/** Failures in their order, by reason: messages about one field that differ in nothing but the values they show. */
export const byReason = (failures: Failure[]): Failure[][] =>
	Object.values(
		groupBy(failures, ({ place, message, field }) =>
			JSON.stringify([place.row === undefined, field, withoutValues(message)]),
		),
	).flatMap((alike) =>
		differ(alike) && alike.length <= few ? alike.map((failure) => [failure]) : [alike],
	);

/** A reason in words, with its items: "43 rows (3, 9, 12), for example row 3: …". */
export function reasonText(alike: Failure[]): string {
	const [{ place, message }] = alike as [Failure];
	const name = itemName(place, message);
	if (alike.length === 1) return upperFirst(`${name}: ${sentence(message)}`);
	const all = itemsName(alike.map(({ place: one }) => one));
	return `${all}${differ(alike) ? `, for example ${name}` : ''}: ${sentence(message)}`;
}
