import { ApiError } from './errors.mjs';
import { retryAfterHeader } from './manners.mjs';

/**
 * @typedef {object} Fault
 * @property {'status' | 'reset-before' | 'reset-after' | 'timeout' | 'html' | 'truncated' |
 * 'empty' | 'content-type' | 'redirect' | 'slow' | 'drip'} kind
 * @property {number} [status] with status and html
 * @property {string} [code] with status: the error code
 * @property {number | null} [retryAfter] with status: seconds, header and error.retryAfter; 1 with 429, null for none
 * @property {any} [body] with status: the whole body instead of the envelope
 * @property {boolean} [afterAcceptance] the request is carried out first, only its answer is lost or damaged
 * @property {string} [location] with redirect
 * @property {number} [ms] with slow
 * @property {boolean} [close] with truncated: the connection breaks in the middle instead of a
 * complete answer with half the JSON
 * @property {number} [bytes] with drip: how long a piece is, default 1
 * @property {number} [everyMs] with drip: between two pieces
 * @property {boolean} [endless] with drip: the last byte is repeated for ever
 *
 * @typedef {object} Rule
 * @property {{method?: string, path?: string, nth?: number | number[], every?: number}} [match]
 *   path: regular expression on the path below /api/v1; nth, every: counted among the requests
 *   that match method and path
 * @property {number} [times] how often it happens at most
 * @property {number} [forMs] how long it may happen, from now on
 * @property {Fault} fault
 */

/** Kinds that damage an answer and therefore let the request be carried out, unless told otherwise. */
const AFTER = new Set(['reset-after', 'truncated', 'empty', 'content-type', 'slow', 'drip']);
const KINDS = new Set(['status', 'reset-before', 'timeout', 'html', 'redirect', ...AFTER]);

/** Decides which requests go wrong, and how. */
export class Faults {
	/** @type {{rule: Rule, path: RegExp | undefined, seen: number, done: number,
	 * until: number}[]} */
	#rules = [];

	/** @param {Rule[]} rules added to those that are there; the first that fits wins */
	add(rules) {
		for (const rule of rules) {
			if (!KINDS.has(rule.fault?.kind))
				throw new ApiError(400, {
					message: `Unknown fault kind ${rule.fault?.kind}.`,
					details: [...KINDS].join(', '),
				});
			this.#rules.push({
				rule,
				path: rule.match?.path === undefined ? undefined : new RegExp(rule.match.path),
				seen: 0,
				done: 0,
				until: Date.now() + (rule.forMs ?? Infinity),
			});
		}
	}

	clear() {
		this.#rules = [];
	}

	/** @returns {object[]} the rules with how often they saw a request and how often they acted */
	all() {
		return this.#rules.map(({ rule, seen, done }) => ({ ...rule, seen, done }));
	}

	/** @returns {{rule: Rule, leftMs: number, leftTimes: number}[]} rules that may still act; Infinity: without end */
	active() {
		return this.#rules
			.map(({ rule, done, until }) => ({
				rule,
				leftMs: until - Date.now(),
				leftTimes: (rule.times ?? Infinity) - done,
			}))
			.filter(({ leftMs, leftTimes }) => leftMs > 0 && leftTimes > 0);
	}

	/**
	 * @param {string} method
	 * @param {string} path below /api/v1
	 * @returns {(Fault & {afterAcceptance: boolean}) | undefined}
	 */
	pick(method, path) {
		let picked;
		for (const state of this.#rules) {
			const { match = {}, times = Infinity, fault } = state.rule;
			if (match.method !== undefined && match.method.toUpperCase() !== method) continue;
			if (state.path !== undefined && !state.path.test(path)) continue;
			state.seen += 1;
			if (picked !== undefined || state.done >= times || Date.now() >= state.until) continue;
			if (match.nth !== undefined && ![match.nth].flat().includes(state.seen)) continue;
			if (match.every !== undefined && state.seen % match.every !== 0) continue;
			state.done += 1;
			picked = { ...fault, afterAcceptance: fault.afterAcceptance ?? AFTER.has(fault.kind) };
		}
		return picked;
	}
}

/**
 * Sends the damaged answer, or none.
 * @param {Fault} fault
 * @param {import('node:http').ServerResponse} response
 * @param {{status: number, headers: Record<string, string | number>, text: string}} answer what would have been sent
 * @param {typeof import('./manners.mjs').NO_MANNERS} manners
 * @returns {number | null} the status that the client got, null when it got none
 */
export function damage(fault, response, { status, headers, text }, manners) {
	const send = (code, extra, body) => {
		response.writeHead(code, { ...headers, 'content-length': Buffer.byteLength(body), ...extra });
		response.end(body);
		return code;
	};
	switch (fault.kind) {
		case 'reset-before':
		case 'reset-after':
			response.socket?.resetAndDestroy();
			return null;
		case 'timeout':
			// The connection stays open and silent until the client gives up.
			return null;
		case 'html': {
			const code = fault.status ?? 502;
			return send(
				code,
				{ 'content-type': 'text/html; charset=utf-8' },
				`<!DOCTYPE html><html><head><title>${code}</title></head><body><h1>${code}</h1><hr>proxy</body></html>`,
			);
		}
		case 'truncated': {
			const half = text.slice(0, Math.max(1, Math.floor(text.length / 2)));
			if (!fault.close) return send(status, {}, half);
			response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
			response.write(half, () => response.destroy());
			return status;
		}
		case 'empty':
			return send(status, {}, '');
		case 'content-type':
			return send(status, { 'content-type': 'text/plain; charset=utf-8' }, text);
		case 'redirect':
			return send(fault.status ?? 302, { location: fault.location }, '');
		default:
			return refuse(fault, send, manners);
	}
}

/** An error with a status, as the envelope has it unless the fault has a body of its own. */
function refuse({ status = 500, code, body, retryAfter: given }, send, manners) {
	const retryAfter = given === undefined && status === 429 ? 1 : (given ?? undefined);
	const error = new ApiError(status, { code, retryAfter: status === 429 ? retryAfter : undefined });
	const said = body === undefined ? error.body() : body;
	const wait = retryAfterHeader(manners, retryAfter);
	const text = typeof said === 'string' ? said : JSON.stringify(said);
	return send(status, wait === undefined ? {} : { 'retry-after': wait }, text);
}
