/**
 * Compares the contract with a real workspace, for people with an account. Read-only unless told otherwise.
 *
 *   npm run probe -- --base-url https://your-workspace.example.com --token <token>
 *
 *   --token      an API token; better in the environment variable ACP_TOKEN, which no shell history keeps
 *   --only       part of a path: only endpoints that contain it, for example --only /agents
 *   --writes     also looks whether writing endpoints are there, with a body that is no JSON
 *   and IDs that do not exist, so that
 *                nothing can be carried out
 *   --json       one line of JSON per endpoint
 *
 * Per endpoint: "as in the contract", "differs" (how), "not there" or "not asked" (why).
 * Values of your workspace are never
 * printed, only names of fields. Ends with 0 when nothing differs, 1 when something does, 2
 * when the workspace cannot be asked.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ClearError, ensureNodeVersion } from '../tools/bootstrap.mjs';

/** Where a value for a path parameter is found: a list that holds it, and its name there. */
const found = {
	'/agents/{uuid}': { list: '/agents', id: 'agent_uuid' },
	'/agents/{uuid}/intents/{intentUuid}': {
		list: '/agents',
		id: 'agent_uuid',
		then: (agent) => ({ intentUuid: agent.intents?.[0]?.intent_uuid }),
	},
	'/appointments/{uuid}': { list: '/appointments' },
	'/calls/{uuid}': { list: '/calls' },
	'/campaigns/{uuid}': { list: '/campaigns' },
	'/conversations/{uuid}': { list: '/conversations' },
	'/sessions/{uuid}': { list: '/conversations/{uuid}/sessions' },
	'/contacts/{uuid}': { list: '/contacts' },
	'/evaluations/{uuid}': { list: '/evaluations' },
	'/medias/{uuid}': { list: '/medias' },
	'/rules/{uuid}': { list: '/rules' },
	'/schedules/{uuid}': { list: '/schedules' },
	'/tasks/{uuid}': { list: '/tasks' },
	'/appointment-requests/{uuid}': { list: '/appointment-requests' },
	'/phone-numbers/{uuid}': { list: '/phone-numbers', id: 'phone_number_uuid' },
	'/flow/apps/{uid}': { list: '/flow/apps', id: 'uid', name: 'uid' },
	'/logs/actions/{type}/{uuid}': { list: '/logs/actions', then: ({ type }) => ({ type }) },
};

const dayMs = 86_400_000;

/** Values for required query parameters. */
const queryValues = {
	from: async () => new Date(Date.now() - 7 * dayMs).toISOString().replace(/\.\d+Z$/, '+00:00'),
	to: async () => new Date().toISOString().replace(/\.\d+Z$/, '+00:00'),
	number: async (probe) => (await probe.rowsOf('/phone-numbers'))[0]?.number ?? '+15550100100',
	phone_number: async () => '+15550100100',
};

/** The rows of an answer, in whichever layout they came. */
function rowsIn(body) {
	const data = body?.data ?? body;
	return (
		[data?.items, data?.data, data].find(Array.isArray) ??
		Object.values(data ?? {}).find(Array.isArray) ??
		[]
	);
}

/** Names of what an answer holds, without a single value: `data.items[].{uuid, name}`. */
function shapeOf(value, depth = 0) {
	if (Array.isArray(value)) return value.length ? `[]${shapeOf(value[0], depth)}` : '[] (empty)';
	if (value === null || typeof value !== 'object') return '';
	if (depth > 2) return '{…}';
	return `{${Object.entries(value)
		.slice(0, 40)
		.map(([name, inside]) => `${name}${shapeOf(inside, depth + 1)}`)
		.join(', ')}}`;
}

class Probe {
	#rows = new Map();

	constructor({ root, token, judge }) {
		Object.assign(this, { root, token, judge });
	}

