import { isExpression } from 'n8n-workflow';
import { intersection } from 'lodash';
import {
	type Field,
	InvalidValue,
	isEmpty,
	isPlainObject,
	labelOf,
	type Placed,
	type Source,
} from './field';
import { quoted } from '../text/text';

/** A model may leave a question of `$fromAI` open only if it has a default, its fourth argument. */
const optional = /\$fromAI\s*\((?:\s*(['"`])(?:\\.|(?!\1)[^\\])*\1\s*,){3}/i;

/** Whether a parameter, as it was written, asks the item or a model for its value. */
export const asks = (written: unknown): boolean =>
	typeof written === 'string'
		? isExpression(written) && written.includes('{{') && !optional.test(written)
		: typeof written === 'object' && written !== null && Object.values(written).some(asks);

/**
 * What decides says which records are covered (path, query, filters, references, whom a request reaches) or how the
 * operation runs (switches, choices, numbers, times). An empty constant in it means "not set"; an expression that
 * returns nothing leaves the decision open, so its item is refused. Everything else is content, which may be empty.
 */
export const decides = ({ field, decides: byPlace }: Placed): boolean =>
	field.options.decides ?? (byPlace === true || field.decides === true);

/** Whether a value, in whichever form, says nothing. */
export const isNothing = (value: unknown): boolean =>
	isEmpty(value) || (Array.isArray(value) && value.every(isNothing));

export const noAnswer =
	"is empty: its expression returned nothing for this item. Correct it, or remove it if it isn't meant to be set";

/** Says which fields are empty for each of several items: their columns are usually called otherwise. */
export const emptyForAll = (gaps: string[][]): string[] =>
	(gaps.length > 1 ? intersection(...gaps) : []).map(
		(name) => `'${name}' is empty for all ${gaps.length} items. Check which column fills it.`,
	);

/** Refuses an expression that returned nothing. @throws InvalidValue naming the parameter */
export function refuseUnanswered(source: Source, name: string, displayName: string): void {
	if (asks(source.written(name))) throw new InvalidValue(labelOf(source, displayName), noAnswer);
}

/** Refuses a text one of whose expressions returned nothing, or that shows so in `value`. @throws InvalidValue */
export function refuseEmptyPart(
	source: Source,
	name: string,
	displayName: string,
	value?: unknown,
): void {
	const written = source.written(name);
	const label = labelOf(source, displayName);
	refuseGap(source, isPlainObject(written) ? written.value : written, label);
	if (source.isRead) refuseGarbled(source, written, value, label);
}

/** The same for a text as it was written. @throws InvalidValue naming `label` */
export function refuseGap(source: Source, text: unknown, label: string): void {
	const part = asks(text) ? source.emptyPart(text) : undefined;
	if (part !== undefined)
		throw new InvalidValue(
			label,
			`is incomplete: ${part} returned nothing for this item. Correct the expression`,
		);
}

/** Refuses what shows how its text was made: "Hi undefined". @throws InvalidValue naming `label` */
export function refuseGarbled(
	source: Source,
	written: unknown,
	value: unknown,
	label: string,
): void {
	const text = JSON.stringify(value) ?? '';
	if (!asks(written) || /\$fromAI/i.test(JSON.stringify(written))) return;
	const garbled = ['undefined', '[object Object]'].find(
		(one) => text.includes(one) && !JSON.stringify([written, source.json()]).includes(one),
	);
	if (garbled)
		throw new InvalidValue(
			label,
			`would read ${quoted(garbled)}: a part of its expression returned nothing, or an object. Correct the expression`,
		);
}

/** Reads a parameter that decides. @throws InvalidValue also if its expression returned nothing */
export function readDeciding<Read>(
	field: Field<unknown, Read>,
	source: Source,
	name: string,
	displayName: string,
): Read | undefined {
	const value = field.read(source, name, displayName);
	if (value === undefined) refuseUnanswered(source, name, displayName);
	else refuseEmptyPart(source, name, displayName);
	return value;
}
