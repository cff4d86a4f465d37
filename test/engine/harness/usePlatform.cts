import { Engine, type EngineOptions } from './engine.cts';
import { startSandbox, type Sandbox } from './sandbox.cts';

/**
 * For the top of a test file: a sandbox and an engine with a credential for it, both started before all tests and
 * stopped after them; before each test the sandbox is reset.
 * @returns getters, to be read inside tests.
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
): { readonly sandbox: Sandbox; readonly engine: Engine } {
	const { engine: engineOptions, speed, ...sandboxOptions } = options;
	let sandbox: Sandbox;
	let engine: Engine;
	// Pacing and retries take their real time.
	jest.setTimeout(180_000);
	beforeAll(async () => {
		[sandbox, engine] = await Promise.all([
			startSandbox({ ...sandboxOptions, speed }),
			Engine.start({ speed, ...engineOptions }),
		]);
	}, 180_000);
	beforeEach(async () => {
		await sandbox.reset(sandboxOptions);
		engine.credentials = { acpApi: sandbox.credential(), ...engineOptions?.credentials };
	});
	afterAll(async () => {
		await Promise.all([engine?.stop(), sandbox?.stop()]);
	});
	return {
		get sandbox() {
			return sandbox;
		},
		get engine() {
			return engine;
		},
	};
}
