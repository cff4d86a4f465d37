import { changed, created, dataOnly, deleted, paged, read, wordless } from '../answers.mjs';
import { ApiError, conflict, endpointNotFound, invalid, notFound } from '../errors.mjs';
import { emptied } from '../manners.mjs';
import { merged } from '../settings.mjs';
import { born, bornNow, isShown } from '../store.mjs';
import { Instant } from '../zone.mjs';
import { APPS } from './apps.mjs';

const TEXTS = [
	'description',
	'company_name',
	'role',
	'objective',
	'tone',
	'behavior_guidelines',
	'company_service',
	'topic',
	'length_detail',
	'interest_of_product',
	'negative_response',
	'custom_prompt',
	'custom_llm_url',
	'recommendations',
];
const SECTIONS = ['guidelines', 'notes', 'procedures', 'training', 'routing_rules', 'guard_rules'];

/** Voice settings of an agent that never had any set; the platform's own defaults are not shown. */
const VOICE = {
	interaction: {
		customer_speak_first: false,
		inbound_first_message: '',
		outbound_first_message: '',
		voice_mail_message: '',
		end_call_message: '',
		silence_message: '',
		max_silence_prompts: 30,
	},
	interruption: { mode: 'balanced' },
	voice_profile: { language: 'en' },
	call_behavior: {
		audio_recording: true,
		background_sound: false,
		silence_timeout_seconds: 60,
		max_call_duration_seconds: 1800,
		max_call_duration_message: '',
	},
	compliance: { eu_gdpr_compliance: false, hipaa_compliance: false },
	normalizers: { outbound: {}, inbound: {} },
};

/** What an update of a part of an agent can set, beside what a source says stays: the steps of a procedure. */
const SETTABLE = {
	procedures: ['name', 'description'],
	training: ['content', 'intent', 'response'],
	intent: [
		'description',
		'recommendation_actions',
		'confidence_threshold',
		'intent_llm_handle_by_response',
		'webhook',
		'parameters',
	],
	webhook: ['secret_key', 'is_active'],
};

/**
 * @param {import('../sandbox.mjs').Sandbox} sandbox
 * @param {object} fields as in a create request
 * @returns {any} the agent as it is stored
 */
export function newAgent(sandbox, fields, uuid = sandbox.random.uuid()) {
	const { settings = {}, ...given } = fields;
	const agent = {
		agent_uuid: uuid,
		...Object.fromEntries(TEXTS.map((name) => [name, ''])),
		status: 'pending',
		language: 'en',
		speed: 'normal',
		timezone: sandbox.settings.workspaceTimezone,
		appointment_scheduling_enabled: false,
		appointment_scheduling_randomly: false,
		...given,
		settings: merged({ voice: VOICE, text: {}, memorize: {}, evaluation: {} }, settings),
		appointments: fields.appointments ?? {
			enabled: false,
			random_assignment: false,
			schedule_assignments: [],
		},
		intents: [],
		phone_numbers: [],
		channels: [],
		...born(),
	};
	for (const section of SECTIONS)
		agent[section] = (given[section] ?? []).map((item) => withUuid(sandbox, item));
	agent.voice_advanced = {};
	return agent;
}

const withUuid = (sandbox, item) => ({ uuid: sandbox.random.uuid(), ...item });

export const agentOf = (sandbox, uuid) => sandbox.store.need('agents', uuid, 'Agent');

const webhooksOf = (sandbox, agent) =>
	[...sandbox.store.collection('webhooks').values()].filter(
		(webhook) => webhook.agent_uuid === agent.agent_uuid,
	);

/** A webhook as the platform shows it: the secret never (interface §2.9). */
const shownWebhook = ({
	webhook_uuid,
	url,
	events,
	is_active,
	secret_key,
	created_at,
	updated_at,
}) => ({
	webhook_uuid,
	url,
	events,
	is_active,
	has_secret: Boolean(secret_key),
	created_at,
	updated_at,
});

