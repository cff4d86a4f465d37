import { agent, boolean, reference, text } from '../engine/fields';
import { operation, resource } from '../engine/operation';

export const agentChannel = resource({
	label: 'Agent Channel',
	value: 'agentChannel',
	path: { uuid: agent() },
	partOf: 'agent',
	description:
		'Phone numbers of an agent. Binding WhatsApp, Instagram or Messenger is not supported yet.',
	defaultOperation: 'provisionCall',
	operations: {
		assignSipTrunk: operation.action('POST /agents/{uuid}/channels/call/sip-trunk', {
			description: 'Let an agent make and receive calls over a SIP trunk connection',
			body: {
				connection_uuid: reference(
					null,
					"ID of the SIP trunk connection, returned by 'Create SIP Trunk Connection' as uuid",
					{ name: 'connection' },
				),
				force: boolean(
					'Whether to take the number even if another agent uses it; calls to it then reach this agent',
				),
			},
			explain: {
				phone_in_use: {
					message: 'Another agent already uses the number of this connection',
					description:
						"Turn on 'Force' under Additional Fields to route calls to the number to this agent instead.",
				},
			},
		}),
		assignSms: operation.action('POST /agents/{uuid}/channels/sms', {
			name: 'Assign SMS Number',
			action: 'Assign an SMS number to an agent',
			description:
				'Let an agent send and receive SMS with a workspace number; replaces its current SMS number',
			notice:
				"This package does not know the fields of this request yet. Enter them as JSON; your workspace's API documentation lists them.",
			openBody: true,
			check: ({ body }) =>
				Object.keys(body).length
					? undefined
					: "'Body (JSON)' is empty. Enter the number to assign as JSON, as the platform's own pages show it",
		}),
		createSipTrunkConnection: operation.create('POST /channels/sip-trunk/connections', {
			action: 'Create a SIP trunk connection',
			description:
				"Tell the platform how to reach a SIP trunk; then assign it to an agent with 'Assign SIP Trunk'",
			body: {
				name: text({
					required: true,
					maxLength: 255,
					placeholder: 'e.g. Office trunk',
				}),
				phone_number: text('Phone number of the trunk; the platform stores it exactly as entered', {
					required: true,
					maxLength: 32,
					placeholder: 'e.g. +14155550123',
				}),
				gateway: text('Hostname of the gateway, without sip: and without a port', {
					required: true,
					maxLength: 255,
					placeholder: 'e.g. sip.example.com',
				}),
				username: text('Username for the trunk; the platform never shows it again', {
					required: true,
					maxLength: 255,
				}),
				password: text('Password for the trunk; the platform never shows it again', {
					required: true,
					maxLength: 255,
					password: true,
				}),
				secondary_gateway: text('Hostname used if the first gateway does not answer', {
					maxLength: 255,
				}),
			},
		}),
		provisionCall: operation.action('POST /agents/{uuid}/channels/call/provision', {
			name: 'Assign Phone Number',
			description: 'Let an agent make and receive calls with a phone number of the workspace',
			body: {
				phone_number_uuid: reference('searchPhoneNumbers', 'The number to assign'),
			},
		}),
	},
});
