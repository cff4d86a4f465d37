import { NodeOperationError, type IHookFunctions, type INode } from 'n8n-workflow';
import { addressOf } from './address';
import { Client } from '../http/client';
import { InvalidBaseUrl, isLoopback } from '../http/workspace';
import { rethrow } from '../errors/rethrow';

/** The node that registers, and its n8n. */
export interface RegistrantOf<Memory> {
	context: IHookFunctions;
	workflow: string;
	node: string;
	/** Callback URL without query. */
	address: string;
	/** Its origin, which distinguishes this n8n from a copy with the same IDs, static data and keys. */
	origin: string;
	/** What the node keeps between activations. */
	memory: Memory;
}

/** An error whose message the editor shows as a warning. */
export const registrationError = (context: IHookFunctions, message: string): NodeOperationError =>
	new NodeOperationError(context.getNode(), message, { level: 'warning' });

/** @throws NodeOperationError if n8n has no URL that can be read */
export function findRegistrant<Memory>(context: IHookFunctions): RegistrantOf<Memory> {
	const url = String(context.getNodeWebhookUrl('default'));
	const address = addressOf(url);
	if (address === undefined) {
		throw registrationError(
			context,
			`n8n's public URL cannot be read: "${url.slice(0, 100)}". Set the environment variable WEBHOOK_URL to the https URL of this n8n, restart it and try again.`,
		);
	}
	return {
		context,
		workflow: String(context.getWorkflow().id),
		node: context.getNode().id,
		address,
		origin: new URL(address).origin,
		memory: context.getWorkflowStaticData('node') as Memory,
	};
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
	{ context, address, origin }: RegistrantOf<unknown>,
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
