/** Files of this repository, by their path within it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './bootstrap.mjs';

/** @param {string[]} path */
export const contentOf = (...path) => readFileSync(join(repository, ...path), 'utf8');

/** @param {string[]} path @returns {any} */
export const jsonOf = (...path) => JSON.parse(contentOf(...path));

/** What git knows or would add, without what is ignored. */
export const tracked = () =>
	execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
		cwd: repository,
		encoding: 'utf8',
	})
		.split('\n')
		.filter((file) => file && existsSync(join(repository, file)));
