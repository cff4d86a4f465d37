/** The sandbox as a package of its own: packed, and started from an empty folder as a stranger would. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const nodes = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
let folder;
let tarball;
let manifest;
let files;

before(() => {
	// Outside the repository, whose own node_modules would stand in for what the package lacks.
	folder = mkdtempSync(join(tmpdir(), 'sandbox-package-'));
	tarball = execFileSync(
		process.execPath,
		[join(root, 'scripts', 'sandbox-pack.mjs'), '--into', folder],
		{ encoding: 'utf8' },
	).trim();
	execFileSync('tar', ['-xzf', tarball, '-C', folder]);
	const unpacked = join(folder, 'package');
	manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
	files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath ?? entry.path, entry.name));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('whose it is and which version follows the package of the nodes', () => {
	for (const field of ['version', 'license', 'author', 'homepage', 'bugs', 'engines'])
		assert.deepEqual(manifest[field], nodes[field], field);
	assert.equal(manifest.repository.url, nodes.repository.url);
	// n8n lists packages of nodes by this keyword and by the beginning of the name.
	assert.ok(!manifest.keywords.includes('n8n-community-node-package'));
	assert.doesNotMatch(manifest.name, /^n8n-nodes-/);
});

test('it depends on what it imports and on nothing else, pinned as it is tested', () => {
	const imported = files
		.filter((file) => file.endsWith('.mjs'))
		.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^import .* from '([^.'][^']*)'/gm)])
		.map(([, name]) => name.replace(/^node:/, ''))
		.filter((name) => !builtinModules.includes(name));
	assert.deepEqual(Object.keys(manifest.dependencies).sort(), [...new Set(imported)].sort());
	for (const [name, version] of Object.entries(manifest.dependencies)) {
		assert.match(version, /^\d+\.\d+\.\d+$/, name);
		assert.equal(version, nodes.devDependencies[name], name);
	}
	assert.equal(manifest.scripts, undefined);
});

test('one command in an empty folder starts it, and says how to make the credential', async (context) => {
	const empty = join(folder, 'empty');
	mkdirSync(empty);
	// A group of its own: npx starts a shell, which starts the sandbox.
	const child = spawn('npx', ['--yes', `file:${tarball}`, '--port', '0'], {
		cwd: empty,
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: true,
		// What npx has installed goes with the folder.
		env: { ...process.env, npm_config_cache: join(folder, 'cache') },
	});
	context.after(() => {
		try {
			process.kill(-child.pid, 'SIGTERM');
		} catch {
			// It has ended already.
		}
	});
	let said = '';
	child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
	child.stdout.setEncoding('utf8');
	for await (const text of child.stdout) if ((said += text).includes('Ctrl-C ends it.')) break;
	const page = /The customer's side +(\S+)/.exec(said)?.[1];
	const url = /Base URL +(http:\/\/127\.0\.0\.1:\d+)\n/.exec(said)?.[1];
	const token = /Token +(\S+)\n/.exec(said)?.[1];
	assert.ok(page && url && token, said);
	assert.match(said, /Credentials → Create credential → Agent Conversation Platform API/);
	assert.match(await (await fetch(page)).text(), /<h1>The customer's side<\/h1>/);
	const agents = await fetch(`${url}/api/v1/agents`, {
		headers: { authorization: `Bearer ${token}` },
	});
	assert.equal(agents.status, 200);
	const { call } = await (await fetch(`${url}/_sandbox/settings`)).json();
	assert.ok(call.ringMs > 0, 'phones ring for people');
	assert.equal(call.keepsHours, true, 'hours are kept for people');
	assert.ok(!existsSync(join(empty, 'node_modules')));
});
