import type { IDataObject } from 'n8n-workflow';
import { camelCase, isEmpty, pick } from 'lodash';
import { readBeside } from '../execution';
import type { Hints } from '../text/hints';
import { isUuid, objectOf } from '../response/response';
import { rethrow } from '../errors/requestError';
import type { PlatformResponse } from '../http/client';
import { guessing, type Incomplete, type ListRequest, paginate } from '../pages/pages';
import { createdAt } from '../operation/filters';
import { fieldsOf } from '../operation/places';
import { andList, many } from '../text/text';
import type { PreparedRequest, Delivering, Execution } from '../operation/operation';

const ifComplete = 'Run it again if it must be complete.';

/** Why a list may be incomplete, for the output panel; one that comes again page by page is taken as it is. */
const incompleteText: Partial<Record<Incomplete, string>> = {
	changed:
		'The list changed while it was read. New records are not all included, and deleted records can hide others. Run it again if the list must be complete.',
	short: `The platform says that the list has more records than its pages contained. The list may be incomplete. ${ifComplete}`,
	refused: `The platform refused a further page without saying that the list had ended. The list may be incomplete. ${ifComplete}`,
};
export const tellIncomplete = (hints: Hints, why: Incomplete): void => {
	const text = incompleteText[why];
	if (text !== undefined) hints.add(text, 'warning');
};

export const noneFits = (asked: string): string => `No record matches ${asked}.`;

/** @param isRequired whether the filter cannot be removed */
export const notShown = (filter: string, isRequired: boolean): string =>
	`The platform does not show '${filter}' for some records, so it is not known whether they match the filter. They were omitted. ${isRequired ? "'Get Many' shows them" : 'Remove the filter to see them'}.`;

type Pages = Map<string, Promise<PlatformResponse>>;
const latest = new WeakMap<Delivering, { list: string; pages: Pages }>();

/** The pages that were read for the item before, if it asked for the same list: a run reads it once for both. */
function pagesOfRun(execution: Delivering, asked: unknown[]): Pages | undefined {
	if (execution.requests.length < 2) return undefined;
	const list = JSON.stringify(asked);
	const last = latest.get(execution);
	const { pages } = last?.list === list ? last : { pages: new Map() as Pages };
	latest.set(execution, { list, pages });
	return pages;
}

/** Reads a list up to the user's limit; what `take` returns of a page is kept. @throws RequestError */
export async function readList(
	execution: Delivering,
	prepared: PreparedRequest,
	take: (rows: IDataObject[]) => IDataObject[],
): Promise<IDataObject[]> {
	const { hints } = execution;
	const { operation, limit, path } = prepared;
	const query = sortedFor(prepared);
	const pages = { ...pick(operation.pages, 'pageSize', 'unpaged'), path };
	const known = pagesOfRun(execution, [path, query, execution.zones.of(prepared.item).name]);
	const fetch: ListRequest['fetch'] = async (page, reads) => {
		const name = JSON.stringify(page);
		const reading =
			known?.get(name) ?? readBeside(execution, prepared, path, { query: page, reads });
		known?.set(name, reading);
		return await reading.catch((thrown: unknown) => {
			known?.delete(name);
			return rethrow(thrown);
		});
	};
	/** All rows were read, and of each it is known whether it is wanted. */
	let isKnown = true;
	const { guess, keeps, asked } = filtersOf(execution, prepared, () => (isKnown = false));
	const strays = straysOf(prepared);
	const read = await paginate({
		...pages,
		fetch: guess ? guessing(fetch, guess) : fetch,
		query,
		limit,
		keeps,
		own: strays.own,
		take,
		isPast: pastOf(prepared, query),
		incomplete: (why) => {
			isKnown = false;
			tellIncomplete(hints, why);
		},
	});
	strays.told(hints);
	// A programme takes what it needs of the rows and tells of them itself.
	if (asked && isKnown && read.length === 0 && !operation.outputFields) hints.add(noneFits(asked));
	return read;
}

/** The newest first, if only those since a moment are wanted, the platform sorts, and the user chose no order. */
function sortedFor({ operation, query, filters }: PreparedRequest): IDataObject {
	const isOpen =
		operation.query?.sort_by && query.sort_by === undefined && query.sort_dir === undefined;
	return filters.created_after !== undefined && isOpen
		? { ...query, sort_by: 'created_at', sort_dir: 'desc' }
		: query;
}

/**
 * Whether all further rows are older than wanted: a whole page is, and all rows until now show the order that was asked
 * for. One row, or rows of one moment, show none.
 */
