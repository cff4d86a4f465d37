import type { IDataObject, ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';
import { attempt, get } from 'lodash';
import { asks, noAnswer, refuseGap, refuseGarbled, refuseUnanswered } from './answered';
import { Columns, fromItem, named, noColumn, type ReadColumns, told } from './columns';
import {
	type Field,
	type FieldOptions,
	InvalidValue,
	isEmpty,
	isPlainObject,
	labelOf,
	shown,
	type Placed,
	refusePrototype,
} from './field';
import { parseExactly } from '../response/response';
import { asText } from './scalar';
import { mergeJson, uncleared } from './structure';
import type { MappingName } from '../lookups';
import { quoted } from '../text/text';

interface MapperOptions extends FieldOptions, Mapping {
	/** Top-level parameters whose change loads the fields again. */
	dependsOn?: string[];
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

export const showMapper =
	(mapping: MappingName, options: MapperOptions): Field<unknown>['show'] =>
	(name, displayName) => [
		shown({ ...options, hint: undefined }, displayName, name, {
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			builderHint: { propertyHint: keysOf[mapping] },
			typeOptions: {
				...(options.dependsOn ? { loadOptionsDependsOn: options.dependsOn } : {}),
				resourceMapper: {
					resourceMapperMethod: mapping,
					// n8n's own "update" asks for a field to match rows by, and hides the others if there is none
					mode: 'add',
					valuesLabel: displayName,
					fieldWords: options.words,
					addAllFields: false,
					supportAutoMap: options.autoMap !== false,
					multiKeyMatch: false,
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

/** Fields that only the workspace knows. With `spread`, `T` is the type of each value. */
export function mapper<T = IDataObject>(mapping: MappingName, options: MapperOptions): Field<T> {
	const { words } = options;
	return {
		options: { top: true, ...options },
		...(options.spread ? { spread: true } : {}),
		show: showMapper(mapping, options),
		read: (source, name, displayName) => {
			const label = labelOf(source, displayName);
			const refuse = (key: string | undefined, text: string): never => {
				throw new InvalidValue(key === undefined ? label : `${label} › ${key}`, text);
			};
			const stored = storedIn(source.get(name));
			const read = mapped(stored, source.json, options, label);
			source.report({ sentences: told(read, label, words.plural) });
			if (!read.values && options.decides) refuseUnanswered(source, name, displayName);
			const { values = {} } = read;
			refuseLacking(stored.schema, values, words.plural, refuse);
			const result: IDataObject = {};
			refusePrototype(Object.keys(values), label);
			for (const [key, value] of Object.entries(values)) {
				const asked: unknown = get(source.written(name), ['value', key]);
				if (options.decides) refuseGap(source, asked, `${label} › ${key}`);
				if (options.texts) refuseGarbled(source, asked, value, `${label} › ${key}`);
				if (!isEmpty(value)) {
					result[key] = options.texts ? asWritten(value, (text) => refuse(key, text)) : value;
				} else if (asks(asked) && options.decides) refuse(key, noAnswer);
				else if (asks(asked) && !source.sendEmptyFields)
					source.report({ gaps: [`${label} › ${key}`] });
				else if (source.sendEmptyFields) {
					if (options.clearable === false) throw uncleared(`${label} › ${key}`);
					result[key] = typeof value === 'string' ? '' : null;
				}
			}
			if (Object.keys(result).length > 0) return mergeJson({}, result) as T;
			return options.required
				? refuse(undefined, `is empty. Fill in at least one ${words.singular}`)
				: undefined;
		},
	};
}

function refuseLacking(
	schema: ResourceMapperField[],
	values: IDataObject,
	plural: string,
	refuse: (key: string, text: string) => never,
): void {
	for (const { id, displayName, required, removed } of schema) {
		const isThere = Object.hasOwn(values, id);
		if (removed) continue;
		if (required && (!isThere || isEmpty(values[id])))
			refuse(displayName, 'is empty. Map a column to it, or fill it in');
		if (lostNames.includes(id) && !isThere)
			refuse(
				displayName,
				`has a name for which n8n stores no value. Remove it here, or enter all ${plural} as JSON text in an expression`,
			);
	}
}

/** n8n leaves these names out when it copies parameters; a field that is shown has a value otherwise, null at least. */
const lostNames = ['constructor', 'prototype', '__proto__'];

/** A value that the platform keeps as text; dates as JSON writes them. */
function asWritten(value: unknown, fail: (text: string) => never): string {
	const isDate = typeof value === 'object';
	return asText(isDate ? (JSON.parse(JSON.stringify(value)) as unknown) : value, fail);
}

/** What n8n stores of a mapper, or what an expression or a model wrote instead. */
export function storedIn(stored: unknown) {
	const isForm = isPlainObject(stored) && 'mappingMode' in stored;
	const { mappingMode, value, schema, matchingColumns } = (
		isForm ? stored : { value: stored }
	) as Partial<ResourceMapperValue>;
	return {
		isAutomatic: mappingMode === 'autoMapInputData',
		value: value as unknown,
		/** Fields as the editor loaded them, which all items share. */
		schema: Array.isArray(schema) ? schema : [],
		/** Keys of the fields by which a record is matched, as people chose them in the editor. */
		matching: Array.isArray(matchingColumns) ? matchingColumns.filter(Boolean) : [],
	};
}

export interface Mapping {
	/** Words for one and many of what is mapped: field/fields, column/columns. */
	words: { singular: string; plural: string };
	placed?: Placed[];
	headings?: Record<string, string[]>;
}

/** Fields by the schema that the editor stored, or by mapping if it stored none. */
const columnsOf = new WeakMap<object, Columns>();

function columnsFor(mapping: Mapping, schema: ResourceMapperField[]): Columns {
	const key = schema.length > 0 ? schema : mapping;
	const columns = columnsOf.get(key) ?? new Columns(schema, mapping.placed, mapping.headings);
	columnsOf.set(key, columns);
	return columns;
}

/** Values by field, in whichever form they came; a name close to a field's is taken for it. @throws InvalidValue */
export function mapped(
	{ isAutomatic, value, schema }: ReturnType<typeof storedIn>,
	json: () => IDataObject,
	mapping: Mapping,
	label: string,
): ReadColumns {
	const columns = columnsFor(mapping, schema);
	if (!isAutomatic) {
		const written = writtenBy(value, label, mapping.words.singular);
		return written
			? named(columns, written, label, mapping.words.singular)
			: { unused: [], unproven: [] };
	}
	// The editor marks optional fields as removed, because it shows none of them in this mode.
	const read = fromItem(columns, json());
	const needed = [
		...schema.filter(({ required }) => required).map(({ id }) => id),
		...(mapping.placed ?? [])
			.filter(({ field }) => field.options.required)
			.map(({ path }) => path[0] as string),
	].find((id) => !Object.hasOwn(read.values, id));
	if (needed === undefined) return read;
	const name = columns.label(needed);
	throw new InvalidValue(`${label} › ${name}`, noColumn(name, json()));
}

/** An object, or JSON text of one. @throws InvalidValue for anything else that is not empty */
function writtenBy(given: unknown, label: string, singular: string): IDataObject | undefined {
	if (isEmpty(given)) return undefined;
	// n8n takes the equals sign from an expression for a whole field of this kind, and leaves the rest as it is.
	if (typeof given === 'string' && given.includes('{{'))
		throw new InvalidValue(
			label,
			`is one expression for the whole field, which n8n does not evaluate. Enter one for each ${singular}`,
		);
	const read = typeof given === 'string' ? attempt(parseExactly, given) : given;
	if (isPlainObject(read)) return read;
	throw new InvalidValue(
		label,
		`should be an object with a value for each ${singular}, but it is ${Array.isArray(read) ? 'a list' : 'not one'}: ${quoted(given)}`,
	);
}
