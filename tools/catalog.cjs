/**
 * What the built package offers beside what the contract knows: the one reader of both, for generated pages and tests.
 * CommonJS, so that Jest can load it too. Types: catalog.d.cts.
 */
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { load } = require('js-yaml');

const repository = dirname(__dirname);
const verbs = ['get', 'post', 'put', 'patch', 'delete'];

/** The contract with its endpoints and areas. */
function contract(file = join(repository, 'contract', 'openapi.yaml')) {
	const document = load(readFileSync(file, 'utf8'));
	const endpoints = Object.entries(document.paths).flatMap(([path, item]) =>
		verbs
			.filter((verb) => item[verb])
			.map((verb) => ({
				key: `${verb.toUpperCase()} ${path}`,
				method: verb.toUpperCase(),
				path,
				area: item[verb].tags[0],
				source: item[verb]['x-source'],
				unconfirmed: item[verb]['x-unconfirmed'],
				leftOut: item[verb]['x-left-out'],
				paging: item[verb]['x-paging'],
				open: item[verb]['x-open'] ?? [],
				contract: item[verb],
			})),
	);
	const areas = document.tags.map((tag) => ({
		name: tag.name,
		beyond: tag['x-beyond-interface'] === true,
	}));
	return { document, endpoints, areas };
}

/** Resources of a node by value: those that the compiled files of its folder export, and Other Endpoint. */
function resourcesIn(folder, name) {
	const found = [];
	for (const file of readdirSync(folder).filter(
		(name) => name.endsWith('.js') && !name.endsWith('.node.js'),
	)) {
		for (const exported of Object.values(require(join(folder, file)))) {
			if (
				exported &&
				typeof exported === 'object' &&
				exported.value &&
				exported.label &&
				exported.operations
			)
				found.push(exported);
		}
	}
	const { withOtherEndpoint } = require(
		join(folder, '..', 'engine', 'apiRequest', 'apiRequest.js'),
	);
	return new Map(withOtherEndpoint(name, found).map((resource) => [resource.value, resource]));
}

const dropdown = (description, name, resource) =>
	description.properties.find(
		(property) =>
			property.name === name &&
			(resource === undefined || property.displayOptions?.show?.resource?.includes(resource)),
	)?.options ?? [];

/** The compiled node classes of the package, by the paths of its manifest. */
function built() {
	const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
	const paths = manifest.n8n.nodes.map((path) => join(repository, path));
	const missing = paths.find((path) => !existsSync(path));
	if (missing) throw new Error(`${basename(missing)} is not built. Run npm run build.`);
	return paths;
}

/** Everything that the nodes describe, what is for n8n's AI builder alone included. */
const descriptions = () =>
	built().map((path) => new (require(path)[basename(path, '.node.js')])().description);

function node(path) {
	const className = basename(path, '.node.js');
	const whole = new (require(path)[className])().description;
	const description = {
		...whole,
		properties: whole.properties.filter((property) => !shownToNobody(property)),
	};
	const resources = resourcesIn(dirname(path), whole.name);
	return {
		className,
		name: description.name,
		description,
		resources: dropdown(description, 'resource').map(({ value }) => {
			const resource = resources.get(value);
			if (!resource)
				throw new Error(`${className}: no file of its folder exports the resource "${value}"`);
			const entries = dropdown(description, 'operation', value).map((option) => ({
				value: option.value,
				operation: resource.operations[option.value],
				parameters: parametersOf(description, value, option.value),
			}));
			return {
				...resource,
				operations: entries.filter((entry) => entry.value !== 'apiRequest'),
				apiRequest: entries.find((entry) => entry.value === 'apiRequest'),
			};
		}),
	};
}

/** No node has this version: what is for it alone is read by n8n's AI builder and shown to nobody. */
const shownToNobody = ({ displayOptions: { show } = {} }) => show?.['@version']?.[0] === 0;

/** Whether a parameter is of an operation, as far as its conditions name resources and operations. */
const isOf = ({ displayOptions: { show, hide } = {} }, resource, operation, above = '') =>
	[
		['resource', resource],
		['operation', operation],
	].every(
		([name, value]) =>
			(show?.[above + name]?.includes(value) ?? true) && !hide?.[above + name]?.includes(value),
	);

const notPlaces = (conditions = {}) =>
	Object.entries(conditions).filter(([name]) => !['/resource', '/operation'].includes(name));

/** An option without the operations that have it. */
function withoutPlaces({ displayOptions, ...option }) {
	const rest = Object.entries(displayOptions ?? {})
		.map(([kind, conditions]) => [kind, Object.fromEntries(notPlaces(conditions))])
		.filter(([, conditions]) => Object.keys(conditions).length > 0);
	return rest.length === 0 ? option : { ...option, displayOptions: Object.fromEntries(rest) };
}

/**
 * Parameters that an operation shows for some values of its other parameters, in their order on the canvas, each as if
 * it were this operation's alone.
 */
const parametersOf = (description, resource, operation) =>
	description.properties
		.filter(
			(property) =>
				!['resource', 'operation'].includes(property.name) &&
				!shownToNobody(property) &&
				isOf(property, resource, operation),
		)
		.map((property) => ({
			...property,
			displayOptions: {
				...property.displayOptions,
				show: {
					...property.displayOptions?.show,
					resource: [resource],
					operation: [operation],
				},
			},
			...(property.name === 'options' && property.type === 'collection'
				? {
						options: property.options
							.filter((option) => isOf(option, resource, operation, '/'))
							.map(withoutPlaces),
					}
				: {}),
		}));

const nodes = () => built().map(node);

/** Areas without a known endpoint (interface §1 names them and nothing else), with the node that reaches each. */
const areasWithoutEndpoint = {
	'Agent Knowledge Base': 'acpAgents',
	'Availability Types': 'acpScheduling',
	'Contact Settings': 'acpContacts',
	'Conversation Replies': 'acpConversations',
	'Email Addresses': 'acpMessages',
	'Facebook Messenger': 'acpMessages',
	'Flow Executions': 'acpFlows',
	'Human Calls': 'acpCalls',
	Instagram: 'acpMessages',
	Language: 'acpAgents',
	Memorize: 'acpAgents',
	'WhatsApp Calling': 'acpCalls',
};

/** Endpoints that no operation uses, because it would do nothing that another does not. Other Endpoint reaches them. */
const endpointsWithoutOperation = {
	'PATCH /qa-agents/{uuid}':
		'does what PUT on the same path does (reference: qa agents), which "Update" of the resource QA Agent uses',
};

/** Every operation of every node, flat. */
const operationsOf = (nodesOfPackage) =>
	nodesOfPackage.flatMap((one) =>
		one.resources.flatMap((resource) =>
			resource.operations.map((entry) => ({ node: one, resource, ...entry })),
		),
	);

module.exports = {
	areasWithoutEndpoint,
	shownToNobody,
	parametersOf,
	contract,
	descriptions,
	endpointsWithoutOperation,
	nodes,
	operationsOf,
	repository,
};
