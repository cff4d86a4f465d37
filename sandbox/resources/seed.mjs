import { filledAs } from '../shape.mjs';
import { Instant } from '../zone.mjs';
import { addAgent } from './agents.mjs';
import { addContact } from './contacts.mjs';
import { addNumber } from './phone-numbers.mjs';

const FIRST_NAMES =
	'Ada Bilge Chen Deniz Elif Farid Grace Hugo Ines Jonas Kaya Lena Mert Noor Olga Priya'.split(' ');
const SURNAMES =
	'Aydin Brown Costa Demir Evans Fischer Garcia Hoang Ito Jensen Kaplan Lopez Meyer'.split(' ');
const ROLES = ['Sales agent', 'Support agent', 'Receptionist', 'Survey caller', 'Debt reminder'];
const COMPANIES = ['Northwind Solar', 'Blue Harbor Clinic', 'Atlas Logistics'];

/** Records that were there before the sandbox started carry this time. */
const LONG_AGO = Date.UTC(2026, 0, 1);
const since = (ms) => ({
	created_at: new Instant(LONG_AGO + ms),
	updated_at: new Instant(LONG_AGO + ms),
});

/** What each voice can be tuned with. */
const VOICES = [
	{
		voice_name: 'Warm',
		fields: [
			{ key: 'stability', type: 'number', min: 0, max: 1, value: 0.5 },
			{ key: 'similarity', type: 'number', min: 0, max: 1, value: 0.75 },
			{ key: 'style', type: 'number', min: 0, max: 1, value: 0 },
			{ key: 'speed', type: 'number', min: 0.7, max: 1.2, value: 1 },
			{ key: 'speaker_boost', type: 'boolean', value: true },
		],
	},
	{
		voice_name: 'Clear',
		fields: [
			{ key: 'speed', type: 'number', options: [0.8, 1, 1.2], value: 1 },
			{ key: 'stability', type: 'number', min: 0.2, max: 0.9, value: 0.6 },
		],
	},
];

const evaluator = { enabled: true, description: '' };
const EVALUATORS = [
	'sentiment_analyzer',
	'emotion_detection',
	'intent_labels',
	'knowledge_gap',
	'human_escalation_detection',
	'customer_satisfaction_score',
	'success_evaluation_prompt',
];

/** What flows can be made of; the platform's own catalog is not shown. */
const app = (name, category, triggers, actions) => ({
	uid: name.toLowerCase(),
	name,
	icon: name.toLowerCase(),
	category,
	requires_connection: category === 'connect',
	triggers,
	actions,
});

/** A few records of what the contract can list or read but not create, by collection. */
const RECORDS = {
	schedules: [
		{ id: 1, name: 'Demo call', type: 'appointment', color: '#2266cc' },
		{ id: 2, name: 'Site visit', type: 'appointment', color: '#2266cc' },
	],
	campaigns: ['Draft', 'In Process'].map((status, index) => ({
		name: `Campaign ${index + 1}`,
		status,
		campaign_type: 'call',
		rules: null,
		pool_uuids: [],
	})),
	contact_tags: [
		{ id: 1, name: 'VIP' },
		{ id: 2, name: 'Newsletter' },
	],
	whatsapp_wabas: [{ waba_id: '123456789012345', name: 'Sandbox business account' }],
	whatsapp_templates: [
		['hello', 'Hello from the sandbox.', 'APPROVED'],
		['order_confirmation', 'Hello {{1}}, your order {{2}} is confirmed.', 'APPROVED'],
		['not_yet', 'Waiting.', 'PENDING'],
	].map(([name, content, status]) => ({
		name,
		language: 'en_US',
		category: 'UTILITY',
		status,
		content,
		components: [{ type: 'BODY', text: content }],
		template_id: '1001',
		waba_id: '123456789012345',
		phone_number: '+12125550000',
		type: 'whatsapp',
	})),
	contacts_approvals: [
		['Pending', 0.9],
		['Pending', 0.6],
		['Approved', 0.4],
	].map(([status, confidence]) => ({
		field_name: 'b_email',
		current_value: '',
		suggested_value: 'new@example.com',
		ai_notes: 'Named in the call.',
		confidence,
		status,
		conversation_uuid: null,
		pipeline_uuid: null,
	})),
	evaluate_default: [
		{
			uuid: 'default',
			settings: {
				is_active: true,
				sessionization: {
					session_mode: 'sliding_timeout',
					timeout_minutes: 30,
					report_language: 'English',
					summary_prompt: '',
				},
				text: Object.fromEntries(EVALUATORS.map((name) => [name, evaluator])),
				voice: { human_escalation_detection: evaluator },
			},
		},
	],
	qa_agents: [
		{
			name: 'Standard scorecard',
			evaluates_agent_type: 'human',
			is_active: true,
			is_default: true,
			evaluation_model: 'advanced',
			strictness_level: 70,
			confidence_threshold: 85,
			auto_fail_threshold: 3,
			language: 'English',
			automatic_scoring: true,
			sentiment_analysis: true,
			compliance_checking: true,
		},
	],
	flow_connections: [{ app_uid: 'calendar', label: 'Office calendar', status: 'active' }],
	flow_apps: [
		app(
			'Agents',
			'builtin',
			[{ key: 'conversation_ended', name: 'Conversation ended' }],
			[
				{ key: 'start_call', name: 'Start call' },
				{ key: 'end_call', name: 'End call' },
			],
		),
		app('Tables', 'builtin', [], [{ key: 'ai_query', name: 'Ask a table', read_only: true }]),
		app('Logic', 'builtin', [], [{ key: 'if_condition', name: 'If', read_only: true }]),
		app(
			'Calendar',
			'connect',
			[{ key: 'event_created', name: 'Event created' }],
			[{ key: 'create_event', name: 'Create event' }],
		),
	],
	flows: [{ name: 'After every conversation', description: null, status: 'draft', steps: [] }],
	sip_connections: [{ name: 'Office', phone_number: '+12125550200' }],
	logs_actions: ['task', 'workflow', 'intent'].map((type) => ({
		type,
		name: `A ${type}`,
		status: 'success',
		channel: 'call',
		duration_ms: 120,
	})),
};

