import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { isPlainObject, omit } from 'lodash';
import type { HttpResponse } from './answer';
import type { Owner } from './plan';
import type { Delivered } from '../engine/registration/delivered';
import { longestTestMs } from '../engine/registration/left';

/**
 * Tests that listen for an intent that the published workflow has. The intent goes on calling the published workflow,
 * so that nothing depends on the end of a test. That one passes requests on, as long as both are in one process.
 */
const listening = new Map<string, { published: string; test: string; until: number }>();

const keyOf = ({ workflow, node, agent, intent = '' }: Owner): string =>
	JSON.stringify([workflow, node, agent, intent]);

/** @param published URL of the workflow @param test URL that n8n listens at */
export function listenBeside(owner: Owner, published: string, test: string): void {
	listening.set(keyOf(owner), { published, test, until: Date.now() + longestTestMs });
}

export const endListening = (owner: Owner): boolean => listening.delete(keyOf(owner));

/** Of the connection, or of the body before it was decompressed. */
const ofTheWay = [
	'host',
	'connection',
	'content-length',
	'content-encoding',
	'transfer-encoding',
	'expect',
];

/** Nothing listens there: the test cannot have got the request. */
const refusals = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];

/** n8n wraps errors of requests. */
const hasCode = (thrown: unknown, code: string): boolean =>
	isPlainObject(thrown) || thrown instanceof Error
		? (thrown as { code?: unknown }).code === code ||
			hasCode((thrown as { cause?: unknown }).cause, code)
		: false;

interface Incoming extends Delivered {
	originalUrl: string;
	socket: { localAddress?: string; localPort?: number; encrypted?: boolean };
}

/**
 * The test URL as this very process serves it: at the IP address at which it got the request for the published
 * workflow. Its public URL may not be reachable from here, or only through a proxy that changes the path.
 */
function localUrl(request: Incoming, published: string, test: string): string | undefined {
	const { localAddress, localPort, encrypted } = request.socket;
	const [path = '', search = ''] = request.originalUrl.split('?');
	const [publicPath, testPath] = [new URL(published).pathname, new URL(test).pathname];
	const before = publicPath.slice(0, publicPath.length - path.length);
	if (localAddress === undefined || localPort === undefined) return undefined;
	if (`${before}${path}` !== publicPath || !testPath.startsWith(before)) return undefined;
	const host = localAddress.includes('.') ? localAddress.replace(/^.*:/, '') : `[${localAddress}]`;
	return `${encrypted === true ? 'https' : 'http'}://${host}:${localPort}${testPath.slice(before.length)}?${search}`;
}

/**
 * Lets a test answer a request that came to the published workflow, if one listens.
 * @param unanswered answers the caller if the test got the request and does not answer in time
 * @returns whether the caller has an answer; if not, the published workflow has to give one
 */
export async function answeredByTest(
	context: IWebhookFunctions,
	owner: Owner,
	delivered: Delivered,
	response: HttpResponse,
	withinMs: number,
	unanswered: () => void,
): Promise<boolean> {
	const key = keyOf(owner);
	const test = listening.get(key);
	if (!test || context.getMode() === 'manual') return false;
	const request = delivered as Incoming;
	const url = localUrl(request, test.published, test.test);
	if (url === undefined || Date.now() > test.until) return false;
	// Before anything is awaited: no second request may follow the first one.
	listening.delete(key);
	const goOn = (): void => void (listening.has(key) || listening.set(key, test));
	try {
		const answer = (await context.helpers.httpRequest({
			method: 'POST',
			url,
			headers: omit(request.headers, ofTheWay),
			body: request.rawBody ?? Buffer.alloc(0),
			encoding: 'arraybuffer',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			skipSslCertificateValidation: true,
			timeout: withinMs,
		})) as { statusCode: number; headers: Record<string, string>; body: Buffer };
		if (answer.statusCode !== 200) {
			if (answer.statusCode !== 404) goOn();
			return false;
		}
		const type = answer.headers['content-type'];
		response.status(200);
		if (type) response.setHeader('content-type', type);
		response.send(Buffer.from(answer.body).toString('utf8'));
		return true;
	} catch (thrown) {
		context.logger.debug(
			`ACP Intent Trigger: the test did not answer: ${(thrown as Error).message}`,
		);
		if (refusals.some((code) => hasCode(thrown, code))) {
			goOn();
			return false;
		}
		// The test may be running: the published workflow must not do the same a second time.
		unanswered();
		return true;
	}
}

/**
 * Whether n8n serves a published workflow with this trigger, which refuses a request without a token. Only n8n's own
 * word that it does not counts as no. Undefined for the rest: the server may be unable to reach itself at its public
 * URL.
 */
export async function isServed(
	context: IHookFunctions,
	published: string,
): Promise<boolean | undefined> {
	try {
		const { statusCode, body } = (await context.helpers.httpRequest({
			method: 'POST',
			url: published,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 4000,
		})) as { statusCode: number; body: unknown };
		if (statusCode === 401) return true;
		return statusCode === 404 && /is not registered/.test(JSON.stringify(body)) ? false : undefined;
	} catch (thrown) {
		context.logger.debug(
			`ACP Intent Trigger cannot reach its own URL: ${(thrown as Error).message}`,
		);
		return undefined;
	}
}
