/**
 * Workflows store public names and choices: none may vanish within a major version. `npm run
 * docs` adds new ones to the list.
 */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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

test('whatever is missing is noticed', () => {
	const without = (change) => {
		const changed = structuredClone(now);
		change(changed);
		return vanished(now, changed);
	};
	assert.ok(without((names) => delete names.acpCalls).includes('acpCalls call start phoneNumber'));
	assert.ok(without((names) => delete names.acpCalls.call).includes('acpCalls call'));
	assert.deepEqual(without((names) => delete names.acpCalls.call.start).slice(0, 1), [
		'acpCalls call start',
	]);
	assert.deepEqual(
		without((names) =>
			names.acpCalls.call.start.splice(names.acpCalls.call.start.indexOf('phoneNumber'), 1),
		),
		['acpCalls call start phoneNumber'],
	);
	assert.deepEqual(
		without((names) => names.acpTrigger.splice(names.acpTrigger.indexOf('events'), 1)),
		['acpTrigger events'],
	);
	assert.ok(
		without((names) =>
			names.acpCalls.call.start.splice(names.acpCalls.call.start.indexOf('options.requestKey'), 1),
		).includes('acpCalls call start options.requestKey'),
	);
	assert.deepEqual(
		without((names) =>
			names.acpScheduling.appointmentRequest.getAll.splice(
				names.acpScheduling.appointmentRequest.getAll.indexOf('simplified:end_time'),
				1,
			),
		),
		['acpScheduling appointmentRequest getAll simplified:end_time'],
	);
	assert.deepEqual(
		without((names) =>
			names.acpTrigger.splice(names.acpTrigger.indexOf('events=conversation_status'), 1),
		),
		['acpTrigger events=conversation_status'],
	);
	const changed = (from, to) =>
		vanished(
			now,
			JSON.parse(JSON.stringify(now).replace(JSON.stringify(from), JSON.stringify(to))),
		);
	assert.ok(
		changed('additionalFields.isActive:default=true', 'additionalFields.isActive').some((name) =>
			name.endsWith('isActive:default=true'),
		),
		'a default that goes',
	);
	assert.ok(
		changed('phoneNumber:required', 'phoneNumber').some((name) =>
			name.endsWith('phoneNumber:required'),
		),
		'a field that need not be filled in any more',
	);
});
