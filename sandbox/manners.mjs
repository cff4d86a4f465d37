import { listing } from './answers.mjs';
import { ApiError, endpointNotFound, invalid } from './errors.mjs';

/**
 * The manners of real platforms and networks, each with the values that turn it on; README.md says what they do. Null,
 * they are off: the setting `manners`. The variable `SANDBOX_MANNERS` (JSON) turns some on for a whole process, so that
 * any test can run against them.
 */
const MANNERS = {
	callAnswer: ['older', 'quickstart'],
	conversationList: ['thin', 'late'],
	contactSearch: ['prefix', 'exact', 'digits'],
	blacklistShown: ['hidden', 'beside-active', 'untold'],
	ignoreGuesses: [true],
	filters: ['lenient'],
	calendarDays: ['utc', 'until'],
	unreadable: [['/agents']],
	zoneUnnamed: [true],
	refusalsAsSuccess: [true],
	writeAnswers: ['empty-array', 'bare-array', 'empty', 'text'],
	listLayout: ['array', 'bare', 'meta-beside', 'pagination-beside', 'next-url', 'camel-case'],
	rowsPerPage: [15],
	largestPage: [30],
	largestBody: [1_000_000],
	samePage: [true],
	drip: [{ of: 'all', bytes: 100 }],
	fileBytes: [1000],
	jitterMs: [100],
	lagMs: [500],
	retryAfter: ['date', 'epochMs'],
	clockOffsetMs: [-18_000_000],
	httpsWebhooks: [true],
	refusalsRepeat: [true],
	guessedKeys: ['field', 'message', 'taken'],
	repeatedKeys: ['in-progress', 'record'],
	promptRequired: [true],
	newerConversations: [true],
	bareDeletes: [true],
	strictListings: [true],
	textCells: [true],
	recordLayout: ['flat', 'data', 'values', 'fields', 'wrapped'],
	noTableFields: [true],
	timedSignatures: [true],
	eventShape: ['client', 'beside', 'ids', 'nameless'],
};

export const NO_MANNERS = Object.fromEntries(Object.keys(MANNERS).map((name) => [name, null]));

/** @returns {Record<string, any[]>} every manner with the values that turn it on */
export const allManners = () => MANNERS;

/** @returns {object} the manners that the environment asks for */
export const mannersOfEnvironment = () => JSON.parse(process.env.SANDBOX_MANNERS ?? '{}');

/** Whether a text of a contact is what was searched for, both in small letters. */
export function isFoundBy({ contactSearch }, text, wanted) {
	if (contactSearch === 'prefix') return text.startsWith(wanted);
	if (contactSearch === 'exact') return text === wanted;
	if (text.includes(wanted)) return true;
	const digits = wanted.replace(/\D/g, '');
	return contactSearch === 'digits' && digits !== '' && text.replace(/\D/g, '').includes(digits);
}

/** A contact as the manner lets it be shown. */
export function contactOfManners({ blacklistShown }, contact) {
	if (blacklistShown === 'beside-active' && contact.status === 'Blacklisted')
		return { ...contact, status: 'Active' };
	if (blacklistShown !== 'untold') return contact;
	const { status, blacklist, ...rest } = contact;
	return rest;
}

/** Whether the list of contacts leaves a contact out. */
export const isHiddenContact = ({ blacklistShown }, { status }) =>
	blacklistShown === 'hidden' && status === 'Blacklisted';

/** A record of a table with its cells where the manner wants them, without the empty ones. */
export function recordOfManners({ recordLayout: layout }, { uuid, record, ...rest }) {
	const cells = Object.entries(record).filter(([, value]) => value !== null && value !== '');
	if (!layout) return { uuid, record, ...rest };
	if (layout === 'flat') return { ...rest, record_uuid: uuid, ...Object.fromEntries(cells) };
	if (layout !== 'wrapped') return { ...rest, id: uuid, [layout]: Object.fromEntries(cells) };
	const wrapped = cells.map(([name, value]) => [name, { value, type: typeof value }]);
	return { ...rest, uuid, ...Object.fromEntries(wrapped) };
}

/** @throws {ApiError} 403, 404 for an endpoint that may not be read, or that the platform does not have */
export function refuseEndpoint({ unreadable, noTableFields }, { key, method, path }) {
	if (method === 'GET' && unreadable?.includes(path)) throw new ApiError(403);
	if (noTableFields && key === 'GET /data/{}/fields') throw endpointNotFound(method, path);
}

/** @throws {ApiError} 413 for a body that is too large, 400 for a DELETE that carries what the contract does not have */
export function refuseBody({ largestBody, bareDeletes }, { method, contract }, received) {
	const { mediaType, json, size } = received;
	if (largestBody && size > largestBody) throw new ApiError(413);
	if (!bareDeletes || method !== 'DELETE' || contract.requestBody !== undefined) return;
	if (mediaType !== '' || json !== undefined)
		throw new ApiError(400, { message: 'A DELETE takes no body and no content type here.' });
}

