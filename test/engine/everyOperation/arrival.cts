/** Whether what was filled in is in the request: each value under its field's name, or a text anywhere. */
import { camelCase } from 'lodash';

type Leaf = [path: string[], value: unknown];

const leavesOf = (value: unknown, path: string[] = []): Leaf[] => {
	if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, path));
	if (value === null || typeof value !== 'object') return [[path, value]];
	if ('__rl' in value) return leavesOf((value as { value?: unknown }).value, path);
	if ('mappingMode' in value) return leavesOf((value as { value?: unknown }).value, path);
	return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
};

/** Groups of the editor, which the platform does not know. */
const groups = new Set(['additionalFields', 'updateFields', 'filters', 'options', 'values']);
const nameOf = (path: string[]): string =>
	camelCase(path.filter((name) => !groups.has(name)).join(' ')).toLowerCase();

/** What a text stands for: JSON, a phone number, a list, or itself. */
const meant = (value: unknown): unknown[] => {
	if (typeof value !== 'string') return [value];
	if (/^[[{]/.test(value)) return leavesOf(JSON.parse(value)).map(([, inner]) => inner);
	if (/^\+[\d ()-]+$/.test(value)) return [value.replace(/[^+\d]/g, '')];
	return value.split(/, |\n/);
};

/** @returns the names of the parameters with a value that none of the requests has */
export function lost(
	filled: object,
	requests: Array<{ path: string; query: object; body: unknown }>,
): string[] {
	const sent = leavesOf(requests.map(({ query, body }) => [query, body]));
	const all = JSON.stringify(
		requests.map(({ path, query, body }) => [decodeURIComponent(path), query, body]),
	);
	// The ledger masks what is secret.
	const under = (name: string, value: unknown): boolean =>
		sent.some(
			([path, other]) =>
				nameOf(path).endsWith(name) && ['***', String(value)].includes(String(other)),
		);
	const arrived = (name: string, value: unknown): boolean =>
		(typeof value === 'string' && all.includes(JSON.stringify(value).slice(1, -1))) ||
		under(name, value);
	return leavesOf(filled)
		.filter(([path, value]) => !meant(value).every((one) => arrived(nameOf(path.slice(-1)), one)))
		.map(([path]) => path.join('.'));
}
