/**
 * What the built package offers: its nodes, their resources, operations and parameters. CommonJS, so that Jest can load
 * it too.
 */
const { createHash } = require('node:crypto');
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { repository } = require('./contract.cjs');

/**
 * @typedef {import('n8n-workflow').INodeProperties} Property
 * @typedef {import('../nodes/engine/operation/operation').Operation} Operation
 * @typedef {import('../nodes/engine/operation/resource').Resource} Resource
 * @typedef {{value: string, operation: Operation, parameters: Property[]}} OperationEntry `parameters` in their order on
 *   the canvas, `resource` and `operation` left out
 * @typedef {Omit<Resource, 'operations'> & {operations: OperationEntry[], apiRequest?: OperationEntry}} ResourceEntry
 *   `operations`: without API Request, in the order of their dropdown; `apiRequest`: in Other Endpoint, and where no
 *   endpoint is known
 * @typedef {{className: string, name: string, description: import('n8n-workflow').INodeTypeDescription,
 *   node: any, resources: ResourceEntry[]}} NodeEntry `description` without what is shown to nobody; `resources` in the
 *   order of the dropdown
 */

/** Resources of a node by value: those that the compiled files of its folder export, and Other Endpoint. */
function resourcesIn(folder, name) {
	const exported = readdirSync(folder)
		.filter((file) => file.endsWith('.js') && !file.endsWith('.node.js'))
		.flatMap((file) => Object.values(require(join(folder, file))));
	const found = exported.filter((one) => one?.value && one.label && one.operations);
	const { withOtherEndpoint } = require(
		join(folder, '..', 'engine', 'apiRequest', 'apiRequest.js'),
	);
	return new Map(withOtherEndpoint(found).map((resource) => [resource.value, resource]));
}

const dropdown = (description, name, resource) =>
	description.properties.find(
		(property) =>
			property.name === name &&
			(resource === undefined || property.displayOptions?.show?.resource?.includes(resource)),
	)?.options ?? [];

/** @param {string} path of a compiled node @returns {NodeEntry} */
function entryOf(path) {
	const className = basename(path, '.node.js');
	const node = new (require(path)[className])();
	const description = {
		...node.description,
		properties: node.description.properties.filter((property) => !shownToNobody(property)),
	};
	const resources = resourcesIn(dirname(path), description.name);
	return {
		className,
		name: description.name,
		node,
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
const isOf = ({ displayOptions: { show, hide } = {} }, places, above = '') =>
	Object.entries(places).every(
		([name, value]) =>
			(show?.[above + name]?.includes(value) ?? true) && !hide?.[above + name]?.includes(value),
	);

/** An option without the operations that have it. */
function withoutPlaces({ displayOptions = {}, ...option }) {
	const rest = Object.entries(displayOptions)
		.map(([kind, { '/resource': _, '/operation': __, ...others }]) => [kind, others])
		.filter(([, conditions]) => Object.keys(conditions).length > 0);
	return rest.length === 0 ? option : { ...option, displayOptions: Object.fromEntries(rest) };
}

/** The options of an operation; one may hold others. */
const optionsOf = ({ options }, places) =>
	options
		.filter((option) => isOf(option, places, '/'))
		.map(withoutPlaces)
		.map((option) =>
			option.type === 'collection' ? { ...option, options: optionsOf(option, places) } : option,
		);

/**
 * Parameters that an operation shows for some values of its other parameters, in their order on the canvas, each as if
 * it were this operation's alone.
 * @param {import('n8n-workflow').INodeTypeDescription} description @param {string} resource @param {string} operation
 * @returns {Property[]}
 */
function parametersOf({ properties }, resource, operation) {
	const places = { resource, operation };
	const own = ({ displayOptions = {}, ...property }) => ({
		...property,
		displayOptions: {
			...displayOptions,
			show: { ...displayOptions.show, resource: [resource], operation: [operation] },
		},
	});
	return properties
		.filter(
			(property) =>
				!(property.name in places) && !shownToNobody(property) && isOf(property, places),
		)
		.map((property) =>
			property.name === 'options' && property.type === 'collection'
				? { ...own(property), options: optionsOf(property, places) }
				: own(property),
		);
}

/** Paths of what package.json names. @param {'nodes' | 'credentials'} kind @throws when one is not built */
function pathsOf(kind) {
	const { n8n } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
	const paths = n8n[kind].map((/** @type {string} */ path) => join(repository, path));
	const missing = paths.find((/** @type {string} */ path) => !existsSync(path));
	if (missing) throw new Error(`${basename(missing)} is not built. Run npm run build.`);
	return paths;
}

/** The nodes of package.json. @returns {NodeEntry[]} */
const nodes = () => pathsOf('nodes').map(entryOf);

/** The credentials of package.json. @returns {import('n8n-workflow').ICredentialType[]} */
const credentials = () =>
	pathsOf('credentials').map(
		(/** @type {string} */ path) => new (require(path)[basename(path, '.credentials.js')])(),
	);

/** Areas without a known endpoint (interface §1 names them and nothing else), with the node that reaches each. @type {Record<string, string>} */
const areasWithoutEndpoint = {
	'Agent Knowledge Base': 'acpKnowledge',
	'Availability Types': 'acpScheduling',
	'Contact Settings': 'acpContacts',
	'Conversation Replies': 'acpConversations',
	'Email Addresses': 'acpMessages',
	'Facebook Messenger': 'acpMessages',
	'Flow Executions': 'acpFlows',
	'Human Calls': 'acpCalls',
	Instagram: 'acpMessages',
	Language: 'acpAgents',
	Memorize: 'acpKnowledge',
	'WhatsApp Calling': 'acpCalls',
};

/** Endpoints that no operation uses, because it would do nothing that another does not. Other Endpoint reaches them. @type {Record<string, string>} */
const endpointsWithoutOperation = {
	'PATCH /qa-agents/{uuid}':
		'does what PUT on the same path does (reference: qa agents), which "Update" of the resource QA Agent uses',
};

/**
 * Every operation of every node, flat.
 * @param {NodeEntry[]} nodesOfPackage
 * @returns {Array<OperationEntry & {node: NodeEntry, resource: ResourceEntry, subject: string}>} `subject`: for example
 *   `call.start`
 */
const operationsOf = (nodesOfPackage) =>
	nodesOfPackage.flatMap((one) =>
		one.resources.flatMap((resource) =>
			resource.operations.map((entry) => ({
				...{ node: one, resource, subject: `${resource.value}.${entry.value}` },
				...entry,
			})),
		),
	);

/**
 * A digest of all that the editor and n8n's AI builder read of each node.
 * @param {NodeEntry[]} nodesOfPackage @returns {Record<string, string>} by its name
 */
const formsOf = (nodesOfPackage) =>
	Object.fromEntries(
		nodesOfPackage.map(({ name, node }) => {
			const read = JSON.stringify(node.description);
			return [name, createHash('sha256').update(read).digest('hex').slice(0, 16)];
		}),
	);

module.exports = {
	areasWithoutEndpoint,
	credentials,
	endpointsWithoutOperation,
	formsOf,
	nodes,
	operationsOf,
	parametersOf,
	shownToNobody,
};
