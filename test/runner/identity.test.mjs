/** `npm run identity`, run in a copy of what git knows of this repository. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { repository } from '../../tools/bootstrap.mjs';

const copy = mkdtempSync(join(tmpdir(), 'identity-'));
after(() => rmSync(copy, { recursive: true, force: true }));
const git = (folder, ...parameters) =>
	execFileSync('git', parameters, { cwd: folder, encoding: 'utf8' });
for (const file of git(
	repository,
	'ls-files',
	'-z',
	'package.json',
	'LICENSE.md',
	'nodes',
	'credentials',
	'.github',
	'CHANGELOG.md',
)
	.split('\0')
	.filter(Boolean))
	cpSync(join(repository, file), join(copy, file), { recursive: true });
git(copy, 'init', '--quiet');
git(copy, 'add', '--all');

const identity = (...parameters) =>
	spawnSync(process.execPath, [join(repository, 'scripts', 'identity.mjs'), ...parameters], {
		encoding: 'utf8',
		cwd: copy,
	});
const read = (file) => readFileSync(join(copy, file), 'utf8');
const ada = [
	['--name', 'Ada Jones'],
	['--email', 'ada@jones.dev'],
	['--repository', 'https://github.com/ada/n8n-nodes-acp.git'],
].flat();

test('placeholders are named, with the command that replaces them', () => {
	const { status, stderr } = identity('--check');
	assert.equal(status, 1);
	assert.match(
		stderr,
		/^✖ The author and the repository in package\.json are placeholders\. .*npm run identity/,
	);
});

test('what is missing or wrong is named, and nothing is changed', () => {
	for (const [option, wrong] of [
		['--name', 'A "B"'],
		['--email', 'ada'],
		['--email', 'a@b.example'],
		['--repository', 'https://gitlab.com/a/b'],
	]) {
		// What is given last counts.
		const { status, stderr } = identity(...ada, option, wrong);
		assert.equal(status, 1);
		assert.ok(stderr.includes(`${option} is missing or wrong`), stderr);
	}
	assert.equal(git(copy, 'diff', '--name-only'), '');
});

test('author, repository and every link change in one go', () => {
	const before = JSON.parse(read('package.json'));
	const oldAddress = before.homepage.replace(/#.*/, '');
	assert.equal(identity(...ada).status, 0);
	const { author, repository: place, homepage, bugs } = JSON.parse(read('package.json'));
	assert.deepEqual(author, { name: 'Ada Jones', email: 'ada@jones.dev' });
	assert.equal(place.url, 'git+https://github.com/ada/n8n-nodes-acp.git');
	assert.equal(homepage, 'https://github.com/ada/n8n-nodes-acp#readme');
	assert.equal(bugs.url, 'https://github.com/ada/n8n-nodes-acp/issues');
	assert.match(read('LICENSE.md'), /^Copyright \(c\) \d+ Ada Jones$/m);
	assert.match(
		read('nodes/AcpCalls/AcpCalls.node.json'),
		/"https:\/\/github\.com\/ada\/n8n-nodes-acp\/blob\/main\/docs\/nodes\/acpCalls\.md"/,
	);
	assert.equal(spawnSync('git', ['grep', '-F', oldAddress], { cwd: copy }).status, 1);
	assert.equal(identity('--check').status, 0);
});
