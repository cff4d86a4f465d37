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

/** How one agent stands, and so what is to be done there. */
export interface AgentState {
	agent: string;
	webhooks: AgentWebhook[];
	/** The webhook of this node that stays. */
	own?: AgentWebhook;
	/** Further ones of this node: at an address of before, left by a killed test run, doubles. */
	surplus: AgentWebhook[];
	/** `own` is as it should be. */
	upToDate: boolean;
	/** There is no own one and no place for it. */
	full: boolean;
}

export type AgentSurvey =
	{ agent: string; standing: AgentState } | { agent: string; requestError: RequestError };

/** Agents that are worked on at once. */
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

/** What occupies an agent: addresses without their query strings, which can hold the secrets of others. */
export const occupants = (webhooks: AgentWebhook[]): string =>
	webhooks
		.map(
			({ url, events, active }, index) =>
				`${index + 1}. ${addressOf(url) ?? 'an unreadable URL'} (${active ? events.join(', ') || 'no events' : 'switched off'})`,
		)
		.join('; ');

/** That an agent holds as many webhooks as it can, and which. */
export async function explainFull(
	plan: Plan,
	agent: string,
	webhooks: AgentWebhook[],
): Promise<string> {
	return `The agent ${await fetchAgentName(plan.client, agent)} already has ${webhooks.length} webhooks, which is the maximum: ${occupants(webhooks)}. Delete one that you no longer need (ACP Agents, resource Agent Webhook, operation Delete), then try again.`;
}

/** Why an agent cannot be registered at, in words; undefined when it can. */
export async function obstacle(plan: Plan, surveyed: AgentSurvey): Promise<string | undefined> {
	const { agent } = surveyed;
	if ('requestError' in surveyed) {
		if (!isGone(surveyed.requestError)) return explainRequestError(surveyed.requestError, plan);
		return `The agent ${agent} was not found at ${plan.client.workspace.host}: it was deleted, or it belongs to another workspace. Remove it under 'Agent Names or IDs', or check the credential.`;
	}
	const { full, webhooks } = surveyed.standing;
	return full ? await explainFull(plan, agent, webhooks) : undefined;
}
