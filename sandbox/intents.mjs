import { conflict, invalid, notFound } from './errors.mjs';
import { masked } from './mask.mjs';
import { Outbox } from './outbox.mjs';
import { SeededRandom } from './random.mjs';
import { callersZone, Instant, jsonInZone } from './zone.mjs';

/**
 * What an agent does when an intent triggers in the middle of a call: it calls the intent's webhook and speaks the
 * answer. No source shows the request, how `auth_token` travels, or what is made of the answer (interface §2.8), so
 * there are three ways of each, in the settings `intents.request` and `intents.answer`.
 */

/** @typedef {{agent: any, intent: any, call: any, contact: any, parameters: Record<string, any>,
 * token: string}} Moment */

/** What is sent, with headers. @type {Record<string, (moment: Moment) => {headers: object, body: object}>} */
const REQUESTS = {
	/** Named parameters as text, as they were heard; a bearer token. */
	flat: ({ agent, intent, call, parameters, token }) => ({
		headers: token === '' ? {} : { authorization: `Bearer ${token}` },
		body: {
			intent: intent.key,
			intent_uuid: intent.intent_uuid,
			agent_uuid: agent.agent_uuid,
			conversation_uuid: call.conversation_uuid,
			session_uuid: call.session_uuid,
			number: call.number,
			parameters: Object.fromEntries(
				Object.entries(parameters).map(([key, value]) => [key, asText(value)]),
			),
			timestamp: Instant.now(),
		},
	}),
	/** As the events of an agent webhook, parameters as a list; a header of its own for the token. */
	nested: ({ agent, intent, call, contact, parameters, token }) => ({
		headers: token === '' ? {} : { 'x-auth-token': token },
		body: {
			event: 'intent_call',
			agent_uuid: agent.agent_uuid,
			data: {
				intent: {
					uuid: intent.intent_uuid,
					name: intent.name,
					parameters: Object.entries(parameters).map(([key, value]) => ({ key, value })),
				},
				conversation: { uuid: call.conversation_uuid, channel: 'call' },
				contact_info: contact,
			},
			timestamp: Instant.now(),
		},
	}),
	/** As language models call their tools: arguments as JSON text; the bare token. */
	tool: ({ intent, call, contact, parameters, token }) => ({
		headers: token === '' ? {} : { authorization: token },
		body: {
			name: intent.key,
			arguments: JSON.stringify(parameters),
			call: { id: call.uuid, conversation_uuid: call.conversation_uuid },
			customer: { number: contact?.phone_number ?? call.number },
		},
	}),
};

/** What is spoken of a successful answer. @type {Record<string, (text: string) => string | null>} */
const ANSWERS = {
	/** The language model is given all of it: every value of the JSON, or the text. */
	model: (text) => {
		const value = parsed(text);
		return value === undefined ? text : valuesOf(value).join(', ');
	},
	/** Word for word what came. */
	text: (text) => text,
	/** One field of the JSON, under one of the names that are usual; without it the text. */
	field: (text) => {
		const value = parsed(text);
		if (value === undefined) return text;
		if (typeof value === 'string') return value;
		const names = ['message', 'text', 'answer', 'response', 'result', 'speech'];
		const found = names.map((name) => value?.[name]).find((one) => typeof one === 'string');
		return found ?? null;
	},
};

