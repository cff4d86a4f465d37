import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isEqual } from 'lodash';
import { limits } from '../engine/platform/facts';
import type { Client } from '../engine/http/client';
import { objectOf, unwrap } from '../engine/response/response';
import { paginate } from '../engine/pages/pages';
import { segment } from '../engine/http/path';
import { RequestError, rethrow } from '../engine/errors/requestError';
import { lookUntil } from '../engine/http/clock';
import { ask, createOnce, orRefusal, textOf } from '../shared/registration/platform';

/** The settings of a webhook (interface §4.1). */
export interface WebhookSettings {
	url: string;
	events: string[];
	active: boolean;
	secret?: string;
}

/** A webhook of an agent as the platform shows it (interface §2.9), which never shows the secret. */
export interface AgentWebhook extends Omit<WebhookSettings, 'secret'> {
	uuid: string;
	/** The platform's own words: what it leaves out is not known. */
	row: IDataObject;
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
			const answer = await ask(client, 'GET', pathOf(agent), { query, reads });
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
	const limit = Number(objectOf(unwrap(body)).limit);
	return {
		webhooks: rows.map((row) => ({
			uuid: String(row.webhook_uuid ?? ''),
			url: textOf(row.url),
			events: Array.isArray(row.events) ? row.events.map(String) : [],
			active: row.is_active !== false,
			row,
		})),
		limit: Number.isInteger(limit) && limit > 0 ? limit : limits.webhooksPerAgent.most,
	};
}

/**
 * The webhook with exactly this URL. Lost answers, and two n8n that publish at the same time, leave several. Then every
 * n8n keeps the same one and removes the others, because each event would arrive twice.
 */
async function findOnly(client: Client, agent: string, url: string) {
	const { webhooks } = await listWebhooks(client, agent);
	const same = webhooks.filter((webhook) => webhook.url === url && webhook.active);
	const [kept, ...doubles] = same.sort((one, other) => (one.uuid < other.uuid ? -1 : 1));
	for (const double of doubles) await removeWebhook(client, agent, double);
	return kept;
}

/** Adds a webhook, then checks that it is the only one. @returns its uuid */
export async function addWebhook(
	client: Client,
	agent: string,
	settings: WebhookSettings,
): Promise<string> {
	const find = async (): Promise<string | undefined> =>
		(await findOnly(client, agent, settings.url))?.uuid;
	const idIn = ({ webhook_uuid }: IDataObject): string => textOf(webhook_uuid);
	try {
		const added = await createOnce(client, pathOf(agent), bodyOf(settings), idIn, find);
		// If it cannot be looked for, the next publish removes a double.
		return (await find().catch(() => undefined)) ?? added;
	} catch (thrown) {
		if (!(thrown instanceof RequestError) || thrown.facts.status !== 409) return rethrow(thrown);
		// This very webhook may have taken the last place.
		return (await find()) ?? rethrow(thrown);
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
	await ask(client, 'PATCH', pathOf(agent, uuid), { body: bodyOf(settings) });
}

/** Whether the platform goes on showing a webhook so. */
async function staysSo(
	client: Client,
	agent: string,
	{ uuid }: AgentWebhook,
	is: (one: AgentWebhook) => boolean,
): Promise<boolean> {
	const isOver = async () =>
		!(await listWebhooks(client, agent)).webhooks.some((one) => one.uuid === uuid && is(one)) ||
		undefined;
	return !(await lookUntil(client.signal, isOver));
}

/** How a webhook differs from what was asked for, as far as the platform shows it. */
export function differencesIn(row: IDataObject, wanted: WebhookSettings): string[] {
	const events = Array.isArray(row.events) ? row.events.map(String) : wanted.events;
	return [
		...(row.is_active === false ? ['switched off'] : []),
		...(row.has_secret === false ? ['without a signing secret'] : []),
		...(isEqual([...events].sort(), [...wanted.events].sort())
			? []
			: [`for ${events.join(', ') || 'no events'} alone`]),
		...([wanted.url, ''].includes(textOf(row.url)) ? [] : ['with another URL']),
	];
}

/** The same of one that the platform has just accepted. @param uuid empty where it shows no IDs */
export async function differencesOf(
	client: Client,
	agent: string,
	uuid: string,
	wanted: WebhookSettings,
): Promise<string[]> {
	const { webhooks } = await listWebhooks(client, agent);
	const isIt = (one: AgentWebhook) => (uuid === '' ? one.url === wanted.url : one.uuid === uuid);
	return differencesIn(webhooks.find(isIt)?.row ?? {}, wanted);
}

/**
 * Deletes a webhook. No source shows the endpoint (inferred): if the platform does not have it, this switches the
 * webhook off instead. That it was accepted proves nothing: a second deletion finds none, or the list shows it no more.
 * @returns what happened to it; `stays` if it may still deliver
 */
export async function removeWebhook(
	client: Client,
	agent: string,
	webhook: AgentWebhook,
): Promise<'removed' | 'off' | 'stays'> {
	const { uuid, url, events, active, row } = webhook;
	// A platform that shows no IDs.
	if (uuid === '') return 'stays';
	const remove = async () =>
		await orRefusal(ask(client, 'DELETE', pathOf(agent, uuid)), 'gone', 'unsupported');
	const removed = await remove();
	if (removed === 'gone') return 'removed';
	if (removed !== 'unsupported') {
		if ((await remove().catch(() => undefined)) === 'gone') return 'removed';
		const wasShown = !isEmpty(row);
		return wasShown && !(await staysSo(client, agent, webhook, () => true)) ? 'removed' : 'stays';
	}
	if (!active) return 'off';
	const switching = changeWebhook(client, agent, uuid, { url, events, active: false });
	const off = await orRefusal(switching, 'gone', 'unsupported');
	if (off === 'gone') return 'removed';
	const isOn = ({ row: now }: AgentWebhook) => now.is_active === true;
	return off === 'unsupported' || (await staysSo(client, agent, webhook, isOn)) ? 'stays' : 'off';
}
