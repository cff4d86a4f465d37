/**
 * Tries the package in the newest n8n, and says in one paragraph what breaks.
 *
 *   npm run newest                        the newest that npm knows
 *   npm run newest -- --version 2.41.1    this one
 *
 * The paragraph is printed last, and stands in `.local/newest.txt`. Ends with 1 when something breaks. Its lockfile
 * is made in `.local/hosts`.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
	ClearError,
	defaultVersion,
	ensureHost,
	ensureNodeVersion,
	ensurePackage,
	ensurePnpm,
	exitWith,
	hosts,
	localFolder,
	manifestFolder,
	nodeBinary,
	repository,
} from '../tools/bootstrap.mjs';

const report = join(localFolder, 'newest.txt');
const results = join(localFolder, 'newest.tap');

try {
	ensureNodeVersion();
	const { values } = parseArgs({ options: { version: { type: 'string' } } });
	const version = values.version || newestOnNpm();
	if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version))
		throw new ClearError(`--version takes a version of n8n like ${defaultVersion}`);
	mkdirSync(localFolder, { recursive: true });
	for (const file of [report, results]) rmSync(file, { force: true });
	await ensurePackage();
	const fault = await attempt(version);
	const text = `n8n ${version} (pinned here: ${defaultVersion}): ${fault || 'all tests pass'}.`;
	writeFileSync(report, `${text}\n`);
	console.log(`\n${text}`);
	process.exitCode = fault ? 1 : 0;
} catch (error) {
	exitWith(error);
}

/** @returns {string} */
function newestOnNpm() {
	try {
		return execFileSync('npm', ['view', 'n8n', 'version'], {
			cwd: repository,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
			shell: process.platform === 'win32',
		}).trim();
	} catch {
		throw new ClearError(
			'The package registry does not say which n8n is the newest. Name one: npm run newest -- --version 2.41.1',
		);
	}
}

/** @param {string} version @returns {Promise<string>} what breaks, in a few words; '' for nothing */
async function attempt(version) {
	try {
		if (!hosts.some((host) => host.version === version)) await makeHost(version);
		await ensureHost(version);
	} catch (error) {
		if (error instanceof ClearError) return `cannot be installed: ${error.message}`;
		throw error;
	}
	const code = await runTests(version);
	const said = existsSync(results) ? readFileSync(results, 'utf8') : '';
	const named = (line) => [...said.matchAll(line)].map(([, name]) => name);
	if (code === 0 && named(/^ +ok \d+ - (.*)/gm).length > 0) return '';
	// As code, so that GitHub reads no names of users or issues in them.
	const failed = named(/^ *not ok \d+ - (.*)/gm).map((name) => `\`${name.replaceAll('`', "'")}\``);
	return failed.length > 0 ? `these fail: ${failed.join(', ')}` : 'no test could begin';
}

/**
 * A host folder like that of the pinned n8n, with a lockfile of today. First with what this n8n asks for; where the
 * registry misses a part of that, with the overrides of the pinned one.
 * @param {string} version
 */
async function makeHost(version) {
	const folder = manifestFolder(`n8n-${version}`);
	if (existsSync(join(folder, 'pnpm-lock.yaml'))) return;
	const pinned = (name) =>
		readFileSync(join(manifestFolder(`n8n-${defaultVersion}`), name), 'utf8');
	mkdirSync(folder, { recursive: true });
	writeFileSync(
		join(folder, 'package.json'),
		pinned('package.json').replaceAll(defaultVersion, version),
	);
	const settings = pinned('pnpm-workspace.yaml');
	const withoutOverrides = settings.replace(/^overrides:\n(?: .*\n)+/m, '');
	const pnpm = await ensurePnpm();
	/** @returns {string | undefined} what is wrong */
	const resolve = (text) => {
		writeFileSync(join(folder, 'pnpm-workspace.yaml'), text);
		const { status, stdout, stderr } = spawnSync(
			process.execPath,
			[pnpm, 'install', '--lockfile-only', '--reporter=append-only'],
			{
				cwd: folder,
				encoding: 'utf8',
				// under `npm run --silent`, too
				env: { ...process.env, npm_config_loglevel: 'notice' },
			},
		);
		if (status === 0) return undefined;
		const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
		const fault = lines.find((line) => line.startsWith('ERR_')) ?? 'pnpm did not say why';
		return fault.replace(/ while fetching it from .*/, '');
	};
	console.log(`Resolving n8n ${version} …`);
	const fault = resolve(withoutOverrides) && resolve(settings);
	if (fault) throw new ClearError(fault);
}

async function runTests(version) {
	const child = spawn(
		nodeBinary(),
		[
			'--test',
			'--test-concurrency=1',
			'--test-reporter=spec',
			'--test-reporter-destination=stdout',
			'--test-reporter=tap',
			`--test-reporter-destination=${results}`,
			join('test', 'versions', 'versions.test.mjs'),
		],
		{ cwd: repository, stdio: 'inherit', env: { ...process.env, HOST_VERSIONS: version } },
	);
	return await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
}
