import {
	NodeOperationError,
	type IHookFunctions,
	type INode,
	type WebhookType,
} from 'n8n-workflow';
import { addressOf, originOf } from './address';
import { Client } from '../http/client';
import { InvalidBaseUrl, isLoopback } from '../http/workspace';
import { rethrow } from '../errors/rethrow';

/** The node that registers, and its n8n. */
export interface Registrant<Entry = unknown> {
	context: IHookFunctions;
	/** Of the node type. */
	title: string;
	workflow: string;
	node: string;
	/** Callback URL without query; n8n's test URL while the node listens for a test. */
	address: string;
	/** Its origin, which distinguishes this n8n from a copy with the same IDs, static data and keys. */
	origin: string;
	/** Callback URL of the published workflow, and n8n's test URL, which can be under another origin: the editor's. */
	addresses: { published: string; test: string | undefined };
	/** What the node keeps between activations. */
	memory: { registrations?: Entry[] };
}

/** An error whose message the editor shows as a warning. */
export const registrationError = (context: IHookFunctions, message: string): NodeOperationError =>
	new NodeOperationError(context.getNode(), message, { level: 'warning' });

/** n8n's contexts hold the bases of both kinds of webhook URLs, but their types do not say so. */
function bothAddresses(context: IHookFunctions, address: string): Registrant['addresses'] {
	const { additionalData = {} } = context as {
		additionalData?: { webhookBaseUrl?: string; webhookTestBaseUrl?: string };
	};
	const base = addressOf(additionalData.webhookBaseUrl ?? '');
	const testBase = addressOf(additionalData.webhookTestBaseUrl ?? '');
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
export function findRegistrant<Entry>(
	context: IHookFunctions,
	title: string,
	webhook: WebhookType = 'default',
): Registrant<Entry> {
	const url = String(context.getNodeWebhookUrl(webhook));
	const address = addressOf(url);
	if (address === undefined) {
		throw registrationError(
			context,
			`n8n's public URL cannot be read: "${url.slice(0, 100)}". Set the environment variable WEBHOOK_URL to the https URL of this n8n, restart it and try again.`,
		);
	}
	const addresses = bothAddresses(context, address);
	return {
		context,
		title,
		workflow: String(context.getWorkflow().id),
		node: context.getNode().id,
		address,
		origin: originOf(address),
		addresses,
		memory: context.getWorkflowStaticData('node') as Registrant<Entry>['memory'],
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

/** Tells the log of n8n: while publishing, nobody sees anything else of a success. */
export function warn({ context, title }: Registrant, complaint: string | undefined): void {
	if (complaint !== undefined) context.logger.warn(`${title}: ${complaint}`);
}

/** @throws NodeOperationError, and what n8n throws if it cannot read the credential */
export async function openClient(context: IHookFunctions): Promise<Client> {
	try {
		return await Client.open(context);
	} catch (thrown) {
		if (thrown instanceof InvalidBaseUrl) throw registrationError(context, thrown.message);
		return rethrow(thrown);
	}
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

/**
 * @param does what the platform would do, after "The platform cannot"
 * @throws NodeOperationError if the platform could not reach this n8n
 */
export function refuseLoopback(
	{ context, address, origin }: Registrant,
	client: Client,
	does: string,
): void {
	if (client.workspace.loopback || !isLoopback(new URL(address).hostname)) return;
	throw registrationError(
		context,
		`The platform cannot ${does} this n8n: its public URL is ${origin}, which only this computer can reach. Set the environment variable WEBHOOK_URL to an https URL that the internet can reach (a tunnel works), restart n8n and try again.`,
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

function explainSharedAddress(one: string, other: string, title: string, what: string): string {
	return `"${one}" and "${other}" have the same webhook URL, so n8n would pass the ${what} of both to one of them. Delete one of the two and add a new ${title} from the nodes panel: it gets its own URL.`;
}

/**
 * Refuses a second node with the same callback URL. Copy and paste makes such nodes; n8n 1.x publishes both and passes
 * everything to one of them.
 * @param title of the node type
 * @param what arrives
 * @throws NodeOperationError; while n8n starts, this only logs it
 */
export function refuseSharedAddress(context: IHookFunctions, title: string, what: string): void {
	const { name, webhookId } = context.getNode();
	if (webhookId === undefined) return;
	for (const other of othersOfType(context)) {
		if (other.webhookId !== webhookId) continue;
		const message = explainSharedAddress(name, other.name, title, what);
		if (!isStarting(context)) throw registrationError(context, message);
		context.logger.warn(`${title}: ${message}`);
	}
}
