/**
 * Workflows store public names and choices: none may vanish within a major version. `npm run
 * docs` adds new ones to the list.
 */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import lodash from 'lodash';
import { namesFile } from '../../scripts/docs.mjs';
import built from '../../tools/operations.cjs';
import { flatten, publicNames, vanished } from '../../tools/docs/names.mjs';
import { manifest, root } from './nodes.mjs';

const known = JSON.parse(readFileSync(join(root, namesFile), 'utf8'));
const now = publicNames(built.nodes());

test('the list belongs to this major version', () => {
	assert.equal(
		known.major,
		Number(manifest.version.split('.')[0]),
		'run npm run docs after a new major version',
	);
});

test('no public name has vanished', () => {
	assert.ok(flatten(known.names).length > 1500);
	assert.deepEqual(vanished(known.names, now), []);
});

test('the list names every node, resource, operation, parameter, choice and simplified field', () => {
	assert.deepEqual(vanished(now, known.names), [], 'run npm run docs to add new names');
	assert.ok(flatten(known.names).length > 1500);
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
		['acpCalls.call.start', 'phoneNumber:required'],
		['acpCalls.call.start', 'options.requestKey'],
		['acpTrigger', 'events'],
		['acpTrigger', 'events=conversation_status'],
		['acpScheduling.appointmentRequest.getAll', 'simplified:end_time'],
		['acpAgents.agentWebhook.create', 'additionalFields.isActive:default=true'],
	])
		assert.deepEqual(without(path, name), [`${path.replaceAll('.', ' ')} ${name}`]);
});
