import { NodeConnectionTypes, type INodeTypeDescription, type NodeHint } from 'n8n-workflow';
import { pickBy, uniq } from 'lodash';
import type { Operation } from '../operation/operation';
import type { Resource } from '../operation/resource';
import { longRun, sendsPerSecond } from '../platform/paceLimits';
import { inSentence } from '../text/text';

/** "createFromItems" → "create from items", as the expression does it. */
const spoken = (value: string): string => value.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

/** Names whose words are not those of their label; none where one value has two labels. */
function renamed(names: Array<[value: string, label: string]>): Record<string, string> {
	const labels = (value: string) =>
		uniq(names.filter(([one]) => one === value).map(([, label]) => inSentence(label)));
	const pairs = uniq(names.map(([value]) => value)).map((value): [string, string | undefined] => {
		const [label, other] = labels(value);
		return [value, label === spoken(value) || other !== undefined ? undefined : label];
	});
	return Object.fromEntries(
		pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
	);
}

/** "create from items: listing", under a node's name. An expression, kept short, because n8n takes no function. */
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

/** What the editor says before a run that would send very many: n8n shows a run's own hints only at its end. */
export const hintsBeforeRuns = (resources: Resource[]): NodeHint[] =>
	resources.flatMap(({ value, operations }) =>
		Object.entries(pickBy(operations, 'forMany')).map(([name, { forMany }]): NodeHint => ({
			type: 'info',
			location: 'outputPane',
			whenToDisplay: 'beforeExecution',
			displayCondition: `={{ $parameter["resource"] === "${value}" && $parameter["operation"] === "${name}" && $input.all().length >= ${longRun} }}`,
			message: `You are about to send more than ${longRun - 1} items. At ${sendsPerSecond} per second, 1000 take more than ${Math.floor(1000 / sendsPerSecond / 60)} minutes and 10,000 more than ${Math.floor(10_000 / sendsPerSecond / 60)} minutes. ${forMany}`,
		})),
	);

/** Whoever an operation leaves out, of those whom it could reach, leaves by an output of its own. */
export const hasSkipped = ({ reaches }: Operation): boolean => reaches !== undefined;

/** One output, or *Kept* and *Skipped* where people are reached: then an expression decides by the operation. */
export function outputsOf(resources: Resource[]): INodeTypeDescription['outputs'] {
	const chosen = resources.flatMap(({ value, operations }) =>
		Object.keys(pickBy(operations, hasSkipped)).map((operation) => `${value}.${operation}`),
	);
	const two = ['Kept', 'Skipped'].map((displayName) => ({
		type: NodeConnectionTypes.Main,
		displayName,
	}));
	if (chosen.length === 0) return [NodeConnectionTypes.Main];
	return `={{ ${JSON.stringify(chosen)}.includes($parameter["resource"] + "." + $parameter["operation"]) ? ${JSON.stringify(two)} : ["main"] }}`;
}
