import { Engine, type EngineOptions } from './engine.cts';
import { startSandbox, type Sandbox } from './sandbox.cts';

/** Stands for what is there once a test runs, so that a file can name it at its top. */
const later = <T extends object>(get: () => T): T =>
	new Proxy({} as T, {
		get: (_, name): unknown => Reflect.get(get(), name),
		set: (_, name, value) => Reflect.set(get(), name, value),
	});

/**
 * For the top of a test file: a sandbox and an engine with a credential for it, both started before all tests and
 * stopped after them; before each test the sandbox is reset.
 * @returns both, to be used inside tests; `run` is the engine's `runNode`.
 */
export function usePlatform(
	options: {
		seed?: number;
		settings?: object;
		agents?: number;
		contacts?: number;
		engine?: EngineOptions;
		/**
		 * How many seconds pass for both while one passes outside: for tests that wait, not for tests of the pace.
		 * Sandbox and engine keep one time; a test that compares their times with its own must not use it.
		 */
		speed?: number;
	} = {},
): { sandbox: Sandbox; engine: Engine; run: Engine['runNode'] } {
	const { engine: engineOptions, speed, ...sandboxOptions } = options;
	let sandbox: Sandbox;
	let engine: Engine;
	// Pacing and retries take their real time.
	jest.setTimeout(600_000);
	beforeAll(async () => {
		[sandbox, engine] = await Promise.all([
			startSandbox({ ...sandboxOptions, speed }),
			Engine.start({ speed, ...engineOptions }),
		]);
	}, 600_000);
	beforeEach(async () => {
		await Promise.all([sandbox.reset(sandboxOptions), engine.forgetDuplicates()]);
		engine.credentials = { acpApi: sandbox.credential(), ...engineOptions?.credentials };
	});
	afterAll(async () => {
		await Promise.all([engine?.stop(), sandbox?.stop()]);
	});
	return {
		sandbox: later(() => sandbox),
		engine: later(() => engine),
		run: async (...call) => await engine.runNode(...call),
	};
}
