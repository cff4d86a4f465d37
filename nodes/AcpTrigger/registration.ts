import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import { isEqual } from 'lodash';
import pLimit from 'p-limit';
import {
	addressOf,
	addWebhook,
	changeWebhook,
	isGone,
	isUnsupported,
	listWebhooks,
	fetchAgentName,
	removeWebhook,
	type AgentWebhook,
	type WebhookSettings,
} from './agentWebhooks';
import { readAgents, readEvents } from './settings';
import { callbackToken, sameText, seal, signingSecret } from './signature';
import { Client } from '../engine/http/client';
import { apiError, describeError } from '../engine/http/errorText';
import { RequestError } from '../engine/http/requestError';
import { cleanToken, InvalidBaseUrl, isLoopback, markOf } from '../engine/http/workspace';
import { rethrow } from '../engine/rethrow';

/** What a registration leaves in n8n's static data. */
export interface Registration {
	agent: string;
	/** Its `webhook_uuid`. */
	webhook: string;
	/** Callback address without query. */
	address: string;
	/** Origin of the workspace it stands in. */
	workspace: string;
	/** The n8n that made it: a copy of the workflow in another n8n, static data and all, leaves it alone. */
	instance: string;
	/** Mark of the token in its callback URL, which stays valid when the credential's token has changed. */
	token: string;
	/** Mark of the secret it signs with. */
	signature: string;
	/** A generated secret, sealed with the callback token, for deliveries after the credential's token has changed. */
	sealed?: string;
}

/** What the node keeps between activations (`getWorkflowStaticData('node')`). */
export interface RegistrationData {
	registrations?: Registration[];
}

/** Who registers, where, and what proves that a webhook is its own. */
interface Plan {
	context: IHookFunctions;
	client: Client;
	agents: string[];
	/** Callback address without query. */
	address: string;
	/** Whether it is n8n's test URL, while somebody listens for a test event. */
	test: boolean;
	instance: string;
	memory: RegistrationData;
	tokenOf: (agent: string) => string;
	secretOf: (agent: string) => string;
}

/** Agents that are worked on at once. */
const width = 4;

const registrationError = (context: IHookFunctions, message: string): NodeOperationError =>
	new NodeOperationError(context.getNode(), message, { level: 'warning' });

/** What happened and what to do, all in the message: n8n shows nothing else of an error while publishing. */
function explainRequestError(requestError: RequestError, { client }: Plan): string {
	const { message, description } = describeError(requestError, {
		host: client.workspace.host,
		class: 'read',
		labels: { url: 'Callback URL', events: 'Events' },
	});
	const hint =
		requestError.facts.status === 422 && requestError.facts.field === 'url'
			? " The callback URL is n8n's public address, set by WEBHOOK_URL; the platform " +
				'delivers to public https addresses.'
			: '';
	return `${message}. ${description}${hint}`;
}

async function preparePlan(context: IHookFunctions, agents: string[]): Promise<Plan> {
	let client: Client;
	try {
		client = await Client.open(context);
	} catch (thrown) {
		if (thrown instanceof InvalidBaseUrl) throw registrationError(context, thrown.message);
		rethrow(thrown);
	}
	const apiToken = cleanToken((await context.getCredentials('acpApi')).token);
	const workflow = context.getWorkflow();
	const owner = (agent: string) => ({
		workflow: String(workflow.id),
		node: context.getNode().id,
		agent,
	});
	return {
		context,
		client,
		agents,
		address: addressOf(String(context.getNodeWebhookUrl('default'))) as string,
		// In `delete` the activation mode is always `update`; there only this tells: n8n's test workflows are not active.
		test: context.getActivationMode() === 'manual' || !workflow.active,
		instance: context.getInstanceId(),
		memory: context.getWorkflowStaticData('node') as RegistrationData,
		tokenOf: (agent) => callbackToken(apiToken, owner(agent)),
		secretOf: (agent) => client.workspace.webhookSecret || signingSecret(apiToken, owner(agent)),
	};
}

const query = (url: string, name: string): string =>
	URL.canParse(url) ? (new URL(url).searchParams.get(name) ?? '') : '';

