import { changed, listing } from '../answers.mjs';
import { invalid, notFound, required } from '../errors.mjs';
import { merged } from '../settings.mjs';
import { filledAs } from '../shape.mjs';
import { change } from '../store.mjs';
import { Instant } from '../zone.mjs';
import { shownAgent } from './agents.mjs';

/** A number as the reference's channel snapshot shows it. */
function channelsOf({ channel_settings: settings, bindings, capabilities, ...number }) {
	const call = { capable: capabilities.voice, ...settings.voice, ...bindings.call };
	const sms = { capable: capabilities.sms, ...settings.sms, ...bindings.sms };
	const { whatsapp } = bindings;
	return { ...number, channels: { call, sms, whatsapp, inbound: settings.inbound } };
}

const UNBOUND = { bound: false, agent_uuid: null, agent_name: null };

/** @returns {any} a number of a collection with nothing bound to it */
export function addNumber({ contract, store }, collection, fields) {
	const number = filledAs(contract, 'POST /phone-numbers', fields);
	const channel = { enabled: true, channel_limit: 10 };
	const country_code = fields.country_code ?? 'US';
	return store.add(collection, {
		...number,
		country_code,
		location: fields.location ?? country_code,
		capabilities: { ...number.capabilities, voice: true, sms: true, ...fields.capabilities },
		channel_settings: merged(number.channel_settings, {
			voice: channel,
			sms: channel,
			inbound: channel,
		}),
		purchased_at: Instant.now(),
	});
}

const digits = (text) => text.replace(/\D/g, '');

function trunkOf({ store }, phoneNumber, channel) {
	const found = store
		.where('trunks', channel === undefined ? {} : { channel })
		.find(({ number }) => digits(number) === digits(phoneNumber));
	if (found === undefined) throw notFound('Trunk');
	return found;
}

/** @returns {any} the agent, if one is named */
function bind({ store }, number, channel, agentUuid) {
	const agent = agentUuid === undefined ? undefined : store.need('agents', agentUuid);
	const binding = agent && { bound: true, agent_uuid: agentUuid, agent_name: agent.name };
	change(number, { bindings: { ...number.bindings, [channel]: binding ?? UNBOUND } });
	return agent;
}

/** An agent shows the numbers and channels that are bound to it; a new binding replaces the old one of the channel. */
function bindToAgent(sandbox, agent, number, type) {
	const { phone_number_uuid, status, country_code } = number;
	const isOther = (one) => one.phone_number_uuid !== phone_number_uuid;
	bind(sandbox, number, type, agent.agent_uuid);
	agent.channels = [
		...agent.channels.filter((one) => one.type !== type),
		{ type, phone_number_uuid, number: number.number },
	];
	agent.phone_numbers = [
		...agent.phone_numbers.filter(isOther),
		{
			phone_number_uuid,
			number: number.number,
			status,
			country_code,
			type: number.type,
			capabilities: { call: true, sms: true, whatsapp: false, whatsapp_call: false },
		},
	];
	return changed({ agent: shownAgent(sandbox, agent) });
}

const withNumber = ({ store }, number) => store.where('phone_numbers', { number })[0];

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

