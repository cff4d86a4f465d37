import { NodeOperationError, type IHookFunctions, type INode } from 'n8n-workflow';
import { addressOf } from './address';
import { Client } from '../http/client';
import { InvalidBaseUrl, isLoopback } from '../http/workspace';
import { rethrow } from '../errors/rethrow';

/** Which node registers, and in which n8n. */
export interface RegistrantOf<Memory> {
	context: IHookFunctions;
	workflow: string;
	node: string;
	/** Callback address without query. */
	address: string;
	/** Its origin: what tells this n8n from a copy, which has the same IDs, the same static data and the same keys. */
	origin: string;
	/** What the node keeps between activations. */
	memory: Memory;
}

/** An error whose message n8n shows in the editor as a warning. */
export const registrationError = (context: IHookFunctions, message: string): NodeOperationError =>
	new NodeOperationError(context.getNode(), message, { level: 'warning' });

/** @throws NodeOperationError when n8n gives no address that can be read */
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

/** @throws NodeOperationError, and what n8n throws when it cannot read the credential */
export async function openClient(context: IHookFunctions): Promise<Client> {
	try {
		return await Client.open(context);
	} catch (thrown) {
		if (thrown instanceof InvalidBaseUrl) throw registrationError(context, thrown.message);
		return rethrow(thrown);
	}
}

/**
 * Whether somebody listens for a test event. In `delete` the activation mode is always `update`; there only the
 * workflow tells: n8n's test workflows are not active.
 */
export const isTesting = (context: IHookFunctions): boolean =>
	context.getActivationMode() === 'manual' || !context.getWorkflow().active;

/** n8n starts, nobody is looking: what can run should run. */
export const isStarting = (context: IHookFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

/**
 * @param does what the platform would do, after "The platform cannot"
 * @throws NodeOperationError when the platform could not reach this n8n
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

/** Other nodes of this type in the workflow that are switched on. n8n's contexts hold it; their types do not say so. */
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
 * Two nodes of one workflow can have one address, after copying and pasting; n8n 1.x publishes them and gives
 * everything to one of the two.
 * @param title of the node type
 * @param what arrives
 * @throws NodeOperationError; while n8n starts it is logged only
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
