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

/**
 * What the hooks of a webhook get to see. n8n gives `trigger()` the same but for the webhook's URL; a copy would lack what
 * n8n's classes hold.
 */
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

/** By agent, when the last event arrived. */
export type Heard = Record<string, string>;

/** What this process knows of a trigger. */
interface Known {
	/** When somebody last asked for it. */
	used: number;
	/** While it is published. */
	watch?: Watch;
	/** Deliveries that started the workflow, or that are about to: each says whether n8n took it. */
	taken: Map<string, { at: number; byN8n: Promise<boolean> }>;
	/** Conversations that were caught up: the platform may deliver their end late. */
	caughtUp: Set<string | undefined>;
	/** What it heard last: n8n may have older static data, from when the workflow was published. */
	heard?: Heard;
	/** When that was written into static data. */
	noted?: number;
	/** The event that ends a catching up: then everything before its reading is done. */
	final?: unknown;
}

type Of = Pick<ITriggerFunctions, 'getWorkflow' | 'getNode'>;

const triggers = new Map<string, Known>();

/** Tells triggers apart. */
export const nameOf = (context: Of): string =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id]);

/** So long after its end a trigger is known: what was delivered may come once more. */
const keptMs = 10 * minute;

export function knownOf(context: Of): Known {
	const name = nameOf(context);
	const used = Date.now();
	if (!triggers.has(name))
		for (const [other, known] of triggers)
			if (!known.watch && used - known.used > keptMs) triggers.delete(other);
	const known = triggers.get(name) ?? { used, taken: new Map(), caughtUp: new Set() };
	triggers.set(name, Object.assign(known, { used }));
	return known;
}

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
	const known = knownOf(context);
	known.watch?.ending.abort();
	known.watch = mine;
	going().catch(() => undefined);
	return { closeFunction: async () => await endWatch(context, mine) };
}

/** From now on nothing is put right any more; what is under way is awaited. @param only this one; by default any */
export async function endWatch(context: Of, only = knownOf(context).watch): Promise<void> {
	const known = knownOf(context);
	only?.ending.abort();
	if (known.watch === only) delete known.watch;
	await only?.look;
}
