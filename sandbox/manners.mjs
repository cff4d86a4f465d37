import { ApiError } from './errors.mjs';

/**
 * The manners of real platforms and networks, a switch each, all off: the setting `manners`. The variable
 * `SANDBOX_MANNERS` (JSON) turns some on for a whole process, so that any test can run against them.
 */
export const NO_MANNERS = {
	/**
	 * Which answer `POST /call` gives where it names no conversation (reference: call): 'older' or 'quickstart'.
	 * The call itself takes place.
	 */
	callAnswer: '',
	/**
	 * How the list of conversations departs from what is asked for: 'oldest-first' (it takes neither an order nor a page
	 * size), 'thin' (rows without status and call), 'late' (a conversation appears in it once it is closed).
	 */
	conversationList: '',
	/**
	 * How the search of contacts compares with what is stored: 'prefix', 'exact', 'digits' (separators do not count, as
	 * they do otherwise).
	 */
	contactSearch: '',
	/**
	 * How contacts show that they are blacklisted: 'hidden' (the list leaves them out), 'beside-active' (their status
	 * stays Active, the entry stands beside it), 'untold' (rows have neither).
	 */
	blacklistShown: '',
	/**
	 * Query parameters whose names are a guess (`x-source: inferred`), and those that the contract does not have, are
	 * taken and nothing comes of them. Page number and page size work.
	 */
	ignoreGuesses: false,
	/** Which days the list of appointments counts: 'utc' (days of UTC), 'until' (the last day is not among them). */
	calendarDays: '',
	/** Paths, as in the contract, that no token may read: 403. */
	unreadable: [],
	/** No answer says in `X-Timezone` which zone was applied. */
	zoneUnnamed: false,
	/** Whatever is refused with 400 to 429 is answered 200, with the error envelope. */
	refusalsAsSuccess: false,
	/** What a write is answered with once it is done: 'empty-array' under data, 'bare-array', 'empty', 'text'. */
	writeAnswers: null,
	/**
	 * How lists are laid out: 'array' and nothing around it, 'bare' under data, 'meta-beside' and 'pagination-beside'
	 * data, 'next-url' alone beside the rows, 'camel-case'.
	 */
	listLayout: null,
	/** Rows per page, whatever size is asked for. */
	rowsPerPage: null,
	/** A larger page size is refused with 422. */
	largestPage: null,
	/** A JSON body of more bytes is refused with 413. */
	largestBody: null,
	/** Lists in pages give their first page, whatever page is asked for. */
	samePage: false,
	/** A list with a cursor never ends: after the last row ever new cursors, with 'empty' or 'repeating' pages. */
	newCursors: null,
	/**
	 * Answers come in pieces: `{of: 'api' | 'files' | 'all', bytes?, everyMs?, endless?}`; 'files' are those of the
	 * file server. `everyMs` 0: as fast as the client reads; `endless`: the last byte is repeated for ever.
	 */
	drip: null,
	/** Every file of the file server has this many bytes, and says so. */
	fileBytes: null,
	/** Each request reaches the platform up to this much later, each by another time; the seed decides. */
	jitterMs: 0,
	/** Lists and records show what was created only so much later. */
	lagMs: 0,
	/** How `Retry-After` is said: 'seconds', 'date' (HTTP), 'epoch' (seconds since 1970) or 'epochMs'. */
	retryAfter: 'seconds',
	/** How far the platform's clock goes wrong, which its dates and the header `Date` follow. */
	clockOffsetMs: 0,
	/** Webhooks must have an https address (reference: webhook guide); others are refused with 422. */
	httpsWebhooks: false,
	/** Every refusal repeats in its message and its details what it refuses: the body as it came. */
	refusalsRepeat: false,
	/**
	 * `request_key` is refused with 422 where no source shows it: 'field' names it as the field, 'message' in the message
	 * alone; 'taken' takes it, but not a second time.
	 */
	guessedKeys: '',
	/**
	 * The answer to a repeated `request_key`: 'in-progress' (409 with `Retry-After` for the first two seconds, then
	 * the first answer), 'record' (409 with the first record and its key under data), 'mismatch' (422 where the request
	 * is another).
	 */
	repeatedKeys: '',
	/** A call without a prompt is refused with 422 (reference: call, which lists it as required). */
	promptRequired: false,
	/**
	 * A conversation read by itself shows its call without a status, and stays Active when nobody answered (reference:
	 * conversations, newer variant); the list shows the status.
	 */
	newerConversations: false,
	/**
	 * An update replaces what it updates, unless a source says that it is partial: fields that it leaves out are gone.
	 * 'always': also where a source says so.
	 */
	replacingUpdates: false,
	/** A DELETE with a body or a content type is refused with 400 where the contract has none. */
	bareDeletes: false,
	/** A new listing needs contacts, and its rule is for calls or texts (reference: listings); else 422. */
	strictListings: false,
	/** A table keeps every value as text; others are refused with 422. */
	textCells: false,
	/**
	 * Where a record of a table shows its cells, without the empty ones: 'flat' beside `record_uuid`, 'data', 'values' or
	 * 'fields' below that key, beside `id`, 'wrapped' as objects with a `value`, beside `uuid`.
	 */
	recordLayout: '',
	/** The columns of a table cannot be read: 404, as if there were no such endpoint. */
	noTableFields: false,
	/** Signatures cover the time: `t=<seconds>,v1=<HMAC of time, dot and body>`. */
	timedSignatures: false,
	/**
	 * How events are delivered: 'client' as another client reads them (catalogue, last area: no header; an evaluation
	 * comes as an end report), 'beside' with the fields beside `event`, 'ids' with nothing but IDs, 'nameless' without
	 * the event's name. Otherwise in the sandbox's own shape, see `deliveries.mjs`.
	 */
	eventShape: null,
};

