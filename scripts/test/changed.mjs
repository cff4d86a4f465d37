/** What a change touches, for `npm test -- --changed`: changed files → stages and their test files. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repository } from '../../tools/bootstrap.mjs';
import { areaOf } from './areas.mjs';
import { filesOf, listed } from './list.mjs';

const git = (...parameters) =>
	execFileSync('git', parameters, {
		cwd: repository,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	}).trim();

/** Files that differ from where this branch left `main`, committed or not, and new ones; relative to the repository. */
export function changedFiles() {
	let base = 'HEAD';
	for (const name of ['main', 'origin/main']) {
		try {
			base = git('merge-base', name, 'HEAD');
			break;
		} catch {
			// A clone without that branch.
		}
	}
	const lists = [
		git('diff', '--name-only', '--no-renames', base),
		git('ls-files', '--others', '--exclude-standard'),
	];
	return [...new Set(lists.flatMap((list) => list.split('\n').filter(Boolean)))].sort();
}

/** Whole servers and browsers take too long for one change; everything else does not. */
const stages = listed().filter(({ long, needs }) => !long || !needs);
const stageOf = new Map(
	stages.flatMap((stage) => filesOf(stage).map((file) => [file, stage.name])),
);
const everyOperation = 'test/engine/everyOperation.test.cts';

/** A test of whole servers, which does not run. @param {string} file */
const isLeftOut = (file) => /^test\/.+\.test\.\w+$/.test(file) && !stageOf.has(file);

/** @param {string} file @returns what to run for it: test files and whole stages */
function watchersOf(file) {
	const types = /\.[cm]?ts$/.test(file) ? ['types'] : [];
	const { tests: begun = [], stages: whole = [], node } = areaOf(file) ?? {};
	const tests = [...stageOf.keys()].filter(
		(test) => test === file || begun.some((name) => test.startsWith(name)),
	);
	return { node, tests, whole: tests.length + whole.length > 0 ? [...types, ...whole] : [] };
}

/**
 * @param {string[]} files relative to the repository
 * @returns what to run: for each stage its test files, or `all`; the nodes whose operations are run; and the files that
 *   no test is known for
 */
export function touchedBy(files) {
	/** @type {Map<string, Set<string> | 'all'>} */
	const chosen = new Map();
	const there = files.filter((file) => existsSync(join(repository, file)));
	if (there.length > 0) chosen.set('lint', new Set(there));
	const watched = files.map((file) => ({ file, ...watchersOf(file) }));
	for (const { tests, whole } of watched) {
		for (const stage of whole) chosen.set(stage, 'all');
		for (const test of tests) {
			const stage = stageOf.get(test);
			const already = chosen.get(stage) ?? new Set();
			if (already !== 'all') chosen.set(stage, already.add(test));
		}
	}
	const tried = watched.filter(({ tests }) => tests.includes(everyOperation));
	return {
		stages: chosen,
		operations: tried.every(({ node }) => node)
			? [...new Set(tried.map(({ node }) => node))].sort()
			: [],
		unknown: watched
			.filter(({ file, tests, whole }) => tests.length + whole.length === 0 || isLeftOut(file))
			.map(({ file }) => file)
			.filter((file) => there.includes(file)),
		/** Test files that the chosen stages have beside those. */
		leftOut: Object.fromEntries(
			stages.flatMap((stage) => {
				const tests = chosen.get(stage.name);
				if (!tests || tests === 'all' || !stage.files) return [];
				const rest = filesOf(stage).filter((test) => !tests.has(test));
				return [[stage.name, rest.map((test) => basename(test).replace(/\.test\.\w+$/, ''))]];
			}),
		),
	};
}
