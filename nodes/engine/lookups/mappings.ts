import type {
	IDataObject,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import type { Client } from '../http/client';
import { paginate } from '../pages/pages';
import { RequestError } from '../errors/requestError';
import { rethrow } from '../errors/rethrow';
import { lists } from './lists';
import { editorCall, parameterOf, pathFromParameters, reading } from './search';
import { canBeMatched, editorTypeOf, type TableColumn, tableColumns } from './tableColumns';
import { templateFields } from './templateFields';
import { readVoice, voiceFields } from './voiceFields';
import { InvalidValue } from '../text/invalidValue';

/** What a listing takes of each contact beside custom fields (reference: listings), in order of use. */
const listingContactFields = {
	phone_number: 'Phone Number',
	name: 'Name',
	surname: 'Surname',
	email: 'Email',
	timezone: 'Timezone',
	country_code: 'Country Code',
	primary_language: 'Primary Language',
	preferred_contact_channel: 'Preferred Contact Channel',
	preferred_contact_time: 'Preferred Contact Time',
};

/** The columns of a table; none if the platform does not list them (404 `ENDPOINT_NOT_FOUND`, 405). */
async function tableColumnsAt(client: Client, path: string): Promise<TableColumn[]> {
	try {
		const reads = tableColumns;
		return reads((await client.request({ ...editorCall, method: 'GET', path, reads })).body);
	} catch (thrown) {
		const { status, code } = thrown instanceof RequestError ? thrown.facts : {};
		return status === 405 || code === 'ENDPOINT_NOT_FOUND' ? [] : rethrow(thrown);
	}
}

const wholeList = async (client: Client, path: string): Promise<IDataObject[]> =>
	await paginate({
		fetch: async (query, reads) =>
			await client.request({ ...editorCall, method: 'GET', path, query, reads }),
		query: {},
		limit: Infinity,
	});

/** Fields that only the workspace knows, for resource mappers. */
export const mappings = {
	/** The active custom contact fields. Their values are texts (reference: contacts). */
	async getContactFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		return await reading(
			this,
			async (client) => {
				const rows = await wholeList(client, lists.searchContactFields.path);
				const fields = rows
					.filter((row) => typeof row.key === 'string' && row.is_active !== false)
					.map(({ key, name }): ResourceMapperField => ({
						id: key as string,
						displayName:
							typeof name === 'string' && name !== '' && name !== key
								? `${name} (${String(key)})`
								: String(key),
						required: false,
						defaultMatch: false,
						display: true,
						type: 'string',
					}));
				return {
					fields,
					...(fields.length === 0
						? {
								emptyFieldsNotice:
									'This workspace has no active custom contact fields. Create one with the resource Contact Field.',
							}
						: {}),
				};
			},
			'fields',
		);
	},
	/** What a listing takes of a contact (reference: listings) and the active custom contact fields. */
	async getListingContactFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const custom = await mappings.getContactFields.call(this);
		const own = Object.entries(listingContactFields).map(
			([id, displayName]): ResourceMapperField => ({
				id,
				displayName,
				required: id === 'phone_number',
				defaultMatch: false,
				display: true,
				type: 'string',
			}),
		);
		return {
			fields: [
				...own,
				...custom.fields.filter(({ id }) => !Object.hasOwn(listingContactFields, id)),
			],
		};
	},
	/** The columns of the chosen table, with their types (interface §4.4). */
	async getTableFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		return await reading(
			this,
			async (client) => {
				const path = pathFromParameters(this, '/data/{table}/fields', {
					table: "Fill in 'Table' first to list its columns",
				});
				const columns = await tableColumnsAt(client, path);
				const fields = columns.map(({ name, type }): ResourceMapperField => ({
					id: name,
					displayName: type ? `${name} (${type})` : name,
					required: false,
					defaultMatch: false,
					display: true,
					type: editorTypeOf(type),
					canBeUsedToMatch: canBeMatched(type),
				}));
				return {
					fields,
					...(fields.length === 0
						? {
								emptyFieldsNotice:
									"This table returned no columns. Choose 'Map Automatically' above " +
									'to send every field of the input item as a column.',
							}
						: {}),
				};
			},
			'fields',
		);
	},
	/** The placeholders of the chosen WhatsApp template (reference: whatsapp). */
	async getTemplateFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		return await reading(
			this,
			async (client) => {
				const uuid = parameterOf(this, 'template');
				if (uuid === '')
					throw new InvalidValue(undefined, "Choose 'Template' first to list its placeholders");
				const templates = await wholeList(client, lists.searchWhatsappTemplates.path);
				const fields = templateFields(templates.find((template) => template.uuid === uuid));
				return {
					fields,
					...(fields.length === 0
						? {
								emptyFieldsNotice:
									'This template has no placeholders. There is nothing to fill in.',
							}
						: {}),
				};
			},
			'fields',
		);
	},
	/** The tuning fields of the chosen agent's voice (interface §4.1 rule 4). */
	async getVoiceAdvancedFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		return await reading(
			this,
			async (client) => {
				const path = pathFromParameters(this, '/agents/{agent}/voice-advanced', {
					agent: "Choose 'Agent' first to list the fields of its voice",
				});
				const reads = readVoice;
				const response = await client.request({ ...editorCall, method: 'GET', path, reads });
				const fields = voiceFields(reads(response.body)).map(
					({ key, label, type, values, value }): ResourceMapperField => ({
						id: key,
						displayName: label,
						required: false,
						defaultMatch: false,
						display: true,
						type: values ? 'options' : type,
						...(values
							? {
									options: values.map((entry) => ({ name: String(entry), value: entry as string })),
								}
							: {}),
						...(value === undefined ? {} : { defaultValue: value as string }),
					}),
				);
				return {
					fields,
					...(fields.length === 0
						? {
								emptyFieldsNotice:
									'No voice is selected for this agent. Select one on the platform, then its fields appear here.',
							}
						: {}),
				};
			},
			'fields',
		);
	},
};
