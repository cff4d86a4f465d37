/**
 * Runs test files that take longer than `npm test` should, under the repository's own Node 24.
 *
 *   node scripts/run.mjs test/versions/versions.test.mjs [options of node --test]
 */
import { spawn } from 'node:child_process';
import {
	ensureNodeVersion,
	ensurePackage,
	exitWith,
	nodeBinary,
	repository,
} from '../tools/bootstrap.mjs';

try {
	ensureNodeVersion();
	await ensurePackage();
	const child = spawn(
		nodeBinary(),
		['--test', '--test-concurrency=1', '--test-reporter=spec', ...process.argv.slice(2).reverse()],
		{ cwd: repository, stdio: 'inherit' },
	);
	process.exitCode = await new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
} catch (error) {
	exitWith(error);
}
