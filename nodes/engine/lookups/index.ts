import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { countries } from '../phone/phoneNumber';
import { lists } from './lists';
import { mappings, options } from './mappings';
import { whatOf } from './names';
import { type ListLookup, searchListPage } from './search';

export type LookupName = keyof typeof lists;
/** Those with fields to fill in. */
export type MappingName = Exclude<keyof typeof mappings, 'getTemplateText'>;

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Countries by a part of their name or their code; no request is sent. */
async function searchCountries(this: ILoadOptionsFunctions, filter = '') {
	const wanted = filter.trim().toLowerCase();
	return await Promise.resolve({
		results: countries.filter(
			({ name, value }) => name.toLowerCase().includes(wanted) || value.toLowerCase() === wanted,
		),
	});
}

const listSearch = Object.fromEntries(
	Object.entries(lists as Record<string, ListLookup>).map(([name, lookup]): [string, Search] => [
		name,
		async function (filter, paginationToken) {
			return await searchListPage(this, lookup, whatOf(name), filter, paginationToken);
		},
	]),
) as Record<LookupName, Search>;

/** Everything dynamic that the nodes offer: list searches, dropdowns and mapped fields. Shared by all nodes. */
export const methods: {
	listSearch: Record<string, Search>;
	loadOptions: Record<string, (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>>;
	resourceMapping: typeof mappings;
} = {
	listSearch: { ...listSearch, searchCountries },
	loadOptions: options,
	resourceMapping: mappings,
};
