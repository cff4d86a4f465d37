/**
 * Installing and building, for a machine with nothing but Node and npm.
 * Imports only what Node itself brings: it runs before anything is installed.
 * Every step leaves a stamp when it has ended, so that a second run does nothing in a moment, asks no registry, and
 * never believes what an interrupted one left.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Progress } from './progress.mjs';

const minimumNodeMajor = 20;
/** What n8n 2 and the tests run on. */
const hostNodeMajor = 24;
const hostDiskBytes = 2.5 * 1024 ** 3;
const onWindows = process.platform === 'win32';

/** Absolute path of the repository. */
export const repository = dirname(dirname(fileURLToPath(import.meta.url)));

/** The pnpm that installs this repository and its hosts. */
export const pnpmVersion = JSON.parse(
	fs.readFileSync(join(repository, 'package.json'), 'utf8'),
).packageManager.replace('pnpm@', '');

/** Where the hosts have their manifests and lockfiles. */
const pinnedHosts = join(repository, 'test', 'hosts');

/** Absolute path of the git-ignored folder for stamps, logs, tarballs and the demo's n8n. */
export const localFolder = join(repository, '.local');

/**
 * Absolute path of the folder for every n8n that is installed or started. It is outside the repository: below it, Node
 * would find the repository's own `node_modules` in a parent folder and hide an import that n8n lacks.
 */
export const cacheFolder = join(
	process.env.XDG_CACHE_HOME ||
		(onWindows && process.env.LOCALAPPDATA) ||
		join(homedir(), '.cache'),
	'n8n-nodes-agent-conversation-platform',
);

/**
 * Every n8n that the package claims to run in, oldest first, with the Node versions it is tried on. The README's range,
 * the pages and the tests read this list.
 * @type {Array<{version: string, node: number[]}>}
 */
export const hosts = JSON.parse(fs.readFileSync(join(pinnedHosts, 'versions.json'), 'utf8'));

/** The oldest n8n that the package runs in. */
export const oldestVersion = /** @type {{version: string}} */ (hosts.at(0)).version;

/** The first n8n 2. It publishes as n8n 1 does; later ones have a service for that. */
export const earlyVersion = String(hosts.find(({ version }) => version.startsWith('2.'))?.version);

/** The n8n of the demo and of every test that is not about another one; `n8n-core` of the tests belongs to it. */
export const defaultVersion = /** @type {{version: string}} */ (hosts.at(-1)).version;

/** A condition that the person at the terminal can act on: its message is the one line to print. */
export class ClearError extends Error {}

/** Ctrl-C before the work was done. */
export class Interrupted extends ClearError {
	constructor() {
		super('Stopped. Run the command again: it goes on from here.');
	}
}

/**
 * Ends the process after an error: one line for a `ClearError`, the stack for anything else.
 * @param {unknown} error
 */
export function exitWith(error) {
	console.error(error instanceof ClearError ? `✖ ${error.message}` : error);
	process.exit(error instanceof Interrupted ? 130 : 1);
}

/**
 * @param {string} [version] a Node version such as `v20.1.0`
 * @throws {ClearError} when it is too old for the scripts of this repository
 */
export function ensureNodeVersion(version = process.version) {
	if (majorOf(version) < minimumNodeMajor)
		throw new ClearError(
			`Node ${minimumNodeMajor} or newer is needed, this is ${version}. Install a newer Node and run the command again.`,
		);
}

const majorOf = (version) => Number(version.replace(/^v/, '').split('.')[0]);

/**
 * The Node 24 that an installed folder brings (npm package `node`), or this one where the package has none for the
 * platform.
 * @param {string} [folder] the repository (default) or a host folder
 * @returns {string} absolute path
 */
export function nodeBinary(folder = repository) {
	const brought = broughtNode(folder);
	return fs.existsSync(brought) || majorOf(process.version) < hostNodeMajor
		? brought
		: process.execPath;
}

function broughtNode(folder) {
	return join(folder, 'node_modules', 'node', 'bin', onWindows ? 'node.exe' : 'node');
}

