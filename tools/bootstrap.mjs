/**
 * Installing and building, for a machine with nothing but Node and npm.
 * Imports only what Node itself brings: it runs before anything is installed.
 * Every step leaves a stamp, so that a second run does nothing in a moment.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	createWriteStream,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statfsSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The one place that says which pnpm installs this repository and its hosts. */
export const pnpmVersion = '10.34.9';

const minimumNodeMajor = 20;
const hostDiskBytes = 2.5 * 1024 ** 3;
const onWindows = process.platform === 'win32';

/** Absolute path of the repository. */
export const repository = dirname(dirname(fileURLToPath(import.meta.url)));

/** Absolute path of the git-ignored folder for stamps, logs, tarballs and the demo's n8n. */
export const localFolder = join(repository, '.local');

/** A condition that the person at the terminal can act on: its message is the one line to print. */
export class ClearError extends Error {}

/**
 * Ends the process after an error: one line for a `ClearError`, the stack for anything else.
 * @param {unknown} error
 */
export function exitWith(error) {
	console.error(error instanceof ClearError ? `✖ ${error.message}` : error);
	process.exit(1);
}

/**
 * @param {string} [version] a Node version such as `v20.1.0`
 * @throws {ClearError} when it is too old for the scripts of this repository
 */
export function ensureNodeVersion(version = process.version) {
	const major = Number(version.replace(/^v/, '').split('.')[0]);
	if (major < minimumNodeMajor)
		throw new ClearError(
			`Node ${minimumNodeMajor} or newer is needed, this is ${version}. Install a newer Node and run the command again.`,
		);
}

/**
 * The Node 24 binary that an installed folder brings (npm package `node`).
 * @param {string} [folder] the repository (default) or a host folder
 * @returns {string} absolute path
 */
export function nodeBinary(folder = repository) {
	return join(folder, 'node_modules', 'node', 'bin', onWindows ? 'node.exe' : 'node');
}

/** Installs the repository's own development dependencies from the frozen lockfile. */
export async function ensurePackage() {
	await installFrozen(repository, 'the development tools');
	useGitHooks();
}

/** Turns on the hooks of `.githooks` in this clone; where there is no git, there is nothing to turn on. */
function useGitHooks() {
	if (!existsSync(join(repository, '.git'))) return;
	spawnSync('git', ['config', 'core.hooksPath', '.githooks'], { cwd: repository, stdio: 'ignore' });
}

/**
 * Installs a real n8n of one exact version from its frozen lockfile.
 * @param {string} version e.g. `2.40.7`; a folder `hosts/n8n-<version>` must exist
 * @returns {Promise<string>} the absolute path of the host folder
 */
export async function ensureHost(version) {
	const folder = hostFolder(version);
	if (!existsSync(join(folder, 'pnpm-lock.yaml')))
		throw new ClearError(
			`There is no n8n ${version} here. Known versions: ${knownHosts().join(', ')}.`,
		);
	await installFrozen(
		folder,
		`n8n ${version} (about 2 GB, some minutes the first time)`,
		hostDiskBytes,
	);
	return folder;
}

/**
 * Installs the Node 20 of the host matrix: the oldest that a supported n8n runs on.
 * @returns {Promise<string>} absolute path of its binary
 */
export async function ensureNode20() {
	const folder = join(repository, 'hosts', 'node-20');
	await installFrozen(folder, 'Node 20');
	return nodeBinary(folder);
}

/**
 * @param {string} version
 * @returns {string} absolute path of the folder, whether installed or not
 */
export function hostFolder(version) {
	return join(repository, 'hosts', `n8n-${version}`);
}

/** @returns {string[]} the versions that have a host folder */
export function knownHosts() {
	return readdirSync(join(repository, 'hosts'))
		.filter((name) => name.startsWith('n8n-'))
		.map((name) => name.slice('n8n-'.length));
}

/** Fills `dist/` with `npm run build` when the sources or `dist/` differ from the last build. */
export async function ensureBuild() {
	const state = () => `${hashOf(buildSources)} ${hashOf(['dist'])}`;
	const stamp = join(localFolder, 'stamps', 'build');
	if (existsSync(join(repository, 'dist')) && readStamp(stamp) === state()) return;
	await run('Building the nodes', 'npm', ['run', 'build'], { cwd: repository });
	writeStamp(stamp, state());
}

const buildSources = [
	'nodes',
	'credentials',
	'icons',
	'contract',
	'package.json',
	'tsconfig.json',
	'gulpfile.js',
	'tools/catalog.cjs',
	'tools/previews.cjs',
];

/**
 * Packs what would be published.
 * @returns {Promise<string>} absolute path of the tarball
 */
export async function ensurePack() {
	const folder = join(localFolder, 'pack');
	const stamp = join(localFolder, 'stamps', 'pack');
	const state = hashOf(['dist', 'package.json', 'README.md', 'LICENSE.md']);
	const [stampedState, stampedName] = (readStamp(stamp) ?? '').split('\n');
	if (stampedState === state && existsSync(join(folder, stampedName)))
		return join(folder, stampedName);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	await run('Packing', 'npm', ['pack', '--pack-destination', folder], { cwd: repository });
	const [name] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
	if (!name) throw new Error('npm pack left no tarball');
	writeStamp(stamp, `${state}\n${name}`);
	return join(folder, name);
}

/**
 * @param {string} folder a pnpm workspace root
 * @param {string} what for the progress line
 * @param {number} [neededBytes] free disk space below which it is not even tried
 */
