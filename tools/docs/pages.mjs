import { cell, code, table } from './markdown.mjs';

/** Where a node's page stands, from `docs/`. */
export const pageOf = (node) => `nodes/${node.name}.md`;

/** Resources without Other Endpoint, which every node has. */
const resourcesOf = (node) => node.resources.filter(({ value }) => value !== 'otherEndpoint');

/** README: one row per resource. */
export function nodeTable(nodes) {
	const rows = nodes.flatMap((node) => {
		const link = `[${node.description.displayName}](docs/${pageOf(node)})`;
		if (node.resources.length === 0) return [[link, '', cell(node.description.description)]];
		return resourcesOf(node).map((resource, index) => [
			index === 0 ? link : '',
			resource.label,
			resource.operations.map(({ operation }) => operation.name).join(', ') || 'API Request',
		]);
	});
	return `${table(['Node', 'Resource', 'Operations'], rows)}

Every node also has the resource **Other Endpoint** with the operation **API Request**: any method and path of the platform
with the same credential, pace, retries and messages.
Which endpoint each operation uses, and where that is known from, stands in [Coverage](docs/coverage.md).`;
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
	const values = () => (property.options ?? []).map(({ name }) => name).join(', ');
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

const parameterTable = (properties, known, place) => {
	const rows = rowsOf(properties, known, '', place);
	return rows.length
		? table(['Parameter', 'Value', 'What it is'], rows)
		: 'No parameters of its own.';
};

const quote = (notice) => (notice ? `\n\n> ${notice}` : '');

/** The generated part of a node's page. @param {import('../catalog.cjs').NodeEntry} node */
export function nodePage(node) {
	const { properties } = node.description;
	const known = new Map();
	if (node.resources.length === 0)
		return `## Parameters\n\nRequired ones are bold.\n\n${table(
			['Parameter', 'Value', 'What it is'],
			[
				...rowsOf(
					properties.filter(({ name }) => name !== 'options'),
					known,
				),
				...rowsOf(
					properties.find(({ name }) => name === 'options')?.options ?? [],
					known,
					'Options › ',
				),
			],
		)}`;
	const options = new Map(
		properties
			.filter(({ name }) => name === 'options')
			.flatMap(({ options: list }) => list.map((property) => [property.name, property])),
	);
	const { apiRequest } = node.resources.find(({ value }) => value === 'otherEndpoint');
	const resources = resourcesOf(node).map((resource) => {
		const described = resource.description ? `\n\n${ended(resource.description)}` : '';
		const operations = resource.operations.map(({ operation, parameters }) => {
			const notices = parameters
				.filter(({ type }) => type === 'notice')
				.map(({ displayName }) => quote(displayName))
				.join('');
			const tool = operation.tool === false ? ' Not offered to AI agents.' : '';
			return `#### ${resource.label}: ${operation.name}\n\n${operation.action}. ${ended(operation.description ?? '')}${tool}${notices}\n\n${parameterTable(parameters, known, `${resource.label}: ${operation.name}`)}`;
		});
		const reached = resource.apiRequest
			? [
					`Its only operation is [API Request](#api-request).${quote(resource.apiRequest.operation.notice)}`,
				]
			: [];
		return [`### ${resource.label}${described}`, ...operations, ...reached].join('\n\n');
	});
	return `## Resources and operations

${table(
	['Resource', 'Operations'],
	node.resources.map((resource) => [
		resource.label,
		[...resource.operations, resource.apiRequest]
			.flatMap((entry) => entry?.operation.name ?? [])
			.join(', '),
	]),
)}

Required parameters are bold. Below each name stands the one that workflows store.

${resources.join('\n\n')}

### API Request

The operation of *Other Endpoint* and of resources of which no endpoint is known: any method and path of your workspace.${quote(apiRequest.operation.notice)}

${parameterTable(apiRequest.parameters, known)}

### Options

${table(
	['Option', 'Value', 'What it does'],
	rowsOf(
		[...options.values()].sort((a, b) => a.displayName.localeCompare(b.displayName)),
		known,
	),
)}`;
}
