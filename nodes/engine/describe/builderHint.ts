import type { IBuilderHint, INodeProperties } from 'n8n-workflow';
import { resourcesOf } from '../apiRequest/apiRequest';
import type { Resource } from '../operation/resource';
import { outputs } from './outputs';

/** What n8n's AI builder is told of a node beside its parameters. */
export interface ForBuilders {
	/** Shown with the node when it is searched; whole sentences. */
	searchHint: string;
	/** Names of other nodes of this package, and what for. */
	relatedNodes?: Record<string, string>;
}

const packageName = 'n8n-nodes-agent-conversation-platform';

/** Search hint and related nodes, as n8n wants them. */
export const found = ({ searchHint, relatedNodes = {} }: ForBuilders): IBuilderHint => ({
	searchHint,
	relatedNodes: Object.entries(relatedNodes).map(([name, relationHint]) => ({
		nodeType: `${packageName}.${name}`,
		relationHint,
	})),
});

/** The same for a trigger, with what it returns. */
export const ofTrigger = (hint: ForBuilders, output: string): IBuilderHint => ({
	...found(hint),
	extraTypeDefContent: [{ content: `@output ${output}` }],
});

const typeOf = ({ type, options = [] }: INodeProperties): string => {
	const values = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
	return type === 'options' && values.length > 0
		? values.join(' | ')
		: type === 'number' || type === 'boolean'
			? type
			: 'string';
};

const firstSentence = (text = ''): string => text.split(/(?<=\.) /)[0] ?? '';

/** Every option of a node once, because each operation lists only their names (`inShort`). */
function optionsOnce(properties: INodeProperties[]): string {
	const lines = properties
		.filter(({ name, options }) => name === 'options' && options)
		.flatMap(({ options }) => options as INodeProperties[])
		.map((option) => {
			const { name, default: preset, description } = option;
			return `${name}: ${typeOf(option)}${preset === '' || typeof preset === 'object' ? '' : ` = ${String(preset)}`}. ${firstSentence(description)}`;
		});
	return [...new Set(lines)].sort((a, b) => a.localeCompare(b)).join('\n');
}

/** What holds for every `@output`, once per node: names and clocks that are guessed look like empty answers. */
const readingOutputs = [
	'@output: fields of one item with simplify: true; text unless a type follows. With simplify: false names differ; ' +
		'no known source shows what a plain object or list holds: run once.',
	'Times: 2026-11-24T09:00:00+03:00. DateTime.fromISO(text, { setZone: true }) keeps their hour.',
].join('\n');

/** From here on an output is named after the operation that has it, too. */
const longOutput = 60;

/** @param places where long outputs are already written; gets further ones */
function outputOnce(known: Record<string, string>, place: string, places: Map<string, string>) {
	const output = known[place];
	if (!output || output.length < longOutput) return output;
	const before = places.get(output);
	if (!before) places.set(output, place);
	return before ? `as ${before}` : output;
}

interface Variation {
	content: string;
	resource: string[];
	operation: string[];
}

/** Variations that differ in one condition alone become one. */
function together(variations: Variation[], by: 'resource' | 'operation'): Variation[] {
	const found = new Map<string, Variation>();
	for (const one of variations) {
		const key = JSON.stringify({ ...one, [by]: [] });
		const before = found.get(key);
		found.set(key, before ? { ...before, [by]: [...before[by], ...one[by]] } : one);
	}
	return [...found.values()];
}

/**
 * What n8n's AI builder reads of a node that acts: each option once, and for every operation its own description, where
 * n8n shows another one, and its output.
 * @param name of the node
 * @param properties of the node, as `describe` returns them
 */
export function builderHint(
	name: string,
	resources: Resource[],
	properties: INodeProperties[],
	hint: ForBuilders,
): IBuilderHint {
	const described = new Map<string, string | undefined>();
	const known = outputs[name] ?? {};
	const places = new Map<string, string>();
	const operations = properties.filter((property) => property.name === 'operation');
	const variations = operations.flatMap(({ options = [], displayOptions }) => {
		const [resource] = displayOptions?.show?.resource as string[];
		const { description: ofResource } =
			resourcesOf(resources).find(({ value }) => value === resource) ?? {};
		return options.flatMap((option) => {
			if (!('value' in option)) return [];
			const operation = String(option.value);
			// n8n shows the resource's description; without one, that of the first operation with this value.
			if (!described.has(operation)) described.set(operation, option.description);
			const shown = ofResource ?? described.get(operation);
			const output = outputOnce(known, `${String(resource)}.${operation}`, places);
			const content = [
				...(shown === option.description ? [] : [option.description]),
				...(output ? [`@output ${output}`] : []),
			].join('\n');
			return content === ''
				? []
				: [{ content, resource: [resource as string], operation: [operation] }];
		});
	});
	return {
		...found(hint),
		extraTypeDefContent: [
			{
				content: `${readingOutputs}\nKeys of options:\n${optionsOnce(properties)}`,
			},
			...together(together(variations, 'resource'), 'operation').map(({ content, ...show }) => ({
				content,
				displayOptions: { show },
			})),
		],
	};
}
