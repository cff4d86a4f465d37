import { createHash } from 'node:crypto';
import { isEmpty, trimEnd } from 'lodash';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { leadsAway } from './path';
import { noZone, type Zone, zoneOf } from '../time';

export interface Workspace {
	/** `https://acme.example.com`: all requests to it share one pace. */
	origin: string;
	/** Base URL and `/api/v1`: all paths of the contract begin here. */
	root: string;
	host: string;
	loopback: boolean;
	zone: Zone;
	webhookSecret: string;
	/** How many n8n processes send to it, this one included. */
	workers: number;
	/** Endpoints whose request keys the owner has confirmed: `POST /tasks`. */
	confirmedKeys: string[];
	/** The owner has confirmed that a search among contacts finds a number in every spelling. */
	findsNumbers: boolean;
}

/** A mark that identifies a secret without keeping it. */
export const markOf = (secret: string): string =>
	createHash('sha256').update(secret).digest('base64url');

export class InvalidBaseUrl extends Error {
	override name = 'InvalidBaseUrl';
}

const wrong = (field: string, text: string): InvalidBaseUrl =>
	new InvalidBaseUrl(`'${field}' in the credential ${text}`);

/** A request that would bring the token to another place. */
export class ForeignRequest extends Error {
	override name = 'ForeignRequest';
}

const hostAlone =
	'Use only the part up to the first slash, like https://your-workspace.example.com';

export const isLoopback = (host: string): boolean =>
	host === 'localhost' ||
	host.endsWith('.localhost') ||
	/^127(\.\d{1,3}){3}$/.test(host) ||
	host === '[::1]' ||
	host === '::1';

/** @throws InvalidBaseUrl also for plain http outside this machine (interface §5 rule 4) */
export function apiRoot(
	baseUrl: unknown,
): Pick<Workspace, 'root' | 'origin' | 'host' | 'loopback'> {
	const written = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (written === '')
		throw wrong(
			'Base URL',
			'is empty. Enter the URL of your workspace, like https://your-workspace.example.com',
		);
	const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `https://${written}`;
	const address = URL.canParse(full) ? new URL(full) : undefined;
	if (!address?.hostname || !/^https?:$/.test(address.protocol))
		throw wrong('Base URL', 'is not a URL. It should look like https://your-workspace.example.com');
	const loopback = isLoopback(address.hostname);
	if (address.protocol === 'http:' && !loopback)
		throw wrong(
			'Base URL',
			'begins with http://. The platform accepts only encrypted connections, and others could read the token. Change it to https://',
		);
	if (address.username || address.password || address.search || address.hash)
		throw wrong('Base URL', `has more than a host. ${hostAlone}`);
	const path = trimEnd(trimEnd(address.pathname, '/').replace(/\/api\/v1$/, ''), '/');
	if (path !== '') throw wrong('Base URL', `has a path ("${path.slice(0, 60)}"). ${hostAlone}`);
	return {
		root: `${address.origin}/api/v1`,
		origin: address.origin,
		host: address.hostname,
		loopback,
	};
}

/** What n8n's nodes may say about a request with the credential; older ones say `uri` for `url`. */
type Outgoing = Omit<IHttpRequestOptions, 'url'> & {
	url?: unknown;
	uri?: unknown;
	rejectUnauthorized?: boolean;
};

/** Below the API root, over a connection that nobody else can read. @throws ForeignRequest */
export function targetOf(root: string, request: Outgoing): string {
	const written = String(request.url ?? request.uri ?? '');
	const base = request.baseURL === undefined ? '' : apiRoot(request.baseURL).root;
	const target = URL.canParse(base + written) ? new URL(base + written) : undefined;
	const isBelow =
		target !== undefined && `${target.origin}${target.pathname}/`.startsWith(`${root}/`);
	if (!isBelow || target.username || target.password || leadsAway(target.pathname)) {
		throw new ForeignRequest(
			`This credential only sends its token to ${root}, and the URL of this request is not ` +
				'below that. Correct the URL, or choose another credential',
		);
	}
	const { proxy, agentOptions, skipSslCertificateValidation, rejectUnauthorized } = request;
	const named = Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'host');
	const unchecked = skipSslCertificateValidation === true || rejectUnauthorized === false;
	if (named || unchecked || !isEmpty(proxy) || !isEmpty(agentOptions))
		throw new ForeignRequest(
			"This credential sends its token only over a connection that n8n itself checks. Remove 'Proxy', 'Ignore SSL Issues', 'SSL Certificates' and the header 'Host' from the node",
		);
	return target.href;
}

/** @throws InvalidBaseUrl for what cannot be a token */
function checkToken(written: unknown): void {
	const token = cleanToken(written);
	if (token === '')
		throw wrong(
			'Token',
			"is empty. Create one in your profile's Developer section on the platform and enter it there",
		);
	if (/authorization["']?\s*[:=]|^\s*["']?bearer["']?\s*:/i.test(String(written)))
		throw wrong('Token', `is a whole 'Authorization' header. Enter only what follows "Bearer"`);
	if (/[^\x21-\x7e]/.test(token))
		throw wrong(
			'Token',
			'has characters that no token has, for example the dots that hide it. Copy the token itself and paste it again',
		);
}

/** @throws InvalidBaseUrl */
export function workspaceOf(credential: ICredentialDataDecryptedObject): Workspace {
	const { baseUrl, token, timezone, webhookSecret, requestKeysConfirmed } = credential;
	const root = apiRoot(baseUrl);
	checkToken(token);
	const zone = zoneOf(timezone);
	if (!zone)
		throw wrong(
			'Timezone',
			`is not known: "${String(timezone).slice(0, 60)}". Use a name like Europe/Istanbul, or leave it empty`,
		);
	return {
		...root,
		zone: zone.type === 'none' ? noZone : zone,
		webhookSecret: String(webhookSecret ?? '').trim(),
		confirmedKeys: [requestKeysConfirmed ?? []].flat().map(String),
		findsNumbers: credential.numberSearchConfirmed === true,
		workers: Math.max(1, Math.trunc(Number(credential.numberOfWorkers)) || 1),
	};
}

/** A token without what copying may add: spaces, line breaks, a leading "Bearer". */
export const cleanToken = (token: unknown): string =>
	typeof token === 'string' ? token.replace(/^\s*Bearer(\s|$)/i, '').replace(/\s+/g, '') : '';
