import type { Delivering } from '../../execution';
import { clock, pause } from '../../http/clock';
import { RequestError } from '../../errors/requestError';
import { rethrow } from '../../errors/rethrow';
import { UnsafePath } from '../../http/path';
import type { Delivery, PreparedRequest } from '../../operation/preparedRequest';

/**
 * Waits before each look for what the platform may have written, in milliseconds: lists and records may lag ten seconds
 * behind.
 */
export const lookAfterMs = [500, 1500, 3500, 7000];

/** Why looking did not show the outcome of a request. */
type Looked = NonNullable<RequestError['facts']['looked']>;

/** What a look at the platform says of a lost request: it was done, it does not show, or that is unknown. */
export type Verdict =
	| { found: Delivery }
	/** Not seen, which is no proof. No reason if there was nothing to look at. */
	| { absent: Extract<Looked, 'missing' | 'unchanged'> | undefined }
	| { unknown: Exclude<Looked, 'missing' | 'unchanged'> };

/** What a finder saw before the request left; null if it could not look. It is kept across tries. */
export type Before = string[] | null;

/** How to find out whether a request was carried out after its response was lost. */
export interface Finder {
	/**
	 * What must be known before the request leaves. If what was asked for exists already, it, or the request to send
	 * instead; `mayBeGone`: only a moment ago it did, so if the platform does not find it, the request itself is sent.
	 * @throws RequestError if that cannot be known: then nothing is sent
	 */
	before: () => Promise<
		{ known: Before } | { there: Delivery } | { instead: PreparedRequest; mayBeGone: boolean }
	>;
	/** Looks repeatedly. @throws Cancelled */
	look: (known: Before) => Promise<Verdict>;
	/** What the items get from a request that was sent, or sent instead, if that is more than its response. */
	delivered?: (delivery: Delivery, instead?: true) => Delivery;
	/** Shown in the output panel if a lost request was found. */
	hint?: string;
}

/** Looks again while the platform may lag. @returns the first result that is not undefined */
export async function lookAgain<T>(
	{ client }: Delivering,
	look: () => Promise<T | undefined>,
): Promise<T | undefined> {
	for (const waitMs of lookAfterMs) {
		await pause(waitMs, client.signal, clock);
		const seen = await look();
		if (seen !== undefined) return seen;
	}
	return undefined;
}

/** What was read; nothing if the platform does not show it. @throws Cancelled */
export const ifShown = async <T>(reading: Promise<T>): Promise<T | undefined> =>
	await reading.catch((thrown: unknown) =>
		thrown instanceof RequestError || thrown instanceof UnsafePath ? undefined : rethrow(thrown),
	);

export const foundHint =
	"The platform's response was lost, but the record was created. It was found on the platform and not created again.";

/** A delivery whose records tell whether they were created. */
export const withCreated = (delivery: Delivery, created: boolean): Delivery =>
	delivery.unproven
		? delivery
		: { ...delivery, records: delivery.records.map((record) => ({ ...record, created })) };

/** Nothing shows whether a request was carried out. */
export const nothingToLookAt: Finder = {
	before: async () => ({ known: null }),
	look: async () => ({ absent: undefined }),
};
