/**
 * The main job, on a machine with only Node and npm: installs, builds, starts the platform's sandbox and a real
 * n8n, imports "Call new leads and record the outcome", runs it, waits for every outcome, prints them.
 *
 * Ctrl-C at any moment: the next start goes on from there. When everything is there, no registry is asked.
 *
 *   npm start                          stays up until Ctrl-C
 *   npm start -- --once                ends after the table; exit code 1 when an outcome is missing
 *   npm start -- --port 5679 --sandbox-port 4011   (0 = any free port)
 *   npm start -- --state <folder>      n8n's data; default: a folder of the user's cache
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
	cacheFolder,
	ClearError,
	defaultVersion,
	ensureBuild,
	ensureHost,
	ensureNodeVersion,
	ensurePack,
	ensurePackage,
	exitWith,
} from '../tools/bootstrap.mjs';
import { assertPortFree } from '../tools/ports.mjs';
import { Progress } from '../tools/progress.mjs';

const steps = {
	tools: { title: 'Install the tools of this package', else: 'there already' },
	n8n: { title: 'Install n8n', else: 'there already' },
	build: { title: 'Build the nodes', else: 'up to date' },
	sandbox: { title: 'Start the sandbox' },
	start: { title: 'Start n8n' },
	import: { title: 'Import the example workflows' },
	run: { title: 'Call the leads' },
};

try {
	ensureNodeVersion();
	const options = readOptions();
	await assertPortFree(options.port, 'n8n', '--port');
	await assertPortFree(options.sandboxPort, 'the sandbox', '--sandbox-port');
	const progress = new Progress(steps);
	await progress.step('tools', () => ensurePackage(progress));
	// what follows needs the installed tools
	const { runDemo } = await import('../tools/demo.mjs');
	await progress.step('n8n', () => ensureHost(defaultVersion, progress));
	const tarball = await progress.step('build', async () => {
		await ensureBuild(progress);
		return await ensurePack(progress);
	});
	// not only the exit code: after an early Ctrl-C an n8n that is still starting has to go too
	process.exit(await runDemo({ ...options, tarball, progress }));
} catch (error) {
	exitWith(error);
}

function readOptions() {
	try {
		const { values } = parseArgs({
			options: {
				once: { type: 'boolean', default: false },
				port: { type: 'string', default: '5678' },
				'sandbox-port': { type: 'string', default: '4010' },
				state: { type: 'string', default: join(cacheFolder, 'demo') },
			},
		});
		return {
			once: values.once,
			port: portNumber(values.port),
			sandboxPort: portNumber(values['sandbox-port']),
			state: values.state,
		};
	} catch (error) {
		if (error instanceof ClearError) throw error;
		throw new ClearError(
			`${error.message.split('.')[0]}. Known options: --once, --port, --sandbox-port, --state.`,
		);
	}
}

/** @param {string} text */
function portNumber(text) {
	const port = Number(text);
	if (!Number.isInteger(port) || port < 0 || port > 65535)
		throw new ClearError(`"${text}" is not a port: a whole number from 0 to 65535 is needed.`);
	return port;
}