function asText(value) {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const valuesOf = (value) =>
	value !== null && typeof value === 'object'
		? Object.values(value).flatMap(valuesOf)
		: value === null || value === ''
			? []
			: [String(value)];

/** Text where it can be spoken; silence otherwise. */
const spokenOf = (way, text) => {
	const spoken = ANSWERS[way](text)?.trim();
	return spoken ? spoken : null;
};

export class Intents extends Outbox {
	/** @type {Map<string, Promise<void>>} by the call's uuid */
	#answering = new Map();

	/** @param {import('./sandbox.mjs').Sandbox} sandbox */
	constructor(sandbox) {
		super();
		this.sandbox = sandbox;
		/** Its own sequence: other identifiers must not depend on when an intent triggers. */
		this.random = new SeededRandom(`${sandbox.seed} intents`);
	}

	/**
	 * Triggers an intent during a live call, as if the contact had said what it is about.
	 * @param {{conversation?: string, agent?: string, intent: string, parameters?: object}} moment conversation: of a
	 *   live call; without it the newest live call of the agent. intent: uuid, key or name
	 * @returns {Promise<object>} the log entry, once there is an answer
	 * @throws {ApiError} without a live call, such an intent, or what it requires
	 */
	async trigger({ conversation, agent: agentUuid, intent: wanted, parameters = {} }) {
		const { settings, store } = this.sandbox;
		const call = this.#liveCall(conversation, agentUuid);
		const agent = store.get('agents', call.agent_uuid);
		const intent = agent?.intents.find((one) =>
			[one.intent_uuid, one.key, one.name].includes(wanted),
		);
		if (intent === undefined) throw notFound('Intent');
		const heard = completed(intent, parameters);
		const { contact } = store.get('conversations', call.conversation_uuid) ?? {};
		const target = targetOf(intent);
		const entry = this.note({
			id: this.random.uuid(),
			agentUuid: agent.agent_uuid,
			intentUuid: intent.intent_uuid,
			intent: intent.name,
			conversationUuid: call.conversation_uuid,
			url: target?.url ?? null,
			request: null,
			contentType: null,
			answer: null,
			spoken: null,
			error: target === undefined ? 'The intent calls no address.' : null,
		});
		if (target === undefined) return entry;
		const token = target.auth_token ?? '';
		const moment = { agent, intent, call, contact, parameters: heard, token };
		const request = REQUESTS[settings.intents.request](moment);
		const answering = this.#call(entry, target.url, request).then(() => {
			if (entry.spoken !== null) this.sandbox.calls.say(call, 'AI', entry.spoken);
		});
		this.#answering.set(call.uuid, answering);
		await answering;
		if (this.#answering.get(call.uuid) === answering) this.#answering.delete(call.uuid);
		return entry;
	}

	/** @returns {Promise<void> | undefined} until what a call's agent asked is answered; nothing while it asks nothing */
	answering({ uuid }) {
		return this.#answering.get(uuid);
	}

	async #call(entry, url, { headers, body: json }) {
		const { intents, workspaceTimezone: workspace } = this.sandbox.settings;
		const body = jsonInZone(json, callersZone({ workspace }).zone);
		entry.request = {
			headers: Object.fromEntries(Object.keys(headers).map((name) => [name, '***'])),
			body: masked(JSON.parse(body)),
		};
		const answer = await this.post(entry, url, { headers, body, timeoutMs: intents.timeoutMs });
		if (answer === undefined) return;
		const { response, text } = answer;
		entry.contentType = response.headers.get('content-type');
		entry.answer = text.slice(0, 10_000);
		if (response.ok) entry.spoken = spokenOf(intents.answer, text);
	}

	/** Triggers every intent of the call's agent that calls an address, as the settings say what the contact said. */
	async triggerAll(call) {
		const { saidByNumber } = this.sandbox.settings.intents;
		const said = Object.entries(saidByNumber).find(([ending]) => call.number.endsWith(ending))?.[1];
		if (said === undefined && Object.keys(saidByNumber).length > 0) return;
		const agent = this.sandbox.store.get('agents', call.agent_uuid);
		for (const intent of agent?.intents ?? []) {
			if (targetOf(intent) === undefined) continue;
			const declared = new Set((intent.parameters ?? []).map(({ key }) => key));
			const parameters = Object.fromEntries(
				Object.entries(said ?? {}).filter(([key]) => declared.has(key)),
			);
			const moment = {
				conversation: call.conversation_uuid,
				intent: intent.intent_uuid,
				parameters,
			};
			// The call may have ended meanwhile, or the intent asks for what nobody said.
			await this.trigger(moment).catch(() => {});
		}
	}

	#liveCall(conversation, agentUuid) {
		const of =
			conversation === undefined ? { agent_uuid: agentUuid } : { conversation_uuid: conversation };
		const call = this.sandbox.store.where('calls', { status: 'in-progress', ...of }).at(-1);
		if (call === undefined)
			throw conflict(
				'There is no such live call: an intent triggers in the middle of one.',
				'CALL_NOT_LIVE',
			);
		return call;
	}
}

/**
 * The address that an intent calls: that of its live action, else its webhook. An action of another kind, live, calls
 * none.
 * @returns {{url: string, auth_token?: string} | undefined}
 */
export function targetOf({ event, webhook }) {
	if (event?.status === 'deployed')
		return event.event_type === 'webhook' && event.webhook.url ? event.webhook : undefined;
	return webhook?.url ? webhook : undefined;
}

/** What was heard, with the defaults of what was not said. @throws {ApiError} 422 without what the intent requires */
function completed({ parameters = [] }, heard) {
	const all = { ...heard };
	for (const { key, default: standard, required } of parameters) {
		if (all[key] !== undefined) continue;
		if (standard) all[key] = standard;
		else if (required) throw invalid(key, `The agent has not heard ${key} yet, which is required.`);
	}
	return all;
}
