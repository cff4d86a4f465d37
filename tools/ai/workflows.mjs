/** Workflows against n8n's generated schemas, made strict, and through the code in which its AI builder writes them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { repository } from '../bootstrap.mjs';
import { packageName, withFolder } from './host.mjs';
import { references } from './references.mjs';

/** @typedef {Awaited<ReturnType<typeof import('./host.mjs').openHost>>} Host */

const examplesFolder = join(repository, 'examples');
/** The examples, and the workflow that a guide offers. */
const examples = () =>
	readdirSync(examplesFolder)
		.filter((name) => name.endsWith('.json'))
		.map((name) => join(examplesFolder, name))
		.concat(join(repository, 'docs', 'guides', 'first-hour.json'))
		.map((file) => ({ name: basename(file), workflow: JSON.parse(readFileSync(file, 'utf8')) }));

/** A node of a reference as a workflow with a trigger before it. @param {any} node */
function workflowOf({ name, type, parameters }) {
	const fullType = `${packageName}.${type}`;
	const node = (/** @type {string} */ id, /** @type {object} */ more) => ({
		id,
		name: id,
		position: [0, 0],
		...more,
	});
	const own = node(name, {
		type: fullType,
		typeVersion: type.endsWith('Trigger') ? 1.1 : 1,
		parameters,
	});
	return type.endsWith('Trigger')
		? { name, nodes: [own], connections: {} }
		: {
				name,
				nodes: [
					node('Start', { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} }),
					own,
				],
				connections: { Start: { main: [[{ node: name, type: 'main', index: 0 }]] } },
			};
}

/** Of a node that is a tool, n8n puts these before the node's own. @param {any} parameters */
const withoutToolTexts = ({ descriptionType: _type, toolDescription: _text, ...parameters }) =>
	parameters;

/** Sub-nodes stand in the connections; n8n's Merge node stores a number where its schema says text. */
const isMistaken = (/** @type {string} */ message) => /subnodes|useDataOfInput/.test(message);

/** What n8n's generated schemas refuse when they accept no unknown field. @param {Host} host @param {any} workflow */
const faultsOf = ({ sdk }, workflow) =>
	workflow.nodes.flatMap((/** @type {any} */ { name, type, typeVersion, parameters }) =>
		sdk
			.validateNodeConfig(type, typeVersion, { parameters: withoutToolTexts(parameters) })
			.errors.filter((/** @type {any} */ { message }) => !isMistaken(message))
			.map((/** @type {any} */ { message }) => `${name}: ${message}`),
	);

/** Nodes and connections, as far as they decide what a workflow does. @param {any} workflow */
const essence = ({ nodes, connections }) => ({
	connections: Object.fromEntries(
		Object.entries(connections).filter(([, outputs]) =>
			Object.values(/** @type {any} */ (outputs))
				.flat(2)
				.some(Boolean),
		),
	),
	nodes: nodes
		.filter((/** @type {any} */ { type }) => type.startsWith(packageName))
		.map((/** @type {any} */ { name, type, typeVersion, parameters }) => ({
			name,
			type,
			typeVersion,
			parameters,
		}))
		.sort((/** @type {any} */ a, /** @type {any} */ b) => a.name.localeCompare(b.name)),
});

/**
 * Whether a workflow is the same after n8n has written it as code and read it.
 * @param {Host} host @param {any} workflow
 */
function survives({ sdk }, workflow) {
	const code = sdk.generateWorkflowCode(workflow);
	const read = sdk.parseWorkflowCode(code);
	return isDeepStrictEqual(
		JSON.parse(JSON.stringify(essence(read))),
		JSON.parse(JSON.stringify(essence(workflow))),
	);
}

/**
 * @param {Host} host
 * @returns {Promise<{examples: Array<{name: string, faults: string[], survives: boolean}>,
 * 	right: Array<{name: string, faults: string[], survives: boolean}>,
 * 	wrong: Array<{name: string, faults: string[], named: boolean}>}>} `named`: a message names the mend
 */
export const workflows = async (host) =>
	await withFolder(host, async (folder) => {
		const used = new Set(
			examples().flatMap(({ workflow }) => workflow.nodes.map(({ type }) => type)),
		);
		const nodes = host.all.filter(
			(/** @type {any} */ node) => used.has(node.name) || host.own.includes(node),
		);
		await host.generateTypes.orchestrateGeneration({ nodes, outputDir: folder });
		for (const file of readdirSync(join(folder, 'nodes'), { recursive: true })) {
			const path = join(folder, 'nodes', String(file));
			if (!path.endsWith('.schema.js')) continue;
			writeFileSync(path, readFileSync(path, 'utf8').replaceAll('z.object(', 'z.strictObject('));
		}
		host.sdk.setSchemaBaseDirs([folder]);
		const judged = (/** @type {string} */ name, /** @type {any} */ workflow) => ({
			name,
			faults: faultsOf(host, workflow),
			survives: survives(host, workflow),
		});
		return {
			examples: examples().map(({ name, workflow }) => judged(name, workflow)),
			right: references.map(({ request, type, right }) =>
				judged(request, workflowOf({ name: request, type, parameters: right })),
			),
			wrong: references.map(({ request, type, wrong, mend }) => {
				const faults = faultsOf(host, workflowOf({ name: request, type, parameters: wrong }));
				return {
					name: request,
					faults,
					named: mend.every((part) =>
						faults.some((/** @type {string} */ fault) => fault.includes(part)),
					),
				};
			}),
		};
	});
