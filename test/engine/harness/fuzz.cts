/**
 * Requests of every kind, good and bad, that fast-check makes from a seed. What each of them must bring about is
 * decided by the test from its parts, not from the node. What fails is shrunk to the smallest request that still does.
 *
 *   FUZZ_COUNT=10000                  more requests
 *   FUZZ_SEED=1 FUZZ_PATH=12:0:3      the seed and the path that a failure names: that request again
 */
import axios, { type AxiosResponse } from 'axios';
import fc from 'fast-check';
import http from 'node:http';
import type { Result, Trigger } from './engine.cts';

/** A request, and the status that its sender must get. */
export interface Shot {
	query: string;
	body: Buffer | string;
	headers: Record<string, string | string[]>;
	status: number;
}

/** Requests that are under way at once. */
const perBatch = 25;

export const word = (letters: string[], maxLength: number, minLength = 0) =>
	fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength });

/** A value as often as it says; else undefined. */
export const sometimes = <T,>(arbitrary: fc.Arbitrary<T>, weight: number, none: number) =>
	fc.oneof({ weight: none, arbitrary: fc.constant(undefined) }, { weight, arbitrary });

/**
 * JSON objects. In their keys nothing that JSON escapes: Node 24's JSON.parse mixes up such keys of similar objects,
 * before and after the node (`JSON.parse('[{"n":1,"\\u0000":1},{"n":1,"\\\\":1}]')` has the last key twice).
 */
export function objectsOf(key: fc.Arbitrary<string>, leaf: fc.Arbitrary<unknown>, maxKeys: number) {
	const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
		value: fc.oneof(
			{ maxDepth: 5, depthSize: 'medium' },
			fc.oneof(fc.constant(null), fc.boolean(), leaf),
			fc.array(tie('value'), { maxLength: 3 }),
			tie('object'),
			tie('object'),
		),
		object: fc.dictionary(key, tie('value'), { maxKeys, noNullPrototype: true }),
	}));
	return object;
}

/** The runs of a test file: so many requests in all, each run with a seed of its own. */
export function runsOf(seed: number, perTest: number) {
	const { FUZZ_COUNT = 500, FUZZ_SEED = seed } = process.env;
	return Array.from({ length: Math.ceil(Number(FUZZ_COUNT) / perTest) }, (_, index) => ({
		seed: Number(FUZZ_SEED) + index,
		requests: perTest,
	}));
}

/**
 * Sends what is made of parts, in batches.
 * @param statuses all that must be among the answers
 * @param least share of the requests that must be looked at
 * @param judge looks at what the requests of a batch have brought about, and says how many it looked at
 */
export async function fuzz<Parts, Made extends Shot>(
	{
		seed,
		requests,
		statuses,
		least,
	}: ReturnType<typeof runsOf>[0] & { statuses: number[]; least: number },
	parts: fc.Arbitrary<Parts>,
	trigger: Trigger,
	shotOf: (given: Parts) => Made,
	judge: (shots: Made[], executions: Result[], answers: AxiosResponse[]) => number,
): Promise<void> {
	const path = process.env.FUZZ_PATH;
	const client = axios.create({
		httpAgent: new http.Agent({ keepAlive: true, maxSockets: 8 }),
		proxy: false,
		validateStatus: () => true,
		transformRequest: (data) => data as never,
		maxBodyLength: Infinity,
	});
	const send = async ({ query, body, headers }: Shot) =>
		await client.post(trigger.url + query, body, { headers: headers as never });
	const seen = new Set<number>();
	let sent = 0;
	let judged = 0;
	const property = fc.asyncProperty(
		// Always so many; in what failed, all that are not needed for it become null.
		fc.array(fc.option(parts, { freq: 1e9 }), { minLength: perBatch, maxLength: perBatch }),
		async (batch) => {
			const shots = batch.flatMap((one) => (one === null ? [] : [shotOf(one)]));
			const before = (await trigger.calls()).length;
			const answers = await Promise.all(shots.map(send));
			expect(answers.map(({ status }) => status)).toEqual(shots.map(({ status }) => status));
			for (const { status } of answers) seen.add(status);
			sent += answers.length;
			const executions = await trigger.executions(before);
			expect(executions.filter(({ status }) => status !== 'success')).toEqual([]);
			judged += judge(shots, executions, answers);
		},
	);
	const numRuns = Math.ceil(requests / perBatch);
	await fc.assert(property, { seed, numRuns, ...(path ? { path } : {}) });
	if (path) return;
	// Every kind was there.
	expect(sent).toBe(requests);
	expect(judged).toBeGreaterThan(requests * least);
	expect([...seen].sort()).toEqual(statuses);
}
