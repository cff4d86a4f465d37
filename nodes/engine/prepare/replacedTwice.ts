import { groupBy, isEqual, isPlainObject, toPairs, uniq } from 'lodash';
import type { Problem } from '../fields/field';
import { title } from '../text/text';
import type { Draft } from '../operation/operation';

/** The lists of a body by their names: each replaces the one that the record has. */
const listsIn = (body: object): Array<[name: string, rows: unknown]> =>
	toPairs(body).flatMap(([name, value]: [string, unknown]) =>
		isPlainObject(value)
			? listsIn(value as object)
			: Array.isArray(value) && value.some(isPlainObject)
				? [[name, value]]
				: [],
	);

/** Items that replace the same list of a record by different ones, of which only the last would stay. */
export function replacedTwice(drafts: Draft[]): Problem[] {
	const replace = drafts.filter(({ operation: { method } }) => ['PUT', 'PATCH'].includes(method));
	return Object.values(groupBy(replace, 'path')).flatMap((same) => {
		const lists = same.map(({ body }) => Object.fromEntries(listsIn(body)));
		const names = uniq(lists.flatMap(Object.keys)).filter((name) => {
			const [first, ...others] = lists.flatMap((one) => (name in one ? [one[name]] : []));
			return others.some((other) => !isEqual(first, other));
		});
		return same.flatMap(({ item }, at) =>
			names
				.filter((name) => name in lists[at]!)
				.slice(0, 1)
				.map((name) => ({
					item,
					message: `'${title(name)}' replaces what another item of this run sends for the same record, so only one would stay. Combine the items with an Aggregate node before this one`,
				})),
		);
	});
}
