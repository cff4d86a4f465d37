import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A running sandbox process and ways to talk to it over HTTP. */
class SandboxClient {
	/**
	 * @param {import('node:child_process').ChildProcess} child
	 * @param {{url: string, token: string, userToken: string, page: string}} announced
	 */
	constructor(child, { url, token, userToken, page }) {
		Object.assign(this, { child, url, token, userToken, page });
	}

	/**
	 * @param {string} request method and path below /api/v1, for example `GET /agents?per_page=1`
	 * @param {any} [body] sent as JSON; FormData and text are sent as they are
	 * @param {Record<string, string | undefined>} [headers] undefined leaves a header out
	 * @returns {Promise<{status: number, headers: Headers, body: any}>} body: JSON, or text when it is none
	 */
	async api(request, body, headers = {}) {
		const json = body !== undefined && typeof body !== 'string' && !(body instanceof FormData);
		const all = {
			authorization: `Bearer ${this.token}`,
			...(json || typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
			...headers,
		};
		return this.#send(
			request,
			'/api/v1',
			json ? JSON.stringify(body) : body,
			Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
		);
	}

	/**
	 * @param {string} request method and path below /_sandbox
	 * @param {any} [body]
	 * @returns {Promise<any>} the JSON answer
	 */
	async control(request, body) {
		const answer = await this.#send(
			request,
			'/_sandbox',
			body === undefined ? undefined : JSON.stringify(body),
			{},
		);
		if (answer.status !== 200) throw new Error(`${request}: ${JSON.stringify(answer.body)}`);
		return answer.body;
	}

	async #send(request, root, body, headers) {
		const [method, path] = request.split(' ');
		const response = await fetch(`${this.url}${root}${path}`, {
			method,
			// A server closes an idle connection, at times in the moment in which it is used again.
			headers: { connection: 'close', ...headers },
			body,
			redirect: 'manual',
		});
		const text = await response.text();
		let parsed = text;
		try {
			parsed = JSON.parse(text);
		} catch {
			// Not every answer is JSON: faults send pages and halves.
		}
		return { status: response.status, headers: response.headers, body: parsed };
	}

	async stop() {
		if (this.child.exitCode !== null) return;
		this.child.kill('SIGTERM');
		await once(this.child, 'exit');
	}
}

/**
 * Starts a sandbox.
 * @param {{seed?: number | null, settings?: object, port?: number, node?: string, detached?: boolean}} [options]
 *   `seed`: null asks for none; `port`: a free one without; `detached`: what ends the group of this process does not
 *   end the sandbox
 * @returns {Promise<SandboxClient>}
 */
export async function startSandbox({
	seed = 1,
	settings = {},
	port = 0,
	node = process.execPath,
	detached = false,
} = {}) {
	const main = fileURLToPath(new URL('main.mjs', import.meta.url));
	const given = seed === null ? [] : ['--seed', String(seed)];
	const child = spawn(
		node,
		[main, ...given, '--port', String(port), '--settings', JSON.stringify(settings)],
		{ stdio: ['ignore', 'pipe', 'inherit'], detached },
	);
	const endWithUs = () => child.kill();
	process.once('exit', endWithUs);
	child.once('exit', () => process.removeListener('exit', endWithUs));
	const failed = once(child, 'exit').then(([code]) =>
		Promise.reject(new Error(`The sandbox ended with code ${code}.`)),
	);
	const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), failed]);
	failed.catch(() => {});
	return new SandboxClient(child, JSON.parse(line));
}

/**
 * Waits until something is there.
 * @template T
 * @param {() => Promise<T | undefined | false>} look
 * @param {number} [timeoutMs]
 * @returns {Promise<T>}
 */
export async function eventually(look, timeoutMs = 5000) {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const found = await look();
		if (found) return found;
		if (Date.now() > deadline) throw new Error(`Nothing came within ${timeoutMs} ms.`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