/** @throws {ApiError} 422 for a request key that is a guess, and for a call without a prompt */
export function refuseContent({ guessedKeys, promptRequired }, { key, sending }, body, isRepeated) {
	if (promptRequired && key === 'POST /call' && body?.prompt === undefined)
		throw new ApiError(422, { message: 'The prompt field is required.', field: 'prompt' });
	if (!guessedKeys || sending || body?.request_key === undefined) return;
	if (guessedKeys === 'taken' && !isRepeated) return;
	throw new ApiError(422, {
		message:
			guessedKeys === 'taken'
				? 'The request_key has already been used for another request.'
				: 'The field request_key is prohibited.',
		field: guessedKeys === 'message' ? undefined : 'request_key',
	});
}

/** How often a request is said to be in progress, with the manner `repeatedKeys`. */
const TIMES_IN_PROGRESS = 2;

/**
 * @param {{result: any, repeats: number}} first
 * @param {string} key
 * @throws {ApiError} for a repeated key, as the manner has it
 */
export function refuseRepeated({ repeatedKeys }, first, key) {
	if (repeatedKeys === 'in-progress' && ++first.repeats <= TIMES_IN_PROGRESS)
		throw new ApiError(409, {
			code: 'REQUEST_IN_PROGRESS',
			message: 'A request with this request_key is in progress.',
			retryAfter: 1,
		});
	if (repeatedKeys === 'record')
		throw new ApiError(409, {
			code: 'DUPLICATE_REQUEST',
			message: 'This request_key has been processed already.',
			data: { ...first.result.body.data, request_key: key },
		});
}

/** Whether nothing comes of a query parameter, with `ignoreGuesses`. */
export function isGuess(contract, { contract: operation }, name) {
	if (name === 'page' || name === 'per_page') return false;
	const parameter = (operation.parameters ?? [])
		.map((one) => contract.resolve(one))
		.find((one) => one.in === 'query' && one.name === name);
	const source = parameter && (parameter['x-source'] ?? operation['x-source']);
	return (source ?? 'inferred') === 'inferred';
}

/** Fields of the answer to a call in the variants without a conversation (reference: call). */
const CALL_ANSWERS = {
	older: ({ id, agentId, status }) => ({ id, agentId, provider: 'sip', status }),
	quickstart: ({ id, agentId, status }, number) => ({
		id,
		status,
		provider: 'sip',
		agentId,
		participant: { number },
		createdAt: new Date().toISOString(),
	}),
};

/** What a write is answered with once it is done. */
const WRITE_ANSWERS = {
	'empty-array': JSON.stringify({ success: true, message: 'Done.', data: [] }),
	'bare-array': '[]',
	empty: '',
	text: 'OK',
};

/**
 * What the answer to a request that was carried out becomes by the manners.
 * @param {object} manners
 * @param {{key: string, method: string}} operation
 * @param {string} text JSON, as the contract has it
 * @param {any} sent JSON of the request
 * @returns {string}
 */
export function answerOfManners(manners, { key, method }, text, sent) {
	const { callAnswer, newerConversations, conversationList, writeAnswers } = manners;
	const written = method === 'GET' ? undefined : WRITE_ANSWERS[writeAnswers];
	if (written !== undefined) return written;
	const withData = (change) => {
		const answer = JSON.parse(text);
		return JSON.stringify({ ...answer, data: change(answer.data) });
	};
	if (key === 'POST /call' && callAnswer)
		return withData((data) => CALL_ANSWERS[callAnswer](data, sent.participant.number));
	if (key === 'GET /conversations/{}' && newerConversations)
		return withData(({ call, ...data }) => {
			const { status, ...rest } = call ?? {};
			return { ...data, call: call && rest };
		});
	if (key === 'GET /conversations' && conversationList === 'thin')
		return withData((page) => ({
			...page,
			data: page.data.map(({ status, call, ...row }) => row),
		}));
	return text;
}

/**
 * The page that a list is asked for, where settings decide what pages are.
 * @param {object} settings
 * @param {import('./validate.mjs').Operation} operation
 * @param {URLSearchParams} search page and page size are taken out of it
 * @returns {{page: number, perPage: number, layout: string | null} | undefined} undefined where the contract's pages hold
 * @throws {ApiError} 422 for a page size that is too large
 */
export function pageOfManners({ manners, movingLists, pages }, { method, path, paging }, search) {
	const { listLayout, rowsPerPage, largestPage, samePage } = manners;
	if (method !== 'GET' || paging === undefined) return undefined;
	const name = paging === 'cursor' ? 'limit' : 'per_page';
	const asked = Number(search.get(name) ?? 0);
	if (largestPage && asked > largestPage)
		throw invalid(name, `The field ${name} must not be greater than ${largestPage}.`);
	const own = pages[path];
	const isOwn = own || listLayout || rowsPerPage || samePage || movingLists[path];
	if (name === 'limit' || !isOwn) return undefined;
	const page = samePage ? 1 : Number(search.get('page') ?? 1);
	for (const one of ['page', 'per_page']) search.delete(one);
	const perPage = rowsPerPage ?? (asked || (own?.perPage ?? 15));
	return { page, perPage, layout: own?.layout ?? listLayout };
}

