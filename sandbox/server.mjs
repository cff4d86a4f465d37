import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listing } from './answers.mjs';
import { control } from './control.mjs';
import { ApiError, endpointNotFound } from './errors.mjs';
import { damage } from './faults.mjs';
import {
	answerOfManners,
	isGuess,
	isMissing,
	listOfManners,
	pageOfManners,
	platformNow,
	refuseBody,
	refuseGuessedKey,
	refuseRepeated,
	retryAfterHeader,
	wantPrompt,
	writeAnswer,
} from './manners.mjs';
import { sendInPieces } from './pieces.mjs';
import { foreignName, refusalOf } from './guard.mjs';
import { isOfPage, servePage } from './page/serve.mjs';
import { handlerFor } from './resources/index.mjs';
import { lagging } from './store.mjs';
import { callersZone, jsonInZone } from './zone.mjs';

const API_ROOT = '/api/v1';
const UTC = callersZone({});

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
		const [path, search = ''] = split(request.url);
		const run = path.startsWith('/_sandbox')
			? ownPages(sandbox, request, response, path, new URLSearchParams(search), inContainer)
			: serve(sandbox, request, response, path, new URLSearchParams(search));
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

function forbid(response, message) {
	response.writeHead(403, { 'content-type': 'application/json; charset=utf-8' });
	response.end(JSON.stringify({ success: false, message }));
}

