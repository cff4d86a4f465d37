import type { IHookFunctions } from 'n8n-workflow';
import { explainFull, obstacle, occupants, survey, width, type AgentState } from './agentState';
import {
	addWebhook,
	changeWebhook,
	listWebhooks,
	removeWebhook,
	type AgentWebhook,
} from './agentWebhooks';
import {
	entriesHere,
	forget,
	forgetStrangers,
	forgetVanished,
	hasStrangers,
	leftAlone,
	noteUnread,
	ownershipOf,
	webhookPlace,
	remember,
	remembered,
	stranded,
} from './ownership';
import {
	explainRequestError,
	preparePlan,
	settingsFor,
	type Plan,
	type Registrant,
	type Registration,
	type RegistrationData,
} from './plan';
import { readAgents, readEvents, readTakeOverFrom } from './settings';
import { mapInParallel, settleInParallel } from '../engine/concurrency';
import { apiError } from '../engine/errors/errorText';
import { RequestError } from '../engine/errors/requestError';
import { rethrow } from '../engine/errors/rethrow';
import { sentence } from '../engine/text/text';
import { addressOf, query } from '../engine/registration/address';
import { isGone, isUnsupported } from '../engine/registration/platform';
import {
	findRegistrant,
	isStarting,
	refuseLoopback,
	refuseSharedAddress,
	registrationError,
} from '../engine/registration/registrant';

/**
 * Makes an agent's webhook what it should be.
 * @returns whether it changed anything
 * @throws RequestError, NodeOperationError
 */
async function settle(
	plan: Plan,
	{ agent, own, upToDate: right }: AgentState,
	events: string[],
): Promise<boolean> {
	const { client, context } = plan;
	const wanted = settingsFor(plan, agent, events);
	if (own && right) return false;
	if (own) {
		try {
			await changeWebhook(client, agent, own.uuid, wanted);
			remember(plan, agent, own.uuid, wanted.url);
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
				addressOf(own.url) === plan.address &&
				query(own.url, 'token').length >= 32 &&
				events.every((event) => own.events.includes(event));
			if (!usable) {
				throw registrationError(
					context,
					`The agent ${agent} has an outdated webhook for this workflow (${occupants([own]).slice(3)}), and the workspace neither changes nor deletes it at the undocumented path this node tried. Delete it on the platform, then try again.`,
				);
			}
			context.logger.warn(
				`ACP Trigger uses the existing webhook of agent ${agent} unchanged, because the workspace neither changes nor deletes it at the undocumented path this node tried. Its signing secret may be an older one, so deliveries may count as not verified.`,
			);
			remember(plan, agent, own.uuid, own.url, '');
			return true;
		}
		forget(plan, agent, own.uuid);
	}
	remember(plan, agent, await addWebhook(client, agent, wanted), wanted.url);
	return true;
}

const explain = (thrown: unknown, plan: Plan): string =>
	thrown instanceof RequestError
		? explainRequestError(thrown, plan)
		: sentence((thrown as Error).message);

function explainLeftover(place: string, reason: string): string {
	return `${place} could not be removed. ${reason} The next publish with a working credential uses it again instead of adding another. To remove it permanently, delete it on the platform.`;
}

