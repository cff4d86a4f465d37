import { createRequire } from 'node:module';
import lodash from 'lodash';
import { cell, code, table } from './markdown.mjs';

const { fieldsOf, guessedIn } = createRequire(import.meta.url)(
	'../../dist/nodes/engine/operation/places.js',
);

/** Where a node's page is, from `docs/`. */
export const pageOf = (node) => `nodes/${node.name}.md`;

/** Resources without Other Endpoint, which every node has. */
const resourcesOf = (node) => node.resources.filter(({ value }) => value !== 'otherEndpoint');

/** `docs/nodes/README.md`: what each node is for, then its resources with their operations. */
export function nodeTable(nodes) {
	const link = (node) => `[${node.description.displayName}](${node.name}.md)`;
	const rows = nodes.flatMap((node) =>
		resourcesOf(node).map((resource, index) => [
			index === 0 ? link(node) : '',
			resource.label,
			resource.operations.map(({ operation }) => operation.name).join(', '),
		]),
	);
	return `${table(
		['Node', 'What it does'],
		nodes.map((node) => [link(node), cell(ended(node.description.description))]),
	)}

## All operations

${table(['Node', 'Resource', 'Operations'], rows)}

Every node in this table also has the resource **Other Endpoint** with the operation **API Request**. It calls any endpoint of
the platform with the same credential, pace, retries and messages. [Coverage](../reference/coverage.md) lists the endpoint of
each operation and the source of what is known about it.`;
}

/** What goes into a parameter, in a few words. */
function kind({ type, typeOptions = {}, options = [], modes = [] }) {
	const names = options.map(({ name }) => name);
	// Countries: the dropdown has a search, a page has none.
	const many = names.length > 40;
	const values = many ? `${names.length} values, ${names[0]} to ${names.at(-1)}` : names.join(', ');
	const { minValue: least, maxValue: most, password, dateOnly } = typeOptions;
	const bounds =
		least === undefined ? most && `up to ${most}` : `${least} ${most ? `to ${most}` : 'or more'}`;
	const list = modes.some((mode) => mode.type === 'list');
	const words = {
		string: password ? 'text, hidden' : 'text',
		number: bounds ? `number, ${bounds}` : 'number',
		boolean: 'on or off',
		options: values ? `one of: ${values}` : 'chosen from a list',
		multiOptions: values ? `several of: ${values}` : 'several, chosen from a list',
		dateTime: dateOnly ? 'date' : 'date and time',
		json: 'JSON',
		resourceLocator: list ? 'chosen from a list, or an ID' : 'an ID',
		resourceMapper: 'fields loaded from your workspace',
		fixedCollection: 'rows',
		collection: 'fields',
	};
	return words[type] ?? type;
}

/** What counts while nobody changes it; of a field that has to be added, only an option's. */
function preset({ type, default: first, options = [] }) {
	const name = type === 'options' ? options.find(({ value }) => value === first)?.name : undefined;
	const shown = type === 'number' ? first : type === 'boolean' && first ? 'on' : name;
	return shown === undefined || shown === '' ? '' : `; default: ${shown}`;
}

const ended = (text) => text.replace(/\.?$/, '.');

/** Groups whose fields stand in a table as if they had none. */
const transparent = new Set(['additionalFields', 'updateFields', 'filters']);

/**
 * Rows of a parameter table; nested ones carry the names of those above. Options are described once per page, and so
 * are groups of fields that stand in several operations.
 * @param {Map<string, string>} known where each group was described on this page
 */
function rowsOf(properties, known, above = '', place = '') {
	return properties.flatMap((property) => {
		const { type, name: stored, required, description, hint, options = [] } = property;
		if (type === 'notice' || (above === '' && stored === 'options')) return [];
		const name = `${above}${property.displayName}`;
		const counts = ['', 'Options › ', 'Advanced › '].includes(above);
		const inside =
			{ collection: options, fixedCollection: options.flatMap(({ values }) => values) }[type] ?? [];
		const below = () => rowsOf(inside, known, `${name} › `, place);
		if (transparent.has(stored)) return below();
		const texts = [description, hint].filter(Boolean).map((text) => text.replace(/<[^>]+>/g, ''));
		const text = cell([...new Set(texts.map(ended))].join(' '));
		const head = [
			`${required ? `**${cell(name)}**` : cell(name)}<br>${code(stored)}`,
			cell(kind(property) + (counts ? preset(property) : '')),
		];
		const group = inside.length < 3 ? undefined : JSON.stringify(inside);
		if (known.has(group))
			return [[...head, `${text} The fields are those of ${known.get(group)}.`.trim()]];
		if (group) known.set(group, place === '' ? cell(name) : `${place}, ${cell(name)}`);
		return [[...head, text], ...below()];
	});
}

