import type { IDataObject } from 'n8n-workflow';
import { omit } from 'lodash';
import { labelOf, type ListLookup } from './search';
import { placeholdersOf, templateText } from './templateFields';
import { perPage } from '../pages/pages';
import { withoutQuery } from '../secrets/secrets';
import { isPlainObject } from '../text/text';

/** Name of a media file in its record. Which field holds it is not shown (interface §4.4), so likely ones are tried. */
export const givenNameOf = (media: IDataObject): string | undefined =>
	[media.name, media.file_name, media.filename, media.original_name].find(
		(name): name is string => typeof name === 'string' && name !== '',
	);

export function fileNameOf(media: IDataObject): string | undefined {
	return (
		givenNameOf(media) ??
		(typeof media.url === 'string' ? media.url.split(/[?#]/)[0]?.split('/').pop() : undefined)
	);
}

/** The first values of a table's record, which may be beside its ID or under `record`: the columns are the user's. */
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

/** A template with the placeholders to fill in: people and AI choose it before they see its text. */
const withPlaceholders = (template: IDataObject): string | undefined => {
	const text = templateText(template);
	const numbers =
		text === undefined ? [] : placeholdersOf(text).map(({ number }) => `{{${number}}}`);
	const label = labelOf(template, ['name', 'language', 'status']);
	return [label, numbers.join(', ')].filter(Boolean).join(' – ');
};

const phoneLike = /^\+?\d{3,15}$/;

const list = (
	path: string,
	label: ListLookup['label'],
	more?: Omit<ListLookup, 'path' | 'label'>,
): ListLookup => ({ path, label, ...more });

const pagedList: typeof list = (path, label, more) =>
	list(path, label, { ...more, pageSize: perPage });

const chooseAgent = (what: string) => ({ agent: `Choose 'Agent' first to list its ${what}` });

const partOfAgent = (rows: string, what: string, ...label: string[]) =>
	list('/agents/{agent}', label, { rows, needs: chooseAgent(what) });

const partOfApp = (part: string) =>
	list(`/flow/apps/{app}/${part}`, ['name', 'key'], {
		id: 'key',
		needs: { app: `Choose 'App' first to list its ${part}` },
	});

/** Every reference that can be chosen from a list. Sources of paths and fields: contract/openapi.yaml. */
export const lists = {
	searchActionLogs: list('/logs/actions', ['name', 'type', 'status', 'created_at']),
	searchAgentGuardRules: partOfAgent('guard_rules', 'guard rules', 'name', 'when_condition'),
	searchAgentGuidelines: partOfAgent('guidelines', 'guidelines', 'content'),
	searchAgentIntents: { ...partOfAgent('intents', 'intents', 'name', 'key'), id: 'intent_uuid' },
	searchAgentNotes: partOfAgent('notes', 'notes', 'content'),
	searchAgentProcedures: partOfAgent('procedures', 'procedures', 'name'),
	searchAgentRoutingRules: partOfAgent(
		'routing_rules',
		'routing rules',
		...['department_name', 'trigger_keyword', 'ai_prompt'],
	),
	searchAgents: pagedList('/agents', ['name', 'company_name'], {
		id: 'agent_uuid',
		named: true,
		search: 'search',
		// Beside what its label shows.
		searchGuessed: ['role'],
	}),
	searchAgentTraining: partOfAgent('training', 'training items', 'content', 'intent'),
	searchAgentWebhooks: list(
		'/agents/{agent}/webhooks',
		// n8n keeps what a list shows in the workflow, and a query can hold a token.
		({ url }) => (typeof url === 'string' ? withoutQuery(url) : undefined),
		{ id: 'webhook_uuid', needs: chooseAgent('webhooks') },
	),
	searchAppointmentRequests: list('/appointment-requests', ['title', 'contact.name', 'start_time']),
	searchAppointments: list('/appointments', ['title', 'start_time']),
	searchCalls: pagedList('/calls', ['agent.name', 'direction', 'status', 'created_at']),
	searchCampaigns: pagedList('/campaigns', ['name', 'status'], { search: 'search', named: true }),
	searchContactFields: list('/contacts/fields', ['name', 'key'], { id: 'key' }),
	// No source shows a list of tags, but contacts show theirs (reference: contacts).
	searchContactTags: pagedList('/contacts', ['name'], { inside: 'tags', named: true }),
	searchContacts: pagedList('/contacts', ['name', 'surname', 'phone_number', 'email'], {
		search: 'search',
	}),
	searchConversations: pagedList(
		'/conversations',
		['contact.name', 'contact.phone_number', 'channel', 'created_at'],
		{ search: 'phone', searchOnly: phoneLike },
	),
	searchEvaluations: pagedList('/evaluations', ['created_at', 'sentiment.value', 'success.value']),
	searchFlowAppActions: partOfApp('actions'),
	searchFlowApps: list('/flow/apps', ['name', 'category'], { id: 'uid', named: true }),
	searchFlowAppTriggers: partOfApp('triggers'),
	searchFlowConnections: list('/flow/connections', ['label', 'app_uid', 'status']),
	searchFlows: list('/flows', ['name', 'status'], { named: true }),
	searchListings: pagedList('/listings', ['name'], { named: true }),
	searchLiveCalls: pagedList(
		'/conversations',
		['contact.name', 'contact.phone_number', 'created_at'],
		{
			query: { channel: 'call', status: 'Active' },
			search: 'phone',
			searchOnly: phoneLike,
		},
	),
	searchMedias: list('/medias', fileNameOf, {
		search: 'search',
		searchGuessed: ['name', 'file_name', 'filename', 'original_name', 'url'],
	}),
	searchOutreachRules: pagedList('/rules', ['name', 'type'], { named: true }),
	searchPhoneNumbers: list('/phone-numbers', ['number', 'location'], { id: 'phone_number_uuid' }),
	searchSchedules: list('/schedules', ['name'], { named: true }),
	// Which fields the list shows of a task is not shown (catalogue: tasks); By ID works in any case.
	searchTasks: pagedList('/tasks', ['title', 'type', 'status', 'scheduled_at']),
	searchTableRecords: pagedList('/data/{table}/records', firstValues, {
		needs: { table: "Fill in 'Table' first to list its records" },
	}),
	// Which fields a linked business account has is not shown (reference: whatsapp); By ID works in any case.
	searchWhatsappAccounts: list('/whatsapp/wabas', ['name', 'waba_id'], { id: 'waba_id' }),
	searchWhatsappTemplates: list('/whatsapp/templates', withPlaceholders, { named: true }),
} satisfies Record<string, ListLookup>;
