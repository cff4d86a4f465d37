import {
	binary,
	boolean,
	choice,
	integer,
	json,
	list,
	locator,
	number,
	phone,
	reference,
	text,
	texts,
	titled,
	uuid,
} from '../engine/fields';
import { operation, resource, type Schema, type Shape, words } from '../engine/operation';
import { oncePerItem } from '../shared/oncePerItem';

const own = (description: string) => reference('searchPhoneNumbers', { description });

const outside = phone('The external number, bought elsewhere', { required: true });

const country = `Try {"country_code": "DE"}, as in 'Buy'; whether it applies here is not known`;

const channels = ['call', 'whatsapp'] as const;

const trunkChannel = choice(
	channels,
	'What the number is used for; number and channel identify the trunk',
	{ required: true },
);

const trunkAgent = (description: string) => locator('searchAgents', { top: true, description });

const outbound = (what: string, things: string): Shape<Schema<'OutboundChannelSettings'>> =>
	titled(what, {
		enabled: boolean(`Whether to use the number for outbound ${things}`),
		channel_limit: integer(`Maximum simultaneous ${things}`),
		whitelisted_destinations: texts('Codes of the countries the number may reach', {
			displayName: 'Countries',
			placeholder: 'e.g. DE, TR',
		}),
	});

const trunk = {
	name: text('Name of the trunk'),
	direction: choice(
		['inbound', 'outbound', 'both'],
		"Which calls use the trunk; only for the channel 'Call'",
		{ default: 'both' },
	),
	sip: {
		gateway: text('Hostname of the gateway', {
			displayName: 'SIP Gateway',
			placeholder: 'e.g. sip.example.com',
		}),
		port: integer({
			displayName: 'SIP Port',
			default: '',
			placeholder: 'e.g. 5060',
		}),
		username: text({ displayName: 'SIP Username' }),
		password: text('The platform stores the password encrypted', {
			displayName: 'SIP Password',
			password: true,
		}),
		secondary_gateway: text('Hostname of a second gateway', {
			displayName: 'SIP Secondary Gateway',
		}),
	},
	additional_settings: json('More settings as a JSON object; they replace those set before'),
};

const simplify = words(
	'phone_number_uuid number country_code type status source bindings.call.agent_name ' +
		'bindings.sms.agent_name bindings.whatsapp.agent_name purchased_at',
);

