// The platform on this machine: `node sandbox/main.mjs [--port 0] [--seed 1] [--settings '<json>'] [--human]`.
// Prints one line of JSON when it listens: url, token, userToken, pid. SIGTERM ends it.
import { parseArgs } from 'node:util';

const [{ fileServer, platformServer }, { Sandbox }, { Contract }] = await Promise.all(
	['./server.mjs', './sandbox.mjs', './validate.mjs'].map((file) => import(file)),
).catch((error) => {
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

const contract = Contract.load(new URL('../contract/openapi.yaml', import.meta.url));
const sandbox = new Sandbox(contract, {
	seed: Number(values.seed),
	settings: JSON.parse(values.settings),
});
const servers = [fileServer(sandbox), platformServer(sandbox)];

const listen = (server, port) =>
	new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, values.host, () => resolve(server.address().port));
	});

try {
	const host = values.host.includes(':') ? `[${values.host}]` : values.host;
	sandbox.filesUrl = `http://${host}:${await listen(servers[0], 0)}`;
	const url = `http://${host}:${await listen(servers[1], Number(values.port))}`;
	announce(url);
} catch (error) {
	process.stderr.write(
		error.code === 'EADDRINUSE'
			? `Port ${values.port} is taken: choose another with --port.\n`
			: `${error.message}\n`,
	);
	process.exit(1);
}

function announce(url) {
	const token = sandbox.identities.token('workspace');
	const userToken = sandbox.identities.token('user');
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
		for (const server of servers) {
			server.close();
			server.closeAllConnections();
		}
		process.exit(0);
	});
}
