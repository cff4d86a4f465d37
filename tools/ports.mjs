/** Ports of this machine. Imports only what Node itself brings: it runs before anything is installed. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClearError } from './bootstrap.mjs';

/** Everything that this repository starts listens here only. */
export const address = '127.0.0.1';

const firstOfOurs = 20_000;
/**
 * From here on engines of the tests keep theirs, and from 32,768 systems choose (macOS and Windows: 49,152): one of
 * those that is free now may be taken before it is used.
 */
const firstOfEngines = 24_000;

/** A server that is down for a moment needs its port again. */
const given = new Set();

/** n8n listens seconds after it got its port; another process must not choose the same meanwhile. */
const claimOf = (/** @type {number} */ port) => join(tmpdir(), `n8n-port-${port}`);
process.once('exit', () => given.forEach((port) => rmSync(claimOf(port), { force: true })));

/** @throws EEXIST if another process has chosen it, in the last hour: one that was killed leaves its claims */
function claim(port) {
	const { mtimeMs = 0 } = statSync(claimOf(port), { throwIfNoEntry: false }) ?? {};
	writeFileSync(claimOf(port), '', { flag: Date.now() - mtimeMs > 3_600_000 ? 'w' : 'wx' });
}

/**
 * @returns {Promise<number>} a port that was free a moment ago, and that nobody gets who did not ask for it by number
 */
export async function freePort() {
	for (;;) {
		const port = randomInt(firstOfOurs, firstOfEngines);
		if (given.has(port)) continue;
		try {
			claim(port);
			given.add(port);
			await listenBriefly(port);
			return port;
		} catch (error) {
			if (!['EADDRINUSE', 'EACCES', 'EEXIST'].includes(error.code)) throw error;
		}
	}
}

/**
 * @param {number} port 0 is always free
 * @param {string} who for the message
 * @param {string} [option] the option that chooses another port
 * @throws {ClearError} when something listens there already, or only an administrator may
 */
export async function assertPortFree(port, who, option) {
	try {
		await listenBriefly(port);
	} catch (error) {
		if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
		throw new ClearError(
			`Port ${port} for ${who} is taken. End what uses it${option ? `, or choose another one with ${option}` : ''}.`,
		);
	}
}

async function listenBriefly(port) {
	const server = createServer();
	await once(server.listen(port, address), 'listening');
	await once(server.close(), 'close');
}

/** Has a server listen on any port that is free. @param {import('node:net').Server} server @returns {Promise<string>} its URL */
export async function listening(server) {
	await once(server.listen(0, address), 'listening');
	return `http://${address}:${server.address().port}`;
}
