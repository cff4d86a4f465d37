/**
 * What an AI that builds workflows gets to see of this package in n8n, without a model. The bounds may only get tighter:
 * who makes a figure better writes it here.
 */
import assert, { assertNone } from '../asserted.mjs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { openHost } from './host.mjs';
import { entriesOf, measure } from './measure.mjs';
import { unwanted } from './phrases.mjs';
import { reads, rules } from './references.mjs';

const { NodeHelpers } = createRequire(import.meta.url)('n8n-workflow');

const bounds = {
	/** Of the phrases in users' words, those with a right node among the first five. */
	phrases: 170,
	foundByCatalogue: 130,
	foundByPanel: 167,
	/** Characters of what n8n's AI builder reads of the longest node. */
	longest: 60_000,
	/** The same of all nodes, and bytes of the descriptions that the editor loads, for each operation: one more is no fault. */
	characters: 1540,
	bytes: 2480,
};

let figures;
let host;
before(async () => {
	host = await openHost();
	figures = measure(host);
});
// Loaded nodes keep timers.
after(() => setTimeout(() => process.exit(), 1000).unref());

for (const name of ['phrases', 'foundByCatalogue', 'foundByPanel'])
	test(`${name}: at least ${bounds[name]}`, () => {
		const missed = figures.missed.map((one) => Object.values(one).join(' '));
		assert.ok(figures[name] >= bounds[name], `${figures[name]}; ${missed.join(', ')}`);
	});

test(`longest: at most ${bounds.longest}`, () => {
	assert.ok(figures.longest > 0 && figures.longest <= bounds.longest, String(figures.longest));
});

for (const name of ['characters', 'bytes'])
	test(`${name}: at most ${bounds[name]} for each operation`, () => {
		const each = figures[name] / figures.operations;
		assert.ok(each > 0 && each <= bounds[name], `${each}, ${figures[name]} in all`);
	});

test('nobody finds the nodes who looks for unasked calls', () => {
	assert.equal(unwanted.length, 3);
	assertNone(figures.unwanted);
});

test('every operation shows its own description and what it returns, every mapper its keys', () => {
	assert.ok(figures.operations > 220);
	assertNone(figures.wrongDescriptions);
	assertNone(figures.withoutOutput);
	assertNone(figures.mappersWithoutHint);
});

const ofType = (type) => host.own.find(({ name }) => name.endsWith(`.${type}`));

test('names that workflows read: the definition says the right one, and not the one that was guessed', () => {
	for (const [request, type, operation, wrong, right] of reads) {
		const node = ofType(type);
		const entries = entriesOf(node, host.definitionOf(node));
		const outputOf = (place) => {
			const entry = entries.find((one) => `${one.resource}.${one.operation}` === place);
			const output = entry?.text.match(/@output (.*)/)?.[1] ?? '';
			return output.startsWith('as ') ? outputOf(output.slice(3)) : output;
		};
		const output = outputOf(operation);
		assert.ok(output.includes(right), `${request}: ${output}`);
		assert.ok(!output.includes(wrong), `${request}: ${output}`);
	}
});

test('what must be known to build it right is said in the definition', () => {
	for (const [request, type, words] of rules)
		assert.ok(host.definitionOf(ofType(type)).includes(words), `${request}: ${words}`);
});

test('the node panel finds an action, typed with its article or without', () => {
	const searches = [
		['acpCalls', ['start a call', 'start call'], 'start'],
		['acpMessages', ['send an sms', 'send sms'], 'send'],
		['acpContacts', ['create a contact', 'create contact'], 'create'],
		['acpOutreach', ['create a listing', 'create listing'], 'create'],
	];
	for (const [type, typed, operation] of searches) {
		const actions = ofType(type)
			.properties.filter(({ name }) => name === 'operation')
			.flatMap(({ options }) => options)
			.map(({ action, value }) => ({ value, properties: { displayName: action } }));
		for (const one of typed)
			assert.equal(host.sublimeSearch(one, actions)[0]?.item.value, operation, one);
	}
});

test('a definition describes each option once', () => {
	assert.ok(host.own.length > 10);
	for (const node of host.own) {
		const [head = ''] = host.definitionOf(node).split('*/');
		const lines = head.split('@options:\n')[1]?.match(/^ \* [\w.]+(?=[.:= ])/gm) ?? [];
		assert.ok(lines.length > 5 || node.name.endsWith('Trigger'), node.name);
		const repeated = lines.filter((name, at) => lines.indexOf(name) !== at);
		assertNone(repeated, node.name);
	}
});

test('what is for the AI builder alone is shown to nobody, and all that it says in short is there in full', () => {
	let found = 0;
	for (const node of host.own) {
		const inShort = node.properties.filter(
			({ displayOptions }) => displayOptions?.show?.['@version']?.[0] === 0,
		);
		for (const parameters of placesOf(node)) {
			const shown = (property, typeVersion) =>
				NodeHelpers.displayParameter(parameters, property, { typeVersion, parameters }, node);
			for (const property of inShort) {
				assert.equal(shown(property, 1), false);
				if (!shown(property, 0)) continue;
				found += 1;
				assert.ok(
					node.properties.some((one) => one.name === property.name && shown(one, 1)),
					`${node.name} ${parameters.resource}.${parameters.operation} ${property.name}`,
				);
			}
		}
	}
	assert.ok(found > 220);
});

test('every operation is told all its options, and no other', () => {
	for (const node of host.own) {
		const definition = host.definitionOf(node);
		for (const { resource, operation, text } of entriesOf(node, definition)) {
			assert.match(
				definition,
				/Options: timezone, advanced, preview if it writes, and @options:$/m,
			);
			const told = text.match(/@options (.*)/)?.[1].split(', ') ?? [];
			const parameters = { resource, operation };
			const own = node.properties
				.filter(({ name, options }) => name === 'options' && options)
				.flatMap(({ options }) => options)
				.filter((option) =>
					NodeHelpers.displayParameter(
						{ options: {}, ...parameters },
						option,
						{ typeVersion: 1, parameters },
						node,
						parameters,
					),
				)
				.map(({ name }) => name);
			assert.deepEqual(
				[...told, 'advanced', 'timezone'].sort(),
				own.filter((name) => name !== 'preview').sort(),
				`${node.name} ${resource}.${operation}`,
			);
		}
	}
});

/** Resource and operation of each operation. @param {any} node @returns {Array<Record<string, string>>} */
const placesOf = (node) =>
	node.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			displayOptions.show.resource.flatMap((resource) =>
				options.map(({ value: operation }) => ({ resource, operation })),
			),
		);
