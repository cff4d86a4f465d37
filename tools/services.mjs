/** Redis and PostgreSQL of this machine (Debian's packages), on free ports and in temporary folders. */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ClearError } from './bootstrap.mjs';
import { until } from './host-client.mjs';
import { address, freePort } from './ports.mjs';

const run = promisify(execFile);
const deadline = 60_000;

/** @param {number} port */
const answers = async (port) =>
	await new Promise((resolve) => {
		const socket = createConnection(port, address);
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
async function end(child, signal) {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = new Promise((resolve) => child.once('exit', resolve));
	child.kill(signal);
	await gone;
}

/** Debian's packages that are missing. */
async function missingServices() {
	const redis = await run('redis-server', ['--version']).catch(() => undefined);
	return [...(redis ? [] : ['redis-server']), ...((await postgresFolder()) ? [] : ['postgresql'])];
}

const canInstall = () => existsSync('/etc/debian_version') && process.getuid?.() === 0;

/** @returns {Promise<string | undefined>} what to do, where something is missing that cannot be installed here */
export async function withoutServices() {
	const missing = await missingServices();
	if (missing.length === 0 || canInstall()) return undefined;
	const what = missing.join(' and ');
	return `Queue mode needs ${what}. Install first: sudo apt-get install ${missing.join(' ')}`;
}

/** Installs what is missing, where that is allowed. @throws {ClearError} with what to do, elsewhere */
export async function ensureServices() {
	const advice = await withoutServices();
	if (advice) throw new ClearError(advice);
	const missing = await missingServices();
	if (missing.length === 0) return;
	await run('apt-get', ['update']);
	await run('apt-get', ['install', '-y', ...missing], {
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
	});
}

/** @returns the folder with PostgreSQL's programs, newest version first */
async function postgresFolder() {
	const versions = await readdir('/usr/lib/postgresql').catch(() => []);
	const newest = versions.map(Number).sort((a, b) => b - a)[0];
	return newest ? `/usr/lib/postgresql/${newest}/bin` : undefined;
}

/** @returns {Promise<{port: number, stop: () => Promise<void>}>} */
async function startRedis() {
	const folder = await mkdtemp(join(tmpdir(), 'queue-redis-'));
	const port = await freePort();
	const child = spawn(
		'redis-server',
		[
			'--port',
			String(port),
			'--bind',
			address,
			'--dir',
			folder,
			'--save',
			'',
			'--appendonly',
			'no',
		],
		{ stdio: 'ignore' },
	);
	process.once('exit', () => child.kill('SIGKILL'));
	await until('Redis to answer', async () => await answers(port), deadline);
	return {
		port,
		async stop() {
			await end(child, 'SIGTERM');
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** @returns {Promise<{port: number, stop: () => Promise<void>}>} */
async function startPostgres() {
	const folder = await mkdtemp(join(tmpdir(), 'queue-postgres-'));
	const programs = await postgresFolder();
	// PostgreSQL refuses to run as root.
	const root = process.getuid?.() === 0;
	const owner = root
		? {
				uid: Number((await run('id', ['-u', 'postgres'])).stdout),
				gid: Number((await run('id', ['-g', 'postgres'])).stdout),
			}
		: {};
	if (root)
		await chown(folder, /** @type {number} */ (owner.uid), /** @type {number} */ (owner.gid));
	const data = join(folder, 'data');
	await run(
		`${programs}/initdb`,
		['-D', data, '-U', 'n8n', '--auth=trust', '-E', 'UTF8', '--locale=C'],
		{ ...owner, cwd: folder },
	);
	const port = await freePort();
	const child = spawn(
		`${programs}/postgres`,
		[
			'-D',
			data,
			'-p',
			String(port),
			'-h',
			address,
			'-k',
			folder,
			'-c',
			'fsync=off',
			'-c',
			'max_connections=200',
		],
		{ ...owner, cwd: folder, stdio: 'ignore' },
	);
	process.once('exit', () => child.kill('SIGKILL'));
	await until(
		'PostgreSQL to answer',
		async () =>
			await run(`${programs}/pg_isready`, ['-h', address, '-p', String(port), '-U', 'n8n']).then(
				() => true,
				() => false,
			),
		deadline,
	);
	await run(`${programs}/createdb`, ['-h', address, '-p', String(port), '-U', 'n8n', 'n8n'], {
		...owner,
		cwd: folder,
	});
	return {
		port,
		async stop() {
			// SIGINT is PostgreSQL's fast shutdown
			await end(child, 'SIGINT');
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/**
 * Starts both.
 * @returns {Promise<{env: Record<string, string>, stop: () => Promise<void>}>} `env`: what
 * every n8n process needs to use them in queue mode
 */
export async function startServices() {
	await ensureServices();
	const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
	return {
		env: {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: address,
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: address,
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_DATABASE: 'n8n',
			DB_POSTGRESDB_USER: 'n8n',
			DB_POSTGRESDB_PASSWORD: 'n8n',
			// n8n's default of two connections per process is too few for ten executions at once
			DB_POSTGRESDB_POOL_SIZE: '10',
			N8N_ENCRYPTION_KEY: 'one-key-for-all-processes',
		},
		async stop() {
			await Promise.all([redis.stop(), postgres.stop()]);
		},
	};
}
