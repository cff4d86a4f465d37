/** The nodes of every example, as n8n's own descriptions of them say they must be. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ensureHost, repository } from '../../tools/bootstrap.mjs';
import { defaultVersion } from '../../tools/host.mjs';
import { faultsOf, nodeTypesOf } from '../../tools/workflow-faults.mjs';

await ensureHost(defaultVersion);
const types = nodeTypesOf(defaultVersion);
const folder = join(repository, 'examples');
const examples = readdirSync(folder)
	.filter((name) => name.endsWith('.json'))
	.map((name) => join(folder, name))
	// A workflow that a guide offers.
	.concat(join(repository, 'docs', 'guides', 'first-hour.json'))
	.map((file) => ({ name: basename(file), workflow: JSON.parse(readFileSync(file, 'utf8')) }));
assert.ok(examples.length > 10);

for (const { name, workflow } of examples)
	test(`${name}: every parameter is known, and what is empty is asked for in a note`, () => {
		const all = faultsOf(workflow, types);
		const faults = all.filter(({ kind }) => kind === 'missing');
		assert.deepEqual(
			all.filter((fault) => !faults.includes(fault)),
			[],
		);
		const notes = workflow.nodes
			.filter(({ type }) => type.endsWith('.stickyNote'))
			.map(({ parameters }) => parameters.content.toLowerCase())
			.join('\n');
		const unnamed = faults.filter(
			({ what }) => !notes.includes(what.replace(/ Names or IDs$/, '').toLowerCase()),
		);
		assert.deepEqual(unnamed, [], 'empty, and no note says so');
	});

test('what is wrong with a node is found', () => {
	const node = (type, typeVersion, parameters) => ({ name: 'N', type, typeVersion, parameters });
	const of = (...nodes) => faultsOf({ nodes }, types).map(({ kind, what }) => `${kind} ${what}`);
	const row = {
		resource: 'row',
		dataTableId: { __rl: true, mode: 'name', value: 'T' },
		matchType: 'allConditions',
	};
	const table = (change) => node('n8n-nodes-base.dataTable', 1.1, { ...row, ...change });
	const condition = { keyName: 'a', condition: 'eq', keyValue: 'b' };
	const filters = { conditions: [condition] };
	assert.deepEqual(of(node('n8n-nodes-base.nothing', 1, {})), [
		'unknown type n8n-nodes-base.nothing',
	]);
	assert.deepEqual(of(node('n8n-nodes-base.dataTable', 9, {})), [
		'unknown version 9 of n8n-nodes-base.dataTable',
	]);
	assert.deepEqual(of(table({ operation: 'get', filters })), []);
	assert.ok(of(table({ operation: 'steal' })).includes('invalid operation: "steal"'));
	assert.deepEqual(of(table({ operation: 'get', filters, colour: 'red' })), ['unknown colour']);
	assert.deepEqual(of(table({ operation: 'rowNotExists', filters })), [
		'unknown filters.conditions.condition',
	]);
	assert.deepEqual(of(table({ operation: 'get', filters: { others: [condition] } })), [
		'unknown filters.others',
	]);
	const mode = { __rl: true, mode: 'colour', value: 'T' };
	assert.deepEqual(of(table({ operation: 'get', filters, dataTableId: mode })), [
		'invalid dataTableId: mode "colour"',
	]);
	assert.deepEqual(
		of(
			node('n8n-nodes-agent-conversation-platform.acpMessages', 1, {
				resource: 'sms',
				operation: 'send',
				message: 'Hello',
				phoneNumber: '',
			}),
		),
		['missing Agent', 'missing Phone Number'],
	);
});
