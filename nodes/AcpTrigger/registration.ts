import {
	explainFull,
	leftAlone,
	occupants,
	ownershipOf,
	survey,
	webhookPlace,
	type AgentState,
} from './agentState';
import {
	addWebhook,
	changeWebhook,
	listWebhooks,
	removeWebhook,
	type AgentWebhook,
} from './agentWebhooks';
import {
	forgetWebhook,
	noteUnread,
	rememberWebhook,
	settingsFor,
	type Plan,
	type Registration,
} from './plan';
import { readAgents, readEvents, readTakeOverFrom } from './settings';
import { family } from './signature';
import { RequestError } from '../engine/errors/requestError';
import { rethrow } from '../engine/errors/rethrow';
import { addressOf, query } from '../engine/registration/address';
import { lifecycleOf } from '../engine/registration/lifecycle';
import { entriesInWorkspace, forget, remembered } from '../engine/registration/memory';
import { explainRequestError } from '../engine/registration/plan';
import { isGone, isUnsupported } from '../engine/registration/platform';
import { registrationError, warn } from '../engine/registration/registrant';
import { sentence } from '../engine/text/text';

const title = 'ACP Event Trigger';
const labels = { url: 'Callback URL', events: 'Events' };
const verb = 'delivers to';

interface Wanted {
	agent: string;
	events: string[];
}

/** Makes an agent's webhook what it should be. @throws RequestError, NodeOperationError */
async function settle(plan: Plan, state: AgentState): Promise<boolean> {
	const { agent, own, upToDate, events, webhooks, surplus } = state;
	const { client, context } = plan;
	forgetVanished(plan, agent, webhooks);
	// First, because this may make room for the new webhook.
	for (const webhook of surplus) warn(plan, await discard(plan, agent, webhook));
	if (upToDate) return false;
	const wanted = settingsFor(plan, agent, events);
	if (own) {
		try {
			await changeWebhook(client, agent, own.uuid, wanted);
			rememberWebhook(plan, agent, own.uuid, wanted.url);
			return true;
		} catch (requestError) {
			if (
				!(requestError instanceof RequestError) ||
				!(isUnsupported(requestError) || isGone(requestError))
			)
				rethrow(requestError);
		}
		if ((await removeWebhook(client, agent, own)) !== 'removed') {
			const usable =
				own.active &&
				plan.version === '' &&
				addressOf(own.url) === plan.address &&
				query(own.url, 'token').length >= 32 &&
				events.every((event) => own.events.includes(event));
			if (!usable) {
				throw registrationError(
					context,
					`The agent ${agent} has an outdated webhook for this workflow (${occupants(plan, [own]).slice(3)}), and the workspace neither changes nor deletes it at the undocumented path this node tried. Delete it on the platform, then try again.`,
				);
			}
			warn(
				plan,
				`uses the existing webhook of agent ${agent} unchanged, because the workspace neither changes nor deletes it at the undocumented path this node tried. Its signing secret may be an older one, so deliveries may count as not verified.`,
			);
			rememberWebhook(plan, agent, own.uuid, own.url, '');
			return true;
		}
		forgetWebhook(plan, agent, own.uuid);
	}
	rememberWebhook(plan, agent, await addWebhook(client, agent, wanted), wanted.url);
	return true;
}

/** Forgets webhooks that the platform no longer has: their tokens must not let anything in. */
function forgetVanished(plan: Plan, agent: string, webhooks: AgentWebhook[]): void {
	const known = entriesInWorkspace(plan);
	forget(
		plan,
		(entry) =>
			known.includes(entry) &&
			entry.agent === agent &&
			!webhooks.some(({ uuid }) => uuid === entry.webhook),
	);
}

const explain = (thrown: unknown, plan: Plan): string =>
	thrown instanceof RequestError
		? explainRequestError(thrown, plan, labels, verb)
		: sentence((thrown as Error).message);

const explainLeftover = (place: string, reason: string): string =>
	`${place} could not be removed. ${reason} The next publish with a working credential uses it again instead of adding another. To remove it permanently, delete it on the platform.`;

