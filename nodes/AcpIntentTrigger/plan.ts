import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { IntentParameter } from './agentIntents';
import { readReplace, type Target } from './settings';
import type { Client } from '../engine/http/client';
import { describeError } from '../engine/errors/errorText';
import type { RequestError } from '../engine/errors/requestError';
import { cleanToken } from '../engine/http/workspace';
import { isTesting, openClient, type RegistrantOf } from '../engine/registration/registrant';

/** What an intent had before, as the requests that put it back. */
export interface Before {
	/** Changes of the intent. */
	changes?: IDataObject;
	/** Its action, in the newer way, and whether it was live. */
	action?: IDataObject;
	live?: boolean;
}

/**
 * What a registration leaves in n8n's static data. That travels with copies of a workflow, so each entry says which
 * node of which workflow made it; the origin of its address says in which n8n.
 */
export interface Registration {
	workflow: string;
	/** The node's ID. */
	node: string;
	agent: string;
	intent: string;
	/** Callback address without query; empty once the intent was given back and only `made` matters. */
	address: string;
	/** Origin of the workspace it stands in. */
	workspace: string;
	/** Marks of the token in its callback URL and of its auth token, which stay valid when the credential has changed. */
	token: string;
	authToken: string;
	/** What the intent declares: values of deliveries are typed by it. */
	parameters: IntentParameter[];
	/** The node is for another intent by now, and this one could not be given back. */
	outdated?: true;
	/** This node made the intent. */
	made?: true;
	/** A `Before`, sealed with the callback token: static data is read by whoever may read the workflow. */
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

/** What tells the registration of a trigger node for one intent from all others. */
export interface Owner extends Place {
	workflow: string;
	/** The node's id; unlike its name it survives renaming. */
	node: string;
}

/**
 * Both secrets of a registration are made from the credential's token instead of being drawn and stored, for the same
 * reasons as those of the ACP Trigger: they are known again at any time, and prove whose an address is.
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

/** What the intent's webhook has as `auth_token`. */
export const webhookAuthToken = (apiToken: string, owner: Owner): string =>
	derived('auth', apiToken, owner);

/** Who registers, where, and with which secrets. */
export interface Plan extends Registrant {
	client: Client;
	/** Undefined where its parameters cannot be read, which must not keep anything from being removed. */
	target: Target | undefined;
	/** Whether the address is n8n's test URL, while somebody listens for a test request. */
	test: boolean;
	/** An intent that does something else may be taken. */
	replace: boolean;
	tokenOf: (place: Place) => string;
	authTokenOf: (place: Place) => string;
}

/** @throws NodeOperationError, and what n8n throws when it cannot read the credential */
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

/** The callback URL of an intent, with the query by which a request is recognized. */
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

/** What happened and what to do, all in the message: n8n shows nothing else of an error while publishing. */
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
