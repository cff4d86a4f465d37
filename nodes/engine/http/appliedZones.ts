import { type Zone, zoneOf } from '../time';
import { clock } from './clock';

/** How long a response counts: workspaces and members can change their zone. */
const lastingMs = 5 * 60_000;

/** What the platform says about the zone that it applies; no zone if a response named none. */
interface Learned {
	zone: Zone | undefined;
	until: number;
}

const known = new Map<string, Learned>();

/**
 * @param caller whose zone it is: workspace and token
 * @param asked no zone, or a Windows name, which the platform maps
 * @returns what a response said lately; undefined if there was none
 */
export function learnedZone(caller: string, asked: Zone): Learned | undefined {
	const learned = known.get(JSON.stringify([caller, asked.name]));
	return learned && clock.now() < learned.until ? learned : undefined;
}

/** Keeps what a response says in `X-Timezone` (interface §2.1 rules 5 and 6), or that it says nothing. */
export function learnZone(caller: string, asked: Zone, applied: unknown): void {
	const zone = zoneOf(applied);
	known.set(JSON.stringify([caller, asked.name]), {
		zone: zone?.type === 'iana' ? zone : undefined,
		until: clock.now() + lastingMs,
	});
}
