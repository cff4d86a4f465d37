import {
	agent,
	binary,
	boolean,
	choice,
	integer,
	json,
	list,
	locator,
	number,
	phone,
	text,
	texts,
	uuid,
} from '../engine/fields';
import { operation, resource, type Schema, type Shape } from '../engine/operation';

const own = (description: string) =>
	locator('searchPhoneNumbers', {
		name: 'phoneNumber',
		displayName: 'Phone Number',
		required: true,
		description,
	});

const outside = phone({
	name: 'phoneNumber',
	displayName: 'Phone Number',
	required: true,
	description: 'The outside number',
});

const country =
	'Buy names a country like {"country_code": "DE"}; whether this name holds here is not known';

const trunkChannel = choice(['call', 'whatsapp'], {
	required: true,
	description: 'What the number is used for',
});

const trunkAgent = (description: string) => agent({ required: undefined, top: true, description });

const outbound = (what: string): Shape<Schema<'OutboundChannelSettings'>> => ({
	enabled: boolean({
		displayName: `${what}: Enabled`,
		description: 'Whether the number is used for it',
	}),
	channel_limit: integer({
		displayName: `${what}: Channel Limit`,
		description: 'How many at once',
	}),
	whitelisted_destinations: texts({
		displayName: `${what}: Countries`,
		description: 'Codes of the countries that may be reached',
		placeholder: 'e.g. DE, TR',
	}),
});

const trunk = {
	name: text({ description: 'What the trunk is called' }),
	direction: choice(['inbound', 'outbound', 'both'], {
		default: 'both',
		description: 'Which calls go over it; for calls only',
	}),
	sip: {
		gateway: text({
			displayName: 'SIP Gateway',
			description: 'Host of the gateway',
			placeholder: 'e.g. sip.example.com',
		}),
		port: integer({
			displayName: 'SIP Port',
			default: 5060,
			description: 'Port of the gateway',
		}),
		username: text({ displayName: 'SIP Username', description: 'Name to sign in with' }),
		password: text({
			displayName: 'SIP Password',
			password: true,
			description: 'Password to sign in with; the platform stores it encrypted',
		}),
		secondary_gateway: text({
			displayName: 'SIP Secondary Gateway',
			description: 'Host that is used when the first does not answer',
		}),
	},
	additional_settings: json({
		displayName: 'Additional Settings (JSON)',
		description: 'Further settings as a JSON object; they replace those set before',
	}),
};

const simplify = [
	'phone_number_uuid',
	'number',
	'country_code',
	'type',
	'status',
	'source',
	'bindings.call.agent_name',
	'bindings.sms.agent_name',
	'purchased_at',
	'updated_at',
];