/** What turns on a manner that has more than one way, for tests that go through all of them. */
const WAYS = {
	callAnswer: ['older', 'quickstart'],
	contactSearch: ['prefix', 'exact', 'digits'],
	blacklistShown: ['hidden', 'beside-active', 'untold'],
	conversationList: ['oldest-first', 'thin', 'late'],
	calendarDays: ['utc', 'until'],
	unreadable: [['/agents']],
	writeAnswers: ['empty-array', 'bare-array', 'empty', 'text'],
	listLayout: ['array', 'bare', 'meta-beside', 'pagination-beside', 'next-url', 'camel-case'],
	rowsPerPage: [15],
	largestPage: [30],
	largestBody: [1_000_000],
	newCursors: ['empty', 'repeating'],
	drip: [{ of: 'all', bytes: 100 }],
	fileBytes: [1000],
	jitterMs: [100],
	lagMs: [500],
	retryAfter: ['date', 'epoch', 'epochMs'],
	clockOffsetMs: [-18_000_000],
	guessedKeys: ['field', 'message', 'taken'],
	repeatedKeys: ['in-progress', 'record', 'mismatch'],
	recordLayout: ['flat', 'data', 'values', 'fields', 'wrapped'],
	eventShape: ['client', 'beside', 'ids', 'nameless'],
	replacingUpdates: [true, 'always'],
};

/** @returns {Record<string, any[]>} every manner with the values that turn it on */
export const allManners = () =>
	Object.fromEntries(
		Object.entries(NO_MANNERS).map(([name, off]) => [
			name,
			WAYS[name] ?? (off === false ? [true] : []),
		]),
	);

/** @returns {object} the manners that the environment asks for */
export const mannersOfEnvironment = () =>
	process.env.SANDBOX_MANNERS === undefined ? {} : JSON.parse(process.env.SANDBOX_MANNERS);

/** Whether a text of a contact is what was searched for, both in small letters. */
export function isFoundBy({ contactSearch }, text, wanted) {
	if (contactSearch === 'prefix') return text.startsWith(wanted);
	if (contactSearch === 'exact') return text === wanted;
	if (text.includes(wanted)) return true;
	const digits = wanted.replace(/\D/g, '');
	return contactSearch === 'digits' && digits !== '' && text.replace(/\D/g, '').includes(digits);
}

/** A value of the same type that holds nothing. */
const blank = (value) =>
	({ string: '', boolean: false, number: 0 })[typeof value] ??
	(Array.isArray(value) ? [] : value === null ? null : {});

/** Whether an update empties what it leaves out (the manner `replacingUpdates`). */
export const replaces = ({ settings: { manners } }, { contract }) =>
	manners.replacingUpdates === 'always' ||
	(manners.replacingUpdates && contract['x-left-out'] !== 'stays');

/**
 * What such an update empties.
 * @param {object} present what is there now
 * @param {string[]} names fields of it that the update can set
 */
