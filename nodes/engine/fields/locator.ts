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
import { isUuid } from '../response/response';
import type { LookupName } from '../lookups';
import { lists } from '../lookups/lists';
import { idNamed } from '../lookups/names';
import type { ListLookup } from '../lookups/search';
import { quoted } from '../text/text';

/** What an ID looks like; `rule` explains it in a sentence without a period. */
interface Pattern {
	regex: string;
	/** What the editor says of another value, if it is no ID that is asked for. */
	message?: string;
	/** What it is, as in "is not an ID". */
	kind?: string;
	example: string;
	rule?: string;
	/** What the run accepts, if it is stricter than the editor. */
	valid?: (id: string) => boolean;
}

interface LocatorOptions extends FieldOptions {
	pattern?: Pattern;
}

/** Short, because the editor loads it with each locator. The run is strict (`isUuid`). */
const uuidLike: Pattern = {
	regex: '^\\s*\\w{8}(-\\w{4,12}){4}\\s*$',
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

const isNamed = (lookup: LookupName): boolean => !!(lists[lookup] as ListLookup).named;

const nameIn = (value: unknown): string | undefined => {
	const { mode: chosen, value: name }: IDataObject = isPlainObject(value) ? value : {};
	return chosen === 'name' && !isEmpty(name) ? String(name).trim() : undefined;
};

/** Where a name is taken, if the record can be chosen at all: the name is what people paste first. */
const placeOfNames = (lookup: LookupName | null): string | undefined =>
	lookup === null ? undefined : isNamed(lookup) ? "'By Name'" : "'From List'";

/** What the editor says of a value that is no ID; it shows the text without the name of the field. */
export const notAnId = (displayName: string, names?: string, kind = 'an ID'): string =>
	`'${displayName}' is not ${kind}${names ? `. For a name, choose ${names}` : ''}`;

const looksLikeName = (value: unknown): boolean =>
	typeof value === 'string' &&
	value.length <= 200 &&
	/^\p{L}[\p{L}\p{M}\d .,'&()_-]*$/u.test(value.trim()) &&
	!/^(?=.*\d)[\w-]{16,}$/.test(value.trim());

function idOf(
	value: unknown,
	pattern: Pattern,
	lookup: LookupName | null,
	fail: (text: string) => never,
): string {
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
	const names = looksLikeName(value) ? placeOfNames(lookup) : undefined;
	if (names)
		fail(
			`is not a valid ID: ${quoted(value)}. ${rule}This looks like a name: choose ${names} for it. An ID looks like ${pattern.example}`,
		);
	return fail(`is not a valid ID: ${quoted(value)}. ${rule}An ID looks like ${pattern.example}`);
}

/** "searchContacts" fills the parameter `contact`. */
const nameOf = (lookup: LookupName): string => camelCase(lookup.replace(/^search|s$/g, ''));

/** @param lookup list search of `lookups/`, whose name the parameter has by default; null if no list is known */
export function locator(lookup: LookupName | null, ...given: Given<LocatorOptions>): Field<string> {
	const options = { ...(lookup && { name: nameOf(lookup) }), ...optionsOf(given) };
	const pattern = options.pattern ?? uuidLike;
	const byId = (displayName: string) => {
		const errorMessage =
			pattern.message ?? notAnId(displayName, placeOfNames(lookup), pattern.kind);
		return mode('By ID', 'id', 'string', {
			placeholder: `e.g. ${pattern.example === exampleId ? exampleIdInShort : pattern.example}`,
			validation: [{ type: 'regex', properties: { regex: pattern.regex, errorMessage } }],
		});
	};
	const modesOf = (displayName: string) =>
		lookup
			? [fromList(lookup), byId(displayName), ...(isNamed(lookup) ? [byName] : [])]
			: [byId(displayName)];
	// if nothing can be chosen, the text that tells where to find the ID is always shown
	const hint = options.hint ?? (lookup ? undefined : options.description);
	const description = hint === options.description ? undefined : options.description;
	const field = leaf(
		{ ...options, description, hint },
		{
			type: 'resourceLocator',
			default: { mode: lookup ? 'list' : 'id', value: '' },
			// n8n's types for AI models take the default for a value.
			...(options.required ? { builderHint: { propertyHint: 'Required' } } : {}),
		},
		(stored, fail, source) => {
			const name = nameIn(stored);
			const value =
				name === undefined || !lookup
					? stored
					: idNamed(lookup, source.namesIn(lookup, name), name, fail);
			return idOf(value, pattern, lookup, fail);
		},
		{
			decides: true,
			valueIn: (stored) => (nameIn(stored) === undefined ? locatorValue(stored) : stored),
			missing: lookup
				? 'is empty. Choose one from the list, or enter its ID'
				: 'is empty. Enter an ID, or check that the expression returns one for this item',
		},
	);
	return {
		...field,
		show: (name, label) =>
			field.show(name, label).map((one) => ({ ...one, modes: modesOf(one.displayName) })),
	};
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
				kind: 'an ID or a number',
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
