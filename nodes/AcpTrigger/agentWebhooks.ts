import type { IDataObject } from 'n8n-workflow';
import { limits } from '../engine/platform/facts';
import type { Client, ClientRequest } from '../engine/http/client';
import { unwrap } from '../engine/http/envelope';
import { readPage } from '../engine/pages/layouts';
import { segment } from '../engine/http/path';
import { RequestError } from '../engine/errors/requestError';
import { rethrow } from '../engine/errors/rethrow';
import { isGone, isUnsupported, patience } from '../engine/registration/platform';

/** A webhook of an agent as the platform shows it (interface §2.9); the secret is never among it. */
export interface AgentWebhook {
	uuid: string;
	url: string;
	events: string[];
	active: boolean;
	hasSecret: boolean;
}

/** What a webhook is set to (interface §4.1). */
export interface WebhookSettings {
	url: string;
	events: string[];
	active: boolean;
	/** Left as it is when absent. */
	secret?: string;
}

const pathOf = (agent: string, webhook?: string): string =>
	`/agents/${segment(agent)}/webhooks${webhook === undefined ? '' : `/${segment(webhook)}`}`;

const bodyOf = ({ url, events, active, secret }: WebhookSettings): IDataObject => ({
	url,
	events,
	is_active: active,
	...(secret === undefined ? {} : { secret_key: secret }),
});

/** @throws RequestError when the request did not succeed, all functions here */
export async function listWebhooks(
	client: Client,
	agent: string,
): Promise<{ webhooks: AgentWebhook[]; limit: number }> {
	const { body } = await client.request({
		...patience,
		class: 'read',
		method: 'GET',
		path: pathOf(agent),
	});
	const limit = Number((unwrap(body) as IDataObject | undefined)?.limit);
	return {
		webhooks: readPage(body).rows.map((row) => ({
			uuid: String(row.webhook_uuid),
			url: typeof row.url === 'string' ? row.url : '',
			events: Array.isArray(row.events) ? row.events.map(String) : [],
			active: row.is_active !== false,
			hasSecret: row.has_secret === true,
		})),
		limit: Number.isInteger(limit) && limit > 0 ? limit : limits.webhooksPerAgent.most,
	};
}

/**
 * The webhook with exactly this URL. Of several, as lost answers and two n8n that publish at once leave them, all
 * remove the same ones: events would come twice.
 */
async function findOnly(client: Client, agent: string, url: string): Promise<string | undefined> {
	const { webhooks } = await listWebhooks(client, agent);
	const same = webhooks.filter((webhook) => webhook.url === url && webhook.active);
	const [kept, ...doubles] = same.sort((one, other) => (one.uuid < other.uuid ? -1 : 1));
	for (const double of doubles) await removeWebhook(client, agent, double);
	return kept?.uuid;
}

/**
 * Adds a webhook, and looks afterwards whether it is the only one. Where the answer was lost, or another n8n was
 * faster, it looks whether the platform has it before it adds another.
 * @returns its uuid
 */
export async function addWebhook(
	client: Client,
	agent: string,
	settings: WebhookSettings,
): Promise<string> {
	const call: ClientRequest = {
		...patience,
		class: 'write',
		method: 'POST',
		path: pathOf(agent),
		body: bodyOf(settings),
	};
	for (let attempt = 1; ; attempt++) {
		let added: string;
		try {
			const answer = await client.request(call);
			const uuid = (unwrap(answer.body) as IDataObject | null | undefined)?.webhook_uuid;
			if (typeof uuid !== 'string') throw new RequestError('unreadable', 'done');
			added = uuid;
		} catch (requestError) {
			if (!(requestError instanceof RequestError)) rethrow(requestError);
			const { outcome, facts } = requestError;
			// The last place may have gone to this very webhook.
			if (outcome === 'nothing' && facts.status !== 409) rethrow(requestError);
			const there = await findOnly(client, agent, settings.url);
			if (there !== undefined) return there;
			if (outcome === 'nothing' || attempt >= 3) rethrow(requestError);
			continue;
		}
		try {
			return (await findOnly(client, agent, settings.url)) ?? added;
		} catch (requestError) {
			if (!(requestError instanceof RequestError)) rethrow(requestError);
			// It is there, and the next publish removes a double.
			return added;
		}
	}
}

/** Sets a webhook; repeating it does no harm. */
export async function changeWebhook(
	client: Client,
	agent: string,
	uuid: string,
	settings: WebhookSettings,
): Promise<void> {
	// url and events are required although it is a PATCH (reference: agents, updateAWebhook).
	await client.request({
		...patience,
		class: 'set',
		method: 'PATCH',
		path: pathOf(agent, uuid),
		body: bodyOf(settings),
	});
}

/**
 * Deletes a webhook. No source shows the endpoint (inferred): where the platform does not have it, the webhook is
 * switched off instead.
 * @returns what became of it; `stays` when neither was possible
 */
export async function removeWebhook(
	client: Client,
	agent: string,
	webhook: AgentWebhook,
): Promise<'removed' | 'off' | 'stays'> {
	try {
		await client.request({
			...patience,
			class: 'set',
			method: 'DELETE',
			path: pathOf(agent, webhook.uuid),
		});
		return 'removed';
	} catch (requestError) {
		if (!(requestError instanceof RequestError)) rethrow(requestError);
		if (isGone(requestError)) return 'removed';
		if (!isUnsupported(requestError)) rethrow(requestError);
	}
	if (!webhook.active) return 'off';
	try {
		await changeWebhook(client, agent, webhook.uuid, {
			url: webhook.url,
			events: webhook.events,
			active: false,
		});
		return 'off';
	} catch (requestError) {
		if (!(requestError instanceof RequestError)) rethrow(requestError);
		if (isGone(requestError)) return 'removed';
		if (isUnsupported(requestError)) return 'stays';
		rethrow(requestError);
	}
}
