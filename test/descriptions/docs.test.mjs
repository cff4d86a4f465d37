/** Generated pages are fresh, and the index of messages holds what the package really says. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { generated } from '../../scripts/docs.mjs';
import catalog from '../../tools/catalog.cjs';
import { indexed } from '../../tools/docs/errors.mjs';
import { between } from '../../tools/docs/markdown.mjs';
import { allMessages, messagesIn } from '../../tools/docs/messages.mjs';
import { reasons } from '../../tools/docs/reasons.mjs';
import { root } from './nodes.mjs';

const require = createRequire(import.meta.url);
const { describeError } = require(join(root, 'dist/nodes/engine/errors/errorText.js'));
const { RequestError } = require(join(root, 'dist/nodes/engine/errors/requestError.js'));

const messages = allMessages(root);
const index = indexed(messages);
const pages = generated();

test('every generated page is fresh', () => {
	assert.ok(pages.length > 15);
	assert.deepEqual(
		pages.filter(({ stale }) => stale).map(({ file }) => file),
		[],
		'run npm run docs and commit the pages',
	);
});

const markdown = execFileSync(
	'git',
	['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
	{ cwd: root, encoding: 'utf8' },
)
	.split('\n')
	.filter((file) => file && existsSync(join(root, file)));
const textOf = (file) => readFileSync(join(root, file), 'utf8');

/** Anchors as GitHub makes them of the headings of a page. */
function anchorsOf(file) {
	const seen = new Map();
	return new Set(
		[
			...textOf(file)
				.replace(/```[\s\S]*?```/g, '')
				.matchAll(/^#+ (.+)$/gm),
		].map(([, heading]) => {
			const anchor = heading
				.toLowerCase()
				.replace(/\]\([^)]*\)/g, '')
				.replace(/[^\p{L}\p{N} _-]/gu, '')
				.replaceAll(' ', '-');
			const count = seen.get(anchor) ?? 0;
			seen.set(anchor, count + 1);
			return count === 0 ? anchor : `${anchor}-${count}`;
		}),
	);
}

test('every link of every page leads somewhere, down to its heading', () => {
	assert.ok(markdown.length > 50);
	const links = markdown.flatMap((file) =>
		[...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)]
			.map(([, target]) => ({ file, target }))
			.filter(({ target }) => !/^[a-z]+:/.test(target)),
	);
	assert.ok(links.length > 300);
	const broken = links.filter(({ file, target }) => {
		const [path, anchor] = target.split('#');
		const page = path ? join(dirname(file), path) : file;
		if (!existsSync(join(root, page))) return true;
		return anchor !== undefined && !anchorsOf(page).has(anchor);
	});
	assert.deepEqual(
		broken.map(({ file, target }) => `${file}: ${target}`),
		[],
	);
});

