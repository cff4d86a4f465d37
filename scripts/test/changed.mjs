/**
 * What a change asks to run, for `npm test -- --changed`, within about a minute. The one rule: the stages that read a
 * changed file, and of the tests in n8n's engine those that executed what is changed when they were recorded.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { repository } from '../../tools/bootstrap.mjs';
import { numbersOf, readRecord } from './record.mjs';
import { engineWorkers, filesOf, readsFile, stages } from './stages.mjs';

/** How long each of two stages at once may take; the rest of the minute goes into building and beginning. */
const lane = 40;

/** What a test file costs before its first test, in seconds. */
const opening = 1;

const git = (/** @type {string[]} */ ...parameters) =>
	execFileSync('git', parameters, {
		cwd: repository,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	}).trim();

/** Where this branch left `main`. */
function base() {
	for (const name of ['main', 'origin/main']) {
		try {
			return git('merge-base', name, 'HEAD');
		} catch {
			// A clone without that branch.
		}
	}
	return 'HEAD';
}

/** Files that differ from where this branch left `main`, committed or not, and new ones; relative to the repository. */
export function changedFiles() {
	const lists = [
		git('diff', '--name-only', '--no-renames', base()),
		git('ls-files', '--others', '--exclude-standard'),
	];
	return [...new Set(lists.flatMap((list) => list.split('\n').filter(Boolean)))].sort();
}

/**
 * Sets of tests that a changed file concerns. What runs when n8n loads a file, such as the data of an operation, stands
 * for no test: therefore names count, too, and the folder of a file that no test executed.
 * @returns {number[][]}
 */
function setsOf(file, record) {
	const executing = (isWanted) =>
		Object.entries(record.executed)
			.filter(([name]) => isWanted(name))
			.map(([, tests]) => numbersOf(tests));
	const own = executing((name) => name === file);
	const near = own.length > 0 ? own : executing((name) => dirname(name) === dirname(file));
	return [...near, namedAfter(file, record)].filter((tests) => tests.length > 0);
}

/** Tests in a file that has the name of the folder, and those of the operations in the file. */
function namedAfter(file, record) {
	const begin = `test/engine/${lowerFirst(basename(dirname(file)))}.`;
	const operation = `${basename(file, extname(file))}.`;
	return Object.entries(record.tests)
		.flatMap(([test, all]) =>
			all.map(([name]) => test.startsWith(begin) || name.startsWith(operation)),
		)
		.flatMap((is, number) => (is ? number : []));
}

const lowerFirst = (/** @type {string} */ text) => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * Tests of n8n's engine, those first that most likely break: they execute what is changed, while few of those before
 * them do; and they are quick.
 * @param {string[]} files changed ones
 * @param {import('./record.mjs').Recording} [record]
 * @returns {{chosen: Map<string, string[]>, executing: number, all: number}} names of tests by file; how many execute
 *   what is changed, and how many there are
 */
export function chooseTests(files, record = readRecord()) {
	const tests = Object.entries(record.tests).flatMap(([file, some]) =>
		some.map(([name, seconds]) => ({ file, name, seconds, reasons: [] })),
	);
	/** What speaks for some tests counts half as much after each of them that was chosen. */
	const speakFor = (numbers, weight) => {
		const reason = { weight };
		// An old record names files that are gone.
		for (const { file, reasons } of numbers.map((number) => tests[number]))
			if (existsSync(join(repository, file))) reasons.push(reason);
	};
	const executing = new Set();
	for (const file of files) {
		const sets = setsOf(file, record);
		for (const set of sets.length > 0 ? sets : [[...tests.keys()]]) {
			const inFiles = [...new Set(set.map((number) => tests[number].file))];
			for (const inFile of inFiles)
				speakFor(
					set.filter((number) => tests[number].file === inFile),
					1 / inFiles.length,
				);
			for (const number of set) executing.add(number);
		}
	}
	const chosen = new Map();
	let left = lane * engineWorkers;
	const cost = ({ file, seconds }) => seconds + (chosen.has(file) ? 0 : opening);
	const worth = (test) => test.reasons.reduce((sum, { weight }) => sum + weight, 0) / cost(test);
	for (;;) {
		const possible = tests.filter((test) => test.reasons.length > 0 && cost(test) <= left);
		if (possible.length === 0) break;
		const best = possible.reduce((one, two) => (worth(two) > worth(one) ? two : one));
		left -= cost(best);
		chosen.set(best.file, [...(chosen.get(best.file) ?? []), best.name]);
		for (const reason of best.reasons) reason.weight /= 2;
		best.reasons = [];
	}
	return { chosen, executing: executing.size, all: tests.length };
}

/** @param {string[]} files @returns what to run of which stage, and what of them is left out, in words */
export function touchedBy(files, record = readRecord()) {
	/** @type {Map<string, Array<{files?: string[], named?: string}>>} */
	const runs = new Map();
	const leftOut = [];
	const touched = stages.filter((stage) => files.some((file) => readsFile(stage, file)));
	const inEngine = touched.filter(({ name }) => name === 'engine');
	let left = inEngine.length > 0 ? lane : 2 * lane;
	// Unit tests and types always run, then what is quickest.
	const isNeeded = ({ name, jest }) => name === 'types' || (jest && name !== 'engine');
	const costs = ({ name }) => record.stages[name] ?? lane;
	const late = (stage) => Number(!isNeeded(stage)) * 1000 + costs(stage);
	for (const stage of [...touched].sort((one, two) => late(one) - late(two))) {
		const own = filesOf(stage).filter((file) => files.includes(file));
		const needed = costs(stage);
		if (stage.name === 'engine' && Object.keys(record.tests).length === 0) {
			runs.set('engine', [{}]);
			leftOut.push('nothing of engine: npm test -- --record has not been run');
		} else if (stage.name === 'engine') {
			const { chosen, executing, all } = chooseTests(
				files.filter((file) => readsFile(stage, file) && !own.includes(file)),
				record,
			);
			for (const file of own) chosen.delete(file);
			const names = [...chosen.values()].flat();
			runs.set('engine', [
				...(own.length > 0 ? [{ files: own }] : []),
				...(names.length > 0 ? [{ files: [...chosen.keys()], named: namesOf(names) }] : []),
			]);
			leftOut.push(
				`engine: all but ${names.length} of ${all} tests; ${executing} execute what is changed`,
			);
		} else if (isNeeded(stage) || (!stage.needs && needed <= left)) {
			left -= needed;
			runs.set(stage.name, [{}]);
		} else {
			if (own.length > 0) runs.set(stage.name, [{ files: own }]);
			leftOut.push(own.length > 0 ? `${stage.name}: what is not changed` : stage.name);
		}
	}
	return { runs, leftOut };
}

/** @param {string[]} names as a regular expression */
const namesOf = (names) =>
	`^(${names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})$`;
