import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import type { Execution } from '../execution';
import type { Problem } from '../fields/field';
import { Client } from '../http/client';
import { InvalidBaseUrl } from '../http/workspace';
import { RunJournal } from '../journal/journal';
import type { Operation } from '../operation/operation';
import { withConfirmedKeys } from '../operation/recovery';
import type { Resource } from '../operation/resource';
import { readAllOptions } from '../prepare/readOptions';
import { parametersOf } from '../prepare/parameters';
import { zonesOf } from '../prepare/zones';
import { rethrow } from '../errors/requestError';

/** The operation that the parameters choose. @throws NodeOperationError if there is none, or none for AI agents */
function chosenOperation(context: IExecuteFunctions, resources: Resource[]): Operation {
	const node = context.getNode();
	const chosen = context.getNodeParameter('resource', 0) as string;
	const name = context.getNodeParameter('operation', 0) as string;
	const operation = resources.find(({ value }) => value === chosen)?.operations[name];
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
export async function openExecution(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<{ execution: Execution; problems: Problem[] }> {
	const chosen = chosenOperation(context, resources);
	const client = await openClient(context);
	const operation = withConfirmedKeys(chosen, client.workspace.confirmedKeys);
	const count = context.getInputData().length;
	const asTool = isTool(context);
	const parameter = parametersOf(context, asTool);
	const { options, problems } = readAllOptions(context, operation, parameter, count);
	const { zones, problems: wrongZones } = zonesOf(client, count, options);
	const execution: Execution = {
		context,
		client,
		journal: new RunJournal(context, asTool),
		operation,
		asTool,
		stops: !context.continueOnFail(),
		hints: new Set(),
		added: new Set(),
		numbers: new Map(),
		lists: new Map(),
		names: new Map(),
		parameter,
		written: context.getNode().parameters,
		options,
		zones,
	};
	return { execution, problems: [...problems, ...wrongZones] };
}
