import { isRecord } from './shape.mjs';

/** Keys whose values never leave the sandbox: neither in answers of the control interface nor in logs. */
const SECRET_KEYS = new Set([
	'authorization',
	'secret_key',
	'auth_token',
	'password',
	'service_token',
	'webhook_header_token',
	'api_key',
	'token',
	'ssh_command',
]);

export const MASK = '***';

/**
 * A copy in which the values of secret keys read `***`; other values are kept as they are.
 * @param {unknown} value any JSON value
 * @returns {unknown}
 */
export function masked(value) {
	if (Array.isArray(value)) return value.map(masked);
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [
			key,
			SECRET_KEYS.has(key.toLowerCase()) && inner !== null ? MASK : masked(inner),
		]),
	);
}
