import { binary, text, url } from '../engine/fields';
import { operation, resource } from '../engine/operation';

const description = text('What the table is for and how to use it; agents read this too', {
	rows: 3,
});

/** An import makes a new table (interface §4.4: populate tables). */
export const tableImport = resource({
	label: 'Import',
	value: 'import',
	description:
		"Create a table from text, a file or a website; then assign it to an agent and run 'Sync'",
	defaultOperation: 'file',
	operations: {
		copypaste: operation.action('POST /data/import/copypaste', {
			name: 'From Text',
			action: 'Import a table from text',
			description: 'Create a table from text, as if you pasted it on the platform',
			body: {
				name: text('Name of the new table', { required: true, placeholder: 'e.g. Price list' }),
				data: text(
					'For example comma-separated values. Begin with a line of column names: the first line may be taken for them.',
					{ required: true, rows: 6, displayName: 'Text' },
				),
				description,
			},
		}),
		file: operation.action('POST /data/import/file', {
			name: 'From File',
			action: 'Import a table from a file',
			description: 'Create a table from a file in the input item, for example a CSV file',
			body: {
				file: binary({
					description: 'This package does not know yet which file types the platform accepts',
				}),
				name: text('Name of the new table', { placeholder: 'e.g. Price list' }),
				description,
			},
			explain: {
				'415': {
					message: 'The platform did not accept this file',
					description:
						"This package does not know yet which file types the platform accepts. Try a CSV file, or import its content with 'From Text'.",
				},
			},
		}),
		website: operation.action('POST /data/import/website', {
			name: 'From Website',
			action: 'Import a table from a website',
			description: 'Create a table from the content of a website',
			body: {
				url: url({
					orBodyJson: true,
					displayName: 'Website URL',
					placeholder: 'e.g. https://example.com/faq',
				}),
				name: text('Name of the new table', { placeholder: 'e.g. Website' }),
				description,
			},
			explain: {
				'422': {
					message: 'The platform did not accept the website',
					description:
						"The field for the URL is not known yet; it is sent as url. If the platform names another one, clear 'Website URL' and enter it in 'Body (JSON)'.",
				},
			},
		}),
	},
});
