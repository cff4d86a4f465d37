import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { tableImport } from './import';
import { record } from './record';
import { table } from './table';

const node = actionNode('acpTables', [table, record, tableImport], {
	searchHint: 'Reads and writes rows of the tables that agents look up during conversations.',
	relatedNodes: {
		acpKnowledge: 'Adds notes and guidelines to an agent',
	},
});

export class AcpTables implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Tables (ACP)',
		name: 'acpTables',
		icon: { light: 'file:../../icons/acpTables.svg', dark: 'file:../../icons/acpTables.dark.svg' },
		subtitle: node.subtitle,
		description: 'Create, fill and update the tables that agents use as knowledge',
		defaults: { name: 'Tables' },
		parameterPane: 'wide',
		usableAsTool: true,
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