function urlFor(plan: Plan, agent: string): string {
	const url = new URL(plan.address);
	url.searchParams.set('agent', agent);
	url.searchParams.set('token', plan.tokenOf(agent));
	return url.href;
}

const settingsFor = (plan: Plan, agent: string, events: string[]): WebhookSettings => ({
	url: urlFor(plan, agent),
	events,
	active: true,
	secret: plan.secretOf(agent),
});

/** Registrations of this n8n in this workspace, of the same kind: while testing, production ones are out of sight. */
const remembered = (plan: Plan): Registration[] =>
	(plan.memory.registrations ?? []).filter(
		({ instance, workspace, address }) =>
			instance === plan.instance &&
			workspace === plan.client.workspace.origin &&
			(!plan.test || address === plan.address),
	);

/** Those that the credential cannot reach any more, because it leads to another workspace now. */
const stranded = (plan: Plan): Registration[] =>
	(plan.memory.registrations ?? []).filter(
		({ instance, workspace }) =>
			!plan.test && instance === plan.instance && workspace !== plan.client.workspace.origin,
	);

function forget(plan: Plan, agent: string, webhook: string): void {
	// Set anew: n8n saves static data when a key is set, not when a list in it changes.
	plan.memory.registrations = (plan.memory.registrations ?? []).filter(
		(kept) => kept.agent !== agent || kept.webhook !== webhook,
	);
}

/** What the platform no longer has: its token must not let anything in any longer. */
function forgetVanished(plan: Plan, agent: string, webhooks: AgentWebhook[]): void {
	for (const kept of remembered(plan)) {
		if (kept.agent === agent && !webhooks.some(({ uuid }) => uuid === kept.webhook))
			forget(plan, agent, kept.webhook);
	}
}

/** @param url of the webhook, whose token lets deliveries in from now on */
function remember(
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
		agent,
		webhook,
		address: addressOf(url) as string,
		workspace: plan.client.workspace.origin,
		instance: plan.instance,
		token: markOf(token),
		signature: signature ?? markOf(secret),
		...(plan.client.workspace.webhookSecret || signature !== undefined
			? {}
			: { sealed: seal(secret, token) }),
	});
}

/** Whether only this node can have made a webhook: it remembers it, or the token in its URL is this node's. */
function isProven(plan: Plan, agent: string, { uuid, url }: AgentWebhook): boolean {
	const address = addressOf(url);
	if (address === undefined) return false;
	if (
		remembered(plan).some(
			(kept) => kept.agent === agent && kept.webhook === uuid && kept.address === address,
		)
	)
		return true;
	// The origin counts, because a copy of this n8n elsewhere makes the same tokens.
	const here = plan.test
		? address === plan.address
		: new URL(address).origin === new URL(plan.address).origin;
	return here && sameText(query(url, 'token'), plan.tokenOf(agent));
}

