import { get } from 'lodash';
import type { INode } from 'n8n-workflow';
import type { Entry } from './entry';
import { derive } from './proof';
import { isStarting, isTesting, openClient, type Registrant } from './registrant';
import type { Client } from '../http/client';
import { cleanToken } from '../http/workspace';
import { describeError } from '../errors/errorText';
import type { RequestError } from '../errors/requestError';

/** What a registration is for: an agent, or one of its intents. Its parts, in this order, are part of its secrets. */
export interface Place {
	agent: string;
	intent?: string;
}

/** One to be created has no ID before it is found. */
export const isSamePlace = (one: Place, other: Place): boolean =>
	one.agent === other.agent &&
	(one.intent === other.intent || one.intent === undefined || other.intent === undefined);

/** What distinguishes a registration from all others. */
export interface Owner extends Place {
	workflow: string;
	/** The node's ID, which does not change when the node is renamed. */
	node: string;
	/** 'URL Version' of the node: another one makes other secrets. */
	version?: string;
}

/**
 * What a person changes to make all secrets of a trigger invalid. It is in the workflow, so that it cannot be lost, and
 * read as it was written, so that no stranger's request fails at an expression.
 */
export const versionOf = ({ parameters }: INode): string =>
	String(get(parameters, ['options', 'urlVersion']) ?? '').trim();

/** A secret of one registration. @param family of secrets, one per node type */
export const secretOf = (family: string, purpose: string, apiToken: string, owner: Owner): Buffer =>
	derive(apiToken, [
		family,
		purpose,
		owner.workflow,
		owner.node,
		owner.agent,
		...(owner.intent === undefined ? [] : [owner.intent]),
		...(owner.version ? ['version', owner.version] : []),
	]);

/** The node that registers, with all that its credential and its parameters decide. */
export interface Plan<E extends Entry = Entry> extends Registrant<E> {
	client: Client;
	/** Whether the node listens for a test. */
	test: boolean;
	/** Whether n8n is starting, and no person publishes. */
	starting: boolean;
	version: string;
	/** Origin from which a person lets the node take over. */
	takeOverFrom: string | undefined;
	/** A secret of the registration for a place: the token in its callback URL, for example. */
	secretOf: (purpose: string, place: Place) => Buffer;
	/** A secret of the credential for something else. */
	derive: (parts: string[]) => string;
	/** The token in the query of the callback URL: 43 characters, 256 bits. */
	tokenOf: (place: Place) => string;
	/** The same without 'URL Version': it lets nothing in, but still shows that the node made a URL. */
	firstTokenOf: (place: Place) => string;
	/** A mark of a secret that a person chose: without the API token it can neither be read nor tried out. */
	markOfTyped: (secret: string) => string;
}

/**
 * @param family of its secrets
 * @throws NodeOperationError, and what n8n throws if it cannot read the credential
 */
export async function preparePlan<E extends Entry>(
	registrant: Registrant<E>,
	family: string,
	takeOverFrom?: string,
): Promise<Plan<E>> {
	const { context, workflow, node } = registrant;
	const client = await openClient(context);
	const apiToken = cleanToken((await context.getCredentials('acpApi')).token);
	const version = versionOf(context.getNode());
	const secret = (purpose: string, place: Place, of = version): Buffer =>
		secretOf(family, purpose, apiToken, { workflow, node, version: of, ...place });
	return {
		...registrant,
		client,
		test: isTesting(context),
		starting: isStarting(context),
		version,
		takeOverFrom,
		secretOf: secret,
		derive: (parts) => derive(apiToken, parts).toString('base64url'),
		tokenOf: (place) => secret('callback', place).toString('base64url'),
		firstTokenOf: (place) => secret('callback', place, '').toString('base64url'),
		markOfTyped: (typed) =>
			derive(apiToken, [family, 'mark', workflow, node, typed]).toString('base64url'),
	};
}

/** A callback URL; its query identifies a delivery. */
export function callbackUrl(
	address: string,
	{ agent, intent }: Place,
	more: Record<string, string>,
	token: string,
): string {
	const url = new URL(address);
	const place = { agent, ...(intent === undefined ? {} : { intent }) };
	for (const [name, value] of Object.entries({ ...place, ...more, token }))
		url.searchParams.set(name, value);
	return url.href;
}

/** The callback URL of this node for a place. */
export const urlFor = (
	plan: Plan,
	{ agent, intent }: Place,
	more: Record<string, string> = {},
): string => {
	const place = { agent, ...(intent === undefined ? {} : { intent }) };
	return callbackUrl(plan.address, place, more, plan.tokenOf(place));
};

/**
 * What happened and what to do, all in the message: while publishing, n8n shows nothing else of an error.
 * @param labels of the fields that the platform may complain about
 */
export function explainRequestError(
	requestError: RequestError,
	{ client }: Plan,
	labels: Record<string, string>,
	verb: string,
): string {
	const { message, description } = describeError(requestError, {
		host: client.workspace.host,
		class: 'read',
		labels,
	});
	const aboutUrl = /\burl$/.test(requestError.facts.field ?? '');
	const hint =
		requestError.facts.status === 422 && aboutUrl
			? ` The callback URL is n8n's public URL, set by WEBHOOK_URL. The platform ${verb} only public https URLs.`
			: '';
	return `${message}. ${description}${hint}`;
}
