/**
 * Small faults put into the code of the nodes, one at a time: does a test notice?
 *
 *   npm run mutants                            a sample of 300 over all folders; writes docs/reference/benchmarks.md
 *   npm run mutants -- --sample 40 --seed 7    another sample, larger or smaller
 *   npm run mutants -- --folder nodes/engine/http      all mutants of a folder or file; writes nothing
 *   … --tests test/unit/retry.test.cts         with these tests (commas between them) instead of the related ones
 *   npm run mutants -- --again                 what survived the last sample, once there are more tests
 *   --minutes 60 (begins no mutant later), --jobs 2 (how many at once), --patience 3 (how many times longer tests may
 *   take, beside other work), --print (writes nothing), --list (counts, runs nothing)
 *
 * StrykerJS makes the mutants (its instrumenter puts all of them into the code, each behind a switch). Its own runner
 * is not used: the engine tests run the built nodes in a process of their own, so only its command runner could do
 * them, with all tests of all files for every mutant. Here one copy of the repository is built with all mutants in it;
 * each test file runs once without a mutant, to see which test reaches which mutant; then only those tests run, until
 * one fails. A run that takes far longer than without the mutant counts as noticed, and so does what the compiler
 * refuses: `npm run types` would notice it.
 *
 * Left out: texts for people (scripts/mutants/texts.mjs). Mutants that change nothing that could be noticed stand in
 * scripts/mutants/equivalent.json with the reason. Which tests belong to which code: scripts/mutants/areas.mjs.
 */
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
	ClearError,
	ensureBuild,
	ensureNodeVersion,
	ensurePackage,
	exitWith,
	localFolder,
	repository,
} from '../tools/bootstrap.mjs';
import { writePage } from './bench/page.mjs';

const bar = 0.9;
const defaultSample = 300;
/** What a run may take: this much, and this often what the same tests take without a mutant. */
const grace = { milliseconds: 30_000, times: 4 };
const stateFolder = join(localFolder, 'mutants');
const lastFile = join(stateFolder, 'last.json');
const equivalentFile = fileURLToPath(new URL('mutants/equivalent.json', import.meta.url));

/** @typedef {import('./mutants/copy.mjs').Mutant} Mutant */