/** Removes a webhook of this node and forgets it. Never throws. @returns why it is still there, if it is */
async function discard(
	plan: Plan,
	agent: string,
	webhook: AgentWebhook,
): Promise<string | undefined> {
	const place = webhookPlace(agent, addressOf(webhook.url));
	try {
		const outcome = await removeWebhook(plan.client, agent, webhook);
		if (outcome === 'removed') forgetWebhook(plan, agent, webhook.uuid);
		if (outcome === 'off')
			plan.context.logger.info(
				`${place} was switched off, because the workspace does not delete it at the undocumented path this node tried. The next publish switches it on again.`,
			);
		return outcome === 'stays'
			? `${place} stays on the platform, because the workspace neither deletes it nor switches it off at the undocumented path this node tried. The next publish uses it again. To remove it permanently, delete it on the platform.`
			: undefined;
	} catch (thrown) {
		return explainLeftover(place, explain(thrown, plan));
	}
}

/** Removes all webhooks of this node from an agent. Never throws. @returns why some of them are still there */
async function release(plan: Plan, { agent }: { agent: string }): Promise<string[]> {
	let webhooks: AgentWebhook[];
	try {
		({ webhooks } = await listWebhooks(plan.client, agent));
	} catch (thrown) {
		if (thrown instanceof RequestError && isGone(thrown)) {
			// An agent that is gone has no webhooks.
			forgetVanished(plan, agent, []);
			return [];
		}
		const known = remembered(plan).find((kept) => kept.agent === agent);
		if (!plan.test && !known) noteUnread(plan, agent);
		return [
			explainLeftover(webhookPlace(agent, known?.address ?? plan.address), explain(thrown, plan)),
		];
	}
	forgetVanished(plan, agent, webhooks);
	const complaints: string[] = [];
	for (const webhook of webhooks) {
		if (ownershipOf(plan, agent, webhook) !== 'own') continue;
		const complaint = await discard(plan, agent, webhook);
		if (complaint !== undefined) complaints.push(complaint);
	}
	for (const told of leftAlone(plan, agent, webhooks)) warn(plan, told);
	return complaints;
}

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

/** The webhooks of the ACP Event Trigger: one per agent, of which each has only a few. */
export const { isRegistered, register, unregister } = lifecycleOf<Registration, Wanted, AgentState>(
	{
		title,
		family,
		arrives: 'events',
		does: 'deliver events to',
		labels,
		verb,
		chooseAgent: "Remove it under 'Agent Names or IDs'",
		goesOn: 'listens only to the other agents.',
		wanted: (context, toClear = false) => {
			const events = toClear ? [] : readEvents(context);
			return readAgents(context).map((agent) => ({ agent, events }));
		},
		takeOverFrom: readTakeOverFrom,
		survey: async (plan, { agent, events }) => await survey(plan, agent, events),
		isUpToDate: (_, { upToDate, surplus }) => upToDate && surplus.length === 0,
		obstacle: async (plan, { agent, full, webhooks }) =>
			full ? await explainFull(plan, agent, webhooks) : undefined,
		remarks: (plan, { agent, webhooks }) => [
			...aboutSecret(plan),
			...leftAlone(plan, agent, webhooks),
		],
		settle,
		// If another webhook took the place meanwhile, the message says which.
		explainWrite: async (plan, { agent }, { facts }) => {
			const full =
				facts.status === 409
					? await listWebhooks(plan.client, agent).catch(() => undefined)
					: undefined;
			return full && (await explainFull(plan, agent, full.webhooks));
		},
		placeOf: ({ agent }) => ({ agent }),
		release,
		explainLeftover: ({ agent, address }, reason) =>
			explainLeftover(webhookPlace(agent, address), reason),
		unreachable: ({ client }, { agent, address, workspace }) =>
			`${webhookPlace(agent, address)} stays at ${new URL(workspace).host}, because the credential now points to ${client.workspace.host}. Delete it there.`,
	},
);
