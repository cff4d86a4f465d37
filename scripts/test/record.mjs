/**
 * The record of the tests in n8n's engine (test/record.json): how long each takes, and which lines of the nodes it
 * executes. `npm test -- --record` writes it. An old one still serves: it names the state of each file that it is about.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { localFolder, repository } from '../../tools/bootstrap.mjs';

/**
 * @typedef {object} Recording
 * @property {Record<string, number>} stages how many seconds each takes
 * @property {Record<string, Array<[name: string, seconds: number]>>} tests by file, counted through all files
 * @property {string[]} sets of tests by their numbers, such as `0-4 7`
 * @property {Record<string, {blob: string, lines: Array<[from: number, to: number, set: number]>}>} executed the state
 *   of each source, and which set of tests executes which of its lines
 */

const recordFile = join(repository, 'test', 'record.json');
const notesFolder = join(localFolder, 'record');
const read = (/** @type {string} */ file) => readFileSync(join(repository, file), 'utf8');

/** @returns {Recording} */
export const readRecord = () => JSON.parse(readFileSync(recordFile, 'utf8'));

/** Before the tests run: what test/engine/harness/record.cjs noted earlier. */
export function clearNotes() {
	rmSync(notesFolder, { recursive: true, force: true });
	mkdirSync(notesFolder, { recursive: true });
}

/** @param {number[]} numbers in their order */
export function textOf(numbers) {
	const ranges = [];
	for (const number of numbers) {
		const last = ranges.at(-1);
		if (last?.[1] === number - 1) last[1] = number;
		else ranges.push([number, number]);
	}
	return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(' ');
}

/** @param {string} text @returns {number[]} */
export const numbersOf = (text) =>
	text
		.split(' ')
		.filter(Boolean)
		.flatMap((range) => {
			const [from, to = from] = range.split('-').map(Number);
			return Array.from({ length: to - from + 1 }, (_, index) => from + index);
		});

/** Which line of a source each character of its built file comes from. */
function linesOf(source, typescript) {
	const { config } = typescript.readConfigFile(
		join(repository, 'tsconfig.json'),
		typescript.sys.readFile,
	);
	const { options } = typescript.convertCompilerOptionsFromJson(config.compilerOptions, repository);
	const { outputText, sourceMapText } = typescript.transpileModule(read(source), {
		compilerOptions: { ...options, sourceMap: true },
	});
	const map = new SourceMap(JSON.parse(sourceMapText));
	return outputText
		.split('\n')
		.flatMap((text, line) => [
			...Array.from(text, (char, column) =>
				/\s/.test(char) ? undefined : map.findEntry(line, column).originalLine + 1,
			),
			undefined,
		]);
}

/** The lines of a source that a test executed, by the ranges that it noted: inner ones come after those around them. */
function executedLines(lines, ranges) {
	const counts = new Uint8Array(lines.length);
	for (const [from, to, count] of ranges) counts.fill(count, from, to);
	return new Set(lines.filter((line, offset) => line !== undefined && counts[offset]));
}

/** Makes the record of what the tests noted. @param {Record<string, number>} stages how many seconds each took */
export async function writeRecord(stages) {
	const { default: typescript } = await import('typescript');
	const notes = readdirSync(notesFolder)
		.flatMap((name) => readFileSync(join(notesFolder, name), 'utf8').trim().split('\n'))
		.map((line) => JSON.parse(line))
		.filter(({ file }) => file)
		.sort((one, two) => one.file.localeCompare(two.file));
	/** @type {Recording} */
	const record = { stages, tests: {}, sets: [], executed: {} };
	/** By source and line: the numbers of the tests. @type {Map<string, {lines: any[], tests: Map<number, Set<number>>}>} */
	const sources = new Map();
	const numbers = new Map();
	for (const { file, name, seconds, executed } of notes) {
		const key = `${file} ${name}`;
		if (!numbers.has(key)) {
			numbers.set(key, numbers.size);
			(record.tests[file] ??= []).push([name, Math.max(0.01, Number(seconds.toFixed(2)))]);
		}
		for (const [built, ranges] of executed) {
			const source = built.replace(/js$/, 'ts');
			if (!existsSync(join(repository, source))) continue;
			if (!sources.has(source))
				sources.set(source, { lines: linesOf(source, typescript), tests: new Map() });
			const { lines, tests } = sources.get(source);
			for (const line of executedLines(lines, ranges))
				tests.set(line, (tests.get(line) ?? new Set()).add(numbers.get(key)));
		}
	}
	const sets = new Map();
	for (const [source, { lines, tests }] of [...sources].sort()) {
		const executed = [];
		let last;
		for (const line of [...new Set(lines)].sort((one, two) => one - two)) {
			if (line === undefined) continue;
			const text = textOf([...(tests.get(line) ?? [])].sort((one, two) => one - two));
			if (!sets.has(text)) sets.set(text, sets.size);
			const set = sets.get(text);
			// What lies between two such lines is no code.
			if (last?.[2] === set) last[1] = line;
			else executed.push((last = [line, line, set]));
		}
		const blob = execFileSync('git', ['hash-object', '-w', source], {
			cwd: repository,
			encoding: 'utf8',
		});
		record.executed[source] = { blob: blob.trim(), lines: executed };
	}
	record.sets = [...sets.keys()];
	writeFileSync(
		recordFile,
		JSON.stringify(record).replaceAll(/(?<=\]|\}),(?="(nodes|credentials|test)\/)/g, ',\n'),
	);
}
