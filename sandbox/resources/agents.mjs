import { changed, paged } from '../answers.mjs';
import { ApiError, conflict, endpointNotFound, invalid, notFound, required } from '../errors.mjs';
import { merged } from '../settings.mjs';
import { filledAs } from '../shape.mjs';
import { born, bornNow, change, isShown } from '../store.mjs';

const NO_APPOINTMENTS = { enabled: false, random_assignment: false, schedule_assignments: [] };

const SECTIONS = ['guidelines', 'notes', 'procedures', 'training', 'routing_rules', 'guard_rules'];

const withUuid = (sandbox, item) => ({ uuid: sandbox.random.uuid(), ...item });

/** The sections among the fields, with an identifier for each item. */
const sectionsIn = (sandbox, fields) =>
	Object.fromEntries(
		SECTIONS.filter((section) => fields[section] !== undefined).map((section) => [
			section,
			fields[section].map((item) => withUuid(sandbox, item)),
		]),
	);

/** @returns {any} a new agent with fields as in a create request */
export function addAgent(sandbox, { settings = {}, ...fields }) {
	const { contract, store } = sandbox;
	const agent = filledAs(contract, 'GET /agents/{}', {
		language: 'en',
		speed: 'normal',
		timezone: sandbox.settings.workspaceTimezone,
		...fields,
		...sectionsIn(sandbox, fields),
	});
	// Text settings that were never set are not there.
	const empty = { ...agent.settings, text: {} };
	return store.add('agents', { ...agent, settings: merged(empty, settings), voice_advanced: {} });
}

const webhooksOf = ({ store }, { agent_uuid }) => store.where('webhooks', { agent_uuid });

/** What a platform makes of a webhook that it accepts, by the setting `keeps`. */
function kept({ settings }, webhook) {
	switch (settings.webhooks.keeps) {
		case 'oneEvent':
			return { ...webhook, events: webhook.events?.slice(0, 1) };
		case 'off':
			return { ...webhook, is_active: false };
		case 'noSecret':
			return { ...webhook, secret_key: null };
		case 'cutUrl':
			return { ...webhook, url: webhook.url?.slice(0, 60) };
		default:
			return webhook;
	}
}

/** A webhook as the platform shows it: the secret never (interface §2.9). */
const shownWebhook = ({ secret_key, ...shown }) => ({ ...shown, has_secret: Boolean(secret_key) });

export function shownAgent(sandbox, agent) {
	return {
		...agent,
		...Object.fromEntries(SECTIONS.map((section) => [section, agent[section].filter(isShown)])),
		webhooks: webhooksOf(sandbox, agent).map(shownWebhook),
	};
}

/** The one of a list of parts that is meant. @throws {ApiError} 404 */
export function partOf(list, uuid, thing, key = 'uuid') {
	const part = list.find((one) => one[key] === uuid);
	if (part === undefined) throw notFound(thing);
	return part;
}

/** What becomes of the items of an agent's section by what can be done to it. */
const SECTION_WRITES = {
	POST: (section, items, { sandbox, body }) => {
		const order =
			section === 'routing_rules'
				? { priority: Math.max(0, ...items.map(({ priority }) => priority)) + 1 }
				: ['notes', 'guidelines'].includes(section)
					? { order: 0 }
					: {};
		return [...items, bornNow({ ...withUuid(sandbox, order), ...body })];
	},
	PUT: (section, items, { sandbox, body }) =>
		(body[section] ?? []).map((item) => withUuid(sandbox, item)),
	PATCH: (section, items, { params, body }) => {
		const item = partOf(items, params[1], 'Item');
		Object.assign(item, body);
		return items;
	},
	DELETE: (section, items, { params }) => {
		const item = partOf(items, params[1], 'Item');
		return items.filter((one) => one !== item);
	},
};

/** Updates one part of settings.voice and answers with that part only (reference: agents). */
const updateVoice =
	(part) =>
	({ record: agent, body }) => {
		const { voice } = agent.settings;
		voice[part] = { ...voice[part], ...body };
		return change(agent).settings.voice[part];
	};

/** The fields of the agent's voice with their present values; none without a voice (interface §4.1 rule 4). */
function voiceFields({ store }, agent) {
	const voice = store.get('voices', agent.settings.voice.voice_profile.voice_uuid);
	return (voice?.fields ?? []).map((field) => ({
		...field,
		value: agent.voice_advanced[field.key] ?? field.value,
	}));
}

function shownVoiceAdvanced(sandbox, agent) {
	const { voice_uuid } = agent.settings.voice.voice_profile;
	const fields = voiceFields(sandbox, agent);
	return { ...(voice_uuid === undefined ? {} : { voice_uuid }), fields };
}

