import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { partition } from 'lodash';
import { deliver } from '../deliver/deliver';
import { workOnAll } from '../deliver/pool';
import type { Execution } from '../execution';
import { openExecution } from './openExecution';
import type { PreparedRequest } from '../operation/preparedRequest';
import type { Resource } from '../operation/resource';
import { joined } from '../output/joinBatches';
import { collect } from '../output/collect';
import { continued, invalidItems, raiseFailures, type Result } from '../output/failures';
import { addHints } from '../output/addHints';
import { item, outputItems } from '../output/items';
import { tellLongRun } from '../output/longRun';
import { tellNumbers } from '../output/numbers';
import { previewOf } from '../output/preview';
import { reached, overviewItem, overviewOf, overviewText } from '../output/overview';
import { inBatches } from '../prepare/inBatches';
import { type Sorted, standIns } from '../prepare/leftOut';
import { prepareAll } from '../prepare/prepareAll';

/**
 * Runs a node and obeys On Error, whatever goes wrong and wherever.
 * @param resources the node's resources; `resource` and `operation` choose among them
 * @throws NodeOperationError when items cannot be prepared, NodeApiError when a request did not succeed (On Error =
 * stop); with On Error = continue only when the execution was stopped
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

/**
 * Sends all requests, and then those of people who were left out for a request that the platform refused.
 * @param wanted grows by them
 */
async function sendAll(
	execution: Execution,
	wanted: PreparedRequest[],
	sorted: Sorted,
): ReturnType<typeof workOnAll<INodeExecutionData[]>> {
	const results: Result[] = [];
	for (let requests = wanted; ;) {
		const done = await workOnAll(execution, requests, async (prepared) =>
			outputItems(execution, prepared, await deliver(execution, prepared)),
		);
		results.push(...Array.from(requests, (_, at) => done.results[at]));
		const refused = requests.filter((_, at) => {
			const result = done.results[at];
			return result && 'requestError' in result && result.requestError.outcome === 'nothing';
		});
		requests = done.ended || execution.stops ? [] : standIns(sorted, new Set(refused));
		if (requests.length === 0) return { results, ended: done.ended };
		wanted.push(...requests);
	}
}

/** Prepares all items, then delivers their requests, then gives items out in input order. */
async function runItems(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const { execution, problems: wrongOptions } = await openExecution(context, resources);
	const { client, journal, operation, hints, options, stops, asTool } = execution;
	const node = context.getNode();
	const inputs = context.getInputData();
	try {
		const sorted = await prepareAll(execution, inputs.length, wrongOptions);
		const { ready, problems, sentBefore } = sorted;
		if (problems.length && stops)
			throw invalidItems(execution, problems, inputs.length, sentBefore);
		for (const { report } of ready) for (const sentence of report.sentences) hints.add(sentence);
		tellNumbers(execution, ready);

		const [previewed, wanted] = partition(
			ready.flatMap((prepared) => inBatches(execution, prepared)),
			({ item: index, batchOf, operation: { method } }) =>
				method !== 'GET' && options(batchOf?.item ?? index).preview === true,
		);
		tellLongRun(execution, ready.length);
		const shown = previewed.map((prepared) => ({ done: [previewOf(client, prepared)] }));
		const { results, ended } = await sendAll(execution, wanted, sorted);
		const { leftOut } = sorted;
		raiseFailures(execution, wanted, results, ended);

		const requests = [...previewed, ...wanted];
		const output = collect(
			execution,
			inputs,
			requests,
			[...shown, ...joined(wanted, results)],
			problems,
			leftOut,
		);
		if (operation.reaches) {
			const previews = inputs.some((_, index) => options(index).preview === true);
			const overview = overviewOf(operation, inputs.length, sorted);
			const text = overviewText(
				operation,
				overview,
				previews ? undefined : reached(wanted, results),
			);
			if (inputs.length > 1 || leftOut.length > 0) hints.add(text);
			if (previews) output.unshift(overviewItem(overview, text));
		}
		// An AI model would be given an empty text and could take it for a failure.
		if (asTool && output.length === 0) output.push(item({ found: 0 }, [0]));
		// n8n runs a node again whose first item tells of an error.
		const again = node.retryOnFail === true && output[0]?.json.error !== undefined;
		if (!again && previewed.length === 0) journal.finish();
		return [output];
	} finally {
		addHints(context, client, hints);
	}
}
