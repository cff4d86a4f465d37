import type { IDataObject } from 'n8n-workflow';
import { type Field, type FieldOptions, InvalidValue, labelOf, refusePrototype } from './field';
import { text } from './scalar';
import type { Shape } from './shape';
import { list } from './structure';
import { quoted } from '../text/text';

interface MapOptions extends FieldOptions {
	entry: string;
	/** The name of each value: how the parameter looks. */
	key: FieldOptions & { samples?: readonly string[] };
}

/** Values by name, like files by path. @param value what each name holds: one field, or the fields of an object */
export function map<T>(
	options: MapOptions,
	value: Field<T> | Shape<NoInfer<T>>,
): Field<Record<string, T>> {
	const single = typeof (value as Field<T>).show === 'function';
	const rows = list<IDataObject>(
		options.entry,
		{
			key: text({ required: true, ...options.key }),
			...(single ? { value: value as Field<T> } : value),
		} as never,
		options,
	);
	return {
		options,
		takesPhone: rows.takesPhone,
		inside: rows.inside,
		rows: true,
		show: rows.show,
		read: (source, name, displayName) => {
			const result: Record<string, unknown> = {};
			for (const { key, ...rest } of rows.read(source, name, displayName) ?? []) {
				const under = String(key).trim();
				const label = labelOf(source, displayName);
				refusePrototype([under], label);
				if (Object.hasOwn(result, under))
					throw new InvalidValue(label, `contains ${quoted(under)} twice`);
				result[under] = single ? (rest.value ?? '') : rest;
			}
			return Object.keys(result).length ? (result as Record<string, T>) : undefined;
		},
	};
}
