import type { IDataObject } from 'n8n-workflow';
import { get, mapValues, omit } from 'lodash';
import { isKnownEvent } from './settings';
import { objectOf } from '../engine/response/response';
import { opened, plainKey, shortText, type Delivered } from '../shared/registration/delivered';
import { isPlainObject } from '../engine/text/text';

/**
 * What an event says. No source shows a delivery (interface §6), so this looks in all likely places, for the names that
 * another public client reads (reference: webhook guide; catalogue, last area).
 */
export interface AgentEvent {
	name: string;
	known: boolean;
	/** Its name if the body says it: signatures cover no headers. */
	signedName: string | undefined;
	fields: unknown;
}

/** A short text, or the first of several. */
export const shortTextOf = (value: unknown): string | undefined =>
	shortText(Array.isArray(value) ? value[0] : value);

/** A key or a header that can only hold an event's name: `event`, `eventType`, `X-Webhook-Event`. Any name counts. */
const namesEvent = /^x?(webhook)?event(type|name)?$/;

/** One that may hold something else as well: only a name that the interface has counts there. */
const mayNameEvent = /(event|topic|type|name|action)$/;

interface Naming {
	name: string;
	place: object;
	key: string;
}

const namingsIn = (place: object, pattern: RegExp): Naming[] =>
	Object.entries(place).flatMap(([key, value]) => {
		const name = typeof value === 'string' && pattern.test(plainKey(key)) ? value.trim() : '';
		return name !== '' && name.length <= 200 ? [{ name, place, key }] : [];
	});

const findNaming = (whole: object, ...inside: object[]): Naming | undefined =>
	[
		...namingsIn(whole, namesEvent),
		...[whole, ...inside]
			.flatMap((place) => namingsIn(place, mayNameEvent))
			.filter(({ name }) => isKnownEvent(name)),
	][0];

/** The fields under `data` and beside the event's name, together. If `data` is a list or a text, it stays as it is. */
function fieldsOf(body: IDataObject, naming: Naming | undefined): unknown {
	const named = naming?.place === body ? omit(body, naming.key) : body;
	if (!('data' in named)) return named;
	const { data, ...beside } = named;
	if (isPlainObject(data)) return { ...beside, ...data };
	return Object.keys(beside).length > 0 ? named : data;
}

/**
 * Reads an event. The name in the body comes first: no signature covers headers. If neither names it, and the node
 * subscribes to one event only, it must be that one: a client for which `event` is optional does the same.
 * @returns undefined for a body that says nothing at all
 */
export function readEvent(
	body: IDataObject,
	headers: Delivered['headers'],
	subscribed: string[],
): AgentEvent | undefined {
	const whole = 'data' in body ? { ...body, data: opened(body.data) as IDataObject } : body;
	const inBody = findNaming(whole, objectOf(whole.event), objectOf(whole.data));
	const named = inBody ?? findNaming(mapValues(headers, shortTextOf));
	if (named === undefined && Object.keys(body).length === 0) return undefined;
	const [only = '', ...others] = subscribed;
	const name = named?.name ?? (others.length === 0 ? only : 'unknown');
	return {
		name,
		known: isKnownEvent(name),
		signedName: inBody?.name,
		fields: fieldsOf(whole, inBody),
	};
}

/** Fields of an evaluation; a simplified event names them so. */
const scores = ['success', 'satisfaction', 'sentiment', 'intent', 'human_escalation'];

/** Whether it holds how a conversation was rated; it may have the end report's name. */
export const carriesEvaluation = (fields: unknown): boolean =>
	shortTextOf(get(fields, 'session_evaluation_uuid')) !== undefined ||
	scores.some((score) => get(fields, `sentiment_analysis.${score}`) !== undefined);

const textChannels = ['email', 'instagram', 'messenger', 'sms', 'whatsapp'];
const callChannels = ['call', 'whatsappcall'];

/** The channels that a word for a channel, or for a kind of channel, may mean. */
const channelsOf = new Map<string, string[]>([
	...[...textChannels, ...callChannels].map((one) => [one, [one]] as [string, string[]]),
	['phone', ['call']],
	['voice', callChannels],
	['text', textChannels],
]);

/** `WhatsApp Call`, `whatsapp_call` and `whatsapp-call` are one channel. */
const plainWord = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

const sessionKindOf = (fields: unknown): string =>
	plainWord(shortTextOf(get(fields, 'session_type')) ?? '');

/**
 * Whether the node asked for this event. An evaluation may arrive under the name of the end report (reference: webhook
 * guide): such an event is for those who subscribe to evaluations. An event that the interface does not name passes.
 */
export function isAskedFor({ name, known, fields }: AgentEvent, subscribed: string[]): boolean {
	if (!known || subscribed.includes(name)) return true;
	if (name !== 'conversation_end_report' || !carriesEvaluation(fields)) return false;
	const kind = sessionKindOf(fields);
	const meant = kind === 'voice' || kind === 'text' ? [kind] : ['text', 'voice'];
	return meant.some((one) => subscribed.includes(`${one}_evaluation`));
}

/**
 * Whether an event belongs to one of the channels. A session type says only `voice` or `text`, which means every
 * channel of that kind. An event without a channel, or with an unknown session type, passes.
 */
export function isOfChannel(fields: unknown, channels: string[]): boolean {
	const named =
		shortTextOf(get(fields, 'channel')) ?? shortTextOf(get(fields, 'conversation.channel'));
	const possible =
		named === undefined
			? channelsOf.get(sessionKindOf(fields))
			: (channelsOf.get(plainWord(named)) ?? [plainWord(named)]);
	return possible?.some((channel) => channels.map(plainWord).includes(channel)) ?? true;
}

/** Where a simplified field may be; the first place with a value wins. */
const places: Record<string, string[]> = {
	conversation_uuid: ['conversation_uuid'],
	session_type: ['session_type'],
	number: ['number', 'contact_info.phone_number'],
	session_evaluation_uuid: ['session_evaluation_uuid'],
	...Object.fromEntries(scores.map((score) => [score, [`sentiment_analysis.${score}.value`]])),
	pipeline_change: ['pipeline_change'],
	call_id: ['call_id'],
	duration: ['duration'],
	appointment: ['appointment'],
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
