import type { IDataObject, ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';
import { get, isPlainObject } from 'lodash';
import { asks, noAnswer, refuseGap, refuseUnanswered } from './answered';
import { Columns, fromItem, named, noColumn, type ReadColumns, told } from './columns';
import {
	type Field,
	type FieldOptions,
	InvalidValue,
	isEmpty,
	labelOf,
	shown,
	type Placed,
} from './field';
import { parseExactly } from '../answer/exactJson';
import { refusePrototype } from './json';
import { mergeJson, uncleared } from './structure';
import type { MappingName } from '../lookups';
import { quoted, title } from '../text/text';

interface MapperOptions extends FieldOptions, Mapping {
	/** Top-level parameters whose change loads the fields again. */
	dependsOn?: string[];
	/** `update` sends only what is filled in; `upsert` also asks by which fields a record is matched. */
	mode?: 'add' | 'update' | 'upsert';
	/** The values go beside the other body fields instead of under their own key. */
	spread?: boolean;
	/** Offers to take the fields from the input item's fields of the same name. */
	autoMap?: boolean;
	/** The platform keeps every value as text: numbers, switches and dates are written as text. */
	texts?: true;
}

const written = (keys: string, value: string): string =>
	`Write {"mappingMode":"defineBelow","value":{${value}}}. Keys: ${keys}`;

/** What the keys of the values are, for an AI that writes the workflow and cannot load them. */
const keysOf: Record<MappingName, string> = {
	getContactFields: written(
		"the workspace's own contact fields, by their key (resource contactField, operation getAll); values are text",
		'"order_number":expr("{{ $json.order }}")',
	),
	getListingContactFields: written(
		'phone_number (required), name, surname, email, timezone, country_code, primary_language, ' +
			'preferred_contact_channel, preferred_contact_time, and the keys of own contact fields; or ' +
			'{"mappingMode":"autoMapInputData","value":null} if the fields of the items are called so',
		'"phone_number":expr("{{ $json.phone }}"),"name":expr("{{ $json.name }}")',
	),
	getTableFields: written(
		'the names of the columns of the table (acpTables, resource table, operation getFields); or ' +
			'{"mappingMode":"autoMapInputData","value":null} if the fields of the items are called so',
		'"status":expr("{{ $json.status }}")',
	),
	getTemplateFields: written(
		'field1, field2, … for the placeholders {{1}}, {{2}}, … of the template',
		'"field1":expr("{{ $json.name }}")',
	),
	getVoiceAdvancedFields: written(
		"the fields of the agent's voice (resource agentVoice, operation getVoiceAdvanced)",
		'"speed":1',
	),
};

/** The same of the fields by which a record is matched. */
const matchingHint =
	'. Beside value, "matchingColumns":["status"] (required): the keys by which a record is found';

/** The parameters of a mapper. */
export const showMapper =
	(mapping: MappingName, options: MapperOptions): Field<unknown>['show'] =>
	(name, displayName) => [
		shown({ ...options, hint: undefined }, displayName, name, {
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			builderHint: {
				propertyHint: `${keysOf[mapping]}${options.mode === 'upsert' ? matchingHint : ''}`,
			},
			typeOptions: {
				...(options.dependsOn ? { loadOptionsDependsOn: options.dependsOn } : {}),
				resourceMapper: {
					resourceMapperMethod: mapping,
					// n8n's own "update" asks for a field to match rows by, and hides the others if there is none
					mode: options.mode === 'upsert' ? 'upsert' : 'add',
					valuesLabel: displayName,
					fieldWords: options.words,
					addAllFields: false,
					supportAutoMap: options.autoMap !== false,
					multiKeyMatch: options.mode === 'upsert',
					// every mapping says itself why it has no fields
					hideNoDataError: true,
				},
			},
		}),
		// the editor shows no hint at fields of this kind
		...(options.hint
			? [{ displayName: options.hint, name: `${name}Hint`, type: 'notice' as const, default: '' }]
			: []),
	];

/**
 * Fields that only the workspace knows (custom contact fields, table columns, voice tuning), loaded by a mapping of
 * `lookups/`. A plain object from an expression or an AI model is accepted. With `spread`, `T` is the type of each
 * value, because the contract shows such a body as any key with a value.
 */
export function mapper<T = IDataObject>(mapping: MappingName, options: MapperOptions): Field<T> {
	return {
		options: { top: true, ...options },
		...(options.spread ? { spread: true } : {}),
		show: showMapper(mapping, options),
		read: (source, name, displayName) => {
			const stored = source.get(name);
			const label = labelOf(source, displayName);
			const read = mapped(stored, source.json, options, label);
			source.report({ sentences: told(read, label, options.words.plural) });
			const { values } = read;
			if (!values && options.decides) refuseUnanswered(source, name, displayName);
			const missing =
				options.mode === 'update'
					? undefined
					: neededOf(stored).find(
							({ id }) => !values || !Object.hasOwn(values, id) || isEmpty(values[id]),
						);
			if (missing) {
				throw new InvalidValue(
					labelOf(source, `${displayName} › ${missing.displayName}`),
					'is empty. Map a column to it, or fill it in',
				);
			}
			const lost = shownIn(stored).find(({ id }) => isLost(id, values));
			if (lost) {
				throw new InvalidValue(
					labelOf(source, `${displayName} › ${lost.displayName}`),
					`has a name for which n8n stores no value. Remove it here, or enter all ${options.words.plural} as JSON text in an expression`,
				);
			}
			if (options.mode === 'upsert')
				source.report({ matching: matchingIn(stored, values ?? {}, label, options.words) });
			const result: IDataObject = {};
			refusePrototype(Object.keys(values ?? {}), labelOf(source, displayName));
			for (const [key, value] of Object.entries(values ?? {})) {
				const label = labelOf(source, `${displayName} › ${key}`);
				const asked: unknown = options.decides && get(source.written(name), ['value', key]);
				refuseGap(source, asked, label);
				if (isEmpty(value)) {
					if (asks(asked)) throw new InvalidValue(label, noAnswer);
					if (!source.sendEmptyFields) continue;
					if (options.clearable === false) throw uncleared(label);
					result[key] = typeof value === 'string' ? '' : null;
				} else result[key] = options.texts ? asText(value, label) : value;
			}
			if (Object.keys(result).length === 0) {
				if (options.required) {
					throw new InvalidValue(
						labelOf(source, displayName),
						`is empty. Fill in at least one ${options.words.singular}`,
					);
				}
				return undefined;
			}
			return mergeJson({}, result) as T;
		},
	};
}

/**
 * The fields by which a record is matched, as people chose them in the editor.
 * @throws InvalidValue if none was chosen, or if one has no value: nothing can be found by it
 */
function matchingIn(
	stored: unknown,
	values: IDataObject,
	label: string,
	{ singular, plural }: Mapping['words'],
): string[] {
	const { matchingColumns } = (isPlainObject(stored) ? stored : {}) as Partial<ResourceMapperValue>;
	const matching = (Array.isArray(matchingColumns) ? matchingColumns : []).filter(Boolean);
	if (matching.length === 0)
		throw new InvalidValue(
			label,
			`has no ${singular} to match on. Choose at least one under '${title(plural)} to match on'`,
		);
	const empty = matching.find((id) => !Object.hasOwn(values, id) || isEmpty(values[id]));
	if (empty !== undefined)
		throw new InvalidValue(
			`${label} › ${empty}`,
			'is empty, so no record can be matched by it. Fill it in, or check its expression',
		);
	return matching;
}

/** A value that the platform keeps as text. @throws InvalidValue for lists and objects */
function asText(value: unknown, label: string): string | null {
	if (value === null || typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	const written: unknown = JSON.parse(JSON.stringify(value));
	if (typeof written !== 'string')
		throw new InvalidValue(
			label,
			`should be text, but it is ${Array.isArray(written) ? 'a list' : 'an object'}: ${quoted(written)}`,
		);
	return written;
}

/** Fields that are shown, as the editor learned when it loaded them. */
const shownIn = (stored: unknown): ResourceMapperValue['schema'] => {
	const { schema } = (isPlainObject(stored) ? stored : {}) as Partial<ResourceMapperValue>;
	return Array.isArray(schema) ? schema.filter(({ removed }) => !removed) : [];
};

/** Fields that must be filled in. */
const neededOf = (stored: unknown) => shownIn(stored).filter(({ required }) => required);

/** n8n leaves these names out when it copies parameters; a field that is shown has a value otherwise, null at least. */
const isLost = (name: string, values: IDataObject | undefined): boolean =>
	['constructor', 'prototype', '__proto__'].includes(name) &&
	!(values && Object.hasOwn(values, name));

/** What a mapper knows of the fields that its columns can fill in. */
export interface Mapping {
	/** Words for one and many of what is mapped: field/fields, column/columns. */
	words: { singular: string; plural: string };
	/** Fields that the operation knows by itself. */
	placed?: Placed[];
	/** Usual headings of columns, by the field's key. */
	headings?: Record<string, string[]>;
}

/** Fields by the schema that the editor stored, which all items share, or by mapping if it stored none. */
const columnsOf = new WeakMap<object, Columns>();

function columnsFor(mapping: Mapping, schema: ResourceMapperField[]): Columns {
	const key = schema.length > 0 ? schema : mapping;
	const columns = columnsOf.get(key) ?? new Columns(schema, mapping.placed, mapping.headings);
	columnsOf.set(key, columns);
	return columns;
}

/**
 * The values of a resource mapper by field, in whichever form they came. A name that closely resembles a field's is
 * taken for it; one that no field has is refused.
 * @throws InvalidValue
 */
export function mapped(
	stored: unknown,
	json: () => IDataObject,
	mapping: Mapping,
	label: string,
): ReadColumns {
	const isForm = isPlainObject(stored) && 'mappingMode' in (stored as object);
	const given = isForm ? (stored as ResourceMapperValue) : undefined;
	const schema = Array.isArray(given?.schema) ? given.schema : [];
	const columns = columnsFor(mapping, schema);
	if (given?.mappingMode === 'autoMapInputData') {
		// The editor marks optional fields as removed, because it shows none of them in this mode.
		const read = fromItem(columns, json());
		const needed = [
			...schema.filter(({ required }) => required),
			...(mapping.placed ?? [])
				.filter(({ field }) => field.options.required)
				.map(({ path }) => ({ id: path[0] as string })),
		].find(({ id }) => !Object.hasOwn(read.values, id));
		if (needed) {
			const name = columns.label(needed.id);
			throw new InvalidValue(`${label} › ${name}`, noColumn(name, json()));
		}
		return read;
	}
	const written = writtenBy(given ? given.value : stored, label, mapping.words);
	if (!written) return { unused: [], unproven: [] };
	return named(columns, written, label, mapping.words.singular);
}

/**
 * What a person, a model or an expression filled in: an object, or JSON text of one.
 * @throws InvalidValue for anything else that is not empty
 */
function writtenBy(
	given: unknown,
	label: string,
	{ singular }: Mapping['words'],
): IDataObject | undefined {
	if (isEmpty(given)) return undefined;
	// n8n takes the equals sign from an expression for a whole field of this kind, and leaves the rest as it is.
	if (typeof given === 'string' && given.includes('{{'))
		throw new InvalidValue(
			label,
			`is one expression for the whole field, which n8n does not evaluate. Enter one for each ${singular}`,
		);
	const read: unknown = typeof given === 'string' ? parsed(given) : given;
	if (isPlainObject(read)) return read as IDataObject;
	throw new InvalidValue(
		label,
		`should be an object with a value for each ${singular}, but it is ${Array.isArray(read) ? 'a list' : 'not one'}: ${quoted(given)}`,
	);
}

function parsed(text: string): unknown {
	try {
		return parseExactly(text);
	} catch {
		return undefined;
	}
}
