import { born, Collection } from '../store.mjs';
import { Instant } from '../zone.mjs';
import { newAgent } from './agents.mjs';
import { ownNumber } from './phone-numbers.mjs';
import { FIRST_EVALUATE_SETTINGS } from './quality.mjs';

const FIRST_NAMES =
	'Ada Bilge Chen Deniz Elif Farid Grace Hugo Ines Jonas Kaya Lena Mert Noor Olga Priya'.split(' ');
const SURNAMES =
	'Aydin Brown Costa Demir Evans Fischer Garcia Hoang Ito Jensen Kaplan Lopez Meyer'.split(' ');
const ROLES = ['Sales agent', 'Support agent', 'Receptionist', 'Survey caller', 'Debt reminder'];
const COMPANIES = ['Northwind Solar', 'Blue Harbor Clinic', 'Atlas Logistics'];

/** Records that were there before the sandbox started carry this time. */
const LONG_AGO = Date.UTC(2026, 0, 1);

/** @type {{voice_uuid: string, voice_name: string, fields: object[]}[]} what each voice can be tuned with */
export const voicesOf = (random) => [
	{
		voice_uuid: random.uuidFor('voice warm'),
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
		voice_uuid: random.uuidFor('voice clear'),
		voice_name: 'Clear',
		fields: [
			{ key: 'speed', type: 'number', options: [0.8, 1, 1.2], value: 1 },
			{ key: 'stability', type: 'number', min: 0.2, max: 0.9, value: 0.6 },
		],
	},
];

/**
 * Fills a fresh workspace.
 * @param {import('../sandbox.mjs').Sandbox} sandbox
 * @param {{agents: number, contacts: number}} counts
 */
export function seedWorkspace(sandbox, counts) {
	const { store, random } = sandbox;
	store.define(new Collection('agents', { key: 'agent_uuid' }));
	store.define(new Collection('webhooks', { key: 'webhook_uuid' }));
	store.define(new Collection('contacts_fields', { key: 'key' }));
	const voices = voicesOf(random);
	for (const { voice_uuid, voice_name, fields } of voices)
		store.collection('voices').add({ uuid: voice_uuid, voice_name, fields });
	for (let index = 0; index < counts.agents; index += 1) {
		// Every third agent has no voice selected.
		const voice = voices[index % 3];
		const agent = newAgent(
			sandbox,
			{
				name: `${FIRST_NAMES[index % FIRST_NAMES.length]} ${index + 1}`,
				role: ROLES[index % ROLES.length],
				company_name: COMPANIES[index % COMPANIES.length],
				description: `Agent number ${index + 1} of the sandbox.`,
				settings:
					voice === undefined
						? {}
						: {
								voice: {
									voice_profile: {
										language: 'en',
										voice_uuid: voice.voice_uuid,
										voice_name: voice.voice_name,
									},
								},
							},
			},
			random.uuidFor(`agent ${index}`),
		);
		agent.status = 'ready';
		agent.created_at = agent.updated_at = new Instant(LONG_AGO + index * 60_000);
		store.collection('agents').add(agent);
	}
	for (const [key, name, type] of [
		['company', 'Company', 'text'],
		['lead_source', 'Lead source', 'text'],
		['birthday', 'Birthday', 'date'],
	]) {
		store
			.collection('contacts_fields')
			.add({ uuid: random.uuidFor(`field ${key}`), key, name, type, is_active: true, ...born() });
	}
	seedContacts(sandbox, counts.contacts);
	seedOthers(sandbox);
}

