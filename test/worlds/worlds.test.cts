/** Worlds of runs, in n8n's engine against the sandbox: what is true on the platform is compared with what is told. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { merge } from 'lodash';
import { Engine, startSandbox, type Sandbox } from '../engine/harness/index.cts';
import { worldsHold } from './check.cts';
import { play } from './play.cts';
import { broken, promises } from './promises.cts';
import { promises as ofTriggers } from './triggers.cts';
import { openView } from './view.cts';
import { plain, world } from './world.cts';

let sandbox: Sandbox;
let engine: Engine;
let worker: Engine;
let proxy: Awaited<ReturnType<typeof openView>>;
jest.setTimeout(3_600_000);

beforeAll(async () => {
	[sandbox, engine, proxy] = await Promise.all([
		startSandbox({ speed: 100 } as never),
		Engine.start({ speed: 100 }),
		openView(),
	]);
	worker = await Engine.start({ speed: 100, beside: engine });
	engine.takesLongErrors = worker.takesLongErrors = true;
}, 600_000);
afterAll(async () => {
	proxy.close();
	await worker.stop();
	await Promise.all([engine.stop(), sandbox.stop()]);
});

worldsHold({
	world,
	count: 150,
	look: async (one) => broken(await play(one, { sandbox, engine, worker, proxy })),
	kindOf: (one) => `${one.wish.does} · ${one.order} · ${one.view.fault?.kind ?? 'no fault'}`,
	known: JSON.parse(readFileSync(path.join(__dirname, 'known.json'), 'utf8')).map(
		({ says, ...differs }: any) => ({ says, world: merge({}, plain, differs) }),
	),
	file: 'worlds.test',
});

/** Guarantees of docs/reference/guarantees.md, and the promise that holds each. */
const guarantees: Record<string, string> = JSON.parse(
	readFileSync(path.join(__dirname, 'guarantees.json'), 'utf8'),
);
test('each guarantee of the worlds is held by a promise', () => {
	const held = Object.values(guarantees);
	expect(held.length).toBeGreaterThan(0);
	expect([...Object.keys(promises), ...Object.values(ofTriggers)]).toEqual(
		expect.arrayContaining(held),
	);
});