function checkVoiceValue(field, key, value) {
	if (field === undefined) throw invalid(key, `The selected voice has no field ${key}.`);
	if (typeof value !== field.type) throw invalid(key, `The field ${key} must be a ${field.type}.`);
	if (field.min !== undefined && (value < field.min || value > field.max))
		throw invalid(key, `The field ${key} must be between ${field.min} and ${field.max}.`);
	if (field.options !== undefined && !field.options.includes(value))
		throw invalid(key, `The field ${key} must be one of: ${field.options.join(', ')}.`);
}

/** A platform without the endpoint, or one that refuses its method. */
function mustSupport(supported, { method, path }) {
	if (supported === false) throw endpointNotFound(method, path);
	if (supported === '405') throw new ApiError(405);
}

function checkWebhook({ settings }, { url, events }) {
	if (url !== undefined && settings.manners.httpsWebhooks && !url.startsWith('https:'))
		throw invalid('url', 'The field url must begin with https.', 'INVALID_FORMAT');
	if (url !== undefined && !/^https?:\/\/\S+$/.test(url))
		throw invalid('url', 'The field url must be a web address.', 'INVALID_FORMAT');
	if (events !== undefined && events.length === 0) throw required('events');
}

/** An intent's webhook, as far as the settings let it be changed. */
function intentFields({ settings }, { webhook, ...fields }) {
	if (webhook?.url === '' && !settings.intents.emptyAddress) throw required('webhook.url');
	if (webhook?.url) checkWebhook({ settings }, { url: webhook.url });
	return webhook === undefined || !settings.intents.updateSetsWebhook
		? fields
		: { ...fields, webhook };
}

const slug = (name) => name.toLowerCase().replace(/\W+/g, '_').replace(/^_|_$/g, '');

const intentOf = (agent, uuid) => partOf(agent.intents, uuid, 'Intent', 'intent_uuid');

function eventOf(agent, uuid) {
	const { event } = intentOf(agent, uuid);
	if (event === undefined) throw notFound('Event');
	return event;
}

/** The single action of an intent, as its kind demands (reference: agents). */
function intentEvent({ store }, { event_type: type, ...body }) {
	const needs = {
		webhook: ['webhook'],
		app: ['app_uid', 'action_key'],
		scenario: ['flow_uuid'],
		agent: ['agent_uuid'],
	}[type];
	if (needs === undefined) throw required('event_type');
	const missing = needs.find((name) => body[name] === undefined);
	if (missing !== undefined)
		throw invalid(missing, `The field ${missing} is required for an event of type ${type}.`);
	if (type === 'agent') store.need('agents', body.agent_uuid);
	if (type === 'scenario') store.need('flows', body.flow_uuid);
	const event = { event_type: type, status: 'draft' };
	if (type !== 'app') return { ...event, ...body };
	const app = store.get('flow_apps', body.app_uid);
	const action = app?.actions.find(({ key }) => key === body.action_key);
	if (action === undefined)
		throw invalid(app === undefined ? 'app_uid' : 'action_key', 'There is no such app or action.');
	const isBuiltIn = app.category === 'builtin';
	const { app_connection_uuid = null, config = {} } = body;
	if (!isBuiltIn && store.get('flow_connections', app_connection_uuid)?.app_uid !== app.uid)
		throw invalid(
			'app_connection_uuid',
			'The app is not connected, or its connection is inactive.',
		);
	return {
		...event,
		app: { uid: app.uid, name: app.name, is_builtin: isBuiltIn },
		action: { key: action.key, name: action.name },
		app_connection_uuid,
		config,
	};
}