	/**
	 * @returns {Promise<{status: number, body: any, code?: string, problem?: string}>}
	 * @throws {ClearError} when there is no sense in going on
	 */
	async ask(method, path, query = {}, body) {
		const search = new URLSearchParams(query).toString();
		for (let tries = 1; ; tries++) {
			let response;
			try {
				response = await fetch(`${this.root}${path}${search && `?${search}`}`, {
					method,
					headers: {
						accept: 'application/json',
						authorization: `Bearer ${this.token}`,
						...(body === undefined ? {} : { 'content-type': 'application/json' }),
					},
					body,
					redirect: 'manual',
					signal: AbortSignal.timeout(30_000),
				});
			} catch (error) {
				throw new ClearError(
					`${new URL(this.root).host} could not be reached: ${error.cause?.code ?? error.name}.`,
				);
			}
			const text = await response.text();
			if (response.status === 429 && tries < 6) {
				await new Promise((resolve) =>
					setTimeout(
						resolve,
						1000 * Math.min(60, Number(response.headers.get('retry-after')) || tries),
					),
				);
				continue;
			}
			if (response.status === 401)
				throw new ClearError('The platform did not accept the token (401).');
			if (response.status >= 300 && response.status < 400)
				return {
					status: response.status,
					body: undefined,
					problem: 'it redirects to another address',
				};
			try {
				const json = text === '' ? undefined : JSON.parse(text);
				return { status: response.status, body: json, code: json?.error?.code };
			} catch {
				return { status: response.status, body: undefined, problem: 'the answer is no JSON' };
			}
		}
	}

	/** Rows of a list, read once; empty when it cannot be read. */
	async rowsOf(list) {
		if (!this.#rows.has(list)) {
			this.#rows.set(
				list,
				(async () => {
					const values = await this.valuesFor(list);
					if (values === undefined) return [];
					const { status, body } = await this.ask('GET', fill(list, values));
					return status === 200 ? rowsIn(body) : [];
				})(),
			);
		}
		return await this.#rows.get(list);
	}

	/** Values for the parameters of a path, of a record that exists; undefined when none is known. */
	async valuesFor(path) {
		if (!path.includes('{')) return {};
		const start = Object.keys(found)
			.filter((one) => path === one || path.startsWith(`${one}/`))
			.sort((a, b) => b.length - a.length)[0];
		if (start === undefined) return undefined;
		const { list, id = 'uuid', name = 'uuid', then = () => ({}) } = found[start];
		for (const row of (await this.rowsOf(list)).slice(0, 20)) {
			const values = { [name]: row?.[id], ...then(row) };
			if (
				[...path.matchAll(/\{(\w+)\}/g)].every(([, parameter]) => values[parameter] !== undefined)
			)
				return values;
		}
		return undefined;
	}

	/** @returns {Promise<{verdict: 'as in the contract' | 'differs' | 'not there' | 'not asked', how?: string}>} */
	async read(endpoint) {
		const known = await this.valuesFor(endpoint.path);
		const query = {};
		for (const { name, required, schema } of this.judge.parametersOf(endpoint.key, 'query')) {
			if (required)
				query[name] = String(
					queryValues[name]
						? await queryValues[name](this)
						: (schema.example ?? schema.enum?.[0] ?? schema.default ?? 'x'),
				);
		}
		const answer = await this.ask('GET', fill(endpoint.path, known), query);
		return this.#judged(endpoint, answer, known === undefined);
	}

	/** Whether a writing endpoint is there, without any chance that it does something. */
	async write(endpoint) {
		const { status, code, problem } = await this.ask(
			endpoint.method,
			fill(endpoint.path),
			{},
			endpoint.contract.requestBody || endpoint.method !== 'DELETE'
				? '{"this is no JSON'
				: undefined,
		);
		if (status === 404 && code !== 'RESOURCE_NOT_FOUND') return { verdict: 'not there', how: code };
		if (status === 405) return { verdict: 'not there', how: 'the method is refused (405)' };
		if (status === 403) return { verdict: 'not asked', how: 'the token has no permission (403)' };
		if (status >= 500 || problem) return { verdict: 'differs', how: problem ?? `status ${status}` };
		if (status < 300)
			return { verdict: 'differs', how: `it accepted a request that is none (status ${status})` };
		return {
			verdict: 'as in the contract',
			how: 'it is there; nothing was sent that it could carry out',
		};
	}

	#judged(endpoint, { status, body, code, problem }, invented) {
		if (status === 403) return { verdict: 'not asked', how: 'the token has no permission (403)' };
		if (status === 405) return { verdict: 'not there', how: 'the method is refused (405)' };
		if (status === 404 && code === 'RESOURCE_NOT_FOUND')
			return { verdict: 'as in the contract', how: 'it is there; no record was found to compare' };
		if (status === 404) return { verdict: 'not there', how: code ?? 'status 404' };
		if (status === 422 && invented)
			return { verdict: 'as in the contract', how: 'it is there; no record was found to compare' };
		if (problem) return { verdict: 'differs', how: problem };
		if (status !== 200)
			return { verdict: 'differs', how: `status ${status}${code ? ` (${code})` : ''}` };
		const differences = this.judge.answerDifferences(endpoint.key, body);
		if (differences.length) return { verdict: 'differs', how: differences.join('; ') };
		if (!this.judge.knowsAnswer(endpoint.key))
			return {
				verdict: 'as in the contract',
				how: `its shape is not known; it answers with ${shapeOf(body)}`,
			};
		return { verdict: 'as in the contract' };
	}
}