export const phoneNumber = resource({
	label: 'Phone Number',
	value: 'phoneNumber',
	defaultOperation: 'getAll',
	operations: {
		assignTrunk: operation.update('PUT /phone-numbers/trunks/assign', {
			action: 'Assign a trunk to an agent',
			description:
				'Assign an external number to another agent; number, credentials and settings stay the same',
			body: {
				phone_number: outside,
				channel: trunkChannel,
				agent_uuid: trunkAgent('The agent to assign the number to'),
			},
		}),
		buy: operation.action('POST /phone-numbers', {
			description: "Buy a phone number found with 'Search'",
			notice:
				"This buys a real number with a monthly fee. Turn on 'Preview' under Options to see the request without sending it.",
			body: {
				number: oncePerItem(
					phone("The number exactly as returned by 'Search'", {
						name: 'phoneNumber',
						required: true,
					}),
					'Buy for Each Item',
					'buys a number',
				),
				country_code: text('Two-letter country code of the number', {
					top: true,
					placeholder: 'e.g. DE',
				}),
				address: titled('Postal Address', {
					first_name: text('First name of the owner, if the country requires a postal address'),
					last_name: text('Last name of the owner'),
					business_name: text(),
					phone_number: text('Phone number of the owner'),
					street_address: text('Street and number'),
					extended_address: text('The line below the street', {
						displayName: 'Second Line',
					}),
					locality: text('City or town'),
					administrative_area: text('State or province'),
					postal_code: text(),
					country_code: text('Two-letter country code'),
				}),
				capabilities: json("As returned by 'Search', as a JSON object"),
				location: text("As returned by 'Search'"),
				monthly_fee: number("As returned by 'Search'"),
				requirements: list(
					'Requirement',
					{
						key: text('What you need to prove', { required: true, samples: ['proof_of_address'] }),
						requirement_id: uuid(),
						value: text('Your answer as text'),
						document_id: text("ID returned by 'Upload Document'"),
					},
					{ description: "The requirements that 'Get Requirements' returned" },
				),
				type: choice(['local', 'toll_free', 'mobile', 'national'], 'The kind of number'),
			},
			explain: {
				purchase_limit_reached: {
					message: 'The workspace already has the maximum number of bought phone numbers',
					description:
						'Release a number you no longer use, or ask the platform for a higher limit.',
				},
			},
		}),
		deleteTrunk: operation.remove('DELETE /phone-numbers/trunks', {
			action: 'Delete a trunk',
			description: 'Remove an external number from one channel',
			query: { phone_number: outside, channel: trunkChannel },
			output: () => ({ deleted: true }),
		}),
		createPbxConnector: operation.create('POST /pbx_extension_connectors', {
			name: 'Create PBX Connector',
			action: 'Create a PBX extension connector',
			description: 'Let an agent answer an extension of a phone system (PBX)',
			body: {
				phone_number: phone('The number of the connector', { top: true }),
				registrar_server: text('Hostname at which the phone system accepts registrations', {
					top: true,
					placeholder: 'e.g. pbx.example.com',
				}),
				agent_uuid: locator('searchAgents', 'The agent that answers', { top: true }),
				username_extension: text('Name of the extension', { top: true, placeholder: 'e.g. 1001' }),
				pbx_password: text('Password of the extension', {
					top: true,
					displayName: 'PBX Password',
					password: true,
				}),
				allowed_ip: text('IP address to allow for inbound calls', {
					displayName: 'Allowed IP',
					placeholder: 'e.g. 203.0.113.7',
				}),
				setup_mode: text('Mode of the setup; not documented', { samples: ['both'] }),
				connection_type: text('How to connect to the phone system', { samples: ['udp'] }),
				port: integer('Port of the phone system', { default: '', placeholder: 'e.g. 5060' }),
				auth_username: text('Username for authentication, if it differs from the extension'),
				auth_password: text("Password for 'Auth Username'", { password: true }),
				normalizer: titled('Normalizer', {
					default_prefix: text('Default prefix of numbers; not documented'),
					condition_length: text('Condition on the length of a number; not documented', {
						displayName: 'Length',
					}),
					condition_prefix: text('Condition on the prefix of a number; not documented', {
						displayName: 'Prefix',
					}),
				}),
			},
			openBody: true,
		}),
		getAll: operation.list('GET /phone-numbers', {
			description:
				'List the numbers in the workspace, with the agents that answer calls, SMS and WhatsApp on them',
			simplify,
		}),
		getChannels: operation.get('GET /phone-numbers/{uuid}/channels', {
			description: 'Read which agents use a number for calls, SMS and WhatsApp',
			path: { uuid: own('The number to look up') },
		}),
		getChannelsByNumber: operation.get('GET /phone-numbers/channels', {
			action: 'Get the channels of a phone number by number',
			description: 'Read which agents use a number, without knowing its ID',
			query: {
				number: phone('The number to look up', { name: 'phoneNumber', required: true }),
			},
		}),
		getPbxConnector: operation.get('GET /pbx_extension_connectors/{uuid}', {
			name: 'Get PBX Connector',
			action: 'Get a PBX extension connector',
			description: 'Read one connector and whether it is active',
			path: {
				uuid: reference(null, "ID of the connector, returned by 'Create PBX Connector'", {
					name: 'pbxConnector',
					displayName: 'PBX Connector',
				}),
			},
			simplify: words(
				'pbx_extension_connector_uuid name status phone_number agent_uuid agent_name ' +
					'sip_connector_server connection_type setup_mode updated_at',
			),
		}),
		getRates: operation.list('GET /phone-numbers/rates', {
			name: 'Get Call Rates',
			action: 'Get the rates of outbound calls',
			description: 'List what calls cost, by country and number prefix',
			query: {
				country_code: text('Only rates for this country, as a two-letter code', {
					placeholder: 'e.g. IT',
				}),
				prefix: text('Only rates for numbers that begin with this', { placeholder: 'e.g. 39' }),
			},
			pages: { pageSize: { name: 'per_page', max: 200 } },
		}),
		getRequirements: operation.get('GET /phone-numbers/search/requirements', {
			action: 'Get the requirements for buying a number',
			description: 'Read what a country requires to buy a number',
			mayBeEmpty: true,
			queryHint: country,
		}),
		getTrunks: operation.list('GET /phone-numbers/trunks', {
			action: 'Get many trunks',
			description: 'List the external numbers in the workspace',
			simplify,
		}),
		registerTrunk: operation.action('POST /phone-numbers/trunks', {
			action: 'Register an external number as a trunk',
			description: 'Let an agent use a number bought elsewhere, over SIP',
			body: {
				phone_number: outside,
				channel: choice(channels, 'What the number is used for'),
				agent_uuid: trunkAgent('The agent that uses the number'),
				...trunk,
			},
		}),
		release: operation.action('POST /phone-numbers/{uuid}/release', {
			description: 'Give up a bought number',
			notice: 'You may not get a released number back.',
			path: { uuid: own('The number to release') },
		}),
		search: operation.list('GET /phone-numbers/search', {
			action: 'Search phone numbers to buy',
			description: 'List numbers available to buy',
			queryHint: country,
		}),
		update: operation.update('PATCH /phone-numbers/{uuid}', {
			description: 'Change what a number is used for and its maximum simultaneous calls',
			path: { uuid: own('The number to change') },
			body: {
				channel_settings: {
					voice: outbound('Voice', 'calls'),
					sms: outbound('SMS', 'messages'),
					inbound: titled('Inbound', {
						enabled: boolean('Whether the number can be called'),
						channel_limit: integer('Maximum simultaneous calls'),
					}),
				},
			},
		}),
		updateTrunk: operation.update('PATCH /phone-numbers/trunks', {
			action: 'Update a trunk',
			description:
				'Change how to reach an external number; the number and its channel identify the trunk and cannot change',
			body: { phone_number: outside, channel: trunkChannel, ...trunk },
		}),
		uploadDocument: operation.create('POST /phone-numbers/documents', {
			action: 'Upload a document for buying a number',
			description:
				"Upload a document that a purchase may require; enter its ID in 'Requirements' of 'Buy'",
			body: { file: binary() },
		}),
	},
});