/** The rows of a list, whatever its layout. */
const rowsOf = (data) => data?.items ?? data?.data ?? data;

/** A list with other rows. */
function withRows(data, rows, numbers) {
	if (Array.isArray(data)) return rows;
	return Array.isArray(data.items)
		? { ...data, items: rows, pagination: numbers ?? data.pagination }
		: { ...data, ...numbers, data: rows };
}

/**
 * A list as it has become by being read.
 * @param {{added: any[], removed: number, turned: number}} so far; changed
 * @param {{add?: number, remove?: number, turn?: number, at?: 'top' | 'end'}} move
 * @param {any} body with all rows
 * @param {() => string} newId
 * @returns {any} the body
 */
export function movedList(so, { add = 0, remove = 0, turn = 0, at = 'top' }, body, newId) {
	const all = rowsOf(body.data);
	const left = all.slice(so.removed);
	const joined = at === 'top' ? [...so.added, ...left] : [...left, ...so.added];
	const cut = joined.length - (so.turned % Math.max(1, joined.length));
	const rows = [...joined.slice(cut), ...joined.slice(0, cut)];
	const fresh = Array.from({ length: add }, () => ({ ...all[0], uuid: newId() }));
	so.added = at === 'top' ? [...fresh, ...so.added] : [...so.added, ...fresh];
	so.removed += remove;
	so.turned += turn;
	return { ...body, data: withRows(body.data, rows) };
}

/** A list that holds all rows, cut into pages and laid out as manners want it. @returns {any} the body */
export function listOfManners(body, { page, perPage, layout }) {
	const { data, ...envelope } = body;
	const rows = rowsOf(data);
	if (!Array.isArray(rows)) return body;
	const shown = rows.slice((page - 1) * perPage, page * perPage);
	const position = { page, perPage, total: rows.length };
	const { pagination: numbers } = listing('items', shown, position);
	const { last_page: lastPage, total } = numbers;
	switch (layout) {
		case 'page':
		case 'items':
			return { ...envelope, data: listing(layout, shown, position) };
		case 'array':
			return shown;
		case 'flat':
		case 'bare':
			return { ...envelope, data: shown };
		case 'meta-beside':
			return { ...envelope, data: shown, meta: numbers };
		case 'pagination-beside':
			return { ...envelope, data: shown, pagination: numbers };
		case 'next-url': {
			const next = page < lastPage ? `https://platform.example.com/list?page=${page + 1}` : null;
			return { ...envelope, data: { data: shown, next_page_url: next } };
		}
		case 'camel-case': {
			const pagination = { currentPage: page, totalPages: lastPage, totalItems: total };
			return { ...envelope, data: { items: shown, pagination } };
		}
		default:
			return { ...envelope, data: withRows(data, shown, numbers) };
	}
}

/** IDs that another client reads of an event's data (catalogue, last area). */
const EVENT_IDS = ['call_id', 'conversation_uuid', 'session_evaluation_uuid', 'agent_id'];

/** How events are delivered, by the manner; otherwise in the sandbox's own shape. */
const EVENT_SHAPES = {
	client: ({ event, data }) => ({
		event: event.endsWith('_evaluation') ? 'conversation_end_report' : event,
		data,
	}),
	beside: ({ event, data }) => ({ event, ...data }),
	ids: ({ event, data }) => {
		const ids = Object.entries(data).filter(([name]) => EVENT_IDS.includes(name));
		return { event, data: Object.fromEntries(ids) };
	},
	nameless: ({ data }) => ({ data }),
};

/** The body of a delivery. @param {{event: string, timestamp: any, data: any}} delivery in the sandbox's own shape */
export const deliveryOfManners = ({ eventShape }, delivery) =>
	EVENT_SHAPES[eventShape]?.(delivery) ?? delivery;

/** Whether a delivery carries headers that tell its event and its ID; no source names one. */
export const namesDeliveries = ({ eventShape }) => !['client', 'nameless'].includes(eventShape);

/** What the platform's clock shows, in milliseconds. */
export const platformNow = ({ clockOffsetMs }) => Date.now() + clockOffsetMs;

/**
 * @param {typeof NO_MANNERS} manners
 * @param {any} seconds what is no number is left as it is
 * @returns the value of the header `Retry-After`
 */
export function retryAfterHeader(manners, seconds) {
	if (typeof seconds !== 'number') return seconds;
	const until = (Math.floor(platformNow(manners) / 1000) + seconds) * 1000;
	if (manners.retryAfter === 'date') return new Date(until).toUTCString();
	return manners.retryAfter === 'epochMs' ? until : seconds;
}
