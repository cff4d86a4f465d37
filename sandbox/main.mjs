// The platform on this machine: `node sandbox/main.mjs [--port 0] [--seed 1] [--settings '<json>'] [--human]`.
// Prints one line of JSON when it listens: url, token, userToken, pid. SIGTERM ends it.
import { parseArgs } from 'node:util';

const { openSandbox, readContract } = await import('./open.mjs').catch((error) => {
	if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
	process.stderr.write(
		`The sandbox needs its libraries: run "npm install" or "npm start" once. (${error.message})\n`,
	);
	process.exit(1);
});

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '0' },
		host: { type: 'string', default: '127.0.0.1' },
		seed: { type: 'string', default: '1' },
		settings: { type: 'string', default: '{}' },
		human: { type: 'boolean', default: false },
	},
});

let sandbox;
try {
	sandbox = await openSandbox(readContract(), {
		seed: Number(values.seed),
		settings: JSON.parse(values.settings),
		host: values.host,
		port: Number(values.port),
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

function announce({ url, token, userToken }) {
	if (!values.human) {
		process.stdout.write(`${JSON.stringify({ url, token, userToken, pid: process.pid })}\n`);
		return;
	}
	process.stdout.write(
		[
			'',
			'  The platform sandbox is running. Nothing you do here reaches a real phone.',
			'',
			`  Base URL         ${url}`,
			`  Workspace token  ${token}`,
			`  Member token     ${userToken}`,
			`  What happened    ${url}/_sandbox/ledger`,
			`  Deliveries       ${url}/_sandbox/deliveries`,
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
