import { boolean, reference, text } from '../engine/fields';
import { operation, resource } from '../engine/operation';

/** A key, for paths and for contacts. No source shows its exact form, so this refuses only what cannot be a key. */
const keyForm = {
	regex: '^\\s*[^\\s/]+\\s*$',
	message: 'A key cannot contain spaces',
	example: 'order_number',
};

const key = (description: string) =>
	reference('searchContactFields', { name: 'key', description, pattern: keyForm });

export const contactField = resource({
	label: 'Contact Field',
	value: 'contactField',
	defaultOperation: 'getAll',
	operations: {
		create: operation.create('POST /contacts/fields', {
			action: 'Create a custom contact field',
			description: 'Add a custom field to all contacts; its values are text',
			body: {
				key: text('Unique key of the field; it cannot be changed later', {
					required: true,
					placeholder: 'e.g. order_number',
				}),
				name: text('The name that users see', { required: true, placeholder: 'e.g. Order Number' }),
				is_active: boolean('Whether contacts show the field', { default: true }),
			},
		}),
		delete: operation.remove('DELETE /contacts/fields/{key}', {
			action: 'Delete a custom contact field',
			description: 'Delete a custom field from all contacts',
			notice: 'All values are lost.',
			path: { key: key('The field to delete') },
		}),
		getAll: operation.list('GET /contacts/fields', {
			action: 'Get many custom contact fields',
			description: 'List the custom fields that contacts can have',
		}),
		update: operation.update('PUT /contacts/fields/{key}', {
			action: 'Update a custom contact field',
			description:
				'Change only the fields you fill in. The key cannot change: to use another one, delete the field and create a new one.',
			path: { key: key('The field to change, identified by its key') },
			body: {
				name: text('The name that users see', { placeholder: 'e.g. Order Number' }),
				is_active: boolean('Whether contacts show the field'),
			},
			check: ({ body }) =>
				'key' in body
					? 'The key of a field cannot be changed. To use another key, delete the field and create a new one'
					: undefined,
		}),
	},
});
