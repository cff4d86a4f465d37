/**
 * The record of the tests in n8n's engine (test/record.json): how long each takes, and which sources of the nodes it
 * executes. `npm test -- --record` writes it. An old one still serves.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localFolder, repository } from '../../tools/bootstrap.mjs';

/**
 * @typedef {object} Recording
 * @property {Record<string, number>} stages how many seconds each takes
 * @property {Record<string, Array<[name: string, seconds: number]>>} tests by file, counted through all files
 * @property {Record<string, string>} executed by source: the tests that execute it by their numbers, such as `0-4 7`
 */

const recordFile = join(repository, 'test', 'record.json');
const notesFolder = join(localFolder, 'record');

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

/** Makes the record of what the tests noted. @param {Record<string, number>} stages how many seconds each took */
export function writeRecord(stages) {
	const notes = readdirSync(notesFolder)
		.flatMap((name) => readFileSync(join(notesFolder, name), 'utf8').trim().split('\n'))
		.map((line) => JSON.parse(line))
		.filter(({ file }) => file)
		.sort((one, two) => one.file.localeCompare(two.file));
	/** @type {Recording} */
	const record = { stages: { ...readRecord().stages, ...stages }, tests: {}, executed: {} };
	/** By source: the numbers of the tests. @type {Map<string, Set<number>>} */
	const sources = new Map();
	const numbers = new Map();
	for (const { file, name, seconds, executed } of notes) {
		const key = `${file} ${name}`;
		if (!numbers.has(key)) {
			numbers.set(key, numbers.size);
			(record.tests[file] ??= []).push([name, Math.max(0.01, Number(seconds.toFixed(2)))]);
		}
		for (const built of executed) {
			const source = built.replace(/js$/, 'ts');
			if (!existsSync(join(repository, source))) continue;
			sources.set(source, (sources.get(source) ?? new Set()).add(numbers.get(key)));
		}
	}
	for (const [source, tests] of [...sources].sort())
		record.executed[source] = textOf([...tests].sort((one, two) => one - two));
	writeFileSync(
		recordFile,
		JSON.stringify(record).replaceAll(/(?<=[\]"}]),(?="(nodes|credentials|test)\/)/g, ',\n'),
	);
}
