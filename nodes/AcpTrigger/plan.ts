import type { WebhookSettings } from './agentWebhooks';
import { addressOf, query } from '../engine/registration/address';
import type { Entry } from '../engine/registration/entry';
import { forget, remember } from '../engine/registration/memory';
import { urlFor, type Plan as PlanOf } from '../engine/registration/plan';
import { seal } from '../engine/registration/proof';
import { markOf } from '../engine/http/workspace';

/** A registration in static data. */
export interface Registration extends Entry {
	/** Its `webhook_uuid`; empty if the agent could not be read and has to be read again. */
	webhook: string;
	/** Mark of its signing secret. */
	signature: string;
	/** A generated secret, sealed with the callback token, for deliveries after the credential's token has changed. */
	sealed?: string;
}

/** What the node keeps between activations (`getWorkflowStaticData('node')`). */
export interface RegistrationData {
	registrations?: Registration[];
}

export type Plan = PlanOf<Registration>;

/** The secret that the platform signs with: the credential's, or one that the node derives. */
export const signingSecretOf = (plan: Plan, agent: string): string =>
	plan.client.workspace.webhookSecret || plan.secretOf('signature', { agent }).toString('hex');

/** What static data keeps of that secret. */
export const signatureMark = (plan: Plan, agent: string): string =>
	plan.markOfTyped(signingSecretOf(plan, agent));

/** What an agent's webhook should be. */
export const settingsFor = (plan: Plan, agent: string, events: string[]): WebhookSettings => ({
	url: urlFor(plan, { agent }),
	events,
	active: true,
	secret: signingSecretOf(plan, agent),
});

const isAbout =
	(agent: string, webhook: string) =>
	(entry: Registration): boolean =>
		entry.agent === agent && entry.webhook === webhook;

export const forgetWebhook = (plan: Plan, agent: string, webhook: string): void =>
	forget(plan, isAbout(agent, webhook));

/**
 * @param url of the webhook, whose token lets deliveries in from now on
 * @param signature mark of its signing secret, if that is not the present one
 */
export function rememberWebhook(
	plan: Plan,
	agent: string,
	webhook: string,
	url: string,
	signature?: string,
): void {
	const token = query(url, 'token');
	const isGenerated = plan.client.workspace.webhookSecret === '' && signature === undefined;
	remember(
		plan,
		{
			agent,
			webhook,
			address: addressOf(url) as string,
			token: markOf(token),
			signature: signature ?? signatureMark(plan, agent),
			...(isGenerated ? { sealed: seal(signingSecretOf(plan, agent), token) } : {}),
		},
		isAbout(agent, webhook),
	);
}

/** Notes that the agent could not be read: the next publish or unpublish tries again. */
export function noteUnread(plan: Plan, agent: string): void {
	const unread = { agent, webhook: '', address: plan.address, token: '', signature: '' };
	remember(plan, unread, isAbout(agent, ''));
}
