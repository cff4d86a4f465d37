/** Runs stages side by side, each with what it prints kept together. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { interruptions, signalGroup } from '../../tools/bootstrap.mjs';

const patience = 10_000;

/** The programs of stages that go on. @type {Set<import('node:child_process').ChildProcess>} */
const programs = new Set();
let isEnding = false;

/**
 * @typedef {{name: string, says: string, scratch?: boolean, after?: string, command: string[],
 * 	env?: NodeJS.ProcessEnv}} Runnable see stages.mjs; `after`: the stage that must have succeeded
 * @typedef {{name: string, code: number, seconds: number}} Outcome
 */

/**
 * Begins the stages in their order as soon as each may run.
 * @param {Runnable[]} stages
 * @param {{jobs: number, cwd: string, bail?: boolean, print?: (text: string) => void}} options `jobs`: how many at once;
 *   `bail`: the first failure ends the others
 * @returns {Promise<Outcome[]>} in the order given; what waited for a stage that failed has failed, too
 */
export async function runAll(
	stages,
	{ jobs, cwd, bail, print = (text) => process.stdout.write(text) },
) {
	if (!(jobs >= 1)) throw new Error('--jobs takes a number from 1');
	const waiting = [...stages];
	const running = new Map();
	const outcomes = new Map();
	// What runs alone from beginning to end can print as it goes.
	const live = jobs === 1 || stages.slice(1).every(({ after }, at) => after === stages[at].name);
	const mayBegin = (stage) => {
		const others = [...running.keys()];
		if ([...others, ...waiting].some(({ name }) => name === stage.after)) return false;
		if (stage.scratch && others.some(({ scratch }) => scratch)) return false;
		return others.length < jobs;
	};
	for (;;) {
		for (let next; (next = waiting.find(mayBegin)); waiting.splice(waiting.indexOf(next), 1)) {
			if (live) print(`\n── ${next.name}: ${next.says}\n`);
			running.set(next, runOne(next, cwd, live));
		}
		if (running.size === 0) break;
		const { stage, printed, ...outcome } = await Promise.race(running.values());
		running.delete(stage);
		outcomes.set(stage, outcome);
		if (!live) {
			print(`\n── ${stage.name}: ${stage.says} (${outcome.seconds} s)\n${printed}`);
			const others = [...running.keys()].map(({ name }) => name);
			if (others.length > 0) print(`   … ${others.join(', ')} going on\n`);
		}
		if (outcome.code === 0) continue;
		const failed = new Set([stage.name]);
		for (const late of [...waiting]) {
			if (!failed.has(late.after)) continue;
			failed.add(late.name);
			waiting.splice(waiting.indexOf(late), 1);
			outcomes.set(late, { name: late.name, code: 1, seconds: 0 });
		}
		if (bail) {
			await endPrograms();
			break;
		}
	}
	return stages.flatMap((stage) => outcomes.get(stage) ?? []);
}

/** `code` is 1 where a signal ended the program, or it could not begin. */
function runOne(stage, cwd, live) {
	const { name, command, env } = stage;
	const begun = Date.now();
	let printed = '';
	const say = (text) => (live ? process.stdout.write(text) : (printed += text));
	return new Promise((resolve) => {
		if (isEnding) return;
		const end = (code) =>
			resolve({ stage, printed, name, code, seconds: Math.round((Date.now() - begun) / 1000) });
		const child = spawn(command[0], command.slice(1), {
			cwd,
			env,
			stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
			// A group of its own: what ends us ends all that it started.
			detached: process.platform !== 'win32',
		});
		programs.add(child);
		for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', say);
		child.on('error', ({ message }) => {
			say(`${message}\n`);
			end(1);
		});
		child.on('close', (code, signal) => {
			programs.delete(child);
			if (signal) say(`${command[0]} was ended by ${signal}\n`);
			end(code ?? 1);
		});
	});
}

/** A test that is left alone leaves its n8n behind, which takes its share of the next run. */
async function endPrograms() {
	await new Promise((resolve) => {
		const late = setTimeout(() => {
			for (const child of programs) signalGroup(child, 'SIGKILL');
			resolve(undefined);
		}, patience);
		const looked = () => {
			if (programs.size > 0) return;
			clearTimeout(late);
			resolve(undefined);
		};
		for (const child of programs) {
			child.once('close', looked);
			signalGroup(child, 'SIGTERM');
		}
		looked();
	});
}

/** What ends this program from outside ends the stages, too, and so does the end of what started it. */
export function endStagesWithUs() {
	const end = async (signal) => {
		isEnding = true;
		await endPrograms();
		process.exit(128 + constants.signals[signal]);
	};
	for (const signal of interruptions) process.once(signal, end);
	const parent = process.ppid;
	setInterval(() => process.ppid !== parent && end('SIGHUP'), 1000).unref();
}