export const emptied = (sandbox, operation, present, names = Object.keys(present)) =>
	replaces(sandbox, operation)
		? Object.fromEntries(names.map((name) => [name, blank(present[name] ?? null)]))
		: {};

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

/** Whether the platform does not have an endpoint. */
export const isMissing = ({ noTableFields }, { key }) =>
	noTableFields && key === 'GET /data/{}/fields';

/** @throws {ApiError} 422 for a request key that is a guess, as the manner has it */
export function refuseGuessedKey({ guessedKeys }, operation, body, seen) {
	const key = body?.request_key;
	if (guessedKeys === '' || operation.sending || key === undefined) return;
	if (guessedKeys === 'taken') {
		if (!seen) return;
		throw new ApiError(422, {
			message: 'The request_key has already been used for another request.',
			field: 'request_key',
		});
	}
	throw new ApiError(422, {
		message: 'The field request_key is prohibited.',
		...(guessedKeys === 'field' ? { field: 'request_key' } : {}),
	});
}

/** How long a request is in progress, with the manner `repeatedKeys`. */
const IN_PROGRESS_MS = 2000;

/**
 * @param {{result: any, text: string, at: number}} first
 * @throws {ApiError} for a repeated key, as the manner has it
 */
export function refuseRepeated({ repeatedKeys }, first, text) {
	if (repeatedKeys === 'in-progress' && Date.now() < first.at + IN_PROGRESS_MS)
		throw new ApiError(409, {
			code: 'REQUEST_IN_PROGRESS',
			message: 'A request with this request_key is in progress.',
			retryAfter: 1,
		});
	if (repeatedKeys === 'mismatch' && first.text !== text)
		throw new ApiError(422, {
			message: 'The request_key does not match its first request.',
			field: 'request_key',
		});
	if (repeatedKeys === 'record')
		throw new ApiError(409, {
			code: 'DUPLICATE_REQUEST',
			message: 'This request_key has been processed already.',
			data: { ...first.result.body.data, request_key: JSON.parse(text).request_key },
		});
}

/** @throws {ApiError} 422 for a call without a prompt */
export function wantPrompt({ promptRequired }, { key }, body) {
	if (promptRequired && key === 'POST /call' && body?.prompt === undefined)
		throw new ApiError(422, { message: 'The prompt field is required.', field: 'prompt' });
}

/** @throws {ApiError} 400 for a DELETE that carries what the contract does not have */
export function refuseBody({ bareDeletes }, { method, contract }, { mediaType, json }) {
	if (!bareDeletes || method !== 'DELETE' || contract.requestBody !== undefined) return;
	if (mediaType !== '' || json !== undefined)
		throw new ApiError(400, { message: 'A DELETE takes no body and no content type here.' });
}

const PAGING = ['page', 'per_page'];

/** Whether nothing comes of a query parameter, with `ignoreGuesses`. */
export const isGuess = (contract, { contract: operation }, name) => {
	if (PAGING.includes(name)) return false;
	const parameter = (operation.parameters ?? [])
		.map((one) => contract.resolve(one))
		.find((one) => one.in === 'query' && one.name === name);
	return (
		(parameter?.['x-source'] ?? (parameter && operation['x-source']) ?? 'inferred') === 'inferred'
	);
};

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

/**
 * What an answer becomes by the manners.
 * @param {object} manners
 * @param {string} key of the operation
 * @param {any} answer JSON, as the contract has it
 * @param {any} sent JSON of the request
 * @returns {any}
 */
export function answerOfManners(manners, key, answer, sent) {
	if (key === 'POST /call' && answer.success && manners.callAnswer in CALL_ANSWERS) {
		const data = CALL_ANSWERS[manners.callAnswer](answer.data, sent?.participant?.number);
		return { ...answer, data };
	}
	if (key === 'GET /conversations/{}' && answer.success && manners.newerConversations) {
		const { call, ...shown } = answer.data;
		if (!call) return answer;
		const { status, ...rest } = call;
		return { ...answer, data: { ...shown, call: rest } };
	}
	if (key === 'GET /conversations' && answer.success && manners.conversationList === 'thin') {
		const rows = answer.data.data.map(({ status, call, ...row }) => row);
		return { ...answer, data: { ...answer.data, data: rows } };
	}
	return answer;
}

