/**
 * Worlds from a seed, in n8n's engine against the sandbox: what is true on the platform is compared with what is told.
 *
 *   WORLDS_SEED=7 WORLDS=500       other worlds, and how many; the seed "fresh" is another each time
 *   WORLDS_SECONDS=60              so many seconds at most
 *   WORLDS_PATH=12:0:3             beside the seed: the world of a failure again, as its message says
 *   WORLDS_SURVEY=1                all kinds of broken promises that these worlds show, instead of the first
 */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Engine, startSandbox, type Sandbox } from '../engine/harness/index.cts';
import { play } from './play.cts';
import { broken, promises } from './promises.cts';
import { openView } from './view.cts';
import { world, type World } from './world.cts';

const {
	WORLDS_SEED = '1',
	WORLDS: count = '300',
	WORLDS_SECONDS: seconds,
	WORLDS_PATH: replay,
	WORLDS_SURVEY: survey,
} = process.env;
const seed = WORLDS_SEED === 'fresh' ? Date.now() % 2 ** 31 : Number(WORLDS_SEED);
/** Worlds that broke a promise once, with a sentence. */
const known: Array<{ says: string; world: World }> = JSON.parse(
	readFileSync(path.join(__dirname, 'known.json'), 'utf8'),
);
let sandbox: Sandbox;
let engine: Engine;
let proxy: Awaited<ReturnType<typeof openView>>;
jest.setTimeout(3_600_000);

beforeAll(async () => {
	[sandbox, engine, proxy] = await Promise.all([
		startSandbox({ speed: 100 } as never),
		Engine.start({ speed: 100 }),
		openView(),
	]);
	engine.takesLongErrors = true;
}, 600_000);
afterAll(async () => {
	proxy.close();
	await Promise.all([engine.stop(), sandbox.stop()]);
});

const look = async (one: World) => broken(await play(one, { sandbox, engine, proxy }));

const again = 'npm test -- --only worlds';

test('every promise holds in every world', async () => {
	const numRuns = Number(count);
	if (survey) return await takeStock(numRuns);
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
	const told = failed
		? `${JSON.stringify(counterexample)}\n${String((errorInstance as Error)?.message)}\n` +
			`WORLDS_SEED=${seed} WORLDS_PATH=${counterexamplePath} ${again}`
		: '';
	expect(told).toBe('');
});

test('what was broken once holds', async () => {
	for (const { says, world: one } of known)
		expect({ says, broken: await look(one) }).toEqual({ says, broken: [] });
	expect(known).toBeInstanceOf(Array);
});

/** Guarantees of docs/reference/guarantees.md, and the promise that holds each. */
const guarantees: Record<string, string> = JSON.parse(
	readFileSync(path.join(__dirname, 'guarantees.json'), 'utf8'),
);
test('each guarantee of the worlds is held by a promise', () => {
	const held = Object.values(guarantees);
	expect(held.length).toBeGreaterThan(0);
	expect(Object.keys(promises)).toEqual(expect.arrayContaining(held));
});

/** Plays all worlds and prints each kind of broken promise once, with how often and its smallest world. */
async function takeStock(numRuns: number): Promise<void> {
	const kinds = new Map<string, { times: number; first: World; how: string }>();
	const began = Date.now();
	for (const one of fc.sample(world, { seed: seed, numRuns })) {
		const found = await look(one).catch((error: Error) => [
			{ promise: 'it runs', how: error.message },
		]);
		for (const { promise, how } of found) {
			const kind = `${one.wish.does} · ${promise} · ${one.order} · ${one.view.fault?.kind ?? 'no fault'}`;
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
			([kind, { times, first, how }]) => `${times} × ${kind}: ${how}\n   ${JSON.stringify(first)}`,
		);
	process.stdout.write(
		`${numRuns} worlds in ${(Date.now() - began) / 1000} s\n${lines.join('\n')}\n`,
	);
	expect(numRuns).toBeGreaterThan(0);
}
