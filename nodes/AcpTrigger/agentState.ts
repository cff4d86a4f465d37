import { isEqual } from 'lodash';
import { listWebhooks, type AgentWebhook } from './agentWebhooks';
import { ownershipOf, remembered } from './ownership';
import { explainRequestError, urlFor, type Plan } from './plan';
import { mapInParallel } from '../engine/concurrency';
import { RequestError } from '../engine/errors/requestError';
import { markOf } from '../engine/http/workspace';
import { rethrow } from '../engine/errors/rethrow';
import { addressOf } from '../engine/registration/address';
import { fetchAgentName, isGone } from '../engine/registration/platform';

/** The webhooks of one agent, compared with what the node wants: what has to be done there. */
export interface AgentState {
	agent: string;
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

export type AgentSurvey =
	{ agent: string; standing: AgentState } | { agent: string; requestError: RequestError };

/** How many agents are handled in parallel. */
export const width = 4;

function compareWebhooks(
	plan: Plan,
	agent: string,
	events: string[],
	webhooks: AgentWebhook[],
	limit: number,
): AgentState {
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
	const surplus = all.filter((webhook) => webhook !== own);
	return {
		agent,
		webhooks,
		own,
		surplus,
		upToDate:
			own !== undefined &&
			own.active &&
			own.hasSecret &&
			own.url === urlFor(plan, agent) &&
			isEqual([...own.events].sort(), [...events].sort()) &&
			kept?.webhook === own.uuid &&
			kept.signature === markOf(plan.secretOf(agent)) &&
			(kept.sealed !== undefined || plan.client.workspace.webhookSecret !== ''),
		full: own === undefined && webhooks.length >= limit,
	};
}

/** Reads the webhooks of all agents. */
export async function survey(plan: Plan, events: string[]): Promise<AgentSurvey[]> {
	return await mapInParallel(plan.agents, width, async (agent): Promise<AgentSurvey> => {
		try {
			const { webhooks, limit } = await listWebhooks(plan.client, agent);
			return { agent, standing: compareWebhooks(plan, agent, events, webhooks, limit) };
		} catch (thrown) {
			if (thrown instanceof RequestError) return { agent, requestError: thrown };
			rethrow(thrown);
		}
	});
}

/** The webhooks of an agent, for messages: without query strings, which can hold the secrets of others. */
export const occupants = (webhooks: AgentWebhook[]): string =>
	webhooks
		.map(
			({ url, events, active }, index) =>
				`${index + 1}. ${addressOf(url) ?? 'an unreadable URL'} (${active ? events.join(', ') || 'no events' : 'switched off'})`,
		)
		.join('; ');

/** A message: the agent has as many webhooks as it can have, and these are they. */
export async function explainFull(
	plan: Plan,
	agent: string,
	webhooks: AgentWebhook[],
): Promise<string> {
	return `The agent ${await fetchAgentName(plan.client, agent)} already has ${webhooks.length} webhooks, which is the maximum: ${occupants(webhooks)}. Delete one that you no longer need (ACP Agents, resource Agent Webhook, operation Delete), then try again.`;
}

/** Why the node cannot register at an agent, in words; undefined if it can. */
export async function obstacle(plan: Plan, surveyed: AgentSurvey): Promise<string | undefined> {
	const { agent } = surveyed;
	if ('requestError' in surveyed) {
		if (!isGone(surveyed.requestError)) return explainRequestError(surveyed.requestError, plan);
		return `The agent ${agent} was not found at ${plan.client.workspace.host}: it was deleted, or it belongs to another workspace. Remove it under 'Agent Names or IDs', or check the credential.`;
	}
	const { full, webhooks } = surveyed.standing;
	return full ? await explainFull(plan, agent, webhooks) : undefined;
}
