import type { IDataObject } from 'n8n-workflow';
import { isPlainObject, omit } from 'lodash';
import type { ListLookup } from './search';
import { perPage } from '../pages/pages';
import { withoutQuery } from '../secrets/secrets';

/** Name of a media file in its record. Which field holds it is not shown (interface §4.4), so likely ones are tried. */
export const givenNameOf = (media: IDataObject): string | undefined =>
	[media.name, media.file_name, media.filename, media.original_name].find(
		(name): name is string => typeof name === 'string' && name !== '',
	);

/** Name of a media file, otherwise the end of its URL. */
export function fileNameOf(media: IDataObject): string | undefined {
	return (
		givenNameOf(media) ??
		(typeof media.url === 'string' ? media.url.split(/[?#]/)[0]?.split('/').pop() : undefined)
	);
}

/**
 * The first values of a table's record, which may be beside its ID or under `record`: its columns are the user's own.
 */
const firstValues = (row: IDataObject): string => {
	const values = isPlainObject(row.record)
		? (row.record as IDataObject)
		: omit(row, 'uuid', 'id', 'created_at', 'updated_at');
	return Object.values(values)
		.filter((value) => ['string', 'number'].includes(typeof value) && value !== '')
		.slice(0, 3)
		.join(' – ')
		.slice(0, 80);
};

/** A phone number or a part of one. */
const phoneLike = /^\+?\d{3,15}$/;

/** Lists below an agent need one. */
const chooseAgent = (what: string) => ({
	agent: `Choose 'Agent' first to list its ${what}`,
});

/** A list that an agent holds. @param what for people */
const partOfAgent = (rows: string, what: string, label: string[]) => ({
	path: '/agents/{agent}',
	rows,
	label,
	needs: chooseAgent(what),
});

/** Every reference that can be chosen from a list. Sources of paths and fields: contract/openapi.yaml. */
export const lists = {
	searchActionLogs: {
		path: '/logs/actions',
		label: ['name', 'type', 'status', 'created_at'],
	},
	searchAgentGuardRules: partOfAgent('guard_rules', 'guard rules', ['name', 'when_condition']),
	searchAgentGuidelines: partOfAgent('guidelines', 'guidelines', ['content']),
	searchAgentIntents: { ...partOfAgent('intents', 'intents', ['name', 'key']), id: 'intent_uuid' },
	searchAgentNotes: partOfAgent('notes', 'notes', ['content']),
	searchAgentProcedures: partOfAgent('procedures', 'procedures', ['name']),
	searchAgentRoutingRules: partOfAgent('routing_rules', 'routing rules', [
		'department_name',
		'trigger_keyword',
		'ai_prompt',
	]),
	searchAgents: {
		path: '/agents',
		id: 'agent_uuid',
		label: ['name', 'company_name'],
		search: 'search',
		// Beside what its label shows.
		searchGuessed: ['role'],
		pageSize: perPage,
	},
	searchAgentTraining: partOfAgent('training', 'training items', ['content', 'intent']),
	searchAgentWebhooks: {
		path: '/agents/{agent}/webhooks',
		id: 'webhook_uuid',
		// n8n keeps what a list shows in the workflow, and a query can hold a token.
		label: ({ url }) => (typeof url === 'string' ? withoutQuery(url) : undefined),
		needs: chooseAgent('webhooks'),
	},
	searchAppointmentRequests: {
		path: '/appointment-requests',
		label: ['title', 'contact.name', 'start_time'],
	},
	searchAppointments: {
		path: '/appointments',
		label: ['title', 'start_time'],
	},
	searchCalls: {
		path: '/calls',
		label: ['agent.name', 'direction', 'status', 'created_at'],
		pageSize: perPage,
	},
	searchCampaigns: {
		path: '/campaigns',
		label: ['name', 'status'],
		search: 'search',
		pageSize: perPage,
	},
	searchContactFields: {
		path: '/contacts/fields',
		id: 'key',
		label: ['name', 'key'],
	},
	searchContacts: {
		path: '/contacts',
		label: ['name', 'surname', 'phone_number', 'email'],
		search: 'search',
		pageSize: perPage,
	},
	searchConversations: {
		path: '/conversations',
		label: ['contact.name', 'contact.phone_number', 'channel', 'created_at'],
		search: 'phone',
		searchOnly: phoneLike,
		pageSize: perPage,
	},
	searchEvaluations: {
		path: '/evaluations',
		label: ['created_at', 'sentiment.value', 'success.value'],
		pageSize: perPage,
	},
	searchFlowAppActions: {
		path: '/flow/apps/{app}/actions',
		id: 'key',
		label: ['name', 'key'],
		needs: { app: "Choose 'App' first to list its actions" },
	},
	searchFlowApps: {
		path: '/flow/apps',
		id: 'uid',
		label: ['name', 'category'],
	},
	searchFlowAppTriggers: {
		path: '/flow/apps/{app}/triggers',
		id: 'key',
		label: ['name', 'key'],
		needs: { app: "Choose 'App' first to list its triggers" },
	},
	searchFlowConnections: {
		path: '/flow/connections',
		label: ['label', 'app_uid', 'status'],
	},
	searchFlows: {
		path: '/flows',
		label: ['name', 'status'],
	},
	searchListings: {
		path: '/listings',
		label: ['name'],
		pageSize: perPage,
	},
	searchLiveCalls: {
		path: '/conversations',
		label: ['contact.name', 'contact.phone_number', 'created_at'],
		query: { channel: 'call', status: 'Active' },
		search: 'phone',
		searchOnly: phoneLike,
		pageSize: perPage,
	},
	searchMedias: {
		path: '/medias',
		label: fileNameOf,
		search: 'search',
		searchGuessed: ['name', 'file_name', 'filename', 'original_name', 'url'],
	},
	searchOutreachRules: {
		path: '/rules',
		label: ['name', 'type'],
		pageSize: perPage,
	},
	searchPhoneNumbers: {
		path: '/phone-numbers',
		id: 'phone_number_uuid',
		label: ['number', 'location'],
	},
	searchSchedules: {
		path: '/schedules',
		label: ['name'],
	},
	// Which fields the list shows of a task is not shown (catalogue: tasks); By ID works in any case.
	searchTasks: {
		path: '/tasks',
		label: ['title', 'type', 'status', 'scheduled_at'],
		pageSize: perPage,
	},
	searchTableRecords: {
		path: '/data/{table}/records',
		label: firstValues,
		pageSize: perPage,
		needs: { table: "Fill in 'Table' first to list its records" },
	},
	// Which fields a linked business account has is not shown (reference: whatsapp); By ID works in any case.
	searchWhatsappAccounts: {
		path: '/whatsapp/wabas',
		id: 'waba_id',
		label: ['name', 'waba_id'],
	},
	searchWhatsappTemplates: {
		path: '/whatsapp/templates',
		label: ['name', 'language', 'status'],
	},
} satisfies Record<string, ListLookup>;
