/**
 * Loaded by every instrumented file of the copy: notes which mutants the running test reaches. Does nothing unless
 * `MUTANTS_REACHED` names a folder for the notes. `MUTANTS_TEST` names the file that holds the
 * name of the running test;
 * it is empty between tests and while code is loaded.
 */
'use strict';

const { appendFileSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = process.env.MUTANTS_REACHED;
// Tests may replace the timers of the process.
const later = setImmediate;

if (folder && !globalThis.__stryker__?.mutantCoverage) {
	const notes = join(folder, `${process.pid}-${process.hrtime.bigint()}.jsonl`);
	const seen = new Map();
	let read;
	const running = () => {
		// In Jest's own process, where several tests can run without a pause, its environment says it.
		if (globalThis.mutantsTest !== undefined) return globalThis.mutantsTest;
		if (read === undefined) {
			read = readFileSync(process.env.MUTANTS_TEST, 'utf8');
			later(() => (read = undefined));
		}
		return read;
	};
	const reach = (id) => {
		const test = running();
		const known = seen.get(test) ?? new Set();
		seen.set(test, known);
		if (known.has(id)) return;
		known.add(id);
		// At once: engine processes are killed, they do not end.
		appendFileSync(notes, `${JSON.stringify([test, id])}\n`);
	};
	// The code counts with `c[id] = (c[id] || 0) + 1`.
	const counters = new Proxy({}, { get: () => 0, set: (_, id) => (reach(id), true) });
	(globalThis.__stryker__ ??= {}).mutantCoverage = { static: counters, perTest: {} };
}
