import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { tableImport } from './import';
import { record } from './record';
import { table } from './table';
import { builderHint } from '../engine/describe/builderHint';
import { describe } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [table, record, tableImport];
const properties = describe(resources);
const forBuilders = {
	searchHint: 'Reads and writes rows of the tables that agents look up during conversations.',
	relatedNodes: {
		acpAgents: 'Adds notes and guidelines to an agent',
	},
};

export class AcpTables implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Tables',
		name: 'acpTables',
		icon: { light: 'file:../../icons/acpTables.svg', dark: 'file:../../icons/acpTables.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Create, fill and update the tables that agents use as knowledge',
		defaults: { name: 'ACP Tables' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		usableAsTool: true,
		builderHint: builderHint('acpTables', resources, properties, forBuilders),
		properties,
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
