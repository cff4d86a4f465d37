/**
 * Who may look at the control interface and the page, and press their buttons: this computer alone. A page of another
 * origin, or one whose name has been pointed at this computer, may not (DNS rebinding).
 */

const isLoopbackAddress = (address = '') => /^(::ffff:)?127\.|^::1$/.test(address);

/** Names that lead to this computer whatever a name server says. */
const isLoopbackName = (name) => /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name);

const nameIn = (host) => host.toLowerCase().replace(/:\d+$/, '');

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
