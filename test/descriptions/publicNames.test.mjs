/**
 * Workflows store public names and choices: none of a release may vanish within its major version. `npm run release`
 * records them. Defaults change with a word on what that means for saved workflows; bounds are free.
 */
import assert from '../asserted.mjs';
import { test } from 'node:test';
import lodash from 'lodash';
import { newDefaultsOf, released } from '../../scripts/docs.mjs';
import built from '../../tools/operations.cjs';
import {
	aboutDefaults,
	changedDefaults,
	defaultsOf,
	flatten,
	publicNames,
	vanished,
} from '../../tools/docs/names.mjs';

const nodes = built.nodes();
const now = publicNames(nodes, built.credentials());
const known = { names: now, defaults: defaultsOf(nodes, built.credentials()) };

test('no public name of the last release has vanished', () => {
	assert.ok(flatten(now).length > 1500);
	assert.deepEqual(vanished(released()?.names ?? {}, now), []);
});

/** The names without a branch of the tree, or without one name of it. */
function without(path, name) {
	const changed = structuredClone(now);
	if (name === undefined) lodash.unset(changed, path);
	else {
		assert.ok(lodash.get(changed, path).includes(name), name);
		lodash.pull(lodash.get(changed, path), name);
	}
	return vanished(now, changed);
}

test('whatever is missing is noticed', () => {
	assert.ok(without('acpCalls').includes('acpCalls call start phoneNumber'));
	assert.ok(without('acpCalls.call').includes('acpCalls call'));
	assert.deepEqual(without('acpCalls.call.start').slice(0, 1), ['acpCalls call start']);
	for (const [path, name] of [
		['acpCalls.call.start', 'phoneNumber'],
		['acpCalls.call.start', 'options.requestKey'],
		['acpTrigger', 'events'],
		['acpTrigger', 'events=conversation_status'],
		['acpScheduling.appointmentRequest.getAll', 'simplified:end_time'],
		['credential acpApi', 'baseUrl'],
	])
		assert.deepEqual(without(path, name), [`${path.replaceAll('.', ' ')} ${name}`]);
});

/** The nodes with one parameter of "Call: Start" changed. */
const changedParameter = (name, change) =>
	lodash.cloneDeepWith(nodes, (value) =>
		value?.value === 'start' && value.parameters
			? {
					...value,
					parameters: value.parameters.map((one) =>
						one.name === name ? { ...one, ...change } : one,
					),
				}
			: undefined,
	);

test('bounds, and what is required, may change', () => {
	const looser = changedParameter('phoneNumber', {
		required: false,
		typeOptions: { minValue: 1, maxValue: 60 },
	});
	assert.notDeepEqual(looser, nodes);
	assert.deepEqual(publicNames(looser, built.credentials()), now);
	assert.deepEqual(changedDefaults(known, defaultsOf(looser, built.credentials())), []);
});

test('no default has changed without a word', () => {
	const changed = newDefaultsOf(nodes);
	assert.deepEqual(changed, [], aboutDefaults(changed));
});

test('a changed default is named with both values, and a new parameter is not', () => {
	const changed = changedParameter('phoneNumber', { default: '+49' });
	const defaults = defaultsOf(changed, built.credentials());
	const line = 'acpCalls call start phoneNumber: from nothing to "+49"';
	assert.deepEqual(changedDefaults(known, defaults), [line]);
	assert.match(aboutDefaults([line]), /phoneNumber.*saved workflows.*--new-defaults/s);
	const before = { ...known, names: lodash.omit(now, 'acpCalls') };
	assert.deepEqual(changedDefaults(before, defaults), []);
});