/** Installs the repository's own development dependencies from the frozen lockfile. */
export async function ensurePackage(progress = new Progress()) {
	await installFrozen(repository, 'the development tools', { progress });
}

/**
 * Installs a real n8n of one exact version from its frozen lockfile.
 * @param {string} version e.g. `2.41.1`; its manifest and lockfile must exist
 * @param {Progress} [progress]
 * @returns {Promise<string>} the absolute path of the host folder
 */
export async function ensureHost(version, progress = new Progress()) {
	const manifests = manifestFolder(`n8n-${version}`);
	if (!fs.existsSync(join(manifests, 'pnpm-lock.yaml')))
		throw new ClearError(
			`There is no n8n ${version} here. Known versions: ${hosts.map((host) => host.version).join(', ')}.`,
		);
	const folder = await ensureOutside(manifests, `n8n ${version} (about 2 GB)`, {
		neededBytes: hostDiskBytes,
		// the one part that is compiled on the machine where no binary of it can be had
		proof: 'sqlite3',
		progress,
	});
	keepSqlite(join(folder, 'node_modules', 'sqlite3'));
	return folder;
}

/** Where one n8n leaves its compiled SQLite for the next ones, under the name that `prebuild-install` asks for. */
const prebuilds = join(cacheFolder, 'prebuilds');

function keepSqlite(folder) {
	const compiled = join('build', 'Release', 'node_sqlite3.node');
	if (!fs.existsSync(join(folder, compiled))) return;
	const { version, binary } = JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8'));
	const api = Math.max(...binary.napi_versions);
	const kept = join(prebuilds, `sqlite3-v${version}-napi-v${api}-${platform}.tar.gz`);
	if (fs.existsSync(kept)) return;
	fs.mkdirSync(prebuilds, { recursive: true });
	const made = `${kept}-${process.pid}`;
	if (spawnSync('tar', ['-czf', made, '-C', folder, compiled]).status === 0)
		fs.renameSync(made, kept);
}

/**
 * Installs the Node 20 of the host matrix: the oldest that a supported n8n runs on.
 * @returns {Promise<string>} absolute path of its binary
 */
export async function ensureNode20() {
	return broughtNode(await ensureOutside(manifestFolder('node-20'), 'Node 20'));
}

/**
 * Installs what a folder of manifests describes into a folder of the cache.
 * @param {string} manifests @param {string} what @param {Parameters<typeof installFrozen>[2]} [options]
 * @returns {Promise<string>} absolute path of the installed folder
 */
async function ensureOutside(manifests, what, options) {
	const folder = installedFolder(manifests);
	await installFrozen(folder, what, { ...options, manifests });
	return folder;
}

/**
 * @param {string} version
 * @returns {string} absolute path of the folder that this n8n is installed in, whether it is there yet or not
 */
export function hostFolder(version) {
	return installedFolder(manifestFolder(`n8n-${version}`));
}

/**
 * @param {string} name e.g. `n8n-2.41.1`
 * @returns {string} absolute path of its manifest and lockfile: in `test/hosts/`, or where `npm run newest` puts others
 */
export function manifestFolder(name) {
	const pinned = join(pinnedHosts, name);
	return fs.existsSync(pinned) ? pinned : join(localFolder, 'hosts', name);
}

const manifestFiles = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];

/** One folder for each content, so that checkouts with other lockfiles do not collide. @param {string} manifests */
function installedFolder(manifests) {
	const state = hashOf(manifestFiles.map((name) => join(manifests, name)));
	return join(cacheFolder, 'hosts', `${basename(manifests)}-${state.slice(0, 8)}`);
}

/**
 * Fills `dist/` when the sources or `dist/` differ from the last build: with what has changed, where that build is whole
 * and no source has come or gone.
 */
