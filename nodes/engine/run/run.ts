import {
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeConnectionTypes,
	NodeError,
	NodeOperationError,
} from 'n8n-workflow';
import { partition } from 'lodash';
import { deliver } from '../deliver/deliver';
import { deliveringOf, errorOf, workOnAll } from '../deliver/pool';
import { tellStopped } from './tellStopped';
import { Hints } from '../text/hints';
import type { Resource } from '../operation/resource';
import { collect, joined, alike, item, outputItems } from '../output/items';
import { continued, invalidItems, raiseFailures, type Result } from '../output/failures';
import { addHints, tellClocks, tellLongRun, tellNumbers } from '../output/hints';
import { tellOverview } from '../output/overview';
import { previewOf } from '../output/preview';
import { inBatches } from '../prepare/inBatches';
import { type Sorted, standIns } from '../prepare/leftOut';
import { prepareAll } from '../prepare/prepareAll';
import { learnZones, zonesOf } from '../prepare/zones';
import { Client } from '../http/client';
import { InvalidBaseUrl } from '../http/workspace';
import { RunJournal } from '../journal/journal';
import { ReachMemory } from '../journal/reachMemory';
import type { Operation, PreparedRequest, Execution } from '../operation/operation';
import { isSingleWrite } from '../operation/places';
import { withConfirmedKeys } from '../operation/recovery';
import { readAllOptions, parametersOf } from '../prepare/parameters';
import { rethrow } from '../errors/requestError';
import { withOtherEndpoint } from '../apiRequest/apiRequest';
import { builderHint, type ForBuilders } from '../describe/builderHint';
import { hasSkipped, outputsOf, hintsBeforeRuns, subtitleOf } from '../describe/node';
import { describe } from '../describe/describe';
import { methods } from '../lookups';

function chosenOperation(context: IExecuteFunctions, resources: Resource[]): Operation {
	const node = context.getNode();
	const chosen = context.getNodeParameter('resource', 0) as string;
	const name = context.getNodeParameter('operation', 0) as string;
	const { operations = {} } = resources.find(({ value }) => value === chosen) ?? {};
	const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
	if (!operation)
		throw new NodeOperationError(node, `The operation "${name}" does not exist for "${chosen}"`, {
			description: 'Choose a resource and an operation from the lists.',
		});
	if (isTool(context) && operation.tool === false) {
		throw new NodeOperationError(node, `"${operation.action}" is not available to AI agents`, {
			description: 'It costs money or runs commands. Use it in a workflow instead.',
		});
	}
	return operation;
}

const isTool = (context: IExecuteFunctions): boolean => context.getNode().type.endsWith('Tool');

async function openClient(context: IExecuteFunctions): Promise<Client> {
	try {
		return await Client.open(context);
	} catch (thrown) {
		if (!(thrown instanceof InvalidBaseUrl)) rethrow(thrown);
		throw new NodeOperationError(context.getNode(), thrown.message, {
			description: 'Open the credential and correct it.',
		});
	}
}

/** @returns also the items whose options cannot be used */
async function openExecution(context: IExecuteFunctions, resources: Resource[]) {
	const chosen = chosenOperation(context, resources);
	const client = await openClient(context);
	const operation = withConfirmedKeys(chosen, client.workspace.confirmedKeys);
	const count = context.getInputData().length;
	const asTool = isTool(context);
	const parameter = parametersOf(context, asTool);
	const { options, problems } = readAllOptions(context, operation, parameter, count);
	const { zones, problems: wrongZones } = zonesOf(client, count, options);
	const hints = new Hints();
	const execution: Execution = {
		context,
		client,
		journal: new RunJournal(context, asTool),
		reach: new ReachMemory(context, (sentence) => hints.add(sentence, 'warning')),
		operation,
		asTool,
		stops: !context.continueOnFail(),
		hints,
		added: new Set(),
		numbers: new Map(),
		lists: new Map(),
		names: new Map(),
		contacts: new Map(),
		parameter,
		written: context.getNode().parameters,
		options,
		zones,
	};
	return { execution, problems: [...problems, ...wrongZones] };
}

