/**
 * What an interrupted install leaves is not believed: the real bootstrap in a repository of its own, with a stand-in
 * for pnpm that does what it is told.
 */
import assert, { assertNone } from '../asserted.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isAlive, mayInstallDebian, pnpmVersion, repository } from '../../tools/bootstrap.mjs';
import { contentOf } from '../../tools/files.mjs';
import { until } from '../../tools/host-client.mjs';

const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Installs a package that loads or not, or stays in the middle; like pnpm it writes `.modules.yaml` last. */
const pnpm = `
	const fs = require('node:fs');
	const { tasks } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
	const task = tasks[fs.existsSync('calls') ? fs.readFileSync('calls').length : 0];
	fs.appendFileSync('calls', '.');
	fs.mkdirSync('node_modules/node/bin', { recursive: true });
	fs.mkdirSync('node_modules/sqlite3', { recursive: true });
	if (task === 'stay' || task === 'stay until told') {
		fs.writeFileSync('node_modules/half', '');
		// In one step: half of it would be the number of another process, or 0, which means all of the reader's own.
		fs.writeFileSync('pid.new', String(process.pid));
		fs.renameSync('pid.new', 'pid');
		const told = setInterval(() => {
			if (task === 'stay' || !fs.existsSync('go')) return;
			clearInterval(told);
			fs.rmSync('node_modules/half');
			install('install');
		}, 20);
	} else install(task);
	function install(task) {
		if (fs.existsSync('node_modules/half')) process.exit(1);
		fs.rmSync('node_modules/node/bin/node', { force: true });
		fs.symlinkSync(process.execPath, 'node_modules/node/bin/node');
		fs.writeFileSync('node_modules/sqlite3/index.js', task === 'broken' ? 'throw 1' : '');
		fs.writeFileSync('node_modules/.modules.yaml', '');
	}
`;

/** @param {string[]} tasks what pnpm does, call by call */
function clone(...tasks) {
	const folder = mkdtempSync(join(tmpdir(), 'install-'));
	folders.push(folder, cacheOf(folder));
	for (const file of ['bootstrap.mjs', 'progress.mjs'])
		cpSync(join(repository, 'tools', file), join(folder, 'tools', file));
	const cache = join(cacheOf(folder), nameInCache);
	const program = join(cache, `pnpm-${pnpmVersion}`, 'node_modules', 'pnpm', 'bin');
	mkdirSync(program, { recursive: true });
	writeFileSync(join(program, 'pnpm.cjs'), pnpm);
	const manifests = join(folder, 'test', 'hosts', 'n8n-1.0.0');
	mkdirSync(manifests, { recursive: true });
	writeFileSync(
		join(folder, 'test', 'hosts', 'versions.json'),
		JSON.stringify([{ version: '1.0.0', node: [24] }]),
	);
	cpSync(join(repository, 'package.json'), join(folder, 'package.json'));
	writeFileSync(join(manifests, 'package.json'), JSON.stringify({ tasks }));
	for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml'])
		writeFileSync(join(manifests, file), '{}');
	const host = join(cache, 'hosts', installedName(manifests));
	const calls = () => readFileSync(join(host, 'calls')).length;
	return { folder, host, calls };
}

const nameInCache = 'n8n-nodes-agent-conversation-platform';
const cacheOf = (folder) => `${folder}-cache`;

/** The folder of the host in the cache: its name ends with a hash over what is installed there. */
function installedName(manifests) {
	const hash = createHash('sha256');
	for (const name of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'])
		hash.update(`\0${name}\0`).update(readFileSync(join(manifests, name)));
	return `n8n-1.0.0-${hash.digest('hex').slice(0, 8)}`;
}

/** Installs the host, as `npm start` does. */
function ensure(folder, work = "ensureHost('1.0.0')") {
	const code = `
		const { ensureHost, ensurePackage, exitWith } = await import('./tools/bootstrap.mjs');
		await ${work}.catch(exitWith);
	`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
		cwd: folder,
		env: { ...process.env, XDG_CACHE_HOME: cacheOf(folder) },
	});
	let printed = '';
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text) => (printed += text));
	const ended = once(child, 'close').then(([status]) => ({ status, printed }));
	return { child, ended };
}

test('nothing is installed below the repository, where Node would find its modules', async () => {
	const { folder, host } = clone('install');
	const { status, printed } = await ensure(folder).ended;
	assert.equal(status, 0, printed);
	assert.ok(existsSync(join(host, 'node_modules', '.installed-from')));
	assert.deepEqual(readdirSync(join(folder, 'test', 'hosts', 'n8n-1.0.0')).sort(), [
		'package.json',
		'pnpm-lock.yaml',
		'pnpm-workspace.yaml',
	]);
});

test('what is installed is not installed again', async () => {
	const { folder, calls } = clone('install', 'install');
	for (let start = 0; start < 3; start++) {
		const { status, printed } = await ensure(folder).ended;
		assert.equal(status, 0, printed);
		assert.equal(calls(), 1);
	}
});

