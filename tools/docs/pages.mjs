import { cell, code, table } from './markdown.mjs';

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

const bounds = ({ minValue, maxValue } = {}) =>
	minValue !== undefined && maxValue !== undefined
		? `, ${minValue} to ${maxValue}`
		: minValue !== undefined
			? `, ${minValue} or more`
			: maxValue !== undefined
				? `, up to ${maxValue}`
				: '';

/** What goes into a parameter, in a few words. */
function kind(property) {
	const values = () => {
		const names = (property.options ?? []).map(({ name }) => name);
		// Countries: the dropdown has a search, a page has none.
		return names.length > 40
			? `${names.length} values, ${names[0]} to ${names.at(-1)}`
			: names.join(', ');
	};
	switch (property.type) {
		case 'string':
			return property.typeOptions?.password ? 'text, hidden' : 'text';
		case 'number':
			return `number${bounds(property.typeOptions)}`;
		case 'boolean':
			return 'on or off';
		case 'options':
			return values() ? `one of: ${values()}` : 'chosen from a list';
		case 'multiOptions':
			return values() ? `several of: ${values()}` : 'several, chosen from a list';
		case 'dateTime':
			return property.typeOptions?.dateOnly ? 'date' : 'date and time';
		case 'json':
			return 'JSON';
		case 'resourceLocator':
			return property.modes.some(({ type }) => type === 'list')
				? 'chosen from a list, or an ID'
				: 'an ID';
		case 'resourceMapper':
			return 'fields loaded from your workspace';
		case 'fixedCollection':
			return 'rows';
		case 'collection':
			return 'fields';
		default:
			return property.type;
	}
}

const ended = (/** @type {string} */ text) => text.replace(/\.?$/, '.');

const transparent = new Set(['additionalFields', 'updateFields', 'filters']);

/**
 * Rows of a parameter table; nested ones carry the names of those above. Options are described
 * once per page, and so are
 * groups of fields that stand in several operations.
 * @param {Map<string, string>} known where each group was described on this page
 */
function rowsOf(properties, known, above = '', place = '') {
	return properties.flatMap((property) => {
		if (property.type === 'notice' || (above === '' && property.name === 'options')) return [];
		const name = `${above}${property.displayName}`;
		const texts = new Set(
			[property.description, property.hint]
				.filter(Boolean)
				.map((text) => ended(text.replace(/<[^>]+>/g, ''))),
		);
		const row = [
			`${property.required ? `**${cell(name)}**` : cell(name)}<br>${code(property.name)}`,
			cell(kind(property)),
			cell([...texts].join(' ')),
		];
		const inside =
			property.type === 'collection'
				? property.options
				: property.type === 'fixedCollection'
					? property.options.flatMap(({ values }) => values)
					: [];
		if (transparent.has(property.name)) return rowsOf(inside, known, `${name} › `, place);
		if (inside.length < 3) return [row, ...rowsOf(inside, known, `${name} › `, place)];
		const group = JSON.stringify(inside);
		const described = known.get(group);
		if (described !== undefined)
			return [[...row.slice(0, 2), `${row[2]} The fields are those of ${described}.`.trim()]];
		known.set(group, place === '' ? cell(name) : `${place}, ${cell(name)}`);
		return [row, ...rowsOf(inside, known, `${name} › `, place)];
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

const quote = (notice) => (notice ? `\n\n> ${notice}` : '');

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

/** What people do with a resource, one line each, as n8n's node panel says it. */
function overview(resource) {
	const actions = resource.operations.map(
		({ operation }) =>
			`- [${operation.action}](#${anchorOf(`${resource.label}: ${operation.name}`)})`,
	);
	return `**${resource.label}**\n\n${actions.join('\n')}`;
}

/** The generated part of a trigger's page. */
function triggerPage(properties) {
	const heads = ['Parameter', 'Value', 'What it is'];
	const known = new Map();
	const own = properties.filter(({ name }) => name !== 'options');
	const options = properties.find(({ name }) => name === 'options')?.options ?? [];
	return `## Parameters

Required parameters are bold. Below each name is the one that workflows store.

${table(heads, rowsOf(own, known))}

### Options

${table(heads, rowsOf(options, known, 'Options › '))}`;
}

/** The generated part of a node's page. @param {import('../operations.cjs').NodeEntry} node */
export function nodePage(node) {
	const { properties } = node.description;
	if (node.resources.length === 0) return triggerPage(properties);
	const known = new Map();
	const options = new Map(
		properties
			.filter(({ name }) => name === 'options')
			.flatMap(({ options: list }) =>
				list.map(({ displayOptions: _, ...property }) => [property.name, property]),
			),
	);
	const { apiRequest } = node.resources.find(({ value }) => value === 'otherEndpoint');
	const resources = resourcesOf(node).map((resource) => {
		const described = resource.description ? `\n\n${ended(resource.description)}` : '';
		const operations = resource.operations.map(({ operation, parameters }) => {
			const title = `${resource.label}: ${operation.name}`;
			const notices = parameters
				.filter(({ type }) => type === 'notice')
				.map(({ displayName }) => quote(displayName))
				.join('');
			const tool = operation.tool === false ? ' Not offered to AI agents.' : '';
			return `#### ${title}

${ended(operation.description ?? operation.action)}${tool}${notices}

${parameterTable(parameters, known, title)}`;
		});
		return [`### ${resource.label}${described}`, ...operations].join('\n\n');
	});
	return `## What you can do

${resourcesOf(node).map(overview).join('\n\n')}

**Other Endpoint**

- [Any request](#api-request) that has no operation of its own

Many operations share the [options](#options) at the end of this page.

## Operations and their parameters

Open the parameters of an operation to see them. Required ones are bold. Below each name is the one that workflows store.

${resources.join('\n\n')}

### API Request

The operation of *Other Endpoint*. It sends any method and path to your workspace. [What is not possible yet](../what-is-not-possible.md)
says what to do instead.${quote(apiRequest.operation.notice)}

${parameterTable(apiRequest.parameters, known)}

### Options

${folded(
	`Options: ${[...options.values()]
		.map(({ displayName }) => cell(displayName))
		.sort()
		.join(', ')}`,
	table(
		['Option', 'Value', 'What it does'],
		rowsOf(
			[...options.values()].sort((a, b) => a.displayName.localeCompare(b.displayName)),
			known,
		),
	),
)}`;
}
