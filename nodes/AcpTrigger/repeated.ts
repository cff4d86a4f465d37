import type { IWebhookFunctions } from 'n8n-workflow';
import { knownOf } from '../shared/registration/watch';

const keptMs = 10 * 60_000;
/** Of each node. */
const most = 5000;

/** The part of n8n's Express response that is used here; a node may not import its types. */
interface Outgoing {
	readonly statusCode: number;
	end: (...given: unknown[]) => unknown;
}

/** Only an ID of the sender tells two deliveries of one event from two events with the same content. */
const isGiven = (id: string): boolean => !/^body-[0-9a-f]{32}$/.test(id);

/**
 * Whether a delivery with this ID and content has already started the workflow: a doubled webhook, or a sender that
 * missed our response, brings each event twice. Static data does not keep it: saved with every event, it would overwrite what a
 * publish saves meanwhile. @param apart what distinguishes deliveries with the same ID
 */
export async function isRepeated(
	context: IWebhookFunctions,
	id: string,
	apart: unknown[],
): Promise<boolean> {
	if (!isGiven(id)) return false;
	const { taken } = knownOf(context);
	for (const [old, { at }] of taken) {
		if (taken.size <= most && Date.now() - at < keptMs) break;
		taken.delete(old);
	}
	const key = JSON.stringify([context.getMode(), id, ...apart]);
	// Without an earlier one nothing is awaited: two that arrive at once would both find none. Of several that wait for one
	// that failed, the first goes on, and the others wait for it.
	let failed;
	let earlier = taken.get(key);
	while (earlier && earlier !== failed) {
		if (await earlier.byN8n) return true;
		failed = earlier;
		earlier = taken.get(key);
	}
	const response = context.getResponseObject() as unknown as Outgoing;
	const { end } = response;
	// What n8n says counts, whether or not the sender still listens.
	const byN8n = new Promise<boolean>((resolve) => {
		response.end = (...given) => {
			resolve(response.statusCode < 300);
			return end.apply(response, given);
		};
	});
	taken.delete(key);
	taken.set(key, { at: Date.now(), byN8n });
	return false;
}