/** Obeys On Error, whatever goes wrong. @throws NodeOperationError, NodeApiError; with continue only when it was stopped */
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
async function sendAll(execution: Execution, first: PreparedRequest[], sorted: Sorted) {
	const results: Result[] = [];
	const requests: PreparedRequest[] = [];
	const delivering = deliveringOf(execution, first);
	let round = delivering;
	const tell = () => tellStopped(delivering, [...requests, ...round.requests]);
	const stop = execution.context.getExecutionCancelSignal();
	stop?.addEventListener('abort', tell, { once: true });
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
		stop?.removeEventListener('abort', tell);
	}
}

/** What is thrown before the first request leaves says so, to whoever asks what may be sent again. */
function beforeSending(thrown: unknown): never {
	if (thrown instanceof NodeError) thrown.context.outcome = 'nothing';
	return rethrow(thrown);
}

async function runItems(context: IExecuteFunctions, resources: Resource[]) {
	const { execution, problems: wrongOptions } = await openExecution(context, resources).catch(
		beforeSending,
	);
	const { client, journal, operation, hints, options, stops, asTool } = execution;
	const count = context.getInputData().length;
	let hasLeft = false;
	try {
		const sorted = await prepareAll(execution, count, wrongOptions);
		const { ready } = sorted;
		if (sorted.problems.length && stops) throw invalidItems(execution, sorted, count);
		for (const { report } of ready) for (const sentence of report.sentences) hints.add(sentence);
		tellNumbers(execution, ready);
		const [previewed, toSend] = partition(
			operation.allItems ? ready.flatMap((whole) => inBatches(execution, whole)) : ready,
			(one) => isSingleWrite(one) && options(one.batchOf?.item ?? one.item).preview === true,
		);
		tellLongRun(execution, ready.length);
		await learnZones(execution, previewed);
		const shown = previewed.map((prepared) => ({ done: [previewOf(execution, prepared)] }));
		hasLeft = true;
		const { delivering, results, ended } = await sendAll(execution, toSend, sorted);
		tellClocks(execution, ready);
		if (ended !== undefined || results.some(errorOf)) raiseFailures(delivering, results, ended);
		const { kept: output, skipped } = collect(
			delivering,
			[...previewed, ...delivering.requests],
			[...shown, ...joined(delivering, results)],
			sorted,
		);
		if (operation.reaches) output.unshift(...(await tellOverview(delivering, sorted, results)));
		alike(execution.added, output);
		// An AI model would see an empty text and could take it for a failure.
		if (asTool && output.length === 0) output.push(item({ found: 0 }, [0]));
		// n8n runs a node again whose first item tells of an error.
		const again = context.getNode().retryOnFail === true && output[0]?.json.error !== undefined;
		if (!again && previewed.length === 0) journal.finish();
		if (skipped.length > 0 && output.length === 0)
			hints.add(
				"In a loop, connect 'Skipped' back to the loop, too. Otherwise the loop ends here.",
			);
		return hasSkipped(operation) && !asTool ? [output, skipped] : [output];
	} catch (thrown) {
		return hasLeft ? rethrow(thrown) : beforeSending(thrown);
	} finally {
		await execution.reach.end();
		addHints(context, client, hints);
	}
}

/** What every node that acts is made of beside its own words. */
export function actionNode(name: string, own: Resource[], forBuilders: ForBuilders) {
	const resources = withOtherEndpoint(own);
	const properties = describe(resources);
	const hints = hintsBeforeRuns(resources);
	return {
		/** Not among the parts: n8n's linter looks for it in each description. */
		subtitle: subtitleOf(resources),
		parts: {
			group: ['transform' as const],
			version: 1,
			credentials: [{ name: 'acpApi', required: true }],
			inputs: [NodeConnectionTypes.Main],
			outputs: outputsOf(resources),
			...(hints.length > 0 && { hints }),
			builderHint: builderHint(name, resources, properties, forBuilders),
			properties,
		},
		methods,
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			return await run(this, resources);
		},
	};
}
