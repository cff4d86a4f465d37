// The platform on this machine: `node sandbox/main.mjs [--port 0] [--seed <number>] [--settings '<json>'] [--human]
// [--container <name>]`.
// Prints one line of JSON when it listens: url, token, userToken, page, pid. SIGTERM ends it.
import { parseArgs } from 'node:util';
import { merged } from './settings.mjs';

const { openSandbox, readContract } = await import('./open.mjs').catch((error) => {
	if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
	process.stderr.write(
		`The sandbox needs its libraries: run "npm install" or "npm start" once. (${error.message})\n`,
	);
	process.exit(1);
});

const values = readOptions();

function readOptions() {
	try {
		return parseArgs({
			options: {
				port: { type: 'string', default: '0' },
				host: { type: 'string', default: '127.0.0.1' },
				seed: { type: 'string' },
				settings: { type: 'string', default: '{}' },
				human: { type: 'boolean', default: false },
				container: { type: 'string' },
			},
		}).values;
	} catch (error) {
		process.stderr.write(
			`${error.message.split('.')[0]}. Known options: --port, --host, --seed, --settings, --container.\n`,
		);
		return process.exit(1);
	}
}

/** Where a person looks at the page, phones ring long enough to be picked up, and rules keep their hours. */
const forPeople = { call: { ringMs: 20_000, keepsHours: true } };

let sandbox;
try {
	sandbox = await openSandbox(readContract(), {
		seed: values.seed === undefined ? undefined : Number(values.seed),
		settings: merged(values.human ? forPeople : {}, JSON.parse(values.settings)),
		host: values.host,
		port: Number(values.port),
		container: values.container,
	});
	announce(sandbox);
} catch (error) {
	process.stderr.write(
		error.code === 'EADDRINUSE'
			? `Port ${values.port} is taken: choose another with --port.\n`
			: `${error.message}\n`,
	);
	process.exit(1);
}

function announce({ url, token, userToken, page }) {
	if (!values.human) {
		process.stdout.write(`${JSON.stringify({ url, token, userToken, page, pid: process.pid })}\n`);
		return;
	}
	process.stdout.write(
		[
			'',
			'  The platform sandbox is running. Nothing you do here reaches a real phone.',
			'',
			`  The customer's side  ${page}`,
			'                       Open it and press "Call me": a phone rings.',
			'',
			'  In n8n: Credentials → Create credential → Agent Conversation Platform API',
			`  Base URL             ${url}`,
			`  Token                ${token}`,
			'',
			`  Token of a member    ${userToken}`,
			`  What happened        ${url}/_sandbox/ledger`,
			`  Events               ${url}/_sandbox/deliveries`,
			'',
			'  Ctrl-C ends it.',
			'',
			'',
		].join('\n'),
	);
}

for (const signal of ['SIGTERM', 'SIGINT']) {
	process.on(signal, () => {
		sandbox.close();
		process.exit(0);
	});
}
