import path from 'node:path';

/** The engine and the sandbox of a test file, restarted or not, agree on the time: fast clocks part from here. */
const parting = Date.now();

/** What time it is at a moment of the machine's clock (`at`), both in milliseconds, and how fast time passes. */
export interface Clock {
	begin: number;
	at: number;
	speed: number;
}

/**
 * @param begin ISO 8601: what time it is now; default the time outside
 * @param speed how many seconds pass inside while one passes outside
 */
export const clockOf = ({ begin, speed = 1 }: { begin?: string; speed?: number }): Clock => ({
	begin: begin === undefined ? parting : Date.parse(begin),
	at: begin === undefined ? parting : Date.now(),
	speed,
});

/** What a process needs so that it lives by a clock (see clock.cjs). */
export const processWith = ({ begin, at, speed }: Clock) => ({
	execArgv: ['--require', path.join(__dirname, 'clock.cjs')],
	env: { CLOCK_SPEED: String(speed), CLOCK_BEGIN: String(begin), CLOCK_AT: String(at) },
});
