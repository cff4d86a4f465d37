import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { control } from './control.mjs';
import { ApiError, endpointNotFound } from './errors.mjs';
import { damage } from './faults.mjs';
import { forbid, foreignName, refusalOf } from './guard.mjs';
import {
	answerOfManners,
	isGuess,
	listOfManners,
	pageOfManners,
	platformNow,
	refuseBody,
	refuseContent,
	refuseEndpoint,
	refuseRepeated,
	retryAfterHeader,
} from './manners.mjs';
import { masked } from './mask.mjs';
import { isOfPage, servePage } from './page/serve.mjs';
import { pause, sendInPieces } from './pieces.mjs';
import { carryOut } from './resources/index.mjs';
import { lagging } from './store.mjs';
import { callersZone, jsonInZone } from './zone.mjs';

const API_ROOT = '/api/v1';
/**
 * The platform's HTTP server: API under /api/v1, control interface under /_sandbox.
 * @param {import('./sandbox.mjs').Sandbox} sandbox
 * @param {{inContainer: boolean, names: string[]}} options `names`: what it serves beside the names of this computer
 * @returns {import('node:http').Server}
 */
export function platformServer(sandbox, { inContainer, names }) {
	const server = createServer((request, response) => {
		const foreign = foreignName(request, names);
		if (foreign !== undefined) return forbid(response, foreign);
		const [, path, search = ''] = /^([^?]*)\??(.*)$/.exec(request.url);
		const asked = [sandbox, request, response, path, new URLSearchParams(search)];
		const run = path.startsWith('/_sandbox') ? ownPages(...asked, inContainer) : serve(...asked);
		run.catch((error) => {
			process.stderr.write(`${error.stack}\n`);
			response.destroy();
		});
	});
	// Clients reuse connections; one that closes under a request would look like a fault that nobody asked for.
	server.keepAliveTimeout = 600_000;
	server.requestTimeout = 0;
	return server;
}

/** The control interface and the page, for this computer alone. */
async function ownPages(sandbox, request, response, path, search, inContainer) {
	const refusal = refusalOf(request, { inContainer });
	if (refusal !== undefined) return forbid(response, refusal);
	if (isOfPage(path)) await servePage(sandbox, request, response, path);
	else await control(sandbox, request, response, path, search);
}

