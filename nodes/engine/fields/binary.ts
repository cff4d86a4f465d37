import { type Field, type FieldOptions, leaf } from './field';
import type { Bounded } from './scalar';
import { megabyte } from '../http/fileStream';

export class BinaryReference {
	constructor(
		readonly property: string,
		readonly item: number,
		readonly label: string,
		readonly maxBytes: number,
	) {}

	toJSON(): string {
		return `[file in the input field "${this.property}"]`;
	}
}

/** Form data is held in memory while it is sent, so the size of one upload has a limit, in megabytes. */
export const mostMegabytes = 128;

/** An item's file, sent as form data (interface §4). @param given with `max` in megabytes, if the platform states it */
export function binary(given: Bounded = {}): Field<string, BinaryReference> {
	const maxMegabytes = Math.min(given.max ?? mostMegabytes, mostMegabytes);
	const options: FieldOptions = {
		name: 'binaryPropertyName',
		displayName: 'Input Binary Field',
		required: true,
		placeholder: 'e.g. data',
		hint: `Name of the input field that contains the file, at most ${maxMegabytes} MB`,
		...given,
	};
	const field = leaf<unknown>(
		options,
		{ type: 'string', default: 'data' },
		(value, _fail, { item }, label) =>
			new BinaryReference(String(value).trim(), item, label(), maxMegabytes * megabyte),
		{ missing: 'is empty. Enter the name of the input field that contains the file' },
	);
	return { ...field, isFile: true } as Field<string, BinaryReference>;
}
