/** Each rule of the platform's interface (contract/rules.yaml) names code that exists and has tests that hold it. */
import assert, { assertNone } from '../asserted.mjs';
import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from 'js-yaml';
import { root } from './nodes.mjs';
import { contentOf } from '../../tools/files.mjs';

const rules = load(contentOf('contract', 'rules.yaml'));

/** What may stand below a comment that names rules: a test, a group, or a case of a table. */
const held = /^\s*(?:(?:describe|it|suite|test)\b|[[{'"`]|(?:async )?\(|\w+:|\.\.\.)/;

/**
 * What the comments of a test file say that it holds.
 * @param {string} file
 * @param {string} text its code
 * @returns {{rules: string[], at: string, holds: boolean}[]} `holds`: a test or a case stands below
 */
const tagsIn = (file, text) =>
	text.split('\n').flatMap((line, index, lines) => {
		const [, named] = /^\s*\/\/ interface: (.+)$/.exec(line) ?? [];
		const below = lines.slice(index + 1).find((one) => !/^\s*\/\//.test(one)) ?? '';
		return named
			? [{ rules: named.split('; '), at: `${file}:${index + 1}`, holds: held.test(below) }]
			: [];
	});

const tags = globSync('test/**/*.test.{cts,mjs}', { cwd: root })
	.filter((file) => !file.endsWith('interface.test.mjs'))
	.flatMap((file) => tagsIn(file, contentOf(file)));

test('every section from §2.1 to §8 has its rules, each once', () => {
	const sections = new Set(rules.map(({ rule }) => /^§(\d)/.exec(rule)[1]));
	for (const section of ['2', '3', '4', '5', '6', '7', '8'])
		assert.ok(sections.has(section), `§${section}`);
	assert.ok(rules.length > 100);
	assert.equal(new Set(rules.map(({ rule }) => rule)).size, rules.length);
	for (const one of rules)
		assert.deepEqual(Object.keys(one), ['rule', 'says', 'implemented'], one.rule);
});

test('every rule has a test', () => {
	const held = new Set(tags.flatMap((tag) => tag.rules));
	assert.ok(held.size > 100);
	assertNone(
		rules.map(({ rule }) => rule).filter((rule) => !held.has(rule)),
		'write "// interface: <rule>" above the test that holds it',
	);
});

test('every tag stands above a test or a case, and names rules that there are', () => {
	const known = new Set(rules.map(({ rule }) => rule));
	assert.ok(tags.length > 115);
	assertNone(
		tags.flatMap(({ at, holds, rules: named }) => [
			...(holds ? [] : [`${at} stands above no test`]),
			...named
				.filter((rule) => !known.has(rule))
				.map((rule) => `${at} names "${rule}", which contract/rules.yaml does not have`),
		]),
	);
});

test('a tag that stands above no test is found', () => {
	const above = (code) => tagsIn('x', `// interface: §1\n${code}`)[0].holds;
	for (const code of ["test('a', () => {});", "['a case', 1],", "{ name: 'a' },", "'a': 1,"])
		assert.equal(above(`// Why.\n\t${code}`), true, code);
	for (const code of ['];', "beforeAll(clean, 'x');", 'const x = 1;', ''])
		assert.equal(above(code), false, code);
});

test('every file and every name in the "implemented" exists', () => {
	const sources = ['nodes', 'credentials', 'contract', 'sandbox', 'scripts'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true })
			.map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
			.filter((file) => /\.(ts|mjs|yaml)$/.test(file) && file !== 'contract/rules.yaml'),
	);
	const code = sources.map((file) => contentOf(file)).join('\n');
	// Files of the engine are named with their room, those of a resource by their name alone.
	const exists = (file) =>
		['', 'nodes/', 'nodes/engine/'].some((folder) => sources.includes(`${folder}${file}`)) ||
		sources.some((source) => /^nodes\/Acp/.test(source) && source.endsWith(`/${file}`));
	let named = 0;
	const missing = rules.flatMap(({ rule, implemented }) => {
		const files = [...implemented.matchAll(/[\w/]+\.(?:ts|mjs)\b/g)].map(([file]) => file);
		const names = [...implemented.matchAll(/`([A-Za-z_]\w*)(?:\.(\w+))?`/g)].flatMap(
			([, name, member]) =>
				/^[A-Z]/.test(name) && member ? [`class ${name}`, member] : [member ?? name],
		);
		named += files.length + names.length;
		return [
			...files.filter((file) => !exists(file)),
			...names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code)),
		].map((lost) => `${rule}: ${lost}`);
	});
	assert.ok(named > 150, `${named} names`);
	assertNone(missing);
});