/** A path with its values; records that do not exist where none are known. */
const fill = (path, values = {}) =>
	path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? randomUUID()));

function addressOf(text) {
	if (!text)
		throw new ClearError(
			'Give the address of your workspace: --base-url https://your-workspace.example.com',
		);
	const address = URL.parse(text);
	if (!address || !/^https?:$/.test(address.protocol))
		throw new ClearError('--base-url is not a web address.');
	const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
	if (address.protocol === 'http:' && !loopback)
		throw new ClearError(
			'--base-url must begin with https://, because the token travels with every request.',
		);
	return `${address.origin}/api/v1`;
}

async function main() {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: {
			'base-url': { type: 'string' },
			token: { type: 'string' },
			only: { type: 'string' },
			writes: { type: 'boolean' },
			json: { type: 'boolean' },
		},
	});
	const root = addressOf(values['base-url']);
	const token = values.token ?? process.env.ACP_TOKEN;
	if (!token)
		throw new ClearError(
			'Give an API token: --token, or better the environment variable ACP_TOKEN.',
		);
	const { default: library } = await import('../tools/judge.cjs').catch(() => {
		throw new ClearError('The development tools are not installed. Run npx pnpm@10 install first.');
	});
	const judge = library.judge();
	const probe = new Probe({ root, token, judge });
	const counts = {};
	for (const endpoint of judge.endpoints.filter(({ path }) => path.includes(values.only ?? ''))) {
		const reads = endpoint.method === 'GET';
		const { verdict, how } = reads
			? await probe.read(endpoint)
			: values.writes
				? await probe.write(endpoint)
				: { verdict: 'not asked', how: 'it writes' };
		counts[verdict] = (counts[verdict] ?? 0) + 1;
		if (values.json)
			console.log(
				JSON.stringify({
					endpoint: endpoint.key,
					source: endpoint.source,
					verdict,
					...(how ? { how } : {}),
				}),
			);
		else if (reads || values.writes)
			console.log(`${verdict.padEnd(20)}${endpoint.key}${how ? `: ${how}` : ''}`);
	}
	if (!values.json)
		console.log(
			`\n${Object.entries(counts)
				.map(([verdict, count]) => `${count} ${verdict}`)
				.join(', ')}.`,
		);
	process.exitCode = counts.differs || counts['not there'] ? 1 : 0;
}

main().catch((error) => {
	console.error(error instanceof ClearError ? `✖ ${error.message}` : error);
	process.exitCode = 2;
});