export const handlers = {
	'POST /phone-numbers': ({ sandbox, body }) => {
		if (!body.number) throw required('number');
		if (withNumber(sandbox, body.number))
			throw invalid('number', 'The number is already in the inventory.');
		const { address, requirements, monthly_fee: fee = 1, ...fields } = body;
		const monthly_fee = sandbox.store.all('phone_numbers').length === 0 ? 0 : fee;
		const billing = { monthly_fee, currency: 'EUR' };
		return addNumber(sandbox, 'phone_numbers', { ...fields, billing });
	},
	'PATCH /phone-numbers/{}': ({ record: number, body }) => {
		const channel_settings = merged(number.channel_settings, body.channel_settings ?? {});
		return change(number, { channel_settings });
	},
	'POST /phone-numbers/{}/release': ({ sandbox, params: [uuid] }) => {
		sandbox.store.delete('phone_numbers', uuid);
		return changed({ phone_number_uuid: uuid, status: 'released' });
	},
	'GET /phone-numbers/{}/channels': ({ record: number }) => channelsOf(number),
	'GET /phone-numbers/channels': ({ sandbox, query }) => {
		const found = withNumber(sandbox, query.number);
		if (found === undefined) throw notFound('Phone number');
		return channelsOf(found);
	},
	'GET /phone-numbers/search': ({ sandbox, query: { country_code: country = 'US' } }) =>
		[1, 2, 3].map((index) => ({
			number: `+1212555${1000 + index + sandbox.store.all('phone_numbers').length}`,
			country_code: country,
			type: 'local',
			location: country,
			monthly_fee: 1,
			capabilities: { voice: true, sms: true },
		})),
	'GET /phone-numbers/search/requirements': () => ({
		requirements: [
			{
				key: 'proof_of_address',
				name: 'Proof of address',
				type: 'textual',
				description: 'Where the number is used.',
			},
		],
	}),
	'GET /phone-numbers/rates': ({ query }) => {
		const { country_code: country, prefix = '', page = 1, per_page: perPage = 50 } = query;
		const rows = RATES.filter(
			(rate) =>
				(country === undefined || rate.country_code === country) &&
				rate.destination_prefix.startsWith(prefix),
		);
		const start = (page - 1) * perPage;
		const items = rows.slice(start, start + perPage);
		const list = listing('items', items, { page, perPage, total: rows.length });
		Object.assign(list.pagination, {
			from: items.length > 0 ? start + 1 : null,
			to: items.length > 0 ? start + items.length : null,
			has_more: page < list.pagination.last_page,
		});
		return list;
	},
	'POST /channels/sip-trunk/connections': ({ sandbox, body: { username, password, ...fields } }) =>
		sandbox.store.add('sip_connections', { secondary_gateway: null, ...fields, status: 'active' }),
	'GET /phone-numbers/trunks': ({ sandbox }) => ({ items: sandbox.store.all('trunks') }),
	'POST /phone-numbers/trunks': ({ sandbox, body }) => {
		const {
			phone_number: number,
			channel = 'call',
			agent_uuid: agentUuid,
			name = `${channel}_trunk_${digits(number)}`,
			...settings
		} = body;
		const twins = sandbox.store.where('trunks', { number, channel });
		if (twins.length > 0 || withNumber(sandbox, number))
			throw invalid('phone_number', 'The number is already in use.', 'phone_in_use');
		const own = { number, is_external: true, source: 'external' };
		const trunk = addNumber(sandbox, 'trunks', { ...own, channel, name, ...settings });
		bind(sandbox, trunk, channel, agentUuid);
		return channelsOf(trunk);
	},
	'PATCH /phone-numbers/trunks': ({ sandbox, body }) => {
		const { phone_number, channel, sip, ...fields } = body;
		const trunk = trunkOf(sandbox, phone_number, channel);
		return channelsOf(change(trunk, fields, { sip: { ...trunk.sip, ...sip } }));
	},
	'PUT /phone-numbers/trunks/assign': ({ sandbox, body }) => {
		const trunk = trunkOf(sandbox, body.phone_number, body.channel);
		bind(sandbox, trunk, body.channel, body.agent_uuid);
		return channelsOf(trunk);
	},
	'DELETE /phone-numbers/trunks': ({ sandbox, query: { phone_number, channel: wanted } }) => {
		if (phone_number === undefined) throw required('phone_number');
		const { phone_number_uuid, number, channel } = trunkOf(sandbox, phone_number, wanted);
		sandbox.store.delete('trunks', phone_number_uuid);
		return { number, channel };
	},
	'POST /agents/{}/channels/call/provision': ({ sandbox, record: agent, body }) => {
		if (body.phone_number_uuid === undefined) throw required('phone_number_uuid');
		const number = sandbox.store.need('phone_numbers', body.phone_number_uuid);
		return bindToAgent(sandbox, agent, number, 'call');
	},
	'POST /agents/{}/channels/sms': ({ sandbox, record: agent, body }) => {
		const number =
			body.phone_number_uuid === undefined
				? withNumber(sandbox, body.phone_number)
				: sandbox.store.need('phone_numbers', body.phone_number_uuid);
		if (number === undefined) throw required('phone_number_uuid');
		return bindToAgent(sandbox, agent, number, 'sms');
	},
	'POST /agents/{}/channels/call/sip-trunk': ({ sandbox, params: [agent_uuid], body }) => {
		const connection = sandbox.store.need('sip_connections', body.connection_uuid, 'Connection');
		const { uuid: connection_uuid, phone_number, agent_uuid: bound = agent_uuid } = connection;
		if (!body.force && bound !== agent_uuid)
			throw invalid(
				'connection_uuid',
				'The number of this connection is already bound to another agent.',
				'phone_in_use',
			);
		connection.agent_uuid = agent_uuid;
		return changed({ agent_uuid, connection_uuid, phone_number });
	},
};

export const rules = {
	pbx_extension_connectors: {
		prepare: ({ sandbox }, body) => {
			const { agent_uuid = null, port = 5060, registrar_server = '', auth_username } = body;
			const agent = agent_uuid === null ? undefined : sandbox.store.need('agents', agent_uuid);
			const { username_extension = '', allowed_ip = null, connection_type, setup_mode } = body;
			return {
				name: `Extension ${username_extension}`.trim(),
				phone_number: body.phone_number,
				agent_uuid,
				agent_name: agent?.name ?? null,
				sip_connector_server: 'sip.sandbox.example',
				connection_type: connection_type ?? 'udp',
				setup_mode: setup_mode ?? 'both',
				pbx: { registrar_server, port, username_extension },
				inbound: { allowed_ip },
				auth: {
					has_separate_credentials: auth_username !== undefined,
					username: auth_username ?? null,
				},
				normalizer: body.normalizer,
			};
		},
	},
};
