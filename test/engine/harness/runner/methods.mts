/** Dynamic parameters (n8n: dynamic-node-parameters.service.js) and the credential test (credentials-tester.service.js). */
import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeListSearchResult,
	INodePropertyOptions,
	INodeType,
	NodeApiError,
	ResourceMapperFields,
} from 'n8n-workflow';
import type { MethodCall } from '../types.cts';
import {
	additionalDataOf,
	credentialType,
	CredentialsHelper,
	fullTypeName,
	latestVersion,
	nodeTypes,
} from './host.mts';
import { core, lodashGet, n8n } from './n8n.mts';

type MethodKind = 'listSearch' | 'loadOptions' | 'resourceMapping';

/** Calls one of a node's methods in a LoadOptionsContext, as an opened dropdown does. */
async function callMethod(
	kind: MethodKind,
	call: MethodCall,
	...more: unknown[]
): Promise<unknown> {
	const type = fullTypeName(call.nodeType);
	const typeVersion = latestVersion(type);
	const nodeType = nodeTypes.getByNameAndVersion(type, typeVersion);
	const method = nodeType.methods?.[kind]?.[call.method] as
		((...parameters: unknown[]) => Promise<unknown>) | undefined;
	if (!method) {
		const known = Object.keys(nodeType.methods?.[kind] ?? {}).join(', ') || 'none';
		throw new Error(
			`Node type "${type}" has no ${kind} method named "${call.method}". It has: ${known}`,
		);
	}
	const credentials = await CredentialsHelper.of(call.credentials ?? {});
	const accepted = (nodeType.description.credentials ?? []).filter(({ name }) =>
		credentials.types.includes(name),
	);
	const node: INode = {
		parameters: call.parameters ?? {},
		id: 'uuid-1234',
		name: 'Temp-Node',
		type,
		typeVersion,
		position: [0, 0],
		credentials: Object.fromEntries(accepted.map(({ name }) => [name, { id: name, name }])),
	};
	const workflow = new n8n.Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = additionalDataOf(credentials, {
		currentNodeParameters: call.parameters ?? {},
	});
	const context = new core.LoadOptionsContext(
		workflow,
		workflow.nodes['Temp-Node']!,
		additionalData,
		call.path ?? '',
	);
	return await workflow.expression.withIsolate(async () => await method.call(context, ...more));
}

/** Results of a "From List" search: `{ results, paginationToken? }`. */
export async function listSearch(
	call: MethodCall & { filter?: string; paginationToken?: string },
): Promise<INodeListSearchResult> {
	const { filter, paginationToken } = call;
	return (await callMethod('listSearch', call, filter, paginationToken)) as INodeListSearchResult;
}

/** Options of a dropdown. */
export const loadOptions = async (call: MethodCall) =>
	(await callMethod('loadOptions', call)) as INodePropertyOptions[];

/** Fields of a resource mapper, without doubles. */
export async function resourceMapping(call: MethodCall): Promise<ResourceMapperFields> {
	const result = (await callMethod('resourceMapping', call)) as ResourceMapperFields;
	const ids = new Set<string>();
	return { ...result, fields: result.fields?.filter(({ id }) => !ids.has(id) && ids.add(id)) };
}

/** The test of a credential type as n8n runs it when a person saves the credential. */
export async function credentialTest({
	credentialType: type,
	data,
}: {
	credentialType: string;
	data: ICredentialDataDecryptedObject;
}): Promise<{ status: 'OK' | 'Error'; message: string }> {
	const { test } = credentialType(type);
	if (!test) return { status: 'Error', message: 'No testing function found for this credential.' };

	const credentials = await CredentialsHelper.of({ [type]: data });
	const filled = credentials.withDefaults(data, type);
	const decrypted = { id: type, name: type, type, data: filled };
	const { request } = test;
	const temp = { displayName: 'Temp', name: 'temp', type: 'string', default: '' } as const;
	const nodeType: INodeType = {
		description: {
			...nodeTypes.getByNameAndVersion('n8n-nodes-base.noOp').description,
			credentials: [{ name: type, required: true }],
			properties: [{ ...temp, routing: { request } }],
		},
	};
	const node: INode = {
		id: 'temp',
		parameters: {},
		name: 'Temp-Node',
		type: nodeType.description.name,
		typeVersion: 1,
		position: [0, 0],
		credentials: { [type]: { id: type, name: type } },
	};
	const testTypes = {
		...nodeTypes,
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
	};
	const about = { nodes: [node], connections: {}, active: false, nodeTypes: testTypes };
	const workflow = new n8n.Workflow(about);
	const context = new core.ExecuteContext(
		workflow,
		node,
		additionalDataOf(credentials, { currentNodeParameters: {} }),
		'internal',
		n8n.createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const routing = new core.RoutingNode(context, nodeType, decrypted);
	const failed = (message: string) => ({ status: 'Error' as const, message });
	let response;
	try {
		response = await workflow.expression.withIsolate(async () => await routing.runNode());
	} catch (thrown) {
		const { cause, message } = thrown as NodeApiError & { cause?: { code?: string } };
		return failed(cause?.code ?? message);
	}
	const [[first]] = response as [[{ json: object }]];
	const broken = test.rules?.find(
		({ type: kind, properties }) =>
			kind === 'responseSuccessBody' && lodashGet(first.json, properties.key) === properties.value,
	);
	if (broken) return failed(broken.properties.message);
	return { status: 'OK', message: 'Connection successful!' };
}
