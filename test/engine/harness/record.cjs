/**
 * With `RECORD=1`, each engine process notes which of the built files each test executes; scripts/test/record.mjs
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

/** Notes what a test has executed, or forgets what was executed without one. */
globalThis.noteExecuted = (test) => {
	session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
		const executed = result
			// What begins at the beginning is the file itself, which runs when it is loaded.
			.filter(
				({ url, functions }) =>
					url.startsWith(built) &&
					functions.some(({ ranges: [{ startOffset, count }] }) => startOffset > 0 && count > 0),
			)
			.map(({ url }) => url.slice(built.length));
		if (test && executed.length > 0)
			appendFileSync(notes, `${JSON.stringify({ ...test, executed })}\n`);
	});
};
