import type { IDataObject } from 'n8n-workflow';
import { asks, isNothing, refuseUnanswered } from './answered';
import { InvalidValue, labelOf, type Source } from './field';
import { parseJsonObject } from './structure';

/**
 * Reads an optional JSON object beside the fields. It may hold anything, references too, so it decides.
 * @throws InvalidValue, also if its expression returned nothing
 */
export function jsonBeside(source: Source, name: string, displayName: string): IDataObject {
	const value = source.get(name);
	if (isNothing(value)) refuseUnanswered(source, name, displayName);
	return parseJsonObject(value, labelOf(source, displayName));
}

/** Refuses a query parameter that an expression left without a value. @throws InvalidValue naming it */
export function refuseUnansweredKeys(
	source: Source,
	values: IDataObject,
	{ name, displayName }: { name: string; displayName: string },
): void {
	const empty = Object.keys(values).find((key) => isNothing(values[key]));
	if (empty === undefined || !asks(source.written(name))) return;
	throw new InvalidValue(
		labelOf(source, `${displayName} › ${empty}`),
		'is empty: its expression returned nothing for this item. Correct it, or remove the parameter',
	);
}
