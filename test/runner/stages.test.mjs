/** How `npm test` runs its stages: real processes that leave files behind. */
import assert from '../asserted.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isAlive, repository } from '../../tools/bootstrap.mjs';
import { runAll } from '../../scripts/test/run.mjs';
import { until } from '../../tools/host-client.mjs';

const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

test('a fresh clone begins without any installed package', () => {
	const folder = mkdtempSync(join(tmpdir(), 'fresh-'));
	folders.push(folder);
	for (const part of ['package.json', 'scripts', 'tools', 'test/hosts'])
		cpSync(join(repository, part), join(folder, part), { recursive: true });
	const { stderr } = spawnSync(process.execPath, ['scripts/test.mjs', '--only', 'nothing'], {
		cwd: folder,
		encoding: 'utf8',
	});
	assert.match(stderr, /nothing/);
	assert.doesNotMatch(stderr, /ERR_MODULE_NOT_FOUND/);
});

/** What the code of a stage may use: `leave` a file, `see` whether one is there, `wait` for one. */
const tools = `
	const fs = require('node:fs');
	const leave = (name) => fs.writeFileSync(name, '');
	const see = (name) => fs.existsSync(name);
	const wait = async (name) => {
		for (const end = Date.now() + 20_000; !see(name); await new Promise((next) => setTimeout(next, 5)))
			if (Date.now() > end) process.exit(9);
	};
`;
const stage = (name, code, more = {}) => ({
	name,
	says: 'a stage',
	command: [process.execPath, '-e', `${tools}(async () => { ${code} })()`],
	...more,
});

/** Runs stages in a folder of their own; their exit codes by name, and all that was printed. */
async function run(stages, jobs = 2, more = {}) {
	const cwd = mkdtempSync(join(tmpdir(), 'stages-'));
	folders.push(cwd);
	let printed = '';
	const outcomes = await runAll(stages, { jobs, cwd, print: (text) => (printed += text), ...more });
	return { codes: outcomes.map(({ name, code }) => `${name} ${code}`), printed };
}

test('stages run side by side, and what each prints stays together', async () => {
	const { codes, printed } = await run([
		stage(
			'one',
			"console.log('first of one'); leave('begun'); await wait('done'); console.log('last of one');",
		),
		stage('two', "await wait('begun'); console.log('all of two'); leave('done');"),
	]);
	assert.deepEqual(codes, ['one 0', 'two 0']);
	assert.match(printed, /first of one\nlast of one\n/);
	assert.match(printed, /all of two\n/);
});

for (const jobs of [1, 2])
	test(`no more than ${jobs} at once`, async () => {
		const counted = (name) =>
			stage(
				name,
				`leave('${name}'); if (fs.readdirSync('.').length > ${jobs}) process.exit(1);
				setTimeout(() => fs.rmSync('${name}'), 100);`,
			);
		const { codes } = await run(['one', 'two', 'three', 'four'].map(counted), jobs);
		assert.deepEqual(codes, ['one 0', 'two 0', 'three 0', 'four 0']);
	});

test('a failure is an exit code, and the other stages still run', async () => {
	const { codes } = await run(
		[
			stage('failing', 'process.exit(3)'),
			stage('broken', '', { command: ['there-is-no-such-program'] }),
			stage('fine', ''),
		],
		1,
	);
	assert.deepEqual(codes, ['failing 3', 'broken 1', 'fine 0']);
});

test('a stage begins after the one that it needs; where that one fails, it has failed, too', async () => {
	const { codes } = await run([
		stage('first', "await wait('other'); leave('first');"),
		stage('needs', "if (!see('first')) process.exit(2);", { after: 'first' }),
		stage('other', "leave('other'); await wait('first'); process.exit(3);"),
		stage('never', "leave('never');", { after: 'other' }),
		stage('nor this', "leave('nor this');", { after: 'never' }),
	]);
	assert.deepEqual(codes, ['first 0', 'needs 0', 'other 3', 'never 1', 'nor this 1']);
});

test('a stage that is killed has failed, and says what ended it', async () => {
	const { codes, printed } = await run([
		stage('killed', "process.kill(process.pid, 'SIGKILL');"),
		stage('fine', ''),
	]);
	assert.deepEqual(codes, ['killed 1', 'fine 0']);
	assert.match(printed, /was ended by SIGKILL/);
});

test('where the first failure ends it, nothing else begins, and what goes on is ended', async () => {
	const { codes } = await run(
		[
			stage('failing', "await wait('on'); process.exit(3)"),
			stage('going on', "leave('on'); await wait('never');"),
			stage('as well', "await wait('never');"),
			stage('later', ''),
		],
		2,
		{ bail: true },
	);
	assert.deepEqual(codes, ['failing 3']);
});

for (const { what, command, signal, code } of [
	{ what: 'a signal', command: [], signal: 'SIGTERM', code: [143, null] },
	{
		what: 'the end of what started the tests',
		command: [
			'-e',
			"require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })",
			'--',
		],
		signal: 'SIGKILL',
		code: [null, 'SIGKILL'],
	},
])
	test(`${what} ends what their stages started, and begins no other stage`, async () => {
		const cwd = mkdtempSync(join(tmpdir(), 'stages-'));
		folders.push(cwd);
		const starting = `
			const { spawn } = require('node:child_process');
			const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
			fs.writeFileSync('pid.new', String(child.pid));
			fs.renameSync('pid.new', 'pid');
		`;
		const stages = [stage('starts', starting), stage('second', "leave('second')")];
		const main = new URL('../../scripts/test/run.mjs', import.meta.url);
		const program = `
			import { endStagesWithUs, runAll } from ${JSON.stringify(main)};
			endStagesWithUs();
			await runAll(${JSON.stringify(stages)}, { jobs: 1, cwd: '.' });
		`;
		const child = spawn(process.execPath, [...command, '--input-type=module', '-e', program], {
			cwd,
		});
		const ended = once(child, 'exit');
		const file = join(cwd, 'pid');
		await until('the stage to have started a program', async () => existsSync(file), 20_000, 20);
		const pid = Number(readFileSync(file, 'utf8'));
		assert.ok(isAlive(pid));
		child.kill(signal);
		assert.deepEqual(await ended, code);
		await until('the program to be gone', async () => !isAlive(pid), 20_000, 20);
		assert.equal(existsSync(join(cwd, 'second')), false);
	});
