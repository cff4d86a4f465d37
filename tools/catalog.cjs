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
function resourcesIn(folder) {
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
	const { resourcesOf } = require(join(folder, '..', 'engine', 'apiRequest', 'apiRequest.js'));
	return new Map(resourcesOf(found).map((resource) => [resource.value, resource]));
}

const dropdown = (description, name, resource) =>
	description.properties.find(
		(property) =>
			property.name === name &&
			(resource === undefined || property.displayOptions?.show?.resource?.includes(resource)),
	)?.options ?? [];

function node(path) {
	const className = basename(path, '.node.js');
	const { description } = new (require(path)[className])();
	const resources = resourcesIn(dirname(path));
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

/** Parameters that an operation shows for some values of its other parameters, in their order on the canvas. */
const parametersOf = (description, resource, operation) =>
	description.properties.filter(
		({ name, displayOptions: { show } = {} }) =>
			name !== 'operation' &&
			show?.resource?.includes(resource) &&
			show?.operation?.includes(operation),
	);

function nodes() {
	const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
	const built = manifest.n8n.nodes.map((path) => join(repository, path));
	const missing = built.find((path) => !existsSync(path));
	if (missing) throw new Error(`${basename(missing)} is not built. Run npm run build.`);
	return built.map(node);
}

/**
 * Resources that an area without a known endpoint belongs to (interface §1 names the area and nothing else). It is
 * reached by their API Request or, where they have operations, by Other Endpoint.
 */
const areasWithoutEndpoint = {
	'Agent Knowledge Base': 'agentKnowledge',
	'Availability Types': 'availabilityType',
	'Contact Settings': 'contactSetting',
	'Conversation Replies': 'conversationReply',
	'Email Addresses': 'emailAddress',
	'Facebook Messenger': 'messenger',
	'Flow Executions': 'flowExecution',
	'Human Calls': 'humanCall',
	Instagram: 'instagram',
	Language: 'language',
	Memorize: 'memorize',
	'WhatsApp Calling': 'whatsappCalling',
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
	contract,
	endpointsWithoutOperation,
	nodes,
	operationsOf,
	repository,
};
