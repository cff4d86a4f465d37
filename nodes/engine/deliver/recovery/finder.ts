import { RequestError, rethrow } from '../../errors/requestError';
import { lookAgain } from '../../http/clock';
import { UnsafePath } from '../../http/path';
import type { Finder, Verdict, Delivering } from '../../operation/operation';

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
		judge: (shown: Shown, before: string[]) => Verdict | Promise<Verdict>,
	): Finder['look'] =>
	async (before) => {
		let verdict: Verdict = { unknown: 'impossible' };
		if (!before) return verdict;
		await lookAgain(execution.client.signal, async () => {
			const shown = await read();
			if (shown !== undefined) verdict = await judge(shown, before);
			const isClear = 'found' in verdict || ('unknown' in verdict && verdict.unknown === 'several');
			return isClear || undefined;
		});
		return verdict;
	};