function pastOf({ filters }: PreparedRequest, query: IDataObject): ListRequest['isPast'] {
	const { created_after: from } = filters;
	if (typeof from !== 'string' || query.sort_by !== 'created_at' || query.sort_dir !== 'desc')
		return undefined;
	let last: number | undefined;
	let inOrder = true;
	let descends = false;
	return (rows) => {
		const page = rows.map((row) => createdAt(row) ?? NaN);
		for (const at of page) {
			inOrder &&= last === undefined ? !Number.isNaN(at) : at <= last;
			descends ||= last !== undefined && at < last;
			last = at;
		}
		return inOrder && descends && page.every((at) => at < Date.parse(from));
	};
}

/** The IDs that a row shows of what a filter is about: `contact_uuid` → `contact_uuid`, `contactId`, `contact.uuid`. */
function idsShown(row: IDataObject, about: string): string[] {
	const names = [`${about}_uuid`, `${about}_id`];
	const inside = objectOf(row[about] ?? row[camelCase(about)]);
	return [
		...[...names, ...names.map(camelCase)].map((name) => row[name]),
		...['uuid', 'id', ...names].map((name) => inside[name]),
	]
		.map((value) => String(value ?? '').toLowerCase())
		.filter(isUuid);
}

/**
 * Omits rows that show another ID than a filter asks for: the next node of the workflow would act on the wrong record.
 * Rows without such an ID are omitted as well if other rows show one: they may be anybody's.
 */
function straysOf({ operation, query }: PreparedRequest) {
	const asked = Object.entries(query).flatMap(([name, value]) => {
		const [, about] = /^(\w+)_(?:uuid|id)$/.exec(name) ?? [];
		const id = String(value).toLowerCase();
		return about !== undefined && isUuid(id)
			? [{ name, about, id, applied: true, shown: false, rows: 0, omitted: 0 }]
			: [];
	});
	const isOf = (row: IDataObject, { about, id }: (typeof asked)[number]): boolean | undefined => {
		const shown = idsShown(row, about);
		return shown.length === 0 ? undefined : shown.includes(id);
	};
	const own = (rows: IDataObject[]): IDataObject[] => {
		for (const one of asked) {
			const told = rows.map((row) => isOf(row, one));
			one.applied &&= !told.includes(false);
			one.rows += rows.length;
			one.shown ||= told.some((is) => is !== undefined);
		}
		return rows.filter((row) => {
			const why = asked.find((one) => !(isOf(row, one) ?? !one.shown));
			if (why) why.omitted++;
			return !why;
		});
	};
	const labelOf = (name: string): string =>
		fieldsOf(operation).find(({ part, path }) => part === 'query' && path.join('.') === name)
			?.displayName ?? name;
	const told = (hints: Hints): void => {
		for (const { applied, shown, rows, name, omitted } of asked)
			if (!shown && rows)
				hints.add(
					`No record shows its '${labelOf(name)}', so it is not known whether the platform applied that filter.`,
					'warning',
				);
			else if (omitted)
				hints.add(
					`${applied ? 'It is not known whether all records fit' : 'The platform did not apply the filter'} '${labelOf(name)}': ${many(omitted, 'record')} with another ID there, or without one, ${omitted === 1 ? 'was' : 'were'} omitted.`,
					'warning',
				);
	};
	return { own: asked.length > 0 ? own : undefined, told };
}

/** The filters that the user set and that the platform may ignore: what is sent of them, which rows stay. */
function filtersOf(
	{ hints }: Execution,
	{ operation, filters: values }: PreparedRequest,
	isUnknown: () => void,
): Pick<ListRequest, 'keeps'> & { guess?: IDataObject; asked?: string } {
	const filled = fieldsOf(operation).flatMap(({ part, path: [name = ''], displayName }) => {
		const filter = part === 'filters' ? operation.pages?.filters?.[name] : undefined;
		return filter && values[name] !== undefined
			? [{ ...filter, name, displayName, value: values[name] }]
			: [];
	});
	if (filled.length === 0) return {};
	const keeps = (row: IDataObject): boolean => {
		const unseen = filled.filter((filter) => filter.keeps(row, filter.value) === undefined);
		if (filled.some((filter) => filter.keeps(row, filter.value) === false)) return false;
		if (unseen.length === 0) return true;
		isUnknown();
		for (const { displayName, field } of unseen)
			hints.add(notShown(displayName, field.options.required === true), 'warning');
		return false;
	};
	const guess = pick(
		values,
		filled.filter(({ guessed }) => guessed).map(({ name }) => name),
	);
	const asked = andList(filled.map(({ displayName }) => `'${displayName}'`));
	return { keeps, asked, ...(isEmpty(guess) ? {} : { guess }) };
}
