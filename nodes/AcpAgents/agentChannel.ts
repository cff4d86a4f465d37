import { agent, boolean, locator, text } from '../engine/fields';
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
					description: 'The SIP trunk connection; Create SIP Trunk Connection gives its ID as uuid',
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
				'This package does not know the fields of this request yet. Write them as JSON; your ' +
				"workspace's API documentation names them.",
			path: { uuid: agent() },
			check: ({ body }) =>
				Object.keys(body).length
					? undefined
					: "'Body (JSON)' is empty. Write the number to assign as JSON, as the platform's own pages show it",
		}),
		createSipTrunkConnection: operation.create('POST /channels/sip-trunk/connections', {
			name: 'Create SIP Trunk Connection',
			action: 'Create a SIP trunk connection',
			description:
				'Tell the platform how a SIP trunk is reached; Assign SIP Trunk then gives it to an agent',
			body: {
				name: text({
					required: true,
					maxLength: 255,
					description: 'What the connection is called',
					placeholder: 'e.g. Office trunk',
				}),
				phone_number: text({
					required: true,
					maxLength: 32,
					description: 'The number of the trunk; the platform stores it as it is given',
					placeholder: 'e.g. +14155550123',
				}),
				gateway: text({
					required: true,
					maxLength: 255,
					description: 'Host of the gateway, without sip: and without a port',
					placeholder: 'e.g. sip.example.com',
				}),
				username: text({
					required: true,
					maxLength: 255,
					description: 'Name to sign in with; the platform never shows it again',
				}),
				password: text({
					required: true,
					maxLength: 255,
					password: true,
					description: 'Password to sign in with; the platform never shows it again',
				}),
				secondary_gateway: text({
					maxLength: 255,
					description: 'Host that is used when the first does not answer',
				}),
			},
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
