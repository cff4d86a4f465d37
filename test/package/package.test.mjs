/** What is published: the same checks that n8n makes before it verifies a package, and what users would download. */
import assert, { assertNone } from '../asserted.mjs';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ESLint } from 'eslint';
import { config } from '@n8n/node-cli/eslint';
import { load } from 'js-yaml';
import { ensureBuild, ensurePack, hosts } from '../../tools/bootstrap.mjs';
import { jsonOf, contentOf } from '../../tools/files.mjs';

const root = join(import.meta.dirname, '..', '..');
const manifest = jsonOf('package.json');
let folder;
let unpacked;

before(async () => {
	await ensureBuild();
	folder = fs.mkdtempSync(join(root, '.local', 'package-'));
	unpacked = join(folder, 'unpacked');
	fs.mkdirSync(unpacked);
	execFileSync('tar', ['-xzf', await ensurePack(), '-C', unpacked, '--strip-components=1']);
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

test('the tarball holds dist, README, licence, package.json and nothing else', () => {
	const files = fs
		.readdirSync(unpacked, { recursive: true, withFileTypes: true })
		.filter((one) => one.isFile())
		.map(({ parentPath, name }) => relative(unpacked, join(parentPath, name)));
	const others = files.filter(
		(file) =>
			!file.startsWith('dist/') && !['README.md', 'LICENSE.md', 'package.json'].includes(file),
	);
	assertNone(others);
	assert.ok(files.includes('README.md') && files.includes('LICENSE.md'));
	assertNone(files.filter((file) => /\.(ts|map|cts|mjs)$/.test(file)));
});

test('no runtime dependencies, n8n-workflow as the only peer, MIT, a public repository', () => {
	assert.equal(manifest.dependencies, undefined);
	assert.deepEqual(manifest.peerDependencies, { 'n8n-workflow': '*' });
	assert.equal(manifest.license, 'MIT');
	assert.match(manifest.repository.url, /^git\+https:\/\/github\.com\//);
	assert.ok(manifest.keywords.includes('n8n-community-node-package'));
	assert.ok(Object.keys(manifest.devDependencies).length > 10);
	for (const version of Object.values(manifest.devDependencies))
		assert.match(version, /^\d+\.\d+\.\d+$/, 'development dependencies are pinned exactly');
});

test('everything that package.json registers is in the tarball', () => {
	const registered = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	assert.ok(registered.length > 10);
	for (const path of registered) assert.ok(fs.existsSync(join(unpacked, path)), path);
});

/** What n8n itself depends on, by its lockfile: all that an isolated layout (its container image) shows a package. */
function providedBy(version) {
	const { snapshots } = load(contentOf('test', 'hosts', `n8n-${version}`, 'pnpm-lock.yaml'));
	const [, n8n] = Object.entries(snapshots).find(([name]) => name.startsWith(`n8n@${version}`));
	return new Set([...Object.keys(n8n.dependencies), 'n8n-workflow', ...builtinModules]);
}

test('what runs imports only what each n8n itself depends on', () => {
	const files = scripts(join(unpacked, 'dist'));
	assert.ok(files.length > 50);
	const imported = files.flatMap((file) =>
		[...fs.readFileSync(file, 'utf8').matchAll(/\brequire\(["']([^"']+)["']\)/g)]
			.map(([, name]) => name.replace(/^node:/, ''))
			.filter((name) => !name.startsWith('.')),
	);
	assert.ok(imported.includes('luxon'));
	assert.ok(hosts.length > 1);
	for (const { version } of hosts) {
		const provided = providedBy(version);
		assertNone(
			imported.filter((name) => !provided.has(name)),
			`what n8n ${version} does not have`,
		);
	}
});

test('the phone library is one readable file that names its version, with both of its licences beside it', () => {
	const folder = join(unpacked, 'dist', 'nodes', 'engine', 'phone');
	const read = (name) => fs.readFileSync(join(folder, name), 'utf8');
	const library = read('libphonenumber.js');
	const version = manifest.devDependencies['libphonenumber-js'];
	assert.ok(library.split('\n')[0].includes(`libphonenumber-js ${version}: `));
	assert.ok(library.split('\n').length > 1000, 'it is not minified');
	assert.ok(!library.includes(root), 'it names no folder of this machine');
	assert.match(read('libphonenumber.LICENSE.txt'), /The MIT License/);
	assert.match(read('libphonenumber.LICENSE.Apache.txt'), /Apache License\s+Version 2\.0/);
});

/**
 * Lints like n8n's scanner: its rules, console forbidden, comments that switch rules off ignored; warnings pass.
 * @returns what it says, and how many files it read
 */
async function scan(cwd) {
	const eslint = new ESLint({
		cwd,
		overrideConfigFile: true,
		overrideConfig: [...communityRules(), { files: ['**/*.js'], rules: { 'no-console': 'error' } }],
		allowInlineConfig: false,
		errorOnUnmatchedPattern: false,
	});
	const results = await eslint.lintFiles(['dist/**/*.js']);
	assert.ok(results.length > 0, 'nothing was linted');
	const complaints = results.flatMap(({ filePath, messages }) =>
		messages
			.filter(({ severity }) => severity === 2)
			.map(
				({ ruleId, message, line }) =>
					`${filePath.slice(cwd.length)}:${line} ${ruleId}: ${message}`,
			),
	);
	return { complaints, files: results.length };
}

describe('n8n’s scan', () => {
	test('of the source is the lint of the repository: no comment switches a rule off', () => {
		const sources = ['nodes', 'credentials'].flatMap((name) => filesIn(join(root, name)));
		assert.ok(sources.length > 100);
		for (const file of sources) assert.doesNotMatch(fs.readFileSync(file, 'utf8'), /eslint/, file);
	});
	test('finds nothing in any file of the tarball', async () => {
		fs.symlinkSync(join(root, 'node_modules'), join(unpacked, 'node_modules'));
		const { complaints, files } = await scan(unpacked);
		assert.equal(files, scripts(join(unpacked, 'dist')).length);
		assertNone(complaints);
	});
	test('sees what is forbidden', async () => {
		const bad = join(folder, 'bad');
		fs.mkdirSync(join(bad, 'dist'), { recursive: true });
		fs.symlinkSync(join(root, 'node_modules'), join(bad, 'node_modules'));
		fs.writeFileSync(join(bad, 'package.json'), JSON.stringify({ name: 'x' }));
		fs.writeFileSync(
			join(bad, 'dist', 'bad.js'),
			'/* eslint-disable */\nconsole.log(process.env.HOME);\n',
		);
		const complaints = (await scan(bad)).complaints.join('\n');
		assert.match(complaints, /no-console/);
		assert.match(complaints, /no-restricted-globals/);
	});
});

/**
 * The community rules of the official configuration, for compiled files: the scanner applies
 * them to every .js of the tarball.
 */
function communityRules() {
	const plugin = config.map((entry) => entry.plugins?.['@n8n/community-nodes']).find(Boolean);
	const rules = Object.fromEntries(
		config
			.flatMap((entry) => Object.entries(entry.rules ?? {}))
			.filter(([name]) => name.startsWith('@n8n/community-nodes/')),
	);
	assert.ok(Object.keys(rules).length > 20);
	return [
		{
			files: ['**/*.js'],
			plugins: { '@n8n/community-nodes': plugin },
			rules,
			languageOptions: { sourceType: 'commonjs' },
		},
	];
}

const filesIn = (from) =>
	fs
		.readdirSync(from, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.sort();
const scripts = (from) => filesIn(from).filter((name) => name.endsWith('.js'));
