/** Where a parameter's value stands in a request: the rule of names, and what departs from it with the reason. */
import { camelCase } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';

/** Collections that hold parameters without being a part of their name. */
const structure = new Set(['additionalFields', 'updateFields', 'filters', 'options', 'values']);

/** Who is meant by the uuid in a path: the parameter is named after the resource, the contract says `uuid`. */
const ownersOfPaths: Record<string, string> = {
	'/agents/{uuid}': 'agent',
	'/appointment-requests/{uuid}': 'appointmentRequest',
	'/appointments/{uuid}': 'appointment',
	'/builder-agents/{uuid}': 'buildConversation',
	'/builders/{uuid}': 'builder',
	'/calls/action/{uuid}': 'conversation',
	'/calls/{uuid}': 'call',
	'/campaigns/{uuid}': 'campaign',
	'/coaching-agents/{uuid}': 'coachingAgent',
	'/contacts/{uuid}': 'contact',
	'/conversations/{uuid}': 'conversation',
	'/data/{uuid}': 'table',
	'/evaluations/{uuid}': 'evaluation',
	'/flow/apps/{uid}': 'app',
	'/flow/{uuid}': 'flow',
	'/listings/{uuid}': 'listing',
	'/logs/actions/{type}/{uuid}': 'log',
	'/medias/{uuid}': 'media',
	'/pbx_extension_connectors/{uuid}': 'pbxConnector',
	'/phone-numbers/{uuid}': 'phoneNumber',
	'/pools/{uuid}': 'pool',
	'/qa-agents/{uuid}': 'qaAgent',
	'/rules/{uuid}': 'rule',
	'/schedules/{uuid}': 'schedule',
	'/sessions/{uuid}': 'session',
	'/tasks/{uuid}': 'task',
	'/transcriptions/{uuid}': 'transcription',
};

/** Stands for a value that is applied here and not sent. */
export const notSent = 'not sent';

/** Parameters that depart from the rule: `resource.operation.path` or `*.path`, where `*` is any operation. */
const exceptions: Record<string, string> = {
	// Whoever is called or written to is `phoneNumber`, whatever the endpoint calls it.
	'call.start.phoneNumber': 'body.participant.number',
	'call.startAndWait.phoneNumber': 'body.participant.number',
	'phoneNumber.buy.phoneNumber': 'body.number',
	'task.create.phoneNumber': 'body.contact.phone_number',
	'phoneNumber.getChannelsByNumber.phoneNumber': 'query.number',
	// A reference is named after its resource, and after its part in it where there are two.
	'*.action': 'body.action_key',
	'*.targetAgent': 'body.agent_uuid',
	'agentIntent.setEvent.agent': 'path.uuid',
	'agentIntent.setEvent.connection': 'body.app_connection_uuid',
	'*.guardRule': 'path.ruleUuid',
	'*.routingRule': 'path.ruleUuid',
	'*.trainingItem': 'path.trainingUuid',
	'*.settingsVoice.voice': 'body.settings.voice.voice_profile.voice_uuid',
	'task.create.additionalFields.template': 'body.task_data.template_uuid',
	'campaign.attachPools.pools': 'body.pool_uuids',
	// The keys of such an object stand beside the fields.
	'*.contacts.customFields': 'body.contacts',
	// Everything of the body that has no field of its own.
	'*.bodyJson': 'body',
	'*.queryParametersJson': 'query',
	// The name of n8n's own for a file of the input item.
	'transcription.create.binaryPropertyName': 'body.voice_file',
	'*.binaryPropertyName': 'body.file',
	'media.getAll.filters.fileName': 'query.search',
	// The platform has no such filter; the node looks through what it reads.
	'call.getAll.filters.createdAfter': notSent,
	'call.getAll.filters.createdBefore': notSent,
	'conversation.getAll.filters.createdAfter': notSent,
	'conversation.getAll.filters.createdBefore': notSent,
	'listing.getOutcomes.filters.createdAfter': notSent,
	'listing.getSummary.filters.createdAfter': notSent,
	'listing.getSummary.contactCount': notSent,
	// More days are asked for than are wanted, and sorted out here.
	'appointment.getAll.startDate': notSent,
	'appointment.getAll.endDate': notSent,
};

