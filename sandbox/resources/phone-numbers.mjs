import { changed, created, listing, paged, read } from '../answers.mjs';
import { invalid, notFound } from '../errors.mjs';
import { emptied } from '../manners.mjs';
import { merged } from '../settings.mjs';
import { born } from '../store.mjs';
import { Instant } from '../zone.mjs';
import { shownAgent } from './agents.mjs';

const numberOf = (sandbox, uuid) => sandbox.store.need('phone_numbers', uuid, 'Phone number');

/** A number as the reference's channel snapshot shows it. */
function channelsOf({
	phone_number_uuid,
	number,
	is_external,
	source,
	channel_settings: settings,
	bindings,
	capabilities,
}) {
	const channel = (name, setting) => ({
		capable: capabilities[name] ?? true,
		...setting,
		bound: false,
		agent_uuid: null,
		agent_name: null,
		...bindings[name === 'voice' ? 'call' : name],
	});
	return {
		phone_number_uuid,
		number,
		is_external,
		source,
		channels: {
			call: channel('voice', settings.voice),
			sms: channel('sms', settings.sms),
			whatsapp: bindings.whatsapp,
			inbound: settings.inbound,
		},
	};
}

const unbound = { bound: false, agent_uuid: null, agent_name: null };

/** @returns {any} a number of the workspace with nothing bound to it */
export function ownNumber(sandbox, fields) {
	const channel = { enabled: true, channel_limit: 10, whitelisted_destinations: [] };
	return {
		phone_number_uuid: sandbox.random.uuid(),
		country_code: 'US',
		location: fields.country_code ?? 'US',
		type: 'local',
		is_external: false,
		source: 'purchased',
		status: 'active',
		compliance: { status: 'completed', requirements: [] },
		capabilities: {
			voice: true,
			sms: true,
			mms: false,
			fax: false,
			emergency: false,
			local_calling: true,
		},
		channel_settings: {
			voice: { ...channel },
			sms: { ...channel },
			inbound: { enabled: true, channel_limit: 10 },
		},
		billing: { monthly_fee: 1, currency: 'EUR' },
		bindings: { call: { ...unbound }, sms: { ...unbound }, whatsapp: { ...unbound } },
		purchased_at: Instant.now(),
		updated_at: Instant.now(),
		...fields,
	};
}

const trunkOf = (sandbox, phoneNumber, channel) => {
	const digits = (text) => text.replace(/\D/g, '');
	const found = [...sandbox.store.collection('trunks').values()].find(
		(one) =>
			digits(one.number) === digits(phoneNumber) &&
			(channel === undefined || one.channel === channel),
	);
	if (found === undefined) throw notFound('Trunk');
	return found;
};

function bind(sandbox, number, channel, agentUuid) {
	const agent =
		agentUuid === undefined ? undefined : sandbox.store.collection('agents').get(agentUuid);
	if (agentUuid !== undefined && agent === undefined) throw notFound('Agent');
	number.bindings[channel] =
		agent === undefined
			? { ...unbound }
			: { bound: true, agent_uuid: agent.agent_uuid, agent_name: agent.name };
	number.updated_at = Instant.now();
	return agent;
}

const own = (sandbox) => sandbox.store.collection('phone_numbers');
const shownTrunk = ({ channel, name, direction, sip, additional_settings, ...number }) => number;

/** An agent shows the numbers and channels that are bound to it; a new binding replaces the old one of the channel. */
function addToAgent(agent, { phone_number_uuid, number, status, country_code, type }, channel) {
	agent.channels = [
		...agent.channels.filter((one) => one.type !== channel),
		{ type: channel, phone_number_uuid, number },
	];
	agent.phone_numbers = [
		...agent.phone_numbers.filter((one) => one.phone_number_uuid !== phone_number_uuid),
		{
			phone_number_uuid,
			number,
			status,
			country_code,
			type,
			capabilities: { call: true, sms: true, whatsapp: false, whatsapp_call: false },
		},
	];
}

/** More rates than a page has room for, so that the pages show. */
const RATES = [
	['IT', 'Italy', '39'],
	['DE', 'Germany', '49'],
	['TR', 'Turkey', '90'],
].flatMap(([country_code, country_name, code]) =>
	Array.from({ length: 70 }, (_, index) => ({
		country_code,
		country_name,
		destination_prefix: `${code}${100 + index}`,
		origination: 'any',
		description: `${country_name} ${100 + index}`,
		min_duration_seconds: 1,
		billing_increment_seconds: 60,
		price: { amount: (10 + index) / 1000, currency: 'EUR' },
	})),
);

