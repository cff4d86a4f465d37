import type { IDataObject } from 'n8n-workflow';
import { get, isPlainObject, omit } from 'lodash';
import { isKnownEvent } from './settings';
import { parsed } from '../engine/registration/delivered';

/**
 * What an event says. No source shows a delivery (interface §6), so this looks in all likely places, for the names that
 * another public client reads (reference: webhook guide; catalogue, last area).
 */
export interface AgentEvent {
	name: string;
	known: boolean;
	/** Its name if the body says it: signatures cover no headers. */
	signedName?: string;
	fields: unknown;
}

export const namelessEvent = 'unknown';

type Headers = Record<string, string | string[] | undefined>;

/** A short text, or the first of several; undefined if it is not a text, or empty. */
export const textOf = (value: unknown): string | undefined => {
	const first: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof first === 'number') return String(first);
	return typeof first === 'string' && first.trim() !== '' ? first.trim().slice(0, 200) : undefined;
};

export const headerOf = (headers: Headers, names: string[]): string | undefined =>
	names.map((name) => textOf(headers[name])).find((text) => text !== undefined);

const nameIn = (value: unknown): string | undefined => {
	const name = typeof value === 'string' ? value.trim() : '';
	return name !== '' && name.length <= 200 ? name : undefined;
};

/** Keys of a body that can only hold an event's name. No source names more than the first. */
const nameKeys = [
	'event',
	'event_type',
	'eventType',
	'event_name',
	'eventName',
	'webhook_event',
	'webhookEvent',
];

/** Places that may hold something else as well: only a name that the interface has counts there. */
const otherPlaces = [
	'type',
	'name',
	'topic',
	'action',
	'event.type',
	'event.name',
	...nameKeys.map((key) => `data.${key}`),
	'data.type',
];

/** Headers that can only carry an event's name, like `X-Event` or `Webhook-Event-Type`. No source names one. */
const nameHeader = /^(x-)?(webhook-)?event(-type|-name)?$/;

/** Headers that may carry it, whatever their beginning: there, too, only a name that the interface has counts. */
const otherHeader = /(^|-)(event|topic)(-type|-name)?$/;

interface Naming {
	name: string;
	place?: string;
}

const namingIn = (body: IDataObject, places: string[]): Naming[] =>
	places.flatMap((place) => {
		const name = nameIn(get(body, place));
		return name === undefined ? [] : [{ name, place }];
	});

const namingOf = (headers: Headers, pattern: RegExp): Naming[] =>
	Object.entries(headers).flatMap(([header, value]) => {
		const name = pattern.test(header) ? textOf(value) : undefined;
		return name === undefined ? [] : [{ name }];
	});

/** How a delivery names its event. The body comes first: no signature covers headers. */
const findNaming = (body: IDataObject, headers: Headers): Naming | undefined => {
	const isKnown = ({ name }: Naming): boolean => isKnownEvent(name);
	return [
		...namingIn(body, nameKeys),
		...namingIn(body, otherPlaces).filter(isKnown),
		...namingOf(headers, nameHeader),
		...namingOf(headers, otherHeader).filter(isKnown),
	][0];
};

/** An object or a list that was sent as JSON text; every other value as it is. */
function opened(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const inside = parsed(value);
	return typeof inside === 'object' && inside !== null ? inside : value;
}

/** The fields under `data` and beside the event's name, together. If `data` is a list or a text, it stays as it is. */
function fieldsOf(body: IDataObject, namePlace = ''): unknown {
	const { data, ...others } = body;
	const beside = Object.hasOwn(others, namePlace) ? omit(others, namePlace) : others;
	if (isPlainObject(data)) return { ...beside, ...(data as IDataObject) };
	if (!('data' in body)) return beside;
	return Object.keys(beside).length > 0 ? { ...beside, data } : data;
}

/**
 * Reads an event. If neither body nor headers name it, and the node subscribes to one event only, it must be that one:
 * a client for which `event` is optional does the same.
 * @returns undefined for a body that says nothing at all
 */
export function readEvent(
	body: IDataObject,
	headers: Headers,
	subscribed: string[],
): AgentEvent | undefined {
	const whole = 'data' in body ? { ...body, data: opened(body.data) as IDataObject } : body;
	const naming = findNaming(whole, headers);
	if (naming === undefined && Object.keys(body).length === 0) return undefined;
	const name =
		naming?.name ?? (subscribed.length === 1 ? (subscribed[0] as string) : namelessEvent);
	return {
		name,
		known: isKnownEvent(name),
		...(naming?.place === undefined ? {} : { signedName: naming.name }),
		fields: fieldsOf(whole, naming?.place),
	};
}

