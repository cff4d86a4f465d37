import {
	boolean,
	choice,
	date,
	eitherId,
	email,
	locator,
	mapper,
	phone,
	text,
	zone,
} from '../engine/fields';
import { operation, perPage, read, resource, searchFirst } from '../engine/operation';
import { comparable } from '../engine/phone/phone';

const contactReference = locator('searchContacts', {
	name: 'contact',
	displayName: 'Contact',
	required: true,
	description: 'The contact that this is about',
});

/** Fields of a contact beside name, phone number and custom fields (reference: contacts). */
const details = {
	surname: text({ placeholder: 'e.g. Doe' }),
	email: email({ description: 'The email address of the contact' }),
	number_type: text({
		nullable: true,
		description: 'What kind of phone number it is',
		samples: ['mobile'],
	}),
	country_code: text({ description: 'The country, in two letters', placeholder: 'e.g. US' }),
	timezone: zone({ description: 'The time zone that the contact lives in' }),
	primary_language: text({
		description: 'The language that the contact speaks',
		placeholder: 'e.g. en',
	}),
	preferred_contact_channel: text({
		description: 'How the contact likes to be reached',
		samples: ['email'],
	}),
	preferred_contact_time: text({
		description: 'When the contact likes to be reached',
		samples: ['Morning'],
	}),
	status: choice(['Active', 'Inactive'], { description: 'Whether the contact is in use' }),
};

const name = text({
	top: true,
	description: 'The first name of the contact',
	placeholder: 'e.g. John',
});

const customFields = mapper<string>('getContactFields', {
	description: 'Custom fields of the workspace; they keep every value as text',
	words: { singular: 'custom field', plural: 'custom fields' },
	spread: true,
	texts: true,
});

/**
 * Nothing known lists tags. Not called `tag`: n8n checks a parameter also by the rules of a
 * filter of that name, which takes no number.
 */
const tag = eitherId(null, {
	name: 'tagId',
	displayName: 'Tag',
	required: true,
	description:
		'The page of the platform that is known takes the number of the tag; contacts show tags with ' +
		'an ID. If the platform refuses one, give the other. A number is sent as a number.',
});

const simplify = [
	'uuid',
	'name',
	'surname',
	'phone_number',
	'email',
	'status',
	'primary_language',
	'created_at',
	'updated_at',
];

