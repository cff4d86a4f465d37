import { mapKeys, mapValues } from 'lodash';
import { isExpression } from 'n8n-workflow';
import { type Behavior, InvalidValue, isPlainObject, refusePrototype, type Source } from './field';
import { parseExactly, TooDeep } from '../response/response';

/** JSON text, or a copy of a value. @throws InvalidValue also for a key or a number that cannot be sent as it is */
export function asJson(value: unknown, label: string): unknown {
	if (typeof value !== 'string') return copied(value, label);
	let parsed: unknown;
	try {
		parsed = parseExactly(value);
	} catch (cause) {
		const invalid = new InvalidValue(
			label,
			`is not valid JSON${whereOf(cause)}. Check for missing quotes or commas`,
		);
		throw invalid;
	}
	return copied(parsed, label);
}

function whereOf(cause: unknown): string {
	const said = cause instanceof Error ? cause.message : '';
	if (cause instanceof TooDeep) return ` (${said})`;
	const place = /line (\d+) column (\d+)/.exec(said);
	if (place) return ` (line ${place[1]}, column ${place[2]})`;
	if (/end of JSON/.test(said)) return ' (it ends too early)';
	const token = /Unexpected token '?(.)'?,/u.exec(said);
	return token ? ` (at "${token[1]}")` : '';
}

const copied = (value: unknown, label: string): unknown => {
	if (Array.isArray(value)) return value.map((entry) => copied(entry, label));
	if (Number.isInteger(value) && !Number.isSafeInteger(value))
		throw new InvalidValue(
			label,
			`has the number ${String(value)}, which is too large to be exact. Pass it as text, in quotes`,
		);
	if (!isPlainObject(value)) return value;
	refusePrototype(Object.keys(value), label);
	return mapValues(value, (entry) => copied(entry, label));
};

/** Characters that no text has, around the number of a value: inside quotes, and where JSON has a value. */
const [begin, beginBare, end] = ['\uE000', '\uE001', '\uE002'] as const;
const marked = /\uE000(\d+)\uE002/g;
const bareMark = /^\uE001(\d+)\uE002$/;

/** The JSON that the author wrote, with marks for the values, which are inside quotes or stand for themselves. */
function withMarks(texts: string[]): string {
	let inside = false;
	return texts
		.map((text, at) => {
			for (const [quote] of text.matchAll(/\\.|"/gs)) if (quote === '"') inside = !inside;
			if (at === texts.length - 1) return text;
			return text + (inside ? `${begin}${at}${end}` : `"${beginBare}${at}${end}"`);
		})
		.join('');
}

/** A value inside quotes; somebody may have escaped it for JSON. */
function insideQuotes(value: unknown): string {
	const text = String(value ?? '');
	try {
		return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
	} catch {
		return text;
	}
}

/**
 * Reads JSON text whose author left gaps for expressions. The structure is what the author wrote: whatever a value
 * holds, it ends where its gap ends. Somebody else's text may not add a recipient.
 * @param value what n8n made of it; returned as it is if it has no gaps
 * @throws InvalidValue if it is no JSON, or, for an AI tool, if its structure is not written
 */
export function filledIn(
	source: Source,
	written: unknown,
	value: unknown,
	label: () => string,
): unknown {
	if (typeof value !== 'string' || !isExpression(written)) return value;
	const pieces = source.pieces(written);
	if (!pieces) {
		if (!source.asTool || /^=\{\{\s*(?:\/\*.*?\*\/\s*)?\$fromAI\([^()]*\)\s*\}\}$/s.test(written))
			return value;
		throw new InvalidValue(
			label(),
			'is one expression, so an AI model could change all of it. Write the JSON as text, with an expression for each value',
		);
	}
	const { texts } = pieces;
	const values = pieces.values();
	const bare = (at: number): unknown => {
		const given = values[at];
		return typeof given === 'string' ? asJson(given, label()) : (given ?? null);
	};
	const entriesOf = (entry: unknown): unknown[] => {
		const [, at] = (typeof entry === 'string' && bareMark.exec(entry)) || [];
		const given = at === undefined ? undefined : values[Number(at)];
		if (typeof given !== 'string') return [fill(entry)];
		// Several values, as `join(',')` makes them.
		return asJson(`[${given}]`, label()) as unknown[];
	};
	const text = (of: string): string =>
		of.replace(marked, (_, at: string) => insideQuotes(values[Number(at)]));
	const fill = (of: unknown): unknown => {
		if (Array.isArray(of)) return of.flatMap(entriesOf);
		if (isPlainObject(of)) return mapKeys(mapValues(of, fill), (_, key) => text(key));
		if (typeof of !== 'string') return of;
		const [, at] = bareMark.exec(of) ?? [];
		return at === undefined ? text(of) : bare(Number(at));
	};
	return fill(asJson(withMarks(texts), label()));
}

export const asWritten: NonNullable<Behavior<unknown>['valueIn']> = (value, source, name, label) =>
	filledIn(source, source.written(name), value, label);

/** A parameter that may be a list in JSON, or text. */
export const listAsWritten: NonNullable<Behavior<unknown>['valueIn']> = (value, ...more) =>
	typeof value === 'string' && value.trim().startsWith('[') ? asWritten(value, ...more) : value;
