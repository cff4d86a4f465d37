/**
 * A real n8n server in a process of its own, with the pack installed the way a user gets it.
 * Needs the development tools (see bootstrap.mjs): import it after `ensurePackage()`.
 */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import { promisify } from 'node:util';
import lodash from 'lodash';
import {
	cacheFolder,
	ClearError,
	defaultVersion,
	hostFolder,
	interruptions,
	nodeBinary,
	repository,
	signalGroup,
	works,
} from './bootstrap.mjs';
import { HostClient, until } from './host-client.mjs';
import { address, assertPortFree, freePort } from './ports.mjs';

export { defaultVersion };

const packName = 'n8n-nodes-agent-conversation-platform';
/** Those that compute most while they start. */
const optionalModules = ['agent-evals', 'agents', 'chat-hub', 'instance-ai', 'mcp', 'otel'];
const startDeadline = 180_000;
const stopDeadline = 30_000;

// n8n is in a group of its own: what ends us does not end it, but for our exit (see `start`).
for (const signal of interruptions)
	process.on(signal, () => {
		if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
	});

/**
 * @typedef {{
 *   userFolder: string,              n8n's user folder; n8n's own things go to `.n8n` in it
 *   version?: string,                a version with a folder in `test/hosts/`, installed
 *   port?: number,                   0 (default) = any free port
 *   tarball?: string,                the packed pack; without: what the user folder holds already
 *   env?: Record<string, string>,    further environment for n8n
 *   node?: string,                   another Node binary; default: the Node 24 of the host folder
 *   workingFolder?: string,          n8n's working folder (relative file paths in workflows); default: the user folder
 *   command?: string[],              default `['start']`; e.g. `['worker']`
 *   password?: string,               of the owner; default: that of all tests
 *   bare?: boolean,                  without editor, Code nodes and optional modules: half the computing of a start
 * }} HostOptions
 */

/**
 * Starts n8n, waits until it answers, and logs in as the owner (made on the first start).
 * @param {HostOptions} options
 * @returns {Promise<Host>}
 * @throws {ClearError} when the port is taken, or when the user folder is below the repository
 * @throws {Error} with the end of n8n's output, when it ends instead of starting or has not loaded the whole pack
 */
export async function startHost(options) {
	await mkdir(options.userFolder, { recursive: true });
	const userFolder = await realpath(options.userFolder);
	for (const folder of [userFolder, hostFolder(options.version ?? defaultVersion)])
		assertOutside(folder);
	if (options.tarball) await installPack(options.tarball, userFolder);
	const port = options.port || (await freePort());
	const host = new Host({ ...options, userFolder, port });
	await host.start();
	if (options.tarball && !options.bare) await assertLoaded(host);
	return host;
}

/** Below the repository Node looks for modules in the repository's own `node_modules`, which people do not have. */
function assertOutside(folder) {
	const path = relative(repository, folder);
	if (path.startsWith('..') || isAbsolute(path)) return;
	throw new ClearError(`n8n must be outside the repository: choose another folder than ${path}.`);
}

/** n8n starts without what it cannot load, and says so in its log alone. */
async function assertLoaded(host) {
	const missing = await host.missingOfPack();
	if (missing.length === 0) return;
	const said = host
		.logs()
		.split('\n')
		.filter((line) => /cannot find module|failed to load|unrecognized/i.test(line));
	await host.kill();
	throw new Error(
		`n8n ${host.version} has not loaded ${missing.join(', ')}:\n${said.slice(0, 10).join('\n')}`,
	);
}

/** A running n8n: everything of `HostClient`, and the process. */
export class Host extends HostClient {
	/** @param {HostOptions & {port: number}} options */
	constructor(options) {
		super(`http://${address}:${options.port}`, options.password);
		this.options = options;
		this.version = options.version ?? defaultVersion;
		this.userFolder = options.userFolder;
		this.port = options.port;
		/** @type {import('node:child_process').ChildProcess | undefined} */
		this.process = undefined;
		this.output = '';
	}