/** Removes a webhook of this node and forgets it. Never throws. @returns why it is still there, if it is */
async function discard(
	plan: Plan,
	agent: string,
	webhook: AgentWebhook,
): Promise<string | undefined> {
	const place = webhookPlace(agent, addressOf(webhook.url));
	try {
		const outcome = await removeWebhook(plan.client, agent, webhook);
		if (outcome === 'removed') forget(plan, agent, webhook.uuid);
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
async function discardOwn(plan: Plan, agent: string): Promise<string[]> {
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
		noteUnread(plan, agent);
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

const unreachable = ({ client }: Plan, { agent, address, workspace }: Registration): string =>
	`${webhookPlace(agent, address)} stays at ${new URL(workspace).host}, because the credential now points to ${client.workspace.host}. Delete it there.`;

const openPlan = async (context: IHookFunctions): Promise<Plan> =>
	await preparePlan(
		findRegistrant<RegistrationData>(context),
		readAgents(context),
		readTakeOverFrom(context),
	);

/**
 * n8n's `checkExists`: whether every agent has this node's webhook as it should be, and nothing else of this node. Only
 * reads.
 * @throws NodeApiError, NodeOperationError, both with everything to know in the message
 */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	const plan = await openPlan(context);
	if (!remembered(plan).some(({ webhook }) => webhook !== '') || hasStrangers(plan)) return false;
	const surveyed = await survey(plan, readEvents(context));
	const found = surveyed.flatMap((one) => ('standing' in one ? [one.standing] : []));
	const fits = found.every(({ upToDate: right, surplus }) => right && surplus.length === 0);
	if (!isStarting(context)) {
		return (
			found.length === surveyed.length &&
			fits &&
			remembered(plan).length === found.length &&
			stranded(plan).length === 0
		);
	}
	// At start-up an agent that cannot be read silences neither itself nor the others: its webhook is probably there.
	for (const one of surveyed) {
		if ('requestError' in one)
			context.logger.warn(`ACP Trigger could not check its webhook: ${await obstacle(plan, one)}`);
	}
	return found.length > 0
		? fits
		: surveyed.some((one) => 'requestError' in one && !isGone(one.requestError));
}

/**
 * n8n's `create`: registers, adopts and repairs. If a person publishes: all agents or none. If n8n starts: as many as
 * possible; the log names the others.
 * @throws NodeApiError, NodeOperationError, both with everything to know in the message
 */
export async function register(context: IHookFunctions): Promise<boolean> {
	refuseSharedAddress(context, 'ACP Trigger', 'events');
	const plan = await openPlan(context);
	const events = readEvents(context);
	refuseLoopback(plan, plan.client, 'deliver events to');
	forgetStrangers(plan);
	const starting = isStarting(context);
	const surveyed = await survey(plan, events);
	const obstacles: string[] = [];
	for (const one of surveyed) {
		const complaint = await obstacle(plan, one);
		if (complaint !== undefined && !obstacles.includes(complaint)) obstacles.push(complaint);
	}
	const ready = surveyed.flatMap((one) =>
		'standing' in one && !one.standing.full ? [one.standing] : [],
	);
	const told = surveyed.flatMap((one) =>
		'standing' in one ? leftAlone(plan, one.agent, one.standing.webhooks) : [],
	);
	if (obstacles.length > 0 && (!starting || ready.length === 0)) {
		const requestError = surveyed.flatMap((one) =>
			'requestError' in one ? [one.requestError] : [],
		)[0];
		const message = [...obstacles, ...told].join(' ');
		throw requestError
			? apiError(context.getNode(), { message, description: message }, requestError.facts)
			: registrationError(context, message);
	}
	for (const one of told) warn(plan, one);
	for (const complaint of obstacles)
		context.logger.warn(`ACP Trigger listens only to the other agents. ${complaint}`);

	const settled = await settleInParallel(ready, width, async (one) => {
		forgetVanished(plan, one.agent, one.webhooks);
		// First, because this may make room for the new webhook.
		for (const webhook of one.surplus) warn(plan, await discard(plan, one.agent, webhook));
		return await settle(plan, one, events);
	});
	const failures = settled.flatMap((result, index) =>
		result.status === 'rejected'
			? [{ agent: ready[index]?.agent as string, reason: result.reason as Error }]
			: [],
	);
	if (failures.length > 0 && (!starting || failures.length === ready.length)) {
		for (const [index, result] of settled.entries()) {
			const { agent } = ready[index] as AgentState;
			if (result.status === 'fulfilled' && result.value)
				for (const complaint of await discardOwn(plan, agent)) warn(plan, complaint);
		}
		throw await explained(plan, failures);
	}
	for (const { agent, reason } of failures)
		context.logger.warn(
			`ACP Trigger listens only to the other agents. Agent ${agent}: ${explain(reason, plan)}`,
		);

	for (const agent of new Set(remembered(plan).map((kept) => kept.agent))) {
		if (!plan.agents.includes(agent))
			for (const complaint of await discardOwn(plan, agent)) warn(plan, complaint);
	}
	for (const kept of stranded(plan)) {
		warn(plan, unreachable(plan, kept));
		forget(plan, kept.agent, kept.webhook);
	}
	return true;
}

function warn({ context }: Registrant, complaint: string | undefined): void {
	if (complaint !== undefined) context.logger.warn(`ACP Trigger: ${complaint}`);
}

/**
 * All that went wrong while writing, as one error. If another webhook took the place meanwhile, the message says which.
 */
async function explained(
	plan: Plan,
	failures: Array<{ agent: string; reason: Error }>,
): Promise<Error> {
	const messages: string[] = [];
	for (const { agent, reason } of failures) {
		if (!(reason instanceof RequestError)) {
			messages.push(reason.message);
			continue;
		}
		const full =
			reason.facts.status === 409
				? await listWebhooks(plan.client, agent).catch(() => undefined)
				: undefined;
		messages.push(
			full ? await explainFull(plan, agent, full.webhooks) : explainRequestError(reason, plan),
		);
	}
	const message = [...new Set(messages)].join(' ');
	const [requestError] = failures.flatMap(({ reason }) =>
		reason instanceof RequestError ? [reason] : [],
	);
	return requestError
		? apiError(plan.context.getNode(), { message, description: message }, requestError.facts)
		: registrationError(plan.context, message);
}

/** The agents of the parameter, if they can be read: what gets removed must not depend on it. */
function agentsToClear(context: IHookFunctions): string[] {
	try {
		return readAgents(context);
	} catch (thrown) {
		context.logger.debug(
			`ACP Trigger removes only the webhooks it remembers: ${(thrown as Error).message}`,
		);
		return [];
	}
}

/**
 * n8n's `delete`: removes from every agent what is provably this node's. It never throws: a throw would keep n8n 1.x
 * from the other triggers of the workflow and from saving static data. What it cannot remove, it logs and remembers;
 * the next `create` or `delete` of this node tries again.
 * @returns whether nothing of this node is left
 */
export async function unregister(context: IHookFunctions): Promise<boolean> {
	try {
		const registrant = findRegistrant<RegistrationData>(context);
		const plan = await preparePlan(registrant, agentsToClear(context)).catch((thrown: Error) => {
			for (const { agent, address } of entriesHere(registrant))
				warn(registrant, explainLeftover(webhookPlace(agent, address), sentence(thrown.message)));
			rethrow(thrown);
		});
		const agents = new Set([...plan.agents, ...remembered(plan).map(({ agent }) => agent)]);
		const complaints = (
			await mapInParallel([...agents], width, async (agent) => await discardOwn(plan, agent))
		).flat();
		complaints.push(...stranded(plan).map((kept) => unreachable(plan, kept)));
		for (const complaint of complaints) warn(plan, complaint);
		return complaints.length === 0;
	} catch (thrown) {
		context.logger.warn(`ACP Trigger could not remove its webhooks: ${(thrown as Error).message}`);
		return false;
	}
}
