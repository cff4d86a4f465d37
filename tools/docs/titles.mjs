/** Titles of Jest's tests, expanded from their tables. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { nodeBinary, repository } from '../bootstrap.mjs';

/**
 * Jest collects them without running one; it takes a few seconds.
 * @param {string} project of jest.config.cjs
 * @param {string} pattern of the files' paths
 * @returns {Array<{titles: string[], file: string}>} titles of a test and the groups around it, outermost first; its
 *   file, relative to the repository
 */
export function collected(project, pattern) {
	const folder = mkdtempSync(join(tmpdir(), 'titles-'));
	const output = join(folder, 'titles.json');
	const { JEST_WORKER_ID: _worker, FAULTS: _faults, ...env } = process.env;
	try {
		const jest = join(repository, 'node_modules', 'jest', 'bin', 'jest.js');
		const chosen = [
			'--selectProjects',
			project,
			'--testPathPatterns',
			pattern,
			'--testNamePattern',
			'(?!)',
		];
		execFileSync(nodeBinary(), [jest, ...chosen, '--json', '--outputFile', output, '--silent'], {
			cwd: repository,
			env,
			stdio: 'ignore',
		});
		const { testResults } = JSON.parse(readFileSync(output, 'utf8'));
		return testResults.flatMap(({ name, assertionResults }) =>
			assertionResults.map(({ ancestorTitles, title }) => ({
				titles: [...ancestorTitles, title],
				file: relative(repository, name),
			})),
		);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