test('links in the editor lead to a heading of a page', () => {
	const files = execFileSync('git', ['ls-files', 'nodes', 'credentials'], {
		cwd: root,
		encoding: 'utf8',
	})
		.split('\n')
		.filter((file) => /\.(ts|json)$/.test(file));
	const links = files.flatMap((file) =>
		[...textOf(file).matchAll(/\/blob\/main\/([\w/.-]+)(?:#([\w-]+))?/g)].map(
			([, page, anchor]) => ({ file, page, anchor }),
		),
	);
	assert.ok(links.length > 30);
	for (const { file, page, anchor } of links) {
		assert.ok(existsSync(join(root, page)), `${file}: ${page}`);
		assert.ok(anchor === undefined || anchorsOf(page).has(anchor), `${file}: ${page}#${anchor}`);
	}
});

test('README is short: it is the page of the package on npm', () => {
	const words = textOf('README.md').split(/\s+/).filter(Boolean).length;
	assert.ok(words > 300 && words < 900, `${words} words`);
});

test('every guide is on the list of guides', () => {
	const guides = markdown.filter((file) => file.startsWith('docs/guides/'));
	assert.ok(guides.length > 10);
	for (const guide of guides)
		assert.ok(textOf('docs/README.md').includes(`](${guide.replace('docs/', '')})`), guide);
});

test('every example is on the page of examples', () => {
	const names = readdirSync(join(root, 'examples'))
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.replace('.json', ''));
	assert.ok(names.length > 10);
	const page = textOf('docs/examples.md');
	for (const name of names) assert.ok(page.includes(`](../examples/${name}.json)`), name);
});

test('every picture that a page shows exists, and none is kept that no page shows or that scripts/screenshots.mjs does not take', () => {
	const all = readdirSync(join(root, 'docs/images'), { recursive: true }).filter((name) =>
		name.endsWith('.png'),
	);
	// Those of examples have the names of examples.
	const pictures = all.filter((name) => !name.startsWith('examples/'));
	const ofExamples = all.filter((name) => name.startsWith('examples/'));
	assert.ok(ofExamples.length > 0);
	assert.deepEqual(
		ofExamples.filter((name) => !existsSync(join(root, name.replace('.png', '.json')))),
		[],
		'no example has this name',
	);
	const taken = [
		...readFileSync(join(root, 'scripts/screenshots.mjs'), 'utf8').matchAll(
			/keep(?:Canvas)?\('([\w-]+)'/g,
		),
	].map(([, name]) => `${name}.png`);
	const files = [
		'README.md',
		'CONTRIBUTING.md',
		...readdirSync(join(root, 'docs'), { recursive: true })
			.filter((file) => file.endsWith('.md'))
			.map((file) => `docs/${file}`),
	];
	const shown = new Set();
	for (const file of files) {
		for (const [, alternative, target] of readFileSync(join(root, file), 'utf8').matchAll(
			/!\[([^\]]*)\]\(([^)]+)\)/g,
		)) {
			assert.ok(existsSync(join(root, dirname(file), target)), `${file}: ${target}`);
			assert.ok(
				alternative.length > 20,
				`${file}: ${target} needs words for people who do not see it`,
			);
			shown.add(join(dirname(file), target));
		}
	}
	assert.deepEqual(
		all.filter((name) => !shown.has(join('docs/images', name))),
		[],
		'shown by no page',
	);
	assert.deepEqual(pictures.sort(), taken.sort(), 'scripts/screenshots.mjs takes others');
	assert.ok(shown.size >= pictures.length && pictures.length > 0);
});

test('no sentence of a generated page ends twice or stands twice in a row', () => {
	for (const { file, text } of pages) {
		assert.doesNotMatch(text, /\w\.\.(\s|$)/, file);
		for (const row of text.split('\n').filter((line) => line.startsWith('| ')))
			assert.doesNotMatch(row, /\| ([^|.]{20,}\.) \1/, file);
	}
});

