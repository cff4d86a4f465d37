import { createHash, createHmac } from 'node:crypto';
import { ApiError } from './errors.mjs';

/**
 * @typedef {{kind: 'workspace' | 'user' | 'forbidden' | 'revoked', token: string, timezone?:
 * string, email?: string}} Identity
 *   timezone: the member's, with a per-user token only
 */

const base64url = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The tokens of the workspace and whom they stand for (interface §5). */
export class Identities {
	/** @type {Map<string, Identity>} */
	#byToken = new Map();
	#seed;

	/** @param {number | string} seed tokens depend on it alone */
	constructor(seed) {
		this.#seed = seed;
		for (const kind of ['workspace', 'user', 'forbidden', 'revoked'])
			this.add(kind, { label: kind });
		this.add('workspace', { label: 'second workspace' });
	}

	#secret(label) {
		return createHash('sha256').update(`${this.#seed}:token:${label}`).digest('hex').slice(0, 40);
	}

	/**
	 * @param {Identity['kind']} kind
	 * @param {{label?: string, timezone?: string, email?: string}} [about] timezone: overrides the setting memberTimezone
	 * @returns {Identity}
	 */
	add(
		kind,
		{ label = `${kind} ${this.#byToken.size}`, timezone, email = 'member@workspace.example' } = {},
	) {
		const token =
			kind === 'user' ? this.#userToken(email, label) : `acp_${kind}_${this.#secret(label)}`;
		const identity = { kind, token, ...(kind === 'user' ? { email, timezone } : {}) };
		this.#byToken.set(token, identity);
		return identity;
	}

	/** A JWT in form; how the platform issues one is not shown (interface §5 rule 8). */
	#userToken(email, label) {
		const content = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ sub: email, label })}`;
		return `${content}.${createHmac('sha256', this.#secret('signing')).update(content).digest('base64url')}`;
	}

	/** A revoked token stops authenticating at once (interface §5 rule 5). @param {string} token */
	revoke(token) {
		const identity = this.#byToken.get(token);
		if (identity === undefined) return false;
		identity.kind = 'revoked';
		return true;
	}

	/** @returns {Identity[]} */
	all() {
		return [...this.#byToken.values()];
	}

	/** @param {Identity['kind']} kind @returns {string} the first token of that kind */
	token(kind) {
		return this.all().find((identity) => identity.kind === kind).token;
	}

	/**
	 * @param {string | undefined} authorization the header
	 * @returns {Identity}
	 * @throws {ApiError} 401 (interface §5 rule 6)
	 */
	authenticate(authorization) {
		if (!authorization?.trim())
			throw new ApiError(401, {
				code: 'MISSING_AUTH_TOKEN',
				message: 'The authorization header is missing.',
			});
		const [, token] = /^Bearer ([^\s]+)$/.exec(authorization) ?? [];
		const identity = this.#byToken.get(token);
		if (identity === undefined || identity.kind === 'revoked')
			throw new ApiError(401, { message: 'The token is invalid or was revoked.' });
		return identity;
	}
}
