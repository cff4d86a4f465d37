import { sleep, type IDataObject } from 'n8n-workflow';
import { get, isEqual, pick } from 'lodash';
import { saysSomething, type AnswerSettings } from './settings';
import { isPlainObject } from '../engine/text/text';

/** The part of n8n's Express response that is used here; a node may not import its types. */
export interface HttpResponse {
	status(code: number): HttpResponse;
	setHeader(name: string, value: string): unknown;
	send(body: string): unknown;
	readonly headersSent: boolean;
}

interface Answer {
	type: 'application/json' | 'text/plain';
	body: string;
}

const inText = (body: string): Answer => ({ type: 'text/plain', body });
const inJson = (value: unknown): Answer => ({
	type: 'application/json',
	body: JSON.stringify(value),
});

/**
 * Always answers with status 200: no source shows what the platform does with another one, and a person waits on the
 * phone.
 */
function send(response: HttpResponse, { type, body }: Answer): void {
	if (response.headersSent) return;
	response.status(200).setHeader('content-type', `${type}; charset=utf-8`);
	response.send(body);
}

/**
 * The user's text, in the form in which the workflow answers: as text, or as `message` in JSON if the workflow returns
 * JSON.
 */
const textIn = (text: string, { immediately, field }: AnswerSettings): Answer =>
	immediately || field !== '' ? inText(text) : inJson({ message: text });

const noAnswer = (settings: AnswerSettings): Answer => textIn(settings.fallbackText, settings);

/** Answers a request without waiting for the workflow. */
export const answerAtOnce = (response: HttpResponse, settings: AnswerSettings): void =>
	send(response, settings.immediately ? textIn(settings.text, settings) : noAnswer(settings));

function asJson(value: unknown): unknown {
	try {
		return JSON.parse(JSON.stringify(value)) as unknown;
	} catch {
		return undefined;
	}
}

/** What n8n answers if the last node returned nothing: a sentence of `webhook-helpers.js`, with a success status. */
const isWithoutData = (body: unknown): boolean =>
	isPlainObject(body) &&
	Object.keys(body).join() === 'message' &&
	/^Workflow executed successfully but /.test(String((body as { message: unknown }).message));

/**
 * Whether an item tells of an error. n8n's nodes put one under `error` if they go on after it (*On Error*), beside
 * whatever the item held before: the error may name servers, and what is beside it may be out of date.
 */
function tellsOfError(item: unknown): boolean {
	const { error } = Object(item) as { error?: unknown };
	return error !== false && error !== 0 && saysSomething(error);
}

/** @param question the trigger's own item: a workflow that hands it on unchanged has not answered */
function answerOf(
	status: number,
	body: unknown,
	settings: AnswerSettings,
	question: IDataObject | undefined,
): Answer {
	const whole = asJson(body);
	// Respond to Webhook may return a text, or a list of all items.
	const first: unknown = Array.isArray(whole) ? whole[0] : whole;
	const item = settings.field === '' ? whole : first;
	if (status >= 400 || isWithoutData(item) || [item].flat().some(tellsOfError))
		return noAnswer(settings);
	const isPlain = settings.field === '' || typeof item === 'string';
	const said: unknown = isPlain ? item : get(item, settings.field);
	if (!saysSomething(said)) return noAnswer(settings);
	if (settings.field === '' && isEqual(said, asJson(question))) return noAnswer(settings);
	if (settings.field === '' && typeof said !== 'string') return inJson(said);
	return inText(typeof said === 'string' ? said : JSON.stringify(said));
}

/** The methods of a response with which n8n may begin an answer, in any version. */
const beginnings = [
	'status',
	'sendStatus',
	'set',
	'header',
	'append',
	'type',
	'setHeader',
	'removeHeader',
	'json',
	'send',
] as const;

/** The other methods. The real answer leaves through these: n8n compresses a long one in several pieces. */
const endings = ['writeHead', 'flushHeaders', 'write', 'end'] as const;

type Way = (typeof beginnings)[number] | (typeof endings)[number];

/**
 * Holds the response of a request until n8n answers it, and answers in time in any case. n8n answers whenever the
 * workflow ends, however late. A second answer would raise an error that closes the connection, and the next request on
 * it would be lost. So n8n gets a guard instead of the response: it sends what the user wants to say, once, and drops
 * everything that n8n says later.
 */
export function holdResponse(
	response: HttpResponse,
	settings: AnswerSettings,
	ms: number,
	question?: IDataObject,
): void {
	const all = [...beginnings, ...endings];
	const real = pick(response as HttpResponse & Record<Way, unknown>, all);
	let status = 200;
	let answered = false;

	const noteStatus = (code: unknown): HttpResponse => {
		if (typeof code === 'number') status = code;
		return response;
	};
	const answer = (body?: unknown): HttpResponse => {
		// A file is nothing that an agent could say.
		const said = typeof body === 'function' || Buffer.isBuffer(body) ? undefined : body;
		say(answerOf(status, said, settings, question));
		return response;
	};
	const actors: Partial<Record<Way, (given?: unknown) => HttpResponse>> = {
		status: noteStatus,
		writeHead: noteStatus,
		sendStatus: (code) => (noteStatus(code), answer()),
		json: answer,
		send: answer,
		end: answer,
	};
	const guard = (ways: readonly Way[]): void => {
		for (const way of ways) Object.assign(response, { [way]: actors[way] ?? (() => response) });
	};
	const say = (said: Answer): void => {
		if (answered) return;
		answered = true;
		Object.assign(response, real);
		send(response, said);
		guard(beginnings);
	};

	guard(all);
	void sleep(ms).then(() => say(noAnswer(settings)));
}
