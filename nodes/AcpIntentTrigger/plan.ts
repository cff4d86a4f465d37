import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { IntentParameter } from './agentIntents';
import { readReplace, type Target } from './settings';
import type { Client } from '../engine/http/client';
import { describeError } from '../engine/errors/errorText';
import type { RequestError } from '../engine/errors/requestError';
import { cleanToken } from '../engine/http/workspace';
import { isTesting, openClient, type RegistrantOf } from '../engine/registration/registrant';

/** What an intent had before, in the form of the requests that put it back. */
export interface Before {
	/** Changes of the intent. */
	changes?: IDataObject;
	/** Its action (the newer way), and whether it was live. */
	action?: IDataObject;
	live?: boolean;
}

/**
 * What a registration writes into n8n's static data. Copies of a workflow take static data along, so each entry names
 * the node and the workflow that made it. The origin of its callback URL tells in which n8n.
 */
export interface Registration {
	workflow: string;
	/** The node's ID. */
	node: string;
	agent: string;
	intent: string;
	/** Callback URL without query. Empty after the intent was restored: then only `made` matters. */
	address: string;
	/** Origin of its workspace. */
	workspace: string;
	/** Marks of the token in its callback URL and of its auth token. They stay valid after the credential has changed. */
	token: string;
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

export type Registrant = RegistrantOf<RegistrationData>;

/** Which intent of which agent. */
export interface Place {
	agent: string;
	intent: string;
}

/** What distinguishes the registration of a trigger node for one intent from all others. */
export interface Owner extends Place {
	workflow: string;
	/** The node's ID, which does not change when the node is renamed. */
	node: string;
}

/**
 * Derives both secrets of a registration from the credential's token instead of drawing and storing them, for the
 * reasons of the ACP Trigger: they are known at any time, and they prove whose URL it is.
 */
const derived = (purpose: string, apiToken: string, owner: Owner): string => {
	const { workflow, node, agent, intent } = owner;
	return createHmac('sha256', apiToken)
		.update(JSON.stringify(['acp-intent-trigger', purpose, workflow, node, agent, intent]))
		.digest('base64url');
};

/** The token in the query of the callback URL: 43 characters, 256 bits. */
export const callbackToken = (apiToken: string, owner: Owner): string =>
	derived('callback', apiToken, owner);

/** The `auth_token` of the intent's webhook. */
export const webhookAuthToken = (apiToken: string, owner: Owner): string =>
	derived('auth', apiToken, owner);

/** The node that registers, and the secrets that it uses. */
export interface Plan extends Registrant {
	client: Client;
	/** Undefined if the parameters cannot be read. The node must be able to remove everything nevertheless. */
	target: Target | undefined;
	/** Whether the callback URL is n8n's test URL, which waits for one test request. */
	test: boolean;
	/** Whether the node may take an intent that does something else. */
	replace: boolean;
	tokenOf: (place: Place) => string;
	authTokenOf: (place: Place) => string;
}

/** @throws NodeOperationError, and what n8n throws if it cannot read the credential */
export async function preparePlan(
	registrant: Registrant,
	target: Target | undefined,
): Promise<Plan> {
	const { context, workflow, node } = registrant;
	const client = await openClient(context);
	const apiToken = cleanToken((await context.getCredentials('acpApi')).token);
	const owner = ({ agent, intent }: Place): Owner => ({ workflow, node, agent, intent });
	return {
		...registrant,
		client,
		target,
		test: isTesting(context),
		replace: readReplace(context),
		tokenOf: (place) => callbackToken(apiToken, owner(place)),
		authTokenOf: (place) => webhookAuthToken(apiToken, owner(place)),
	};
}

/** The callback URL of an intent; its query identifies a request. */
export function urlFor(plan: Plan, place: Place): string {
	const url = new URL(plan.address);
	url.searchParams.set('agent', place.agent);
	url.searchParams.set('intent', place.intent);
	url.searchParams.set('token', plan.tokenOf(place));
	return url.href;
}

/** The webhook that an intent should have (interface §2.8). */
export const webhookFor = (plan: Plan, place: Place): { url: string; auth_token: string } => ({
	url: urlFor(plan, place),
	auth_token: plan.authTokenOf(place),
});

/** What happened and what to do, all in the message: while publishing, n8n shows nothing else of an error. */
export function explainRequestError(requestError: RequestError, { client }: Plan): string {
	const { message, description } = describeError(requestError, {
		host: client.workspace.host,
		class: 'read',
		labels: { name: 'Name', description: 'When It Triggers', parameters: 'Parameters' },
	});
	const aboutUrl = /\burl$/.test(requestError.facts.field ?? '');
	const hint =
		requestError.facts.status === 422 && aboutUrl
			? " The callback URL is n8n's public URL, set by WEBHOOK_URL. The platform calls only " +
				'public https URLs.'
			: '';
	return `${message}. ${description}${hint}`;
}
