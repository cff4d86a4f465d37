/**
 * n8n's packages, as n8n itself loads them: CommonJS. (An ESM import of n8n-workflow would load its second build,
 * whose classes n8n-core does not know.) `@n8n/di` and `@n8n/backend-network` are the very copies that n8n-core uses.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import type { Logger } from 'n8n-workflow';

const require = createRequire(import.meta.url);
const requireLikeCore = createRequire(require.resolve('n8n-core'));

export const core = require('n8n-core') as typeof import('n8n-core');
export const n8n = require('n8n-workflow') as typeof import('n8n-workflow');
export const express = require('express') as typeof import('express');
export const lodashGet = require('lodash/get') as (object: unknown, path: string) => unknown;

export const { Container } = requireLikeCore('@n8n/di') as {
	Container: { get<T>(type: abstract new (...parameters: never[]) => T): T };
};
export const { parseIncomingMessage } = requireLikeCore('@n8n/backend-network') as {
	/** Sets `contentType`, `encoding` and `contentDisposition` on a request. */
	parseIncomingMessage(message: unknown): void;
};

/** What n8n logs at level debug takes a twentieth of the time of all engine tests, and few of them read it. */
const { Logger } = requireLikeCore('@n8n/backend-common') as { Logger: abstract new () => Logger };
export const setDebugLog = (on: boolean): void => {
	const logger = Container.get(Logger);
	n8n.LoggerProxy.init(on ? logger : Object.create(logger, { debug: { value: () => {} } }));
};

/** A fast clock (see ../clock.cjs) makes n8n's `sleep` shorter, for nodes and for Retry On Fail. */
type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;
const { clockSpeed } = globalThis as unknown as { clockSpeed(): number };
const sleeping = requireLikeCore('@n8n/utils/sleep') as { sleep: Sleep };
const { sleep } = sleeping;
/** What waits for a minute or more, as nodes do between two looks: its own way to wait, if it says so. */
export const resting = new AsyncLocalStorage<(milliseconds: number) => Promise<void> | undefined>();
sleeping.sleep = async (milliseconds, signal) =>
	await (resting.getStore()?.(milliseconds) ?? sleep(milliseconds / clockSpeed(), signal));
if (n8n.sleep !== sleeping.sleep)
	throw new Error('n8n-core and n8n-workflow do not share one sleep');

/**
 * n8n ends a regular expression after 250 ms of the machine's time. On a busy machine that also ends the plainest one
 * (a process that got no turn for so long), and with it a test of something else.
 */
const globally = (flags = '') => (flags.includes('g') ? flags : `${flags}g`);
n8n.setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, text) => input.replace(new RegExp(pattern, flags), text),
	matchAll: (pattern, input, flags) => [...input.matchAll(new RegExp(pattern, globally(flags)))],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});
