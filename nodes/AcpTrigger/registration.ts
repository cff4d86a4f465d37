import { isEqual, orderBy } from 'lodash';
import {
	addWebhook,
	changeWebhook,
	listWebhooks,
	removeWebhook,
	type AgentWebhook,
	type WebhookSettings,
} from './agentWebhooks';
import { readAgents, readEvents } from './settings';
import { RequestError, rethrow } from '../engine/errors/requestError';
import { markOf } from '../engine/http/workspace';
import { lifecycleOf, type Survey } from '../engine/registration/lifecycle';
import {
	entriesInWorkspace,
	forget,
	ownershipOfUrl,
	remember,
	remembered,
	type Ownership,
} from '../engine/registration/memory';
import { explain, urlFor, type Plan as PlanOf } from '../engine/registration/plan';
import { fetchAgentName, isGone, orRefusal } from '../engine/registration/platform';
import { seal } from '../engine/registration/proof';
import {
	originOf,
	query,
	registrationError,
	warn,
	withoutQuery,
	type Entry,
	type Target,
	type TriggerType,
} from '../engine/registration/registrant';

export interface Registration extends Entry {
	/** Its `webhook_uuid`; empty if the agent could not be read and has to be read again. */
	webhook: string;
	signature: string;
	/** A generated secret, sealed with the callback token, for deliveries after the credential's token has changed. */
	sealed?: string;
}

type Plan = PlanOf<Registration>;

export const type: TriggerType = {
	title: 'ACP Event Trigger',
	family: 'acp-trigger',
	arrives: 'events',
	does: 'deliver events to',
	verb: 'delivers to',
	labels: { url: 'Callback URL', events: 'Events' },
	chooseAgent: "Remove it under 'Agent Names or IDs'",
	goesOn: 'listens only to the other agents.',
};

/** The secret that the platform signs with: the credential's, or one that the node derives. */
const signingSecretOf = (plan: Plan, agent: string): string =>
	plan.client.workspace.webhookSecret || plan.secretOf('signature', { agent }).toString('hex');

const settingsFor = (plan: Plan, agent: string): WebhookSettings => ({
	url: urlFor(plan, { agent }),
	events: readEvents(plan.context),
	active: true,
	secret: signingSecretOf(plan, agent),
});

const isAbout =
	(agent: string, webhook: string) =>
	(entry: Registration): boolean =>
		entry.agent === agent && entry.webhook === webhook;

/** @param unchanged the webhook may have an older signing secret */
function rememberWebhook(
	plan: Plan,
	agent: string,
	{ uuid, url }: Pick<AgentWebhook, 'uuid' | 'url'>,
	unchanged = false,
): void {
	const token = query(url, 'token');
	const secret = signingSecretOf(plan, agent);
	const isGenerated = plan.client.workspace.webhookSecret === '' && !unchanged;
	const entry = {
		agent,
		webhook: uuid,
		address: withoutQuery(url) as string,
		token: markOf(token),
		signature: unchanged ? '' : plan.markOfTyped(secret),
		...(isGenerated ? { sealed: seal(secret, token) } : {}),
	};
	remember(plan, entry, isAbout(agent, uuid));
}

/** Whose webhook it is. A test has one of its own and does not touch that of the published workflow. */
const ownershipOf = (plan: Plan, agent: string, { uuid, url }: AgentWebhook): Ownership =>
	plan.test && withoutQuery(url) !== plan.address
		? 'foreign'
		: ownershipOfUrl(plan, { agent }, url, isAbout(agent, uuid));

/** The webhooks of an agent, for messages: without query strings, which can hold the secrets of others. */
const occupants = ({ addresses }: Plan, webhooks: AgentWebhook[]): string =>
	webhooks
		.map(({ url, events, active }, index) => {
			const address = withoutQuery(url) ?? 'an unreadable URL';
			const does = active ? events.join(', ') || 'no events' : 'switched off';
			const isOwn = address === addresses.published || address === addresses.test;
			return `${index + 1}. ${address} (${does}${isOwn ? "; this node's own" : ''})`;
		})
		.join('; ');

const explainFull = async (plan: Plan, agent: string, webhooks: AgentWebhook[]): Promise<string> =>
	`The agent ${await fetchAgentName(plan.client, agent)} already has ${webhooks.length} webhooks, which is the maximum: ${occupants(plan, webhooks)}. Delete one that you no longer need (ACP Agents, resource Agent Webhook, operation Delete), then try again.`;

