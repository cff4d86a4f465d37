import {
	type ILoadOptionsFunctions,
	type ResourceMapperField,
	type ResourceMapperFields,
	type ResourceMapperValue,
	type INodePropertyOptions,
	NodeOperationError,
} from 'n8n-workflow';
import { escape } from 'lodash';
import type { Client } from '../http/client';
import { RequestError, rethrow } from '../errors/requestError';
import { lists } from './lists';
import {
	editorReads,
	parameterOf,
	pathFromParameters,
	readingOr,
	wholeList,
	distinct,
	labelOf,
} from './search';
import { canBeMatched, editorTypeOf, type TableColumn, tableColumns } from './tableColumns';
import { placeholdersOf, templateText } from './templateFields';
import { voiceFields } from './voiceFields';
import { InvalidValue, title, words } from '../text/text';

/** What a listing takes of each contact beside custom fields (reference: listings), in order of use. */
const listingContactFields = words(
	'phone_number name surname email timezone country_code primary_language preferred_contact_channel ' +
		'preferred_contact_time',
);

/** No fields, but something to read: the editor shows it whole, as HTML. */
const notice = (html: string): ResourceMapperFields => ({ fields: [], emptyFieldsNotice: html });

const noColumns =
	"This table returned no columns. Choose 'Map Automatically' above to send every field of the input item as a column.";

/** The columns of a table; none if the platform does not list them (404 `ENDPOINT_NOT_FOUND`, 405). */
async function tableColumnsAt(client: Client, path: string): Promise<TableColumn[]> {
	try {
		return tableColumns((await editorReads(client, path)({}, tableColumns)).body);
	} catch (thrown) {
		const { status, code } = thrown instanceof RequestError ? thrown.facts : {};
		return status === 405 || code === 'ENDPOINT_NOT_FOUND' ? [] : rethrow(thrown);
	}
}

const field = (
	id: string,
	displayName: string,
	rest: Partial<ResourceMapperField> = {},
): ResourceMapperField => ({
	id,
	displayName,
	required: false,
	defaultMatch: false,
	display: true,
	type: 'string',
	...rest,
});

/** If they cannot be loaded, those before stay: the editor discards values of lost fields. @param none if there are none */
const mapping = (
	load: (client: Client, caller: ILoadOptionsFunctions) => Promise<ResourceMapperField[]>,
	none = '',
) =>
	async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		return await readingOr<ResourceMapperFields>(
			this,
			async (client) => {
				const fields = await load(client, this);
				return fields.length > 0 ? { fields } : notice(none);
			},
			'fields',
			(sentence) => {
				const values = Object.values(this.getCurrentNodeParameters() ?? {}) as Array<
					Partial<ResourceMapperValue> | null | undefined
				>;
				const before = values
					.map((value) => value?.schema)
					.find((schema) => Array.isArray(schema) && schema.length > 0);
				return before ? { fields: before } : notice(sentence);
			},
		);
	};

/** The active custom contact fields. Their values are texts (reference: contacts). */
async function contactFields(client: Client): Promise<ResourceMapperField[]> {
	const rows = await wholeList(client, { path: lists.searchContactFields.path });
	return rows
		.filter((row) => typeof row.key === 'string' && row.is_active !== false)
		.map(({ key, name }) => {
			const named = typeof name === 'string' && name !== '' && name !== key;
			return field(String(key), named ? `${name} (${String(key)})` : String(key));
		});
}

/** The text of the chosen WhatsApp template (reference: whatsapp); undefined if the list does not show it. */
async function chosenTemplateText(client: Client, caller: ILoadOptionsFunctions) {
	const uuid = parameterOf(caller, 'template');
	if (uuid === '')
		throw new InvalidValue(undefined, "Choose 'Template' first to list its placeholders");
	const templates = await wholeList(client, { path: lists.searchWhatsappTemplates.path });
	return templateText(templates.find((one) => one.uuid === uuid));
}

/** Fields that only the workspace knows, for resource mappers. */
export const mappings = {
	getContactFields: mapping(
		contactFields,
		'This workspace has no active custom contact fields. Create one with the resource Contact Field.',
	),
	getListingContactFields: mapping(async (client) => {
		const custom = await contactFields(client);
		return [
			...listingContactFields.map((id) =>
				field(id, title(id), { required: id === 'phone_number' }),
			),
			...custom.filter(({ id }) => !listingContactFields.includes(id)),
		];
	}),
	/** The columns of the chosen table, with their types (interface §4.4). */
	getTableFields: mapping(async (client, caller) => {
		const path = pathFromParameters(caller, '/data/{table}/fields', {
			table: "Fill in 'Table' first to list its columns",
		});
		const columns = await tableColumnsAt(client, path);
		return columns.map(({ name, type }) =>
			field(name, type ? `${name} (${type})` : name, {
				type: editorTypeOf(type),
				canBeUsedToMatch: canBeMatched(type),
			}),
		);
	}, noColumns),
	getTemplateFields: mapping(async (client, caller) => {
		const text = await chosenTemplateText(client, caller);
		return placeholdersOf(text).map(({ number, label }) =>
			field(`field${number}`, `${number}: ${label}`, { required: text !== undefined }),
		);
	}, 'This template has no placeholders. There is nothing to fill in.'),
	async getTemplateText(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const read = async (client: Client) => {
			const text = (await chosenTemplateText(client, this)) ?? 'The list does not show its text.';
			return notice(escape(text).replaceAll('\n', '<br>'));
		};
		return await readingOr(this, read, 'fields', notice);
	},
	/** The tuning fields of the chosen agent's voice (interface §4.1 rule 4). */
	getVoiceAdvancedFields: mapping(async (client, caller) => {
		const path = pathFromParameters(caller, '/agents/{agent}/voice-advanced', {
			agent: "Choose 'Agent' first to list the fields of its voice",
		});
		const response = await editorReads(client, path)({}, voiceFields);
		return voiceFields(response.body).map(({ key, label, type, values, value }) =>
			field(key, label, {
				type: values ? 'options' : type,
				...(values && {
					options: values.map((entry) => ({ name: String(entry), value: entry as string })),
				}),
				...(value === undefined ? {} : { defaultValue: value as string }),
			}),
		);
	}, 'No voice is selected for this agent. Select one on the platform, then its fields appear here.'),
};

/** Dropdowns whose values only the workspace knows. Unlike list searches they load all values together. */
export const options = {
	async getAgents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await readingOr(
			this,
			async (client) => {
				const rows = await wholeList(client, lists.searchAgents);
				return distinct(
					rows.map((row) => ({
						name: labelOf(row, lists.searchAgents.label) || String(row.agent_uuid),
						value: String(row.agent_uuid),
					})),
				).sort((a, b) => a.name.localeCompare(b.name));
			},
			'options',
			// A sentence in the list could be chosen. Of the NodeApiError itself the editor would show "[object Object]".
			(sentence) => {
				throw new NodeOperationError(this.getNode(), sentence);
			},
		);
	},
};
