import { groupBy, sortBy } from 'lodash';
import {
	addWebhook,
	changeWebhook,
	differencesIn,
	differencesOf,
	listWebhooks,
	removeWebhook,
	type AgentWebhook,
	type WebhookSettings,
} from './agentWebhooks';
import { missed } from './missed';
import { readAgents, readEvents } from './settings';
import { RequestError, rethrow } from '../engine/errors/requestError';
import { lookAgain } from '../engine/http/clock';
import { markOf } from '../engine/http/workspace';
import { mapInParallel } from '../engine/inParallel';
import { lifecycleOf, type Survey } from '../shared/registration/lifecycle';
import {
	forget,
	ownershipOfUrl,
	remember,
	remembered,
	type Ownership,
} from '../shared/registration/memory';
import { explain, urlFor, type Plan as PlanOf } from '../shared/registration/plan';
import { andList } from '../engine/text/text';
import { fetchAgentName, isGone, orRefusal } from '../shared/registration/platform';
import { seal } from '../shared/registration/proof';
import {
	homeOf,
	othersIn,
	query,
	registrationError,
	warn,
	addressOfUrl,
	type Entry,
	type Target,
	type TriggerType,
} from '../shared/registration/registrant';

export interface Registration extends Entry {
	/** Its `webhook_uuid`; empty if the agent could not be read and has to be read again. */
	webhook: string;
	signature: string;
	/** A generated secret, sealed with the callback token, for deliveries after the credential's token has changed. */
	sealed?: string;
}

type Plan = PlanOf<Registration>;

export const type: TriggerType = {
	title: 'Conversation Event Trigger',
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

/** A mark of it: without the API token, a secret that a person chose can neither be read nor tried out. */
const markOfSecret = (plan: Plan, agent: string): string =>
	plan.derive([type.family, 'mark', plan.workflow, plan.node, signingSecretOf(plan, agent)]);

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
	webhook: string,
	url: string,
	unchanged = false,
): void {
	const token = query(url, 'token');
	const isGenerated = plan.client.workspace.webhookSecret === '' && !unchanged;
	const entry = {
		agent,
		webhook,
		address: addressOfUrl(url) as string,
		token: markOf(token),
		signature: unchanged ? '' : markOfSecret(plan, agent),
		...(isGenerated ? { sealed: seal(signingSecretOf(plan, agent), token) } : {}),
	};
	remember(plan, entry, isAbout(agent, webhook));
}

/** Whose webhook it is. A test has one of its own and does not touch that of the published workflow. */
function ownershipOf(plan: Plan, agent: string, { uuid, url }: AgentWebhook): Ownership {
	// A platform that shows no URLs, or cuts them: what is remembered by its ID is the node's.
	const isKnown = remembered(plan).some(isAbout(agent, uuid));
	if (isKnown && urlFor(plan, { agent }).startsWith(url)) return 'own';
	return plan.test && addressOfUrl(url) !== plan.address
		? 'foreign'
		: ownershipOfUrl(plan, { agent }, url, isAbout(agent, uuid));
}

/** A webhook for messages: without its query, which can hold the secrets of others. */
function shown({ addresses }: Plan, { url, events, active }: AgentWebhook): string {
	const address = addressOfUrl(url) ?? 'an unreadable URL';
	const does = active ? events.join(', ') || 'no events' : 'switched off';
	const isOwn = address === addresses.published || address === addresses.test;
	return `${address} (${does}${isOwn ? "; this node's own" : ''})`;
}

const explainFull = async (plan: Plan, agent: string, webhooks: AgentWebhook[]): Promise<string> =>
	webhooks.length === 0
		? `The platform accepts no webhook for the agent ${await fetchAgentName(plan.client, agent)}, although it shows none. Look at the agent's webhooks on the platform.`
		: `The agent ${await fetchAgentName(plan.client, agent)} already has ${webhooks.length} webhooks, which is the maximum: ${webhooks.map((one, index) => `${index + 1}. ${shown(plan, one)}`).join('; ')}. Deleting one (Agents, resource Agent Webhook) silences the workflow that it belongs to. Or let one trigger receive the events and pass them on with Execute Sub-workflow.`;

