/** What the tests of both triggers share: triggers, what the platform has of them, and what comes to their URLs. */
import axios, { type AxiosResponse } from 'axios';
import { randomUUID } from 'node:crypto';
import type { Trigger } from './engine.cts';
import type { TriggerOptions, WorkflowActivateMode } from './types.cts';
import type { usePlatform } from './usePlatform.cts';

/** A webhook as the platform's API lists it. */
export interface Webhook {
	webhook_uuid: string;
	agent_uuid: string;
	url: string;
	events: string[];
	is_active: boolean;
}

/** An intent as the platform's API shows it, secrets included. */
export interface Intent {
	intent_uuid: string;
	name: string;
	description: string;
	webhook: { url: string; auth_token: string };
	parameters: object[];
	[field: string]: unknown;
}

/** What an intent shows that calls nothing. */
export const nothing = { url: '', auth_token: '' };

export const withoutQuery = (url = ''): string => url.split('?')[0]!;
export const tokenOf = (url: string): string => new URL(url).searchParams.get('token')!;

/** IDs of a workflow and its node, for one that n8n forgets, restores or copies. */
export const someone = () => ({ webhookId: randomUUID(), workflowId: randomUUID() });

/** A request as others send it; the answer's body as text if `more` asks for it. */
export const post = async (
	url: string,
	body: unknown = {},
	headers: Record<string, string | string[]> = {},
	more: object = {},
): Promise<AxiosResponse> =>
	await axios.post(
		url,
		typeof body === 'object' && Object.getPrototypeOf(body) === Object.prototype
			? JSON.stringify(body)
			: body,
		{
			headers: { 'content-type': 'application/json', ...headers } as never,
			transformRequest: (data) => data as never,
			validateStatus: () => true,
			proxy: false,
			maxBodyLength: Infinity,
			...more,
		},
	);

/** What n8n shows of what it does: its message, or "done". */
export const told = async (doing: Promise<unknown>): Promise<string> =>
	await doing.then(
		() => 'done',
		(error: Error) => error.message,
	);

/** Publishes. @returns what n8n shows if that fails, or "done" */
export const publishing = async (
	trigger: Trigger,
	activation: WorkflowActivateMode = 'activate',
): Promise<string> => await told(trigger.activate(activation));

export const triggersOn = ({ sandbox, engine }: ReturnType<typeof usePlatform>) => {
	const intents = async (agent: string): Promise<Intent[]> => {
		const { data } = (await sandbox.api.get(`/agents/${agent}`)).data;
		return data.intents.map((one: Intent) => ({ ...one, webhook: one.webhook ?? nothing }));
	};
	return {
		intents,

		async agents(count = 1): Promise<string[]> {
			return (await sandbox.state('agents')).slice(0, count).map(({ agent_uuid }) => agent_uuid);
		},

		async eventTrigger(agents: unknown, parameters: object = {}, options: TriggerOptions = {}) {
			return await engine.trigger('acpTrigger', { agents, ...parameters } as never, options);
		},

		async intentTrigger(
			agent: string,
			intent: unknown,
			parameters: object = {},
			options: TriggerOptions = {},
		) {
			const all = { agent, intent, ...parameters };
			return await engine.trigger('acpIntentTrigger', all as never, options);
		},

		/** The webhooks of an agent, their URLs with query. */
		async listed(agent: string): Promise<Webhook[]> {
			return (await sandbox.api.get(`/agents/${agent}/webhooks`)).data.data.items;
		},

		/** Another webhook of an agent: somebody else's, if `url` is. */
		async addWebhook(agent: string, url: string, more: object = {}): Promise<Webhook> {
			const body = { url, events: ['conversation_status'], ...more };
			const { data, status } = await sandbox.api.post(`/agents/${agent}/webhooks`, body);
			expect(status).toBe(201);
			return data.data;
		},

		async newIntent(agent: string, fields: object = {}): Promise<string> {
			const body = { name: 'Book a table', ...fields };
			const { data, status } = await sandbox.api.post(`/agents/${agent}/intents`, body);
			expect(status).toBe(201);
			return data.data.intent_uuid;
		},

		async intentOf(agent: string, uuid: string): Promise<Intent> {
			return (await intents(agent)).find(({ intent_uuid }) => intent_uuid === uuid)!;
		},

		async changeIntent(agent: string, intent: string, changes: object): Promise<void> {
			const body = { name: 'Book a table', ...changes };
			const { status } = await sandbox.api.patch(`/agents/${agent}/intents/${intent}`, body);
			expect(status).toBe(200);
		},

		/** Sets what an intent does in the newer way; a draft if it is not made live. */
		async setAction(agent: string, intent: string, action: object, live = true): Promise<void> {
			const path = `/agents/${agent}/intents/${intent}/event`;
			expect((await sandbox.api.put(path, action)).status).toBe(200);
			if (live) await sandbox.api.post(`${path}/publish`);
		},

		async actionOf(agent: string, intent: string): Promise<any> {
			return (await sandbox.api.get(`/agents/${agent}/intents/${intent}/event`)).data.data ?? null;
		},

		/** What has changed something on the platform since its ledger was cleared. */
		async writes(): Promise<string[]> {
			return (await sandbox.ledger())
				.filter(({ method }) => method !== 'GET')
				.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, '…')}`);
		},

		/** Executions that requests have started. */
		async started(trigger: Trigger): Promise<number> {
			return (await trigger.calls()).filter(({ executionId }) => executionId !== undefined).length;
		},
	};
};