test('what another process has written half of is not believed, and what is installed is not written to', async () => {
	const { folder, host, calls } = clone('install');
	await ensure(folder).ended;
	const half = join(host, 'pnpm-lock.yaml');
	writeFileSync(half, '{');
	const { status, printed } = await ensure(folder).ended;
	assert.equal(status, 0, printed);
	assert.equal(calls(), 1);
	assert.equal(readFileSync(half, 'utf8'), '{');
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
	test(`${signal} in the middle: nothing goes on, and the next start begins the folder anew`, async () => {
		const { folder, host, calls } = clone('stay', 'install');
		const first = ensure(folder);
		await until('pnpm to work', async () => existsSync(join(host, 'pid')), 20_000, 20);
		first.child.kill(signal);
		const { status, printed } = await first.ended;
		assert.equal(status, 130);
		assert.match(printed, /✖ Stopped\. Run the command again: it goes on from here\.\n$/);
		assert.equal(isAlive(Number(readFileSync(join(host, 'pid'), 'utf8'))), false);

		// The stand-in refuses to install over what is half there.
		const second = await ensure(folder).ended;
		assert.equal(second.status, 0, second.printed);
		assert.equal(calls(), 2);
	});

test('killed in the middle, without a chance to say so: the next start begins the folder anew', async () => {
	const { folder, host, calls } = clone('stay', 'install');
	const first = ensure(folder);
	await until('pnpm to work', async () => existsSync(join(host, 'pid')), 20_000, 20);
	first.child.kill('SIGKILL');
	process.kill(Number(readFileSync(join(host, 'pid'), 'utf8')), 'SIGKILL');
	await first.ended;
	const second = await ensure(folder).ended;
	assert.equal(second.status, 0, second.printed);
	assert.equal(calls(), 2);
});

test('two at once: one installs, the other one waits and takes what is there', async () => {
	const { folder, host, calls } = clone('stay until told');
	const first = ensure(folder);
	await until('pnpm to work', async () => existsSync(join(host, 'pid')), 20_000, 20);
	const second = ensure(folder);
	const [text] = await once(second.child.stdout, 'data');
	assert.match(text, /Another process works in .*: waiting for it/);
	writeFileSync(join(host, 'go'), '');
	for (const { ended } of [first, second]) {
		const { status, printed } = await ended;
		assert.equal(status, 0, printed);
	}
	assert.equal(calls(), 1);
	assertNone(readdirSync(join(host, '..')).filter((name) => name.includes('.lock')));
});

test('what does not load is installed once more, then told', async () => {
	const mended = clone('broken', 'install');
	const { status, printed } = await ensure(mended.folder).ended;
	assert.equal(status, 0, printed);
	assert.equal(mended.calls(), 2);

	const broken = clone('broken', 'broken', 'install');
	const told = await ensure(broken.folder).ended;
	assert.equal(told.status, 1);
	assert.match(
		told.printed,
		/✖ Installing n8n 1\.0\.0 \(about 2 GB\) left something that does not run\./,
	);
	assert.equal(broken.calls(), 2);
	assert.equal((await ensure(broken.folder).ended).status, 0, 'it is not believed later either');
});

test('installing the tools leaves the settings of git alone', async () => {
	const { folder } = clone();
	const packageManager = `pnpm@${pnpmVersion}`;
	writeFileSync(
		join(folder, 'package.json'),
		JSON.stringify({ packageManager, tasks: ['install'] }),
	);
	for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml'])
		writeFileSync(join(folder, file), '{}');
	const git = (...parameters) =>
		spawnSync('git', parameters, { cwd: folder, encoding: 'utf8' }).stdout;
	git('init', '--quiet');
	const before = git('config', '--local', '--list');
	assert.match(before, /core\.bare=false/);
	const { status, printed } = await ensure(folder, 'ensurePackage()').ended;
	assert.equal(status, 0, printed);
	assert.ok(existsSync(join(folder, 'node_modules', '.installed-from')));
	assert.equal(git('config', '--local', '--list'), before);
});

test('packages of Debian are installed only where CI is set or it is asked for, as it is before a change is taken', () => {
	const { CI, INSTALL_DEBIAN, ...others } = process.env;
	const may = (env) => {
		process.env = { ...others, ...env };
		const answer = mayInstallDebian();
		process.env = { ...others, ...(CI && { CI }), ...(INSTALL_DEBIAN && { INSTALL_DEBIAN }) };
		return answer;
	};
	const can = existsSync('/etc/debian_version') && process.getuid?.() === 0;
	assert.equal(may({}), false);
	assert.equal(may({ CI: 'true' }), can);
	assert.equal(may({ INSTALL_DEBIAN: 'true' }), can);
	assert.match(contentOf('.ci', 'run'), /^npm test -- .*--install\b/m);
});
