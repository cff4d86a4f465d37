import { min } from 'lodash';
import { mapInParallel } from '../inParallel';
import { Cancelled } from '../http/clock';
import { RequestError, unexpected } from '../errors/requestError';
import { isOpen } from '../journal/journal';
import { mostLiveOf } from '../operation/places';
import { defaultConcurrency, mostConcurrency } from '../operation/runOptions';
import type { PreparedRequest, Result, Delivering, Execution } from '../operation/operation';

/** Uploads in parallel if the user chose nothing: each holds its file in memory. */
const uploadConcurrency = 2;
/** Lists read in parallel: each already reads several pages in parallel. */
const listConcurrency = 4;

export const isDone = <Done>(result: Result<Done>): result is { done: Done } =>
	result !== undefined && 'done' in result;

export const errorOf = (result: Result<unknown>): RequestError | undefined =>
	result && 'requestError' in result ? result.requestError : undefined;

export function deliveringOf(execution: Execution, requests: PreparedRequest[]): Delivering {
	const { client, journal } = execution;
	const halting = new AbortController();
	return {
		...execution,
		requests,
		signal: AbortSignal.any([halting.signal, ...(client.signal ? [client.signal] : [])]),
		halting,
		deliveries: new Map(),
		mayBeDone: new Set(requests.flatMap((one) => (isOpen(journal.recordOf(one)) ? one.item : []))),
	};
}

function widthOf({ operation, options, requests }: Delivering): number {
	if (requests.some((prepared) => prepared.operation.pages)) return listConcurrency;
	// Each adds to what the first one makes.
	if (requests.some(({ batchOf }) => batchOf)) return 1;
	const mostLive = mostLiveOf(operation);
	const uploads = requests.some(({ files }) => files.length > 0);
	const usual = mostLive ?? (uploads ? uploadConcurrency : defaultConcurrency);
	const wanted = min(requests.flatMap(({ item }) => options(item).concurrency ?? [])) ?? usual;
	return Math.max(1, Math.min(wanted, mostLive ?? mostConcurrency));
}

/** If the node stops on error, the first ends what has not left. @returns also what ended the run besides request errors */
export async function workOnAll<Done>(
	execution: Delivering,
	work: (prepared: PreparedRequest) => Promise<Done>,
): Promise<{ results: Array<Result<Done>>; ended?: unknown }> {
	const { client, operation, halting, hints, mayBeDone, requests } = execution;
	const results: Array<Result<Done>> = Array.from({ length: requests.length });
	const mostLive = mostLiveOf(operation) ?? Infinity;
	const [one = 'request', several = 'requests'] = operation.reaches?.words ?? [];
	if (requests.length > mostLive)
		hints.add(
			`A workspace can have at most ${mostLive} live ${several}, so no more ran in parallel; each further ${one} started when another ended.`,
		);

	const fail = (at: number, requestError: RequestError): void => {
		results[at] = { requestError };
		if (requestError.outcome !== 'nothing') mayBeDone.add((requests[at] as PreparedRequest).item);
	};
	let ended: unknown;
	const width = Math.min(widthOf(execution), requests.length);
	await mapInParallel([...requests.entries()], width, async ([at, prepared]) => {
		if (halting.signal.aborted) return;
		try {
			results[at] = { done: await work(prepared) };
		} catch (thrown) {
			if (thrown instanceof RequestError) {
				fail(at, thrown);
				if (execution.stops && thrown.recent) halting.abort();
				return;
			}
			const isStopped = client.signal?.aborted === true;
			if (thrown instanceof Cancelled) {
				if (thrown.outcome !== 'nothing') fail(at, new RequestError('dropped', thrown.outcome));
				// Another item's error ended this one before it was sent.
				if (!isStopped) return;
			} else if (!execution.stops && !isStopped) return fail(at, unexpected(thrown));
			ended ??= thrown;
			halting.abort();
		}
	});
	return { results, ended };
}
