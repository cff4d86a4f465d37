import { readFile } from 'node:fs/promises';

const ROOT = '/_sandbox/page';

/** What the page consists of, by what follows its URL. */
const FILES = {
	'': ['index.html', 'text/html'],
	'page.css': ['page.css', 'text/css'],
	'page.js': ['page.js', 'text/javascript'],
	'cards.js': ['cards.js', 'text/javascript'],
	'elements.js': ['elements.js', 'text/javascript'],
};

const HEADERS = {
	'cache-control': 'no-store',
	'content-security-policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
};

/** Whether a path belongs to the page, rather than to the control interface. */
export const isOfPage = (path) => path === ROOT || path.startsWith(`${ROOT}/`);

/**
 * The customer's side, for a browser: the page, what it consists of, and the stream of what happens.
 * @param {import('../sandbox.mjs').Sandbox} sandbox
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {string} path passes `isOfPage`
 */
export async function servePage(sandbox, request, response, path) {
	const name = path.slice(ROOT.length + 1);
	if (request.method !== 'GET') return send(response, 405, 'text/plain', 'Only GET works here.');
	if (name === 'events') {
		response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
		sandbox.watchers.add(response);
		return;
	}
	const [file, type] = (Object.hasOwn(FILES, name) && FILES[name]) || [];
	if (file === undefined) return send(response, 404, 'text/plain', 'There is no such page.');
	send(response, 200, type, await readFile(new URL(file, import.meta.url)));
}

function send(response, status, type, body) {
	response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` });
	response.end(body);
}
