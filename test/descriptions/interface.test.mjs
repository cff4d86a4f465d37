/** Each rule of the platform's interface (contract/rules.yaml) names code that exists and has tests that hold it. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rulesOf, tagsIn, tagsOf } from '../../tools/docs/rules.mjs';
import { root } from './nodes.mjs';

const rules = rulesOf(root);
const tags = tagsOf(root);

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
	assert.deepEqual(
		rules.map(({ rule }) => rule).filter((rule) => !held.has(rule)),
		[],
		'write "// interface: <rule>" above the test that holds it',
	);
});

test('every tag stands above a test or a case, and names rules that there are', () => {
	const known = new Set(rules.map(({ rule }) => rule));
	assert.ok(tags.length > 150);
	assert.deepEqual(
		tags.flatMap(({ file, line, title, rules: named }) => [
			...(title === undefined ? [`${file}:${line} stands above no test`] : []),
			...named
				.filter((rule) => !known.has(rule))
				.map((rule) => `${file}:${line} names "${rule}", which contract/rules.yaml does not have`),
		]),
		[],
	);
});

test('a tag is read above a test, a group, and a case of a table, and nowhere else', () => {
	const code = `
		// interface: §1 rule 1; §1 rule 2
		// interface: §2
		test('a test', () => {});
		// Why it is so.
		// interface: §3
		describe.each(cases)('a group', () => {});
		const cases = [
			// interface: §4
			['a case', 1],
			// interface: §5
			{ name: 'another case', status: 1 },
		];
		const more = {
			// interface: §6
			'a third': 1,
			// interface: §7
		};
		// interface: §9
		beforeAll(clean, 'x');
		const text = '// interface: §8';`;
	assert.deepEqual(
		tagsIn('x.test.mjs', code).map(({ rules: named, title }) => [named.join(), title]),
		[
			['§1 rule 1,§1 rule 2', 'a test'],
			['§2', 'a test'],
			['§3', 'a group'],
			['§4', 'a case'],
			['§5', 'another case'],
			['§6', 'a third'],
			['§7', undefined],
			['§9', undefined],
		],
	);
});

test('every file and every name in the "implemented" exists', () => {
	const sources = ['nodes', 'credentials', 'contract', 'sandbox', 'scripts'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true })
			.map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
			.filter((file) => /\.(ts|mjs|yaml)$/.test(file) && file !== 'contract/rules.yaml'),
	);
	const code = sources.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
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
	assert.deepEqual(missing, []);
});
