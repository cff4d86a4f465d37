/**
 * The classes of faults that the fault suites strike with. Where an answer never comes to its end, 60 seconds are too
 * long for a test: `timeoutOf`.
 */
import type { FaultRule } from '../harness/index.cts';

export type Fault = FaultRule['fault'];

const half = (fault: Fault): Fault[] => [fault, { ...fault, afterAcceptance: true }];

export const faultClasses: Record<string, Fault[]> = {
	429: [{ kind: 'status', status: 429, retryAfter: 1 }],
	500: half({ kind: 'status', status: 500 }),
	502: half({ kind: 'status', status: 502 }),
	503: half({ kind: 'status', status: 503 }),
	'reset before acceptance': [{ kind: 'reset-before' }],
	'reset after acceptance': [{ kind: 'reset-after' }],
	'time-out with Timeout 1': half({ kind: 'timeout' }),
	'HTML from a proxy': half({ kind: 'html', status: 502 }),
	'truncated JSON': [{ kind: 'truncated' }, { kind: 'truncated', close: true }],
	'an answer that drips on with Timeout 1': [{ kind: 'drip', everyMs: 400, endless: true }],
};

/** What the node is told about faults whose answer never comes to its end; nothing about others. */
export const timeoutOf = (faults: Fault[]): { timeout?: number } =>
	faults.some(({ kind }) => kind === 'timeout' || kind === 'drip') ? { timeout: 1 } : {};
