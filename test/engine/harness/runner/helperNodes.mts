/** The few nodes around the node under test. Small on purpose, and honest: they do what they say for real. */
import type {
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import type { InputItem, ToolCall } from '../types.cts';
import { n8n } from './n8n.mts';

const description = (
	part: Partial<INodeTypeDescription> & { name: string },
): INodeTypeDescription => ({
	displayName: part.name,
	group: ['transform'],
	version: 1,
	description: '',
	defaults: { name: part.name },
	inputs: ['main'],
	outputs: ['main'],
	properties: [],
	...part,
});

/** The same as n8n's own: gives one empty item when a person starts the workflow. */
const manualTrigger: INodeType = {
	description: description({ name: 'manualTrigger', group: ['trigger'], inputs: [] }),
	async trigger() {
		return { manualTriggerFunction: async () => this.emit([[{ json: {} }]]) };
	},
};

/** The same as n8n's own: passes its input on. */
const noOp: INodeType = {
	description: description({ name: 'noOp' }),
	async execute() {
		return [this.getInputData()];
	},
};

/**
 * Gives the items in its parameter `items`, unread by the expression engine; binary data goes where the engine keeps it.
 */
const items: INodeType = {
	description: description({
		name: 'items',
		inputs: ['main'],
		properties: [{ displayName: 'Items', name: 'items', type: 'json', default: [] }],
	}),
	async execute() {
		const given = this.getNode().parameters.items as unknown as InputItem[];
		const output: INodeExecutionData[] = [];
		for (const item of given) {
			const made: INodeExecutionData = { json: item.json, pairedItem: { item: 0 } };
			for (const [name, file] of Object.entries(item.binary ?? {})) {
				made.binary ??= {};
				made.binary[name] = await this.helpers.prepareBinaryData(
					'bytes' in file ? Buffer.alloc(file.bytes) : Buffer.from(file.data as string, 'base64'),
					file.fileName,
					file.mimeType,
				);
			}
			output.push(made);
		}
		return [output];
	},
};

/** Loop over items in batches, as n8n's: first output when all is done, second output for each batch. */
const loop: INodeType = {
	description: description({
		name: 'loop',
		outputs: ['main', 'main'],
		properties: [{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 1 }],
	}),
	async execute() {
		const context = this.getContext('node') as {
			waiting?: INodeExecutionData[];
			processed?: INodeExecutionData[];
		};
		const input = this.getInputData();
		if (context.waiting === undefined) {
			context.waiting = [...input];
			context.processed = [];
		} else {
			context.processed!.push(...input);
		}
		const size = this.getNodeParameter('batchSize', 0) as number;
		const batch = context.waiting.splice(0, size);
		return batch.length === 0 ? [context.processed!, []] : [[], batch];
	},
};

/** Gives for each item its parameter `values`, as n8n resolves the expressions in it; what has no value is `null`. */
const values: INodeType = {
	description: description({
		name: 'values',
		properties: [{ displayName: 'Values', name: 'values', type: 'json', default: {} }],
	}),
	async execute() {
		const output = this.getInputData().map((_, item) => {
			const resolved = this.getNodeParameter('values', item) as IDataObject;
			const json = Object.fromEntries(
				Object.entries(resolved).map(([name, value]) => [name, value ?? null]),
			);
			return { json, pairedItem: { item } };
		});
		return [output];
	},
};

/**
 * After so many milliseconds, without a number once it is stopped, it ends in the way of its parameter `how`: it fails,
 * gives nothing, or passes its input on.
 */
const ends: INodeType = {
	description: description({
		name: 'ends',
		properties: [
			{ displayName: 'How', name: 'how', type: 'string', default: 'fail' },
			{ displayName: 'Milliseconds', name: 'ms', type: 'number', default: 0 },
		],
	}),
	async execute() {
		const { how, ms } = this.getNode().parameters as { how?: string; ms?: number };
		if (ms !== 0)
			await new Promise<void>((resolve) => {
				this.getExecutionCancelSignal()?.addEventListener('abort', () => resolve());
				if (ms !== undefined) setTimeout(resolve, ms);
			});
		if (how === 'fail') throw new n8n.NodeOperationError(this.getNode(), 'It fails');
		if (how === 'nothing') return [[]];
		return [this.getInputData()];
	},
};

/** A tool as LangChain shows it to an agent; only what is needed of it here. */
interface Tool {
	name: string;
	description: string;
	metadata?: { sourceNodeName?: string };
	schema: {
		shape?: Record<
			string,
			{ description?: string; isOptional(): boolean; _def: { typeName: string } }
		>;
	};
	invoke(args: IDataObject): Promise<unknown>;
}

/** The arguments of a tool, as far as a test wants to know them. */
const describeTool = (tool: Tool): IDataObject => ({
	name: tool.name,
	description: tool.description,
	nodeName: tool.metadata?.sourceNodeName ?? '',
	arguments: Object.fromEntries(
		Object.entries(tool.schema.shape ?? {}).map(([name, type]) => [
			name,
			{
				type: type._def.typeName.replace('Zod', '').toLowerCase(),
				description: type.description,
				required: !type.isOptional(),
			},
		]),
	),
});

/**
 * An agent without a model: makes the tool calls in its parameter `calls`, in one of the two ways that n8n's agents do.
 * `engine`: asks the engine to run the tool nodes (AI Agent from version 3 on), one after the other.
 * `invoke`: calls the tools itself, all at once (older agents, MCP server, nested tools).
 */
const agent: INodeType = {
	description: description({
		name: 'agent',
		inputs: ['main', 'ai_tool'],
		properties: [
			{ displayName: 'Calls', name: 'calls', type: 'json', default: [] },
			{ displayName: 'Via', name: 'via', type: 'string', default: 'engine' },
		],
	}),
	async execute(this: IExecuteFunctions, response?: EngineResponse) {
		const parameters = this.getNode().parameters as unknown as { calls: ToolCall[]; via: string };
		const connected = (await this.getInputConnectionData('ai_tool', 0)) as Tool[];
		const [tool] = connected as [Tool];
		const calls = parameters.calls.map((call, index) => ({ id: `call_${index}`, ...call }));

		let answers: IDataObject[];
		if (parameters.via === 'invoke') {
			answers = await Promise.all(
				calls.map(async (call) => {
					try {
						return { id: call.id, response: (await tool.invoke(call.args)) as IDataObject };
					} catch (error) {
						return { id: call.id, error: (error as Error).message };
					}
				}),
			);
		} else if (calls.length > 0 && (response?.actionResponses.length ?? 0) === 0) {
			return {
				actions: calls.map((call) => ({
					actionType: 'ExecutionNodeAction' as const,
					nodeName: tool.metadata!.sourceNodeName!,
					input: call.args,
					type: 'ai_tool' as const,
					id: call.id,
					metadata: { itemIndex: 0 },
				})),
				metadata: {},
			};
		} else {
			answers = (response?.actionResponses ?? []).map(({ action, data }) => {
				const output = data.data?.ai_tool?.[0]?.map(({ json }) => json);
				return {
					id: action.id,
					...(data.error ? { error: data.error.message } : {}),
					response: output,
				};
			});
		}
		return [[{ json: { tools: connected.map(describeTool), answers }, pairedItem: { item: 0 } }]];
	},
};

/** By full type name. Two stand under n8n's own names, because workflow files and n8n's credential test use these. */
export const helperNodes: Record<string, INodeType> = {
	'n8n-nodes-base.manualTrigger': manualTrigger,
	'n8n-nodes-base.noOp': noOp,
	'harness.items': items,
	'harness.ends': ends,
	'harness.loop': loop,
	'harness.values': values,
	'harness.agent': agent,
};
