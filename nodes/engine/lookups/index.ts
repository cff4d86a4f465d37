import {
	NodeApiError,
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
	type INodePropertyOptions,
	type ResourceMapperFields,
	type ResourceMapperValue,
} from 'n8n-workflow';
import { countries } from '../phone/countries';
import { lists } from './lists';
import { mappings } from './mappings';
import { options } from './dropdowns';
import { type ListLookup, searchListPage } from './search';
import { rethrow } from '../errors/rethrow';

export type LookupName = keyof typeof lists;
export type MappingName = keyof typeof mappings;

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Countries by a part of their name or their code; no request is sent. */
async function searchCountries(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
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
			return await searchListPage(this, lookup, filter, paginationToken);
		},
	]),
) as Record<LookupName, Search>;

type Mapping = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

/**
 * What the editor shows in place of fields that could not be loaded: the fields that it loaded before, because it
 * discards values whose fields are gone, or otherwise a sentence. After a throw it would only show "Can't get fields".
 */
function insteadOfFields(caller: ILoadOptionsFunctions, sentence: string): ResourceMapperFields {
	const values = Object.values(caller.getCurrentNodeParameters() ?? {}) as Array<
		Partial<ResourceMapperValue> | null | undefined
	>;
	const before = values
		.map((value) => value?.schema)
		.find((schema) => Array.isArray(schema) && schema.length > 0);
	return before ? { fields: before } : { fields: [], emptyFieldsNotice: sentence };
}

const resourceMapping = Object.fromEntries(
	Object.entries(mappings as Record<string, Mapping>).map(([name, load]): [string, Mapping] => [
		name,
		async function () {
			try {
				return await load.call(this);
			} catch (thrown) {
				if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError)
					return insteadOfFields(this, thrown.message);
				rethrow(thrown);
			}
		},
	]),
) as Record<MappingName, Mapping>;

/** Everything dynamic that the nodes offer: list searches, dropdowns and mapped fields. Shared by all nodes. */
export const methods: {
	listSearch: Record<string, Search>;
	loadOptions: Record<string, (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>>;
	resourceMapping: Record<string, Mapping>;
} = {
	listSearch: { ...listSearch, searchCountries },
	loadOptions: options,
	resourceMapping,
};
