/** What the tests of both triggers share: triggers, what the platform has of them, and what comes to their URLs. */
import axios, { type AxiosResponse } from 'axios';
import { createHmac, randomUUID } from 'node:crypto';
import { secretOf as derivedSecret } from '../../../nodes/shared/registration/plan';
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

/** A delivery that says that a conversation has ended. */
export const endReport = 'conversation_end_report';
export const event = (data: unknown = { number: '+12125550101' }): string =>
	JSON.stringify({ event: endReport, data });
export const signed = (content: string | Buffer, secret: string): string =>
	createHmac('sha256', secret).update(content).digest('hex');

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
	const agentsOf = async (count = 1): Promise<string[]> =>
		(await sandbox.state('agents')).slice(0, count).map(({ agent_uuid }) => agent_uuid);
	const eventTrigger = async (
		agents: unknown,
		parameters: object = {},
		options: TriggerOptions = {},
	) => await engine.trigger('acpTrigger', { agents, ...parameters } as never, options);
	/** The webhooks of an agent, their URLs with query. */
	const listed = async (agent: string): Promise<Webhook[]> =>
		(await sandbox.api.get(`/agents/${agent}/webhooks`)).data.data.items;
	/** Another webhook of an agent: somebody else's, if `url` is. */
	const addWebhook = async (agent: string, url: string, more: object = {}): Promise<Webhook> => {
		const body = { url, events: ['conversation_status'], ...more };
		const { data, status } = await sandbox.api.post(`/agents/${agent}/webhooks`, body);
		expect(status).toBe(201);
		return data.data;
	};
	return {
		intents,
		agents: agentsOf,
		eventTrigger,
		listed,
		addWebhook,

		/** Webhooks of somebody else at an agent. */
		async fill(agent: string, count: number): Promise<void> {
			for (let index = 1; index <= count; index++)
				await addWebhook(agent, `https://crm.example.com/hook/${index}?key=hidden`);
		},

		/** A published trigger for events, its agent, and the one webhook that the platform has of it. */
		async publishedEvents(parameters: object = {}, options: TriggerOptions = {}) {
			const [agent] = (await agentsOf()) as [string];
			const trigger = await eventTrigger([agent], parameters, options);
			await trigger.activate();
			const all = (await listed(agent)).filter(({ url }) => url.startsWith(trigger.url));
			expect(all).toHaveLength(1);
			return { agent, trigger, webhook: all[0]!, url: all[0]!.url };
		},

		/** The secret that a trigger for events makes where the credential has none. */
		secretOf({ info }: Trigger, agent: string, apiToken = sandbox.token): string {
			const owner = { workflow: `workflow-${info.webhookId.slice(0, 8)}`, node: 'node-0', agent };
			return derivedSecret('acp-trigger', 'signature', apiToken, owner).toString('hex');
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
