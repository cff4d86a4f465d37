import { RequestError, rethrow } from '../../errors/requestError';
import type { Delivering } from '../../execution';
import { lookAgain } from '../../http/clock';
import { UnsafePath } from '../../http/path';
import type { Delivery, PreparedRequest } from '../../operation/preparedRequest';

type Looked = NonNullable<RequestError['facts']['looked']>;

/** What a look at the platform says of a lost request: it was done, it does not show, or that is unknown. */
export type Verdict =
	| { found: Delivery }
	/** Not seen, which is no proof. No reason if there was nothing to look at. */
	| { absent: Extract<Looked, 'missing' | 'unchanged'> | undefined }
	| { unknown: Exclude<Looked, 'missing' | 'unchanged'> };

/** What a finder saw before the request left; null if it could not look. It is kept across tries. */
export type Before = string[] | null;

export interface Finder {
	/** What could be taken for this request: requests that share it go one after the other. */
	turn?: unknown;
	/**
	 * What must be known before the request leaves: what exists already, or the request to send instead; `mayBeGone`: if
	 * the platform does not find that by now, the request itself is sent.
	 * @throws RequestError if that cannot be known: then nothing is sent
	 */
	before: () => Promise<
		{ known: Before } | { there: Delivery } | { instead: PreparedRequest; mayBeGone: boolean }
	>;
	look: (known: Before) => Promise<Verdict>;
	/** It left, and nobody knows what became of it. */
	uncertain?: () => void;
	/** What the items get from a request that was sent, or sent instead, if that is more than its response. */
	delivered?: (delivery: Delivery, instead?: true) => Delivery;
	/** Shown in the output panel if a lost request was found, and it did not create a record. */
	hint?: string;
}

declare module '../../operation/recovery' {
	interface OwnFinder {
		/** @returns undefined for a request whose outcome nothing shows, or that does no harm twice */
		finderOf: (execution: Delivering, prepared: PreparedRequest) => Finder | undefined;
	}
}

/** What was read; nothing if the platform does not show it. @throws Cancelled */
export const ifShown = async <T>(reading: Promise<T>): Promise<T | undefined> =>
	await reading.catch((thrown: unknown) =>
		thrown instanceof RequestError || thrown instanceof UnsafePath ? undefined : rethrow(thrown),
	);

/** Looks while the platform may lag, until the request is found or several could be it. The last look counts. */
export const looking =
	<Shown>(
		execution: Delivering,
		read: () => Promise<Shown | undefined>,
		judge: (shown: Shown, known: string[]) => Verdict | Promise<Verdict>,
	): Finder['look'] =>
	async (known) => {
		let verdict: Verdict = { unknown: 'impossible' };
		if (!known) return verdict;
		await lookAgain(execution.client.signal, async () => {
			const shown = await read();
			if (shown !== undefined) verdict = await judge(shown, known);
			const isClear = 'found' in verdict || ('unknown' in verdict && verdict.unknown === 'several');
			return isClear || undefined;
		});
		return verdict;
	};
