import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import {
	boolean,
	choice,
	date,
	eitherId,
	email,
	locator,
	mapper,
	phone,
	reference,
	text,
	zone,
} from '../engine/fields';
import { isUuid } from '../engine/response/response';
import { findContact, findOne } from './findContact';
import { matchBy, matchContact, matchField, updateContact } from './matchContact';
import { operation, perPage, resource, words } from '../engine/operation';
import { title } from '../engine/text/text';
import { isBlacklisted } from '../engine/prepare/blacklist';

/** Fields of a contact beside name, phone number and custom fields (reference: contacts). */
const details = {
	surname: text({ placeholder: 'e.g. Doe' }),
	email: email(),
	number_type: text('Kind of phone number', { nullable: true, samples: ['mobile', 'landline'] }),
	country_code: text('Two-letter country code', { placeholder: 'e.g. US' }),
	timezone: zone("The contact's time zone"),
	primary_language: text({
		placeholder: 'e.g. en',
	}),
	preferred_contact_channel: text({
		samples: ['email'],
	}),
	preferred_contact_time: text({
		samples: ['Morning'],
	}),
	status: choice(['Active', 'Inactive'], 'Whether the contact is in use', { decides: false }),
};

const customFields = mapper<string>('getContactFields', {
	description: "The workspace's custom fields; every value is stored as text",
	words: { singular: 'custom field', plural: 'custom fields' },
	spread: true,
	texts: true,
});

const about = {
	name: text("The contact's first name", { top: true, placeholder: 'e.g. John' }),
	customFields,
	...details,
};

/** Its name is not `tag`: n8n would also apply the rules of a filter of that name, which takes no number. */
const tag = eitherId('searchContactTags', {
	name: 'tagId',
	displayName: 'Tag',
	required: true,
	description:
		'A tag that a contact already has, by list or name. For another, enter the number that the platform shows as ID.',
});

/** Whether a contact has a tag, by its number or its ID (catalogue and reference: contacts). */
const hasTag = ({ tags }: IDataObject, { tag_id: tag }: IDataObject): boolean | undefined => {
	if (!Array.isArray(tags)) return undefined;
	const shown = (tags as IDataObject[]).map((one) => [one?.id, one?.uuid].map(String));
	const isIn = shown.some((ids) => ids.includes(String(tag)));
	// A tag that shows no ID of that form may be it.
	const name = isUuid(String(tag)) ? 1 : 0;
	return isIn || shown.every((ids) => ids[name] !== 'undefined') ? isIn : undefined;
};

const opposite = (value: boolean | undefined): boolean | undefined =>
	value === undefined ? undefined : !value;

const simplify = words('uuid name surname phone_number email status tags created_at updated_at');

