import { isString, uniq } from 'lodash';
import type { Resource } from '../operation/resource';
import { inSentence } from '../text/text';

/** "createFromItems" → "create from items", as the expression does it. */
const words = (value: string): string => value.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

/** Names whose words are not those of their label; none where one value has two labels. */
function renamed(names: Array<[value: string, label: string]>): Record<string, string> {
	const labels = (value: string) =>
		uniq(names.filter(([one]) => one === value).map(([, label]) => inSentence(label)));
	const pairs = uniq(names.map(([value]) => value)).map((value): [string, string | undefined] => {
		const [label, other] = labels(value);
		return [value, label === words(value) || other !== undefined ? undefined : label];
	});
	return Object.fromEntries(pairs.filter((pair): pair is [string, string] => isString(pair[1])));
}

/**
 * What the canvas shows under a node's name, in the words of its lists: "create from items: listing". An expression, because
 * n8n takes no function; what holds for most names is worked out by it, so that it stays short.
 */
export function subtitleOf(resources: Resource[]): string {
	const names = resources.flatMap(({ value, label, operations }) => [
		[value, label] as [string, string],
		...Object.entries(operations).map(([one, { name }]): [string, string] => [one, name]),
	]);
	// Single quotes: in the JSON that the editor loads, others take two characters.
	const map = Object.entries(renamed(names)).map(([value, label]) => `${value}:'${label}'`);
	return (
		`={{ [$parameter.operation, $parameter.resource].map((n) => ({${map.join(',')}})[n] ?? ` +
		"n.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()).join(': ') }}"
	);
}