function split(url) {
	const mark = url.indexOf('?');
	return mark === -1 ? [url] : [url.slice(0, mark), url.slice(mark + 1)];
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

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
		const early = fault !== undefined && !fault.afterAcceptance;
		if (early && fault.kind === 'reset-before') {
			entry.fault = fault.kind;
			damage(fault, response, {}, settings.manners);
			return;
		}
		const received = await receive(request, entry, ledger);
		const exchange = early
			? undamaged(sandbox, request, search)
			: handle(sandbox, { request, entry, path, search, inApi, received });
		if (settings.latencyMs > 0) await pause(settings.latencyMs);
		if (fault !== undefined) entry.fault = fault.kind;
		const { drip } = settings.manners;
		const pieces =
			fault?.kind === 'drip' ? fault : fault || drip?.of === 'files' ? undefined : drip;
		if (pieces) {
			status = exchange.status;
			const answer = { ...exchange, body: Buffer.from(exchange.text) };
			Object.assign(entry, await sendInPieces(response, answer, pieces));
			return;
		}
		if (fault !== undefined) {
			if (fault.kind === 'slow') await pause(fault.ms);
			status = damage(fault, response, exchange, settings.manners);
			if (fault.kind === 'timeout') await closed(response);
			return;
		}
		status = exchange.status;
		response.writeHead(status, exchange.headers);
		response.end(exchange.text);
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
async function receive(request, entry, ledger) {
	const bytes = await buffer(request);
	const contentType = request.headers['content-type'] ?? '';
	const mediaType = contentType.split(';')[0].trim().toLowerCase();
	if (bytes.length === 0) return { mediaType };
	if (mediaType === 'multipart/form-data') {
		const files = new Map();
		const json = {};
		try {
			const form = await new Response(bytes, {
				headers: { 'content-type': contentType },
			}).formData();
			for (const [name, value] of form) {
				if (typeof value === 'string') json[name] = value;
				else
					files.set(name, {
						filename: value.name,
						mediaType: value.type,
						bytes: Buffer.from(await value.arrayBuffer()),
					});
			}
		} catch {
			return {
				mediaType,
				problem: new ApiError(400, { message: 'The multipart body is malformed.' }),
			};
		}
		const shown = Object.fromEntries(
			[...files].map(([name, file]) => [
				name,
				{ filename: file.filename, mediaType: file.mediaType, size: file.bytes.length },
			]),
		);
		ledger.body(entry, { ...json, ...shown }, JSON.stringify(json));
		return { mediaType, json, files };
	}
	const text = bytes.toString('utf8');
	try {
		const json = JSON.parse(text);
		ledger.body(entry, json, text);
		return { mediaType, json, size: bytes.length };
	} catch (error) {
		entry.body = text.slice(0, 2000);
		return {
			mediaType,
			problem: new ApiError(400, {
				message: 'The body is not valid JSON.',
				details: error.message,
			}),
		};
	}
}

/** The answer that stands beside a fault which hits before the request is carried out. */
function undamaged(sandbox, request, search) {
	const zone = callersZone({
		header: request.headers['x-timezone'],
		query: search.get('timezone') ?? undefined,
	});
	return complete(sandbox, { status: 200, body: {}, zone, verdict: sandbox.rates.look(false) });
}

/**
 * Carries out one request. Everything between reading it and the finished answer happens at once, so that parallel
 * requests never see half of each other.
 */
function handle(sandbox, { request, entry, path, search, inApi, received }) {
	const { settings } = sandbox;
	const asked = settings.honourTimezone
		? { header: request.headers['x-timezone'], query: search.get('timezone') ?? undefined }
		: {};
	const context = { sandbox, zone: callersZone(asked), verdict: undefined };
	try {
		if (settings.tenant === 'wrong') throw new ApiError(404, { message: 'Workspace not found.' });
		if (settings.tenant === 'wrong-html')
			return complete(sandbox, {
				status: 404,
				html: '<!DOCTYPE html><title>404</title><h1>Not Found</h1>',
				zone: context.zone,
			});
		const identity = sandbox.identities.authenticate(request.headers.authorization);
		context.zone = callersZone({
			...asked,
			member: identity.kind === 'user' ? (identity.timezone ?? settings.memberTimezone) : undefined,
			workspace: identity.kind === 'user' ? undefined : settings.workspaceTimezone,
		});
		const found = inApi ? sandbox.contract.match(request.method, path) : undefined;
		context.verdict = sandbox.rates.admit(found?.operation.sending === true);
		if (!context.verdict.allowed) {
			throw new ApiError(429, {
				message: 'Too many requests.',
				details: `At most ${context.verdict.limit} per window.`,
				retryAfter: Math.max(1, Math.ceil(context.verdict.retryAfterMs / 1000)),
			});
		}
		if (identity.kind === 'forbidden') throw new ApiError(403);
		if (found === undefined) throw endpointNotFound(request.method, path);
		if (request.method === 'GET' && settings.manners.unreadable.includes(found.operation.path))
			throw new ApiError(403);
		const difference = settings.differ.find(
			(one) =>
				one.path === found.operation.path &&
				(one.method ?? request.method).toUpperCase() === request.method,
		);
		if (difference?.kind === 'missing' || isMissing(settings.manners, found.operation))
			throw endpointNotFound(request.method, path);
		const lagMs = request.method === 'GET' ? settings.manners.lagMs : 0;
		const result = lagging(lagMs, sandbox.seededAt, () =>
			carryOut(sandbox, {
				...found,
				identity,
				zone: context.zone,
				search,
				received,
				entry,
			}),
		);
		entry.effect = result.repeated ? 'repeated' : result.effect;
		entry.resourceUuid = result.uuid ?? null;
		return complete(sandbox, {
			...result,
			zone: context.zone,
			verdict: context.verdict,
			operation: found.operation,
			difference,
			entry,
		});
	} catch (error) {
		const refusal =
			error instanceof ApiError ? error : new ApiError(500, { details: error.message });
		if (refusal !== error) process.stderr.write(`${request.method} ${path}: ${error.stack}\n`);
		entry.effect = 'rejected';
		entry.code = refusal.code;
		const verdict = context.verdict ?? sandbox.rates.look(false);
		if (settings.manners.refusalsRepeat && received.json !== undefined) {
			refusal.message += ` It was ${JSON.stringify(received.json)}`;
			refusal.details = received.json;
		}
		return complete(sandbox, {
			status: settings.manners.refusalsAsSuccess && refusal.status < 500 ? 200 : refusal.status,
			body: refusal.body(),
			zone: context.zone,
			verdict,
			retryAfter: refusal.retryAfter,
		});
	}
}

/** @returns {import('./answers.mjs').Result & {repeated?: boolean}} */
function carryOut(sandbox, { operation, params, identity, zone, search, received, entry }) {
	const { contract, settings } = sandbox;
	contract.checkPath(operation, params);
	for (const name of settings.ignoredQuery) search.delete(name);
	if (settings.manners.ignoreGuesses)
		for (const name of new Set(search.keys()))
			if (isGuess(contract, operation, name)) search.delete(name);
	const cut = operation.method === 'GET' ? settings.pages[operation.path] : undefined;
	const position = {
		page: Number(search.get('page') ?? 1),
		perPage: Number(search.get('per_page') ?? cut?.perPage),
	};
	if (cut !== undefined) for (const name of ['page', 'per_page']) search.delete(name);
	const move = operation.method === 'GET' ? settings.movingLists[operation.path] : undefined;
	const ownPage = pageOfManners(settings.manners, operation, search, move !== undefined);
	const query = contract.readQuery(operation, search, zone.zone, settings.strictQuery);
	if (ownPage !== undefined) Object.assign(query, { page: 1, per_page: Number.MAX_SAFE_INTEGER });
	const { largestBody } = settings.manners;
	if (largestBody !== null && received.size > largestBody) throw new ApiError(413);
	if (received.problem !== undefined) throw received.problem;
	refuseBody(settings.manners, operation, received);
	const body = contract.readBody(operation, received, zone.zone);
	const keys = operation.sending
		? settings.requestKeys
		: settings.requestKeys && settings.requestKeysInferred;
	const key =
		keys && typeof body?.request_key === 'string' && body.request_key !== ''
			? `${operation.key} ${body.request_key}`
			: undefined;
	const text = key === undefined ? '' : JSON.stringify(received.json);
	const earlier = key === undefined ? undefined : sandbox.answeredKeys.get(key);
	refuseGuessedKey(settings.manners, operation, body, earlier !== undefined);
	wantPrompt(settings.manners, operation, body);
	if (earlier !== undefined) {
		if (earlier.text !== text) entry.keyConflict = true;
		refuseRepeated(settings.manners, earlier, text);
		return { ...earlier.result, repeated: true };
	}
	const result = handlerFor(
		contract,
		operation,
	)({ sandbox, operation, params, query, body, files: received.files, identity, zone });
	if (key !== undefined) sandbox.answeredKeys.set(key, { result, text, at: Date.now() });
	if (ownPage !== undefined) {
		const { body: whole } = result;
		const list = move ? sandbox.moved(operation.path, move, whole) : whole;
		return { ...result, body: listOfManners(settings.manners, list, ownPage), bent: true };
	}
	return cut === undefined ? result : onePage(result, cut.layout, position);
}

/** @returns {import('./answers.mjs').Result} a bare list cut into pages */
function onePage(result, layout, { page, perPage }) {
	const rows = result.body.data;
	const shown = rows.slice((page - 1) * perPage, page * perPage);
	const data = listing(layout, shown, { page, perPage, total: rows.length });
	return { ...result, body: { ...result.body, data } };
}

/** The bytes and headers of an answer. */
function complete(
	sandbox,
	{ status, body, html, zone, verdict, operation, difference, entry, retryAfter, bent },
) {
	const limits = verdict ?? sandbox.rates.look(false);
	const headers = {
		'content-type':
			html === undefined ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
		...(sandbox.settings.manners.zoneUnnamed ? {} : { 'x-timezone': (zone ?? UTC).name }),
		'x-ratelimit-limit': limits.limit,
		'x-ratelimit-remaining': limits.remaining,
		...(retryAfter === undefined
			? {}
			: { 'retry-after': retryAfterHeader(sandbox.settings.manners, retryAfter) }),
	};
	let text = html ?? jsonInZone(body, (zone ?? UTC).zone);
	// A list in pages that the contract does not know differs from it on purpose.
	const asContract = !bent && sandbox.settings.pages[operation?.path] === undefined;
	if (operation !== undefined && sandbox.settings.validateResponses && asContract) {
		const violation = sandbox.contract.violation(operation, status, JSON.parse(text));
		if (violation !== undefined) {
			entry.violation = violation;
			status = 500;
			text = JSON.stringify(
				new ApiError(500, {
					message: 'The sandbox answered against the contract.',
					details: violation,
				}).body(),
			);
		}
	}
	if (operation !== undefined) {
		const answer = JSON.parse(text);
		const other = answerOfManners(sandbox.settings.manners, operation.key, answer, entry.body);
		if (other !== answer) text = JSON.stringify(other);
	}
	if (operation !== undefined && status < 300)
		text = writeAnswer(sandbox.settings.manners, operation.method) ?? text;
	if (difference !== undefined) text = differing(difference.kind, text);
	headers['content-length'] = Buffer.byteLength(text);
	return { status, headers, text };
}

/** An answer that departs from the contract on purpose. */
function differing(kind, text) {
	const body = JSON.parse(text);
	if (kind === 'extra-field') {
		const target = [
			body.data?.items?.[0],
			body.data?.data?.[0],
			body.data?.[0],
			body.data,
			body,
		].find((one) => one !== null && typeof one === 'object' && !Array.isArray(one));
		target.field_beyond_the_contract = 'here';
		return JSON.stringify(body);
	}
	const rows = body.data?.items ?? body.data?.data ?? body.data ?? body;
	return JSON.stringify({ ok: true, result: { list: rows } });
}

/**
 * Another origin that serves stored files and recordings without credentials.
 * @param {import('./sandbox.mjs').Sandbox} sandbox
 * @param {{names: string[]}} options as of `platformServer`
 */
export function fileServer(sandbox, { names }) {
	return createServer((request, response) => {
		const foreign = foreignName(request, names);
		if (foreign !== undefined) return forbid(response, foreign);
		serveFile(sandbox, request, response).catch((error) => {
			process.stderr.write(`${error.stack}\n`);
			response.destroy();
		});
	});
}

async function serveFile(sandbox, request, response) {
	const { drip, fileBytes } = sandbox.settings.manners;
	const [path] = split(request.url);
	const entry = {
		method: request.method,
		path,
		authorized: request.headers.authorization !== undefined,
	};
	sandbox.fileRequests.push(entry);
	const [, kind, name] = path.split('/');
	const found =
		kind === 'recordings'
			? recording(sandbox, name)
			: kind === 'medias'
				? sandbox.files.get(name)
				: undefined;
	if (found === undefined) {
		response.writeHead(404, { 'content-type': 'text/plain' });
		response.end('Not found');
		return;
	}
	const body = fileBytes === null ? found.bytes : Buffer.alloc(fileBytes);
	const headers = {
		'content-type': found.mediaType || 'application/octet-stream',
		'content-length': body.length,
		'content-disposition': `attachment; filename="${encodeURIComponent(found.filename)}"`,
	};
	if (request.method === 'HEAD') {
		response.writeHead(200, headers);
		response.end();
		return;
	}
	const pieces = drip && drip.of !== 'api' ? drip : { bytes: 65_536 };
	Object.assign(entry, await sendInPieces(response, { status: 200, headers, body }, pieces));
}

/** One second of silence: a file that players accept. */
function recording(sandbox, name) {
	const uuid = name?.replace(/\.wav$/, '');
	if (sandbox.store.collection('calls').get(uuid) === undefined) return undefined;
	const samples = 8000;
	const bytes = Buffer.alloc(44 + samples, 128);
	bytes.write('RIFF', 0);
	bytes.writeUInt32LE(36 + samples, 4);
	bytes.write('WAVEfmt ', 8);
	bytes.writeUInt32LE(16, 16);
	bytes.writeUInt16LE(1, 20);
	bytes.writeUInt16LE(1, 22);
	bytes.writeUInt32LE(8000, 24);
	bytes.writeUInt32LE(8000, 28);
	bytes.writeUInt16LE(1, 32);
	bytes.writeUInt16LE(8, 34);
	bytes.write('data', 36);
	bytes.writeUInt32LE(samples, 40);
	return { filename: `${uuid}.wav`, mediaType: 'audio/wav', bytes };
}