export const phoneNumbers = {
	'GET /phone-numbers': (context) =>
		read(paged(context, 'phone_numbers', { layout: 'items' }), 'Phone numbers retrieved.'),
	'POST /phone-numbers': ({ sandbox, body }) => {
		if (!body.number) throw invalid('number', 'The field number is required.');
		if ([...own(sandbox).values()].some(({ number }) => number === body.number))
			throw invalid('number', 'The number is already in the inventory.');
		const { address, requirements, monthly_fee: fee = 1, capabilities = {}, ...fields } = body;
		const first = own(sandbox).size === 0;
		const number = own(sandbox).add(
			ownNumber(sandbox, { ...fields, billing: { monthly_fee: first ? 0 : fee, currency: 'EUR' } }),
		);
		Object.assign(number.capabilities, capabilities);
		return created(number, number.phone_number_uuid, 'Number bought.');
	},
	'PATCH /phone-numbers/{}': ({ sandbox, operation, params: [uuid], body }) => {
		const number = numberOf(sandbox, uuid);
		const now = number.channel_settings;
		const left = Object.entries(now).map(([channel, of]) => [
			channel,
			{ ...of, ...emptied(sandbox, operation, of) },
		]);
		number.channel_settings = merged(Object.fromEntries(left), body.channel_settings ?? {});
		number.updated_at = Instant.now();
		return changed(number, uuid);
	},
	'POST /phone-numbers/{}/release': ({ sandbox, params: [uuid] }) => {
		numberOf(sandbox, uuid);
		own(sandbox).delete(uuid);
		return changed({ phone_number_uuid: uuid, status: 'released' }, uuid, 'Number released.');
	},
	'GET /phone-numbers/{}/channels': ({ sandbox, params: [uuid] }) =>
		read(channelsOf(numberOf(sandbox, uuid))),
	'GET /phone-numbers/channels': ({ sandbox, query }) => {
		const found = [...own(sandbox).values()].find(({ number }) => number === query.number);
		if (found === undefined) throw notFound('Phone number');
		return read(channelsOf(found));
	},
	'GET /phone-numbers/search': ({ sandbox, query }) => {
		const country = query.country_code ?? 'US';
		const offers = [1, 2, 3].map((index) => ({
			number: `+1212555${String(1000 + index + own(sandbox).size)}`,
			country_code: country,
			type: 'local',
			location: country,
			monthly_fee: 1,
			capabilities: { voice: true, sms: true },
		}));
		return read(offers, 'Numbers found.');
	},
	'GET /phone-numbers/search/requirements': () =>
		read({
			requirements: [
				{
					key: 'proof_of_address',
					name: 'Proof of address',
					type: 'textual',
					description: 'Where the number is used.',
				},
			],
		}),
	'GET /phone-numbers/rates': ({ sandbox, query }) => {
		const { country_code: country, prefix = '', page = 1, per_page: perPage = 50 } = query;
		const repeat = sandbox.settings.pageRepeat;
		const rows = RATES.filter(
			(rate) =>
				(country === undefined || rate.country_code === country) &&
				rate.destination_prefix.startsWith(prefix),
		);
		const start = repeat ? 0 : (page - 1) * perPage;
		const items = rows.slice(start, start + perPage);
		const { pagination } = listing('items', items, { page, perPage, total: rows.length, repeat });
		return read({
			items,
			pagination: {
				...pagination,
				from: items.length > 0 ? start + 1 : null,
				to: items.length > 0 ? start + items.length : null,
				has_more: page < pagination.last_page,
			},
		});
	},
	'POST /channels/sip-trunk/connections': ({ sandbox, body }) => {
		const { username, password, ...fields } = body;
		const connection = sandbox.store.collection('sip_connections').add({
			uuid: sandbox.random.uuid(),
			secondary_gateway: null,
			...fields,
			status: 'active',
			...born(),
		});
		return created(connection, connection.uuid, 'Connection created.');
	},
	'POST /pbx_extension_connectors': ({ sandbox, body }) => {
		const agent = sandbox.store.collection('agents').get(body.agent_uuid);
		if (body.agent_uuid !== undefined && agent === undefined) throw notFound('Agent');
		const uuid = sandbox.random.uuid();
		const connector = {
			pbx_extension_connector_uuid: uuid,
			name: `Extension ${body.username_extension ?? ''}`.trim(),
			status: 'active',
			phone_number: body.phone_number ?? '',
			agent_uuid: agent?.agent_uuid ?? null,
			agent_name: agent?.name ?? null,
			sip_connector_server: 'sip.sandbox.example',
			connection_type: body.connection_type ?? 'udp',
			setup_mode: body.setup_mode ?? 'both',
			pbx: {
				registrar_server: body.registrar_server ?? '',
				port: body.port ?? 5060,
				username_extension: body.username_extension ?? '',
			},
			inbound: { allowed_ip: body.allowed_ip ?? null },
			auth: {
				has_separate_credentials: body.auth_username !== undefined,
				username: body.auth_username ?? null,
			},
			normalizer: body.normalizer ?? null,
			...born(),
		};
		sandbox.store.collection('pbx_connectors').add({ uuid, connector });
		return created(connector, uuid, 'Connector created.');
	},
	'GET /pbx_extension_connectors/{}': ({ sandbox, params: [uuid] }) =>
		read(sandbox.store.need('pbx_connectors', uuid, 'Connector').connector, 'Connector retrieved.'),
	'GET /phone-numbers/trunks': ({ sandbox }) => {
		const rows = [...sandbox.store.collection('trunks').values()].map(shownTrunk);
		return read({ items: rows });
	},
	'POST /phone-numbers/trunks': ({ sandbox, body }) => {
		const {
			phone_number: phoneNumber,
			channel = 'call',
			agent_uuid: agentUuid,
			name = `${channel}_trunk_${phoneNumber.slice(1)}`,
			direction,
			sip = {},
			additional_settings = {},
		} = body;
		if ([...own(sandbox).values()].some(({ number }) => number === phoneNumber))
			throw invalid('phone_number', 'The number was bought here.', 'phone_in_use');
		if (
			[...sandbox.store.collection('trunks').values()].some(
				(one) => one.number === phoneNumber && one.channel === channel,
			)
		)
			throw invalid('phone_number', 'The number is already bound on this channel.', 'phone_in_use');
		const trunk = {
			...ownNumber(sandbox, { number: phoneNumber, is_external: true, source: 'external' }),
			channel,
			name,
			direction,
			sip,
			additional_settings,
		};
		bind(sandbox, trunk, channel, agentUuid);
		sandbox.store.collection('trunks').add({ uuid: trunk.phone_number_uuid, ...trunk });
		return created(channelsOf(trunk), trunk.phone_number_uuid, 'Trunk registered.');
	},
	'PATCH /phone-numbers/trunks': ({
		sandbox,
		operation,
		body: { phone_number: phoneNumber, channel, sip, ...fields },
	}) => {
		const trunk = trunkOf(sandbox, phoneNumber, channel);
		const left = emptied(sandbox, operation, trunk, ['name', 'additional_settings']);
		if ('name' in left) left.direction = 'both';
		Object.assign(trunk, left, fields, {
			sip: { ...trunk.sip, ...sip },
			updated_at: Instant.now(),
		});
		return changed(channelsOf(trunk), trunk.phone_number_uuid);
	},
	'PUT /phone-numbers/trunks/assign': ({ sandbox, body }) => {
		const trunk = trunkOf(sandbox, body.phone_number, body.channel);
		bind(sandbox, trunk, body.channel, body.agent_uuid);
		return changed(channelsOf(trunk), trunk.phone_number_uuid, 'Trunk assigned.');
	},
	'DELETE /phone-numbers/trunks': ({ sandbox, query }) => {
		if (query.phone_number === undefined)
			throw invalid('phone_number', 'The field phone_number is required.');
		const trunk = trunkOf(sandbox, query.phone_number, query.channel);
		sandbox.store.collection('trunks').delete(trunk.uuid);
		return changed({ number: trunk.number, channel: trunk.channel }, trunk.uuid, 'Trunk removed.');
	},
	'POST /agents/{}/channels/call/provision': ({ sandbox, params: [uuid], body }) => {
		if (body.phone_number_uuid === undefined)
			throw invalid('phone_number_uuid', 'The field phone_number_uuid is required.');
		const number = numberOf(sandbox, body.phone_number_uuid);
		const agent = bind(sandbox, number, 'call', uuid);
		addToAgent(agent, number, 'call');
		return changed({ agent: shownAgent(sandbox, agent) }, uuid, 'Channel provisioned.');
	},
	'POST /agents/{}/channels/sms': ({ sandbox, params: [uuid], body }) => {
		const number =
			body.phone_number_uuid === undefined
				? [...own(sandbox).values()].find((one) => one.number === body.phone_number)
				: numberOf(sandbox, body.phone_number_uuid);
		if (number === undefined)
			throw invalid('phone_number_uuid', 'The field phone_number_uuid is required.');
		const agent = bind(sandbox, number, 'sms', uuid);
		addToAgent(agent, number, 'sms');
		return changed({ agent: shownAgent(sandbox, agent) }, uuid, 'Number assigned.');
	},
	'POST /agents/{}/channels/call/sip-trunk': ({ sandbox, params: [uuid], body }) => {
		const agent = sandbox.store.need('agents', uuid, 'Agent');
		const connection = sandbox.store.need('sip_connections', body.connection_uuid, 'Connection');
		if (!body.force && connection.agent_uuid !== undefined && connection.agent_uuid !== uuid)
			throw invalid(
				'connection_uuid',
				'The number of this connection is already bound to another agent.',
				'phone_in_use',
			);
		connection.agent_uuid = uuid;
		return changed(
			{ agent_uuid: uuid, connection_uuid: connection.uuid, phone_number: connection.phone_number },
			uuid,
			'Connection assigned.',
		);
	},
};
