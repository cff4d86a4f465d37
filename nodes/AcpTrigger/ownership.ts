import type { AgentWebhook } from './agentWebhooks';
import type { Plan, Registrant, Registration } from './plan';
import { markOf } from '../engine/http/workspace';
import { addressOf, originOf, query } from '../engine/registration/address';
import { sameText, seal } from '../engine/registration/proof';

/**
 * Whose webhook it is. A webhook is a node's own when workflow, node and origin of the callback address are those of
 * the node. Workflow and node are proven by the token in its URL, which is made of them, or by an entry in static data
 * that names them. An address alone proves nothing, because copies keep it; static data alone proves nothing, because
 * it travels with copies.
 */
export type Ownership =
	/** Made by this node in this n8n, or left where a person lets it take over. */
	| 'own'
	/** Made by this node of this workflow under another origin: in another n8n, or before this one has moved. */
	| 'elsewhere'
	/** At this node's address, and nothing proves that the node made it. */
	| 'unproven'
	| 'foreign';

const isHere = ({ origin, takeOverFrom }: Plan, address: string): boolean =>
	[origin, takeOverFrom].includes(originOf(address));

/** Entries that this node has made, in whichever n8n. */
const entriesOf = ({ workflow, node, memory }: Registrant): Registration[] =>
	(memory.registrations ?? []).filter(
		(entry) => entry.workflow === workflow && entry.node === node,
	);

/** Entries of this node in this n8n, in whichever workspace. */
export const entriesHere = (registrant: Registrant): Registration[] =>
	entriesOf(registrant).filter(({ address }) => originOf(address) === registrant.origin);

/** What it has in this workspace; while testing, production ones are out of sight. */
export const remembered = (plan: Plan): Registration[] =>
	entriesOf(plan).filter(
		({ workspace, address }) =>
			workspace === plan.client.workspace.origin &&
			isHere(plan, address) &&
			(!plan.test || address === plan.address),
	);

/** What the credential cannot reach any more, because it leads to another workspace now. */
export const stranded = (plan: Plan): Registration[] =>
	plan.test
		? []
		: entriesHere(plan).filter(({ workspace }) => workspace !== plan.client.workspace.origin);

/** Whether static data holds entries of other nodes: it came with a copy. */
export const hasStrangers = (plan: Plan): boolean =>
	entriesOf(plan).length < (plan.memory.registrations ?? []).length;

/** Entries of other nodes say nothing about this one, and their tokens must not let anything in here. */
export function forgetStrangers(plan: Plan): void {
	if (hasStrangers(plan)) plan.memory.registrations = entriesOf(plan);
}

export function forget(plan: Plan, agent: string, webhook: string): void {
	// Set anew: n8n saves static data when a key is set, not when a list in it changes.
	plan.memory.registrations = (plan.memory.registrations ?? []).filter(
		(kept) => kept.agent !== agent || kept.webhook !== webhook,
	);
}

/** What the platform no longer has: its token must not let anything in any longer. */
export function forgetVanished(plan: Plan, agent: string, webhooks: AgentWebhook[]): void {
	for (const kept of entriesOf(plan)) {
		if (
			kept.agent === agent &&
			kept.workspace === plan.client.workspace.origin &&
			!webhooks.some(({ uuid }) => uuid === kept.webhook)
		)
			forget(plan, agent, kept.webhook);
	}
}

/** @param url of the webhook, whose token lets deliveries in from now on */
export function remember(
	plan: Plan,
	agent: string,
	webhook: string,
	url: string,
	signature?: string,
): void {
	forget(plan, agent, webhook);
	const secret = plan.secretOf(agent);
	const token = query(url, 'token');
	(plan.memory.registrations as Registration[]).push({
		workflow: plan.workflow,
		node: plan.node,
		agent,
		webhook,
		address: addressOf(url) as string,
		workspace: plan.client.workspace.origin,
		token: markOf(token),
		signature: signature ?? markOf(secret),
		...(plan.client.workspace.webhookSecret || signature !== undefined
			? {}
			: { sealed: seal(secret, token) }),
	});
}

/** Notes that the agent could not be read: the next publish or unpublish looks at it again. */
export function noteUnread(plan: Plan, agent: string): void {
	if (plan.test || remembered(plan).some((kept) => kept.agent === agent)) return;
	plan.memory.registrations = [
		...(plan.memory.registrations ?? []),
		{
			workflow: plan.workflow,
			node: plan.node,
			agent,
			webhook: '',
			address: plan.address,
			workspace: plan.client.workspace.origin,
			token: '',
			signature: '',
		},
	];
}

/** Whose a webhook of the agent is. */
export function ownershipOf(plan: Plan, agent: string, { uuid, url }: AgentWebhook): Ownership {
	const address = addressOf(url);
	if (address === undefined || (plan.test && address !== plan.address)) return 'foreign';
	const proven =
		sameText(query(url, 'token'), plan.tokenOf(agent)) ||
		entriesOf(plan).some(
			(kept) =>
				kept.agent === agent &&
				kept.webhook === uuid &&
				kept.address === address &&
				kept.workspace === plan.client.workspace.origin,
		);
	if (proven) return isHere(plan, address) ? 'own' : 'elsewhere';
	return address === plan.address ? 'unproven' : 'foreign';
}

/** "The webhook … of agent …", for messages. */
export const webhookPlace = (agent: string, address: string | undefined): string =>
	`The webhook ${address} of agent ${agent}`;

/** Why a webhook that looks like the node's own is left as it is. */
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

/** What is told about webhooks that look like the node's own and are left as they are. */
export const leftAlone = (plan: Plan, agent: string, webhooks: AgentWebhook[]): string[] =>
	plan.test ? [] : webhooks.flatMap((webhook) => explainLeftAlone(plan, agent, webhook) ?? []);
