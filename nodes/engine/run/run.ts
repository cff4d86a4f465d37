import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { partition } from 'lodash';
import { deliver } from '../deliver/deliver';
import { deliveringOf, workOnAll } from '../deliver/pool';
import { openExecution } from './openExecution';
import type { Resource } from '../operation/resource';
import { joined } from '../output/joinBatches';
import { collect } from '../output/collect';
import { continued, invalidItems, raiseFailures } from '../output/failures';
import { addHints } from '../output/addHints';
import { item, outputItems } from '../output/items';
import { tellLongRun } from '../output/longRun';
import { tellNumbers } from '../output/numbers';
import { previewOf } from '../output/preview';
import {
	againText,
	launchText,
	reached,
	overviewItem,
	overviewOf,
	overviewText,
} from '../output/overview';
import { inBatches } from '../prepare/inBatches';
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
		const { ready, leftOut, problems, sentBefore } = sorted;
		if (problems.length && stops)
			throw invalidItems(execution, problems, inputs.length, sentBefore);
		for (const { report } of ready) for (const sentence of report.sentences) hints.add(sentence);
		tellNumbers(execution, ready);

		const [previewed, wanted] = partition(
			ready.flatMap((prepared) => inBatches(execution, prepared)),
			({ item: index, batchOf, operation: { method, sweep } }) =>
				method !== 'GET' && !sweep && options(batchOf?.item ?? index).preview === true,
		);
		tellLongRun(execution, ready.length);
		const shown = previewed.map((prepared) => ({ done: [previewOf(client, prepared)] }));
		const delivering = deliveringOf(execution, wanted);
		const { results, ended } = await workOnAll(delivering, async (prepared) =>
			outputItems(delivering, prepared, await deliver(delivering, prepared)),
		);
		raiseFailures(delivering, wanted, results, ended);

		const requests = [...previewed, ...wanted];
		const output = collect(
			delivering,
			inputs,
			requests,
			[...shown, ...joined(delivering, results)],
			problems,
			leftOut,
		);
		if (operation.reaches) {
			const previews = inputs.some((_, index) => options(index).preview === true);
			const overview = overviewOf(operation, inputs.length, sorted);
			const launched = previews ? await launchText(execution, ready, overview) : undefined;
			const text = [
				launched,
				overviewText(operation, overview, previews ? undefined : reached(delivering, results)),
			]
				.filter(Boolean)
				.join(' ');
			if (inputs.length > 1 || leftOut.length > 0) hints.add(text);
			// Where somebody executes a step by hand; others do not read hints.
			const again = context.getMode() === 'manual' && againText(operation, wanted, results);
			if (again) hints.add(again);
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