export async function ensureBuild(progress = new Progress()) {
	const namesIn = (folder) =>
		fs.readdirSync(join(repository, folder), { recursive: true }).sort().join();
	const state = () => [
		hashOf(buildSources),
		hashOf([], ['nodes', 'credentials'].map(namesIn).join()),
		hashOf(['dist']),
	];
	const stamp = join(localFolder, 'stamps', 'build');
	const isBuilt = () => readStamp(stamp) === state().join(' ');
	await alone(join(localFolder, 'build.lock'), progress, isBuilt, async () => {
		const [, names, dist] = readStamp(stamp)?.split(' ') ?? [];
		const [, namesNow, distNow] = state();
		const script = names === namesNow && dist === distNow ? 'compile' : 'build';
		await run('Building the nodes', ['npm', 'run', script], { cwd: repository, progress });
		writeStamp(stamp, state().join(' '));
	});
}

const buildSources = [
	'nodes',
	'credentials',
	'icons',
	'contract',
	'package.json',
	'tsconfig.json',
	'gulpfile.js',
	'tools/contract.cjs',
	'tools/operations.cjs',
	'tools/output-schemas.cjs',
];

/**
 * Packs what would be published.
 * @param {Progress} [progress]
 * @returns {Promise<string>} absolute path of the tarball
 */
export async function ensurePack(progress = new Progress()) {
	const folder = join(localFolder, 'pack');
	const stamp = join(localFolder, 'stamps', 'pack');
	const state = hashOf(['dist', 'package.json', 'README.md', 'LICENSE.md']);
	const packed = () => {
		const [stampedState, name] = (readStamp(stamp) ?? '').split('\n');
		return stampedState === state && fs.existsSync(join(folder, name)) && join(folder, name);
	};
	await alone(join(localFolder, 'pack.lock'), progress, packed, async () => {
		fs.rmSync(stamp, { force: true });
		fs.rmSync(folder, { recursive: true, force: true });
		fs.mkdirSync(folder, { recursive: true });
		const pack = ['npm', 'pack', '--pack-destination', folder];
		await run('Packing', pack, { cwd: repository, progress });
		const [name] = fs.readdirSync(folder).filter((file) => file.endsWith('.tgz'));
		if (!name) throw new Error('npm pack left no tarball');
		writeStamp(stamp, `${state}\n${name}`);
	});
	return String(packed());
}

/** Whether packages of Debian can be installed here. */
const canInstallDebian = () => fs.existsSync('/etc/debian_version') && process.getuid?.() === 0;

/** Whether they may: a program that tests does not change a person's system unless it is asked to. */
export const mayInstallDebian = () =>
	Boolean(process.env.CI || process.env.INSTALL_DEBIAN) && canInstallDebian();

/** @param {string[]} packages @returns how a person gets them */
export const howToInstall = (packages) =>
	canInstallDebian()
		? `npm test -- --install, or apt-get install ${packages.join(' ')}`
		: `sudo apt-get install ${packages.join(' ')}`;

export async function installDebian(packages) {
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const apt = promisify(execFile);
	await apt('apt-get', ['update']).catch(() => {});
	await apt('apt-get', ['install', '-y', '--no-install-recommends', ...packages], {
		env,
		maxBuffer: 64 * 1024 ** 2,
	});
}

/** Waits for no answer, and no more than a minute without a network; compiles SQLite in half the time. */
const installEnvironment = () => ({
	CFLAGS: '-O1',
	CXXFLAGS: '-O0',
	...process.env,
	CI: 'true',
	npm_config_fetch_retries: '4',
	npm_config_fetch_retry_factor: '2',
	npm_config_fetch_retry_mintimeout: '1000',
	npm_config_sqlite3_local_prebuilds: prebuilds,
});

/**
 * Gets pnpm into a folder of the cache. `npx` would do the same in a folder of the person, and goes on using what an
 * interrupted download left there.
 * @param {Progress} [progress]
 * @returns {Promise<string>} absolute path of the program
 */