export const handlers = {
	'POST /agents/{}/intents': ({ sandbox, operation, record: agent, ...context }) => {
		mustSupport(sandbox.settings.intents.create, operation);
		const body = intentFields(sandbox, context.body);
		const given = Object.entries(body).filter(([, value]) => value !== null);
		// Without an address that was asked for, it has none.
		const none = { url: '', auth_token: '' };
		const { webhook = none, ...fields } = Object.fromEntries(given);
		const { webhook: _, ...empty } = filledAs(sandbox.contract, operation.key, {});
		const key = body.key ?? slug(body.name);
		const intent_uuid = sandbox.random.uuid();
		const intent = { ...empty, intent_uuid, ...fields, webhook, key, ...born() };
		agent.intents.push(intent);
		return intent;
	},
	'PATCH /agents/{}/intents/{}': ({ sandbox, operation, record: agent, params, body }) => {
		mustSupport(sandbox.settings.intents.update, operation);
		const fields = Object.entries(intentFields(sandbox, body));
		const changes = Object.fromEntries(fields.map(([name, value]) => [name, value ?? '']));
		return change(intentOf(agent, params[1]), changes);
	},
	'GET /agents/{}/intents/{}/event': ({ sandbox, operation, record: agent, params }) => {
		mustSupport(sandbox.settings.intents.event, operation);
		return eventOf(agent, params[1]);
	},
	'PUT /agents/{}/intents/{}/event': ({ sandbox, operation, record: agent, params, body }) => {
		mustSupport(sandbox.settings.intents.event, operation);
		return (intentOf(agent, params[1]).event = intentEvent(sandbox, body));
	},
	'POST /agents/{}/intents/{}/event/publish': ({ record: agent, params }) =>
		changed(Object.assign(eventOf(agent, params[1]), { status: 'deployed' })),
	'GET /agents': (context) =>
		paged(context, 'agents', {
			searched: ['name', 'company_name', 'role'],
			show: (agent) => shownAgent(context.sandbox, agent),
		}),
	'POST /agents': ({ sandbox, body }) => shownAgent(sandbox, addAgent(sandbox, body)),
	'GET /agents/{}': ({ sandbox, record: agent }) => shownAgent(sandbox, agent),
	'PATCH /agents/{}': ({ sandbox, record: agent, body }) => {
		const { settings: given = {}, ...fields } = body;
		const settings = merged(agent.settings, given);
		change(agent, fields, sectionsIn(sandbox, fields), { settings });
		return shownAgent(sandbox, agent);
	},
	'PUT /agents/{}/appointments': ({ sandbox, record: agent, body }) => {
		change(agent, { appointments: { ...NO_APPOINTMENTS, ...body } });
		return shownAgent(sandbox, agent);
	},
	'GET /agents/{}/voice': ({ sandbox, record: agent }) => {
		const tuned = voiceFields(sandbox, agent).map(({ key, value }) => [key, value]);
		const { agent_uuid: uuid, settings } = agent;
		return { uuid, ...settings.voice, voice_advanced: Object.fromEntries(tuned) };
	},
	'PATCH /agents/{}/interaction': updateVoice('interaction'),
	'PATCH /agents/{}/call-behavior': updateVoice('call_behavior'),
	'GET /agents/{}/compliance': ({ record: agent }) => agent.settings.voice.compliance,
	'GET /agents/{}/voice-advanced': ({ sandbox, record: agent }) =>
		shownVoiceAdvanced(sandbox, agent),
	'PATCH /agents/{}/voice-advanced': ({ sandbox, record: agent, body }) => {
		const fields = new Map(voiceFields(sandbox, agent).map((field) => [field.key, field]));
		for (const [key, value] of Object.entries(body)) checkVoiceValue(fields.get(key), key, value);
		Object.assign(agent.voice_advanced, body);
		return shownVoiceAdvanced(sandbox, agent);
	},
	'GET /agents/{}/webhooks': ({ sandbox, record: agent }) => {
		const items = webhooksOf(sandbox, agent).map(shownWebhook);
		return { items, count: items.length, limit: sandbox.settings.webhooks.limit };
	},
};

/** Whatever is done to a section of an agent answers with the whole agent (reference: agents). */
const sectionRule = (section) => ({
	write: (context) => {
		const { sandbox, operation, record: agent } = context;
		const items = SECTION_WRITES[operation.method](section, agent[section], context);
		return shownAgent(sandbox, change(agent, { [section]: items }));
	},
});

export const rules = {
	...Object.fromEntries(SECTIONS.map((section) => [section, sectionRule(section)])),
	webhooks: {
		prepare: ({ sandbox, record: agent }, body) => {
			checkWebhook(sandbox, body);
			const { limit } = sandbox.settings.webhooks;
			if (webhooksOf(sandbox, agent).length >= limit)
				throw conflict(`The agent already has ${limit} webhooks.`, 'webhook_limit_reached');
			return kept(sandbox, { is_active: true, secret_key: null, ...body });
		},
		revise: ({ sandbox }, webhook, body) => {
			checkWebhook(sandbox, body);
			if (sandbox.settings.webhooks.updateWantsBoth)
				for (const name of ['url', 'events']) if (body[name] === undefined) throw required(name);
			return kept(sandbox, body);
		},
		refuse: ({ sandbox: { settings }, operation }) => {
			const supported = { PATCH: settings.webhooks.update, DELETE: settings.webhooks.delete };
			mustSupport(supported[operation.method], operation);
		},
		keeps: ({ sandbox: { settings } }) => settings.webhooks.keeps === 'deletesNothing',
		show: (context, webhook) => shownWebhook(webhook),
	},
};