/** Parameters that say under which guessed names they are sent, inside collections and rows too. */
function withGuesses(properties, operation, fields = fieldsOf(operation), above = []) {
	const isGuessed = (path) => guessedIn(operation, lodash.set({}, path, '')).length > 0;
	return properties.map((property) => {
		const placed = fields.find(({ name }) => name === property.name);
		const path = [...above, ...(placed?.path ?? [])];
		const inside = placed?.field.inside ?? [];
		const columns = property.type === 'resourceMapper' ? inside : [];
		const names = [...(placed ? [path] : []), ...columns.map((one) => [...path, ...one.path])]
			.filter(isGuessed)
			.map((one) => `"${one.at(-1)}"`);
		const hints = [property.hint, names.length > 0 && `Beta: sent as ${names.join(', ')}`];
		const below = (list) => withGuesses(list, operation, placed ? inside : fields, path);
		return {
			...property,
			hint: hints.filter(Boolean).map(ended).join(' '),
			...(property.type === 'collection' && { options: below(property.options) }),
			...(property.type === 'fixedCollection' && {
				options: property.options.map((one) => ({ ...one, values: below(one.values) })),
			}),
		};
	});
}

/** What most readers need not see: on the page, and folded. */
const folded = (summary, text) =>
	`<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`;

/** The parameters of an operation, folded below their names. */
function parameterTable(properties, known, place) {
	const rows = rowsOf(properties, known, '', place);
	if (rows.length === 0) return 'No parameters of its own.';
	const names = properties
		.filter(({ name, type }) => type !== 'notice' && name !== 'options')
		.map(({ displayName }) => cell(displayName));
	return folded(
		`Parameters: ${names.join(', ')}`,
		table(['Parameter', 'Value', 'What it is'], rows),
	);
}

const quote = (notice) => (notice ? `\n\n> ${notice.replace(/<[^>]+>/g, '')}` : '');

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

const listed = (options) =>
	`Options: ${options
		.map(({ displayName }) => cell(displayName))
		.sort()
		.join(', ')}`;

/** The generated part of a trigger's page. */
function triggerPage(properties) {
	const known = new Map();
	const heads = ['Parameter', 'Value', 'What it is'];
	const options = properties.find(({ name }) => name === 'options')?.options ?? [];
	return `## Parameters

Required parameters are bold. Below each name is the one that workflows store.

${table(heads, rowsOf(properties, known))}

### Options

${table(heads, rowsOf(options, known, 'Options › '))}`;
}

/** The generated part of a node's page. @param {import('../operations.cjs').NodeEntry} node */
export function nodePage(node) {
	const { properties } = node.description;
	if (node.resources.length === 0) return triggerPage(properties);
	const known = new Map();
	const options = properties
		.filter(({ name }) => name === 'options')
		.flatMap(({ options: list }) => list)
		.sort((one, other) => one.displayName.localeCompare(other.displayName))
		.filter(({ name }, index, all) => all.findIndex((one) => one.name === name) === index);
	const { apiRequest } = node.resources.find(({ value }) => value === 'otherEndpoint');
	const titleOf = (resource, operation) => `${resource.label}: ${operation.name}`;
	/** What people do with a resource, one line each, as n8n's node panel says it. */
	const overview = (resource) => {
		const actions = resource.operations.map(
			({ operation }) => `- [${operation.action}](#${anchorOf(titleOf(resource, operation))})`,
		);
		return `**${resource.label}**\n\n${actions.join('\n')}`;
	};
	const details = (resource) => {
		const described = resource.description ? `\n\n${ended(resource.description)}` : '';
		const operations = resource.operations.map(({ operation, parameters }) => {
			const notices = parameters.filter(({ type }) => type === 'notice');
			const tool = operation.tool === false ? ' Not offered to AI agents.' : '';
			const text = `${ended(operation.description ?? operation.action)}${tool}${notices
				.map(({ displayName }) => quote(displayName))
				.join('')}`;
			const title = titleOf(resource, operation);
			return `#### ${title}\n\n${text}\n\n${parameterTable(withGuesses(parameters, operation), known, title)}`;
		});
		return [`### ${resource.label}${described}`, ...operations].join('\n\n');
	};
	return `## What you can do

${resourcesOf(node).map(overview).join('\n\n')}

**Other Endpoint**

- [Any request](#api-request) that has no operation of its own

Many operations share the [options](#options) at the end of this page.

## Operations and their parameters

Open the parameters of an operation to see them. Required ones are bold. Below each name is the one that workflows store.

${resourcesOf(node).map(details).join('\n\n')}

### API Request

The operation of *Other Endpoint*. It sends any method and path to your workspace. [What is not possible yet](../what-is-not-possible.md)
says what to do instead.${quote(apiRequest.operation.notice)}

${parameterTable(apiRequest.parameters, known)}

### Options

${folded(listed(options), table(['Option', 'Value', 'What it does'], rowsOf(options, known)))}`;
}
