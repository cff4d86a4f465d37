/** Who may import whom: the rooms of the engine from bottom to top, and the borders between the folders. */
import assert from '../asserted.mjs';
import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import typescript from 'typescript';
import { root } from './nodes.mjs';
import { contentOf } from '../../tools/files.mjs';

/** The rooms of nodes/engine, bottom first; a name ending in .ts is a file. Each imports only what comes before it. */
const rooms = [
	'text',
	'platform',
	'secrets',
	'errors',
	'inParallel.ts',
	'phone',
	'people',
	'time.ts',
	'response',
	'http',
	'pages',
	'lookups',
	'fields',
	'journal',
	'operation',
	'apiRequest',
	'describe',
	'execution.ts',
	'prepare',
	'follow',
	'deliver',
	'output',
	'run',
];

/** All code of this repository, without what is installed or built. */
const files = readdirSync(root, { withFileTypes: true })
	.filter(({ name }) => !/^(\.\w+|node_modules|dist|coverage|reports)$/.test(name))
	.flatMap((entry) =>
		entry.isDirectory()
			? readdirSync(join(root, entry.name), { recursive: true }).map((file) =>
					posix.join(entry.name, file.replaceAll('\\', '/')),
				)
			: [entry.name],
	)
	.filter((file) => /\.[cm]?[jt]s$/.test(file));
const known = new Set(files);

