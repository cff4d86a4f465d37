import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { partition } from 'lodash';
import { deliver } from '../deliver/deliver';
import { deliveringOf, errorOf, workOnAll } from '../deliver/pool';
import type { Delivering, Execution } from '../execution';
import { openExecution } from './openExecution';
import { tellStopped } from './tellStopped';
import type { PreparedRequest } from '../operation/preparedRequest';
import type { Resource } from '../operation/resource';
import { collect, joined } from '../output/collect';
import { continued, invalidItems, raiseFailures, type Result } from '../output/failures';
import { addHints, tellClocks, tellLongRun, tellNumbers } from '../output/hints';
import { alike, item, outputItems } from '../output/items';
import { tellOverview } from '../output/overview';
import { previewOf } from '../output/preview';
import { inBatches } from '../prepare/inBatches';
import { type Sorted, standIns } from '../prepare/leftOut';
import { prepareAll } from '../prepare/prepareAll';
import { learnZones } from '../prepare/zones';

/**
 * Runs a node and obeys On Error, whatever goes wrong and wherever.
 * @throws NodeOperationError when items cannot be prepared, NodeApiError when a request did not succeed; with On Error =
 * continue only when the execution was stopped
 */
export async function run(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	try {
		return await runItems(context, resources);
	} catch (thrown) {
		return [continued(context, thrown)];
	}
}

/** Sends all requests, and then those of people who were left out for a request that the platform refused. */
async function sendAll(
	execution: Execution,
	first: PreparedRequest[],
	sorted: Sorted,
): Promise<{ delivering: Delivering; results: Result[]; ended?: unknown }> {
	const results: Result[] = [];
	const requests: PreparedRequest[] = [];
	const delivering = deliveringOf(execution, first);
	let round = delivering;
	const endTelling = tellStopped(delivering, () => [...requests, ...round.requests]);
	try {
		for (;;) {
			const { results: found, ended } = await workOnAll(round, async (prepared) =>
				outputItems(round, prepared, await deliver(round, prepared)),
			);
			const { requests: sent } = round;
			results.push(...found);
			const refused = sent.filter((_, at) => errorOf(found[at])?.outcome === 'nothing');
			const next = ended || execution.stops ? [] : standIns(sorted, new Set(refused));
			requests.push(...sent);
			round = { ...round, requests: next };
			if (next.length === 0) return { delivering: { ...delivering, requests }, results, ended };
		}
	} finally {
		endTelling();
	}
}

async function runItems(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const { execution, problems: wrongOptions } = await openExecution(context, resources);
	const { client, journal, operation, hints, options, stops, asTool } = execution;
	const count = context.getInputData().length;
	try {
		const sorted = await prepareAll(execution, count, wrongOptions);
		const { ready } = sorted;
		if (sorted.problems.length && stops) throw invalidItems(execution, sorted, count);
		for (const { report } of ready) for (const sentence of report.sentences) hints.add(sentence);
		tellNumbers(execution, ready);
		const [previewed, toSend] = partition(
			operation.allItems ? ready.flatMap((whole) => inBatches(execution, whole)) : ready,
			({ item: index, batchOf, operation: { method, run: programme } }) =>
				method !== 'GET' && !programme && options(batchOf?.item ?? index).preview === true,
		);
		tellLongRun(execution, ready.length);
		await learnZones(execution, previewed);
		const shown = previewed.map((prepared) => ({ done: [previewOf(execution, prepared)] }));
		const { delivering, results, ended } = await sendAll(execution, toSend, sorted);
		tellClocks(execution, ready);
		if (ended !== undefined || results.some(errorOf)) raiseFailures(delivering, results, ended);
		const output = collect(
			delivering,
			[...previewed, ...delivering.requests],
			[...shown, ...joined(delivering, results)],
			sorted,
		);
		if (operation.reaches) output.unshift(...(await tellOverview(delivering, sorted, results)));
		alike(execution, output);
		// An AI model would see an empty text and could take it for a failure.
		if (asTool && output.length === 0) output.push(item({ found: 0 }, [0]));
		// n8n runs a node again whose first item tells of an error.
		const again = context.getNode().retryOnFail === true && output[0]?.json.error !== undefined;
		if (!again && previewed.length === 0) journal.finish();
		return [output];
	} finally {
		addHints(context, client, hints);
	}
}
