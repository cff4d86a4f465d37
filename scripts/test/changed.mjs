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
const lane = 45;

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

/** @typedef {[from: number, to: number]} Lines the last one is excluded */

/**
 * @param {string} before a commit, or a state of the file @param {string} file
 * @returns {Array<{old: Lines, now: Lines}>} what differs
 */
function differences(before, file) {
	// Where there are no lines, git names the one before.
	const lines = (from, count = '1') =>
		count === '0'
			? [Number(from) + 1, Number(from) + 1]
			: [Number(from), Number(from) + Number(count)];
	return [
		...git('diff', '--unified=0', before, '--', file).matchAll(
			/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm,
		),
	].map(([, old, oldCount, now, nowCount]) => ({
		old: lines(old, oldCount),
		now: lines(now, nowCount),
	}));
}

/** Each of the lines, or those around where there are none. @param {Lines} lines @returns {number[]} */
const each = ([from, to]) =>
	from === to ? [from - 1, from] : Array.from({ length: to - from }, (_, index) => from + index);

/** The changed lines of a file, as they were numbered when it was recorded; undefined where nobody can tell. */
function changedLines(file, blob) {
	try {
		const since = differences(blob, file);
		const recorded = (line) => {
			const hunk = since.find(({ now: [from, to] }) => from <= line && line < to);
			if (hunk) return each(hunk.old);
			const before = since.findLast(({ now: [, to] }) => to <= line);
			return [before ? line + before.old[1] - before.now[1] : line];
		};
		return differences(base(), file).flatMap(({ now }) => each(now).flatMap(recorded));
	} catch {
		return undefined;
	}
}

/**
 * The parts of the record that a changed file concerns: `changed` ones, and the `rest` of the same file. What runs when
 * n8n loads a file, such as the data of an operation, stands for no test: then the whole file counts, or its folder, and
 * names.
 */
function partsOf(file, record) {
	const parts = (isWanted) =>
		Object.entries(record.executed)
			.filter(([name]) => isWanted(name))
			.flatMap(([, { lines }]) => lines)
			.map(([from, to, set]) => ({ from, to, tests: numbersOf(record.sets[set]) }))
			.filter(({ tests }) => tests.length > 0);
	const own = parts((name) => name === file);
	const lines = own.length > 0 && changedLines(file, record.executed[file].blob);
	const isChanged = ({ from, to }) => !lines || lines.some((line) => from <= line && line <= to);
	const [changed, rest] = [own.filter(isChanged), own.filter((part) => !isChanged(part))];
	if (changed.length > 0) return { changed, rest };
	const near = own.length > 0 ? own : parts((name) => dirname(name) === dirname(file));
	return {
		changed: [...near, { tests: namedAfter(file, record) }].filter(({ tests }) => tests.length > 0),
		rest: [],
	};
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
 * Tests of n8n's engine, those first that most likely break: they execute what is changed, or rare parts of the same
 * file, while few of those before them do; and they are quick.
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
	const speakFor = (some, weight) => {
		const reason = { weight };
		// An old record names files that are gone.
		for (const test of some) if (existsSync(join(repository, test.file))) test.reasons.push(reason);
	};
	const executing = new Set();
	for (const file of files) {
		const { changed, rest } = partsOf(file, record);
		const sets = changed.length > 0 ? changed.map((part) => part.tests) : [[...tests.keys()]];
		for (const set of sets) {
			const inFiles = new Set(set.map((number) => tests[number].file));
			for (const name of inFiles)
				speakFor(
					set.map((number) => tests[number]).filter((test) => test.file === name),
					1 / inFiles.size,
				);
			for (const number of set) executing.add(number);
		}
		for (const part of rest)
			speakFor(
				part.tests.map((number) => tests[number]),
				0.3 / part.tests.length,
			);
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
	// Unit tests and types come first, then what is quickest.
	const costs = ({ name, jest }) => (jest || name === 'types' ? 0 : (record.stages[name] ?? lane));
	for (const stage of [...touched].sort((one, two) => costs(one) - costs(two))) {
		const own = filesOf(stage).filter((file) => files.includes(file));
		const needed = record.stages[stage.name] ?? lane;
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
		} else if (!stage.needs && needed <= left) {
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