export async function ensurePnpm(progress = new Progress()) {
	const folder = join(cacheFolder, `pnpm-${pnpmVersion}`);
	const program = join(folder, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
	await alone(
		`${folder}.lock`,
		progress,
		() => fs.existsSync(program),
		async () => {
			const unfinished = fs.mkdtempSync(`${folder}-`);
			const install = ['npm', 'install', '--prefix', unfinished, '--no-save', '--ignore-scripts'];
			await run(
				'Getting pnpm',
				[...install, '--no-audit', '--no-fund', '--prefer-offline', `pnpm@${pnpmVersion}`],
				{ cwd: unfinished, env: installEnvironment(), progress },
			);
			fs.rmSync(folder, { recursive: true, force: true });
			fs.renameSync(unfinished, folder);
		},
	);
	return program;
}

/**
 * @param {string} folder a pnpm workspace root
 * @param {string} what for people
 * @param {{manifests?: string, neededBytes?: number, proof?: string, progress?: Progress}} [options]
 *   `manifests`: the folder that the manifests are copied from, default: `folder` has them; `neededBytes`: free disk
 *   space below which it is not even tried; `proof`: a module that must load afterwards
 */
async function installFrozen(
	folder,
	what,
	{ manifests = folder, neededBytes = 0, proof, progress = new Progress() } = {},
) {
	const state = hashOf(
		manifestFiles.map((name) => join(manifests, name)),
		pnpmVersion,
	);
	const modules = join(folder, 'node_modules');
	const stamp = join(modules, '.installed-from');
	const lock = manifests === folder ? join(localFolder, 'install.lock') : `${folder}.lock`;
	const isThere = () => readStamp(stamp) === state;
	await alone(lock, progress, isThere, async () => {
		fs.mkdirSync(folder, { recursive: true });
		// Not before: other processes may run what is installed.
		if (manifests !== folder)
			for (const name of manifestFiles) fs.copyFileSync(join(manifests, name), join(folder, name));
		const { bavail, bsize } = fs.statfsSync(folder);
		if (bavail * bsize < neededBytes) throw diskFull(what);
		fs.rmSync(stamp, { force: true });
		// pnpm writes this file last
		if (!fs.existsSync(join(modules, '.modules.yaml')))
			fs.rmSync(modules, { recursive: true, force: true });
		await pnpmInstall(folder, what, progress);
		if (!works(folder, proof)) {
			for (const one of [modules, prebuilds]) fs.rmSync(one, { recursive: true, force: true });
			await pnpmInstall(folder, what, progress);
			if (!works(folder, proof))
				throw new ClearError(
					`Installing ${what} left something that does not run. Run the command again; the logs are in .local/logs.`,
				);
		}
		writeStamp(stamp, state);
	});
}

/**
 * Whether what was installed runs on this platform.
 * @param {string} folder
 * @param {string} [module] one with compiled parts; without, Node alone is tried
 * @param {string} [node] absolute path of the Node to try
 */
export function works(folder, module, node = nodeBinary(folder)) {
	const code = module ? `require(${JSON.stringify(module)})` : '';
	return spawnSync(node, ['-e', code], { cwd: folder, stdio: 'ignore' }).status === 0;
}

async function pnpmInstall(folder, what, progress) {
	const pnpm = await ensurePnpm(progress);
	const install = ['install', '--frozen-lockfile', '--reporter=append-only'];
	const title = `Installing ${what}`;
	const options = {
		cwd: folder,
		env: installEnvironment(),
		watch: watchInstall(progress),
		progress,
	};
	try {
		await run(title, [process.execPath, pnpm, ...install], options);
	} catch (error) {
		if (!(error instanceof NoNodeError)) throw error;
		if (majorOf(process.version) < hostNodeMajor) throw error;
		progress.tell(
			`The registry has no Node for ${platform}: this one, ${process.version}, is used.`,
		);
		await run(title, [process.execPath, pnpm, ...install, '--ignore-scripts'], options);
		await run(title, [process.execPath, pnpm, 'rebuild', 'sqlite3'], options);
	}
}

const platform = `${process.platform}-${process.arch}`;

/** The npm package `node` gets a binary for the platform from a package of its own, which may lack a version. */
class NoNodeError extends ClearError {
	constructor() {
		super(
			`The registry has no Node ${hostNodeMajor} for ${platform}. Install Node ${hostNodeMajor} yourself, then run the command again.`,
		);
	}
}

/**
 * Reads pnpm's lines: how many packages are there, and whether something is compiled.
 * @param {Progress} progress
 */
export function watchInstall(progress) {
	let packages = 0;
	let compiles = false;
	return (line) => {
		packages = Number(/^Packages: \+(\d+)/.exec(line)?.[1] ?? packages);
		const [, reused, downloaded, added] =
			/^Progress: .*\breused (\d+), downloaded (\d+), added (\d+)/.exec(line)?.map(Number) ?? [];
		if (added !== undefined && packages > 0) {
			const fetched = reused + downloaded;
			progress.say(`${fetched} of ${packages} packages fetched, ${added} in place`);
		}
		if (compiles || !/\bgyp info/.test(line)) return;
		compiles = true;
		progress.say('compiling SQLite');
		progress.tell(
			`Compiles parts of n8n, which takes minutes: no binary of SQLite for ${platform} could be had.`,
		);
	};
}

/**
 * Runs a program. What it prints goes to a log in `.local/logs`; the last line is shown, unless `watch` tells better.
 * @param {string} title what a person reads
 * @param {string[]} command
 * @param {{cwd: string, env?: NodeJS.ProcessEnv, progress: Progress, watch?: (line: string) => void}} options
 * @throws {ClearError} one line that says what to do, when the program fails
 */
async function run(title, [program, ...parameters], { progress, watch, ...options }) {
	const name = title
		.replace(/ \(.*/, '')
		.toLowerCase()
		.replace(/[^a-z0-9.]+/g, '-');
	const logFile = join(localFolder, 'logs', `${name}.log`);
	fs.mkdirSync(dirname(logFile), { recursive: true });
	const log = fs.createWriteStream(logFile);
	let tail = '';
	let stopped = false;
	await progress.work(title, async () => {
		// npm is a script on Windows and needs the shell there; elsewhere a group of its own, so that nothing of it goes
		// on writing when we end
		const child = spawn(program, parameters, {
			...options,
			...(onWindows ? { shell: program === 'npm' } : { detached: true }),
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const stop = () => {
			stopped = true;
			signalGroup(child, 'SIGKILL');
		};
		const ends = [...interruptions, 'exit'];
		for (const end of ends) process.on(end, stop);
		for (const input of [child.stdout, child.stderr])
			createInterface({ input }).on('line', (text) => {
				const line = withoutHosts(text).trim();
				log.write(`${line}\n`);
				tail = `${tail}${line}\n`.slice(-8000);
				if (watch) watch(line);
				else if (/\w/.test(line) && !/^npm warn/i.test(line)) progress.say(line);
			});
		const code = await new Promise((resolve, reject) => {
			child.on('error', reject);
			child.on('close', resolve);
		});
		for (const end of ends) process.removeListener(end, stop);
		log.end();
		if (stopped) throw new Interrupted();
		if (code !== 0) throw explainFailure(title, tail, relative(repository, logFile));
	});
}

/** What ends a program from outside. */
export const interruptions = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Sends a signal to a program that leads a group (`detached`), and to all that it started.
 * @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal
 */
export function signalGroup(child, signal) {
	try {
		process.kill(-Number(child.pid), signal);
	} catch {
		// nobody of the group is left, or no groups on this system
		child.kill(signal);
	}
}

/**
 * @param {string} title
 * @param {string} output the end of what the program printed
 * @param {string} logFile relative to the repository
 */
function explainFailure(title, output, logFile) {
	if (/ENOSPC|no space left/i.test(output)) return diskFull(title);
	if (/\bno matching version found for node-|404 .*\bnode-(bin-)?(darwin|linux|win)/i.test(output))
		return new NoNodeError();
	if (/gyp ERR!/.test(output))
		return new ClearError(
			`${title}: SQLite has to be compiled here, and that did not succeed. Install Python 3, make and a C++ compiler (Debian: apt-get install python3 make g++; macOS: xcode-select --install), then run the command again (all of it: ${logFile}).`,
		);
	if (
		/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL/.test(
			output,
		)
	)
		return new ClearError(
			`${title}: the package registry could not be reached. Check the network, the proxy and npm's registry setting, then run the command again.`,
		);
	const lines = output
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line && !/complete log|Unknown user config/.test(line));
	// pnpm says first what happened, and then what else one may want to know
	const lastLine = lines.findLast((line) => /^ERR_/.test(line)) ?? lines.at(-1);
	return new ClearError(
		`${title} did not succeed: ${lastLine ?? 'no output'} (all of it: ${logFile})`,
	);
}

function diskFull(what) {
	return new ClearError(`${what}: the disk is full. Free some space, then run the command again.`);
}

/** Addresses of registries and proxies belong to the machine, not on the screen or in a log. */
function withoutHosts(text) {
	return text
		.replace(/https?:\/\/[^\s/'")]+/g, '…')
		.replace(/(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|connect to)\s+[^\s,)]+/g, '$1');
}

/**
 * A hash over files and folders, by path and content. What does not exist counts as absent.
 * @param {string[]} paths relative to the repository, or absolute: then only the name counts as path
 * @param {string} [salt]
 */
export function hashOf(paths, salt = '') {
	const hash = createHash('sha256').update(salt);
	const add = (path) => {
		const absolute = resolve(repository, path);
		const name = isAbsolute(path) ? basename(path) : path;
		let entries;
		try {
			entries = fs.readdirSync(absolute).sort();
		} catch {
			if (fs.existsSync(absolute)) hash.update(`\0${name}\0`).update(fs.readFileSync(absolute));
			return;
		}
		for (const entry of entries) add(join(path, entry));
	};
	for (const path of paths) add(path);
	return hash.digest('hex');
}

/**
 * Does work that is not done yet; two that do it at once, in one clone or for one cache, would write over each other.
 * The lock is a folder that holds a file named after the process: it gets its place in one step, and of a process that
 * was killed only its own file is removed, so that nobody's lock is taken but that one's.
 * @param {string} lock @param {Progress} progress
 * @param {() => unknown} isDone asked again when the lock is there: another process may have done it
 * @param {() => Promise<void>} work
 */
async function alone(lock, progress, isDone, work) {
	if (isDone()) return;
	fs.mkdirSync(dirname(lock), { recursive: true });
	const mine = fs.mkdtempSync(`${lock}-`);
	fs.writeFileSync(join(mine, String(process.pid)), '');
	for (let told = false; !takesPlace(mine, lock); told = true) {
		if (!told) progress.tell(`Another process works in ${dirname(lock)}: waiting for it.`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	try {
		if (!isDone()) await work();
	} finally {
		freed(lock, process.pid);
	}
}

/** Moves a folder where no other one is, or one that a process left behind. @param {string} mine @param {string} lock */
function takesPlace(mine, lock) {
	try {
		const [owner] = fs.readdirSync(lock);
		if (!isAlive(Number(owner))) freed(lock, owner);
	} catch {
		// It is free.
	}
	try {
		fs.renameSync(mine, lock);
		return true;
	} catch (error) {
		if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) throw error;
		return false;
	}
}

/** @param {string} lock @param {number | string} owner whose it is no longer */
function freed(lock, owner) {
	fs.rmSync(join(lock, String(owner)), { force: true });
	try {
		fs.rmdirSync(lock);
	} catch {
		// It is another's already, or gone.
	}
}

/** Whether a process runs, also one of another user. @param {number} pid */
export function isAlive(pid) {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error.code === 'EPERM';
	}
}

function readStamp(file) {
	return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}

function writeStamp(file, text) {
	fs.mkdirSync(dirname(file), { recursive: true });
	// In one step: another process may read it now, and would take half of it for another state.
	const unfinished = `${file}.${process.pid}`;
	fs.writeFileSync(unfinished, text);
	fs.renameSync(unfinished, file);
}
