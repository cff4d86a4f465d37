/** docs/interface.md names the tests that hold each rule of the interface: they run, and they assert. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { proofOf } from '../../tools/proofs.mjs';
import { root } from './nodes.mjs';

const rows = readFileSync(join(root, 'docs', 'interface.md'), 'utf8')
	.split('\n')
	.filter((line) => line.startsWith('| §'));

/** @returns {{file: string, titles: string[]}[]} what the last column names */
const proofs = (row) =>
	[
		...row
			.split(' | ')
			.at(-1)
			.matchAll(/`(test\/[^`]+)`((?:[^`“]|“[^”]*”)*)/g),
	].map(([, file, rest]) => ({
		file,
		titles: [...rest.matchAll(/“([^”]+)”/g)].map(([, title]) => title),
	}));

test('every section from §2.1 to §8 has its rows', () => {
	const sections = new Set(rows.map((row) => /^\| §([\d.]+)/.exec(row)[1].split('.')[0]));
	for (const section of ['2', '3', '4', '5', '6', '7', '8'])
		assert.ok(sections.has(section), `§${section}`);
	assert.ok(rows.length > 100);
});

test('every rule has a test that runs and is bound to assert something', () => {
	assert.ok(rows.length > 100);
	const named = rows.map((row) => ({ rule: row.slice(0, 80), tests: proofs(row) }));
	assert.deepEqual(
		named
			.filter(({ tests }) => !tests.some(({ titles }) => titles.length > 0))
			.map(({ rule }) => rule),
		[],
		'no test',
	);
	assert.deepEqual(
		named.flatMap(({ tests }) =>
			tests.flatMap(({ file, titles }) =>
				titles.flatMap((title) => proofOf(root, file, title).why ?? []),
			),
		),
		[],
	);
});
