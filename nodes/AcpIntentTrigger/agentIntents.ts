import type { IDataObject } from 'n8n-workflow';
import { get, isEmpty, isNil, mapValues, omitBy, pick } from 'lodash';
import type { Client } from '../engine/http/client';
import { objectOf, readRecord, saysNone, unreadable, unwrap } from '../engine/response/response';
import { segment } from '../engine/http/path';
import { ask, createOnce, orRefusal, textOf } from '../shared/registration/platform';

/** A value that the agent finds out for an intent (interface §2.8). */
export interface IntentParameter {
	key: string;
	type: string;
	default: string;
	required: boolean;
}

/** An intent as its agent shows it (interface §2.8). */
export interface AgentIntent {
	uuid: string;
	name: string;
	key: string;
	description: string;
	/** The URL that it calls; empty for none, undefined where the platform does not show it. */
	url: string | undefined;
	authToken: string;
	parameters: IntentParameter[];
}

/** The single action of an intent, the newer way to call a URL (reference: agents, getTheIntentsActionEvent). */
export type IntentAction = IDataObject & { event_type?: string; status?: string };

export const parameterOf = (
	{ key, type, default: standard, required }: IDataObject,
	read: (value: unknown) => string,
): IntentParameter => ({
	key: read(key),
	type: read(type) || 'string',
	default: read(standard),
	required: required === true,
});

function readIntent(record: IDataObject): AgentIntent {
	const webhook = objectOf(record.webhook);
	const parameters = Array.isArray(record.parameters) ? record.parameters : [];
	return {
		uuid: textOf(record.intent_uuid),
		name: textOf(record.name),
		key: textOf(record.key),
		description: textOf(record.description),
		url: record.webhook === null || 'url' in webhook ? textOf(webhook.url).trim() : undefined,
		authToken: textOf(webhook.auth_token),
		parameters: parameters.map(objectOf).map((one) => parameterOf(one, textOf)),
	};
}

const pathOf = (agent: string, intent?: string, rest = ''): string =>
	`/agents/${segment(agent)}/intents${intent === undefined ? '' : `/${segment(intent)}${rest}`}`;

/** What an agent shows as its intents. @throws RequestError where it shows none and does not say so, or one without ID */
function intentsIn(body: unknown): AgentIntent[] {
	const { intents } = objectOf(unwrap(body));
	if (intents === null) return [];
	if (!Array.isArray(intents)) throw unreadable('list', body);
	const all = intents.map((record) => readIntent(objectOf(record)));
	if (all.some(({ uuid }) => uuid === '')) throw unreadable('list', body);
	return all;
}

/**
 * The intents of an agent, read with the agent: no source shows a list of their own (reference: agents, listIntents).
 * @throws RequestError if the request does not succeed, as all functions here do
 */
export async function listIntents(client: Client, agent: string): Promise<AgentIntent[]> {
	const { body } = await ask(client, 'GET', `/agents/${segment(agent)}`, { reads: intentsIn });
	return intentsIn(body);
}

/** No source shows what stands for no action: nothing in its place, and nothing else is said. */
const saysNoAction = (body: unknown): boolean => {
	const envelope = objectOf(body);
	return (
		body === undefined || ('data' in envelope && isEmpty(envelope.data) && saysNone(envelope, null))
	);
};

/** The action of an intent; undefined if it has none. `unsupported` if the platform does not have the newer way. */
export async function readAction(
	client: Client,
	agent: string,
	intent: string,
): Promise<IntentAction | 'unsupported' | undefined> {
	const reads = (body: unknown) => saysNoAction(body) || readRecord(body);
	const asked = ask(client, 'GET', pathOf(agent, intent, '/event'), { reads });
	const answer = await orRefusal(asked, 'gone', 'unsupported');
	if (answer === 'unsupported') return answer;
	const action = answer === 'gone' ? {} : objectOf(unwrap(answer.body));
	// One that does not show its type is an action all the same.
	const isNone = 'event_type' in action && textOf(action.event_type) === '';
	return isNone || isEmpty(omitBy(action, isNil)) ? undefined : action;
}

/**
 * Changes the named parts of an intent. The platform requires the name each time, and may make a new key from it if the
 * key is missing (reference: agents, updateAnIntent).
 * @returns the intent, if the answer shows it
 */
export async function updateIntent(
	client: Client,
	agent: string,
	{ uuid, name, key }: Pick<AgentIntent, 'uuid' | 'name' | 'key'>,
	changes: IDataObject,
): Promise<AgentIntent> {
	const body = { name, ...(key === '' ? {} : { key }), ...changes };
	const answer = await ask(client, 'PATCH', pathOf(agent, uuid), { body });
	return readIntent(objectOf(unwrap(answer.body)));
}

/** Adds an intent (inferred endpoint). If the response was lost, it looks for one of that name. @returns its uuid */
export async function addIntent(
	client: Client,
	agent: string,
	fields: IDataObject & { name: string },
): Promise<string> {
	return await createOnce(
		client,
		pathOf(agent),
		fields,
		(record) => readIntent(record).uuid,
		async () => (await listIntents(client, agent)).find(({ name }) => name === fields.name)?.uuid,
	);
}

/** Sets the action of an intent, which stays a draft until it is published. */
export async function setAction(
	client: Client,
	agent: string,
	intent: string,
	action: IDataObject,
): Promise<void> {
	await ask(client, 'PUT', pathOf(agent, intent, '/event'), { body: action });
}

/** Makes the draft live (inferred endpoint). */
export async function publishAction(client: Client, agent: string, intent: string): Promise<void> {
	await ask(client, 'POST', pathOf(agent, intent, '/event/publish'));
}

/** The URL that an action calls, empty for none; undefined for another kind of action, or if the URL is not shown. */
export function urlOfAction(action: IntentAction): string | undefined {
	if (action.event_type !== 'webhook') return undefined;
	const url = objectOf(action.webhook).url ?? action.url;
	return typeof url === 'string' ? url.trim() : undefined;
}

/** Per kind of action: where it shows what an action must name, and what else sets it again. */
const settings: Record<string, { needs: Record<string, string[]>; more?: string[] }> = {
	app: {
		needs: { app_uid: ['app.uid', 'app_uid'], action_key: ['action.key', 'action_key'] },
		more: ['app_connection_uuid', 'config'],
	},
	scenario: { needs: { flow_uuid: ['flow_uuid', 'flow.uuid'] } },
	agent: {
		needs: { agent_uuid: ['agent_uuid', 'agent.uuid'] },
		more: ['channel', 'channel_action_name'],
	},
};

/** What sets an action again later; undefined if the platform does not show enough of it. */
export function settingOf(action: IntentAction): IDataObject | undefined {
	const { event_type = '' } = action;
	if (event_type === 'webhook') {
		const url = urlOfAction(action);
		const { auth_token } = objectOf(action.webhook);
		return url ? { event_type, webhook: omitBy({ url, auth_token }, isNil) } : undefined;
	}
	const { needs, more = [] } = settings[event_type] ?? {};
	if (!needs) return undefined;
	const named = mapValues(needs, (places) =>
		places.map((at) => textOf(get(action, at))).find(Boolean),
	);
	return Object.values(named).includes(undefined)
		? undefined
		: { event_type, ...named, ...omitBy(pick(action, more), isNil) };
}