async function serve(sandbox, request, response, fullPath, search) {
	const { jitterMs } = sandbox.settings.manners;
	if (jitterMs > 0) await pause(sandbox.network.fraction() * jitterMs);
	const { ledger, settings } = sandbox;
	response.setHeader('date', new Date(platformNow(settings.manners)).toUTCString());
	const inApi = fullPath === API_ROOT || fullPath.startsWith(`${API_ROOT}/`);
	const path = inApi ? fullPath.slice(API_ROOT.length) || '/' : fullPath;
	const entry = ledger.open(request, path, search);
	const fault = sandbox.faults.pick(request.method, path);
	let status = null;
	try {
		const received = await receive(request, entry);
		const exchange =
			fault === undefined || fault.afterAcceptance
				? handle(sandbox, { request, entry, path, search, inApi, received })
				: undamaged(sandbox, request, search);
		if (settings.latencyMs > 0) await pause(settings.latencyMs);
		if (fault !== undefined) entry.fault = fault.kind;
		if (fault?.kind === 'slow') await pause(fault.ms);
		const { drip } = settings.manners;
		const pieces = fault ? fault.kind === 'drip' && fault : drip?.of !== 'files' && drip;
		status = exchange.status;
		if (pieces) {
			const answer = { ...exchange, body: Buffer.from(exchange.text) };
			Object.assign(entry, await sendInPieces(response, answer, pieces));
		} else if (fault === undefined || fault.kind === 'slow') {
			response.writeHead(status, exchange.headers);
			response.end(exchange.text);
		} else {
			status = damage(fault, response, exchange, settings.manners);
			if (fault.kind === 'timeout') await closed(response);
		}
	} catch (error) {
		if (error.code !== 'ECONNRESET' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
		entry.fault = 'client-gone';
	} finally {
		ledger.close(entry, status);
	}
}

const closed = (response) =>
	new Promise((resolve) => (response.destroyed ? resolve() : response.once('close', resolve)));

/**
 * Reads the request to its end.
 * @returns {Promise<{json?: any, size?: number, files?: Map<string, {filename: string, mediaType: string,
 * bytes: Buffer}>, mediaType: string, problem?: ApiError}>}
 */
async function receive(request, entry) {
	const bytes = await buffer(request);
	const contentType = request.headers['content-type'] ?? '';
	const mediaType = contentType.split(';')[0].trim().toLowerCase();
	if (bytes.length === 0) return { mediaType };
	const isForm = mediaType === 'multipart/form-data';
	try {
		if (isForm) return { mediaType, ...(await readForm(bytes, contentType, entry)) };
		const text = bytes.toString('utf8');
		entry.body = text.slice(0, 2000);
		const json = JSON.parse(text);
		entry.body = masked(json);
		return { mediaType, json, size: bytes.length };
	} catch (error) {
		const message = isForm ? 'The multipart body is malformed.' : 'The body is not valid JSON.';
		return { mediaType, problem: new ApiError(400, { message, details: error.message }) };
	}
}

async function readForm(bytes, contentType, entry) {
	const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
	const files = new Map();
	const json = {};
	const noted = {};
	for (const [name, value] of form)
		if (typeof value === 'string') json[name] = value;
		else {
			const { name: filename, type: mediaType, size } = value;
			files.set(name, { filename, mediaType, bytes: Buffer.from(await value.arrayBuffer()) });
			noted[name] = { filename, mediaType, size };
		}
	entry.body = masked({ ...json, ...noted });
	return { json, files };
}

/** The time zone that a request names. */
const zoneAsked = (request, search) => ({
	header: request.headers['x-timezone'],
	query: search.get('timezone') ?? undefined,
});

/** The answer that stands beside a fault which hits before the request is carried out. */
const undamaged = (sandbox, request, search) =>
	complete(sandbox, { status: 200, body: {}, zone: callersZone(zoneAsked(request, search)) });

/**
 * Carries out one request. Everything between reading it and the finished answer happens at once, so that parallel
 * requests never see half of each other.
 */
function handle(sandbox, { request, entry, path, search, inApi, received }) {
	const { identities, rates, settings } = sandbox;
	const { manners, tenant } = settings;
	const asked = settings.honourTimezone ? zoneAsked(request, search) : {};
	let zone = callersZone(asked);
	let verdict;
	try {
		if (tenant === 'wrong') throw new ApiError(404, { message: 'Workspace not found.' });
		if (tenant === 'wrong-html') return complete(sandbox, { status: 404, html: NO_PAGE, zone });
		const identity = identities.authenticate(request.headers.authorization);
		zone = callersZone({
			...asked,
			...(identity.kind === 'user'
				? { member: identity.timezone ?? settings.memberTimezone }
				: { workspace: settings.workspaceTimezone }),
		});
		const found = inApi ? sandbox.contract.match(request.method, path) : undefined;
		verdict = rates.admit(found?.operation.sending === true);
		if (!verdict.allowed)
			throw new ApiError(429, {
				details: `At most ${verdict.limit} per window.`,
				retryAfter: Math.max(1, Math.ceil(verdict.retryAfterMs / 1000)),
			});
		if (identity.kind === 'forbidden') throw new ApiError(403);
		if (found === undefined) throw endpointNotFound(request.method, path);
		const { operation } = found;
		refuseEndpoint(manners, operation);
		const difference = settings.differ.find(
			(one) =>
				one.path === operation.path &&
				(one.method ?? request.method).toUpperCase() === request.method,
		);
		if (difference?.kind === 'missing') throw endpointNotFound(request.method, path);
		const lagMs = request.method === 'GET' ? manners.lagMs : 0;
		const result = lagging(lagMs, sandbox.seededAt, () =>
			perform(sandbox, { ...found, identity, zone, search, received, entry }),
		);
		entry.effect = result.repeated ? 'repeated' : result.effect;
		entry.resourceUuid = result.uuid ?? null;
		return complete(sandbox, { ...result, zone, verdict, operation, difference, entry });
	} catch (error) {
		const refusal =
			error instanceof ApiError ? error : new ApiError(500, { details: error.message });
		if (refusal !== error) process.stderr.write(`${request.method} ${path}: ${error.stack}\n`);
		entry.effect = 'rejected';
		entry.code = refusal.code;
		if (manners.refusalsRepeat && received.json !== undefined) {
			refusal.message += ` It was ${JSON.stringify(received.json)}`;
			refusal.details = received.json;
		}
		return complete(sandbox, {
			status: manners.refusalsAsSuccess && refusal.status < 500 ? 200 : refusal.status,
			body: refusal.body(),
			zone,
			verdict,
			retryAfter: refusal.retryAfter,
		});
	}
}

const NO_PAGE = '<!DOCTYPE html><title>404</title><h1>Not Found</h1>';

/**
 * Checks a request against the contract and carries it out, unless one with its key was before.
 * @returns {import('./answers.mjs').Result & {repeated?: boolean, bent?: boolean}} bent: no list of the contract
 */
function perform(sandbox, { operation, params, identity, zone, search, received, entry }) {
	const { contract, settings } = sandbox;
	const { manners } = settings;
	contract.checkPath(operation, params);
	for (const name of settings.ignoredQuery) search.delete(name);
	if (manners.ignoreGuesses)
		for (const name of new Set(search.keys()))
			if (isGuess(contract, operation, name)) search.delete(name);
	const ownPage = pageOfManners(settings, operation, search);
	const query = contract.readQuery(operation, search, zone.zone);
	if (ownPage !== undefined) Object.assign(query, { page: 1, per_page: Number.MAX_SAFE_INTEGER });
	if (received.problem !== undefined) throw received.problem;
	refuseBody(manners, operation, received);
	const body = contract.readBody(operation, received, zone.zone);
	const key = keyOf(settings, operation, body);
	const earlier = sandbox.answeredKeys.get(key);
	refuseContent(manners, operation, body, earlier !== undefined);
	if (earlier !== undefined) {
		refuseRepeated(manners, earlier, body.request_key);
		return { ...earlier.result, repeated: true };
	}
	const { files } = received;
	const result = carryOut({ sandbox, operation, params, query, body, files, identity, zone });
	if (key !== undefined) sandbox.answeredKeys.set(key, { result, repeats: 0 });
	if (ownPage === undefined) return result;
	const list = sandbox.moved(operation.path, result.body);
	return { ...result, body: listOfManners(list, ownPage), bent: true };
}

/** @returns {string | undefined} under what the answer is kept; undefined without a key that is known here */
function keyOf({ requestKeysInferred }, { key, sending }, body) {
	return (sending || requestKeysInferred) && body?.request_key
		? `${key} ${body.request_key}`
		: undefined;
}

/** The bytes and headers of an answer. */
function complete(sandbox, answer) {
	const { body, html, zone, verdict, operation, difference, entry, retryAfter } = answer;
	const { contract, rates, settings } = sandbox;
	const { manners } = settings;
	let { status } = answer;
	let text = html ?? jsonInZone(body, zone.zone);
	if (operation !== undefined) {
		const violation = answer.bent
			? undefined
			: contract.violation(operation, status, JSON.parse(text));
		if (violation === undefined) text = answerOfManners(manners, operation, text, entry.body);
		else {
			entry.violation = violation;
			status = 500;
			const message = 'The sandbox answered against the contract.';
			text = JSON.stringify(new ApiError(500, { message, details: violation }).body());
		}
	}
	if (difference !== undefined) text = differing(difference.kind, text);
	const limits = verdict ?? rates.look(false);
	const type = html === undefined ? 'application/json' : 'text/html';
	const headers = {
		'content-type': `${type}; charset=utf-8`,
		...(manners.zoneUnnamed ? {} : { 'x-timezone': zone.name }),
		'x-ratelimit-limit': limits.limit,
		'x-ratelimit-remaining': limits.remaining,
		'content-length': Buffer.byteLength(text),
	};
	const wait = retryAfterHeader(manners, retryAfter);
	if (wait !== undefined) headers['retry-after'] = wait;
	return { status, headers, text };
}

/** An answer that departs from the contract on purpose. */
function differing(kind, text) {
	const body = JSON.parse(text);
	const rows = body.data?.items ?? body.data?.data ?? body.data ?? body;
	if (kind === 'other-layout') return JSON.stringify({ ok: true, result: { list: rows } });
	const target = Array.isArray(rows) ? (rows[0] ?? body) : rows;
	target.field_beyond_the_contract = 'here';
	return JSON.stringify(body);
}