const placeOf = (agent: string, address: string | undefined): string =>
	`The webhook ${address} of agent ${agent}`;

const explainLeftover = (place: string, reason: string): string =>
	`${place} could not be removed. ${reason} The next publish with a working credential uses it again instead of adding another. To remove it permanently, delete it on the platform.`;

/** Messages about webhooks that look like the node's own and that it does not touch. */
const leftAlone = (plan: Plan, agent: string, webhooks: AgentWebhook[]): string[] =>
	(plan.test ? [] : webhooks).flatMap((webhook) => {
		const address = withoutQuery(webhook.url) ?? '';
		const place = placeOf(agent, address);
		switch (ownershipOf(plan, agent, webhook)) {
			case 'elsewhere':
				return `${place} was not changed: this workflow registered it under another URL than this n8n's, ${plan.origin}. If another n8n runs there, that is correct. If this n8n has moved from there, enter ${originOf(address)} in the option 'Take Over From' and publish again.`;
			case 'unproven':
				return `${place} was not changed: it has this node's URL, but not this node's token, so another workflow may need it. If none does, delete it on the platform.`;
			default:
				return [];
		}
	});

/** Reference, webhook guide: at least 32 characters are advised. */
const shortestSecret = 32;

/** A short secret can be tried out by whoever has one signed event. */
function aboutSecret({ client }: Plan): string[] {
	const { length } = client.workspace.webhookSecret;
	return length === 0 || length >= shortestSecret
		? []
		: [
				`'Webhook Secret' in the credential has ${length} characters. Whoever has one signed event can find out a short secret and sign others. Enter at least ${shortestSecret} random characters, or leave it empty: then the node makes one.`,
			];
}

/** Forgets webhooks that the platform no longer has: their tokens must not let anything in. */
function forgetVanished(plan: Plan, agent: string, webhooks: AgentWebhook[]): void {
	const vanished = entriesInWorkspace(plan).filter(
		(entry) => entry.agent === agent && !webhooks.some(({ uuid }) => uuid === entry.webhook),
	);
	forget(plan, (entry) => vanished.includes(entry));
}

/** Removes a webhook of this node and forgets it. Never throws. @returns why it is still there, if it is */
async function discard(plan: Plan, agent: string, webhook: AgentWebhook): Promise<string[]> {
	const place = placeOf(agent, withoutQuery(webhook.url));
	try {
		const outcome = await removeWebhook(plan.client, agent, webhook);
		if (outcome === 'removed') forget(plan, isAbout(agent, webhook.uuid));
		if (outcome === 'off')
			plan.context.logger.info(
				`${place} was switched off, because the workspace does not delete it at the undocumented path this node tried. The next publish switches it on again.`,
			);
		return outcome === 'stays'
			? [
					`${place} stays on the platform, because the workspace neither deletes it nor switches it off at the undocumented path this node tried. The next publish uses it again. To remove it permanently, delete it on the platform.`,
				]
			: [];
	} catch (thrown) {
		return [explainLeftover(place, explain(thrown, plan))];
	}
}

/**
 * Changes the node's webhook, or replaces it if the platform changes none. If it does neither, the webhook may still do.
 * @returns whether the node still has it
 */
async function change(plan: Plan, agent: string, own: AgentWebhook): Promise<boolean> {
	const wanted = settingsFor(plan, agent);
	const changing = changeWebhook(plan.client, agent, own.uuid, wanted);
	const changed = await orRefusal(changing, 'gone', 'unsupported');
	if (changed === undefined) {
		rememberWebhook(plan, agent, { uuid: own.uuid, url: wanted.url });
		return true;
	}
	if ((await removeWebhook(plan.client, agent, own)) === 'removed') {
		forget(plan, isAbout(agent, own.uuid));
		return false;
	}
	const usable =
		own.active &&
		plan.version === '' &&
		withoutQuery(own.url) === plan.address &&
		query(own.url, 'token').length >= 32 &&
		wanted.events.every((event) => own.events.includes(event));
	if (!usable) {
		throw registrationError(
			plan.context,
			`The agent ${agent} has an outdated webhook for this workflow (${occupants(plan, [own]).slice(3)}), and the workspace neither changes nor deletes it at the undocumented path this node tried. Delete it on the platform, then try again.`,
		);
	}
	warn(plan, [
		`uses the existing webhook of agent ${agent} unchanged, because the workspace neither changes nor deletes it at the undocumented path this node tried. Its signing secret may be an older one, so deliveries may count as not verified.`,
	]);
	rememberWebhook(plan, agent, own, true);
	return true;
}