/** Fields of an evaluation; a simplified event names them so. */
const scores = ['success', 'satisfaction', 'sentiment', 'intent', 'human_escalation'];

const carriesEvaluation = (fields: unknown): boolean =>
	textOf(get(fields, 'session_evaluation_uuid')) !== undefined ||
	scores.some((score) => get(fields, `sentiment_analysis.${score}`) !== undefined);

const textChannels = ['email', 'instagram', 'messenger', 'sms', 'whatsapp'];
const callChannels = ['call', 'whatsappcall'];

/** The channels that a word for a channel, or for a kind of channel, may mean. */
const channelsOf = new Map<string, string[]>([
	...[...textChannels, ...callChannels].map(
		(channel) => [channel, [channel]] as [string, string[]],
	),
	['phone', ['call']],
	['voice', callChannels],
	['text', textChannels],
]);

/** `WhatsApp Call`, `whatsapp_call` and `whatsapp-call` are one channel. */
const plainWord = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

const sessionKindOf = (fields: unknown): string | undefined => {
	const type = textOf(get(fields, 'session_type'));
	return type === undefined ? undefined : plainWord(type);
};

/**
 * Whether the node asked for this event. An evaluation may arrive under the name of the end report (reference: webhook
 * guide): such an event is for those who subscribe to evaluations. An event that the interface does not name passes.
 */
export function isAskedFor({ name, known, fields }: AgentEvent, subscribed: string[]): boolean {
	if (!known || subscribed.includes(name)) return true;
	if (name !== 'conversation_end_report' || !carriesEvaluation(fields)) return false;
	const kind = sessionKindOf(fields);
	const meant =
		kind === 'voice' || kind === 'text'
			? [`${kind}_evaluation`]
			: ['text_evaluation', 'voice_evaluation'];
	return meant.some((event) => subscribed.includes(event));
}

/**
 * Whether an event belongs to one of the channels. A session type says only `voice` or `text`, which means every
 * channel of that kind. An event without a channel, or with an unknown session type, passes.
 */
export function isOfChannel(fields: unknown, channels: string[]): boolean {
	const named = textOf(get(fields, 'channel')) ?? textOf(get(fields, 'conversation.channel'));
	const possible =
		named === undefined
			? channelsOf.get(sessionKindOf(fields) ?? '')
			: (channelsOf.get(plainWord(named)) ?? [plainWord(named)]);
	return possible?.some((channel) => channels.map(plainWord).includes(channel)) ?? true;
}

/** Where a simplified field may be; the first place with a value wins. */
type Places = Record<string, string[]>;

const whose: Places = {
	conversation_uuid: ['conversation_uuid'],
	session_type: ['session_type'],
	number: ['number', 'contact_info.phone_number'],
};

const ofEvaluation: Places = {
	...whose,
	session_evaluation_uuid: ['session_evaluation_uuid'],
	...Object.fromEntries(scores.map((score) => [score, [`sentiment_analysis.${score}.value`]])),
	pipeline_change: ['pipeline_change'],
};

const ofConversation: Places = {
	...whose,
	call_id: ['call_id'],
	duration: ['duration'],
	appointment: ['appointment'],
	pipeline_change: ['pipeline_change'],
	timestamp: ['timestamp'],
};

const mostSimplified = 10;

/** The agent is in the item already. The transcript is long, both as text and as a list. */
const leftOut = ['agent_id', 'agent_uuid', 'conversation', 'delivery_id', 'event_id'];

/**
 * The important part of an event, in at most ten fields: first the names that have a source, then all other short
 * values, because the platform's real names are not known. Returns everything if it finds none of these.
 */
export function simplified(fields: unknown): unknown {
	if (!isPlainObject(fields)) return fields;
	const given = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
	const places = carriesEvaluation(fields) ? ofEvaluation : ofConversation;
	const kept = Object.entries(places).flatMap(([name, paths]) => {
		const value = paths.map((path) => get(fields, path) as unknown).find(given);
		return value === undefined ? [] : [[name, value] as const];
	});
	const taken = new Set([...leftOut, ...Object.values(places).flat()]);
	const others = Object.entries(fields as IDataObject).filter(
		([name, value]) => !taken.has(name) && given(value) && typeof value !== 'object',
	);
	const result = [...kept, ...others].slice(0, mostSimplified);
	return result.length > 0 ? Object.fromEntries(result) : fields;
}