/** Endpoints that show what a record of a collection has. */
const SHAPES = {
	schedules: 'GET /schedules/{}',
	campaigns: 'GET /campaigns/{}',
	qa_agents: 'GET /qa-agents/{}',
	logs_actions: 'GET /logs/actions/{}/{}',
};

/**
 * Fills a fresh workspace.
 * @param {import('../sandbox.mjs').Sandbox} sandbox
 * @param {{agents: number, contacts: number}} counts
 */
export function seedWorkspace(sandbox, counts) {
	const { contract, store, random } = sandbox;
	const voices = VOICES.map((voice) => {
		const uuid = random.uuidFor(`voice ${voice.voice_name.toLowerCase()}`);
		return store.add('voices', { uuid, ...voice });
	});
	for (let index = 0; index < counts.agents; index += 1) {
		// Every third agent has no voice selected.
		const { uuid: voice_uuid, voice_name } = voices[index % 3] ?? {};
		const voice_profile = { language: 'en', voice_uuid, voice_name };
		addAgent(sandbox, {
			agent_uuid: random.uuidFor(`agent ${index}`),
			name: `${FIRST_NAMES[index % FIRST_NAMES.length]} ${index + 1}`,
			role: ROLES[index % ROLES.length],
			company_name: COMPANIES[index % COMPANIES.length],
			description: `Agent number ${index + 1} of the sandbox.`,
			status: 'ready',
			settings: voice_uuid === undefined ? {} : { voice: { voice_profile } },
			...since(index * 60_000),
		});
	}
	for (const [key, name, type] of [
		['company', 'Company', 'text'],
		['lead_source', 'Lead source', 'text'],
		['birthday', 'Birthday', 'date'],
	])
		store.add('contacts_fields', { key, name, type, is_active: true });
	seedContacts(sandbox, counts.contacts);
	const [agent] = store.all('agents');
	const [contact] = store.all('contacts');
	const who = {
		contacts_approvals: { contact_uuid: contact?.uuid ?? null },
		logs_actions: {
			agent: agent ? { uuid: agent.agent_uuid, name: agent.name } : null,
			contact: contact
				? { uuid: contact.uuid, name: contact.name, phone_number: contact.phone_number }
				: null,
		},
	};
	for (const [collection, records] of Object.entries(RECORDS))
		for (const [index, record] of records.entries()) {
			const { key } = store.collection(collection);
			const id = random.uuidFor(`${collection} ${index}`);
			const fields = { [key]: id, ...since(0), ...structuredClone(record), ...who[collection] };
			const shape = SHAPES[collection];
			store.add(collection, shape ? filledAs(contract, shape, fields) : fields);
		}
	addNumber(sandbox, 'phone_numbers', {
		phone_number_uuid: random.uuidFor('phone number'),
		number: '+12125550100',
		...since(0),
	});
}

function seedContacts(sandbox, count) {
	// The last twelve digits are the number of the contact.
	const prefix = sandbox.random.uuidFor('contacts').slice(0, 24);
	for (let index = 0; index < count; index += 1)
		addContact(sandbox, {
			uuid: `${prefix}${index.toString(16).padStart(12, '0')}`,
			name: FIRST_NAMES[index % FIRST_NAMES.length],
			surname: SURNAMES[index % SURNAMES.length],
			email: `contact${index + 1}@example.com`,
			phone_number: `+90555${String(index).padStart(7, '0')}`,
			number_type: 'mobile',
			country_code: 'TR',
			timezone: 'Europe/Istanbul',
			primary_language: 'tr',
			preferred_contact_channel: 'Call',
			preferred_contact_time: 'Morning',
			...since(index * 1000),
		});
}