export const contact = resource({
	label: 'Contact',
	value: 'contact',
	defaultOperation: 'getAll',
	operations: {
		addTag: operation.action('POST /contacts/{uuid}/add-tag', {
			name: 'Add Tag',
			action: 'Add a tag to a contact',
			description:
				'Give a contact a tag that exists in the workspace; the answer shows all its tags',
			path: { uuid: contactReference },
			body: { tag_id: tag },
		}),
		blacklist: operation.action('POST /contacts/{uuid}/blacklist', {
			name: 'Add to Blacklist',
			action: 'Add a contact to the blacklist',
			description:
				'Stop calls and emails to a contact, for good or until a date; its status becomes Blacklisted',
			path: { uuid: contactReference },
			body: {
				reason: text({
					required: true,
					minLength: 3,
					description: 'Why the contact is not to be reached, at least three characters',
					placeholder: 'e.g. Asked not to be called',
				}),
				is_permanent: boolean({
					top: true,
					default: true,
					description: 'Whether this holds for good instead of until a date',
				}),
				expires_at: date({
					required: true,
					showWhen: { isPermanent: [false] },
					description: 'The date on which this ends; it has to lie after today',
				}),
				type: choice(
					[
						{ name: 'Both', value: 'Both', description: 'Neither calls nor emails' },
						{ name: 'Email', value: 'Email' },
						{ name: 'Phone', value: 'Phone' },
					],
					{ description: 'What the contact is not to be reached by' },
				),
			},
			check: ({ body }) =>
				body.is_permanent === false && !body.expires_at
					? "'Expires At' is empty. A blacklist entry that is not permanent needs the date on which it ends"
					: undefined,
		}),
		create: operation.create('POST /contacts', {
			name: 'Create',
			action: 'Create a contact',
			description:
				'Add a new contact; to avoid a second one for the same phone number use Find or Create',
			body: {
				phone_number: phone({ top: true, description: 'The phone number of the contact' }),
				name,
				customFields,
				...details,
			},
			check: ({ body }) =>
				Object.keys(body).length
					? undefined
					: "The contact would be empty. Fill in 'Phone Number', 'Name' or another field",
			simplify,
		}),
		delete: operation.remove('DELETE /contacts/{uuid}', {
			name: 'Delete',
			action: 'Delete a contact',
			description: 'Remove a contact for good',
			path: { uuid: contactReference },
			removes: 'uuid',
		}),
		findOrCreate: operation.create('POST /contacts', {
			name: 'Find or Create',
			action: 'Find a contact by phone number or create it',
			description:
				'Give back the contact that has a phone number, or create it with the fields below; ' +
				"'created' in the output tells which it was",
			body: {
				phone_number: phone({
					required: true,
					description:
						'The phone number to look for; fields of a contact that is there already stay as they are',
				}),
				name,
				customFields,
				...details,
			},
			recover: searchFirst({
				in: read('GET /contacts'),
				// Without the plus, because stored numbers may lack it.
				identity: ({ phone_number: number }) => String(number ?? '').replace(/\D/g, ''),
				alias: ({ phone_number: number }, country) => comparable(number, country),
				// What the search looks in and how it compares is not shown, so what comes back is looked at.
				guess: (digits) => ({ search: digits }),
				pageSize: perPage,
			}),
			simplify: [...simplify, 'created'],
		}),
		get: operation.get('GET /contacts/{uuid}', {
			name: 'Get',
			action: 'Get a contact',
			description: 'Read one contact with its custom fields',
			path: { uuid: contactReference },
			simplify,
		}),
		getAll: operation.list('GET /contacts', {
			name: 'Get Many',
			action: 'Get many contacts',
			description: 'List or search the contacts of the workspace',
			query: {
				campaign_uuid: locator('searchCampaigns', {
					name: 'campaign',
					displayName: 'Campaign',
					description: 'Only contacts of a pool that is attached to this campaign',
				}),
				contact_channel: choice(['Call', 'SMS', { name: 'WhatsApp', value: 'WhatsApp' }], {
					displayName: 'Preferred Channel',
					description: 'Only contacts that like to be reached this way',
				}),
				pool_uuid: locator(null, {
					name: 'pool',
					displayName: 'Pool',
					description: 'Only contacts of this pool',
				}),
				stage_uuid: locator(null, {
					name: 'stage',
					displayName: 'Stage',
					description: 'Only contacts in this stage of a pipeline',
				}),
				search: text({
					description: 'Words to look for in name, email and phone number',
					placeholder: 'e.g. +14155550123',
				}),
				status: choice(['Active', 'Inactive'], { description: 'Only contacts with this status' }),
				tag_uuid: locator(null, {
					name: 'tag',
					displayName: 'Tag',
					description: 'Only contacts with this tag',
				}),
			},
			pages: { pageSize: perPage },
			simplify,
		}),
		removeTag: operation.action('POST /contacts/{uuid}/remove-tag', {
			name: 'Remove Tag',
			action: 'Remove a tag from a contact',
			description: 'Take a tag from a contact; the answer shows the tags that it has left',
			path: { uuid: contactReference },
			body: { tag_id: tag },
		}),
		update: operation.update('PUT /contacts/{uuid}', {
			name: 'Update',
			action: 'Update a contact',
			description:
				"Change only the fields that are filled in; to clear fields turn on 'Send Empty Fields' under Options",
			path: { uuid: contactReference },
			body: {
				customFields,
				...details,
				name: text({ description: 'The first name of the contact', placeholder: 'e.g. John' }),
				phone_number: phone({ description: 'The phone number of the contact' }),
			},
			simplify,
		}),
	},
});
