import type { WebhookSettings } from './agentWebhooks';
import { callbackToken, signingSecret } from './signature';
import type { Client } from '../engine/http/client';
import { describeError } from '../engine/errors/errorText';
import type { RequestError } from '../engine/errors/requestError';
import { cleanToken } from '../engine/http/workspace';
import { isTesting, openClient, type RegistrantOf } from '../engine/registration/registrant';

/**
 * What a registration writes into n8n's static data. Copies of a workflow take static data along, so each entry names
 * the node and the workflow that made it. The origin of its callback URL tells in which n8n.
 */
export interface Registration {
	workflow: string;
	/** The node's ID. */
	node: string;
	agent: string;
	/** Its `webhook_uuid`; empty if the agent could not be read and has to be read again. */
	webhook: string;
	/** Callback URL without query. */
	address: string;
	/** Origin of its workspace. */
	workspace: string;
	/** Mark of the token in its callback URL. It stays valid after the credential's token has changed. */
	token: string;
	/** Mark of its signing secret. */
	signature: string;
	/** A generated secret, sealed with the callback token, for deliveries after the credential's token has changed. */
	sealed?: string;
}

/** What the node keeps between activations (`getWorkflowStaticData('node')`). */
export interface RegistrationData {
	registrations?: Registration[];
}

export type Registrant = RegistrantOf<RegistrationData>;

/** The node that registers, and the secrets that it uses. */
export interface Plan extends Registrant {
	client: Client;
	agents: string[];
	/** Whether the callback URL is n8n's test URL, which waits for one test event. */
	test: boolean;
	/** Origin from which a person lets the node take its webhooks over. */
	takeOverFrom: string | undefined;
	tokenOf: (agent: string) => string;
	secretOf: (agent: string) => string;
}

/** What happened and what to do, all in the message: while publishing, n8n shows nothing else of an error. */
export function explainRequestError(requestError: RequestError, { client }: Plan): string {
	const { message, description } = describeError(requestError, {
		host: client.workspace.host,
		class: 'read',
		labels: { url: 'Callback URL', events: 'Events' },
	});
	const hint =
		requestError.facts.status === 422 && requestError.facts.field === 'url'
			? " The callback URL is n8n's public URL, set by WEBHOOK_URL. The platform delivers only " +
				'to public https URLs.'
			: '';
	return `${message}. ${description}${hint}`;
}

/** @throws NodeOperationError, and what n8n throws if it cannot read the credential */
export async function preparePlan(
	registrant: Registrant,
	agents: string[],
	takeOverFrom?: string,
): Promise<Plan> {
	const { context, workflow, node } = registrant;
	const client = await openClient(context);
	const apiToken = cleanToken((await context.getCredentials('acpApi')).token);
	const owner = (agent: string) => ({ workflow, node, agent });
	return {
		...registrant,
		client,
		agents,
		test: isTesting(context),
		takeOverFrom,
		tokenOf: (agent) => callbackToken(apiToken, owner(agent)),
		secretOf: (agent) => client.workspace.webhookSecret || signingSecret(apiToken, owner(agent)),
	};
}

/** The callback URL of an agent; its query identifies a delivery. */
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