/** @returns {object | undefined} what is sent instead of the answer to a write that is done; undefined: the answer */
export function writeAnswer({ writeAnswers }, method) {
	if (method === 'GET') return undefined;
	return {
		'empty-array': JSON.stringify({ success: true, message: 'Done.', data: [] }),
		'bare-array': '[]',
		empty: '',
		text: 'OK',
	}[writeAnswers];
}

/**
 * The page that a list is asked for, where manners decide what pages are.
 * @param {URLSearchParams} search page and page size are taken out of it
 * @param {boolean} moves the list changes while it is read
 * @returns {{page: number, perPage: number} | undefined} undefined where the contract's pages hold
 * @throws {ApiError} 422 for a page size that is too large
 */
export function pageOfManners(manners, operation, search, moves = false) {
	const { listLayout, rowsPerPage, largestPage, samePage } = manners;
	if (operation.method !== 'GET' || operation.paging === undefined) return undefined;
	const name = operation.paging === 'cursor' ? 'limit' : 'per_page';
	const asked = Number(search.get(name) ?? 0);
	if (largestPage !== null && asked > largestPage)
		throw new ApiError(422, {
			message: `The field ${name} must not be greater than ${largestPage}.`,
			field: name,
		});
	if (operation.paging === 'cursor') return undefined;
	if (listLayout === null && rowsPerPage === null && !samePage && !moves) return undefined;
	const page = samePage ? 1 : Number(search.get('page') ?? 1);
	for (const one of ['page', 'per_page']) search.delete(one);
	return { page, perPage: rowsPerPage ?? (asked || 15) };
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
	const { data } = body;
	const name = Array.isArray(data.items) ? 'items' : 'data';
	const all = Array.isArray(data) ? data : data[name];
	const left = all.slice(so.removed);
	const joined = at === 'top' ? [...so.added, ...left] : [...left, ...so.added];
	const cut = joined.length - (so.turned % Math.max(1, joined.length));
	const rows = [...joined.slice(cut), ...joined.slice(0, cut)];
	const fresh = Array.from({ length: add }, () => ({ ...all[0], uuid: newId() }));
	so.added = at === 'top' ? [...fresh, ...so.added] : [...so.added, ...fresh];
	so.removed += remove;
	so.turned += turn;
	return { ...body, data: Array.isArray(data) ? rows : { ...data, [name]: rows } };
}

/** A list that holds all rows, cut into pages and laid out as manners want it. @returns {any} the body */
export function listOfManners({ listLayout }, body, { page, perPage }) {
	const { data, ...envelope } = body;
	const rows = data?.items ?? data?.data ?? data;
	if (!Array.isArray(rows)) return body;
	const shown = rows.slice((page - 1) * perPage, page * perPage);
	const total = rows.length;
	const lastPage = Math.max(1, Math.ceil(total / perPage));
	const numbers = { current_page: page, last_page: lastPage, per_page: perPage, total };
	switch (listLayout) {
		case 'array':
			return shown;
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
			if (Array.isArray(data)) return { ...envelope, data: shown };
			return Array.isArray(data.items)
				? { ...envelope, data: { ...data, items: shown, pagination: numbers } }
				: { ...envelope, data: { ...data, ...numbers, data: shown } };
	}
}

/** IDs that another client reads of an event's data (catalogue, last area). */
const EVENT_IDS = ['call_id', 'conversation_uuid', 'session_evaluation_uuid', 'agent_id'];

/**
 * A delivery by the manners.
 * @param {{event: string, timestamp: any, data: any}} delivery in the sandbox's own shape
 * @returns {object} the body
 */
export function deliveryOfManners({ eventShape }, delivery) {
	const { event, data } = delivery;
	switch (eventShape) {
		case 'client':
			return { event: event.endsWith('_evaluation') ? 'conversation_end_report' : event, data };
		case 'beside':
			return { event, ...data };
		case 'ids':
			return {
				event,
				data: Object.fromEntries(Object.entries(data).filter(([name]) => EVENT_IDS.includes(name))),
			};
		case 'nameless':
			return { data };
		default:
			return delivery;
	}
}

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
	switch (manners.retryAfter) {
		case 'seconds':
			return seconds;
		case 'date':
			return new Date(until).toUTCString();
		case 'epoch':
			return until / 1000;
		case 'epochMs':
			return until;
		default:
			throw new Error(
				`Unknown form of Retry-After ${manners.retryAfter}: use seconds, date, epoch or epochMs.`,
			);
	}
}
