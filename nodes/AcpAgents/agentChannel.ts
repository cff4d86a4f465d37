import { agent, boolean, locator } from '../engine/fields';
import { operation, resource } from '../engine/operation';

export const agentChannel = resource({
	label: 'Agent Channel',
	value: 'agentChannel',
	defaultOperation: 'provisionCall',
	operations: {
		assignSipTrunk: operation.action('POST /agents/{uuid}/channels/call/sip-trunk', {
			name: 'Assign SIP Trunk',
			action: 'Assign a SIP trunk to an agent',
			description: 'Have an agent call and be called over a SIP trunk connection',
			path: { uuid: agent() },
			body: {
				connection_uuid: locator(null, {
					name: 'connection',
					displayName: 'Connection',
					required: true,
					description: 'The SIP trunk connection; the platform shows its ID',
				}),
				force: boolean({
					description:
						'Whether to take the number although another agent uses it; calls to it then reach this agent',
				}),
			},
			explain: {
				phone_in_use: {
					message: 'The number of this connection is already used by another agent',
					description:
						"Turn on 'Force' under Additional Fields to have calls to the number reach this agent instead.",
				},
			},
		}),
		assignSms: operation.action('POST /agents/{uuid}/channels/sms', {
			name: 'Assign SMS Number',
			action: 'Assign an SMS number to an agent',
			description:
				'Have an agent write and receive SMS with a number of the workspace; its present SMS number is replaced',
			notice:
				'The platform does not document the fields of this request. Write them as JSON, as its own pages show them.',
			path: { uuid: agent() },
			check: ({ body }) =>
				Object.keys(body).length
					? undefined
					: "'Body (JSON)' is empty. Write the number to assign as JSON, as the platform's own pages show it",
		}),
		provisionCall: operation.action('POST /agents/{uuid}/channels/call/provision', {
			name: 'Assign Phone Number',
			action: 'Assign a phone number to an agent',
			description: 'Have an agent call and be called with a phone number of the workspace',
			path: { uuid: agent() },
			body: {
				phone_number_uuid: locator('searchPhoneNumbers', {
					name: 'phoneNumber',
					displayName: 'Phone Number',
					required: true,
					description: 'The number that the agent gets',
				}),
			},
		}),
	},
});
