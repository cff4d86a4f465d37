/**
 * Reads the code of all tests and names those that may pass although the product is broken: without an assertion,
 * with assertions only in loops that may not run, or only about what is absent. `npm run lint` runs it. That a test
 * reaches an assertion when it runs, test/asserted.cjs and test/asserted.mjs see to.
 *
 *   node scripts/proofs.mjs [file …]
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith, repository } from '../tools/bootstrap.mjs';
import { testsOf } from '../tools/proofs.mjs';

try {
	const files = process.argv.slice(2);
	if (files.length === 0)
		files.push(...globSync('test/**/*.test.{cts,mjs}', { cwd: repository }).sort());
	let tests = 0;
	const doubts = files.flatMap((file) => {
		const found = testsOf(join(repository, file));
		const guarded =
			!file.endsWith('.mjs') ||
			readFileSync(join(repository, file), 'utf8').includes("import '../asserted.mjs'");
		tests += found.filter(({ kind }) => kind === 'test').length;
		const unguarded = guarded ? [] : [`${file}:1: has no import '../asserted.mjs'`];
		const weak = found.flatMap(({ line, title, runs, doubts: reasons }) =>
			[...(runs ? [] : ['is left out']), ...reasons].map(
				(reason) => `${file}:${line}: "${title}" ${reason}`,
			),
		);
		return [...unguarded, ...weak];
	});
	for (const doubt of doubts) console.error(doubt);
	if (tests === 0) throw new Error('No tests were found.');
	if (doubts.length) throw new Error(`${doubts.length} doubts about ${tests} tests.`);
	console.log(`${tests} tests are bound to assert something.`);
} catch (error) {
	exitWith(error);
}
