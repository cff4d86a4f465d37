import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { appointment } from './appointment';
import { appointmentRequest } from './appointmentRequest';
import { schedule } from './schedule';

const node = actionNode('acpScheduling', [appointment, appointmentRequest, schedule], {
	searchHint:
		'Reads and changes appointments, requests and schedules. No operation approves or rejects a request: people do so on ' +
		'the platform, and "appointmentRequest.getAll" shows the status. ' +
		'No endpoint for free slots is known: check the calendar itself.',
	relatedNodes: {
		acpIntentTrigger: 'Books while the customer is on the phone',
	},
});

export class AcpScheduling implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Appointments (ACP)',
		name: 'acpScheduling',
		icon: {
			light: 'file:../../icons/acpScheduling.svg',
			dark: 'file:../../icons/acpScheduling.dark.svg',
		},
		subtitle: node.subtitle,
		description:
			'Book appointments, propose them for approval, and manage the schedules they are booked in',
		defaults: { name: 'Appointments' },
		usableAsTool: true,
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
