import type { IDataObject } from 'n8n-workflow';
import { limits } from '../engine/platform/facts';
import type { Client, ClientRequest } from '../engine/http/client';
import { clock, pause } from '../engine/http/clock';
import { unwrap } from '../engine/http/envelope';
import { paginate } from '../engine/pages/pages';
import { segment } from '../engine/http/path';
import { RequestError } from '../engine/errors/requestError';
import { rethrow } from '../engine/errors/rethrow';
import { isGone, isUnsupported, lookAfterMs, patience } from '../engine/registration/platform';

/** A webhook of an agent as the platform shows it (interface §2.9), which never shows the secret. */
export interface AgentWebhook {
	uuid: string;
	url: string;
	events: string[];
	active: boolean;
	hasSecret: boolean;
}

/** The settings of a webhook (interface §4.1). */
export interface WebhookSettings {
	url: string;
	events: string[];
	active: boolean;
	/** Unchanged if absent. */
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

/** @throws RequestError if the request does not succeed, as all functions here do */
export async function listWebhooks(
	client: Client,
	agent: string,
): Promise<{ webhooks: AgentWebhook[]; limit: number }> {
	let body: unknown;
	const rows = await paginate({
		fetch: async (query, reads) => {
			const answer = await client.request({
				...patience,
				class: 'read',
				method: 'GET',
				path: pathOf(agent),
				query,
				reads,
			});
			body ??= answer.body;
			return answer;
		},
		query: {},
		limit: Infinity,
		// No source shows pages here: only what the platform says of others counts.
		whole: true,
		incomplete: () => {
			throw new RequestError('unreadable', 'nothing', {
				asked: 'list',
				received: 'only a part of it',
				endpoint: `GET ${pathOf(agent)}`,
			});
		},
	});
	const limit = Number((unwrap(body) as IDataObject | undefined)?.limit);
	return {
		webhooks: rows.map((row) => ({
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
 * The webhook with exactly this URL. Lost answers, and two n8n that publish at the same time, leave several. Then every
 * n8n keeps the same one and removes the others, because each event would arrive twice.
 */
async function findOnly(client: Client, agent: string, url: string): Promise<string | undefined> {
	const { webhooks } = await listWebhooks(client, agent);
	const same = webhooks.filter((webhook) => webhook.url === url && webhook.active);
	const [kept, ...doubles] = same.sort((one, other) => (one.uuid < other.uuid ? -1 : 1));
	for (const double of doubles) await removeWebhook(client, agent, double);
	return kept?.uuid;
}

/** Looks for a webhook whose answer was lost, while lists may lag. */
async function findLate(client: Client, agent: string, url: string): Promise<string | undefined> {
	for (const waitMs of lookAfterMs) {
		await pause(waitMs, client.signal, clock);
		const there = await findOnly(client, agent, url);
		if (there !== undefined) return there;
	}
	return undefined;
}

/**
 * Adds a webhook, then checks that it is the only one. If the answer was lost, or does not name the webhook, it looks
 * for it, and does not add another: not seen is no proof. The next try of n8n or of a person finds it, or adds it.
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
	let added: string | undefined;
	try {
		const { body } = await client.request(call);
		const uuid = (unwrap(body) as IDataObject | null | undefined)?.webhook_uuid;
		if (typeof uuid !== 'string') throw new RequestError('unreadable', 'done');
		added = uuid;
		return (await findOnly(client, agent, settings.url)) ?? added;
	} catch (requestError) {
		if (!(requestError instanceof RequestError)) rethrow(requestError);
		// The webhook exists. The next publish removes a duplicate.
		if (added !== undefined) return added;
		const { outcome, facts } = requestError;
		// This very webhook may have taken the last place.
		const find = outcome === 'nothing' ? findOnly : findLate;
		if (outcome === 'nothing' && facts.status !== 409) rethrow(requestError);
		const there = await find(client, agent, settings.url);
		if (there !== undefined) return there;
		return rethrow(requestError);
	}
}

/** Changes a webhook; a repeat does no harm. */
export async function changeWebhook(
	client: Client,
	agent: string,
	uuid: string,
	settings: WebhookSettings,
): Promise<void> {
	// The platform requires url and events although it is a PATCH (reference: agents, updateAWebhook).
	await client.request({
		...patience,
		class: 'set',
		method: 'PATCH',
		path: pathOf(agent, uuid),
		body: bodyOf(settings),
	});
}

/**
 * Deletes a webhook. No source shows the endpoint (inferred): if the platform does not have it, this switches the
 * webhook off instead.
 * @returns what happened to it; `stays` if neither was possible
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
