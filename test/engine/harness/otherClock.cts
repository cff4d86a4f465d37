import path from 'node:path';

/** The engine and the sandbox of a test file, restarted or not, agree on the time: fast clocks part from here. */
const parting = Date.now();

/**
 * What a process needs so that it lives by another clock (see clock.cjs); nothing for the machine's own.
 * @param begin ISO 8601: what time it is when the process starts; default the time outside
 * @param speed how many seconds pass inside while one passes outside
 */
export function otherClock({ begin, speed = 1 }: { begin?: string; speed?: number }): {
	execArgv: string[];
	env: Record<string, string>;
} {
	if (begin === undefined && speed === 1) return { execArgv: [], env: {} };
	return {
		execArgv: ['--require', path.join(__dirname, 'clock.cjs')],
		env: {
			CLOCK_SPEED: String(speed),
			CLOCK_BEGIN: String(begin === undefined ? parting : Date.parse(begin)),
			CLOCK_AT: String(begin === undefined ? parting : Date.now()),
		},
	};
}
