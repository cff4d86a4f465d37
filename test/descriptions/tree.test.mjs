/** What must be true of every node's parameter tree, whatever operations it holds. */
import assert, { assertNone } from '../asserted.mjs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import built from '../../tools/operations.cjs';
import { contractCheck } from '../../tools/contract-check.cjs';
import { jsonOf } from '../../tools/files.mjs';
import { manifest, nodes, parameters, root } from './nodes.mjs';

const check = contractCheck();
const catalogued = new Map(built.nodes().map((node) => [node.className, node]));
const isId = (schema) => schema?.format === 'uuid';

const optionsOf = (description, name) =>
	description.properties.filter((property) => property.name === name);

/** How many were looked at in all nodes, where a single node may have none. */
const seen = { requiredTexts: 0, uuids: 0, simplified: 0, apiRequests: 0, mappers: 0, ids: 0 };

for (const { className, description, node } of nodes()) {
	describe(className, () => {
		const all = [...parameters(description.properties)];
		const resources =
			optionsOf(description, 'resource')[0]?.options.map(({ value }) => value) ?? [];
		const operations = new Map(
			optionsOf(description, 'operation').map((property) => [
				property.displayOptions.show.resource[0],
				property.options,
			]),
		);

		const withOperations = { skip: node.webhook ? 'a trigger has no operations' : false };

		test('has what the tests below go through', () => {
			assert.ok(all.length > 5);
			assert.equal(catalogued.get(className).resources.length, resources.length);
			assert.equal(operations.size, resources.length);
			assert.equal(resources.length > 0, !node.webhook);
		});

		test('names end with the family’s mark and match the class', () => {
			assert.match(description.displayName, /^\w.+ \(ACP\)( Trigger)?$/);
			assert.equal(description.name, className.charAt(0).toLowerCase() + className.slice(1));
			assert.equal(description.defaults.name, description.displayName.replace(' (ACP)', ''));
			assert.ok(description.subtitle);
			// An expression that holds the labels of all operations grows with them.
			assert.ok(description.subtitle.length < 450, `${description.subtitle.length} characters`);
			assert.deepEqual(description.credentials, [{ name: 'acpApi', required: true }]);
		});

		test('icons and codex exist in dist', () => {
			assert.deepEqual(Object.keys(description.icon).sort(), ['dark', 'light']);
			for (const file of Object.values(description.icon)) {
				assert.match(file, /^file:.+\.svg$/);
				assert.ok(
					existsSync(join(root, 'dist', 'nodes', className, file.replace('file:', ''))),
					file,
				);
			}
			const codex = jsonOf('dist', 'nodes', className, `${className}.node.json`);
			assert.equal(codex.node, `${manifest.name}.${description.name}`);
			// n8n's node panel searches names and these words, not descriptions
			assert.ok(codex.alias.includes('Agent Conversation Platform'), 'found by the package');
		});

		test('the Docs button opens the page of the node', () => {
			// n8n opens `documentationUrl` of the description, else the first page of the codex
			assert.equal(description.documentationUrl, undefined);
			const { resources: pages } = jsonOf('nodes', className, `${className}.node.json`);
			const [primary] = pages.primaryDocumentation;
			const [credential] = pages.credentialDocumentation;
			const inRepository = ({ url }) => url.replace(/^.*\/blob\/main\//, '');
			assert.equal(inRepository(primary), `docs/nodes/${description.name}.md`);
			assert.equal(inRepository(credential), 'docs/credential.md');
			for (const page of [primary, credential])
				assert.ok(existsSync(join(root, inRepository(page))), page.url);
		});

		test('is wired as its kind is; each resource begins with an operation; a mapper knows what it maps for', () => {
			assert.deepEqual([...description.inputs], node.webhook ? [] : ['main']);
			// Where people can be reached, an expression adds the output of those who were skipped.
			if (typeof description.outputs === 'string')
				assert.match(description.outputs, /^=\{\{ \[.+"displayName":"Skipped".+: \["main"\] \}\}$/);
			else assert.deepEqual([...description.outputs], ['main']);
			assert.equal(description.usableAsTool, node.webhook ? undefined : true);
			const choices = optionsOf(description, 'operation');
			assert.equal(choices.length, operations.size);
			for (const { default: first } of choices) assert.ok(first);
			for (const { property } of all) {
				if (property.type !== 'resourceMapper') continue;
				seen.mappers++;
				assert.match(property.typeOptions.resourceMapper.mode, /^(add|update|upsert|map)$/);
			}
		});

		test(
			'API Request stands under Other Endpoint, and where no endpoint is known',
			withOperations,
			() => {
				assert.deepEqual(
					operations.get('otherEndpoint')?.map(({ value }) => value),
					['apiRequest'],
				);
				const offering = [...operations].filter(([, options]) =>
					options.some(({ value }) => value === 'apiRequest'),
				);
				seen.apiRequests += offering.length;
				assertNone(
					offering.filter(([, options]) => options.length > 1).map(([resource]) => resource),
					'a resource with operations of its own',
				);
			},
		);

		// Each expression costs an isolate per delivery; n8n evaluates one of its own for nodes of version 1.
		test(
			'a delivery needs no expression of n8n',
			{ skip: node.webhook ? false : 'receives nothing' },
			() => {
				assert.ok(description.version > 1);
				assert.ok(description.webhooks.length > 0);
				for (const webhook of description.webhooks)
					for (const [field, value] of Object.entries(webhook))
						assert.ok(!String(value).startsWith('='), field);
			},
		);

		test('displayOptions refer to parameters and values that exist, and every parameter can be reached', () => {
			const dependent = all.filter(({ property }) => property.displayOptions);
			// The Conversation Event Trigger shows all that it has.
			assert.equal(dependent.length > 0, description.name !== 'acpTrigger');
			for (const { property, path } of all) {
				for (const [name, values] of Object.entries({
					...property.displayOptions?.show,
					...property.displayOptions?.hide,
				})) {
					if (name.startsWith('@') || name.startsWith('/@')) continue;
					const named = all.filter((other) => other.property.name === name.replace(/^\//, ''));
					assert.ok(named.length, `${path.join('.')} depends on ${name}, which does not exist`);
					for (const value of values) {
						if (typeof value === 'object') continue;
						const known = named.some(({ property: other }) =>
							other.type === 'boolean'
								? typeof value === 'boolean'
								: other.options
									? other.options.some((option) => option.value === value)
									: true,
						);
						assert.ok(
							known,
							`${path.join('.')} is shown for ${name} = ${value}, which cannot be chosen`,
						);
					}
				}
				const show = property.displayOptions?.show;
				if (!show?.operation || !show.resource) continue;
				const reachable = show.operation.every((operation) =>
					show.resource.some((resource) =>
						operations.get(resource)?.some(({ value }) => value === operation),
					),
				);
				assert.ok(reachable, `${path.join('.')} can never be shown`);
			}
		});

		test('within one operation no two parameters share a name', withOperations, () => {
			for (const [resource, options] of operations) {
				for (const { value } of options) {
					const shown = built.parametersOf(description, resource, value);
					const seen = new Map();
					for (const property of shown) {
						const rest = JSON.stringify(
							Object.entries(property.displayOptions.show).filter(
								([key]) => key !== 'resource' && key !== 'operation',
							),
						);
						const key = `${property.name} ${rest}`;
						assert.ok(!seen.has(key), `${resource}.${value} has two parameters ${property.name}`);
						seen.set(key, true);
					}
				}
			}
		});

		test('ids are chosen, not pasted: required references are locators', () => {
			const texts = all.filter(({ property }) => property.required && property.type === 'string');
			seen.requiredTexts += texts.length;
			// How many there were the last test of this file demands.
			assertNone(
				texts
					.filter(({ property }) => /\bID\b/.test(property.displayName))
					.map(({ path }) => path.join('.')),
				'a required ID without a locator',
			);
		});

		test(
			'what the platform identifies by a uuid is chosen from a list or given by ID, wherever it is required',
			withOperations,
			() => {
				const wrong = [];
				for (const { label, operations: entries } of catalogued.get(className).resources) {
					for (const { operation, parameters: shown } of entries) {
						const required = Object.keys(operation.path).filter((name) =>
							isId(
								check.parametersOf(operation.endpoint, 'path').find((one) => one.name === name)
									?.schema,
							),
						);
						seen.uuids += required.length;
						for (const name of required) {
							const { options } = operation.path[name];
							const property = shown.find(
								(one) => one.type === 'resourceLocator' && one.name === options.name,
							);
							if (!property?.required) wrong.push(`${label}, ${operation.name}: {${name}}`);
						}
					}
				}
				// How many there were the last test of this file demands.
				assertNone(wrong, 'no required locator');
			},
		);

		test('locators can always be given by ID; what they and other dynamic parameters are filled by exists', () => {
			for (const { property, path } of all) {
				const where = path.join('.');
				if (property.type === 'resourceLocator') {
					assert.ok(
						property.modes.some(({ name }) => name === 'id'),
						where,
					);
					const names = property.modes.some(({ name }) => name === 'name');
					const list = property.modes.some(({ name }) => name === 'list');
					const { validation = [] } = property.modes.find(({ name }) => name === 'id');
					const place = names ? "'By Name'" : list && "'From List'";
					const ofName = place ? `. For a name, choose ${place}` : '';
					const words = `^'${property.displayName}' is not an ID( or a number)?${ofName}$`;
					for (const { properties } of validation) {
						// Of a key it is said what it looks like.
						const isKey = /key|begins with/.test(properties.errorMessage);
						assert.match(properties.errorMessage, isKey ? /./ : new RegExp(words), where);
						seen.ids += isKey ? 0 : 1;
					}
					for (const { typeOptions } of property.modes) {
						const method = typeOptions?.searchListMethod;
						if (method) assert.ok(node.methods.listSearch[method], `${where}: ${method}`);
					}
					assert.ok(
						property.modes.some(({ name }) => name === property.default.mode),
						where,
					);
				}
				const { loadOptionsMethod, resourceMapper } = property.typeOptions ?? {};
				if (loadOptionsMethod)
					assert.ok(node.methods.loadOptions[loadOptionsMethod], `${where}: ${loadOptionsMethod}`);
				if (resourceMapper)
					assert.ok(
						node.methods.resourceMapping[resourceMapper.resourceMapperMethod],
						`${where}: ${resourceMapper.resourceMapperMethod}`,
					);
			}
		});

		test(
			'within each operation, what a parameter depends on is there and can have the value',
			withOperations,
			() => {
				for (const [resource, options] of operations) {
					for (const { value: operation } of options) {
						const shown = built.parametersOf(description, resource, operation);
						for (const property of shown) {
							const where = `${resource}.${operation}.${property.name}`;
							for (const [name, values] of Object.entries(property.displayOptions.show)) {
								if (name === 'resource' || name === 'operation') continue;
								const decides = shown.find((other) => other.name === name);
								assert.ok(
									decides,
									`${where} depends on ${name}, which this operation does not show`,
								);
								for (const value of values)
									assert.ok(
										decides.type === 'boolean' ||
											decides.options.some((option) => option.value === value),
										`${where}: ${name} is never ${value}`,
									);
							}
							for (const dependency of property.typeOptions?.loadOptionsDependsOn ?? []) {
								assert.ok(
									shown.some((other) => other.name === dependency.split('.')[0]),
									`${where} is loaded anew by ${dependency}, which this operation does not show`,
								);
							}
						}
					}
				}
			},
		);

		test('no two operations of a node promise the same', withOperations, () => {
			const actions = [...operations.values()].flat().map(({ action }) => action);
			assert.ok(actions.length > 1);
			assertNone(actions.filter((action, index) => actions.indexOf(action) !== index));
		});

		test('lists can be read whole or up to a limit', withOperations, () => {
			for (const { value: resource, operations: entries } of catalogued.get(className).resources) {
				for (const { value, operation, parameters: shown } of entries) {
					const [all, limit] = ['returnAll', 'limit'].map((name) =>
						shown.find((property) => property.name === name),
					);
					assert.deepEqual(
						[Boolean(all), Boolean(limit)],
						Array(2).fill(operation.pages !== undefined && operation.run === undefined),
						`${resource}.${value}`,
					);
					if (limit) assert.equal(limit.default, 50);
				}
			}
		});

		test('agents and recipients have the same names everywhere', () => {
			for (const { property, path } of all) {
				// A filter by a part of a number is no recipient.
				if (path[0] !== 'filters')
					assert.doesNotMatch(
						property.name,
						/^agent(Id|Uuid)$|^(recipient|phone|number)$/,
						path.join('.'),
					);
				assert.match(property.name, /^[a-z][A-Za-z0-9]*$/, path.join('.'));
			}
		});

		test('no record is simplified to more than ten fields, and its ID stays', () => {
			const simplified = catalogued
				.get(className)
				.resources.flatMap(({ value: resource, operations: entries }) =>
					entries.map(({ value, operation }) => ({
						name: `${resource}.${value}`,
						simplify: operation.simplify,
					})),
				)
				.filter(({ simplify }) => simplify);
			seen.simplified += simplified.length;
			const hasId = (path) => /(^|_)(uuid|id|key)$/.test(path.split('.').pop());
			// How many there were the last test of this file demands.
			assertNone(
				simplified.filter(({ simplify }) => simplify.length > 10 || !simplify.some(hasId)),
			);
		});
	});
}

test('what some nodes have none of was there to look at', () => {
	assert.ok(seen.requiredTexts > 20, JSON.stringify(seen));
	assert.ok(seen.uuids > 50, JSON.stringify(seen));
	assert.ok(seen.mappers > 3, JSON.stringify(seen));
	assert.ok(seen.simplified > 20, JSON.stringify(seen));
	assert.ok(seen.apiRequests > 10, JSON.stringify(seen));
	assert.ok(seen.ids > 100, JSON.stringify(seen));
});