let copy;
let common;
let endAll = () => {};
const clean = () => {
	endAll();
	if (copy) rmSync(copy, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM'])
	process.once(signal, () => {
		clean();
		process.exit(1);
	});

try {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: {
			sample: { type: 'string' },
			seed: { type: 'string', default: '1' },
			folder: { type: 'string' },
			tests: { type: 'string' },
			again: { type: 'boolean', default: false },
			minutes: { type: 'string', default: '60' },
			jobs: { type: 'string', default: '2' },
			patience: { type: 'string', default: '1' },
			print: { type: 'boolean', default: false },
			list: { type: 'boolean', default: false },
		},
	});
	await ensurePackage();
	await ensureBuild();
	const { instrument, makeCopy } = await import('./mutants/copy.mjs');
	const { compiler } = await import('./mutants/compiler.mjs');
	const { areasOf, areas } = await import('./mutants/areas.mjs');
	const tests = await import('./mutants/tests.mjs');
	endAll = tests.endAll;

	const { files, mutants, texts } = await instrument();
	identify(mutants);
	const areaOf = areasOf([...files.keys()]);
	const testsOf = (file) => values.tests?.split(',') ?? areaOf.get(file).tests;
	const inArea = (list, area) => list.filter(({ file }) => areaOf.get(file) === area);
	const equivalent = equivalents(mutants);
	console.log(
		`${mutants.length} mutants in ${files.size} files; ${texts} texts for people are left out; ${equivalent.size} cannot be noticed`,
	);
	const whole = values.folder === undefined && !values.tests;
	const chosen = choose(mutants, values, areas, inArea);
	for (const area of areas) {
		const count = inArea(chosen, area).length;
		if (count > 0) console.log(`  ${area.name}: ${count} of ${inArea(mutants, area).length}`);
	}
	if (values.list) process.exit(0);

	copy = mkdtempSync(join(tmpdir(), 'mutants-'));
	makeCopy(copy, files);
	commonHash();
	const jobs = Math.max(1, Number(values.jobs));
	const patience = Math.max(1, Number(values.patience));
	const toRun = chosen.filter((mutant) => !equivalent.has(mutant));
	const needed = new Set(
		toRun.flatMap(({ file }) => testsOf(file).map((test) => test.split('#')[0])),
	);
	const plain = new Map();
	await inParallel([...needed], jobs, async (test) => {
		plain.set(test, await withoutMutant(test, tests.runTests));
	});

	const results = [];
	const begun = Date.now();
	await inParallel(toRun, jobs, async (mutant) => {
		if (Date.now() - begun > 60_000 * Number(values.minutes)) return;
		const result = {
			...mutant,
			...(await tryMutant(mutant, testsOf(mutant.file), plain, tests.runTests, patience)),
		};
		results.push(result);
		const { outcome, by, ms } = result;
		console.log(
			`${String(results.length).padStart(4)}/${toRun.length} ${outcome.padEnd(8)} ${(ms / 1000).toFixed(0).padStart(3)} s ${place(mutant)}${by ? `  by ${by}` : ''}`,
		);
	});
	const refusal = compiler();
	for (const result of results.filter(({ outcome }) => outcome === 'survived')) {
		const why = refusal(result);
		if (why !== undefined) Object.assign(result, { outcome: 'refused', by: 'the compiler', why });
	}
	const those = (outcome, list = results) => list.filter((result) => result.outcome === outcome);
	const survivors = those('survived').sort(
		(a, b) => a.file.localeCompare(b.file) || a.line - b.line,
	);
	for (const survivor of survivors) {
		console.log(`\nSurvived: ${place(survivor)} (${survivor.kind})`);
		console.log(`  in ${survivor.code}\n  - ${survivor.from}\n  + ${survivor.to}`);
		console.log(
			`  ${survivor.ran.length ? `ran: ${survivor.ran.join(', ')}` : 'no test reaches it'}`,
		);
	}
	const minutes = Math.ceil((Date.now() - begun) / 60_000);
	/** The sample as it stands now: what survived it before, with what became of that. */
	const sample = values.again
		? lastSample()
		: {
				size: chosen.length,
				seed: values.seed,
				jobs,
				minutes,
				equivalent: inAreas(chosen.filter((mutant) => equivalent.has(mutant))),
				results: [],
			};
	const tried = new Set(results.map(({ identity }) => identity));
	sample.results = [
		...sample.results.filter(({ identity }) => !tried.has(identity)),
		...results.map((result) => ({ ...result, again: values.again })),
	];
	const noticed = sample.results.length - those('survived', sample.results).length;
	const share = sample.results.length === 0 ? 1 : noticed / sample.results.length;
	const later = sample.results.filter(({ again, outcome }) => again && outcome !== 'survived');
	const figure = `${(100 * share).toFixed(1)} %, ${noticed} of ${sample.results.length}; ${those('refused', sample.results).length} of them by the compiler, ${those('timeout', sample.results).length} because the tests did not end${later.length ? `, ${later.length} by tests that were written for them afterwards` : ''}; ${sample.minutes} minutes, ${sample.jobs} at once`;
	console.log(`\nnoticed: ${figure}`);
	if (whole && !values.print) {
		mkdirSync(stateFolder, { recursive: true });
		writeFileSync(lastFile, JSON.stringify(sample, null, '\t'));
		writePage({
			mutants: {
				title: 'Mutants',
				text: `Made by \`npm run mutants -- --sample ${sample.size} --seed ${sample.seed}\`: small faults put into the code one at a time, and whether a test notices. A sample of ${sample.size} of ${mutants.length}, drawn from every folder. Not among them: ${texts} in texts for people. Equivalent: cannot be noticed by anybody, each with its reason in \`scripts/mutants/equivalent.json\`.`,
				columns: [
					'code',
					'mutants',
					'equivalent',
					'tried',
					'noticed by tests',
					'by the compiler',
					'survived',
					'noticed',
				],
				rows: [
					...areas.map((area) =>
						rowOf(area.name, (list) => inArea(list, area), sample.equivalent[area.name]),
					),
					rowOf('**all**', (list) => list, sum(Object.values(sample.equivalent))),
				],
				bars: [{ bar: `at least ${100 * bar} % noticed`, held: share >= bar, figure }],
			},
		});
	}
	process.exitCode = share >= bar ? 0 : 1;

	function inAreas(list) {
		return Object.fromEntries(areas.map((area) => [area.name, inArea(list, area).length]));
	}

	function rowOf(name, part, equivalentOnes) {
		const tried = part(sample.results);
		const alive = those('survived', tried).length;
		const refused = those('refused', tried).length;
		return [
			name,
			part(mutants).length,
			equivalentOnes,
			tried.length,
			tried.length - alive - refused,
			refused,
			alive,
			tried.length === 0 ? '' : `${((100 * (tried.length - alive)) / tried.length).toFixed(0)} %`,
		];
	}
} catch (error) {
	process.exitCode = 1;
	clean();
	copy = undefined;
	exitWith(error);
} finally {
	clean();
}

