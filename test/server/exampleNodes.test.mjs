/** What every example leaves to fill in. That n8n takes its nodes as they are: test/ai. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ensureHost, repository } from '../../tools/bootstrap.mjs';
import { defaultVersion } from '../../tools/host.mjs';
import { missingIn, nodeTypesOf } from './support/nodeTypes.mjs';

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
	test(`${name}: what is empty is asked for in a note`, () => {
		const notes = workflow.nodes
			.filter(({ type }) => type.endsWith('.stickyNote'))
			.map(({ parameters }) => parameters.content.toLowerCase())
			.join('\n');
		const unnamed = workflow.nodes
			.flatMap((node) => missingIn(node, types))
			.filter((label) => !notes.includes(label.replace(/ Names or IDs$/, '').toLowerCase()));
		assert.deepEqual(unnamed, [], 'empty, and no note says so');
	});
