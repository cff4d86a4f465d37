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
import { describe, subtitle } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [table, record, tableImport];

export class AcpTables implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Tables',
		name: 'acpTables',
		icon: { light: 'file:../../icons/acpTables.svg', dark: 'file:../../icons/acpTables.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Create, fill and update the tables that agents use as knowledge',
		defaults: { name: 'ACP Tables' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		usableAsTool: true,
		properties: describe(resources),
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