export const phoneNumber = resource({
	label: 'Phone Number',
	value: 'phoneNumber',
	defaultOperation: 'getAll',
	operations: {
		assignTrunk: operation.update('PUT /phone-numbers/trunks/assign', {
			name: 'Assign Trunk',
			action: 'Assign a trunk to an agent',
			description: 'Give an outside number to another agent; number, sign-in and settings stay',
			body: {
				phone_number: outside,
				channel: trunkChannel,
				agent_uuid: trunkAgent('The agent that gets the number'),
			},
		}),
		buy: operation.action('POST /phone-numbers', {
			name: 'Buy',
			action: 'Buy a phone number',
			description: 'Buy a number that Search found',
			notice:
				"This buys a real number with a monthly fee. Turn on 'Preview' under Options to see " +
				'the request without sending it.',
			body: {
				number: phone({
					name: 'phoneNumber',
					displayName: 'Phone Number',
					required: true,
					description: 'The number exactly as Search gave it',
				}),
				country_code: text({
					top: true,
					description: 'Country of the number, two letters',
					placeholder: 'e.g. DE',
				}),
				address: {
					first_name: text({
						description: 'First name of the owner, where the country asks for an address',
					}),
					last_name: text({ description: 'Last name of the owner' }),
					business_name: text({ description: 'Name of the business' }),
					phone_number: text({ description: 'Phone number of the owner' }),
					street_address: text({ description: 'Street and number' }),
					extended_address: text({ description: 'What belongs below the street' }),
					locality: text({ description: 'Town' }),
					administrative_area: text({ description: 'State or province' }),
					postal_code: text({ description: 'Postal code' }),
					country_code: text({
						displayName: 'Address Country Code',
						description: 'Country of the address, two letters',
					}),
				},
				capabilities: json({
					displayName: 'Capabilities (JSON)',
					description: 'As Search gave them, as a JSON object',
				}),
				location: text({ description: 'As Search gave it' }),
				monthly_fee: number({ description: 'As Search gave it' }),
				requirements: list(
					{
						entry: 'Requirement',
						displayName: 'Requirements',
						description: 'What Get Requirements asks for',
					},
					{
						key: text({
							required: true,
							samples: ['proof_of_address'],
							description: 'What is proven',
						}),
						requirement_id: uuid({
							displayName: 'Requirement ID',
							description: 'ID of the requirement',
						}),
						value: text({ description: 'The answer in words' }),
						document_id: text({
							displayName: 'Document ID',
							description: 'ID that Upload Document gave',
						}),
					},
				),
				type: choice(['local', 'toll_free', 'mobile', 'national'], {
					description: 'What kind of number it is',
				}),
			},
			explain: {
				purchase_limit_reached: {
					message: 'The workspace has as many bought numbers as it may have',
					description:
						'Release a number that is no longer needed, or ask the platform for a higher limit.',
				},
			},
			tool: false,
		}),
		deleteTrunk: operation.remove('DELETE /phone-numbers/trunks', {
			name: 'Delete Trunk',
			action: 'Delete a trunk',
			description: 'Remove an outside number from one channel',
			query: { phone_number: outside, channel: trunkChannel },
			output: () => ({ deleted: true }),
			tool: false,
		}),
		createPbxConnector: operation.create('POST /pbx_extension_connectors', {
			name: 'Create PBX Connector',
			action: 'Create a PBX extension connector',
			description: 'Have an agent answer an extension of a telephone system',
			body: {
				phone_number: phone({
					name: 'phoneNumber',
					displayName: 'Phone Number',
					required: true,
					description: 'The number of the extension',
				}),
				registrar_server: text({
					required: true,
					description: 'Host at which the telephone system takes registrations',
					placeholder: 'e.g. pbx.example.com',
				}),
				agent_uuid: agent({
					required: undefined,
					top: true,
					description: 'The agent that answers',
				}),
				username_extension: text({
					top: true,
					description: 'Name of the extension',
					placeholder: 'e.g. 1001',
				}),
				pbx_password: text({
					top: true,
					displayName: 'PBX Password',
					password: true,
					description: 'Password of the extension',
				}),
				allowed_ip: text({
					displayName: 'Allowed IP',
					description: 'Address from which the telephone system calls',
					placeholder: 'e.g. 203.0.113.7',
				}),
				setup_mode: text({ description: 'Which directions are set up', samples: ['both'] }),
				connection_type: text({ description: 'How the connection is made', samples: ['udp'] }),
				port: integer({ default: 5060, description: 'Port of the telephone system' }),
				auth_username: text({
					description: 'Name to sign in with, where it is not that of the extension',
				}),
				auth_password: text({ password: true, description: 'Password that belongs to it' }),
				normalizer: {
					default_prefix: text({
						displayName: 'Normalizer: Default Prefix',
						description: 'Prefix that numbers get',
					}),
					condition_length: text({
						displayName: 'Normalizer: Length',
						description: 'Length that a number has to have for it',
					}),
					condition_prefix: text({
						displayName: 'Normalizer: Prefix',
						description: 'What a number has to begin with for it',
					}),
				},
			},
			openBody: true,
		}),
		getAll: operation.list('GET /phone-numbers', {
			name: 'Get Many',
			action: 'Get many phone numbers',
			description: 'List the numbers of the workspace with the agents that use them',
			pages: { id: 'phone_number_uuid' },
			simplify,
		}),
		getChannels: operation.get('GET /phone-numbers/{uuid}/channels', {
			name: 'Get Channels',
			action: 'Get the channels of a phone number',
			description: 'Read which agents use a number for calls, SMS and WhatsApp',
			path: { uuid: own('The number to read') },
		}),
		getChannelsByNumber: operation.get('GET /phone-numbers/channels', {
			name: 'Get Channels by Number',
			action: 'Get the channels of a phone number by the number',
			description: 'Read which agents use a number, without knowing its ID',
			query: {
				number: phone({
					name: 'phoneNumber',
					displayName: 'Phone Number',
					required: true,
					description: 'The number to read',
				}),
			},
		}),
		getPbxConnector: operation.get('GET /pbx_extension_connectors/{uuid}', {
			name: 'Get PBX Connector',
			action: 'Get a PBX extension connector',
			description: 'Read one connector and whether it is active',
			path: {
				uuid: locator(null, {
					name: 'pbxConnector',
					displayName: 'PBX Connector',
					required: true,
					description: 'The ID of the connector; Create PBX Connector gives it',
				}),
			},
			simplify: [
				'pbx_extension_connector_uuid',
				'name',
				'status',
				'phone_number',
				'agent_uuid',
				'agent_name',
				'sip_connector_server',
				'connection_type',
				'setup_mode',
				'updated_at',
			],
		}),
		getRates: operation.list('GET /phone-numbers/rates', {
			name: 'Get Call Rates',
			action: 'Get the rates of outbound calls',
			description: 'List what calls cost, by country and by what the number begins with',
			query: {
				country_code: text({
					description: 'Only rates of this country, two letters',
					placeholder: 'e.g. IT',
				}),
				prefix: text({
					description: 'Only rates of numbers that begin with this',
					placeholder: 'e.g. 39',
				}),
			},
			pages: { pageSize: { name: 'per_page', max: 200 } },
		}),
		getRequirements: operation.get('GET /phone-numbers/search/requirements', {
			name: 'Get Requirements',
			action: 'Get the requirements for buying a number',
			description: 'Read what a country asks of who buys a number',
			queryHint: country,
		}),
		getTrunks: operation.list('GET /phone-numbers/trunks', {
			name: 'Get Trunks',
			action: 'Get many trunks',
			description: 'List the outside numbers of the workspace',
			simplify,
		}),
		registerTrunk: operation.action('POST /phone-numbers/trunks', {
			name: 'Register Trunk',
			action: 'Register an outside number as a trunk',
			description: 'Have an agent use a number that was bought elsewhere, over SIP',
			body: {
				phone_number: outside,
				channel: trunkChannel,
				agent_uuid: trunkAgent('The agent that uses the number'),
				...trunk,
			},
		}),
		release: operation.action('POST /phone-numbers/{uuid}/release', {
			name: 'Release',
			action: 'Release a phone number',
			description: 'Give a bought number back',
			notice: 'A number that was given back may not be had again.',
			path: { uuid: own('The number to give back') },
			tool: false,
		}),
		search: operation.list('GET /phone-numbers/search', {
			name: 'Search',
			action: 'Search phone numbers to buy',
			description: 'List numbers that can be bought',
			queryHint: country,
		}),
		update: operation.update('PATCH /phone-numbers/{uuid}', {
			name: 'Update',
			action: 'Update a phone number',
			description: 'Change what a number is used for and how many calls it takes at once',
			path: { uuid: own('The number to change') },
			body: {
				channel_settings: {
					voice: outbound('Voice'),
					sms: outbound('SMS'),
					inbound: {
						enabled: boolean({
							displayName: 'Inbound: Enabled',
							description: 'Whether the number can be called',
						}),
						channel_limit: integer({
							displayName: 'Inbound: Channel Limit',
							description: 'How many calls at once',
						}),
					},
				},
			},
		}),
		updateTrunk: operation.update('PATCH /phone-numbers/trunks', {
			name: 'Update Trunk',
			action: 'Update a trunk',
			description:
				'Change how an outside number is reached; the number and its channel name the trunk and cannot change',
			body: { phone_number: outside, channel: trunkChannel, ...trunk },
		}),
		uploadDocument: operation.create('POST /phone-numbers/documents', {
			name: 'Upload Document',
			action: 'Upload a document for buying a number',
			description:
				'Upload a proof that a purchase may need; the ID it gets goes into the requirements',
			body: { file: binary() },
		}),
	},
});
