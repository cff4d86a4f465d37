/**
 * The engine test harness: runs workflows with n8n's own engine (n8n-core) against the sandbox, over real HTTP.
 *
 * n8n-core runs in a process of its own (runner/main.mts), not in Jest: its default expression engine is loaded with a
 * dynamic import, which Jest's module registry refuses; NODE_ENV=test changes how it loads nodes; and a process can be
 * killed, as n8n can. Started from a compile cache it is there in well under two seconds.
 */
export { Engine, Result, Trigger, until } from './engine.cts';
export type {
	EngineOptions,
	EngineRunOptions,
	NodeOptions,
	Running,
	StoredError,
} from './engine.cts';
export { Sandbox, startSandbox } from './sandbox.cts';
export type { Delivery, FaultRule, Identity, LedgerEntry, LedgerSummary } from './sandbox.cts';
export { usePlatform } from './usePlatform.cts';
export type * from './types.cts';
