import { isEqual } from 'lodash';
import { listWebhooks, type AgentWebhook } from './agentWebhooks';
import { settingsFor, signatureMark, type Plan } from './plan';
import { addressOf, originOf } from '../engine/registration/address';
import { remembered } from '../engine/registration/memory';
import { ownershipOf as ownershipOfUrl, type Ownership } from '../engine/registration/ownership';
import { fetchAgentName } from '../engine/registration/platform';

/** The webhooks of one agent, compared with what the node wants: what has to be done there. */
export interface AgentState {
	agent: string;
	events: string[];
	webhooks: AgentWebhook[];
	/** The webhook of this node that stays. */
	own?: AgentWebhook;
	/** Other webhooks of this node: duplicates, at an old URL, or left behind by a test run that was killed. */
	surplus: AgentWebhook[];
	/** `own` is as the node wants it. */
	upToDate: boolean;
	/** This node has no webhook there, and the agent has no room for one. */
	full: boolean;
}

/** Whose webhook it is. A test has one of its own and does not touch that of the published workflow. */
export const ownershipOf = (plan: Plan, agent: string, { uuid, url }: AgentWebhook): Ownership =>
	plan.test && addressOf(url) !== plan.address
		? 'foreign'
		: ownershipOfUrl(
				plan,
				{ agent },
				url,
				(entry) => entry.agent === agent && entry.webhook === uuid,
			);

/** Reads the webhooks of an agent. @throws RequestError */
export async function survey(plan: Plan, agent: string, events: string[]): Promise<AgentState> {
	const { webhooks, limit } = await listWebhooks(plan.client, agent);
	const all = webhooks.filter((webhook) => ownershipOf(plan, agent, webhook) === 'own');
	const atAddress = (webhook: AgentWebhook) => addressOf(webhook.url) === plan.address;
	const kept = remembered(plan).find(
		(entry) => entry.agent === agent && all.some(({ uuid }) => uuid === entry.webhook),
	);
	const own =
		all.find((webhook) => webhook.uuid === kept?.webhook && atAddress(webhook)) ??
		all.find((webhook) => atAddress(webhook) && webhook.active) ??
		all.find(atAddress) ??
		all.find((webhook) => webhook.uuid === kept?.webhook) ??
		all[0];
	return {
		agent,
		events,
		webhooks,
		own,
		surplus: all.filter((webhook) => webhook !== own),
		upToDate:
			own !== undefined &&
			own.active &&
			own.hasSecret &&
			own.url === settingsFor(plan, agent, events).url &&
			isEqual([...own.events].sort(), [...events].sort()) &&
			kept?.webhook === own.uuid &&
			kept.signature === signatureMark(plan, agent) &&
			(kept.sealed !== undefined || plan.client.workspace.webhookSecret !== ''),
		full: own === undefined && webhooks.length >= limit,
	};
}

/** The webhooks of an agent, for messages: without query strings, which can hold the secrets of others. */
export const occupants = ({ addresses }: Plan, webhooks: AgentWebhook[]): string =>
	webhooks
		.map(({ url, events, active }, index) => {
			const address = addressOf(url) ?? 'an unreadable URL';
			const does = active ? events.join(', ') || 'no events' : 'switched off';
			const isOwn = address === addresses.published || address === addresses.test;
			return `${index + 1}. ${address} (${does}${isOwn ? "; this node's own" : ''})`;
		})
		.join('; ');

/** A message: the agent has as many webhooks as it can have, and these are they. */
export async function explainFull(
	plan: Plan,
	agent: string,
	webhooks: AgentWebhook[],
): Promise<string> {
	return `The agent ${await fetchAgentName(plan.client, agent)} already has ${webhooks.length} webhooks, which is the maximum: ${occupants(plan, webhooks)}. Delete one that you no longer need (ACP Agents, resource Agent Webhook, operation Delete), then try again.`;
}

/** "The webhook … of agent …", for messages. */
export const webhookPlace = (agent: string, address: string | undefined): string =>
	`The webhook ${address} of agent ${agent}`;

/** Why the node does not touch a webhook that looks like its own. */
function explainLeftAlone(plan: Plan, agent: string, webhook: AgentWebhook): string | undefined {
	const address = addressOf(webhook.url);
	const place = webhookPlace(agent, address);
	switch (ownershipOf(plan, agent, webhook)) {
		case 'elsewhere':
			return `${place} was not changed: this workflow registered it under another URL than this n8n's, ${plan.origin}. If another n8n runs there, that is correct. If this n8n has moved from there, enter ${originOf(address as string)} in the option 'Take Over From' and publish again.`;
		case 'unproven':
			return `${place} was not changed: it has this node's URL, but not this node's token, so another workflow may need it. If none does, delete it on the platform.`;
		default:
			return undefined;
	}
}

/** Messages about webhooks that look like the node's own and that it does not touch. */
export const leftAlone = (plan: Plan, agent: string, webhooks: AgentWebhook[]): string[] =>
	plan.test ? [] : webhooks.flatMap((webhook) => explainLeftAlone(plan, agent, webhook) ?? []);
