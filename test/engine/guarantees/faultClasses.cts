/** The classes of faults that the fault suites strike with. */
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
	'time-out': half({ kind: 'timeout' }),
	'HTML from a proxy': half({ kind: 'html', status: 502 }),
	'truncated JSON': [{ kind: 'truncated' }, { kind: 'truncated', close: true }],
};
