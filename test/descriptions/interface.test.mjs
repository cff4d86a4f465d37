/** docs/reference/interface.md names code and tests for each rule: both exist. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { proofOf } from '../../tools/proofs.mjs';
import { root } from './nodes.mjs';

const rows = readFileSync(join(root, 'docs', 'reference', 'interface.md'), 'utf8')
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

test('every rule has a test', () => {
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

test('every file and every name in the column "implemented in" exists', () => {
	const sources = ['nodes', 'credentials', 'contract', 'sandbox', 'scripts'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true })
			.map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
			.filter((file) => /\.(ts|mjs|yaml)$/.test(file)),
	);
	const code = sources.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
	// Files of the engine are named with their room, those of a resource by their name alone.
	const exists = (file) =>
		['', 'nodes/', 'nodes/engine/'].some((folder) => sources.includes(`${folder}${file}`)) ||
		sources.some((source) => /^nodes\/Acp/.test(source) && source.endsWith(`/${file}`));
	let named = 0;
	const missing = rows.flatMap((row) => {
		const [section, implemented] = row.split(' | ');
		const files = [...implemented.matchAll(/[\w/]+\.(?:ts|mjs)\b/g)].map(([file]) => file);
		const names = [...implemented.matchAll(/`([A-Za-z_]\w*)(?:\.(\w+))?`/g)].flatMap(
			([, name, member]) =>
				/^[A-Z]/.test(name) && member ? [`class ${name}`, member] : [member ?? name],
		);
		named += files.length + names.length;
		return [
			...files.filter((file) => !exists(file)),
			...names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code)),
		].map((lost) => `${section}: ${lost}`);
	});
	assert.ok(named > 150, `${named} names`);
	assert.deepEqual(missing, []);
});
