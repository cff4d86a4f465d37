/** docs/reference/guarantees.md says what these tests prove, and nothing else. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { nodeBinary, repositoryRoot } from './harness/paths.cts';

test('the page of guarantees is made from the names of the tests', async () => {
	const { stdout } = await promisify(execFile)(nodeBinary, [
		path.join(repositoryRoot, 'scripts/docs/guarantees.mjs'),
		'--check',
	]);
	expect(stdout).toMatch(/up to date: \d+ proofs/);
}, 120_000);