	/** Starts the process (again) and returns when n8n has started its workflows and the owner is logged in. */
	async start() {
		await assertPortFree(this.port, 'n8n');
		const log = createWriteStream(join(this.userFolder, 'n8n.log'), { flags: 'a' });
		const { node, program, options } = await this.#program();
		// Less collecting of garbage while it starts.
		const flags = ['--max-semi-space-size=64'];
		const child = spawn(node, [...flags, program, ...(this.options.command ?? ['start'])], {
			...options,
			stdio: ['ignore', 'pipe', 'pipe'],
			// a group of its own: kill() reaches n8n's task runner as well
			detached: true,
		});
		this.process = child;
		// Workers and webhook processors look after no workflows.
		let hasStarted = this.options.command !== undefined;
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding('utf8').on('data', (chunk) => {
				this.output = (this.output + chunk).slice(-1_000_000);
				hasStarted ||= /Editor is now accessible/.test(this.output.slice(-chunk.length - 100));
				log.write(chunk);
			});
		const killWithUs = () => this.signalGroup('SIGKILL');
		process.once('exit', killWithUs);
		child.once('close', () => {
			process.removeListener('exit', killWithUs);
			log.end();
		});
		await until(
			`n8n ${this.version} to answer`,
			async () => {
				if (!this.running)
					throw new Error(`n8n ${this.version} ended while starting:\n${this.logs().slice(-2000)}`);
				// n8n 1.x answers before it has looked after its published workflows, and says when it is done.
				return hasStarted && (await this.isReady());
			},
			startDeadline,
		);
		if (!this.cookie) await this.loginAsOwner();
	}

	/** Whether the process is alive. */
	get running() {
		return this.process?.exitCode === null && this.process.signalCode === null;
	}

	/** @returns {string} what n8n printed (the last megabyte) */
	logs() {
		return this.output;
	}

	/**
	 * Ends the process and what it started, at once, and waits until it is gone.
	 * @param {NodeJS.Signals} [signal]
	 */
	async kill(signal = 'SIGKILL') {
		this.signalGroup(signal);
		await until(`n8n to end after ${signal}`, async () => !this.running, stopDeadline, 20);
	}

	/** Ends n8n the way a service manager does; kills it when it does not end. */
	async stop() {
		if (!this.running) return;
		this.process?.kill('SIGTERM');
		await until('n8n to stop', async () => !this.running, stopDeadline, 50).catch((error) =>
			console.error(`${error.message}; it is killed`),
		);
		await this.kill();
	}

	/** @param {{kill?: boolean}} [options] `kill`: as after a crash */
	async restart({ kill = false } = {}) {
		await (kill ? this.kill() : this.stop());
		await this.start();
	}

	signalGroup(signal) {
		if (this.process?.pid) signalGroup(this.process, signal);
	}

	/**
	 * Runs another of n8n's commands on the same user folder, e.g. `export:workflow`.
	 * @param {string[]} words
	 * @returns {Promise<string>} what it printed
	 * @throws {Error} when it fails
	 */
	async command(...words) {
		const { node, program, options } = await this.#program();
		const limited = { ...options, timeout: startDeadline };
		return (await promisify(execFile)(node, [program, ...words], limited)).stdout;
	}

