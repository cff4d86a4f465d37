import { upperFirst } from 'lodash';
import { itemName, type ItemPlace, itemsName } from '../text/itemName';
import { sentence } from '../text/text';

/** Why one item failed. */
interface Failure {
	place: ItemPlace;
	message: string;
	field?: string;
}

/** Items that failed for one reason. */
interface Reason {
	/** In their order; never none. */
	failures: Failure[];
	/** Whether their messages show different values. */
	differs: boolean;
}

/** As few messages as this are listed one by one if they show different values. */
const few = 3;

/** A message without the values that it shows, which are quoted, or numbers. */
const withoutValues = (message: string): string =>
	message.replace(/"[^"]*"/g, '"…"').replace(/\+?\d[\d.,]*/g, '…');

/** Failures in their order, by reason: messages about one field that differ in nothing but the values they show. */
export function byReason(failures: Failure[]): Reason[] {
	const reasons = new Map<string, Reason>();
	for (const failure of failures) {
		const { place, message, field } = failure;
		const unit = place.row === undefined ? 'item' : 'row';
		const key = JSON.stringify([unit, field, withoutValues(message)]);
		const reason = reasons.get(key) ?? { failures: [], differs: false };
		reasons.set(key, reason);
		reason.failures.push(failure);
		reason.differs ||= message !== reason.failures[0]?.message;
	}
	return [...reasons.values()].flatMap((reason) =>
		reason.differs && reason.failures.length <= few
			? reason.failures.map((failure) => ({ failures: [failure], differs: false }))
			: [reason],
	);
}

/** A reason in words, with its items: "43 rows (3, 9, 12), for example row 3: …". */
export function reasonText({ failures, differs }: Reason): string {
	const [{ place, message }] = failures as [Failure];
	const name = itemName(place, message);
	if (failures.length === 1) return upperFirst(`${name}: ${sentence(message)}`);
	const all = itemsName(failures.map(({ place: one }) => one));
	return `${all}${differs ? `, for example ${name}` : ''}: ${sentence(message)}`;
}
