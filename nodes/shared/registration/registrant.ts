import {
	NodeOperationError,
	type IHookFunctions,
	type INode,
	type WebhookType,
} from 'n8n-workflow';
import { trimEnd } from 'lodash';
import type { Client } from '../../engine/http/client';
import { withoutTags } from '../../engine/text/text';
import { isLoopback } from '../../engine/http/workspace';

export interface TriggerType {
	title: string;
	/** Of its secrets; it never changes. */
	family: string;
	arrives: string;
	/** What the platform does, after "The platform cannot" and after "The platform". */
	does: string;
	verb: string;
	labels: Record<string, string>;
	chooseAgent: string;
	/** Says of a trigger that starts what it does without the rest. */
	goesOn: string;
}

export interface Target {
	agent: string;
	/** One to be created has no ID before it is found. */
	intent?: string;
}

export const isSameTarget = (one: Target, other: Target): boolean =>
	one.agent === other.agent &&
	(one.intent === other.intent || one.intent === undefined || other.intent === undefined);

/**
 * What a registration writes into n8n's static data. Copies take static data along, so each entry names the workflow and
 * the node that made it. The origin of its callback URL tells in which n8n.
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
	/** Callback URL of the published workflow, and n8n's test URL, which can be under another origin: the editor's. */
	addresses: { published: string; test?: string };
	memory: { registrations?: E[] };
}

/** Origin and path of a URL, without a slash at the end; undefined if the text is not a URL. */
export function addressOfUrl(url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const { origin, pathname } = new URL(url);
	return `${origin}${trimEnd(pathname, '/')}`;
}

export const query = (url: string, name: string): string =>
	URL.canParse(url) ? (new URL(url).searchParams.get(name) ?? '') : '';

/** What all webhooks of an n8n have in common: "https://n8n.example.com/webhook". */
const baseOf = (address: string): string => address.split('/').slice(0, -2).join('/');

/** The public URL of the n8n that has a callback URL; two on one host may differ in their path alone. */
export const homeOf = (address: string): string =>
	baseOf(address).split('/').slice(0, -1).join('/');

/** An error whose message the editor shows as a warning. */
export const registrationError = (context: IHookFunctions, message: string): NodeOperationError =>
	new NodeOperationError(context.getNode(), withoutTags(message), { level: 'warning' });

/** n8n's contexts hold the bases of both kinds of webhook URLs, but their types do not say so. */
function bothAddresses(context: IHookFunctions, address: string): Registrant['addresses'] {
	const { additionalData = {} } = context as {
		additionalData?: { webhookBaseUrl?: string; webhookTestBaseUrl?: string };
	};
	const { webhookBaseUrl = '', webhookTestBaseUrl = '' } = additionalData;
	const bases = [webhookTestBaseUrl, webhookBaseUrl].map(addressOfUrl);
	const own = bases.find((base) => base && address.startsWith(`${base}/`));
	if (own === undefined) return { published: address };
	const [test, published = address] = bases.map((base) => base && base + address.slice(own.length));
	return { published, test };
}

/** @throws NodeOperationError if n8n has no URL that can be read */
export function findRegistrant<E extends Entry>(
	context: IHookFunctions,
	type: TriggerType,
	webhook: WebhookType = 'default',
): Registrant<E> {
	const url = String(context.getNodeWebhookUrl(webhook));
	const address = addressOfUrl(url);
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
		addresses: bothAddresses(context, address),
		memory: context.getWorkflowStaticData('node') as Registrant<E>['memory'],
	};
}

/**
 * Whether a URL is one of this n8n. The editor's URL proves that of n8n's test URL alone: copies of an n8n keep it more
 * often than that of the webhooks.
 */
export const isHere = ({ addresses }: Registrant, address: string): boolean =>
	baseOf(address) === baseOf(addresses.published) || address === addresses.test;

/** As what this n8n serves a URL, whichever workflow's it is; undefined if it is none of its webhooks. */
export function servedAs({ addresses }: Registrant, url: string): 'published' | 'test' | undefined {
	const isBeside = (own = '') => own && url.startsWith(`${baseOf(own)}/`);
	if (isBeside(addresses.published)) return 'published';
	return isBeside(addresses.test) ? 'test' : undefined;
}

/** Tells the log of n8n, each sentence once: while publishing, nobody sees anything else of a success. */
export function warn({ context, type }: Registrant, complaints: string[]): void {
	for (const complaint of new Set(complaints)) context.logger.warn(`${type.title}: ${complaint}`);
}

/** Whether this is a test. In `delete`, where the mode is always `update`, only the workflow tells: it is not active. */
export const isTesting = (context: IHookFunctions): boolean =>
	context.getActivationMode() === 'manual' || !context.getWorkflow().active;

/** Nobody reads messages while n8n starts, and what can run should run. */
export const isStarting = (context: Pick<IHookFunctions, 'getActivationMode'>): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

/** @throws NodeOperationError if the platform could not reach this n8n */
export function refuseLoopback(
	{ context, type, address }: Registrant,
	{ workspace }: Client,
): void {
	if (workspace.loopback || !isLoopback(new URL(address).hostname)) return;
	throw registrationError(
		context,
		`The platform cannot ${type.does} this n8n: its public URL is ${new URL(address).origin}, which only this computer can reach. Set the environment variable WEBHOOK_URL to an https URL that the internet can reach (a tunnel works), restart n8n and try again.`,
	);
}

/** Other nodes of these types, as tools too, in the workflow that are switched on. The types of n8n's contexts do not show them. */
export function othersIn(context: IHookFunctions, types: string[]): INode[] {
	const { workflow } = context as { workflow?: { nodes?: Record<string, INode> } };
	const { id } = context.getNode();
	return Object.values(workflow?.nodes ?? {}).filter(
		(other) =>
			other.id !== id &&
			types.includes((other.type.split('.').at(-1) as string).replace(/Tool$/, '')) &&
			other.disabled !== true,
	);
}

/** Other nodes of this type. */
export const othersOfType = (context: IHookFunctions): INode[] =>
	othersIn(context, [context.getNode().type.split('.').at(-1) as string]);

/**
 * Refuses a second node with the same callback URL, which a copy has: n8n 1.x passes everything to one of them.
 * @throws NodeOperationError; while n8n starts, this only logs it
 */
export function refuseSharedAddress(
	context: IHookFunctions,
	{ title, arrives }: TriggerType,
): void {
	const { name, webhookId } = context.getNode();
	const twin = othersOfType(context).find((other) => webhookId && other.webhookId === webhookId);
	if (!twin) return;
	const message = `"${name}" and "${twin.name}" have the same webhook URL, so n8n would pass the ${arrives} of both to one of them. Delete one of the two and add a new ${title} from the nodes panel: it gets its own URL.`;
	if (!isStarting(context)) throw registrationError(context, message);
	context.logger.warn(`${title}: ${message}`);
}
