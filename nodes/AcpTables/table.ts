import { agent, choice, list, reference, text } from '../engine/fields';
import { operation, resource } from '../engine/operation';

/** No known endpoint lists tables (reference: tables), so the ID identifies a table. */
export const tableField = reference(null, {
	name: 'table',
	hint: 'Copy the ID from the response that created the table, or from its page on the platform',
});

/** What a column holds (interface §4.4). */
const columnTypes = [
	{ name: 'Boolean', value: 'boolean', description: 'True or false' },
	{ name: 'Date', value: 'date' },
	{ name: 'JSON', value: 'json' },
	{ name: 'Number', value: 'number' },
	{ name: 'Text', value: 'text' },
	{ name: 'URL', value: 'url' },
] as const;

export const table = resource({
	label: 'Table',
	value: 'table',
	path: { uuid: tableField },
	defaultOperation: 'create',
	operations: {
		assign: operation.action('POST /data/{uuid}/assign', {
			name: 'Assign to Agent',
			action: 'Assign a table to an agent',
			description: "Let an agent use a table as knowledge or for lookups; then run 'Sync'",
			body: { agent_uuid: agent('The agent that may use the table') },
		}),
		create: operation.create('POST /data/tables', {
			description: 'Create an empty table with typed columns',
			body: {
				name: text({ required: true, placeholder: 'e.g. Price list' }),
				columns: list(
					'Column',
					{
						name: text({ required: true, placeholder: 'e.g. price' }),
						data_type: choice(columnTypes, 'What the column holds', {
							displayName: 'Type',
							required: true,
							default: 'text',
						}),
					},
					{ required: true, description: 'The columns of the table, in order' },
				),
				description: text('What the table is for and how to use it; agents read this too', {
					rows: 3,
					placeholder: 'e.g. Prices by product. Use it when a customer asks what something costs.',
				}),
			},
			check: ({ body }) => {
				const names = ((body.columns ?? []) as Array<{ name?: string }>).map(({ name }) => name);
				const twice = names.find((name, index) => names.indexOf(name) !== index);
				return twice === undefined
					? undefined
					: `'Columns' contains the name "${twice}" twice. Give each column its own name`;
			},
		}),
		get: operation.get('GET /data/{uuid}', {
			description: 'Read one table with its columns',
		}),
		getFields: operation.list('GET /data/{uuid}/fields', {
			pages: { unpaged: true },
			description: 'List the columns of a table with their types',
		}),
		sync: operation.action('POST /data/{uuid}/sync', {
			description:
				'Refresh the index that agents use to search the table; run this after records change',
		}),
	},
});