export const contact = resource({
	label: 'Contact',
	value: 'contact',
	path: { uuid: reference('searchContacts') },
	unsupported: ['Contact Settings'],
	defaultOperation: 'getAll',
	operations: {
		addTag: operation.action('POST /contacts/{uuid}/add-tag', {
			description:
				'Add an existing tag to a contact; the response shows all its tags. No operation here creates tags.',
			body: { tag_id: tag },
			confirms: hasTag,
		}),
		blacklist: operation.action('POST /contacts/{uuid}/blacklist', {
			name: 'Add to Blacklist',
			action: 'Add a contact to the blacklist',
			description:
				"Put a contact on the platform's blacklist, permanently or until a date. What the platform then refuses is unconfirmed.",
			body: {
				reason: text('Why the contact must not be reached; minimum three characters', {
					required: true,
					minLength: 3,
					placeholder: 'e.g. Asked not to be called',
				}),
				is_permanent: boolean(
					'Whether the contact stays on the blacklist permanently instead of until a date',
					{ top: true, default: true },
				),
				expires_at: date('When the contact leaves the blacklist; must be after today', {
					required: true,
					showWhen: { isPermanent: [false] },
				}),
				type: choice(['Both', 'Email', 'Phone'], 'What the entry is for'),
			},
			confirms: (record) => (record.is_blacklisted === false ? false : isBlacklisted(record)),
			check: ({ body }) =>
				body.is_permanent === false && !body.expires_at
					? "'Expires At' is empty. Enter the date on which the contact leaves the blacklist, or turn on 'Is Permanent'"
					: undefined,
		}),
		create: operation.create('POST /contacts', {
			description:
				'Create a contact. To avoid a duplicate for the same phone number, use Find or Create.',
			body: {
				phone_number: phone({ top: true }),
				...about,
			},
			check: ({ body }) =>
				Object.keys(body).length
					? undefined
					: "The contact would be empty. Fill in 'Phone Number', 'Name' or another field",
			simplify,
		}),
		delete: operation.remove('DELETE /contacts/{uuid}', {
			description: 'Delete a contact permanently',
		}),
		findOrCreate: operation.create('POST /contacts', {
			action: 'Find a contact by phone number or create it',
			description:
				"Return the contact with this phone number, or create it from the fields below, once for items with one number. 'created' tells which.",
			body: {
				phone_number: phone(
					'The phone number to look for; the fields of an existing contact stay unchanged',
					{ required: true },
				),
				...about,
			},
			recover: matchContact,
			simplify: [...simplify, 'created'],
		}),
		find: operation.list('GET /contacts', {
			description:
				'Find a contact by number, email or name without creating one. The output is empty if nobody matches.',
			pages: {
				pageSize: perPage,
				filters: { find: findContact },
			},
			run: findOne,
			simplify,
		}),
		get: operation.get('GET /contacts/{uuid}', {
			description: "Read one contact; its custom fields come with 'Simplify' off",
			simplify,
		}),
		getAll: operation.list('GET /contacts', {
			description: "List or search the workspace's contacts",
			query: {
				campaign_uuid: locator(
					'searchCampaigns',
					'Only contacts in pools attached to this campaign',
				),
				contact_channel: choice(
					['Call', 'SMS', { name: 'WhatsApp', value: 'WhatsApp' }],
					'Only contacts who prefer this channel',
					{ displayName: 'Preferred Channel' },
				),
				pool_uuid: locator(null, 'Only contacts in this pool', { name: 'pool' }),
				stage_uuid: locator(null, 'Only contacts in this pipeline stage', { name: 'stage' }),
				search: text('Text to look for in name, email and phone number', {
					placeholder: 'e.g. +14155550123',
				}),
				status: choice(['Active', 'Inactive'], 'Only contacts with this status'),
				tag_uuid: locator('searchContactTags', 'Only contacts with this tag', { name: 'tag' }),
			},
			pages: { pageSize: perPage },
			simplify,
		}),
		removeTag: operation.action('POST /contacts/{uuid}/remove-tag', {
			description: 'Remove a tag from a contact; the response shows its remaining tags',
			body: { tag_id: tag },
			confirms: (record, body) => opposite(hasTag(record, body)),
		}),
		upsert: operation.create('POST /contacts', {
			name: 'Create or Update',
			action: 'Create or update a contact',
			description: 'Create a new contact, or update the current one if it already exists (upsert)',
			body: {
				matchBy,
				matchField,
				phone_number: phone({ top: true }),
				email: email({ top: true }),
				...omit(about, 'email'),
			},
			check: ({ body, matching: [column] }) =>
				column === undefined || body[column] !== undefined
					? undefined
					: `'${title(column)}' is empty, and the contact is matched by it. Fill it in, or change 'Match By'`,
			recover: updateContact,
			simplify: [...simplify, 'created'],
		}),
		update: operation.update('PUT /contacts/{uuid}', {
			description:
				"Change only the fields you fill in. To clear fields, turn on 'Send Empty Fields' under Options.",
			body: {
				customFields,
				...details,
				name: text("The contact's first name", { placeholder: 'e.g. John' }),
				phone_number: phone(),
			},
			simplify,
		}),
	},
});
