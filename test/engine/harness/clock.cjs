/**
 * Preloaded into an engine process or a sandbox by the harness: its clock.
 *
 * CLOCK_BEGIN  what time it is when the machine's clock shows CLOCK_AT (both in milliseconds)
 * CLOCK_SPEED  how many seconds pass while one passes outside
 *
 * `setClock({begin, at, speed})` sets them anew: a process that goes on with another test file takes over its time.
 *
 * Dates and monotonic time follow it. So do the sandbox's timers (CLOCK_TIMERS) and n8n's `sleep` (runner/n8n.mts), the
 * only way in which nodes wait. Time-outs of requests do not: what is short to wait for must not be strict on a busy
 * machine.
 */
'use strict';

let speed = Number(process.env.CLOCK_SPEED);
let begin = Number(process.env.CLOCK_BEGIN);
let at = Number(process.env.CLOCK_AT);
const realNow = Date.now;
const now = () => Math.round(begin + (realNow() - at) * speed);

globalThis.Date = new Proxy(Date, {
	construct: (target, given, newTarget) =>
		Reflect.construct(target, given.length ? given : [now()], newTarget),
	apply: () => new Date().toString(),
	get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

// Monotonic time runs on from where it is when the speed changes.
const monotonic = performance.now.bind(performance);
let passed = 0;
let since = 0;
performance.now = () => passed + (monotonic() - since) * speed;

globalThis.setClock = (clock) => {
	[passed, since] = [performance.now(), monotonic()];
	({ begin, at, speed } = clock);
};
globalThis.clockSpeed = () => speed;
/** So much passes at once, for those alone who ask how long something takes: the date stays. */
globalThis.passTime = (milliseconds) => {
	passed += milliseconds;
};

if (process.env.CLOCK_TIMERS) {
	const real = setTimeout;
	globalThis.setTimeout = (callback, milliseconds, ...more) =>
		real(callback, Number(milliseconds ?? 0) / speed, ...more);
}
