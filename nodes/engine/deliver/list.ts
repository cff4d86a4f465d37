import type { IDataObject } from 'n8n-workflow';
import { camelCase, isEmpty, pick } from 'lodash';
import { type Execution, requestSettings } from '../execution';
import { isUuid } from '../fields/scalar';
import { objectOf } from '../http/envelope';
import { doubtText, guessing, type ListRequest, paginate } from '../pages/pages';
import { fieldsOf } from '../operation/places';
import type { PreparedRequest } from '../operation/preparedRequest';

/**
 * Reads a list page by page, up to the user's limit.
 * @param take called with each page's rows; what it returns is kept
 * @throws RequestError
 */
export async function readList(
	execution: Execution,
	prepared: PreparedRequest,
	take: (rows: IDataObject[]) => IDataObject[],
): Promise<IDataObject[]> {
	const { client, hints } = execution;
	const { operation, limit, address, query } = prepared;
	const { rows, id, pageSize, unpaged } = operation.pages ?? {};
	const fetch: ListRequest['fetch'] = async (page, reads) =>
		await client.request({
			...requestSettings(execution, prepared),
			method: operation.method,
			path: address,
			query: page,
			class: 'read',
			reads,
		});
	const { guess, keeps } = filtersOf(execution, prepared);
	const strays = straysOf(prepared);
	const read = await paginate({
		fetch: guess ? guessing(fetch, guess) : fetch,
		query,
		limit,
		rows,
		id,
		pageSize,
		unpaged,
		keeps,
		belongs: strays.belongs,
		take,
		doubt: (doubt) => hints.add(doubtText[doubt]),
	});
	for (const sentence of strays.told()) hints.add(sentence);
	return read;
}

/** The IDs that a row shows of what a filter is about: `contact_uuid` → `contact_uuid`, `contactId`, `contact.uuid`, … */
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
 * Tells rows that show another ID than a filter asks for: the platform did not apply it, and what comes next in the
 * workflow would act on somebody else. A row that shows no such ID stays: the platform knows it.
 */
function straysOf({ operation, query }: PreparedRequest): {
	belongs: ListRequest['belongs'];
	told: () => string[];
} {
	const asked = Object.entries(query).flatMap(([name, value]) => {
		const [, about] = /^(\w+)_(?:uuid|id)$/.exec(name) ?? [];
		const id = String(value).toLowerCase();
		return about !== undefined && isUuid(id) ? [{ name, about, id }] : [];
	});
	if (asked.length === 0) return { belongs: undefined, told: () => [] };
	const omitted = new Map<string, number>();
	const belongs = (row: IDataObject): boolean => {
		const stray = asked.find(({ about, id }) => {
			const shown = idsShown(row, about);
			return shown.length > 0 && !shown.includes(id);
		});
		if (stray) omitted.set(stray.name, (omitted.get(stray.name) ?? 0) + 1);
		return stray === undefined;
	};
	const labelOf = (name: string): string =>
		fieldsOf(operation).find(({ part, path }) => part === 'query' && path.join('.') === name)
			?.displayName ?? name;
	return {
		belongs,
		told: () =>
			[...omitted].map(
				([name, count]) =>
					`The platform did not apply the filter '${labelOf(name)}': ${count === 1 ? 'one record that belongs to another one was' : `${count} records that belong to other ones were`} omitted.`,
			),
	};
}

/** The filters that the user set and that the platform may ignore: what is sent of them, which rows stay. */
function filtersOf(
	{ hints }: Execution,
	{ operation, filters: values }: PreparedRequest,
): Pick<ListRequest, 'keeps'> & { guess?: IDataObject } {
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
		for (const { displayName } of unseen)
			hints.add(
				`The platform does not show '${displayName}' for some records, so it is not known whether they match the filter. They were omitted. Remove the filter to see them.`,
			);
		return unseen.length === 0;
	};
	const guess = pick(
		values,
		filled.filter(({ guessed }) => guessed).map(({ name }) => name),
	);
	return { keeps, ...(isEmpty(guess) ? {} : { guess }) };
}
