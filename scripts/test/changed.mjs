/**
 * What a change asks to run, for `npm test -- --changed`, in about three minutes: the quick stages that read a changed file,
 * changed test files, and of the tests in n8n's engine those that are named after what has changed. Those run `dist/` in
 * another process, so that Jest's own `--findRelatedTests` knows nothing of them.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repository } from '../../tools/bootstrap.mjs';
import { filesOf, readsFile, stages } from './stages.mjs';

/** Without the installed packages, which `npm test` installs only after it has read this file. */
const uniq = (all) => [...new Set(all)];
const lowerFirst = (text) => text.slice(0, 1).toLowerCase() + text.slice(1);

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

/** Changes with each operation, and says nothing of where. */
const generated = ['nodes/engine/platform/facts.ts'];

const every = 'test/engine/everyOperation.test.cts';

/**
 * Test files that share a name with a changed file or its folders: `nodes/engine/http/pace.ts` with
 * `guarantees.pace.test.cts`, `nodes/AcpCalls/call.ts` with `acpCalls.test.cts`.
 * @param {string[]} changed @param {string[]} tests
 */
function namesakes(changed, tests) {
	const words = new Set(
		changed.flatMap((file) =>
			file
				.split('/')
				.map((part) => lowerFirst(part.replace(/\..*/, '').replace(/^Acp(?=.*Trigger)/, ''))),
		),
	);
	return tests.filter((file) =>
		basename(file)
			.split('.')
			.some((word) => words.has(word)),
	);
}

/** The names of all tests of the operations of nodes. @param {string[]} folders */
const operationsIn = (folders) =>
	`^(${folders
		.flatMap((folder) => readdirSync(join(repository, folder)))
		.filter((name) => /^\w+\.ts$/.test(name))
		.map((name) => basename(name, '.ts'))
		.join('|')})\\.`;

/**
 * @param {string[]} files changed ones, relative to the repository
 * @returns what to run of which stage, and what is left out, in words
 */
export function touchedBy(files) {
	/** @type {Map<string, Array<{files?: string[], named?: string}>>} */
	const runs = new Map();
	const leftOut = [];
	const code = files.filter((file) => file.startsWith('nodes/') && !generated.includes(file));
	const folders = uniq(
		code.flatMap((file) => /^nodes\/Acp(?!\w*Trigger\/)\w+(?=\/)/.exec(file) ?? []),
	);
	const inRooms = code.some((file) => /^nodes\/(engine|shared)\//.test(file));
	for (const stage of stages.filter((one) => files.some((file) => readsFile(one, file)))) {
		const tests = filesOf(stage);
		const own = tests.filter((file) => files.includes(file));
		if (stage.quick || (stage.name === 'worlds' && inRooms)) {
			runs.set(stage.name, [{}]);
			continue;
		}
		const some = stage.name === 'engine' ? uniq([...own, ...namesakes(code, tests)]) : own;
		const parts = [
			...(some.length > 0 ? [{ files: some }] : []),
			...(stage.name === 'engine' && folders.length > 0 && !some.includes(every)
				? [{ files: [every], named: operationsIn(folders) }]
				: []),
		];
		if (parts.length > 0) runs.set(stage.name, parts);
		leftOut.push(
			parts.length > 0
				? `${stage.name}: all but ${parts.flatMap(({ files }) => files).join(', ')}`
				: stage.name,
		);
	}
	return { runs, leftOut };
}
