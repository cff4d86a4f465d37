import {
	jsonParse,
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { countBy, get, uniqBy } from 'lodash';
import { Client, type ClientRequest, type PlatformResponse } from '../http/client';
import { apiError, describeError } from '../errors/errorText';
import { guessing, type NextPage, type PagesRequest, pagesOf, paginate } from '../pages/pages';
import { segment } from '../http/path';
import { RequestError, rethrow } from '../errors/requestError';
import { InvalidBaseUrl } from '../http/workspace';
import { isPlainObject, InvalidValue, title } from '../text/text';

export interface ListLookup extends Pick<PagesRequest, 'pageSize' | 'rows'> {
	/** Key of what stands for a row; `uuid` by default. */
	id?: string;
	/** Path of the list; `{name}` is the value of another parameter of the node, a locator for example. */
	path: string;
	/** Fields shown, joined; the first that has a value comes first. Or what is shown for a row. */
	label: string[] | ((row: IDataObject) => string | undefined);
	/** Query parameter that searches on the server. Without one the pages are searched here. */
	search?: string;
	/** Searches on the server only for what has this form; for the rest the pages are searched here. */
	searchOnly?: RegExp;
	/** The keys that the platform looks in, if the parameter's name is our guess; searched here, too. */
	searchGuessed?: string[];
	query?: IDataObject;
	/** People know the records by a name of their own: it stands for the ID. */
	named?: true;
	/** Key of a list inside each row, whose entries are meant: the tags of contacts. */
	inside?: string;
	/** Which parameters the path needs, with the sentence to show while they are empty. */
	needs?: Record<string, string>;
}

/** Pages read in one go if the platform cannot search, before the user is asked to scroll on. */
const pagesAtOnce = 20;

/** What to do while a list does not load: a locator, a dropdown, mapped fields. */
const waysRound = {
	list: "Until the list loads, choose 'By ID' and enter the ID.",
	options: 'Until the list loads, switch to an expression that returns the IDs.',
	fields: 'To load the fields again, reopen this node.',
};

/** Reads for the editor: a client, and failures as sentences in the dropdown. */
export async function reading<T>(
	caller: ILoadOptionsFunctions,
	read: (client: Client) => Promise<T>,
	what: keyof typeof waysRound,
): Promise<T> {
	let host: string | undefined;
	try {
		const client = await Client.open(caller);
		host = client.workspace.host;
		return await read(client);
	} catch (thrown) {
		if (thrown instanceof RequestError) {
			const said = describeError(thrown, { host, class: 'read', inEditor: true });
			const description = `${said.description} ${waysRound[what]}`;
			const message = what === 'list' ? said.message : `${said.message}. ${description}`;
			const error = apiError(caller.getNode(), { message, description }, thrown.facts);
			throw error;
		}
		if (thrown instanceof InvalidBaseUrl || thrown instanceof InvalidValue) {
			throw new NodeOperationError(caller.getNode(), thrown.message);
		}
		rethrow(thrown);
	}
}

/** The same where the editor would not show why: it shows something else instead of what could not be loaded. */
export async function readingOr<T>(
	caller: ILoadOptionsFunctions,
	read: (client: Client) => Promise<T>,
	what: 'options' | 'fields',
	instead: (sentence: string) => T,
): Promise<T> {
	try {
		return await reading(caller, read, what);
	} catch (thrown) {
		if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError)
			return instead(thrown.message);
		rethrow(thrown);
	}
}

export const wholeList = async (
	client: Client,
	{ path, pageSize }: Pick<ListLookup, 'path' | 'pageSize'>,
): Promise<IDataObject[]> =>
	await paginate({
		fetch: editorReads(client, path),
		query: {},
		limit: Infinity,
		path,
		pageSize,
	});

/** Value of another parameter of the node, the ID alone for locators. @throws InvalidValue if a name stands for it */
export function parameterOf(caller: ILoadOptionsFunctions, name: string): string {
	const { mode } = (caller.getCurrentNodeParameter(name) ?? {}) as { mode?: string };
	if (mode === 'name')
		throw new InvalidValue(
			title(name),
			'is set by name. Choose it from the list to see what it has',
		);
	const value =
		caller.getCurrentNodeParameter(name, { extractValue: true }) ??
		caller.getCurrentNodeParameter(name);
	const plain =
		typeof value === 'object' && value !== null && 'value' in value
			? (value as IDataObject).value
			: value;
	return typeof plain === 'string' ? plain.trim() : '';
}