const placeOf = (agent: string, url: string): string =>
	`The webhook ${addressOfUrl(url)} of agent ${agent}`;

const explainLeftover = (place: string, reason: string): string =>
	`${place} could not be removed. ${reason} The next publish with a working credential uses it again instead of adding another. To remove it permanently, delete it on the platform.`;

/** Reference, webhook guide: at least 32 characters are advised. */
const shortestSecret = 32;

function aboutSecret({ client }: Plan): string[] {
	const { length } = client.workspace.webhookSecret;
	if (length === 0 || length >= shortestSecret) return [];
	return [
		`'Webhook Secret' in the credential has ${length} characters. Anyone with one signed event can work out a short secret and sign others. Enter at least ${shortestSecret} random characters, or leave it empty: then the node makes one.`,
	];
}

/** What may reach somebody ends in an event again. */
function aboutCircles({ context, test }: Plan): string[] {
	const starting = othersIn(context, ['acpCalls', 'acpMessages', 'acpOutreach']);
	if (test || starting.length === 0) return [];
	return [
		`${andList(starting.map(({ name }) => `"${name}"`))} may start conversations, and each of them ends in an event that starts this workflow again. To keep it from going in circles, turn on 'Reach Each Person' (calls and messages), or filter the events.`,
	];
}

/**
 * Reads an agent's webhooks: all of them, this node's, those of it that the list does not show, and messages about those
 * that look like its own and that it does not touch. A list may lag: only a 404 for its ID says that one is gone.
 */
async function readWebhooks(plan: Plan, agent: string) {
	const { webhooks, limit } = await listWebhooks(plan.client, agent);
	const unlisted = remembered(plan)
		.filter(({ agent: of, webhook }) => of === agent && webhook !== '')
		.filter(({ webhook }) => !webhooks.some(({ uuid }) => uuid === webhook))
		.map(({ webhook, address }): AgentWebhook => {
			const { events } = settingsFor(plan, agent);
			return { uuid: webhook, url: address, events, active: true, row: {} };
		});
	const ownership = (webhook: AgentWebhook) => ownershipOf(plan, agent, webhook);
	const { own = [], elsewhere = [], unproven = [] } = groupBy(webhooks, ownership);
	const leftAlone = [
		...elsewhere.map(
			({ url }) =>
				`${placeOf(agent, url)} was not changed: this workflow registered it under another URL than this n8n's, ${homeOf(plan.address)}. If another n8n runs there, that is correct. If this n8n has moved from there, enter ${homeOf(addressOfUrl(url) as string)} in the option 'Take Over From' and publish again.`,
		),
		...unproven.map(
			({ url }) =>
				`${placeOf(agent, url)} was not changed: it has this node's URL, but not this node's token, so another workflow may need it. If none does, delete it on the platform.`,
		),
	];
	return { webhooks, limit, own, unlisted, leftAlone: plan.test ? [] : leftAlone };
}

/** Removes a webhook of this node and forgets it. Never throws. @returns why it is still there, if it is */
async function discard(plan: Plan, agent: string, webhook: AgentWebhook): Promise<string[]> {
	const place = placeOf(agent, webhook.url);
	try {
		const outcome = await removeWebhook(plan.client, agent, webhook);
		if (outcome === 'removed') forget(plan, isAbout(agent, webhook.uuid));
		if (outcome === 'off')
			plan.context.logger.info(
				`${place} was switched off, because the workspace does not delete it at the undocumented path this node tried. The next publish switches it on again.`,
			);
		if (outcome !== 'stays') return [];
		return [
			`${place} may still receive events: at the undocumented path this node tried, the workspace showed neither that it is deleted nor that it is switched off. The next publish uses it again. To remove it permanently, delete it on the platform.`,
		];
	} catch (thrown) {
		return [explainLeftover(place, explain(thrown, plan))];
	}
}

