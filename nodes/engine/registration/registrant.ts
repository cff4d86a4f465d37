import {
	NodeOperationError,
	type IHookFunctions,
	type INode,
	type WebhookType,
} from 'n8n-workflow';
import { trimEnd } from 'lodash';
import type { Client } from '../http/client';
import { isLoopback } from '../http/workspace';

export interface TriggerType {
	title: string;
	/** Of its secrets; it never changes. */
	family: string;
	/** What arrives, and what the platform does, after "The platform cannot". */
	arrives: string;
	does: string;
	/** What the platform does with a URL, and labels of the fields that it may complain about. */
	verb: string;
	labels: Record<string, string>;
	chooseAgent: string;
	/** Says of a trigger that starts what it does without the rest. */
	goesOn: string;
}

/** What a registration is for: an agent, or one of its intents. Its parts, in this order, are part of its secrets. */
export interface Target {
	agent: string;
	/** One to be created has no ID before it is found. */
	intent?: string;
}

export const isSameTarget = (one: Target, other: Target): boolean =>
	one.agent === other.agent &&
	(one.intent === other.intent || one.intent === undefined || other.intent === undefined);

/**
 * What a registration writes into n8n's static data. Copies of a workflow take static data along, so each entry names
 * the node and the workflow that made it. The origin of its callback URL tells in which n8n.
 */
export interface Entry extends Target {
	workflow: string;
	node: string;
	/** Callback URL without query. Empty if nothing of this node is there now. */
	address: string;
	workspace: string;
	/** Mark of the token in its callback URL. It stays valid after the credential's token has changed. */
	token: string;
	/** 'URL Version' that made it, if any: with another one the token lets nothing in. */
	version?: string;
	/** The node now wants something else, but this could not be taken back. */
	outdated?: true;
}

export interface Registrant<E extends Entry = Entry> {
	context: IHookFunctions;
	type: TriggerType;
	workflow: string;
	node: string;
	/** Callback URL without query; n8n's test URL while the node listens for a test. */
	address: string;
	/** Its origin, which distinguishes this n8n from a copy with the same IDs, static data and keys. */
	origin: string;
	/** Callback URL of the published workflow, and n8n's test URL, which can be under another origin: the editor's. */
	addresses: { published: string; test: string | undefined };
	memory: { registrations?: E[] };
}

/** Origin and path of a URL, without a slash at the end; undefined if the text is not a URL. */
export function withoutQuery(url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const { origin, pathname } = new URL(url);
	return `${origin}${trimEnd(pathname, '/')}`;
}

/** The value of a parameter in a URL's query; empty if it is missing. */
export const query = (url: string, name: string): string =>
	URL.canParse(url) ? (new URL(url).searchParams.get(name) ?? '') : '';

export const originOf = (address: string): string => new URL(address).origin;

/** An error whose message the editor shows as a warning. */
export const registrationError = (context: IHookFunctions, message: string): NodeOperationError =>
	new NodeOperationError(context.getNode(), message, { level: 'warning' });

/** n8n's contexts hold the bases of both kinds of webhook URLs, but their types do not say so. */
function bothAddresses(context: IHookFunctions, address: string): Registrant['addresses'] {
	const { additionalData = {} } = context as {
		additionalData?: { webhookBaseUrl?: string; webhookTestBaseUrl?: string };
	};
	const base = withoutQuery(additionalData.webhookBaseUrl ?? '');
	const testBase = withoutQuery(additionalData.webhookTestBaseUrl ?? '');
	const own = [testBase, base].find((one) => one !== undefined && address.startsWith(`${one}/`));
	if (own === undefined) return { published: address, test: undefined };
	const path = address.slice(own.length);
	return {
		published: base === undefined ? address : `${base}${path}`,
		test: testBase === undefined ? undefined : `${testBase}${path}`,
	};
}

/**
 * @param webhook name of the node's webhook that the platform calls
 * @throws NodeOperationError if n8n has no URL that can be read
 */
