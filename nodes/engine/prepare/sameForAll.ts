import { isEqual, groupBy, toPairs, uniq } from 'lodash';
import { type IDataObject, isExpression } from 'n8n-workflow';
import { shortNameOf } from '../execution';
import { decides, isNothing } from '../fields/answered';
import { InvalidItems, InvalidValue, type Problem, type Source, problemsOf } from '../fields/field';
import { readFields, within } from '../fields/structure';
import { fieldsOf, placeOfOptional } from '../operation/places';
import { rethrow } from '../errors/requestError';
import { isPlainObject, quoted, title } from '../text/text';
import { dependsOnItem, rawOptions } from './parameters';
import { expressionsIn } from './plainExpressions';
import type { Execution, Draft } from '../operation/operation';

/** Options that each item may set: its rows are read with the first, and the second is gathered from all items. */
const ofItem = new Set(['defaultCountry', 'skipNumbers']);

/** `written`: as the workflow holds it. `valueOf` throws InvalidValue if the value of an item cannot be read. */
function* sharedBy(
	{ context, operation, options, written }: Execution,
	items: number[],
	sourceOf: (item: number) => Source,
) {
	const raw = rawOptions(context);
	const given = new Set(items.flatMap((item) => Object.keys(options(item))));
	for (const name of given)
		if (!ofItem.has(name))
			yield {
				displayName: title(name),
				written: raw ? raw[name] : written.options,
				valueOf: (item: number) => options(item)[name],
			};
	const optional = placeOfOptional(operation);
	for (const placed of fieldsOf(operation)) {
		const { at, name, displayName, path } = placed;
		if (path.join('.') === operation.reaches?.rows) continue;
		const levelOf = (item: number): Source => {
			const source = sourceOf(item);
			return at === 'top' ? source : within(source, source.get(optional), source.written(optional));
		};
		const collection = written[optional];
		yield {
			displayName,
			written:
				at === 'top' || isExpression(collection)
					? written[at === 'top' ? name : optional]
					: (collection as IDataObject | undefined)?.[name],
			valueOf: (item: number) => {
				const level = levelOf(item);
				// Content that an item leaves open contradicts nobody.
				return !decides(placed) && isNothing(level.get(name))
					? undefined
					: Object.values(readFields([placed], level))[0];
			},
		};
	}
}

const shown = (value: unknown): string =>
	value === true ? 'on' : value === false ? 'off' : isNothing(value) ? 'empty' : quoted(value);

/** @param items whose rows are good @throws InvalidValue naming field and items; InvalidItems if values cannot be read */
export function refuseDifferences(
	execution: Execution,
	items: number[],
	sourceOf: (item: number) => Source,
): void {
	const { context, asTool } = execution;
	const [first, ...others] = items;
	if (first === undefined || asTool) return;
	/** A time in a text goes on from item to item: only the parts that look at the item count. */
	const partsDiffer = (written: unknown, item: number): boolean => {
		if (typeof written !== 'string') return true;
		return expressionsIn(written)
			.filter((part) => dependsOnItem(`=${part}`))
			.some((part) => {
				const [one, other] = [first, item].map((at) => context.evaluateExpression(part, at));
				return !isEqual(one, other);
			});
	};
	const problems: Problem[] = [];
	for (const { displayName, written, valueOf } of sharedBy(execution, items, sourceOf)) {
		if (!dependsOnItem(written)) continue;
		const expected = valueOf(first);
		for (const item of others) {
			let value: unknown;
			try {
				value = valueOf(item);
			} catch (thrown) {
				if (!(thrown instanceof InvalidValue)) rethrow(thrown);
				problems.push(...problemsOf(thrown, item));
			}
			if (value === undefined || isEqual(value, expected) || !partsDiffer(written, item)) continue;
			throw new InvalidValue(
				displayName,
				`differs between items (${shortNameOf(execution, first)}: ${shown(expected)}, ${shortNameOf(execution, item)}: ${shown(value)}), ` +
					'but it applies to all of them. Enter one value, or split the items and run this node for each part',
			);
		}
	}
	if (problems.length > 0) throw new InvalidItems(problems);
}

/** The lists of a body by their names: each replaces the one that the record has. */
const listsIn = (body: object): Array<[name: string, rows: unknown]> =>
	toPairs(body).flatMap(([name, value]: [string, unknown]) =>
		isPlainObject(value)
			? listsIn(value)
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