/**
 * Changes the node's webhook, or replaces it if the platform changes none. If it does neither, the webhook may still do.
 * @returns whether the node still has it
 */
async function change(plan: Plan, agent: string, own: AgentWebhook, isListed: boolean) {
	const wanted = settingsFor(plan, agent);
	const changed =
		own.uuid === ''
			? 'unsupported'
			: await orRefusal(changeWebhook(plan.client, agent, own.uuid, wanted), 'gone', 'unsupported');
	if (changed === undefined) {
		rememberWebhook(plan, agent, own.uuid, wanted.url);
		return true;
	}
	const removed = (await removeWebhook(plan.client, agent, own)) === 'removed';
	// Where neither is there, only the list tells, and it may lag, or show no IDs.
	const listed = async () => {
		const { webhooks, own: ours } = await readWebhooks(plan, agent);
		return webhooks.find(({ uuid }) => uuid === own.uuid) ?? ours.find(({ uuid }) => uuid === '');
	};
	const there = isListed ? own : removed ? undefined : await lookAgain(plan.client.signal, listed);
	if (removed || there === undefined) {
		forget(plan, isAbout(agent, own.uuid));
		return false;
	}
	const usable =
		there.active &&
		plan.version === '' &&
		addressOfUrl(there.url) === plan.address &&
		query(there.url, 'token').length >= 32 &&
		wanted.events.every((event) => there.events.includes(event));
	if (!usable) {
		throw registrationError(
			plan.context,
			`The agent ${agent} has an outdated webhook for this workflow (${shown(plan, there)}), and the workspace neither changes nor deletes it at the undocumented path this node tried. Delete it on the platform, then try again.`,
		);
	}
	warn(plan, [
		`uses the existing webhook of agent ${agent} unchanged, because the workspace neither changes nor deletes it at the undocumented path this node tried. Its signing secret may be an older one, so deliveries may count as not verified.`,
	]);
	rememberWebhook(plan, agent, own.uuid, there.url, true);
	return true;
}

async function add(plan: Plan, agent: string): Promise<void> {
	const wanted = settingsFor(plan, agent);
	try {
		const uuid = await addWebhook(plan.client, agent, wanted);
		rememberWebhook(plan, agent, uuid, wanted.url);
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) rethrow(thrown);
		if (thrown.outcome !== 'nothing')
			throw registrationError(
				plan.context,
				`${explain(thrown, plan)} The platform may have registered a webhook that this node cannot find. Before you publish again, look at the webhooks of agent ${agent} on the platform, and delete those of this workflow.`,
			);
		if (thrown.facts.status !== 409) rethrow(thrown);
		// If another webhook took the place meanwhile, the message says which.
		const full = await listWebhooks(plan.client, agent).catch(() => rethrow(thrown));
		throw registrationError(plan.context, await explainFull(plan, agent, full.webhooks));
	}
}

/** One read decides whether events will arrive: what was accepted may have become something else. */
async function refuseOther(plan: Plan, agent: string): Promise<void> {
	const own = remembered(plan).find((entry) => entry.agent === agent && !entry.outdated);
	// What cannot be changed is used as it is, and that is said.
	if (!own?.signature) return;
	const wanted = settingsFor(plan, agent);
	const look = async () => await differencesOf(plan.client, agent, own.webhook, wanted);
	let differences = await look();
	// A list may show for a while how it was.
	if (differences.length > 0)
		await lookAgain(plan.client.signal, async () => {
			differences = await look();
			return differences.length === 0 || undefined;
		});
	if (differences.length === 0) return;
	const shows = `The platform accepted the webhook of agent ${agent}, and shows it ${andList(differences)}.`;
	// Nobody is there who could publish again: one that may work is better than none.
	if (plan.starting) return warn(plan, [`${shows} Events may be lost. Publish again.`]);
	const { url, events } = wanted;
	const made = { uuid: own.webhook, url, events, active: true, row: {} };
	const left = await discard(plan, agent, made);
	warn(plan, left);
	const so = left.length > 0 ? 'and it could not be removed' : 'so it was removed again';
	throw registrationError(
		plan.context,
		`${shows} Events would be lost, ${so}. Publish again; if it stays so, compare the agent's webhooks on the platform.`,
	);
}