export function findRegistrant<E extends Entry>(
	context: IHookFunctions,
	type: TriggerType,
	webhook: WebhookType = 'default',
): Registrant<E> {
	const url = String(context.getNodeWebhookUrl(webhook));
	const address = withoutQuery(url);
	if (address === undefined) {
		throw registrationError(
			context,
			`n8n's public URL cannot be read: "${url.slice(0, 100)}". Set the environment variable WEBHOOK_URL to the https URL of this n8n, restart it and try again.`,
		);
	}
	return {
		context,
		type,
		workflow: String(context.getWorkflow().id),
		node: context.getNode().id,
		address,
		origin: originOf(address),
		addresses: bothAddresses(context, address),
		memory: context.getWorkflowStaticData('node') as Registrant<E>['memory'],
	};
}

/**
 * Whether a URL is one of this n8n. The editor's origin proves that of n8n's test URL alone: copies of an n8n keep it
 * more often than that of the webhooks.
 */
export const isHere = ({ addresses }: Registrant, address: string): boolean =>
	originOf(address) === originOf(addresses.published) || address === addresses.test;

/** Whether a URL has the base of another one. Behind the base: an ID of the node, and "webhook". */
const isBeside = (own: string | undefined, address: string): boolean =>
	own !== undefined && address.startsWith(`${own.split('/').slice(0, -2).join('/')}/`);

/** Whether a URL is that of a published webhook of this n8n, of whichever workflow. */
export const isPublishedHere = ({ addresses }: Registrant, address: string): boolean =>
	isBeside(addresses.published, address);

/** Whether a URL is that of a webhook of this n8n, of whichever workflow. */
export const isOfThisN8n = (registrant: Registrant, address: string): boolean =>
	isPublishedHere(registrant, address) || isBeside(registrant.addresses.test, address);

/** Tells the log of n8n, each sentence once: while publishing, nobody sees anything else of a success. */
export function warn({ context, type }: Registrant, complaints: string[]): void {
	for (const complaint of new Set(complaints)) context.logger.warn(`${type.title}: ${complaint}`);
}

/**
 * Whether this is a test that waits for one event. In `delete` the activation mode is always `update`. There only the
 * workflow tells: n8n's test workflows are not active.
 */
export const isTesting = (context: IHookFunctions): boolean =>
	context.getActivationMode() === 'manual' || !context.getWorkflow().active;

/** Whether n8n is starting. Then nobody reads messages, and what can run should run. */
export const isStarting = (context: IHookFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

/** @throws NodeOperationError if the platform could not reach this n8n */
export function refuseLoopback(
	{ context, type, address, origin }: Registrant,
	{ workspace }: Client,
): void {
	if (workspace.loopback || !isLoopback(new URL(address).hostname)) return;
	throw registrationError(
		context,
		`The platform cannot ${type.does} this n8n: its public URL is ${origin}, which only this computer can reach. Set the environment variable WEBHOOK_URL to an https URL that the internet can reach (a tunnel works), restart n8n and try again.`,
	);
}

/**
 * Other nodes of this type in the workflow that are switched on. n8n's contexts hold the workflow, but their types do
 * not say so.
 */
export function othersOfType(context: IHookFunctions): INode[] {
	const { workflow } = context as { workflow?: { nodes?: Record<string, INode> } };
	const { id, type } = context.getNode();
	return Object.values(workflow?.nodes ?? {}).filter(
		(other) => other.id !== id && other.type === type && other.disabled !== true,
	);
}

/**
 * Refuses what n8n should not publish.
 * @throws NodeOperationError; while n8n starts, this only logs it
 */
export function refuse(context: IHookFunctions, { title }: TriggerType, message: string): void {
	if (!isStarting(context)) throw registrationError(context, message);
	context.logger.warn(`${title}: ${message}`);
}

function explainShared(one: string, other: string, { title, arrives }: TriggerType): string {
	return `"${one}" and "${other}" have the same webhook URL, so n8n would pass the ${arrives} of both to one of them. Delete one of the two and add a new ${title} from the nodes panel: it gets its own URL.`;
}

/**
 * Refuses a second node with the same callback URL. Copy and paste makes such nodes; n8n 1.x publishes both and passes
 * everything to one of them.
 */
export function refuseSharedAddress(context: IHookFunctions, type: TriggerType): void {
	const { name, webhookId } = context.getNode();
	for (const other of othersOfType(context)) {
		if (webhookId === undefined || other.webhookId !== webhookId) continue;
		refuse(context, type, explainShared(name, other.name, type));
	}
}
