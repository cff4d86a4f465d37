import { fileServer } from './files.mjs';
import { Sandbox } from './sandbox.mjs';
import { platformServer } from './server.mjs';
import { Contract } from './validate.mjs';

/** @returns {Contract} the platform's contract, for as many sandboxes as one likes */
export const readContract = () =>
	Contract.load(new URL('../contract/openapi.yaml', import.meta.url));

/**
 * Opens a sandbox in this process.
 * @param {Contract} contract
 * @param {{seed?: number, settings?: object, host?: string, port?: number, container?: string}} [options] `seed`:
 *   the tokens and the workspace are always the same with it; without one the tokens are random. `port`: 0 = any free
 *   port; `container`: the name of the container that it runs in, all of whose addresses it listens on
 * @returns {Promise<{url: string, token: string, userToken: string, page: string, close: () => void}>}
 * @throws {Error} with the code `EADDRINUSE` when the port is taken
 */
export async function openSandbox(
	contract,
	{ seed, settings = {}, host = '127.0.0.1', port = 0, container } = {},
) {
	const sandbox = new Sandbox(contract, { seed, settings });
	const names = [container ?? host];
	const servers = [
		fileServer(sandbox, { names }),
		platformServer(sandbox, { inContainer: container !== undefined, names }),
	];
	const listen = async (server, wanted) => {
		await new Promise((resolve, reject) => {
			server.once('error', reject);
			server.listen(wanted, container ? '0.0.0.0' : host, () => resolve(undefined));
		});
		const name = container ?? (host.includes(':') ? `[${host}]` : host);
		return `http://${name}:${server.address().port}`;
	};
	sandbox.filesUrl = await listen(servers[0], 0);
	const url = await listen(servers[1], port);
	sandbox.url = url;
	return {
		url,
		page: `${url}/_sandbox/page`,
		token: sandbox.identities.token('workspace'),
		userToken: sandbox.identities.token('user'),
		close() {
			sandbox.watchers.close();
			sandbox.close();
			for (const server of servers) {
				server.close();
				server.closeAllConnections();
			}
		},
	};
}
