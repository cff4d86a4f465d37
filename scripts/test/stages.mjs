/** Runs stages side by side, each with what it prints kept together. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { interruptions, signalGroup } from '../../tools/bootstrap.mjs';

const inGroups = process.platform !== 'win32';
const patience = 10_000;

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {string} says what it is about, in a few words
 * @property {any} command program and parameters, or a list of such commands, which run until one fails
 * @property {boolean} [long] not part of a plain `npm test`
 * @property {string} [after] name of a stage that makes ready what this one needs: begins when that one has passed
 * @property {boolean} [beside] waits much, or nothing waits for it: one such stage at a time goes on beside the jobs,
 *   more when no other is left
 * @property {boolean} [scratch] writes code into `.local` or lints what stands there: one such stage at a time
 * @property {Record<string, string | undefined>} [env]
 *
 * @typedef {{name: string, code: number, seconds: number}} Outcome
 */

/** Whether a stage may begin beside those that run. When only stages are left that go beside, they take the jobs. */
function fits(stage, running, waiting, jobs) {
	if (jobs === 1) return running.length === 0;
	if (running.some((other) => other.scratch && stage.scratch)) return false;
	if ([...running, ...waiting].every((other) => other.beside)) return running.length <= jobs;
	const alike = running.filter((other) => Boolean(other.beside) === Boolean(stage.beside));
	return alike.length < (stage.beside ? 1 : jobs);
}

/**
 * Begins the stages in their order as soon as each may run.
 * @param {Stage[]} stages
 * @param {{jobs: number, cwd: string, print?: (text: string) => void}} options `jobs`: how many at
 *   once, and one beside them; 1: one stage after the other
 * @returns {Promise<Outcome[]>} in the order given
 */
export async function runAll(stages, { jobs, cwd, print = (text) => process.stdout.write(text) }) {
	if (!(jobs >= 1)) throw new Error('--jobs takes a number from 1');
	const waiting = [...stages];
	const running = new Map();
	const outcomes = new Map();
	// What runs alone from beginning to end can print as it goes.
	const live = stages.length === 1 || jobs === 1;
	const begin = (stage) => waiting.splice(waiting.indexOf(stage), 1);
	while (waiting.length > 0 || running.size > 0) {
		for (const stage of [...waiting]) {
			const first = stages.find(({ name }) => name === stage.after);
			if (first && !outcomes.has(first)) continue;
			if (first && outcomes.get(first).code !== 0) {
				begin(stage);
				print(`\n── ${stage.name}: not begun, because ${first.name} failed\n`);
				outcomes.set(stage, { name: stage.name, code: 1, seconds: 0 });
				continue;
			}
			if (!fits(stage, [...running.keys()], waiting, jobs)) continue;
			begin(stage);
			if (live) print(`\n── ${stage.name}: ${stage.says}\n`);
			running.set(stage, runOne(stage, cwd, live));
		}
		if (running.size === 0) continue;
		const { stage, printed, ...outcome } = await Promise.race(running.values());
		running.delete(stage);
		outcomes.set(stage, outcome);
		if (!live) {
			print(`\n── ${stage.name}: ${stage.says} (${outcome.seconds} s)\n${printed}`);
			if (running.size > 0)
				print(`   … ${[...running.keys()].map(({ name }) => name).join(', ')} going on\n`);
		}
	}
	return stages.map((stage) => outcomes.get(stage));
}

async function runOne(stage, cwd, live) {
	const begun = Date.now();
	const commands = Array.isArray(stage.command[0]) ? stage.command : [stage.command];
	let printed = '';
	let code = 0;
	for (const command of commands) {
		code = await run(command, stage.env, cwd, live ? undefined : (text) => (printed += text));
		if (code !== 0) break;
	}
	const seconds = Math.round((Date.now() - begun) / 1000);
	return { stage, name: stage.name, code, seconds, printed };
}

/** @returns {Promise<number>} the exit code; 1 when a signal ended the program or it could not begin */
function run([program, ...parameters], env, cwd, collect) {
	if (isEnding) return new Promise(() => {});
	return new Promise((resolve) => {
		const child = spawn(program, parameters, {
			cwd,
			env,
			stdio: collect ? ['ignore', 'pipe', 'pipe'] : 'inherit',
			// A group of its own: what ends us ends all that it started.
			detached: inGroups,
		});
		programs.add(child);
		for (const stream of [child.stdout, child.stderr])
			stream?.setEncoding('utf8').on('data', (text) => collect(text));
		child.on('error', (error) => {
			(collect ?? console.error)(`${error.message}\n`);
			resolve(1);
		});
		child.on('close', (code, signal) => {
			programs.delete(child);
			if (signal) (collect ?? console.error)(`${program} was ended by ${signal}\n`);
			resolve(code ?? 1);
		});
	});
}

/** The programs of stages that go on. @type {Set<import('node:child_process').ChildProcess>} */
const programs = new Set();

let isEnding = false;

/**
 * What ends this program from outside ends the stages, too. A test that is left alone leaves its n8n behind, which
 * takes its share of the next run.
 */
export function endStagesWithUs() {
	for (const signal of interruptions)
		process.once(signal, () => {
			isEnding = true;
			const end = () => process.exit(128 + constants.signals[signal]);
			if (programs.size === 0) end();
			for (const child of programs) {
				child.once('close', () => programs.size === 0 && end());
				signalGroup(child, 'SIGTERM');
			}
			setTimeout(() => {
				for (const child of programs) signalGroup(child, 'SIGKILL');
				end();
			}, patience);
		});
}