/** How one agent stands, and so what is to be done there. */
interface AgentState {
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

function compareWebhooks(
	plan: Plan,
	agent: string,
	events: string[],
	webhooks: AgentWebhook[],
	limit: number,
): AgentState {
	// n8n gives an address to one workflow only, so what stands at this one is this node's: adopted, never doubled.
	const atAddress = (webhook: AgentWebhook) => addressOf(webhook.url) === plan.address;
	const all = webhooks.filter((webhook) => atAddress(webhook) || isProven(plan, agent, webhook));
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

type AgentSurvey =
	{ agent: string; standing: AgentState } | { agent: string; requestError: RequestError };

/** Reads the webhooks of all agents. */
async function survey(plan: Plan, events: string[]): Promise<AgentSurvey[]> {
	const limited = pLimit(width);
	const look = async (agent: string): Promise<AgentSurvey> => {
		try {
			const { webhooks, limit } = await listWebhooks(plan.client, agent);
			return { agent, standing: compareWebhooks(plan, agent, events, webhooks, limit) };
		} catch (thrown) {
			if (thrown instanceof RequestError) return { agent, requestError: thrown };
			rethrow(thrown);
		}
	};
	return await Promise.all(plan.agents.map(async (agent) => await limited(look, agent)));
}

/** What occupies an agent: addresses without their query strings, which can hold the secrets of others. */
const occupants = (webhooks: AgentWebhook[]): string =>
	webhooks
		.map(
			({ url, events, active }, index) =>
				`${index + 1}. ${addressOf(url) ?? 'an address that cannot be read'} (${active ? events.join(', ') || 'no events' : 'switched off'})`,
		)
		.join('; ');

/** Why an agent cannot be registered at, in words; undefined when it can. */
async function obstacle(plan: Plan, surveyed: AgentSurvey): Promise<string | undefined> {
	const { agent } = surveyed;
	if ('requestError' in surveyed) {
		if (!isGone(surveyed.requestError)) return explainRequestError(surveyed.requestError, plan);
		return `The agent ${agent} was not found at ${plan.client.workspace.host}: it was deleted, or it belongs to another workspace. Remove it under 'Agent Names or IDs', or check the credential.`;
	}
	const { full, webhooks } = surveyed.standing;
	if (!full) return undefined;
	return `The agent ${await fetchAgentName(plan.client, agent)} already has ${webhooks.length} webhooks, the most it can hold: ${occupants(webhooks)}. Delete one that is no longer needed (ACP Agents, resource Agent Webhook, operation Delete), then try again.`;
}

/** n8n starts, nobody is looking: what can run should run. */
const isStarting = (context: IHookFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

function refuseLoopback({ context, client, address }: Plan): void {
	if (client.workspace.loopback || !isLoopback(new URL(address).hostname)) return;
	throw registrationError(
		context,
		`The platform cannot deliver events to this n8n: its public address is ${new URL(address).origin}, which only this computer can reach. Set the environment variable WEBHOOK_URL to an https address under which n8n is reachable from the internet (a tunnel will do), restart n8n and try again.`,
	);
}

/**
 * Brings an agent's webhook to what it should be.
 * @returns whether it changed anything.
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
					`The agent ${agent} has a webhook for this workflow that no longer fits (${occupants([own]).slice(3)}), and the platform offers no way to change or delete it. Delete it on the platform, then try again.`,
				);
			}
			context.logger.warn(
				`ACP Trigger uses the webhook that agent ${agent} already has as it is, because the platform offers no way to change or delete it. Its signing secret may be an older one, so deliveries may count as not verified.`,
			);
			remember(plan, agent, own.uuid, own.url, '');
			return true;
		}
		forget(plan, agent, own.uuid);
	}
	remember(plan, agent, await addWebhook(client, agent, wanted), wanted.url);
	return true;
}

const placeOf = (agent: string, address: string | undefined): string =>
	`The webhook ${address} of agent ${agent}`;

const explainLeftover = (place: string, requestError: RequestError, plan: Plan): string =>
	`${place} could not be removed. ${explainRequestError(requestError, plan)} The next publish with a working credential uses it again instead of adding another; to end it for good, delete it on the platform.`;

/** Removes a webhook of this node and forgets it. @returns why it is still there, if it is */
async function discard(
	plan: Plan,
	agent: string,
	webhook: AgentWebhook,
): Promise<string | undefined> {
	const place = placeOf(agent, addressOf(webhook.url));
	try {
		const outcome = await removeWebhook(plan.client, agent, webhook);
		if (outcome === 'removed') forget(plan, agent, webhook.uuid);
		if (outcome === 'off')
			plan.context.logger.info(
				`${place} was switched off, because the platform offers no way to delete it. The next publish switches it on again.`,
			);
		return outcome === 'stays'
			? `${place} stays on the platform, which offers no way to delete it or switch it off. The next publish uses it again; to end it for good, delete it on the platform.`
			: undefined;
	} catch (requestError) {
		if (!(requestError instanceof RequestError)) rethrow(requestError);
		return explainLeftover(place, requestError, plan);
	}
}

/** Removes what this node no longer wants. @returns why some of it is still there */
async function discardOwn(plan: Plan, agent: string): Promise<string[]> {
	let webhooks: AgentWebhook[];
	try {
		({ webhooks } = await listWebhooks(plan.client, agent));
	} catch (requestError) {
		if (!(requestError instanceof RequestError)) rethrow(requestError);
		// With the agent its webhooks are gone.
		if (isGone(requestError)) forgetVanished(plan, agent, []);
		const known = remembered(plan).find((kept) => kept.agent === agent);
		return known ? [explainLeftover(placeOf(agent, known.address), requestError, plan)] : [];
	}
	forgetVanished(plan, agent, webhooks);
	const complaints: string[] = [];
	for (const webhook of webhooks.filter((one) => isProven(plan, agent, one))) {
		const complaint = await discard(plan, agent, webhook);
		if (complaint !== undefined) complaints.push(complaint);
	}
	return complaints;
}

const unreachable = ({ client }: Plan, { agent, address, workspace }: Registration): string =>
	`${placeOf(agent, address)} stays at ${new URL(workspace).host}, because the credential now leads to ${client.workspace.host}. Delete it there.`;

/**
 * n8n's `checkExists`: whether every agent has this node's webhook as it should be, and nothing of this node is left
 * over. Only reads.
 * @throws NodeApiError, NodeOperationError with all that is to be known in the message
 */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	const plan = await preparePlan(context, readAgents(context));
	if (remembered(plan).length === 0) return false;
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
	// At start-up an agent that cannot be read silences neither the others nor itself: its webhook is probably there.
	for (const one of surveyed) {
		if ('requestError' in one)
			context.logger.warn(`ACP Trigger could not check its webhook: ${await obstacle(plan, one)}`);
	}
	return found.length > 0
		? fits
		: surveyed.some((one) => 'requestError' in one && !isGone(one.requestError));
}

/**
 * n8n's `create`: registers, adopts and repairs. When a person publishes: all agents or none. When n8n starts: all that
 * can be, the others are logged.
 * @throws NodeApiError, NodeOperationError with all that is to be known in the message
 */
export async function register(context: IHookFunctions): Promise<boolean> {
	const plan = await preparePlan(context, readAgents(context));
	const events = readEvents(context);
	refuseLoopback(plan);
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
	if (obstacles.length > 0 && (!starting || ready.length === 0)) {
		const requestError = surveyed.flatMap((one) =>
			'requestError' in one ? [one.requestError] : [],
		)[0];
		const message = obstacles.join(' ');
		throw requestError
			? apiError(context.getNode(), { message, description: message }, requestError.facts)
			: registrationError(context, message);
	}
	for (const complaint of obstacles)
		context.logger.warn(`ACP Trigger listens to the other agents only. ${complaint}`);

	const limited = pLimit(width);
	const settled = await Promise.allSettled(
		ready.map(
			async (one) =>
				await limited(async () => {
					forgetVanished(plan, one.agent, one.webhooks);
					// First, because it may make the place that is needed.
					for (const webhook of one.surplus) warn(plan, await discard(plan, one.agent, webhook));
					return await settle(plan, one, events);
				}),
		),
	);
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
			`ACP Trigger listens to the other agents only. Agent ${agent}: ${reason instanceof RequestError ? explainRequestError(reason, plan) : reason.message}`,
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

function warn({ context }: Plan, complaint: string | undefined): void {
	if (complaint !== undefined) context.logger.warn(`ACP Trigger: ${complaint}`);
}

/** Failures while writing as one error; a place that was taken meanwhile is looked up. */
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
			full
				? `The agent ${await fetchAgentName(plan.client, agent)} already has ${full.webhooks.length} webhooks, the most it can hold: ${occupants(full.webhooks)}. Delete one that is no longer needed (ACP Agents, resource Agent Webhook, operation Delete), then try again.`
				: explainRequestError(reason, plan),
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

/** Agents of the parameter, as far as they can be read: what is to be removed must not depend on it. */
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
 * n8n's `delete`: removes what is proven to be this node's, of every agent. Works through all
 * of them before it complains.
 * @throws NodeOperationError naming what is still on the platform, and why; n8n goes on without this node all the same
 */
export async function unregister(context: IHookFunctions): Promise<boolean> {
	const plan = await preparePlan(context, agentsToClear(context));
	const limited = pLimit(width);
	const agents = new Set([...plan.agents, ...remembered(plan).map(({ agent }) => agent)]);
	const complaints = (
		await Promise.all([...agents].map(async (agent) => await limited(discardOwn, plan, agent)))
	).flat();
	complaints.push(...stranded(plan).map((kept) => unreachable(plan, kept)));
	if (complaints.length > 0) throw registrationError(context, complaints.join(' '));
	return true;
}