	/** n8n's command line, and where and with what it runs. */
	async #program() {
		const folder = hostFolder(this.version);
		const node = this.options.node ?? nodeBinary(folder);
		const cwd = this.options.workingFolder ?? this.userFolder;
		const env = { ...cleanEnvironment(node), ...(await this.environment()), ...this.options.env };
		const program = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
		return { node, program, options: { cwd, env } };
	}

	/** @returns {Promise<string[]>} node and credential types that the installed pack announces and n8n has not loaded */
	async missingOfPack() {
		const folder = join(this.userFolder, '.n8n', 'nodes', 'node_modules', packName);
		const { n8n: announced } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
		const nameOf = (file) => lowerFirst(basename(file).replace(/\.(node|credentials)\.js$/, ''));
		const nodes = new Set((await this.nodeTypes()).map(({ name }) => name));
		const credentials = await this.request('GET', '/types/credentials.json');
		const loaded = new Set(credentials.map(({ name }) => name));
		return [
			...announced.nodes.map(nameOf).filter((name) => !nodes.has(`${packName}.${name}`)),
			...announced.credentials.map(nameOf).filter((name) => !loaded.has(name)),
		];
	}

	/** Older versions refuse to start with a module that they do not know. @param {string} name */
	hasModule(name) {
		const n8n = join(hostFolder(this.version), 'node_modules', 'n8n');
		return existsSync(join(n8n, 'dist', 'modules', name));
	}

	async environment() {
		const { bare } = this.options;
		const unused = ['mcp-registry', ...(bare ? optionalModules : [])];
		return {
			N8N_USER_FOLDER: this.userFolder,
			N8N_PORT: String(this.port),
			N8N_LISTEN_ADDRESS: address,
			N8N_HOST: address,
			WEBHOOK_URL: `${this.url}/`,
			N8N_EDITOR_BASE_URL: `${this.url}/`,
			N8N_SECURE_COOKIE: 'false',
			// as in n8n's Docker image: without it, the editor asks anew for its 550 files each time it is opened
			NODE_ENV: 'production',
			// what one n8n has compiled, the next one reads: a second less for each start
			NODE_COMPILE_CACHE: join(cacheFolder, 'compile-cache'),
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			// nothing that reaches out to the internet, nothing that asks who one is
			N8N_DIAGNOSTICS_ENABLED: 'false',
			N8N_PERSONALIZATION_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
			N8N_TEMPLATES_ENABLED: 'false',
			N8N_DYNAMIC_BANNERS_ENABLED: 'false',
			N8N_HIRING_BANNER_ENABLED: 'false',
			N8N_VERIFIED_PACKAGES_ENABLED: 'false',
			// n8n ends at the start when its default engine for expressions does not load
			...(!loadsIsolates(this.version, this.options.node) && { N8N_EXPRESSION_ENGINE: 'legacy' }),
			N8N_DISABLED_MODULES: unused.filter((name) => this.hasModule(name)).join(','),
			// Code nodes would wait for a runner that another program starts.
			...(bare && {
				N8N_DISABLE_UI: 'true',
				N8N_RUNNERS_MODE: 'external',
				N8N_RUNNERS_AUTH_TOKEN: randomUUID(),
			}),
		};
	}
}

/** Tried once for each. */
const loadsIsolates = lodash.memoize(
	(version, node) => works(hostFolder(version), 'isolated-vm', node),
	(version, node) => `${version} ${node}`,
);

const lowerFirst = (text) => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * The environment without what is meant for another n8n or for the package manager that started us, and without what
 * leads to the modules of this repository: `node_modules/.bin/node` exports a NODE_PATH with them.
 * @param {string} node its folder comes first on the path, for the processes that n8n starts
 */
function cleanEnvironment(node) {
	/** @type {Record<string, string | undefined>} */
	const environment = {};
	for (const [name, value] of Object.entries(process.env))
		if (
			!/^(n8n_|npm_|db_|executions_|queue_|webhook_url$|node_options$|node_path$|node_test|node_channel)/i.test(
				name,
			)
		)
			environment[name] = value;
	const folders = (process.env.PATH ?? '').split(delimiter);
	const others = folders.filter((path) => !path.startsWith(join(repository, 'node_modules')));
	environment.PATH = [dirname(node), ...others].join(delimiter);
	return environment;
}

/**
 * Puts the pack where n8n's own installer puts it: unpacked below `.n8n/nodes/node_modules`, development and
 * peer dependencies stripped from its package.json, a line in `.n8n/nodes/package.json`.
 * @param {string} tarball from `npm pack`
 * @param {string} userFolder
 */
export async function installPack(tarball, userFolder) {
	const nodes = join(userFolder, '.n8n', 'nodes');
	const staging = join(nodes, '.unpacked');
	await rm(staging, { recursive: true, force: true });
	await mkdir(staging, { recursive: true });
	await promisify(execFile)('tar', ['-xzf', tarball, '-C', staging, '--strip-components=1']);
	const { devDependencies, peerDependencies, optionalDependencies, ...manifest } = JSON.parse(
		await readFile(join(staging, 'package.json'), 'utf8'),
	);
	if (Object.keys(manifest.dependencies ?? {}).length > 0)
		throw new Error(`${manifest.name} has runtime dependencies: they would not be installed here`);
	await writeFile(join(staging, 'package.json'), JSON.stringify(manifest, null, 2));
	const target = join(nodes, 'node_modules', manifest.name);
	await rm(target, { recursive: true, force: true });
	await mkdir(dirname(target), { recursive: true });
	await rename(staging, target);
	const dependencies = { [manifest.name]: manifest.version };
	const installed = { name: 'installed-nodes', private: true, dependencies };
	await writeFile(join(nodes, 'package.json'), JSON.stringify(installed, null, 2));
}
