/**
 * Preloaded into an engine process (`NODE_OPTIONS`): its clock begins at the moment that ENGINE_CLOCK names and runs on
 * from there. Nothing else of the process is changed; monotonic time stays as it is.
 */
'use strict';

const begin = Date.parse(process.env.ENGINE_CLOCK);
const realNow = Date.now;
const started = realNow();
const now = () => begin + realNow() - started;

globalThis.Date = new Proxy(Date, {
	construct: (target, given, newTarget) =>
		Reflect.construct(target, given.length ? given : [now()], newTarget),
	apply: () => new Date().toString(),
	get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
