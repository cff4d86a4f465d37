import { sendJson } from './pieces.mjs';

/**
 * Under which names the sandbox answers, and who may look at the control interface and the page, and press their
 * buttons: this computer alone. A page of another origin, or one whose name has been pointed at this computer, may not
 * (DNS rebinding).
 */

const isLoopbackAddress = (address = '') => /^(::ffff:)?127\.|^::1$/.test(address);

/** Names that lead to this computer whatever a name server says. */
const isLoopbackName = (name) => /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name);

const nameIn = (host) => host.toLowerCase().replace(/:\d+$/, '');

/**
 * @param {{headers: {host?: string}}} request
 * @param {string[]} told names and addresses that it was started to serve, beside those of this computer
 * @returns {string | undefined} why the request is refused, whatever its path; undefined: it may pass
 */
export function foreignName({ headers: { host = '' } }, told) {
	const name = nameIn(host);
	const known = told.some((one) => [one, `[${one}]`].includes(name));
	if (known || isLoopbackName(name)) return undefined;
	return `This sandbox does not answer as "${name}". Use localhost or 127.0.0.1, or start it with --container <name>.`;
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {{inContainer: boolean}} where in a container every request comes from another address, so only names count
 * @returns {string | undefined} why the request is refused; undefined: it may pass
 */
export function refusalOf({ headers, socket }, { inContainer }) {
	const { host = '', origin } = headers;
	if (!inContainer && !isLoopbackAddress(socket.remoteAddress))
		return 'Only this computer may look here.';
	if (!isLoopbackName(nameIn(host))) return 'Open this page as localhost or 127.0.0.1.';
	if (origin !== undefined && origin !== `http://${host}`)
		return 'A page of another origin may not look here.';
	return undefined;
}

/** @param {import('node:http').ServerResponse} response @param {string} message why it is refused */
export const forbid = (response, message) => sendJson(response, 403, { success: false, message });