export function shownAgent(sandbox, agent) {
	const { voice_advanced, ...shown } = agent;
	return {
		...shown,
		...Object.fromEntries(SECTIONS.map((section) => [section, agent[section].filter(isShown)])),
		intents: agent.intents.map(shownIntent),
		webhooks: webhooksOf(sandbox, agent).map(shownWebhook),
	};
}

/** @returns {import('../answers.mjs').Result} the whole agent, as the writes of its sections answer */
export function wholeAgent(sandbox, agent, effect) {
	agent.updated_at = Instant.now();
	return dataOnly(shownAgent(sandbox, agent), agent.agent_uuid, effect);
}

const addTo =
	(section) =>
	({ sandbox, params: [uuid], body }) => {
		const agent = agentOf(sandbox, uuid);
		if (section === 'routing_rules' && body.priority === undefined)
			body.priority = Math.max(0, ...agent[section].map(({ priority }) => priority)) + 1;
		const order = section === 'notes' || section === 'guidelines' ? { order: 0 } : {};
		agent[section].push(bornNow({ ...withUuid(sandbox, order), ...body }));
		return wholeAgent(sandbox, agent, 'created');
	};

const replaceAll =
	(section) =>
	({ sandbox, params: [uuid], body }) => {
		const agent = agentOf(sandbox, uuid);
		agent[section] = (body[section] ?? []).map((item) => withUuid(sandbox, item));
		return wholeAgent(sandbox, agent, 'changed');
	};

function itemOf(agent, section, uuid) {
	const item = agent[section].find((one) => one.uuid === uuid);
	if (item === undefined) throw notFound('Item');
	return item;
}

const updateIn =
	(section) =>
	({ sandbox, operation, params: [uuid, itemUuid], body }) => {
		const agent = agentOf(sandbox, uuid);
		const item = itemOf(agent, section, itemUuid);
		Object.assign(item, emptied(sandbox, operation, item, SETTABLE[section]), body);
		return wholeAgent(sandbox, agent, 'changed');
	};

const deleteFrom =
	(section) =>
	({ sandbox, params: [uuid, itemUuid] }) => {
		const agent = agentOf(sandbox, uuid);
		const item = itemOf(agent, section, itemUuid);
		agent[section] = agent[section].filter((one) => one !== item);
		return wholeAgent(sandbox, agent, 'changed');
	};

const SECTION_WRITES = {
	guidelines: { POST: addTo, PUT: replaceAll, 'DELETE/{}': deleteFrom },
	notes: { POST: addTo, 'DELETE/{}': deleteFrom },
	procedures: { POST: addTo, 'PATCH/{}': updateIn, 'DELETE/{}': deleteFrom },
	training: { POST: addTo, PUT: replaceAll, 'PATCH/{}': updateIn, 'DELETE/{}': deleteFrom },
	routing_rules: { POST: addTo, PUT: replaceAll, 'PATCH/{}': updateIn, 'DELETE/{}': deleteFrom },
	guard_rules: { POST: addTo, PUT: replaceAll, 'PATCH/{}': updateIn, 'DELETE/{}': deleteFrom },
};

const sectionHandlers = () =>
	Object.fromEntries(
		Object.entries(SECTION_WRITES).flatMap(([section, writes]) =>
			Object.entries(writes).map(([write, handler]) => {
				const [method, item] = write.split('/');
				return [
					`${method} /agents/{}/${section.replaceAll('_', '-')}${item === undefined ? '' : `/${item}`}`,
					handler(section),
				];
			}),
		),
	);

/** Updates one part of settings.voice and answers with that part only (reference: agents). */
const updateVoice =
	(part) =>
	({ sandbox, operation, params: [uuid], body }) => {
		const agent = agentOf(sandbox, uuid);
		const now = agent.settings.voice[part];
		agent.settings.voice[part] = { ...now, ...emptied(sandbox, operation, now), ...body };
		agent.updated_at = Instant.now();
		return changed(agent.settings.voice[part], uuid);
	};

/** The fields of the agent's voice with their present values; none without a voice (interface §4.1 rule 4). */
function voiceFields(sandbox, agent) {
	const voice = sandbox.store
		.collection('voices')
		.get(agent.settings.voice.voice_profile.voice_uuid);
	return (voice?.fields ?? []).map((field) => ({
		...field,
		value: agent.voice_advanced[field.key] ?? field.value,
	}));
}