test('each node’s page has a hand-written part that says when to use it', () => {
	const ofNodes = pages.filter(({ file: name }) => /^docs\/nodes\/acp\w+\.md$/.test(name));
	assert.equal(ofNodes.length, catalog.nodes().length);
	for (const { file, text } of ofNodes) {
		assert.match(text.slice(0, text.indexOf('<!-- generated')), /\n## When to use it\n\n- /, file);
	}
});

test('generated text replaces what stands between its markers and nothing else', () => {
	const page = 'before\n<!-- generated: x -->\nold\n<!-- /generated -->\nafter\n';
	assert.equal(
		between(page, 'x', 'new'),
		'before\n<!-- generated: x -->\nnew\n<!-- /generated -->\nafter\n',
	);
	assert.throws(() => between(page, 'y', 'new'), /no markers/);
});

test('coverage has a row for each area of the interface, down to an endpoint or API Request', () => {
	const { text } = pages.find(({ file }) => file === 'docs/reference/coverage.md');
	const { areas } = catalog.contract();
	assert.ok(areas.length >= 43);
	for (const { name } of areas)
		assert.match(
			text,
			new RegExp(`\\n### ${name}\\n\\n\\|[^\\n]+\\n\\|[^\\n]+\\n\\| (ACP |every action node)`),
			name,
		);
});

describe('the index of messages', () => {
	const pattern = (says) =>
		new RegExp(
			`^${says
				.split('…')
				.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
				.join('.*')}`,
			's',
		);
	const known = index.map(({ says }) => pattern(says));
	const faults = [
		...[
			'connectionRefused',
			'name',
			'tls',
			'timeout',
			'dropped',
			'network',
			'redirect',
			'html',
			'unreadable',
			'refused',
			'uncertain',
		].map((kind) => new RequestError(kind, 'unknown', {})),
		...[400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503].map(
			(status) => new RequestError('status', 'nothing', { status }),
		),
		...['ENDPOINT_NOT_FOUND', 'RESOURCE_NOT_FOUND'].map(
			(code) => new RequestError('status', 'nothing', { status: 404, code }),
		),
		new RequestError('status', 'nothing', { status: 422, code: 'VALIDATION_ERROR', field: 'name' }),
		new RequestError('redirect', 'nothing', { location: 'https://elsewhere.example.com' }),
		new RequestError('dropped', 'unknown', { looked: 'missing' }),
	];

	test('holds whatever is said about the platform and the way to it', () => {
		for (const fault of faults) {
			for (const kind of ['read', 'keyed', 'write']) {
				const { message } = describeError(fault, { host: 'acme.example.com', class: kind });
				assert.ok(
					known.some((one) => one.test(message)),
					message,
				);
			}
		}
	});

	test('says why, for each of these', () => {
		const said = index
			.filter(({ file }) => file === 'nodes/engine/errors/errorText.ts')
			.map(({ says }) => says);
		assert.deepEqual(
			said.filter((says) => !(says in reasons)),
			[],
			'add the reason in tools/docs/reasons.mjs',
		);
		assert.deepEqual(
			Object.keys(reasons).filter((says) => !said.includes(says)),
			[],
			'no longer said: remove it from tools/docs/reasons.mjs',
		);
	});

	test('holds what operations say about codes and statuses of their own', () => {
		const said = catalog
			.operationsOf(catalog.nodes())
			.flatMap(({ operation }) => Object.values(operation.explain ?? {}));
		assert.ok(said.length > 10);
		assert.deepEqual(
			said
				.map(({ message }) => message)
				.filter((message) => !known.some((one) => one.test(message))),
			[],
		);
	});

	test('finds each way in which a message is written', () => {
		const source = `
			const a = (fail) => fail(\`is \${value}; choose one of: \${names}\`);
			throw new InvalidValue('Path', 'is empty. Write the path');
			throw new InvalidValue(undefined, 'There is nothing to change. Add a field');
			throw new NodeOperationError(node, 'The execution was canceled', { description: 'Start it again.' });
			const b = { check: ({ body }) => (body.a ? undefined : "Fill in 'A' too; it is needed for B") };
			const c = { explain: { '409': { message: 'The flow is deployed now', description: 'Undeploy it first.' } } };
			running.hints.add('There is nothing to download here');
			const d = { displayName: 'Shown in the Editor Alone', description: 'Whether this is shown in the editor alone' };
		`;
		assert.deepEqual(
			messagesIn('x.ts', source).map(({ role, says, next }) => [role, says, next]),
			[
				['error', "'…' is …; choose one of: …", ''],
				['error', "'Path' is empty", 'Write the path'],
				['error', 'There is nothing to change', 'Add a field'],
				['error', 'The execution was canceled', 'Start it again.'],
				['error', "Fill in 'A' too; it is needed for B", ''],
				['error', 'The flow is deployed now', 'Undeploy it first.'],
				['hint', 'There is nothing to download here', ''],
			],
		);
	});
});