/** A few records of what the contract can list or read but not create. */
function seedOthers(sandbox) {
	const { store, random } = sandbox;
	const time = new Instant(LONG_AGO);
	const stamps = { created_at: time, updated_at: time };
	const [agent] = store.collection('agents').values();
	const [contact] = store.collection('contacts').values();
	const add = (name, record) =>
		store
			.collection(name)
			.add({ uuid: random.uuidFor(`${name} ${store.collection(name).size}`), ...record });
	for (const [index, name] of ['Demo call', 'Site visit'].entries())
		add('schedules', {
			id: index + 1,
			name,
			type: 'appointment',
			color: '#2266cc',
			availability_type_uuid: null,
			ai_agents: [],
			human_agents: [],
			custom_questions: [],
			...stamps,
		});
	for (const [index, status] of ['Draft', 'In Process'].entries())
		add('campaigns', {
			name: `Campaign ${index + 1}`,
			description: null,
			status,
			campaign_type: 'call',
			start_date: null,
			end_date: null,
			rules: null,
			pool_uuids: [],
			...stamps,
		});
	for (const [index, name] of ['VIP', 'Newsletter'].entries())
		add('contact_tags', { id: index + 1, name });
	add('whatsapp_wabas', { waba_id: '123456789012345', name: 'Sandbox business account' });
	for (const [name, content, status] of [
		['hello', 'Hello from the sandbox.', 'APPROVED'],
		['order_confirmation', 'Hello {{1}}, your order {{2}} is confirmed.', 'APPROVED'],
		['not_yet', 'Waiting.', 'PENDING'],
	]) {
		add('whatsapp_templates', {
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
			...stamps,
		});
	}
	for (const [status, confidence] of [
		['Pending', 0.9],
		['Pending', 0.6],
		['Approved', 0.4],
	]) {
		add('contacts_approvals', {
			field_name: 'b_email',
			current_value: '',
			suggested_value: 'new@example.com',
			ai_notes: 'Named in the call.',
			confidence,
			status,
			contact_uuid: contact?.uuid ?? null,
			conversation_uuid: null,
			pipeline_uuid: null,
			...stamps,
		});
	}
	store
		.collection('evaluate_default')
		.add({ uuid: 'default', settings: structuredClone(FIRST_EVALUATE_SETTINGS) });
	add('qa_agents', {
		name: 'Standard scorecard',
		description: '',
		evaluates_agent_type: 'human',
		is_active: true,
		is_default: true,
		evaluation_model: 'advanced',
		strictness_level: 70,
		confidence_threshold: 85,
		auto_fail_threshold: 3,
		language: 'English',
		custom_instructions: '',
		automatic_scoring: true,
		sentiment_analysis: true,
		compliance_checking: true,
		skills: [],
		...stamps,
	});
	add('flow_connections', { app_uid: 'calendar', label: 'Office calendar', status: 'active' });
	add('flows', {
		name: 'After every conversation',
		description: null,
		status: 'draft',
		steps: [],
		...stamps,
	});
	add('sip_connections', { name: 'Office', phone_number: '+12125550200' });
	store.define(new Collection('phone_numbers', { key: 'phone_number_uuid' })).add({
		...ownNumber(sandbox, { number: '+12125550100' }),
		phone_number_uuid: random.uuidFor('phone number'),
		purchased_at: time,
		updated_at: time,
	});
	for (const type of ['task', 'workflow', 'intent']) {
		add('logs_actions', {
			type,
			name: `A ${type}`,
			description: null,
			status: 'success',
			channel: 'call',
			duration_ms: 120,
			created_at: time,
			agent: agent === undefined ? null : { uuid: agent.agent_uuid, name: agent.name },
			contact:
				contact === undefined
					? null
					: { uuid: contact.uuid, name: contact.name, phone_number: contact.phone_number },
			customer: null,
			request: null,
			response: null,
			error: null,
			extras: null,
		});
	}
}

/** Contacts made only when looked at; the last twelve digits of the uuid are the number of the contact. */
function seedContacts(sandbox, count) {
	const { store, random } = sandbox;
	const prefix = random.uuidFor('contacts').slice(0, 24);
	const generate = (index) => {
		const time = new Instant(LONG_AGO + index * 1000);
		const name = FIRST_NAMES[index % FIRST_NAMES.length];
		return {
			uuid: `${prefix}${index.toString(16).padStart(12, '0')}`,
			name,
			surname: SURNAMES[index % SURNAMES.length],
			email: `contact${index + 1}@example.com`,
			phone_number: `+90555${String(index).padStart(7, '0')}`,
			number_type: 'mobile',
			country_code: 'TR',
			timezone: 'Europe/Istanbul',
			primary_language: 'tr',
			preferred_contact_channel: 'Call',
			preferred_contact_time: 'Morning',
			status: 'Active',
			created_at: time,
			updated_at: time,
			tags: [],
			custom: {},
		};
	};
	const indexOf = (uuid) => {
		if (!uuid.startsWith(prefix)) return undefined;
		const index = parseInt(uuid.slice(24), 16);
		return Number.isNaN(index) ? undefined : index;
	};
	store.define(new Collection('contacts', { count, generate, indexOf }));
	sandbox.generatedContact = (address) => {
		const number = /^\+90555(\d{7})$/.exec(address);
		const email = /^contact(\d+)@example\.com$/.exec(address);
		const index = number ? Number(number[1]) : email ? Number(email[1]) - 1 : NaN;
		return index >= 0 ? `${prefix}${index.toString(16).padStart(12, '0')}` : undefined;
	};
}
