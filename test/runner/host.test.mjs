/** A real n8n does not outlive the process that started it; here a stand-in for n8n that only stays. */
import assert from '../asserted.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, describe, test } from 'node:test';
import { cacheFolder, defaultVersion, hostFolder, isAlive } from '../../tools/bootstrap.mjs';
import { until } from '../../tools/host-client.mjs';

const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

describe('what ends the process that started n8n', { concurrency: true }, () => {
	for (const [signal, code] of [
		['SIGTERM', 143],
		['SIGINT', 130],
		['SIGHUP', 129],
	])
		test(`${signal} ends n8n, too, and what n8n started`, async () => {
			const folder = mkdtempSync(join(tmpdir(), 'host-'));
			folders.push(folder);
			const cache = join(folder, 'cache');
			const inCache = relative(dirname(cacheFolder), hostFolder(defaultVersion));
			const program = join(cache, inCache, 'node_modules', 'n8n', 'bin');
			mkdirSync(program, { recursive: true });
			const pids = join(folder, 'pids');
			writeFileSync(
				join(program, 'n8n'),
				`const { spawn } = require('node:child_process');
			const runner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
			require('node:fs').writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + runner.pid + '\\n');`,
			);
			const host = new URL('../../tools/host.mjs', import.meta.url);
			const starting = `
			import { startHost } from ${JSON.stringify(host)};
			await startHost({ userFolder: ${JSON.stringify(join(folder, 'n8n'))}, node: process.execPath });
		`;
			const child = spawn(process.execPath, ['--input-type=module', '-e', starting], {
				env: { ...process.env, XDG_CACHE_HOME: cache },
			});
			const ended = once(child, 'exit');
			const read = () => (existsSync(pids) ? readFileSync(pids, 'utf8') : '');
			await until('n8n to be started', async () => read().endsWith('\n'), 20_000, 20);
			const started = read().split(' ').map(Number);
			assert.deepEqual(started.map(isAlive), [true, true]);
			child.kill(signal);
			assert.deepEqual(await ended, [code, null]);
			await until('both to be gone', async () => !started.some(isAlive), 20_000, 20);
		});
});