function place({ file, line }) {
	return `${file}:${line}`;
}

function sum(numbers) {
	return numbers.reduce((all, one) => all + one, 0);
}

/** @throws {ClearError} when there was none */
function lastSample() {
	if (!existsSync(lastFile)) throw new ClearError('There is no last run.');
	return JSON.parse(readFileSync(lastFile, 'utf8'));
}

/** What each mutant is, whatever number or line it has this time. @param {Mutant[]} mutants */
function identify(mutants) {
	const times = new Map();
	for (const mutant of mutants) {
		const { file, code, from, to, kind } = mutant;
		const name = [file, code, from, to, kind].join('\n');
		times.set(name, (times.get(name) ?? 0) + 1);
		mutant.identity = `${times.get(name)}\n${name}`;
	}
}

/**
 * The mutants that scripts/mutants/equivalent.json lists.
 * @param {Mutant[]} mutants
 * @throws {ClearError} when an entry fits none
 */
function equivalents(mutants) {
	const entries = JSON.parse(readFileSync(equivalentFile, 'utf8'));
	const found = new Set();
	for (const entry of entries) {
		const fitting = mutants.filter((mutant) =>
			['file', 'code', 'from', 'to'].every((key) => mutant[key] === entry[key]),
		);
		if (fitting.length === 0 || !entry.reason)
			throw new ClearError(
				`scripts/mutants/equivalent.json: no mutant fits this entry, or it has no reason: ${JSON.stringify(entry)}`,
			);
		for (const mutant of fitting) found.add(mutant);
	}
	return found;
}

/** The mutants to try, in an order that depends on the seed and on the mutants alone. */
function choose(mutants, { sample, seed, folder, again }, areas, inArea) {
	if (again) {
		const alive = new Set(
			lastSample()
				.results.filter(({ outcome }) => outcome === 'survived')
				.map(({ identity }) => identity),
		);
		return mutants.filter(({ identity }) => alive.has(identity));
	}
	const wanted = relative(repository, join(repository, folder ?? ''));
	const possible = mutants.filter(
		({ file }) => !wanted || file === wanted || file.startsWith(`${wanted}/`),
	);
	if (possible.length === 0) throw new ClearError(`There is no mutant in ${folder}.`);
	const order = new Map(
		possible.map((mutant) => [
			mutant,
			createHash('sha256').update(`${seed}\n${mutant.identity}`).digest('hex'),
		]),
	);
	const shuffled = [...possible].sort((a, b) => (order.get(a) < order.get(b) ? -1 : 1));
	const size = Number(sample ?? (folder === undefined ? defaultSample : possible.length));
	if (!(size > 0)) throw new ClearError('--sample wants a number above 0.');
	// By the root of their number: every folder is seen, and large folders more than small ones.
	const weights = areas.map((area) => Math.sqrt(inArea(possible, area).length));
	const total = weights.reduce((sum, weight) => sum + weight, 0);
	const picked = new Set(
		areas.flatMap((area, index) =>
			inArea(shuffled, area).slice(0, Math.floor((size * weights[index]) / total)),
		),
	);
	for (const mutant of shuffled) if (picked.size < size) picked.add(mutant);
	// Not area by area: when the time is over, what has been tried is still a sample.
	return shuffled.filter((mutant) => picked.has(mutant));
}

/** Runs a test file without a mutant, once for as long as neither the code nor the file changes. */
async function withoutMutant(test, runTests) {
	const key = createHash('sha256')
		.update(commonHash())
		.update(readFileSync(join(copy, test)));
	const file = join(stateFolder, `${basename(test)}-${key.digest('hex').slice(0, 16)}.json`);
	if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
	const begun = Date.now();
	let result = await runTests(copy, [test], { reached: true });
	// A busy machine may have been too slow for it.
	if (result.outcome !== 'passed') result = await runTests(copy, [test], { reached: true });
	if (result.outcome !== 'passed')
		throw new ClearError(`${test} fails without any mutant: ${result.by}: ${result.why}`);
	console.log(`  ${test}: ${Math.round((Date.now() - begun) / 1000)} s`);
	mkdirSync(stateFolder, { recursive: true });
	for (const old of readdirSync(stateFolder))
		if (old.startsWith(`${basename(test)}-`)) rmSync(join(stateFolder, old));
	writeFileSync(file, JSON.stringify(result));
	return result;
}

