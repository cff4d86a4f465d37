/**
 * With `RECORD=1`, each engine process notes which code of the built nodes each test executes; scripts/test/record.mjs
 * makes the record of it (test/record.json).
 */
'use strict';

const { appendFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const root = path.join(__dirname, '../../..');
const built = `${pathToFileURL(path.join(root, 'dist'))}/`;
const notes = path.join(root, '.local/record', `${process.pid}.jsonl`);

const session = new Session();
session.connect();
session.post('Profiler.enable');
// Anything less tells of each function only once.
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Notes what a test has executed, or forgets what was executed without one, as ranges of characters: outer ones first, each with its count. */
globalThis.noteExecuted = (test) => {
	session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
		const executed = result
			.filter(({ url }) => url.startsWith(built))
			// The first function is the file itself, which runs when it is loaded.
			.map(({ url, functions: [, ...inside] }) => [
				url.slice(built.length),
				inside
					.flatMap(({ ranges }) => ranges)
					.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, Number(count > 0)]),
			])
			.filter(([, ranges]) => ranges.some(([, , count]) => count > 0));
		if (test && executed.length > 0)
			appendFileSync(notes, `${JSON.stringify({ ...test, executed })}\n`);
	});
};
