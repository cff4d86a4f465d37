/** docs/interface.md names the tests that hold each rule of the interface: they exist under these names. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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

test('every rule has a test, and it exists', () => {
	for (const row of rows) {
		const named = proofs(row);
		assert.ok(
			named.some(({ titles }) => titles.length > 0),
			`no test for ${row.slice(0, 80)}`,
		);
		for (const { file, titles } of named) {
			assert.ok(existsSync(join(root, file)), `${file} does not exist`);
			const source = readFileSync(join(root, file), 'utf8').replace(/\\'/g, "'");
			for (const title of titles) {
				// Of a title that is made from a table of cases, the case is written; its class and what is expected are not.
				const own = title.split(' › ').at(-1);
				const cases = [
					own.split(': ')[0],
					own.split(', ')[0],
					own.replace(/ \((read|write|keyed)\)$/, ''),
				].map((name) => `'${name}'`);
				assert.ok(
					[own, ...cases].some((text) => source.includes(text)),
					`${file} has no test “${title}”`,
				);
			}
		}
	}
});
