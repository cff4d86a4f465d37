/** Redis and PostgreSQL of this machine (Debian's packages), on free ports and in temporary folders. */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ClearError, howToInstall, installDebian, mayInstallDebian } from './bootstrap.mjs';
import { until } from './host-client.mjs';
import { address, freePort } from './ports.mjs';

const run = promisify(execFile);
const deadline = 60_000;
const succeeds = async (work) =>
	await work.then(
		() => true,
		() => false,
	);

/** Debian's packages that are missing. */
async function missingServices() {
	const redis = await succeeds(run('redis-server', ['--version']));
	return [...(redis ? [] : ['redis-server']), ...((await postgresFolder()) ? [] : ['postgresql'])];
}

/** @returns {Promise<string | undefined>} what to do, where something is missing that cannot be installed here */
export async function withoutServices() {
	const missing = await missingServices();
	return missing.length === 0 || mayInstallDebian()
		? undefined
		: `Queue mode needs ${missing.join(' and ')}. Install first: ${howToInstall(missing)}`;
}

/** Installs what is missing, where that is allowed. @throws {ClearError} with what to do, elsewhere */
export async function ensureServices() {
	const advice = await withoutServices();
	if (advice) throw new ClearError(advice);
	const missing = await missingServices();
	if (missing.length > 0) await installDebian(missing);
}

/** @returns the folder with PostgreSQL's programs, newest version first */
async function postgresFolder() {
	const versions = await readdir('/usr/lib/postgresql').catch(() => []);
	const newest = versions.map(Number).sort((a, b) => b - a)[0];
	return newest ? `/usr/lib/postgresql/${newest}/bin` : undefined;
}

/**
 * @param {string} program
 * @param {string[]} options
 * @param {{signal: NodeJS.Signals, ready: () => Promise<boolean>, folder: string, owner?: {uid: number, gid: number}}}
 *   how `signal`: what ends it in an orderly way; `folder`: its own, gone with it
 */
async function startServer(program, options, { signal, ready, folder, owner }) {
	const child = spawn(program, options, { ...owner, cwd: folder, stdio: 'ignore' });
	const endWithUs = () => child.kill('SIGKILL');
	process.once('exit', endWithUs);
	await until(`${program} to answer`, ready, deadline);
	return async () => {
		const gone = new Promise((resolve) => child.once('exit', resolve));
		if (child.exitCode === null && child.kill(signal)) await gone;
		process.removeListener('exit', endWithUs);
		await rm(folder, { recursive: true, force: true });
	};
}

const listens = async (port) =>
	await new Promise((resolve) => {
		const socket = createConnection(port, address);
		socket.once('connect', () => resolve(Boolean(socket.destroy())));
		socket.once('error', () => resolve(false));
	});

async function startRedis() {
	const folder = await mkdtemp(join(tmpdir(), 'queue-redis-'));
	const port = await freePort();
	const options = ['--port', String(port), '--bind', address, '--dir', folder];
	const stop = await startServer('redis-server', [...options, '--save', '', '--appendonly', 'no'], {
		signal: 'SIGTERM',
		ready: async () => await listens(port),
		folder,
	});
	return { port, stop };
}

async function startPostgres() {
	const folder = await mkdtemp(join(tmpdir(), 'queue-postgres-'));
	const programs = await postgresFolder();
	const idOf = async (kind) => Number((await run('id', [kind, 'postgres'])).stdout);
	// PostgreSQL refuses to run as root.
	const owner =
		process.getuid?.() === 0 ? { uid: await idOf('-u'), gid: await idOf('-g') } : undefined;
	if (owner) await chown(folder, owner.uid, owner.gid);
	const data = join(folder, 'data');
	const tool = async (name, /** @type {string[]} */ ...options) =>
		await run(`${programs}/${name}`, options, { ...owner, cwd: folder });
	await tool('initdb', '-D', data, '-U', 'n8n', '--auth=trust', '-E', 'UTF8', '--locale=C');
	const port = await freePort();
	const there = ['-h', address, '-p', String(port)];
	const stop = await startServer(
		`${programs}/postgres`,
		['-D', data, ...there, '-k', folder, '-c', 'fsync=off', '-c', 'max_connections=400'],
		{
			// PostgreSQL's fast shutdown
			signal: 'SIGINT',
			ready: async () => await succeeds(tool('pg_isready', ...there, '-U', 'n8n')),
			folder,
			owner,
		},
	);
	await tool('createdb', ...there, '-U', 'n8n', 'n8n');
	return { port, stop };
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
			// n8n's default of two connections per process is too few for fifty events and ten rows at once
			DB_POSTGRESDB_POOL_SIZE: '60',
			// On a busy machine a ping takes more than n8n's five seconds. After three such pings n8n drops its connections,
			// and does not come back for minutes.
			DB_PING_TIMEOUT_MS: '120000',
			N8N_ENCRYPTION_KEY: 'one-key-for-all-processes',
		},
		async stop() {
			await Promise.all([redis.stop(), postgres.stop()]);
		},
	};
}
