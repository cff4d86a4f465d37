import type { IntentParameter } from './agentIntents';
import {
	urlFor,
	secretOf,
	type Owner,
	type Place,
	type Plan as PlanOf,
} from '../engine/registration/plan';
import type { Entry } from '../engine/registration/entry';
import { forget, remember } from '../engine/registration/memory';
import { markOf } from '../engine/http/workspace';

export type { Owner } from '../engine/registration/plan';

/** A registration in static data. */
export interface Registration extends Entry {
	intent: string;
	/** Mark of its auth token. It stays valid after the credential has changed. */
	authToken: string;
	/** The parameters that the intent declares; they set the types of delivered values. */
	parameters: IntentParameter[];
	/** The node now serves another intent, but this one could not be restored. */
	outdated?: true;
	/** This node made the intent. */
	made?: true;
	/** A `Before`, sealed with the callback token: whoever may read the workflow can read static data. */
	before?: string;
}

/** What the node keeps between activations (`getWorkflowStaticData('node')`). */
export interface RegistrationData {
	registrations?: Registration[];
}

export type Plan = PlanOf<Registration>;

/** Which intent of which agent. */
export type IntentPlace = Required<Place>;

/** Of the trigger's secrets. */
export const family = 'acp-intent-trigger';

/** The token in the query of the callback URL: 43 characters, 256 bits. */
export const callbackToken = (apiToken: string, owner: Owner): string =>
	secretOf(family, 'callback', apiToken, owner).toString('base64url');

/** The `auth_token` of the intent's webhook. */
export const webhookAuthToken = (apiToken: string, owner: Owner): string =>
	secretOf(family, 'auth', apiToken, owner).toString('base64url');

export const authTokenOf = (plan: Plan, { agent, intent }: IntentPlace): string =>
	plan.secretOf('auth', { agent, intent }).toString('base64url');

/** The webhook that an intent should have (interface §2.8). @param before what stood there, sealed; empty if unknown */
export const webhookFor = (
	plan: Plan,
	{ agent, intent }: IntentPlace,
	before: string,
): { url: string; auth_token: string } => ({
	url: urlFor(plan, { agent, intent }, before === '' ? {} : { before }),
	auth_token: authTokenOf(plan, { agent, intent }),
});

/** Whether an entry is about an intent of this workspace. */
export const isAbout =
	(plan: Plan, { agent, intent }: IntentPlace) =>
	(entry: Registration): boolean =>
		entry.workspace === plan.client.workspace.origin &&
		entry.agent === agent &&
		entry.intent === intent;

export const forgetIntent = (plan: Plan, place: IntentPlace): void =>
	forget(plan, isAbout(plan, place));

/** What is remembered of an intent that calls this node. */
export const rememberIntent = (
	plan: Plan,
	{ agent, intent }: IntentPlace,
	more: Pick<Registration, 'parameters' | 'made' | 'before' | 'outdated'>,
): void =>
	remember(
		plan,
		{
			agent,
			intent,
			address: plan.address,
			token: markOf(plan.tokenOf({ agent, intent })),
			authToken: markOf(authTokenOf(plan, { agent, intent })),
			...more,
		},
		isAbout(plan, { agent, intent }),
	);
