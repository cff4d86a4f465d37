import {
	type IHookFunctions,
	type ITriggerFunctions,
	type ITriggerResponse,
	NodeHelpers,
	type WebhookType,
} from 'n8n-workflow';
import { clock, pause } from '../../engine/http/clock';

/** Paths of the webhooks that a trigger may have, by n8n's names for them. */
export const webhookPaths = { default: 'webhook', setup: 'response-node' } as const;

const minute = 60_000;
/** A platform that switches a webhook off after failures costs at most so long. */
const everyMs = 60 * minute;

/** What the hooks of a webhook get to see. n8n gives `trigger()` the same but for the webhook's URL. */
function asHooks(context: ITriggerFunctions): IHookFunctions {
	const { additionalData } = context as unknown as { additionalData: { webhookBaseUrl: string } };
	const { id } = context.getWorkflow();
	return Object.assign(Object.create(context) as IHookFunctions, {
		getActivationMode: () => 'init' as const,
		getNodeWebhookUrl: (name: WebhookType) =>
			NodeHelpers.getNodeWebhookUrl(
				additionalData.webhookBaseUrl,
				String(id),
				context.getNode(),
				webhookPaths[name],
			),
	});
}

interface Watch {
	ending: AbortController;
	/** The look that is under way. */
	look?: Promise<boolean>;
}

/** Of published triggers, by workflow and node. */
const watches = new Map<string, Watch>();

/** Tells published triggers apart. */
export const nameOf = (context: Pick<ITriggerFunctions, 'getWorkflow' | 'getNode'>): string =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id]);

/**
 * n8n's `trigger`: as long as the workflow is published, looks once an hour at what the trigger registered. And only for
 * a node that has it does n8n 2.41 call `checkExists` and `create` when it starts.
 * @param look puts right what is wrong, and says so in the log. @returns whether it could look
 */
export function watch(
	context: ITriggerFunctions,
	look: (context: IHookFunctions, signal: AbortSignal) => Promise<boolean>,
): ITriggerResponse {
	if (context.getMode() === 'manual') return {};
	const mine: Watch = { ending: new AbortController() };
	const { signal } = mine.ending;
	const going = async (): Promise<void> => {
		// What cannot be read, because the platform is down, is read again soon.
		for (let waitMs = minute; ;) {
			await pause(waitMs, signal, clock, minute);
			mine.look = look(asHooks(context), signal);
			waitMs = (await mine.look) ? everyMs : Math.min(2 * waitMs, everyMs);
		}
	};
	watches.get(nameOf(context))?.ending.abort();
	watches.set(nameOf(context), mine);
	going().catch(() => undefined);
	return { closeFunction: async () => await endWatch(context, mine) };
}

/** From now on nothing is put right any more; what is under way is awaited. @param only this one; by default any */
export async function endWatch(
	context: Pick<ITriggerFunctions, 'getWorkflow' | 'getNode'>,
	only = watches.get(nameOf(context)),
): Promise<void> {
	only?.ending.abort();
	if (watches.get(nameOf(context)) === only) watches.delete(nameOf(context));
	await only?.look;
}
