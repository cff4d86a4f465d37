import { trim } from 'lodash';
import { type IDataObject, isExpression } from 'n8n-workflow';
import { words } from '../text/text';

/** Stands for a value that only n8n can resolve. */
export const leftToN8n = Symbol('left to n8n');

/** Returns what n8n would return for a parameter of an item, or `leftToN8n`. */
export type Plain = (json: IDataObject) => unknown;

/** The path of a value in an item: `$json.a["b c"]` is `['a', 'b c']`. */
type Path = string[];

/** n8n refuses or rereads them (n8n-workflow: `utils.ts`, `expression-sandboxing.ts`, `@n8n/tournament`), or all objects have them. */
const namesOfN8n = new Set([
	...Object.getOwnPropertyNames(Object.prototype),
	...words(
		'_linkedBinding _load arguments binding callee caller defineProperties defineProperty dlopen execve ' +
			'getBuiltinModule getOwnPropertyDescriptor getOwnPropertyDescriptors getPrototypeOf isProxy length ' +
			'loadEnvFile mainModule prepareStackTrace process prototype self setPrototypeOf this window',
	),
]);

const isPlainName = (name: string): boolean => !namesOfN8n.has(name) && !name.startsWith('global');

/** What n8n reads in the text around the braces, or in names, as more than text. */
const moreThanText = /\\|constructor|\$if|\.\w+\s*(?:\?\.\s*)?\(/;

const step = /\.([A-Za-z_]\w*)|\[(?:"([^"\p{Cc}\u2028\u2029]*)"|'([^'\p{Cc}\u2028\u2029]*)')\]/uy;

/** Reads what is between braces. @returns nothing if it is more than the path of a value */
function pathOf(code: string): Path | undefined {
	const [, steps] = /^\$json(\S[^]*)$/.exec(trim(code, ' \t\r\n')) ?? [];
	if (steps === undefined) return undefined;
	const path: Path = [];
	step.lastIndex = 0;
	while (step.lastIndex < steps.length) {
		const found = step.exec(steps);
		const name = found?.[1] ?? found?.[2] ?? found?.[3];
		if (name === undefined || !isPlainName(name)) return undefined;
		path.push(name);
	}
	return path;
}

/** Text and code in turns, split at the braces as n8n does; what is not closed stays text. */
export function piecesOf(text: string): string[] {
	const pieces: string[] = [];
	for (let at = 0; ;) {
		const open = text.indexOf('{{', at);
		const close = open < 0 ? -1 : text.indexOf('}}', open);
		if (close < 0) return [...pieces, text.slice(at)];
		pieces.push(text.slice(at, open), text.slice(open + 2, close));
		at = close + 2;
	}
}

/** The parts of a text that expressions fill in, each in its braces. */
export const expressionsIn = (text: string): string[] =>
	piecesOf(text).flatMap((piece, at) => (at % 2 === 1 ? `{{${piece}}}` : []));

/** @returns nothing if a part is more than the path of a value */
function partsOf(text: string): Array<string | Path> | undefined {
	const parts = piecesOf(text).map((piece, at) => (at % 2 === 1 ? pathOf(piece) : piece));
	const isPlain = !parts.includes(undefined) && !parts.at(-1)?.includes('{{');
	return isPlain ? (parts as Array<string | Path>).filter((part) => part !== '') : undefined;
}

/** Whether a value is an object like those in JSON; cheap, because it is asked for every expression and item. */
function isObject(value: unknown): value is IDataObject {
	if (typeof value !== 'object' || value === null) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null;
}

/** A value of an item as it is; only text, numbers, switches and nothing read the same in every engine of n8n. */
function valueAt(json: IDataObject, path: Path): unknown {
	let value: unknown = json;
	for (const [index, name] of path.entries()) {
		if (!isObject(value)) return leftToN8n;
		if (!Object.hasOwn(value, name)) return index === path.length - 1 ? undefined : leftToN8n;
		value = value[name];
	}
	if (value === null || value === undefined) return value;
	if (typeof value === 'string' || typeof value === 'boolean') return value;
	return Number.isFinite(value) ? value : leftToN8n;
}

function plainText(parts: Array<string | Path>): Plain {
	return (json) => {
		let text = '';
		for (const part of parts) {
			const value = typeof part === 'string' ? part : valueAt(json, part);
			if (value === leftToN8n) return leftToN8n;
			text += String(value ?? '');
		}
		return text;
	};
}

function plainLeaf(raw: string): Plain | undefined {
	if (moreThanText.test(raw)) return undefined;
	const parts = partsOf(raw.slice(1));
	if (!parts) return undefined;
	const [only] = parts;
	return parts.length === 1 && Array.isArray(only)
		? (json) => valueAt(json, only)
		: plainText(parts);
}

const isFixed = (raw: unknown): boolean =>
	raw !== null && typeof raw === 'object' ? Object.values(raw).every(isFixed) : !isExpression(raw);

const frozen = <T>(value: T): T => {
	if (value === null || typeof value !== 'object') return value;
	Object.values(value).forEach(frozen);
	return Object.freeze(value);
};

/** n8n takes a millisecond per expression and item. What all items share is frozen. @returns nothing if it does more */
export function understand(raw: unknown): Plain | undefined {
	if (isExpression(raw)) return plainLeaf(raw);
	if (raw === null || typeof raw !== 'object') return () => raw;
	if (Object.hasOwn(raw, '__proto__')) return undefined;
	const inside: Array<[string, Plain]> = [];
	for (const [key, value] of Object.entries(raw)) {
		const plain = understand(value);
		if (!plain) return undefined;
		inside.push([key, plain]);
	}
	if (isFixed(raw)) {
		const fixed = frozen(structuredClone(raw));
		return () => fixed;
	}
	return (json) => {
		const filled = (Array.isArray(raw) ? [] : {}) as IDataObject;
		for (const [key, plain] of inside) {
			const value = plain(json);
			if (value === leftToN8n) return leftToN8n;
			filled[key] = value as string;
		}
		return filled;
	};
}
