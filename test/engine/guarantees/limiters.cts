/** What the tests of the pace share: the limiters of the sandbox, and what they say about the SMS that arrived. */
import type { LedgerEntry, usePlatform } from '../harness/index.cts';

export const algorithms = ['token-bucket', 'fixed-window', 'sliding-window'];

/** More than one window, and more than any bucket holds. */
export const count = Number(process.env.PACE_SENDS ?? 24);

export function judgedBy(platform: ReturnType<typeof usePlatform>) {
	const sends = async (): Promise<LedgerEntry[]> =>
		await platform.sandbox.ledger({ path: '/sms/send' });
	const rejected = async () => (await sends()).filter(({ status }) => status === 429).length;
	const accepted = async () => (await sends()).filter(({ effect }) => effect === 'created');
	return {
		rejected,
		accepted,
		limiter: async (algorithm: string, { limit = 5, othersPerSecond = 0 } = {}) =>
			await platform.sandbox.settings({
				rate: { send: { limit, windowMs: 1000, algorithm, othersPerSecond } },
			}),
		/** With PACE_SENDS set, what the limiter saw. */
		async report(name: string): Promise<void> {
			if (!process.env.PACE_SENDS) return;
			const times = (await accepted()).map(({ at }) => at);
			const seconds = (times.at(-1)! - times[0]!) / 1000;
			console.log(name, {
				sent: times.length,
				rejected: await rejected(),
				perSecond: ((times.length - 1) / seconds).toFixed(3),
			});
		},
	};
}