/** Everything that a file imports, exports again, requires or takes types from. */
function specifiersOf(file) {
	const source = typescript.createSourceFile(
		file,
		contentOf(file),
		typescript.ScriptTarget.Latest,
		false,
		/\.[cm]?ts$/.test(file) ? typescript.ScriptKind.TS : typescript.ScriptKind.JS,
	);
	const found = [];
	const visit = (node) => {
		const named =
			node.moduleSpecifier ??
			(typescript.isImportTypeNode(node) ? node.argument.literal : undefined) ??
			(typescript.isExternalModuleReference(node) ? node.expression : undefined) ??
			(typescript.isCallExpression(node) &&
			(node.expression.kind === typescript.SyntaxKind.ImportKeyword ||
				/^require(\.resolve)?$/.test(nameOf(node.expression)))
				? node.arguments[0]
				: undefined);
		if (named && typescript.isStringLiteralLike(named)) found.push(named.text);
		typescript.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** `require` or `require.resolve`, as it stands in a call. */
const nameOf = (expression) =>
	typescript.isPropertyAccessExpression(expression)
		? `${nameOf(expression.expression)}.${expression.name.text}`
		: (expression.text ?? '');

/** The files of this repository that a file imports. */
const importsOf = (file) =>
	specifiersOf(file)
		.filter((specifier) => specifier.startsWith('.'))
		.map((specifier) => {
			const path = posix.join(posix.dirname(file), specifier);
			const candidates = [path, `${path}.ts`, `${path}.d.ts`, `${path}/index.ts`];
			return candidates.find((candidate) => known.has(candidate)) ?? path;
		});

const graph = new Map(files.map((file) => [file, importsOf(file)]));
const edges = [...graph].flatMap(([file, imported]) => imported.map((other) => [file, other]));
const written = (found) => found.map(([file, other]) => `${file} imports ${other}`);

const engine = 'nodes/engine/';
const roomOf = (file) => file.slice(engine.length).split('/')[0];
const inEngine = (file) => file.startsWith(engine);

test('every import of nodes/ is found and leads to a file', () => {
	const lost = edges.filter(
		([file, other]) => file.startsWith('nodes/') && !existsSync(join(root, other)),
	);
	assert.deepEqual(written(lost), []);
	assert.ok(edges.filter(([file]) => inEngine(file)).length > 200);
});

test('every room of the engine has its place in the order', () => {
	const found = new Set([...graph.keys()].filter(inEngine).map(roomOf));
	assert.deepEqual([...found].sort(), [...rooms].sort());
});

/** Ways from a file of a folder back to itself. @returns {{circles: string[], followed: number}} */
function circlesIn(folder) {
	const done = new Set();
	const circles = [];
	const follow = (file, way) => {
		if (way.includes(file)) {
			circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
			return;
		}
		if (done.has(file)) return;
		for (const other of graph.get(file) ?? []) follow(other, [...way, file]);
		done.add(file);
	};
	for (const file of graph.keys()) if (file.startsWith(folder)) follow(file, []);
	return { circles, followed: done.size };
}

for (const [folder, least] of [
	['nodes/', 150],
	['sandbox/', 40],
])
	test(`no file of ${folder} imports itself by way of others`, () => {
		const { circles, followed } = circlesIn(folder);
		assert.ok(followed > least, `${followed} files`);
		assert.deepEqual(circles, []);
	});

test('no room of the engine imports a room above it', () => {
	const between = edges.filter(
		([file, other]) => inEngine(file) && inEngine(other) && roomOf(file) !== roomOf(other),
	);
	assert.ok(between.length > 150, `${between.length} imports`);
	const upward = between.filter(
		([file, other]) => rooms.indexOf(roomOf(other)) > rooms.indexOf(roomOf(file)),
	);
	assert.deepEqual(written(upward), []);
});

test('the engine imports nothing of nodes or shared, shared nothing of nodes, nodes nothing of each other', () => {
	const nodeOf = (file) => /^nodes\/(Acp[^/]+)\//.exec(file)?.[1];
	const across = edges.filter(
		([file, other]) =>
			file.startsWith('nodes/') &&
			(nodeOf(other)
				? nodeOf(other) !== nodeOf(file)
				: inEngine(file) && other.startsWith('nodes/shared/')),
	);
	const downward = edges.filter(([file, other]) => nodeOf(file) && inEngine(other));
	assert.ok(downward.length > 100, `${downward.length} imports`);
	assert.deepEqual(written(across), []);
});

test('nothing outside test/ imports from test/', () => {
	const isTest = (file) => file.startsWith('test/');
	const fromTests = edges.filter(([, other]) => isTest(other));
	assert.ok(fromTests.length > 50, `${fromTests.length} imports`);
	assert.deepEqual(written(fromTests.filter(([file]) => !isTest(file))), []);
});

test('the sandbox shares no code with the nodes', () => {
	const ofSandbox = edges.filter(([file]) => file.startsWith('sandbox/'));
	assert.ok(ofSandbox.length > 50, `${ofSandbox.length} imports`);
	const shared = ofSandbox.filter(([, other]) => /^(nodes|credentials|dist)\//.test(other));
	assert.deepEqual(written(shared), []);
});

test('docs/contributing/architecture.md lists the rooms in this order', () => {
	const page = contentOf('docs', 'contributing', 'architecture.md');
	const [, section] = page.split(/^## The rooms.*$/m);
	const listed = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) =>
		name.replace(/\/$/, ''),
	);
	assert.deepEqual(listed, rooms);
});

test('docs/contributing/architecture.md names every store that lives as long as the process', () => {
	const stores = files
		.filter((file) => /^nodes\/.+(?<!\.d)\.ts$/.test(file))
		.flatMap((file) =>
			[
				...contentOf(file).matchAll(
					/^(?:export )?(?:let (\w+)|const (\w+)[^=]* = (?:new (?:Map|Set)\b.*\(\);|memoize\())/gm,
				),
			].map(([, variable, store]) => `\`${variable ?? store}\` ${file.replace('nodes/', '')}`),
		);
	assert.ok(stores.length > 10);
	const page = contentOf('docs', 'contributing', 'architecture.md');
	const [, section] = /^## What lives as long as the process\n([^]+?)^## /m.exec(page);
	const named = [...section.matchAll(/(`\w+`(?:\sand\s`\w+`)?) \(`([\w/]+\.ts)`\)/g)].flatMap(
		([, names, file]) => names.match(/`\w+`/g).map((name) => `${name} ${file}`),
	);
	assert.deepEqual(
		named.sort(),
		stores.sort(),
		'add it to the table, with what another worker does not know',
	);
	const rows = [...section.matchAll(/^\| `\w+` \(`[\w/]+\.ts`\) \|/gm)];
	assert.ok(
		rows.length > 0 && rows.length <= 8,
		`${rows.length} stores that hold what was learned`,
	);
});