/** Names that a reference may have in a request: its own, or with what kind of ID it is. */
const kinds = ['', 'Uuid', 'Id', 'Uid'];

/**
 * @param path of a parameter, collections included
 * @param template path of the endpoint, with `{name}` for its values
 * @param isReference whether the parameter is a locator, which is named after what it refers to
 * @returns whether a place in a request, like `body.participant.number`, is where its value belongs
 */
export function belongs(
	place: string,
	{
		subject,
		path,
		template,
		isReference,
	}: { subject: string; path: string[]; template: string; isReference: boolean },
): boolean {
	const named = path.filter((part) => !structure.has(part));
	const listed = exceptions[`${subject}.${path.join('.')}`] ?? exceptions[`*.${named.join('.')}`];
	if (listed) return place === listed;
	const own = /^path\.(uu?id)$/.exec(place)?.[1];
	if (own) {
		const upTo = template.slice(0, template.indexOf(`{${own}}`) + own.length + 2);
		return ownersOfPaths[upTo] === named.join('.');
	}
	const name = camelCase(place.split('.').slice(1).join(' '));
	const wanted = camelCase(named.join(' '));
	return (isReference || /phoneNumber$/.test(wanted) ? kinds : ['']).some(
		(kind) => name === `${wanted}${kind}`,
	);
}

/** Whether a value is on purpose not in the request. */
export const staysHere = (subject: string, path: string[]): boolean =>
	exceptions[`${subject}.${path.join('.')}`] === notSent;

/** Values that an operation needs, one after the other in its runs; those of one value are looked for by name alone. */
export const fixedValues: Record<string, unknown[]> = {
	'*.binaryPropertyName': ['data'],
	// The two exclude each other.
	'flowStep.test.additionalFields.dryRun': [true, false, false, true, false, false],
	'flowStep.test.additionalFields.live': [false, true, false, false, true, true],
	// Another one is made the default instead.
	'coachingAgent.update.updateFields.isDefault': [true],
	'contactAnalyzer.update.internalId': ['f_analyzer'],
	'builder.create.entrypoint': ['python3 main.py'],
};

/** What must be chosen for all fields of an operation to be shown. */
export const chosen: Record<string, INodeParameters> = {
	'contact.blacklist': { isPermanent: false },
};

/** Parameters that exclude each other: the operation is looked at once without each. */
export const eitherOr: Record<string, string[]> = {
	'task.create': ['phoneNumber', 'additionalFields.contact'],
};

/** Values of mapped fields, which stand under the names that the workspace gave them. */
export const mappedValues: Record<string, Record<string, string | number>> = {
	'agentVoice.updateVoiceAdvanced': { stability: 0.375, style: 0.625 },
	'contact.create': { plan: 'mapped1', branch: 'mapped2' },
	'contact.findOrCreate': { plan: 'mapped1', branch: 'mapped2' },
	'contact.update': { plan: 'mapped1', branch: 'mapped2' },
	'listing.addContactsFromItems': { phone_number: '+14155559001', name: 'mapped1' },
	'listing.createFromItems': { phone_number: '+14155559001', name: 'mapped1' },
	'record.create': { item: 'mapped1', price: 9001 },
	'record.update': { item: 'mapped1', price: 9001 },
	'record.upsert': { item: 'mapped1', price: 9001 },
};

/** Records that an operation reads before it writes, as the scene of every operation knows them. */
export const recordsFor: Record<string, Record<string, string>> = {
	'agentVoice.updateVoiceAdvanced': { agent: 'agent' },
	'agentWebhook.update': { agent: 'agent', webhook: 'webhook' },
	'buildConversation.answer': { buildConversation: 'gathering' },
	'buildConversation.approve': { buildConversation: 'awaitingApproval' },
	'buildConversation.rebuild': { buildConversation: 'deployed' },
	'record.create': { table: 'table' },
	'record.update': { table: 'table', record: 'record' },
	'record.upsert': { table: 'table' },
};