async function survey(plan: Plan, { agent }: Target): Promise<Survey> {
	const { webhooks, limit, own: all, unlisted, leftAlone } = await readWebhooks(plan, agent);
	const kept = remembered(plan).find((entry) => all.some(({ uuid }) => uuid === entry.webhook));
	// The first stays. Others are doubles, at an old URL, or left behind by a test run that was killed.
	const [listed, ...surplus] = sortBy(
		all,
		({ url }) => addressOfUrl(url) !== plan.address,
		({ uuid }) => uuid !== kept?.webhook,
		({ active }) => !active,
	);
	const wanted = settingsFor(plan, agent);
	// Changing one that the list does not show tells whether it is there.
	const own = listed ?? unlisted[0];
	// What is not shown is written again when a person publishes: it may have been changed.
	const isShown = ['url', 'events', 'is_active'].every((name) => name in (listed?.row ?? {}));
	const fits =
		listed !== undefined &&
		(isShown || plan.starting) &&
		differencesIn(listed.row, wanted).length === 0 &&
		kept?.webhook === listed.uuid &&
		kept.signature === markOfSecret(plan, agent) &&
		(kept.sealed !== undefined || plan.client.workspace.webhookSecret !== '');
	return {
		upToDate: fits && surplus.length === 0,
		obstacle: async () =>
			own === undefined && webhooks.length >= limit
				? await explainFull(plan, agent, webhooks)
				: undefined,
		remarks: [...aboutSecret(plan), ...aboutCircles(plan), ...leftAlone],
		async settle() {
			// First, because this may make room for the new webhook.
			for (const webhook of surplus) warn(plan, await discard(plan, agent, webhook));
			if (fits) return false;
			if (own === undefined || !(await change(plan, agent, own, own === listed)))
				await add(plan, agent);
			await refuseOther(plan, agent);
			return true;
		},
	};
}

/** Removes all webhooks of this node from an agent. @returns why some of them are still there */
async function release(plan: Plan, { agent }: Target): Promise<string[]> {
	const { own, unlisted, leftAlone } = await readWebhooks(plan, agent).catch((thrown: Error) => {
		const isKnown = remembered(plan).some((entry) => entry.agent === agent);
		// The next publish or unpublish tries again.
		const unread = { agent, webhook: '', address: plan.address, token: '', signature: '' };
		if (!plan.test && !isKnown && !isGone(thrown)) remember(plan, unread, isAbout(agent, ''));
		return rethrow(thrown);
	});
	warn(plan, leftAlone);
	const all = [...own, ...unlisted];
	return (await mapInParallel(all, 1, async (one) => await discard(plan, agent, one))).flat();
}

/** The webhooks of the Conversation Event Trigger: one per agent, of which each has only a few. */
export const lifecycle = lifecycleOf<Registration, Target>({
	type,
	refuse: readEvents,
	wanted: (context) => readAgents(context).map((agent) => ({ agent })),
	survey,
	release,
	missed,
	explainLeftover: ({ agent, address }, reason) => explainLeftover(placeOf(agent, address), reason),
	unreachable: ({ agent, address, workspace }, host) =>
		`${placeOf(agent, address)} stays at ${new URL(workspace).host}, because the credential now points to ${host}. Delete it there.`,
});
