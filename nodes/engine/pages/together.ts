import { Cancelled, clock, inTurn, unlessStopped } from '../http/clock';

/** Whose list it is, and what ends waiting for it. */
export interface Asked {
	name: string;
	signal?: AbortSignal;
}

interface Reader<Page, End> {
	takers: Array<Taker<Page>>;
	end: Promise<End>;
}

class Taker<Page> {
	isDone = false;
	thrown?: { error: unknown };

	constructor(private readonly take: (page: Page) => Promise<boolean>) {}

	async give(page: Page): Promise<void> {
		if (this.isDone) return;
		try {
			this.isDone = await this.take(page);
		} catch (error) {
			this.isDone = true;
			this.thrown = { error };
		}
	}
}

/** Executions that are started by events of one moment do not ask in the same millisecond. */
const gatherMs = 200;

const waiting = new Map<string, Reader<unknown, unknown>>();

function begin<Page, End>(
	name: string,
	read: (give: (page: Page) => Promise<boolean>) => Promise<End>,
): Reader<Page, End> {
	const takers: Array<Taker<Page>> = [];
	const give = async (page: Page): Promise<boolean> => {
		for (const taker of takers) await taker.give(page);
		return takers.every(({ isDone }) => isDone);
	};
	const end = inTurn(`read ${name}`, new AbortController().signal, async () => {
		await clock.sleep(gatherMs);
		waiting.delete(name);
		return await read(give);
	});
	const reader = { takers, end };
	waiting.set(name, reader as unknown as Reader<unknown, unknown>);
	return reader;
}

/**
 * Nobody gets what was read before they asked: who comes later waits for the next reading.
 * @param take gets each page; `true`: needs no more @param read gives each page, until it hears `true`
 * @returns what ended the reading; undefined if `take` needed no more @throws what both throw, Cancelled
 */
export async function readTogether<Page, End>(
	{ name, signal = new AbortController().signal }: Asked,
	take: (page: Page) => Promise<boolean>,
	read: (give: (page: Page) => Promise<boolean>) => Promise<End>,
): Promise<End | undefined> {
	for (;;) {
		const reader = (waiting.get(name) as Reader<Page, End> | undefined) ?? begin(name, read);
		const taker = new Taker(take);
		reader.takers.push(taker);
		const settled = Promise.allSettled([reader.end]);
		await unlessStopped(signal, async () => await settled).catch((thrown: unknown) => {
			taker.isDone = true;
			throw thrown;
		});
		const [result] = await settled;
		if (taker.thrown) throw taker.thrown.error;
		if (taker.isDone) return undefined;
		if (result.status === 'fulfilled') return result.value;
		// Whoever read for all was stopped.
		if (!(result.reason instanceof Cancelled)) throw result.reason;
	}
}
