/** Worlds of the two triggers: what is registered on the platform, and what starts, is compared with what is told. */
import { Engine, startSandbox, type Sandbox } from '../engine/harness/index.cts';
import { worldsHold } from './check.cts';
import { known } from './knownTriggers.cts';
import { playTriggers } from './triggers.cts';
import { triggerWorld } from './triggerWorld.cts';
import { openView } from './view.cts';

let sandbox: Sandbox;
let engines: { prod: Engine; staging: Engine };
let proxy: Awaited<ReturnType<typeof openView>>;
jest.setTimeout(3_600_000);

beforeAll(async () => {
	const [prod, staging] = await Promise.all([
		Engine.start({ speed: 100 }),
		Engine.start({ speed: 100 }),
	]);
	engines = { prod, staging };
	[sandbox, proxy] = await Promise.all([startSandbox({ speed: 100 } as never), openView()]);
}, 600_000);
afterAll(async () => {
	proxy.close();
	await Promise.all([engines.prod.stop(), engines.staging.stop(), sandbox.stop()]);
});

worldsHold({
	world: triggerWorld,
	count: 50,
	look: async (one) => await playTriggers(one, { sandbox, engines, proxy }),
	kindOf: ({ kind, view: { fault, hidden, keeps, lagMs } }) =>
		`${kind} · ${fault?.kind ?? 'no fault'} · ${hidden} · ${keeps} · ${lagMs}`,
	known,
	file: 'triggers.test',
});
