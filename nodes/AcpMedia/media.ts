import { binary, converted, reference, text } from '../engine/fields';
import { fileNameOf, givenNameOf } from '../engine/lookups/lists';
import { guessedFilter, operation, resource } from '../engine/operation';
import { fileAt } from '../shared/fileAt';

export const media = resource({
	label: 'Media',
	value: 'media',
	path: { uuid: reference('searchMedias', 'The file in the workspace', { displayName: 'File' }) },
	description: 'Files in the workspace',
	defaultOperation: 'getAll',
	operations: {
		download: operation.get('GET /medias/{uuid}', {
			action: 'Download a media file',
			description:
				'Download a file from the workspace into the output item, together with its details',
			download: { file: fileAt(({ url }) => url, givenNameOf) },
		}),
		get: operation.get('GET /medias/{uuid}', {
			action: 'Get a media file',
			description: "Read a file's details, like its URL; use 'Download' to get the file itself",
		}),
		getAll: operation.list('GET /medias', {
			action: 'Get many media files',
			description: 'List the files in the workspace, or search them by name',
			pages: {
				filters: {
					search: guessedFilter(
						converted(
							text('Only files whose name contains this text', {
								name: 'fileName',
								placeholder: 'e.g. price-list',
							}),
							(fileName) => fileName.trim(),
						),
						(row, fileName) => fileNameOf(row)?.toLowerCase().includes(fileName.toLowerCase()),
					),
				},
			},
		}),
		upload: operation.create('POST /medias', {
			action: 'Upload a media file',
			description:
				'Upload a file from the input item, for example as the header of a WhatsApp template',
			body: { file: binary() },
		}),
	},
});
