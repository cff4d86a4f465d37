import { binary, text, url } from '../engine/fields';
import { operation, resource } from '../engine/operation';

const description = text({
	rows: 3,
	description: 'Also tells agents what the table is for and how to use it',
});

/** Imports make a table of their own (interface §4.4: populate tables). */
export const tableImport = resource({
	label: 'Import',
	value: 'import',
	description: 'Make a table out of a text, a file or a website',
	defaultOperation: 'file',
	operations: {
		copypaste: operation.action('POST /data/import/copypaste', {
			name: 'From Text',
			action: 'Import a table from text',
			description: 'Make a table out of a text, as if it was pasted on the platform',
			body: {
				name: text({
					required: true,
					description: 'The name of the new table',
					placeholder: 'e.g. Price list',
				}),
				data: text({
					required: true,
					rows: 6,
					displayName: 'Text',
					description:
						'What the table is made of, for example lines of comma-separated values under a line with the column names',
				}),
				description,
			},
		}),
		file: operation.action('POST /data/import/file', {
			name: 'From File',
			action: 'Import a table from a file',
			description: 'Make a table out of a file of the input item, for example a CSV file',
			body: {
				file: binary({
					description: 'This package does not know yet which types of files the platform accepts',
				}),
				name: text({ description: 'The name of the new table', placeholder: 'e.g. Price list' }),
				description,
			},
			explain: {
				'415': {
					message: 'The platform does not accept this kind of file, or not in this form',
					description:
						'This package does not know yet which types it accepts. Try a CSV file, or import its ' +
						'content with From Text.',
				},
			},
		}),
		website: operation.action('POST /data/import/website', {
			name: 'From Website',
			action: 'Import a table from a website',
			description: 'Make a table out of what a website says',
			body: {
				url: url({
					orBodyJson: true,
					displayName: 'Website URL',
					description: 'The address of the website',
					placeholder: 'e.g. https://example.com/faq',
				}),
				name: text({ description: 'The name of the new table', placeholder: 'e.g. Website' }),
				description,
			},
			explain: {
				'422': {
					message: 'The platform did not accept the website',
					description:
						"This package does not know yet under which name it takes the website's address; it " +
						"is sent as url. If the platform names another field below, empty 'Website URL' and add it in " +
						"'Body (JSON)'.",
				},
			},
		}),
	},
});
