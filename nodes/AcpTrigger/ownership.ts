import type { AgentWebhook } from './agentWebhooks';
import type { Plan, Registrant, Registration } from './plan';
import { markOf } from '../engine/http/workspace';
import { addressOf, originOf, query } from '../engine/registration/address';
import { sameText, seal } from '../engine/registration/proof';

/**
 * Whose webhook it is. A webhook is a node's own if workflow, node and origin of the callback URL are those of the
 * node. The token in its URL, which is made of workflow and node, proves these two; so does an entry in static data
 * that names them. The same URL alone proves nothing, because copies keep it. Static data alone proves nothing, because
 * copies take it along.
 */
export type Ownership =
	/** Made by this node in this n8n, or at an origin from which a person lets the node take over. */
	| 'own'
	/** Made by this node of this workflow at another origin: in another n8n, or before this one moved. */
	| 'elsewhere'
	/** At this node's callback URL, but nothing proves that the node made it. */
	| 'unproven'
	| 'foreign';

const isHere = ({ origin, takeOverFrom }: Plan, address: string): boolean =>
	[origin, takeOverFrom].includes(originOf(address));

/** Entries that this node made, in any n8n. */
const entriesOf = ({ workflow, node, memory }: Registrant): Registration[] =>
	(memory.registrations ?? []).filter(
		(entry) => entry.workflow === workflow && entry.node === node,
	);

/** Entries of this node in this n8n, in any workspace. */
export const entriesHere = (registrant: Registrant): Registration[] =>
	entriesOf(registrant).filter(({ address }) => originOf(address) === registrant.origin);

/** Entries of this node in this workspace. A test does not see those of the published workflow. */
export const remembered = (plan: Plan): Registration[] =>
	entriesOf(plan).filter(
		({ workspace, address }) =>
			workspace === plan.client.workspace.origin &&
			isHere(plan, address) &&
			(!plan.test || address === plan.address),
	);

/** Entries that the credential no longer reaches, because it now leads to another workspace. */
export const stranded = (plan: Plan): Registration[] =>
	plan.test
		? []
		: entriesHere(plan).filter(({ workspace }) => workspace !== plan.client.workspace.origin);

/** Whether static data holds entries of other nodes, because it came with a copy. */
export const hasStrangers = (plan: Plan): boolean =>
	entriesOf(plan).length < (plan.memory.registrations ?? []).length;

/** Entries of other nodes say nothing about this one, and their tokens must not let anything in here. */
export function forgetStrangers(plan: Plan): void {
	if (hasStrangers(plan)) plan.memory.registrations = entriesOf(plan);
}

export function forget(plan: Plan, agent: string, webhook: string): void {
	// A new list: n8n saves static data when a key is set, not when a list in it changes.
	plan.memory.registrations = (plan.memory.registrations ?? []).filter(
		(kept) => kept.agent !== agent || kept.webhook !== webhook,
	);
}

/** Forgets webhooks that the platform no longer has: their tokens must not let anything in. */
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

/** Notes that the agent could not be read: the next publish or unpublish tries again. */
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

/** Whose webhook it is. */
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
