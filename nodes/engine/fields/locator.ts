import type { IDataObject, INodePropertyMode } from 'n8n-workflow';
import { camelCase } from 'lodash';
import {
	converted,
	type Field,
	type FieldOptions,
	type Given,
	isEmpty,
	isPlainObject,
	leaf,
	optionsOf,
} from './field';
import { exampleId, exampleIdInShort } from './scalar';
import { isUuid } from '../answer/answer';
import type { LookupName } from '../lookups';
import { lists } from '../lookups/lists';
import { idNamed } from '../lookups/names';
import type { ListLookup } from '../lookups/search';
import { quoted } from '../text/text';

/** What an ID looks like; `rule` explains it in a sentence without a period. */
interface Pattern {
	regex: string;
	message: string;
	example: string;
	rule?: string;
	/** What the run accepts, if it is stricter than the editor. */
	valid?: (id: string) => boolean;
}

interface LocatorOptions extends FieldOptions {
	/** If an ID is not a uuid. */
	pattern?: Pattern;
}

/** Short, because the editor loads it with each locator. The run is strict (`isUuid`). */
const uuidLike: Pattern = {
	regex: '^\\s*\\w{8}(-\\w{4,12}){4}\\s*$',
	message: 'Not a valid ID',
	example: exampleId,
	valid: isUuid,
};

export const mode = (
	displayName: string,
	name: string,
	type: INodePropertyMode['type'],
	rest: Partial<INodePropertyMode>,
): INodePropertyMode => ({ displayName, name, type, ...rest });

export const fromList = (searchListMethod: string): INodePropertyMode =>
	mode('From List', 'list', 'list', { typeOptions: { searchListMethod, searchable: true } });

const byName = mode('By Name', 'name', 'string', {
	placeholder: 'e.g. exactly as in the list',
});

/** What was entered under "By Name". */
const nameIn = (value: unknown): string | undefined => {
	const { mode: chosen, value: name }: IDataObject = isPlainObject(value) ? value : {};
	return chosen === 'name' && !isEmpty(name) ? String(name).trim() : undefined;
};

function idOf(value: unknown, pattern: Pattern, fail: (text: string) => never): string {
	if (typeof value === 'object')
		fail(
			`should be an ID, but it is ${Array.isArray(value) ? 'a list' : 'an object'}: ${quoted(value)}`,
		);
	if (Number.isInteger(value) && !Number.isSafeInteger(value))
		fail(
			`is ${String(value)}, which is too large to be exact: it may be the ID of another record. Pass it as text`,
		);
	const id = String(value).trim();
	if (pattern.valid?.(id) ?? new RegExp(pattern.regex).test(id)) return id;
	const rule = pattern.rule ? `${pattern.rule}. ` : '';
	return fail(`is not a valid ID: ${quoted(value)}. ${rule}An ID looks like ${pattern.example}`);
}

/** "searchContacts" fills the parameter `contact`. */
const nameOf = (lookup: LookupName): string => camelCase(lookup.replace(/^search|s$/g, ''));

/**
 * A reference to a record: chosen from a list that the server searches, or entered by ID or by name.
 * @param lookup list search of `lookups/`, whose name the parameter has by default; null if no list is known
 */
export function locator(lookup: LookupName | null, ...given: Given<LocatorOptions>): Field<string> {
	const options = { ...(lookup && { name: nameOf(lookup) }), ...optionsOf(given) };
	const pattern = options.pattern ?? uuidLike;
	const isNamed = lookup && (lists[lookup] as ListLookup).named;
	const byId = mode('By ID', 'id', 'string', {
		placeholder: `e.g. ${pattern.example === exampleId ? exampleIdInShort : pattern.example}`,
		validation: [
			{ type: 'regex', properties: { regex: pattern.regex, errorMessage: pattern.message } },
		],
	});
	// if nothing can be chosen, the text that tells where to find the ID is always shown
	const hint = options.hint ?? (lookup ? undefined : options.description);
	const description = hint === options.description ? undefined : options.description;
	return leaf(
		{ ...options, description, hint },
		{
			type: 'resourceLocator',
			default: { mode: lookup ? 'list' : 'id', value: '' },
			// n8n's types for AI models take the default for a value.
			...(options.required ? { builderHint: { propertyHint: 'Required' } } : {}),
			modes: lookup ? [fromList(lookup), byId, ...(isNamed ? [byName] : [])] : [byId],
		},
		(stored, fail, source) => {
			const name = nameIn(stored);
			const value =
				name === undefined || !lookup
					? stored
					: idNamed(lookup, source.namesIn(lookup, name), name, fail);
			return idOf(value, pattern, fail);
		},
		{
			decides: true,
			valueIn: (stored) => (nameIn(stored) === undefined ? locatorValue(stored) : stored),
			missing: lookup
				? 'is empty. Choose one from the list, or enter its ID'
				: 'is empty. Enter an ID, or check that the expression returns one for this item',
		},
	);
}

/** A reference that is a number in older variants and a uuid in newer ones; digits are sent as a number. */
export const eitherId = (
	lookup: LookupName | null,
	options: FieldOptions,
): Field<string | number> =>
	converted(
		locator(lookup, {
			...options,
			pattern: {
				regex: `^\\s*\\d{1,15}\\s*$|${uuidLike.regex}`,
				message: 'Enter an ID or a number; a name is not accepted',
				example: '12',
				rule: 'It is a number, or an ID with dashes',
				valid: (id) => /^\d{1,15}$/.test(id) || isUuid(id),
			},
		}),
		(id): string | number => (/^\d+$/.test(id) ? Number(id) : id),
	);

/** The ID inside a locator's stored value; plain text from expressions and AI models is taken as it is. */
export const locatorValue = (value: unknown): unknown =>
	isPlainObject(value) && '__rl' in value ? value.value : value;

/** The same of a record that a request cannot do without. */
export const reference = (lookup: LookupName | null, ...given: Given<LocatorOptions>) =>
	locator(lookup, { required: true, ...optionsOf(given) });

/** An agent: `agentId`, `agent_uuid` or `uuid` of an endpoint; the parameter is always `agent`. */
export const agent = (...given: Given): Field<string> => reference('searchAgents', ...given);
