import type { IBuilderHint, INodeProperties } from 'n8n-workflow';
import { difference, groupBy, map, uniq, upperFirst } from 'lodash';
import type { Resource } from '../operation/resource';
import { advanced } from '../operation/runOptions';
import { optionsOf } from './options';
import { outputs } from './outputs';
import { byLabel } from './parameter';
import { addTo, conditions, type Operations } from './sharing';

export interface ForBuilders {
	searchHint: string;
	relatedNodes?: Record<string, string>;
}

const packageName = 'n8n-nodes-agent-conversation-platform';

export const found = ({ searchHint, relatedNodes = {} }: ForBuilders): IBuilderHint => ({
	searchHint,
	relatedNodes: Object.entries(relatedNodes).map(([name, relationHint]) => ({
		nodeType: `${packageName}.${name}`,
		relationHint,
	})),
});

export const ofTrigger = (hint: ForBuilders, output: string): IBuilderHint => ({
	...found(hint),
	extraTypeDefContent: [{ content: `@output ${output}` }],
});

const kindOf = ({ type, options = [] }: INodeProperties): string => {
	const values = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
	if (type === 'options' && values.length > 0) return values.join(' | ');
	return type === 'number' || type === 'boolean' ? type : '';
};

const presetOf = ({ default: preset }: INodeProperties): string =>
	!preset || typeof preset === 'object' || preset === '{}' ? '' : ` = ${String(preset)}`;

/** The beginning of a description, without the words that every switch begins with. */
const inBrief = (text = ''): string =>
	upperFirst(text.replace(/^Whether (?:to )?/, '').split(/[.;] /)[0]);

function commonStart(texts: string[]): string {
	const [first = '', ...others] = texts;
	const words = first.split(/(?<= )/);
	const end = words.findIndex((_, at) => {
		const start = words.slice(0, at + 1).join('');
		return !others.every((text) => text.startsWith(start));
	});
	return words.slice(0, end === -1 ? words.length : end).join('');
}

const explained = ['reachEachPerson'];

/** What the choices mean: "ownKey: Once for each 'Request Key'". */
const choicesOf = ({ name, options = [] }: INodeProperties): string[] =>
	options.flatMap((one) =>
		explained.includes(name) && 'value' in one && one.description
			? [`${String(one.value)}: ${inBrief(one.description)}`]
			: [],
	);

/** One option with all that it means in a node: "Maximum calls that one run waits for in parallel = 50 / requests in parallel = 64". */
function optionLine(path: string, alike: INodeProperties[]): string {
	const choices = uniq(alike.flatMap(choicesOf));
	const [kind = ''] = choices.length > 0 ? [] : alike.map(kindOf);
	const presets = uniq(alike.map(presetOf));
	const [preset = ''] = presets.length === 1 ? presets : [];
	const texts = uniq(alike.map((one) => inBrief(one.description) + (preset ? '' : presetOf(one))));
	const start = texts.length > 1 ? commonStart(texts) : '';
	const told = start + texts.map((text) => text.slice(start.length)).join(' / ');
	return [`${path}${kind && `: ${kind}`}${preset}. ${told}`, ...choices].join('; ');
}

/** Every option of a node once, because an operation names only those that not every operation has. */
const optionsOnce = (options: INodeProperties[], above = ''): string[] =>
	Object.entries(groupBy(options, 'name'))
		.flatMap(([name, alike]) => {
			const inside = alike.flatMap((one) => (one.type === 'collection' ? one.options : []));
			return inside.length > 0
				? optionsOnce(inside as INodeProperties[], `${name}.`)
				: optionLine(`${above}${name}`, alike);
		})
		.sort((a, b) => a.localeCompare(b));

/** Options that every operation has, or every one that writes, or that few people need. */
const usual = [...advanced, 'preview', 'timezone'];

/** What holds for every `@output`, once per node: names and clocks that are guessed look like empty answers. */
const readingOutputs = [
	'@output: one item with simplify: true; text unless a type or values follow. With simplify: false names differ. ' +
		'Run once to see what an object, a list or {…} holds. Who is skipped leaves by output 1: {phone_number, reason, message} and the input. ' +
		'Preview: {phone_number, text, request: {body}} each. On Error Continue: the input and {error, errorDescription, errorCode, errorField, errorOutcome, errorItem}.',
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

/** What n8n's AI builder reads: each option once, and of every operation its description, output and options. */
export function builderHint(
	name: string,
	own: Resource[],
	properties: INodeProperties[],
	hint: ForBuilders,
): IBuilderHint {
	const resources = [...own].sort(byLabel);
	const offered = properties.flatMap(({ name: of, options = [] }) =>
		of === 'options' ? options : [],
	);
	const all = resources.flatMap(({ value, description, operations }) =>
		Object.entries(operations).map(([operation, declared]) => ({
			resource: value,
			operation,
			ofResource: description,
			description: declared.description ?? declared.action,
			options: difference(map(optionsOf(declared), 'name'), usual),
		})),
	);
	const described = new Map<string, string>();
	const known = outputs[name] ?? {};
	const places = new Map<string, string>();
	const contents = new Map<string, Operations>();
	for (const { resource, operation, ofResource, description, options } of all) {
		// n8n shows the resource's description; without one, that of the first operation with this value.
		if (!described.has(operation)) described.set(operation, description);
		const shown = ofResource ?? described.get(operation);
		const output = outputOnce(known, `${resource}.${operation}`, places);
		const content = [
			...(shown === description ? [] : [description]),
			...(output ? [`@output ${output}`] : []),
			...(options.length > 0 ? [`@options ${options.join(', ')}`] : []),
		].join('\n');
		contents.set(content, addTo(contents.get(content) ?? new Map(), resource, operation));
	}
	return {
		// n8n gives all of a community node for each operation that is asked for.
		...found({
			...hint,
			searchHint: `${hint.searchHint} Read its definition once: it holds all operations.`,
		}),
		extraTypeDefContent: [
			{
				content: [
					readingOutputs,
					'Options: timezone, advanced, preview if it writes, and @options:',
					...optionsOnce(offered as INodeProperties[]),
				].join('\n'),
			},
			...[...contents].flatMap(([content, by]) =>
				content === ''
					? []
					: conditions(resources, by).map((displayOptions) => ({ content, displayOptions })),
			),
		],
	};
}