async function add(plan: Plan, agent: string): Promise<void> {
	const wanted = settingsFor(plan, agent);
	try {
		const uuid = await addWebhook(plan.client, agent, wanted);
		rememberWebhook(plan, agent, { uuid, url: wanted.url });
	} catch (thrown) {
		if (!(thrown instanceof RequestError) || thrown.facts.status !== 409) rethrow(thrown);
		// If another webhook took the place meanwhile, the message says which.
		const full = await listWebhooks(plan.client, agent).catch(() => rethrow(thrown));
		throw registrationError(plan.context, await explainFull(plan, agent, full.webhooks));
	}
}

async function survey(plan: Plan, { agent }: Target): Promise<Survey> {
	const { webhooks, limit } = await listWebhooks(plan.client, agent);
	const entries = remembered(plan).filter((entry) => entry.agent === agent);
	const all = webhooks.filter((webhook) => ownershipOf(plan, agent, webhook) === 'own');
	const kept = entries.find((entry) => all.some(({ uuid }) => uuid === entry.webhook));
	// The first stays. Others are doubles, at an old URL, or left behind by a test run that was killed.
	const [own, ...surplus] = orderBy(
		all,
		[
			({ url }) => withoutQuery(url) === plan.address,
			({ uuid }) => uuid === kept?.webhook,
			({ active }) => active,
		],
		['desc', 'desc', 'desc'],
	);
	const wanted = settingsFor(plan, agent);
	const fits =
		own?.active === true &&
		own.hasSecret &&
		own.url === wanted.url &&
		isEqual([...own.events].sort(), [...wanted.events].sort()) &&
		kept?.webhook === own.uuid &&
		kept.signature === plan.markOfTyped(signingSecretOf(plan, agent)) &&
		(kept.sealed !== undefined || plan.client.workspace.webhookSecret !== '');
	return {
		upToDate: fits && surplus.length === 0,
		obstacle: async () =>
			own === undefined && webhooks.length >= limit
				? await explainFull(plan, agent, webhooks)
				: undefined,
		remarks: [...aboutSecret(plan), ...leftAlone(plan, agent, webhooks)],
		async settle() {
			forgetVanished(plan, agent, webhooks);
			// First, because this may make room for the new webhook.
			for (const webhook of surplus) warn(plan, await discard(plan, agent, webhook));
			if (fits) return false;
			if (own === undefined || !(await change(plan, agent, own))) await add(plan, agent);
			return true;
		},
	};
}

/** Removes all webhooks of this node from an agent. @returns why some of them are still there */
async function release(plan: Plan, { agent }: Target): Promise<string[]> {
	const { webhooks } = await listWebhooks(plan.client, agent).catch((thrown: Error) => {
		const isKnown = remembered(plan).some((entry) => entry.agent === agent);
		// The next publish or unpublish tries again.
		const unread = { agent, webhook: '', address: plan.address, token: '', signature: '' };
		if (!plan.test && !isKnown && !isGone(thrown)) remember(plan, unread, isAbout(agent, ''));
		return rethrow(thrown);
	});
	forgetVanished(plan, agent, webhooks);
	const complaints: string[] = [];
	for (const webhook of webhooks)
		if (ownershipOf(plan, agent, webhook) === 'own')
			complaints.push(...(await discard(plan, agent, webhook)));
	warn(plan, leftAlone(plan, agent, webhooks));
	return complaints;
}

/** The webhooks of the ACP Event Trigger: one per agent, of which each has only a few. */
export const lifecycle = lifecycleOf<Registration, Target>({
	type,
	refuse: readEvents,
	wanted: (context) => readAgents(context).map((agent) => ({ agent })),
	survey,
	release,
	explainLeftover: ({ agent, address }, reason) => explainLeftover(placeOf(agent, address), reason),
	unreachable: ({ agent, address, workspace }, host) =>
		`${placeOf(agent, address)} stays at ${new URL(workspace).host}, because the credential now points to ${host}. Delete it there.`,
});