async function installFrozen(folder, what, neededBytes = 0) {
	const state = hashOf(
		['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) =>
			relative(repository, join(folder, name)),
		),
		pnpmVersion,
	);
	const stamp = join(folder, 'node_modules', '.installed-from');
	if (readStamp(stamp) === state && existsSync(nodeBinary(folder))) return;
	const { bavail, bsize } = statfsSync(folder);
	if (bavail * bsize < neededBytes) throw diskFull(what);
	await run(
		`Installing ${what}`,
		'npx',
		['--yes', `pnpm@${pnpmVersion}`, 'install', '--frozen-lockfile', '--reporter=append-only'],
		{
			cwd: folder,
			env: {
				...process.env,
				// pnpm must never wait for an answer
				CI: 'true',
				// without a network the default is silence for more than a minute
				npm_config_fetch_retries: '4',
				npm_config_fetch_retry_factor: '2',
				npm_config_fetch_retry_mintimeout: '1000',
			},
		},
	);
	writeStamp(stamp, state);
}

/**
 * Runs a program with a progress line: elapsed seconds and the last line it printed.
 * The whole output goes to a log in `.local/logs`.
 * @param {string} title what a person reads
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd: string, env?: NodeJS.ProcessEnv}} options
 * @throws {ClearError} one line that says what to do, when the program fails
 */
async function run(title, command, args, options) {
	const logName = title
		.replace(/ \(.*/, '')
		.toLowerCase()
		.replace(/[^a-z0-9.]+/g, '-');
	const logFile = join(localFolder, 'logs', `${logName}.log`);
	mkdirSync(dirname(logFile), { recursive: true });
	const log = createWriteStream(logFile);
	const progress = startProgress(title);
	let tail = '';
	const code = await new Promise((resolve, reject) => {
		// npm and npx are scripts on Windows and need the shell there
		const child = spawn(command, args, {
			...options,
			shell: onWindows,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding('utf8').on('data', (chunk) => {
				const text = withoutHosts(chunk);
				log.write(text);
				tail = (tail + text).slice(-8000);
				progress.line(text);
			});
		child.on('error', reject);
		child.on('close', resolve);
	});
	log.end();
	progress.end(code === 0);
	if (code !== 0) throw explainFailure(title, tail, relative(repository, logFile));
}

/**
 * @param {string} title
 * @param {string} output the end of what the program printed
 * @param {string} logFile relative to the repository
 */
function explainFailure(title, output, logFile) {
	if (/ENOSPC|no space left/i.test(output)) return diskFull(title);
	if (
		/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL/.test(
			output,
		)
	)
		return new ClearError(
			`${title}: the package registry could not be reached. Check the network, the proxy and npm's registry setting, then run the command again.`,
		);
	const lastLine = output
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line && !/complete log|Unknown user config/.test(line))
		.at(-1);
	return new ClearError(
		`${title} did not succeed: ${lastLine ?? 'no output'} (all of it: ${logFile})`,
	);
}

/** @param {string} what */
function diskFull(what) {
	return new ClearError(`${what}: the disk is full. Free some space, then run the command again.`);
}

/**
 * Addresses of registries and proxies belong to the machine, not on the screen or in a log.
 * @param {string} text
 */
function withoutHosts(text) {
	return text
		.replace(/https?:\/\/[^\s/'")]+/g, '…')
		.replace(/(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|connect to)\s+[^\s,)]+/g, '$1');
}

/**
 * One line that is rewritten on a terminal, one line every ten seconds elsewhere.
 * @param {string} title
 */
function startProgress(title) {
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const onTerminal = process.stdout.isTTY;
	let last = '';
	const show = () => {
		const text = `${title} … ${seconds()} s${last ? `  ${last}` : ''}`;
		if (onTerminal)
			process.stdout.write(`\r\x1b[2K${text.slice(0, (process.stdout.columns ?? 80) - 1)}`);
		else console.log(text.slice(0, 160));
	};
	show();
	const timer = setInterval(show, onTerminal ? 500 : 10_000);
	return {
		/** @param {string} text what the program printed; the last line with words in it is shown */
		line(text) {
			last =
				text
					.split('\n')
					.filter((line) => /\w/.test(line) && !/^npm warn/i.test(line))
					.at(-1)
					?.trim() ?? last;
		},
		/** @param {boolean} succeeded */
		end(succeeded) {
			clearInterval(timer);
			if (onTerminal) process.stdout.write('\r\x1b[2K');
			if (succeeded) console.log(`${title}: done in ${seconds()} s`);
		},
	};
}

/**
 * A hash over files and folders, by path and content. What does not exist counts as absent.
 * @param {string[]} paths relative to the repository
 * @param {string} [salt]
 */
function hashOf(paths, salt = '') {
	const hash = createHash('sha256').update(salt);
	const add = (/** @type {string} */ path) => {
		const absolute = join(repository, path);
		let entries;
		try {
			entries = readdirSync(absolute).sort();
		} catch {
			if (existsSync(absolute)) hash.update(`\0${path}\0`).update(readFileSync(absolute));
			return;
		}
		for (const entry of entries) add(join(path, entry));
	};
	for (const path of paths) add(path);
	return hash.digest('hex');
}

/** @param {string} file */
function readStamp(file) {
	return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** @param {string} file @param {string} text */
function writeStamp(file, text) {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
}
