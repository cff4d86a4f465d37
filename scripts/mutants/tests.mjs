/** Running test files in the copy, with a mutant switched on or to see which tests reach which mutants. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { localFolder, nodeBinary } from '../../tools/bootstrap.mjs';

/** Groups of processes that run now. */
const groups = new Set();

/** Ends everything that still runs. */
export function endAll() {
	for (const group of groups) endGroup(group);
}

function endGroup(group) {
	try {
		process.kill(-group, 'SIGKILL');
	} catch {
		// It has ended.
	}
}

const linesOf = (/** @type {string} */ file) =>
	readFileSync(file, 'utf8')
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line));

/**
 * Runs test files, one after the other, until one fails, all end or it takes too long. Files of Jest share a process,
 * and with it the engine processes.
 * @param {string} copy folder of the copy
 * @param {string[]} files relative to the repository: `.cts` for Jest, or one `.mjs` for Node's own runner
 * @param {{names?: string[], mutant?: string, reached?: boolean, milliseconds?: number}}
 * [options] `names`: full names of the only
 * tests to run; `reached`: note which test reaches which mutant; `milliseconds`: when it has taken too long
 * @returns {Promise<{outcome: 'passed' | 'failed' | 'timeout', by?: string, why?: string, ms:
 * number, tests: Record<string, number>, reached: Record<string, string[]>}>}
 * `tests`: milliseconds by name; `reached`: ids of mutants by name, `''` for what is reached outside of tests
 */
export async function runTests(copy, files, { names, mutant, reached, milliseconds } = {}) {
	const folder = mkdtempSync(join(copy, 'run-'));
	const notes = join(folder, 'notes');
	const test = join(folder, 'test');
	writeFileSync(notes, '');
	writeFileSync(test, '');
	const wanted = join(folder, 'names');
	if (names) writeFileSync(wanted, JSON.stringify(names));
	const jest = [
		join(copy, 'node_modules/jest/bin/jest.js'),
		'--config=jest.mutants.cjs',
		`--cacheDirectory=${join(localFolder, 'mutants', 'jest')}`,
		'--runInBand',
		'--forceExit',
		'--bail',
		// Code with all mutants in it is slow.
		'--testTimeout=30000',
		'--runTestsByPath',
		...files,
	];
	const begun = Date.now();
	const child = spawn(
		nodeBinary(),
		files[0].endsWith('.cts') ? jest : ['--test', '--test-reporter=dot', ...files],
		{
			cwd: copy,
			// A group of its own, so that a run that hangs ends with all that it has started.
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {
				...process.env,
				PATH: `${join(copy, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
				MUTANTS_NOTES: notes,
				MUTANTS_TEST: test,
				MUTANTS_ORDER: files.join(),
				...(names ? { MUTANTS_NAMES: wanted } : {}),
				...(mutant === undefined ? {} : { __STRYKER_ACTIVE_MUTANT__: mutant }),
				...(reached ? { MUTANTS_REACHED: folder } : {}),
			},
		},
	);
	groups.add(child.pid);
	let printed = '';
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (chunk) => (printed = (printed + chunk).slice(-4000)));
	let late = false;
	const timer = setTimeout(() => {
		late = true;
		endGroup(child.pid);
	}, milliseconds ?? 900_000);
	const code = await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', resolve);
	});
	clearTimeout(timer);
	endGroup(child.pid);
	groups.delete(child.pid);
	const ms = Date.now() - begun;
	const noted = linesOf(notes);
	const byTest = {};
	for (const name of readdirSync(folder).filter((name) => name.endsWith('.jsonl')))
		for (const [about, id] of linesOf(join(folder, name))) (byTest[about] ??= []).push(id);
	rmSync(folder, { recursive: true, force: true });
	const failure = noted.find(({ failed }) => failed);
	const tests = Object.fromEntries(
		noted.filter(({ test }) => test).map(({ test, ms }) => [test, ms]),
	);
	const result = { ms, tests, reached: byTest };
	if (failure)
		return {
			...result,
			outcome: 'failed',
			by: `${basename(failure.file)}: ${failure.failed}`,
			why: failure.why,
		};
	if (late) return { ...result, outcome: 'timeout' };
	if (
		/No tests found|Usage: jest/.test(printed) ||
		(code === 0 && names && !Object.keys(tests).length)
	)
		throw new Error(`${files.join(', ')} ran no test:\n${printed}`);
	return code === 0
		? { ...result, outcome: 'passed' }
		: {
				...result,
				outcome: 'failed',
				by: files.map((file) => basename(file)).join(', '),
				why: printed,
			};
}
