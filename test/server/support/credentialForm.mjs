/**
 * What a person may put into the form of the credential, and what n8n shows then: the same in every version. Used by
 * the tests of the versions.
 */
import { createServer } from 'node:http';
import { listening } from '../../../tools/ports.mjs';

/** Sentences of the form, each by the part that tells it from the others. */
const says = {
	fine: /^Connection successful!$/,
	refused: /^The platform did not accept the token\./,
	forbidden: /^The token is valid, but it may not list agents\./,
	nowhere: /^No workspace found at this URL\./,
	stranger:
		/^This URL does not respond like the platform: it redirects or returns something else\./,
	unavailable: /^The platform cannot respond right now\./,
	open: /^'Base URL' in the credential begins with http:\/\/\./,
	empty: /^'Token' in the credential is empty\./,
	header: /^'Token' in the credential is a whole 'Authorization' header\./,
	dots: /^'Token' in the credential has characters that no token has/,
	zone: /^'Timezone' in the credential is not known: "Mars\/Olympus"/,
};

async function listen(answer) {
	const heard = [];
	const server = createServer((request, response) => {
		heard.push({ url: request.url, authorization: request.headers.authorization });
		answer(response);
	});
	const url = await listening(server);
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { url, heard, close };
}

/** @typedef {{what: string, data: Record<string, string>, expected: RegExp}} Case */

/**
 * Tests credentials as the form does.
 * @param {import('../../../tools/host.mjs').Host} host
 * @param {Awaited<ReturnType<typeof import('../../../sandbox/client.mjs').startSandbox>>} sandbox
 * @returns {Promise<{answers: Array<{what: string, status: string, message: string, expected: RegExp}>, heardElsewhere:
 * number, heardThere: number}>} `heardThere`: requests at the address that redirects, with a token;
 * `heardElsewhere`: at the one that it redirects to
 */
export async function fillInForms(host, sandbox) {
	const tokens = await sandbox.control('GET /tokens');
	const tokenOf = (kind) => tokens.find((one) => one.kind === kind).token;
	const elsewhere = await listen((response) =>
		response
			.setHeader('content-type', 'application/json')
			.end('{"success":true,"data":{"items":[],"pagination":{}}}'),
	);
	let answer = (response) => response.end();
	const website = await listen((response) => answer(response));
	const json = (body, status = 200) => {
		answer = (response) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
	};
	const redirect = (status) => {
		answer = (response) =>
			response.writeHead(status, { location: `${elsewhere.url}/api/v1/agents` }).end();
	};
	const page = (status) => {
		answer = (response) =>
			response
				.writeHead(status, { 'content-type': 'text/html' })
				.end('<!doctype html><title>Welcome</title><p>Not here</p>');
	};
	const problem = (code) => ({ success: false, message: 'No', error: { code, details: 'No' } });

	const cases = [
		['everything right', {}, says.fine],
		['a token that was copied with "Bearer"', { token: ` Bearer ${sandbox.token}\n` }, says.fine],
		['a revoked token', { token: tokenOf('revoked') }, says.refused],
		['a token that may not read agents', { token: tokenOf('forbidden') }, says.forbidden],
		['an http address', { baseUrl: 'http://acme.example.com' }, says.open],
		['an empty token', { token: ' ' }, says.empty],
		['"Bearer" alone', { token: 'Bearer ' }, says.empty],
		['a whole header', { token: `Authorization: Bearer ${sandbox.token}` }, says.header],
		['a header out of a program', { token: `"Authorization": "Bearer x"` }, says.header],
		['dots', { token: '••••••••••••' }, says.dots],
		['a time zone that does not exist', { timezone: 'Mars/Olympus' }, says.zone],
		...[301, 302, 303, 307, 308].map((status) => [
			`a workspace that moved (${status})`,
			{ baseUrl: website.url },
			says.stranger,
			() => redirect(status),
		]),
		...[200, 404, 502].map((status) => [
			`a web page (${status})`,
			{ baseUrl: website.url },
			says.stranger,
			() => page(status),
		]),
		...[
			{},
			{ ok: true },
			{ success: true },
			{ data: [] },
			{ success: true, data: null },
			{ success: true, data: '' },
			[{ id: 1 }],
			'text',
			5,
			null,
		].map((body) => [
			`another interface: ${JSON.stringify(body)}`,
			{ baseUrl: website.url },
			says.stranger,
			() => json(body),
		]),
		[
			'nothing at all',
			{ baseUrl: website.url },
			says.stranger,
			() => {
				answer = (response) => response.writeHead(200).end();
			},
		],
		...[
			['ENDPOINT_NOT_FOUND', 404, says.nowhere],
			['RESOURCE_NOT_FOUND', 404, says.nowhere],
			['MISSING_AUTH_TOKEN', 401, says.refused],
			['RATE_LIMIT_EXCEEDED', 429, says.unavailable],
			['SERVICE_UNAVAILABLE', 503, says.unavailable],
			['ANYTHING_ELSE', 400, /^The platform refused to list agents\./],
		].map(([code, status, sentence]) => [
			`the platform says ${code}`,
			{ baseUrl: website.url },
			sentence,
			() => json(problem(String(code)), Number(status)),
		]),
	];

	const answers = [];
	try {
		for (const [what, change, expected, prepare] of cases) {
			prepare?.();
			const { id } = await host.createCredential({
				name: what,
				type: 'acpApi',
				data: {
					baseUrl: sandbox.url,
					token: sandbox.token,
					timezone: '',
					webhookSecret: '',
					...change,
				},
			});
			const { status, message } = await host.testCredential(id);
			answers.push({ what, status, message, expected });
		}
		return {
			answers,
			heardElsewhere: elsewhere.heard.length,
			heardThere: website.heard.filter(({ authorization }) => authorization?.startsWith('Bearer '))
				.length,
		};
	} finally {
		await Promise.all([elsewhere.close(), website.close()]);
	}
}