/** Fills `{name}` of a path from the node's parameters. @throws InvalidValue with the sentence of `needs` */
export function pathFromParameters(
	caller: ILoadOptionsFunctions,
	path: string,
	needs: Record<string, string> = {},
): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = parameterOf(caller, name);
		if (value === '') throw new InvalidValue(undefined, needs[name] ?? `Choose '${name}' first`);
		return segment(value);
	});
}

export function labelOf(row: IDataObject, label: ListLookup['label']): string | undefined {
	if (typeof label === 'function') return label(row);
	return label
		.map((field) => get(row, field) as unknown)
		.filter((text) => typeof text === 'string' && text !== '')
		.join(' – ');
}

/** What a row of a list offers: itself, or the entries inside it. */
export const entriesOf = ({ inside }: ListLookup, row: IDataObject): IDataObject[] =>
	inside === undefined ? [row] : ([row[inside]].flat().filter(isPlainObject) as IDataObject[]);

/** Just enough waiting and tries to bridge a short outage: the user is looking at the dropdown. */
const editorCall = { method: 'GET', class: 'read', within: 12, maxRetries: 2 } as const;

export const editorReads =
	(client: Client, path: string) =>
	async (query: IDataObject, reads: ClientRequest['reads']): Promise<PlatformResponse> =>
		await client.request({ ...editorCall, path, query, reads });

/** Each row once. Tells rows of the same name apart by the end of their IDs, as people compare them. */
export function distinct<T extends { name: string; value: unknown }>(rows: T[]): T[] {
	const listed = uniqBy(rows, 'value');
	const alike = countBy(listed, 'name');
	return listed.map((row) =>
		alike[row.name] === 1 || row.name === String(row.value)
			? row
			: { ...row, name: `${row.name} (ID …${String(row.value).slice(-6)})` },
	);
}

/** What the platform is asked for what was typed, and which rows are those that were looked for. */
function searchFor(lookup: ListLookup, typed: string) {
	const { id = 'uuid', inside, label, search, searchOnly, searchGuessed } = lookup;
	const parts = typed.toLowerCase().split(/\s+/).filter(Boolean);
	const isAsked = search !== undefined && typed !== '' && (searchOnly?.test(typed) ?? true);
	const asked = isAsked ? { [search]: typed } : {};
	/** Whether every row that comes back is one that was looked for. */
	const isNarrowed = !inside && (typed === '' || (isAsked && !searchGuessed));
	const found = (row: IDataObject): INodeListSearchResult['results'] => {
		const value = get(row, id) as unknown;
		if (typeof value !== 'string' && typeof value !== 'number') return [];
		const name = labelOf(row, label) || String(value);
		const more = (searchGuessed ?? []).map((key) => get(row, key) as unknown);
		const text = [name, value, ...more].join(' ').toLowerCase();
		return isNarrowed || parts.every((part) => text.includes(part)) ? [{ name, value }] : [];
	};
	const [query, guess] = searchGuessed ? [{}, asked] : [asked, {}];
	return { query, guess, isNarrowed, found };
}

/** One page of a locator's list. @param paginationToken what the page before returned: where to go on */
export async function searchListPage(
	caller: ILoadOptionsFunctions,
	lookup: ListLookup,
	what: string,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await reading(
		caller,
		async (client) => {
			const path = pathFromParameters(caller, lookup.path, lookup.needs);
			const typed = filter.trim();
			const { query, guess, isNarrowed, found } = searchFor(lookup, typed);
			const results: INodeListSearchResult['results'] = [];
			let left = pagesAtOnce;
			for await (const { rows, next } of pagesOf({
				fetch: guessing(editorReads(client, path), guess),
				query: { ...lookup.query, ...(lookup.pageSize ? { page: 1 } : {}), ...query },
				rows: lookup.rows,
				path,
				pageSize: lookup.pageSize,
				width: 1,
				whole: lookup.rows !== undefined,
				from: paginationToken === undefined ? undefined : jsonParse<NextPage>(paginationToken),
			})) {
				results.push(...rows.flatMap((one) => entriesOf(lookup, one)).flatMap(found));
				if (next && (--left === 0 || (results.length > 0 && isNarrowed)))
					return { results: distinct(results), paginationToken: JSON.stringify(next) };
			}
			if (results.length === 0 && typed === '' && paginationToken === undefined) {
				// Said, and nothing to choose: an entry without an ID would look like a filter and filter nothing.
				const where = lookup.path.includes('{') ? '' : ' in this workspace';
				const none = lookup.inside
					? `No ${what} can be listed, because no record carries one. Enter the ID or number`
					: `No ${what}${where} yet`;
				throw new InvalidValue(undefined, none);
			}
			return { results: distinct(results) };
		},
		'list',
	);
}
