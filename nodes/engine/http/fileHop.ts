import { isLoopback } from './workspace';
import { RequestError } from '../errors/requestError';

export const mostHops = 5;

/** Blocks of IP addresses in private networks or on this machine (RFC 1918, 3927, 4193, 4291, 6598, 6890). */
const privateBlocks = [
	/^(0|10|127)\./,
	/^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
	/^169\.254\./,
	/^172\.(1[6-9]|2\d|3[01])\./,
	/^192\.168\./,
	/^192\.0\.0\./,
	/^198\.1[89]\./,
	/^(22[4-9]|2[3-5]\d)\./,
	// Metadata and keys of machines in Azure
	/^168\.63\.129\.16$/,
	/^\[::\]$/,
	/^\[f[cdef]/,
	// IPv4 inside IPv6: mapped, translated, 6to4, Teredo and the old forms
	/^\[::(ffff:)?[0-9a-f]/,
	/^\[64:ff9b:/,
	/^\[2002:/,
	/^\[2001:(0|):/,
];

/** @param host as `URL` spells it, which has one spelling for each IP address */
export function isPrivate(host: string): boolean {
	const plain = host.replace(/\.$/, '').toLowerCase();
	const isAddress = /^\d+(\.\d+){3}$/.test(plain) || plain.startsWith('[');
	return isLoopback(plain) || (isAddress && privateBlocks.some((block) => block.test(plain)));
}

/** Encrypted, and never from outside into a private network. @param loopback the workspace is on this machine: all may be */
export function fileHop(from: URL, to: string, loopback: boolean): URL {
	const target = URL.canParse(to, from.href) ? new URL(to, from) : undefined;
	const isEncrypted = target?.protocol === 'https:' || (target?.protocol === 'http:' && loopback);
	const isInside =
		!loopback && target?.hostname !== from.hostname && isPrivate(target?.hostname ?? '');
	if (target && isEncrypted && !isInside) return target;
	throw new RequestError('status', 'nothing', {
		message: !target
			? 'The platform returned a file URL that is not a web URL, or one that redirects to such a URL'
			: !isEncrypted
				? 'The platform returned an unencrypted file URL, or one that redirects to such a URL; the file was not read'
				: 'The platform returned a file URL in a private network, or one that redirects there; the file was not read',
	});
}
