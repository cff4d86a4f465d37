import { agent, choice, list, locator, text } from '../engine/fields';
import { operation, resource } from '../engine/operation';

/** No list of tables is known (reference: tables), so a table is named by its ID. */
export const tableField = locator(null, {
	name: 'table',
	displayName: 'Table',
	required: true,
	description: 'The table that this is about',
	hint:
		'This package knows no list of tables yet; the ID comes with the answer that created the ' +
		'table, or from its page on the platform',
});

/** What a column holds (interface §4.4). */
const columnTypes = [
	{ name: 'Boolean', value: 'boolean', description: 'True or false' },
	{ name: 'Date', value: 'date' },
	{ name: 'JSON', value: 'json' },
	{ name: 'Number', value: 'number' },
	{ name: 'Text', value: 'text' },
	{ name: 'URL', value: 'url', description: 'A web address' },
] as const;

export const table = resource({
	label: 'Table',
	value: 'table',
	defaultOperation: 'create',
	operations: {
		assign: operation.action('POST /data/{uuid}/assign', {
			name: 'Assign to Agent',
			action: 'Assign a table to an agent',
			description: 'Let an agent use a table as knowledge or for looking things up',
			path: { uuid: tableField },
			body: { agent_uuid: agent({ description: 'The agent that may use the table' }) },
		}),
		create: operation.create('POST /data/tables', {
			name: 'Create',
			action: 'Create a table',
			description: 'Create an empty table with typed columns',
			body: {
				name: text({ required: true, placeholder: 'e.g. Price list' }),
				columns: list(
					{ entry: 'Column', required: true, description: 'The columns of the table, in order' },
					{
						name: text({ required: true, placeholder: 'e.g. price' }),
						data_type: choice(columnTypes, {
							displayName: 'Type',
							required: true,
							default: 'text',
							description: 'What the column holds',
						}),
					},
				),
				description: text({
					rows: 3,
					description: 'Also tells agents what the table is for and how to use it',
					placeholder:
						'e.g. Prices by product. Use it whenever somebody asks what something costs.',
				}),
			},
			check: ({ body }) => {
				const names = ((body.columns ?? []) as Array<{ name?: string }>).map(({ name }) => name);
				const twice = names.find((name, index) => names.indexOf(name) !== index);
				return twice === undefined
					? undefined
					: `'Columns' has the name "${twice}" twice. Give each column a name of its own`;
			},
		}),
		get: operation.get('GET /data/{uuid}', {
			name: 'Get',
			action: 'Get a table',
			description: 'Read one table with its columns',
			path: { uuid: tableField },
		}),
		getFields: operation.list('GET /data/{uuid}/fields', {
			name: 'Get Fields',
			action: 'Get the fields of a table',
			description: 'List the columns of a table with their types',
			path: { uuid: tableField },
		}),
		sync: operation.action('POST /data/{uuid}/sync', {
			name: 'Sync',
			action: 'Sync a table',
			description:
				'Refresh the index through which agents find what the table holds; do this after its records have changed',
			path: { uuid: tableField },
			body: {},
		}),
	},
});