function shownVoiceAdvanced(sandbox, agent) {
	const names = sandbox.settings.voiceFieldKeys;
	const fields = voiceFields(sandbox, agent).map(({ min, max, options, ...field }) => ({
		...field,
		...(min === undefined ? {} : { [names.min]: min, [names.max]: max }),
		...(options === undefined ? {} : { [names.options]: options }),
	}));
	const { voice_uuid } = agent.settings.voice.voice_profile;
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
function mustSupport(supported, method, path) {
	if (supported === false) throw endpointNotFound(method, path);
	if (supported === '405') throw new ApiError(405);
}

function webhookOf(sandbox, agent, uuid) {
	const webhook = webhooksOf(sandbox, agent).find((one) => one.webhook_uuid === uuid);
	if (webhook === undefined) throw notFound('Webhook');
	return webhook;
}

function checkWebhook({ settings }, { url, events }) {
	if (url !== undefined && settings.manners.httpsWebhooks && !url.startsWith('https:'))
		throw invalid('url', 'The field url must begin with https.', 'INVALID_FORMAT');
	if (url !== undefined && !/^https?:\/\/\S+$/.test(url))
		throw invalid('url', 'The field url must be a web address.', 'INVALID_FORMAT');
	if (events !== undefined && events.length === 0)
		throw invalid('events', 'The field events is required.');
}

/** An intent's webhook, as far as the settings let it be changed. */
function intentFields({ settings }, { webhook, ...fields }) {
	if (webhook?.url === '' && !settings.intents.emptyAddress)
		throw invalid('webhook.url', 'The field webhook.url is required.');
	if (webhook?.url) checkWebhook({ settings }, { url: webhook.url });
	return webhook === undefined || !settings.intents.updateSetsWebhook
		? fields
		: { ...fields, webhook };
}

const slug = (name) => name.toLowerCase().replace(/\W+/g, '_').replace(/^_|_$/g, '');

function intentOf(agent, uuid) {
	const intent = agent.intents.find((one) => one.intent_uuid === uuid);
	if (intent === undefined) throw notFound('Intent');
	return intent;
}

const shownIntent = ({ event, ...intent }) => intent;

/** The single action of an intent, as its kind demands (reference: agents). */
function intentEvent(sandbox, body) {
	const needs = {
		webhook: ['webhook'],
		app: ['app_uid', 'action_key'],
		scenario: ['flow_uuid'],
		agent: ['agent_uuid'],
	}[body.event_type];
	if (needs === undefined) throw invalid('event_type', 'The field event_type is required.');
	const missing = needs.find((name) => body[name] === undefined);
	if (missing !== undefined)
		throw invalid(
			missing,
			`The field ${missing} is required for an event of type ${body.event_type}.`,
		);
	if (body.event_type === 'agent') agentOf(sandbox, body.agent_uuid);
	if (
		body.event_type === 'scenario' &&
		sandbox.store.collection('flows').get(body.flow_uuid) === undefined
	)
		throw notFound('Flow');
	if (body.event_type !== 'app') return { ...body, status: 'draft' };
	const app = APPS.find(({ uid }) => uid === body.app_uid);
	const action = app?.actions.find(({ key }) => key === body.action_key);
	if (action === undefined)
		throw invalid(app === undefined ? 'app_uid' : 'action_key', 'There is no such app or action.');
	const connected =
		app.category === 'builtin' ||
		sandbox.store.collection('flow_connections').get(body.app_connection_uuid)?.app_uid === app.uid;
	if (!connected)
		throw invalid(
			'app_connection_uuid',
			'The app is not connected, or its connection is inactive.',
		);
	return {
		event_type: 'app',
		status: 'draft',
		app: { uid: app.uid, name: app.name, is_builtin: app.category === 'builtin' },
		action: { key: action.key, name: action.name },
		app_connection_uuid: body.app_connection_uuid ?? null,
		config: body.config ?? {},
	};
}

export const agents = {
	'POST /agents/{}/intents': ({ sandbox, operation, params: [uuid], body: given }) => {
		mustSupport(sandbox.settings.intents.create, 'POST', operation.path);
		const body = intentFields(sandbox, given);
		const agent = agentOf(sandbox, uuid);
		const intent = {
			intent_uuid: sandbox.random.uuid(),
			description: '',
			recommendation_actions: '',
			confidence_threshold: 0.7,
			is_system: false,
			intent_llm_handle_by_response: false,
			parameters: [],
			...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
			key: body.key ?? slug(body.name),
			...born(),
		};
		agent.intents.push(intent);
		return wordless(shownIntent(intent), intent.intent_uuid, 'created');
	},
	'PATCH /agents/{}/intents/{}': ({ sandbox, operation, params, body: given }) => {
		const [uuid, intentUuid] = params;
		mustSupport(sandbox.settings.intents.update, 'PATCH', operation.path);
		const body = intentFields(sandbox, given);
		const intent = intentOf(agentOf(sandbox, uuid), intentUuid);
		Object.assign(
			intent,
			emptied(sandbox, operation, intent, SETTABLE.intent),
			Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value ?? ''])),
			{ key: body.key ?? intent.key, updated_at: Instant.now() },
		);
		return wordless(shownIntent(intent), intentUuid, 'changed');
	},
	'GET /agents/{}/intents/{}/event': ({ sandbox, operation, params: [uuid, intentUuid] }) => {
		mustSupport(sandbox.settings.intents.event, 'GET', operation.path);
		const { event } = intentOf(agentOf(sandbox, uuid), intentUuid);
		if (event === undefined) throw notFound('Event');
		return read(event);
	},
	'PUT /agents/{}/intents/{}/event': ({ sandbox, operation, params: [uuid, intentUuid], body }) => {
		mustSupport(sandbox.settings.intents.event, 'PUT', operation.path);
		const intent = intentOf(agentOf(sandbox, uuid), intentUuid);
		intent.event = intentEvent(sandbox, body);
		return changed(intent.event, intentUuid, 'Event set.');
	},
	'POST /agents/{}/intents/{}/event/publish': ({ sandbox, params: [uuid, intentUuid] }) => {
		const { event } = intentOf(agentOf(sandbox, uuid), intentUuid);
		if (event === undefined) throw notFound('Event');
		event.status = 'deployed';
		return changed(event, intentUuid, 'Event published.');
	},
	'GET /agents': (context) => {
		const { sandbox, query } = context;
		const { status, search } = query;
		const wanted = search?.toLowerCase();
		const where =
			status === undefined && !wanted
				? undefined
				: (agent) =>
						(status === undefined || agent.status === status) &&
						(!wanted ||
							[agent.name, agent.company_name, agent.role].some((text) =>
								text.toLowerCase().includes(wanted),
							));
		return read(
			paged(context, 'agents', { where, show: (agent) => shownAgent(sandbox, agent) }),
			'Agents retrieved.',
		);
	},
	'POST /agents': ({ sandbox, body }) => {
		const agent = sandbox.store.collection('agents').add(newAgent(sandbox, body));
		return created(shownAgent(sandbox, agent), agent.agent_uuid, 'Agent created.');
	},
	'GET /agents/{}': ({ sandbox, params: [uuid] }) =>
		read(shownAgent(sandbox, agentOf(sandbox, uuid)), 'Agent retrieved.'),
	'PATCH /agents/{}': ({ sandbox, operation, params: [uuid], body }) => {
		const agent = agentOf(sandbox, uuid);
		const { settings, ...fields } = body;
		Object.assign(agent, fields);
		for (const section of SECTIONS.filter((name) => fields[name] !== undefined))
			agent[section] = fields[section].map((item) => withUuid(sandbox, item));
		if (settings !== undefined)
			agent.settings = merged(
				{ ...agent.settings, ...emptied(sandbox, operation, agent.settings) },
				settings,
			);
		agent.updated_at = Instant.now();
		return changed(shownAgent(sandbox, agent), uuid, 'Agent updated.');
	},
	...sectionHandlers(),
	'PUT /agents/{}/appointments': ({ sandbox, params: [uuid], body }) => {
		const agent = agentOf(sandbox, uuid);
		agent.appointments = {
			enabled: false,
			random_assignment: false,
			schedule_assignments: [],
			...body,
		};
		return wholeAgent(sandbox, agent, 'changed');
	},
	'GET /agents/{}/voice': ({ sandbox, params: [uuid] }) => {
		const agent = agentOf(sandbox, uuid);
		const tuned = Object.fromEntries(
			voiceFields(sandbox, agent).map(({ key, value }) => [key, value]),
		);
		return read({ uuid, ...agent.settings.voice, voice_advanced: tuned });
	},
	'PATCH /agents/{}/interaction': updateVoice('interaction'),
	'PATCH /agents/{}/call-behavior': updateVoice('call_behavior'),
	'GET /agents/{}/compliance': ({ sandbox, params: [uuid] }) =>
		read(agentOf(sandbox, uuid).settings.voice.compliance),
	'GET /agents/{}/voice-advanced': ({ sandbox, params: [uuid] }) =>
		read(shownVoiceAdvanced(sandbox, agentOf(sandbox, uuid))),
	'PATCH /agents/{}/voice-advanced': ({ sandbox, operation, params: [uuid], body }) => {
		const agent = agentOf(sandbox, uuid);
		const fields = new Map(voiceFields(sandbox, agent).map((field) => [field.key, field]));
		for (const [key, value] of Object.entries(body)) checkVoiceValue(fields.get(key), key, value);
		const now = agent.voice_advanced;
		Object.assign(now, emptied(sandbox, operation, now), body);
		return changed(shownVoiceAdvanced(sandbox, agent), uuid);
	},
	'GET /agents/{}/webhooks': ({ sandbox, params: [uuid] }) => {
		const items = webhooksOf(sandbox, agentOf(sandbox, uuid)).map(shownWebhook);
		return {
			status: 200,
			body: {
				success: true,
				data: { items, count: items.length, limit: sandbox.settings.webhooks.limit },
			},
			effect: 'none',
		};
	},
	'POST /agents/{}/webhooks': ({ sandbox, params: [uuid], body }) => {
		const agent = agentOf(sandbox, uuid);
		checkWebhook(sandbox, body);
		const { limit } = sandbox.settings.webhooks;
		if (webhooksOf(sandbox, agent).length >= limit)
			throw conflict(`The agent already has ${limit} webhooks.`, 'webhook_limit_reached');
		const webhook = sandbox.store.collection('webhooks').add({
			webhook_uuid: sandbox.random.uuid(),
			agent_uuid: uuid,
			is_active: true,
			secret_key: null,
			...body,
			...born(),
		});
		return wordless(shownWebhook(webhook), webhook.webhook_uuid, 'created');
	},
	'PATCH /agents/{}/webhooks/{}': ({ sandbox, operation, params: [uuid, webhookUuid], body }) => {
		mustSupport(sandbox.settings.webhooks.update, 'PATCH', operation.path);
		const webhook = webhookOf(sandbox, agentOf(sandbox, uuid), webhookUuid);
		checkWebhook(sandbox, body);
		if (sandbox.settings.webhooks.updateWantsBoth)
			for (const name of ['url', 'events'])
				if (body[name] === undefined) throw invalid(name, `The field ${name} is required.`);
		Object.assign(webhook, emptied(sandbox, operation, webhook, SETTABLE.webhook), body, {
			updated_at: Instant.now(),
		});
		return wordless(shownWebhook(webhook), webhookUuid, 'changed');
	},
	'DELETE /agents/{}/webhooks/{}': ({ sandbox, operation, params: [uuid, webhookUuid] }) => {
		mustSupport(sandbox.settings.webhooks.delete, 'DELETE', operation.path);
		webhookOf(sandbox, agentOf(sandbox, uuid), webhookUuid);
		sandbox.store.collection('webhooks').delete(webhookUuid);
		return deleted(webhookUuid, 'Webhook');
	},
};
