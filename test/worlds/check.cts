/**
 * Looks at worlds from a seed.
 *
 *   WORLDS_SEED=7 WORLDS=500       other worlds, and how many; the seed "fresh" is another each time
 *   WORLDS_SECONDS=60              so many seconds at most
 *   WORLDS_PATH=12:0:3             beside the seed: the world of a failure again, as its message says
 *   WORLDS_SURVEY=1                all kinds of broken promises that these worlds show, instead of the first
 *   WORLDS_ONE='{"wish":…}'        one world that a survey printed
 */
import fc from 'fast-check';

const {
	FULL,
	WORLDS_SEED = FULL ? 'fresh' : '1',
	WORLDS = FULL && '1000000',
	WORLDS_SECONDS: seconds = FULL && '1800',
	WORLDS_PATH: replay,
	WORLDS_SURVEY: survey,
	WORLDS_ONE: only,
} = process.env;
const seed = WORLDS_SEED === 'fresh' ? Date.now() % 2 ** 31 : Number(WORLDS_SEED);

/** A promise that is broken in a world, in words. */
export interface Broken {
	promise: string;
	how: string;
}

interface Worlds<W> {
	world: fc.Arbitrary<W>;
	/** How many, unless somebody says so. */
	count: number;
	/** Plays one. */
	look: (one: W) => Promise<Broken[]>;
	/** What distinguishes a kind of broken promise from others, beside the promise. */
	kindOf: (one: W) => string;
	/** Worlds that always run, each with a sentence: they broke a promise once. */
	known: Array<{ says: string; world: W }>;
	/** Of the test file, for the command that plays a world again. */
	file: string;
}

/** The tests of a file of worlds. */
export function worldsHold<W>({ world, count, look, kindOf, known, file }: Worlds<W>): void {
	const numRuns = Number(WORLDS ?? count);
	const playing = (which: string) => `${which} npm test -- --only worlds --tests ${file}`;

	test('every promise holds in every world', async () => {
		if (only) return expect(await look(JSON.parse(only))).toEqual([]);
		if (survey) return await takeStock();
		const property = fc.asyncProperty(world, async (one) => {
			expect(await look(one)).toEqual([]);
		});
		const result = await fc.check(property, {
			seed,
			numRuns,
			...(replay && { path: replay }),
			...(seconds && { interruptAfterTimeLimit: Number(seconds) * 1000 }),
		});
		expect(result.numRuns).toBeGreaterThan(0);
		const { failed, counterexample, counterexamplePath, errorInstance } = result;
		const again = playing(`WORLDS_SEED=${seed} WORLDS_PATH=${counterexamplePath}`);
		const told = failed
			? `${JSON.stringify(counterexample)}\n${String((errorInstance as Error)?.message)}\n${again}`
			: '';
		expect(told).toBe('');
	});

	test('what was broken once holds', async () => {
		for (const { says, world: one } of known) {
			const how = await look(one);
			const again = playing(`WORLDS_ONE='${JSON.stringify(one)}'`);
			expect(how.length > 0 && { says, how, again }).toBe(false);
		}
		expect(known).toBeInstanceOf(Array);
	});

	/** Plays all worlds and prints each kind of broken promise once, with how often and its smallest world. */
	async function takeStock(): Promise<void> {
		const kinds = new Map<string, { times: number; first: W; how: string }>();
		const began = Date.now();
		for (const one of fc.sample(world, { seed, numRuns })) {
			const found = await look(one).catch((error: Error) => [
				{ promise: 'it runs', how: error.message },
			]);
			for (const { promise, how } of found) {
				const kind = `${promise} · ${kindOf(one)}`;
				const so = kinds.get(kind) ?? { times: 0, first: one, how };
				so.times++;
				if (JSON.stringify(one).length < JSON.stringify(so.first).length)
					Object.assign(so, { first: one, how });
				kinds.set(kind, so);
			}
		}
		const lines = [...kinds]
			.sort()
			.map(
				([kind, { times, first, how }]) =>
					`${times} × ${kind}: ${how}\n   ${JSON.stringify(first)}`,
			);
		process.stdout.write(
			`${numRuns} worlds in ${(Date.now() - began) / 1000} s\n${lines.join('\n')}\n`,
		);
		expect(numRuns).toBeGreaterThan(0);
	}
}
