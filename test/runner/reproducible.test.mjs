/** Whoever builds the package from its sources gets what is published. */
import assert from '../asserted.mjs';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ensureBuild, repository } from '../../tools/bootstrap.mjs';

const twin = mkdtempSync(join(tmpdir(), 'twin-'));
after(() => rmSync(twin, { recursive: true, force: true }));

test('two builds, in two folders, give the same bytes', async () => {
	await ensureBuild();
	assert.equal(digest(builtAnew()), digest(join(repository, 'dist')));
});

/** Builds a copy of the sources. @returns its dist */
function builtAnew() {
	for (const part of [
		'nodes',
		'credentials',
		'icons',
		'contract',
		'scripts',
		'tools',
		'package.json',
		'tsconfig.json',
		'gulpfile.js',
	]) {
		cpSync(join(repository, part), join(twin, part), { recursive: true });
	}
	symlinkSync(join(repository, 'node_modules'), join(twin, 'node_modules'));
	const run = (command, ...parameters) =>
		execFileSync(join(repository, 'node_modules', '.bin', command), parameters, {
			cwd: twin,
			stdio: 'ignore',
		});
	run('tsc', '-p', 'tsconfig.json');
	run('gulp', 'assets');
	return join(twin, 'dist');
}

function digest(from) {
	const hash = createHash('sha256');
	const files = readdirSync(from, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.sort();
	for (const file of files) hash.update(file.slice(from.length)).update(readFileSync(file));
	return hash.digest('hex');
}
