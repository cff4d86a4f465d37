/** `npm run release`, in a repository of its own with a remote: real commits and tags. */
import assert from '../asserted.mjs';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { repository } from '../../tools/bootstrap.mjs';
import { jsonOf, contentOf } from '../../tools/files.mjs';

const folder = fs.mkdtempSync(join(tmpdir(), 'release-'));
const copy = join(folder, 'copy');
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const env = {
	...process.env,
	GIT_CONFIG_GLOBAL: '/dev/null',
	GIT_CONFIG_NOSYSTEM: '1',
	...Object.fromEntries(
		['AUTHOR', 'COMMITTER'].flatMap((who) => [
			[`GIT_${who}_NAME`, 'Ada Jones'],
			[`GIT_${who}_EMAIL`, 'ada@jones.dev'],
		]),
	),
};
const git = (...parameters) =>
	execFileSync('git', parameters, { cwd: copy, encoding: 'utf8', env, stdio: 'pipe' }).trim();
const commit = (message) => git('commit', '--quiet', '--all', '--message', message);
const read = (file) => fs.readFileSync(join(copy, file), 'utf8');
const change = (file, from, to) => {
	assert.ok(read(file).includes(from), from);
	fs.writeFileSync(join(copy, file), read(file).replace(from, to));
};

/** Without questions, as the tests must be: `--ci` answers each with yes. */
const release = (...parameters) => {
	const { status, stdout, stderr } = spawnSync(
		'npm',
		['run', '--silent', 'release', '--', ...parameters, '--ci'],
		{ cwd: copy, encoding: 'utf8', env },
	);
	return { status, said: stdout + stderr };
};

const { version } = jsonOf('package.json');
const today = new Date();
const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
	.map((part) => String(part).padStart(2, '0'))
	.join('-');
const address = 'https://github.com/ada/n8n-nodes-acp';
/** What stands under a version. */
const notesOf = (title, text = read('CHANGELOG.md')) =>
	text
		.split(`## [${title}`)[1]
		.split('\n')
		.slice(1)
		.join('\n')
		.split(/^## |^\[/m)[0]
		.trim();
const written = notesOf('Unreleased', contentOf('CHANGELOG.md'));

before(() => {
	for (const file of [
		'.gitignore',
		'.release-it.json',
		'CHANGELOG.md',
		'LICENSE.md',
		'package.json',
		'scripts/placeholders.mjs',
	])
		fs.cpSync(join(repository, file), join(copy, file));
	// Without the nodes there is nothing to build or to name.
	change('package.json', /"build": .*/.exec(read('package.json'))[0], '"build": "true",');
	fs.mkdirSync(join(copy, 'test', 'data'), { recursive: true });
	fs.writeFileSync(
		join(copy, 'scripts', 'docs.mjs'),
		"import { writeFileSync } from 'node:fs';\nwriteFileSync('test/data/names', process.argv[2]);\n",
	);
	fs.symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
	git('init', '--quiet', '--initial-branch=main');
	git('add', '--all');
	commit('All');
	execFileSync('git', [
		'init',
		'--quiet',
		'--bare',
		'--initial-branch=main',
		join(folder, 'remote'),
	]);
	git('remote', 'add', 'origin', join(folder, 'remote'));
	git('push', '--quiet', '--set-upstream', 'origin', 'main');
});

const setIdentity = () => {
	const { homepage, author } = JSON.parse(read('package.json'));
	change('package.json', author.email, 'ada@jones.dev');
	for (const file of ['.release-it.json', 'CHANGELOG.md'])
		change(file, homepage.replace(/#.*/, ''), address);
};

test('placeholders, changes that are not committed, another branch: each stops it before anything is made', () => {
	const stops = (reason) => {
		const before = git('rev-list', '--all');
		const { status, said } = release('patch');
		assert.equal(status, 1, said);
		assert.match(said, reason);
		assert.deepEqual([git('tag'), git('rev-list', '--all')], ['', before]);
	};
	stops(/The author and the repository in package\.json are placeholders/);
	setIdentity();
	stops(/Working dir must be clean/);
	git('switch', '--quiet', '--create', 'other');
	commit('Identity');
	stops(/Must be on branch main/);
	git('switch', '--quiet', 'main');
	git('merge', '--quiet', 'other');
});

test('the first version: what was Unreleased stands under version and date, committed and tagged, not pushed', () => {
	const pushed = git('rev-parse', 'origin/main');
	const { status, said } = release(version);
	assert.equal(status, 0, said);
	assert.match(said, new RegExp(`git push --atomic origin main ${version}`));
	assert.equal(git('log', '-1', '--format=%s'), `Release ${version}`);
	assert.equal(git('rev-parse', `${version}^{commit}`), git('rev-parse', 'HEAD'));
	assert.equal(git('status', '--short'), '');
	assert.equal(git('show', 'HEAD:test/data/names'), '--release');
	assert.equal(git('ls-remote', 'origin', 'refs/heads/main').split('\t')[0], pushed);
	assert.equal(git('ls-remote', '--tags', 'origin'), '');
	assert.equal(notesOf('Unreleased'), '');
	assert.ok(written.length > 1000);
	assert.equal(notesOf(`${version}] - ${date}`), written);
	assert.match(read('CHANGELOG.md'), /^# Changelog\n\nAll notable changes/);
	assert.deepEqual(read('CHANGELOG.md').match(/^\[\S+\]: .*/gm), [
		`[Unreleased]: ${address}/compare/${version}...main`,
		`[${version}]: ${address}/releases/tag/${version}`,
	]);
});

test('nothing new, or nothing that is told: nothing is released', () => {
	const refused = (reason) => {
		const { status, said } = release('minor');
		assert.equal(status, 1, said);
		assert.match(said, reason);
		assert.deepEqual([git('tag'), git('status', '--short')], [version, '']);
	};
	refused(/There are no commits since the latest tag/);
	change('LICENSE.md', 'MIT', 'The MIT');
	commit('Something');
	refused(/There are no entries under "Unreleased"/);
});

test('the next version: number, notes and links follow, and what was released stays as it was', () => {
	git('push', '--quiet', '--atomic', 'origin', 'main', version);
	change('CHANGELOG.md', '## [Unreleased]\n', '## [Unreleased]\n\n### Fixed\n\n- A thing.\n');
	commit('A thing');
	const { status, said } = release('minor');
	assert.equal(status, 0, said);
	const next = JSON.parse(read('package.json')).version;
	assert.deepEqual(next.split('.').map(Number), [
		Number(version.split('.')[0]),
		Number(version.split('.')[1]) + 1,
		0,
	]);
	assert.equal(git('tag', '--points-at', 'HEAD'), next);
	assert.equal(notesOf(`${next}] - ${date}`), '### Fixed\n\n- A thing.');
	assert.equal(notesOf(`${version}] - ${date}`), written);
	assert.deepEqual(read('CHANGELOG.md').match(/^\[\S+\]: .*/gm), [
		`[Unreleased]: ${address}/compare/${next}...main`,
		`[${next}]: ${address}/compare/${version}...${next}`,
		`[${version}]: ${address}/releases/tag/${version}`,
	]);
	git('push', '--quiet', '--atomic', 'origin', 'main', next);
	assert.match(git('ls-remote', '--tags', 'origin'), new RegExp(`refs/tags/${next}$`, 'm'));
});
