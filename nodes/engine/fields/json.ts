import type { IDataObject } from 'n8n-workflow';
import { asks, isNothing, refuseGap, refuseGarbled, refuseUnanswered } from './answered';
import {
	type Field,
	type Given,
	InvalidValue,
	isEmpty,
	isPlainObject,
	labelOf,
	leaf,
	optionsOf,
	type Source,
} from './field';
import { asJson, asWritten, filledIn } from './writtenJson';

/** JSON: an object, or a list if its default is one. */
export function json<T = IDataObject>(...given: Given): Field<T> {
	const options = optionsOf(given);
	const isList = String(options.default).startsWith('[');
	const field = leaf<unknown>(
		options,
		{ type: 'json', default: '{}' },
		(value, fail, _, label) => {
			const read = asJson(value, label());
			if (!isList && !isPlainObject(read)) fail(noObject);
			if (isList && !Array.isArray(read)) fail('should be a JSON list like [1, 2]');
			return read;
		},
		{ empty: isList ? [] : {}, valueIn: asWritten },
	);
	return { ...field, suffix: ' (JSON)' } as Field<T>;
}

const noObject = 'should be a JSON object like {"key": "value"}';

type Parameter = Record<'name' | 'displayName', string>;

/** An object beside the fields; it may hold references, so it decides. @throws InvalidValue, also if an expression says nothing */
export function jsonBeside(source: Source, { name, displayName }: Parameter): IDataObject {
	const value = source.get(name);
	if (isNothing(value)) refuseUnanswered(source, name, displayName);
	if (isEmpty(value)) return {};
	const label = labelOf(source, displayName);
	refuseGap(source, source.written(name), label);
	refuseGarbled(source, source.written(name), value, label);
	const read = asJson(
		filledIn(source, source.written(name), value, () => label),
		label,
	);
	if (!isPlainObject(read)) throw new InvalidValue(label, noObject);
	return read as IDataObject;
}

/** The same of a query, each of whose parameters decides. @throws InvalidValue naming it */
export function queryBeside(source: Source, parameter: Parameter): IDataObject {
	const values = jsonBeside(source, parameter);
	const { name, displayName } = parameter;
	const empty = Object.keys(values).find((key) => isNothing(values[key]));
	if (empty === undefined || !asks(source.written(name))) return values;
	throw new InvalidValue(
		labelOf(source, `${displayName} › ${empty}`),
		'is empty: its expression returned nothing for this item. Correct it, or remove the parameter',
	);
}
