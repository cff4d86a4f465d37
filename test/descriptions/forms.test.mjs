/** How much there is to read in a form before somebody opens Options. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import lodash from 'lodash';
import { nodes, operationsOf } from '../../tools/operations.cjs';

const words = (text = '') => lodash.words(text.replace(/<[^>]+>/g, ' '), /\S+/g).length;

/** @param {any} property @returns {number} words of its label, description and hint, and of all that is in it */
const wordsOf = ({ displayName, description, hint, options = [], values = [] }) =>
	words(displayName) +
	words(description) +
	words(hint) +
	lodash.sum([...options, ...values].map(wordsOf));

const forms = operationsOf(nodes()).map(({ node, resource, value, parameters }) => {
	const shown = parameters.filter(({ name }) => name !== 'options');
	return {
		form: `${node.name} ${resource.value}.${value}`,
		shown,
		words: lodash.sum(shown.map(wordsOf)),
	};
});

/** All of an agent can be entered at once, in groups that are closed at first. */
const wholeAgent = ['acpAgents agent.create', 'acpAgents agent.update'];

test('a form has at most 80 words in the middle, and none has more than 500', () => {
	const sorted = lodash.sortBy(forms, 'words');
	assert.ok(sorted.length > 200);
	assert.ok(sorted[Math.floor(sorted.length / 2)].words <= 80);
	const long = sorted.filter((one) => one.words > 500);
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

test('a notice has at most 25 words', () => {
	const notices = nodes().flatMap(({ description }) =>
		description.properties.filter(({ type }) => type === 'notice'),
	);
	assert.ok(notices.length > 40);
	assert.deepEqual(
		notices.map(({ displayName }) => displayName).filter((text) => words(text) > 25),
		[],
	);
});