/** Of everything that test files stand on. */
function commonHash() {
	if (common) return common;
	const hash = createHash('sha256');
	const add = (name) => hash.update(`${name}\n`).update(readFileSync(join(repository, name)));
	for (const folder of ['nodes', 'credentials', 'contract', 'sandbox', 'test', 'tools'])
		for (const name of readdirSync(join(repository, folder), { recursive: true })
			.map(String)
			.sort())
			if (/\.(?:[cm]?[jt]s|json|yaml)$/.test(name) && !/\.test\.[cm][jt]s$/.test(name))
				add(join(folder, name));
	for (const name of ['environment.cjs', 'recorder.cjs', 'sequencer.cjs', 'texts.mjs'])
		add(join('scripts/mutants', name));
	return (common = hash.digest('hex'));
}

/**
 * The tests of the mutant's area first, then those of the others that reach it: whoever
 * notices, notices. Code that runs while files are loaded is reached by all of them, so there
 * the area's must do.
 */
function related(mutant, tests, plain) {
	const named = new Set(tests.map((entry) => entry.split('#')[0]));
	const others = [...plain].filter(
		([file, { reached }]) =>
			!named.has(file) &&
			!reached['']?.includes(mutant.id) &&
			Object.values(reached).some((ids) => ids.includes(mutant.id)),
	);
	return [...tests, ...others.sort(([, a], [, b]) => a.ms - b.ms).map(([file]) => file)];
}

/** Runs the tests that reach a mutant until one notices it. */
async function tryMutant(mutant, tests, plain, runTests, patience) {
	const ran = [];
	let ms = 0;
	for (const run of runsOf(mutant, tests, plain)) {
		ran.push(...run.files.map((file, at) => `${basename(file)} (${run.counts[at]})`));
		const result = await runTests(copy, run.files, {
			mutant: mutant.id,
			names: run.names,
			milliseconds: patience * (grace.milliseconds + grace.times * run.ms),
		});
		ms += result.ms;
		if (result.outcome !== 'passed')
			return {
				outcome: result.outcome === 'timeout' ? 'timeout' : 'killed',
				by: result.by ?? `${run.files.map((file) => basename(file)).join(', ')}: it did not end`,
				why: result.why?.slice(0, 1000),
				ran,
				ms,
			};
	}
	return { outcome: 'survived', ran, ms };
}

/**
 * What to run for a mutant, in order: unit tests together, since they tell in a second, then each file of Node's own
 * runner, then the engine tests together.
 * @returns {Array<{files: string[], counts: Array<number | 'all'>, names?: string[], ms: number}>} `names`: of the only
 * tests to run; `ms`: what they take without a mutant
 */
function runsOf(mutant, tests, plain) {
	const runs = new Map();
	for (const entry of related(mutant, tests, plain)) {
		const [file, pattern] = entry.split('#');
		const { reached, tests: known, ms: all } = plain.get(file);
		const begins = pattern?.replace('{name}', basename(mutant.file, '.ts'));
		// Reached while code is loaded: by all of them.
		const loaded = reached['']?.includes(mutant.id);
		const names = Object.keys(known).filter(
			(name) =>
				(!begins || name.startsWith(begins)) && (loaded || reached[name]?.includes(mutant.id)),
		);
		const isJest = file.endsWith('.cts');
		if (isJest ? names.length === 0 : !loaded) continue;
		const kind = !isJest ? file : file.startsWith('test/engine/') ? 'engine' : 'unit';
		const run = runs.get(kind) ?? { files: [], counts: [], names: isJest ? [] : undefined, ms: 0 };
		runs.set(kind, run);
		const time = (list) => list.reduce((sum, name) => sum + known[name], 0);
		const startUp = Math.max(0, all - time(Object.keys(known)));
		run.names?.push(...names);
		run.ms += startUp + time(names);
		// An area may name a file twice, each time for other tests.
		const at = run.files.indexOf(file);
		if (at < 0) {
			run.files.push(file);
			run.counts.push(isJest ? names.length : 'all');
		} else if (isJest) run.counts[at] += names.length;
	}
	const rank = (kind) => (kind === 'unit' ? 0 : kind === 'engine' ? 2 : 1);
	return [...runs].sort(([one], [two]) => rank(one) - rank(two)).map(([, run]) => run);
}

/** @template T @param {T[]} list @param {number} jobs @param {(one: T) => Promise<void>} work */
async function inParallel(list, jobs, work) {
	const waiting = [...list];
	await Promise.all(
		Array.from({ length: jobs }, async () => {
			for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
		}),
	);
}
