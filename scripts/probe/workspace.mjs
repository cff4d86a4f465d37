import { randomUUID } from 'node:crypto';
import { ClearError } from '../../tools/bootstrap.mjs';

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
	number: async (workspace) =>
		(await workspace.rowsOf('/phone-numbers'))[0]?.number ?? '+12125550100',
	phone_number: async () => '+12125550100',
};

/**
 * Where the rows of an answer stand, in whichever layout they came.
 * @returns {{at: string, rows: any[]} | undefined}
 */
export function rowsIn(body) {
	if (Array.isArray(body)) return { at: '', rows: body };
	const data = body?.data;
	const places = [
		['data.items', data?.items],
		['data.data', data?.data],
		['data', data],
		...[
			['data', data],
			['', body],
		].flatMap(([at, part]) =>
			part !== null && typeof part === 'object' && !Array.isArray(part)
				? Object.entries(part).map(([name, value]) => [at ? `${at}.${name}` : name, value])
				: [],
		),
	];
	const [at, rows] = places.find(([, value]) => Array.isArray(value)) ?? [];
	return rows && { at, rows };
}

/** A path with its values; records that do not exist where none are known. */
export const fill = (path, values = {}) =>
	path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? randomUUID()));

/** A real workspace: reads, waits where the platform says so, and finds records to ask for. */
export class Workspace {
	#rows = new Map();

	/** @param {{root: string, token: string, judge: any, saw: (body: any) => void}} options `saw` is told every answer */
	constructor({ root, token, judge, saw }) {
		Object.assign(this, { root, token, judge, saw });
	}

	/**
	 * @returns {Promise<{status: number, headers?: Headers, body: any, code?: string, problem?: string}>}
	 * @throws {ClearError} when there is no sense in going on
	 */
	async ask(path, query = {}) {
		const search = new URLSearchParams(query).toString();
		for (let tries = 1; ; tries++) {
			let response, text;
			try {
				response = await fetch(`${this.root}${path}${search && `?${search}`}`, {
					headers: { accept: 'application/json', authorization: `Bearer ${this.token}` },
					redirect: 'manual',
					signal: AbortSignal.timeout(30_000),
				});
				text = await response.text();
			} catch (error) {
				throw new ClearError(
					`${new URL(this.root).host} could not be reached: ${error.cause?.code ?? error.name}.`,
				);
			}
			const { status, headers } = response;
			if (status === 429 && tries < 6) {
				const seconds = Number(headers.get('retry-after')) || tries;
				await new Promise((resolve) => setTimeout(resolve, 1000 * Math.min(60, seconds)));
				continue;
			}
			if (status === 401) throw new ClearError('The platform did not accept the token (401).');
			if (status >= 300 && status < 400)
				return { status, body: undefined, problem: 'it redirects to another address' };
			try {
				const json = text === '' ? undefined : JSON.parse(text);
				this.saw(json);
				return { status, headers, body: json, code: codeOf(json) };
			} catch {
				return { status, body: undefined, problem: 'the answer is no JSON' };
			}
		}
	}

	/** Rows of a list, read once; empty when it cannot be read. */
	async rowsOf(list) {
		if (!this.#rows.has(list)) this.#rows.set(list, this.#readRows(list));
		return await this.#rows.get(list);
	}

	async #readRows(list) {
		const values = await this.valuesFor(list);
		if (values === undefined) return [];
		const { status, body } = await this.ask(fill(list, values));
		return status === 200 ? (rowsIn(body)?.rows ?? []) : [];
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
			const values = { [name]: row?.[id], ...then(row ?? {}) };
			if (
				[...path.matchAll(/\{(\w+)\}/g)].every(([, parameter]) => values[parameter] !== undefined)
			)
				return values;
		}
		return undefined;
	}

	/** The query parameters that an endpoint demands, with values. */
	async queryFor(key) {
		const query = {};
		for (const { name, required, schema } of this.judge.parametersOf(key, 'query')) {
			if (required)
				query[name] = String(
					queryValues[name]
						? await queryValues[name](this)
						: (schema.example ?? schema.enum?.[0] ?? schema.default ?? 'x'),
				);
		}
		return query;
	}
}

/** An error code is a constant of the platform; what looks otherwise could be anything and is not repeated. */
const codeOf = (body) => {
	const code = body?.error?.code;
	return code === undefined || /^[A-Z]+(_[A-Z]+)+$|^[a-z]+(_[a-z]+)+$/.test(code)
		? code
		: 'a code of another form';
};
