import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { appointment } from './appointment';
import { appointmentRequest } from './appointmentRequest';
import { availabilityType } from './availabilityType';
import { schedule } from './schedule';
import { describe, subtitle } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [appointment, appointmentRequest, schedule, availabilityType];

export class AcpScheduling implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Scheduling',
		name: 'acpScheduling',
		icon: {
			light: 'file:../../icons/acpScheduling.svg',
			dark: 'file:../../icons/acpScheduling.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description:
			'Book appointments, propose them for approval, and manage the schedules they are ' +
			'booked in',
		defaults: { name: 'ACP Scheduling' },
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
