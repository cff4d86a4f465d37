/** How much there is to read in a form before somebody opens Options. */
import assert from '../asserted.mjs';
import { test } from 'node:test';
import lodash from 'lodash';
import { nodes, operationsOf } from '../../tools/operations.cjs';

const words = (text = '') => lodash.words(text.replace(/<[^>]+>/g, ''), /\S+/g).length;

/** @param {any} property @returns {any[]} it, and all that is in it */
const within = (property) => [
	property,
	...[...(property.options ?? []), ...(property.values ?? [])].flatMap(within),
];
/** Of labels, descriptions and hints. @param {any[]} properties */
const wordsOf = (properties) =>
	lodash.sumBy(properties.flatMap(within), ({ displayName, description, hint }) =>
		lodash.sum([displayName, description, hint].map(words)),
	);

const forms = operationsOf(nodes()).map(({ node, resource, value, parameters }) => {
	const shown = parameters.filter(({ name }) => name !== 'options');
	return {
		form: `${node.name} ${resource.value}.${value}`,
		node: node.name,
		shown,
		all: parameters.flatMap(within),
		words: wordsOf(shown),
		withOptions: wordsOf(parameters),
	};
});
const middle = (count) => lodash.sortBy(forms, count)[Math.floor(forms.length / 2)][count];

/** All of an agent can be entered at once, in groups that are closed at first: at most 900 words. */
const wholeAgent = ['acpAgents agent.create', 'acpAgents agent.update'];

test('a form has at most 45 words in the middle, 100 with its options, and few have more than 250', () => {
	assert.ok(forms.length > 200);
	assert.ok(middle('words') <= 45, String(middle('words')));
	assert.ok(middle('withOptions') <= 100, String(middle('withOptions')));
	const long = forms.filter((one) => one.words > (one.node === 'acpAgents' ? 500 : 250));
	assert.ok(long.every((one) => one.words <= 900));
	assert.deepEqual(long.map(({ form }) => form).sort(), wholeAgent);
});

test('a list of all items begins with its agent: one notice and five fields before what is collected', () => {
	const { shown } = forms.find(({ form }) => form === 'acpOutreach listing.createFromItems');
	assert.deepEqual(
		shown
			.filter(({ type }) => type !== 'collection')
			.map(({ displayName, type }) => (type === 'notice' ? type : displayName)),
		['notice', 'Agent', 'Name', 'Contacts', 'Campaign Type', 'Start Contacting Immediately'],
	);
});

const everything = nodes().flatMap(({ description }) => description.properties.flatMap(within));
const noticesOf = (all) => all.filter(({ type }) => type === 'notice');

test('a form has at most one notice, of at most 25 words', () => {
	assert.ok(noticesOf(everything).length > 40);
	const long = noticesOf(everything).filter(({ displayName }) => words(displayName) > 25);
	assert.deepEqual(long, []);
	const several = forms.filter(({ all }) => noticesOf(all).length > 1);
	assert.deepEqual(several, []);
});

test('a field is described in at most 25 words, and a time zone in ten', () => {
	const most = { 'Skip Numbers': 18 };
	const long = ({ displayName, description = '', hint = '' }) =>
		[description, hint].filter(
			(text) =>
				words(text) > (most[displayName] ?? 25) ||
				text.split(/(?<=\.) /).some((one) => /time zone/.test(one) && words(one) > 10),
		);
	assert.ok(everything.length > 1000);
	assert.deepEqual(everything.flatMap(long), []);
});
