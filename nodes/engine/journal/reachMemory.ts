import { chunk, difference } from 'lodash';
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

/** Keys noted by one write. A process that is killed leaves at most so many people noted whom it did not reach. */
const perWrite = 25;
/** How many people a node remembers; the oldest beyond are forgotten. */
export const mostRemembered = 10_000;

const options: ICheckProcessedOptions = { mode: 'entries', maxEntries: mostRemembered };

/**
 * Whom 'Reach Each Person' has reached, in n8n's own memory for duplicates: in its database, per node. It is the second
 * of three: this process knows more (`reached.ts`), and the platform's request key decides in the end, because two
 * executions at the same moment can lose entries here. Nothing that goes wrong here stops a request; it is told.
 */
export class ReachMemory {
	/** Keys that an earlier run noted: reached, or perhaps. */
	readonly known = new Set<string>();
	private readonly noted = new Set<string>();
	private readonly kept = new Set<string>();
	/** By key, the write that notes it with its neighbors, once it has begun. */
	private readonly writes = new Map<string, () => Promise<void>>();
	private last: Promise<void> = Promise.resolve();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly tell: (sentence: string) => void,
	) {}

	/** n8n notes what it looks up: that is taken back, a few at a time, because a process may be killed here, too. */
	async look(keys: string[]): Promise<void> {
		for (const some of chunk(keys, perWrite))
			await this.inTurn(async ({ checkProcessedAndRecord, removeProcessed }) => {
				const { processed, new: fresh } = await checkProcessedAndRecord(some, 'node', options);
				for (const key of processed) this.known.add(String(key));
				if (fresh.length > 0) await removeProcessed(fresh, 'node', options);
			});
		const rest = keys.filter((key) => !this.known.has(key));
		for (const some of chunk(rest, perWrite)) {
			let writing: Promise<void> | undefined;
			const write = async () => await (writing ??= this.note(some));
			for (const key of some) this.writes.set(key, write);
		}
	}

	async leaving(key: string): Promise<void> {
		await this.writes.get(key)?.();
	}

	/** The request was done, or may have been. */
	keep(key: string): void {
		this.kept.add(key);
	}

	/** Takes back what certainly reached nobody. */
	async end(): Promise<void> {
		const nobody = difference([...this.noted], [...this.kept]);
		if (nobody.length > 0)
			await this.inTurn(async ({ removeProcessed }) => {
				await removeProcessed(nobody, 'node', options);
			});
	}

	private async note(keys: string[]): Promise<void> {
		await this.inTurn(async ({ checkProcessedAndRecord }) => {
			for (const key of keys) this.noted.add(key);
			await checkProcessedAndRecord(keys, 'node', options);
		});
	}

	/** n8n's memory loses what is written at the same time. */
	private async inTurn(work: (helpers: IExecuteFunctions['helpers']) => Promise<void>) {
		const mine = this.last.then(async () => await work(this.context.helpers));
		this.last = mine.catch((thrown: Error) =>
			this.tell(
				`Whom this node reaches could not be kept in n8n's database (${thrown.message.slice(0, 100)}). After n8n restarts, only the platform may know it.`,
			),
		);
		await this.last;
	}
}
