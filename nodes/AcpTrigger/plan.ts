import { NodeOperationError, type IHookFunctions, type INode } from 'n8n-workflow';
import { addressOf, type WebhookSettings } from './agentWebhooks';
import { callbackToken, signingSecret } from './signature';
import { Client } from '../engine/http/client';
import { describeError } from '../engine/http/errorText';
import type { RequestError } from '../engine/http/requestError';
import { cleanToken, InvalidBaseUrl, isLoopback } from '../engine/http/workspace';
import { rethrow } from '../engine/rethrow';

/**
 * What a registration leaves in n8n's static data. That travels with copies of a workflow, so each entry says which
 * node of which workflow made it; the origin of its address says in which n8n.
 */
export interface Registration {
	workflow: string;
	/** The node's ID. */
	node: string;
	agent: string;
	/** Its `webhook_uuid`; empty where the agent could not be read, and is to be looked at again. */
	webhook: string;
	/** Callback address without query. */
	address: string;
	/** Origin of the workspace it stands in. */
	workspace: string;
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

/** Which node registers, and in which n8n. */
export interface Registrant {
	context: IHookFunctions;
	workflow: string;
	node: string;
	/** Callback address without query. */
	address: string;
	/** Its origin: what tells this n8n from a copy, which has the same IDs, the same static data and the same keys. */
	origin: string;
	memory: RegistrationData;
}

/** Who registers, where, and with which secrets. */
export interface Plan extends Registrant {
	client: Client;
	agents: string[];
	/** Whether the address is n8n's test URL, while somebody listens for a test event. */
	test: boolean;
	/** Origin from which a person lets the node take its webhooks over. */
	takeOverFrom: string | undefined;
	tokenOf: (agent: string) => string;
	secretOf: (agent: string) => string;
}

/** An error whose message n8n shows in the editor as a warning. */
export const registrationError = (context: IHookFunctions, message: string): NodeOperationError =>
	new NodeOperationError(context.getNode(), message, { level: 'warning' });

/** What happened and what to do, all in the message: n8n shows nothing else of an error while publishing. */
export function explainRequestError(requestError: RequestError, { client }: Plan): string {
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

/** @throws NodeOperationError when n8n gives no address that can be read */
export function findRegistrant(context: IHookFunctions): Registrant {
	const url = String(context.getNodeWebhookUrl('default'));
	const address = addressOf(url);
	if (address === undefined) {
		throw registrationError(
			context,
			`n8n's public address cannot be read: "${url.slice(0, 100)}". Set the environment variable WEBHOOK_URL to the https address of this n8n, restart it and try again.`,
		);
	}
	return {
		context,
		workflow: String(context.getWorkflow().id),
		node: context.getNode().id,
		address,
		origin: new URL(address).origin,
		memory: context.getWorkflowStaticData('node') as RegistrationData,
	};
}

/** @throws NodeOperationError, and what n8n throws when it cannot read the credential */
export async function preparePlan(
	registrant: Registrant,
	agents: string[],
	takeOverFrom?: string,
): Promise<Plan> {
	const { context, workflow, node } = registrant;
	let client: Client;
	try {
		client = await Client.open(context);
	} catch (thrown) {
		if (thrown instanceof InvalidBaseUrl) throw registrationError(context, thrown.message);
		rethrow(thrown);
	}
	const apiToken = cleanToken((await context.getCredentials('acpApi')).token);
	const owner = (agent: string) => ({ workflow, node, agent });
	return {
		...registrant,
		client,
		agents,
		// In `delete` the activation mode is always `update`; there only this tells: n8n's test workflows are not active.
		test: context.getActivationMode() === 'manual' || !context.getWorkflow().active,
		takeOverFrom,
		tokenOf: (agent) => callbackToken(apiToken, owner(agent)),
		secretOf: (agent) => client.workspace.webhookSecret || signingSecret(apiToken, owner(agent)),
	};
}

/** The callback URL of an agent, with the query by which a delivery is recognised. */
export function urlFor(plan: Plan, agent: string): string {
	const url = new URL(plan.address);
	url.searchParams.set('agent', agent);
	url.searchParams.set('token', plan.tokenOf(agent));
	return url.href;
}

/** What an agent's webhook should be. */
export const settingsFor = (plan: Plan, agent: string, events: string[]): WebhookSettings => ({
	url: urlFor(plan, agent),
	events,
	active: true,
	secret: plan.secretOf(agent),
});

/** n8n starts, nobody is looking: what can run should run. */
export const isStarting = (context: IHookFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

/** @throws NodeOperationError when the platform could not reach this n8n */
export function refuseLoopback({ context, client, address, origin }: Plan): void {
	if (client.workspace.loopback || !isLoopback(new URL(address).hostname)) return;
	throw registrationError(
		context,
		`The platform cannot deliver events to this n8n: its public address is ${origin}, which only this computer can reach. Set the environment variable WEBHOOK_URL to an https address under which n8n is reachable from the internet (a tunnel will do), restart n8n and try again.`,
	);
}

function explainSharedAddress(one: string, other: string): string {
	return `"${one}" and "${other}" have the same webhook address, so n8n would give the events of both to one of them. Delete one of the two and add an ACP Trigger anew from the nodes panel: it gets an address of its own.`;
}

/**
 * Two nodes of one workflow can have one address, after copying and pasting; n8n 1.x publishes them and gives all
 * events to one of the two. n8n's contexts hold the workflow, although their types do not say so.
 * @throws NodeOperationError; while n8n starts it is logged only
 */
export function refuseSharedAddress(context: IHookFunctions): void {
	const { workflow } = context as { workflow?: { nodes?: Record<string, INode> } };
	const { id, name, type, webhookId } = context.getNode();
	if (webhookId === undefined) return;
	for (const other of Object.values(workflow?.nodes ?? {})) {
		const isTwin = other.id !== id && other.type === type && other.webhookId === webhookId;
		if (!isTwin || other.disabled === true) continue;
		const message = explainSharedAddress(name, other.name);
		if (!isStarting(context)) throw registrationError(context, message);
		context.logger.warn(`ACP Trigger: ${message}`);
	}
}
