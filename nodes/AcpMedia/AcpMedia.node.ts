import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { media } from './media';

const node = actionNode('acpMedia', [media], {
	searchHint: 'Uploads, lists and downloads files of the workspace.',
});

export class AcpMedia implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Media Files (ACP)',
		name: 'acpMedia',
		icon: { light: 'file:../../icons/acpMedia.svg', dark: 'file:../../icons/acpMedia.dark.svg' },
		subtitle: node.subtitle,
		description: 'Upload, find and download files in the workspace',
		defaults: { name: 'Media Files' },
		usableAsTool: true,
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
