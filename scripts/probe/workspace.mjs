import { randomUUID } from 'node:crypto';
import { ClearError } from '../../tools/bootstrap.mjs';

/** Lists that stand elsewhere than before the ID in a path. */
const lists = { '/sessions': '/conversations/{uuid}/sessions' };

const time = (days) =>
	new Date(Date.now() - days * 86_400_000).toISOString().replace(/\.\d+Z$/, '+00:00');

/** Values for required query parameters. */
const queryValues = {
	from: async () => time(7),
	to: async () => time(0),
	number: async (workspace) => (await workspace.rowsOf('/phone-numbers'))[0]?.number,
	phone_number: async () => undefined,
};

/**
 * Where the rows of an answer stand, in whichever layout they came.
 * @returns {{at: string, rows: any[]} | undefined}
 */
export function rowsIn(body) {
	if (Array.isArray(body)) return { at: '', rows: body };
	const inside = (part, at) =>
		part !== null && typeof part === 'object' && !Array.isArray(part)
			? Object.entries(part).map(([name, value]) => [at ? `${at}.${name}` : name, value])
			: [];
	const data = body?.data;
	const [at, rows] =
		[
			['data.items', data?.items],
			['data.data', data?.data],
			['data', data],
			...inside(data, 'data'),
			...inside(body, ''),
		].find(([, value]) => Array.isArray(value)) ?? [];
	return rows && { at, rows };
}

/** A path with its values; records that do not exist where none are known. */
export const fill = (path, values = {}) =>
	path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? randomUUID()));

/** A real workspace: reads, waits where the platform says so, and finds records to ask for. */
export class Workspace {
	#rows = new Map();

	/** @param {{root: string, token: string, check: any, saw: (body: any) => void}} options `saw` is told every answer */
	constructor({ root, token, check, saw }) {
		Object.assign(this, { root, token, check, saw });
	}

	/**
	 * @returns {Promise<{status: number, body: any, code?: string, problem?: string}>}
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
				const body = text === '' ? undefined : JSON.parse(text);
				this.saw(body);
				return { status, body, code: codeOf(body) };
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
		const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		if (names.length === 0) return {};
		const start = path.slice(0, path.indexOf('/{'));
		const list = lists[start] ?? start;
		if (!this.check.endpoints.some(({ key }) => key === `GET ${list}`)) return undefined;
		const own = `${start.split('/').at(-1).replace(/s$/, '').replaceAll('-', '_')}_uuid`;
		for (const row of (await this.rowsOf(list)).slice(0, 20)) {
			const values = names.map((name) =>
				name === 'intentUuid'
					? row?.intents?.[0]?.intent_uuid
					: (row?.[name] ?? (name === 'uuid' ? row?.[own] : undefined)),
			);
			if (!values.includes(undefined))
				return Object.fromEntries(names.map((name, index) => [name, values[index]]));
		}
		return undefined;
	}

	/** The query parameters that an endpoint demands, with values. */
	async queryFor(key) {
		const query = {};
		for (const { name, required, schema } of this.check.parametersOf(key, 'query')) {
			if (!required) continue;
			const known = queryValues[name];
			const other = known ? '+12125550100' : (schema.enum?.[0] ?? schema.default ?? 'x');
			query[name] = String((await known?.(this)) ?? schema.example ?? other);
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
