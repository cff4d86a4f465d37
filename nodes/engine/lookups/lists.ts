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

/** Every reference that can be chosen from a list. Sources of paths and fields: contract/openapi.yaml. */
export const lists = {
	searchActionLogs: {
		path: '/logs/actions',
		id: 'uuid',
		label: ['name', 'type', 'status', 'created_at'],
	},
	searchAgentGuardRules: {
		path: '/agents/{agent}',
		rows: 'guard_rules',
		id: 'uuid',
		label: ['name', 'when_condition'],
		needs: chooseAgent('guard rules'),
	},
	searchAgentGuidelines: {
		path: '/agents/{agent}',
		rows: 'guidelines',
		id: 'uuid',
		label: ['content'],
		needs: chooseAgent('guidelines'),
	},
	searchAgentIntents: {
		path: '/agents/{agent}',
		rows: 'intents',
		id: 'intent_uuid',
		label: ['name', 'key'],
		needs: chooseAgent('intents'),
	},
	searchAgentNotes: {
		path: '/agents/{agent}',
		rows: 'notes',
		id: 'uuid',
		label: ['content'],
		needs: chooseAgent('notes'),
	},
	searchAgentProcedures: {
		path: '/agents/{agent}',
		rows: 'procedures',
		id: 'uuid',
		label: ['name'],
		needs: chooseAgent('procedures'),
	},
	searchAgentRoutingRules: {
		path: '/agents/{agent}',
		rows: 'routing_rules',
		id: 'uuid',
		label: ['department_name', 'trigger_keyword', 'ai_prompt'],
		needs: chooseAgent('routing rules'),
	},
	searchAgents: {
		path: '/agents',
		id: 'agent_uuid',
		label: ['name', 'company_name'],
		search: 'search',
		// Beside what its label shows.
		searchGuessed: ['role'],
		pageSize: perPage,
	},
	searchAgentTraining: {
		path: '/agents/{agent}',
		rows: 'training',
		id: 'uuid',
		label: ['content', 'intent'],
		needs: chooseAgent('training items'),
	},
	searchAgentWebhooks: {
		path: '/agents/{agent}/webhooks',
		id: 'webhook_uuid',
		// n8n keeps what a list shows in the workflow, and a query can hold a token.
		label: ({ url }) => (typeof url === 'string' ? withoutQuery(url) : undefined),
		needs: chooseAgent('webhooks'),
	},
	searchAppointmentRequests: {
		path: '/appointment-requests',
		id: 'uuid',
		label: ['title', 'contact.name', 'start_time'],
	},
	searchAppointments: {
		path: '/appointments',
		id: 'uuid',
		label: ['title', 'start_time'],
	},
	searchCalls: {
		path: '/calls',
		id: 'uuid',
		label: ['agent.name', 'direction', 'status', 'created_at'],
		pageSize: perPage,
	},
	searchCampaigns: {
		path: '/campaigns',
		id: 'uuid',
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
		id: 'uuid',
		label: ['name', 'surname', 'phone_number', 'email'],
		search: 'search',
		pageSize: perPage,
	},
	searchConversations: {
		path: '/conversations',
		id: 'uuid',
		label: ['contact.name', 'contact.phone_number', 'channel', 'created_at'],
		search: 'phone',
		searchOnly: phoneLike,
		pageSize: perPage,
	},
	searchEvaluations: {
		path: '/evaluations',
		id: 'uuid',
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
		id: 'uuid',
		label: ['label', 'app_uid', 'status'],
	},
	searchFlows: {
		path: '/flows',
		id: 'uuid',
		label: ['name', 'status'],
	},
	searchListings: {
		path: '/listings',
		id: 'uuid',
		label: ['name'],
		pageSize: perPage,
	},
	searchLiveCalls: {
		path: '/conversations',
		id: 'uuid',
		label: ['contact.name', 'contact.phone_number', 'created_at'],
		query: { channel: 'call', status: 'Active' },
		search: 'phone',
		searchOnly: phoneLike,
		pageSize: perPage,
	},
	searchMedias: {
		path: '/medias',
		id: 'uuid',
		label: fileNameOf,
		search: 'search',
		searchGuessed: ['name', 'file_name', 'filename', 'original_name', 'url'],
	},
	searchOutreachRules: {
		path: '/rules',
		id: 'uuid',
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
		id: 'uuid',
		label: ['name'],
	},
	// Which fields the list shows of a task is not shown (catalogue: tasks); By ID works in any case.
	searchTasks: {
		path: '/tasks',
		id: 'uuid',
		label: ['title', 'type', 'status', 'scheduled_at'],
		pageSize: perPage,
	},
	searchTableRecords: {
		path: '/data/{table}/records',
		id: 'uuid',
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
		id: 'uuid',
		label: ['name', 'language', 'status'],
	},
} satisfies Record<string, ListLookup>;
