import type { IDataObject } from 'n8n-workflow';
import {
	boolean,
	choice,
	date,
	integer,
	list,
	locator,
	reference,
	text,
	timeOfDay,
} from '../engine/fields';
import { agentFilter, channelFilter, statusFilter } from '../shared/callState';
import { type SearchList, searchList } from './costlyWrites';
import { again, launch, nameOf, withoutAgent } from './launch';
import { rowsOfItems } from './rowsOfItems';
import { contactOfItem, contactRow, unreachable } from './listingContact';
import { usualHeadings } from '../engine/people/headings';
import { summarizeListing, summaryOutput } from './listingSummary';
import { stopListing, stopOutput } from './stopListing';
import {
	createdWithin,
	guessedFilter,
	operation,
	ownFilter,
	perPage,
	type Reaches,
	read,
	resource,
	type Schema,
	showsFields,
	words,
} from '../engine/operation';

const listingField = reference('searchListings');

const costs =
	"'Start Contacting Immediately' reaches everyone now, costs money and cannot be undone. Turn on 'Preview' first.";

/** Fields of a listing beside its contacts (reference: listings). */
const about = {
	agent_uuid: locator('searchAgents', 'The agent that calls or messages the contacts', {
		top: 'first',
	}),
	name: text({
		required: true,
		placeholder: 'e.g. Spring offer',
	}),
	campaign_type: text('How to reach the contacts: by call, text message or WhatsApp', {
		top: true,
		samples: ['call', 'text', 'whatsapp'],
		dropdown: true,
	}),
	auto_start: boolean(
		"Whether to call or message the contacts now, maybe before 'Start Date'. No known endpoint starts the listing later.",
		{ top: true, displayName: 'Start Contacting Immediately' },
	),
	description: text({ rows: 2 }),
	start_date: date('First day on which contacts are reached'),
	end_date: date('Last day on which contacts are reached'),
	contact_template_setting_id: integer('Number of the template setting for sending texts', {
		displayName: 'Template Setting ID',
	}),
	rule: {
		uuid: locator(
			'searchOutreachRules',
			'An existing rule that sets when and how often contacts are reached',
			{ name: 'rule', hint: 'Beta. Check it with a listing of your number alone.' },
		),
		name: text('Name of a rule for this listing', { displayName: 'Rule Name' }),
		type: choice(
			['call', 'text', 'whatsapp'],
			'What the rule is for; a rule for texts has one attempt and no end time',
			{ displayName: 'Rule Type' },
		),
		max_calls_per_day: integer("Days are counted in the contact's time zone", {
			min: 1,
			displayName: 'Max Attempts per Contact per Day',
		}),
		max_total_calls: integer({ min: 1, displayName: 'Max Attempts per Contact' }),
		retry_interval_minutes: integer({ min: 1, displayName: 'Minutes Between Attempts' }),
		start_time: timeOfDay("In the contact's time zone, on weekends and holidays, too", {
			displayName: 'Rule Start Time',
			withSeconds: false,
		}),
		end_time: timeOfDay("Latest time to call, in the contact's time zone. Not for texts.", {
			displayName: 'Rule End Time',
			withSeconds: false,
			placeholder: 'e.g. 18:00',
		}),
	},
};

const reaches: Reaches = {
	at: ['phone_number', 'email'],
	rows: 'contacts',
	words: ['contact', 'contacts', 'added to the listing'],
	counted: {
		// Of a pool (reference: pools); no source shows the response for a listing.
		in: ({ contacts_added: added }) => (Number.isInteger(added) ? (added as number) : undefined),
		sent: 'sent to the listing',
	},
};

const wrongDates = ({ start_date: start, end_date: end }: IDataObject): string | undefined =>
	typeof start === 'string' && typeof end === 'string' && end < start
		? "'End Date' is before 'Start Date'"
		: undefined;

/** Between an expression in place of the whole list and no list, n8n shows a node no difference: both are `{}`. */
const withoutContacts = ({ contacts }: IDataObject) =>
	Array.isArray(contacts) && contacts.length === 0
		? "The listing was created without contacts. If you set the whole field 'Contacts' by an expression, n8n ignored it: use 'Create From Items' instead."
		: undefined;

/** Only the name is known to be in the list (client); without agent and number of contacts it is not known whose it is. */
const inListings: SearchList = {
	in: read('GET /listings'),
	inferredKey: true,
	pageSize: perPage,
	name: nameOf,
	matches: (record, { name, agent_uuid: agentUuid, contacts }) => {
		if (showsFields(record, { name, ...(agentUuid ? { agent_uuid: agentUuid } : {}) }) === false)
			return false;
		// Contacts of the same email address become one, so another number proves nothing.
		const sent = {
			agent_uuid: agentUuid,
			contacts_count: (contacts as unknown[] | undefined)?.length,
		};
		return showsFields(record, sent) === true ? true : undefined;
	},
};

/** Conversations carry a listing_uuid, but no filter by it is shown (reference: listings, conversations). */
const ofListing = {
	// A conversation that does not come from a listing may lack the key.
	listing_uuid: guessedFilter(listingField, ({ listing_uuid: uuid }, wanted) => uuid === wanted),
	created_after: createdWithin('conversations').created_after,
};

const contactsOfItems = rowsOfItems<Schema<'ListingContact'>>(
	'getListingContactFields',
	{
		required: true,
		description:
			'Which column fills which contact field. Every item is one contact; items with the same phone number are merged.',
		words: { singular: 'field', plural: 'fields' },
		headings: usualHeadings,
		rows: { singular: 'contact', plural: 'contacts' },
		foldBy: 'phone_number',
	},
	contactOfItem,
);

export const listing = resource({
	label: 'Listing',
	value: 'listing',
	path: { uuid: listingField },
	description:
		'A call list: contacts that the platform calls or messages at its own pace. Starting one later is not supported yet.',
	defaultOperation: 'createFromItems',
	operations: {
		addContacts: operation.create('POST /listings/{uuid}/contacts', {
			description:
				'Add the contacts you enter below; contacts that the platform already knows are updated',
			notice: 'If the listing has started, it may contact the new contacts immediately.',
			body: {
				contacts: list<Schema<'ListingContact'>>('Contact', contactRow, { required: true }),
			},
			reaches,
			check: ({ body }) => unreachable(body.contacts),
		}),
		addContactsFromItems: operation.create('POST /listings/{uuid}/contacts', {
			action: 'Add all input items to a listing as contacts',
			description: 'Add every input item as a contact, in one request',
			notice: 'If the listing has started, it may contact the new contacts immediately.',
			body: { contacts: contactsOfItems },
			reaches,
			allItems: 'POST /listings/{uuid}/contacts',
		}),
		create: operation.create('POST /listings', {
			description:
				'Create a listing with the contacts you enter below; contacts that the platform already knows are updated',
			notice: costs,
			body: {
				...about,
				contacts: list<Schema<'ListingContact'>>('Contact', contactRow, {
					top: true,
					keepsEmpty: true,
					description: 'The contacts to reach; you can also add them later',
				}),
			},
			reaches,
			...launch,
			check: ({ body }) => unreachable(body.contacts) ?? wrongDates(body) ?? withoutAgent(body),
			hint: (_, __, body) => withoutContacts(body) ?? again(body),
			recover: searchList({ ...inListings, when: (body) => body.auto_start === true }),
		}),
		createFromItems: operation.create('POST /listings', {
			action: 'Create a listing from all input items',
			description:
				'Create one listing with every input item as a contact. The output also holds itemsRead, contactsSent, itemsMerged and itemsSkipped.',
			notice: costs,
			body: { ...about, contacts: contactsOfItems },
			reaches,
			...launch,
			check: ({ body }) => wrongDates(body) ?? withoutAgent(body),
			allItems: 'POST /listings/{uuid}/contacts',
			hint: (_, __, body) => again(body),
			recover: searchList(inListings),
		}),
		getAll: operation.list('GET /listings', {
			description:
				"List the workspace's listings. No source shows their status and counts: run it once and look.",
			pages: { pageSize: perPage },
		}),
		getOutcomes: operation.list('GET /conversations', {
			description: 'List all conversations from a listing, with the outcome of each call',
			query: {
				agent_uuid: agentFilter,
				channel: channelFilter,
				status: statusFilter,
			},
			pages: {
				pageSize: perPage,
				filters: ofListing,
			},
			simplify: words(
				'contact.phone_number contact.name status call.status call.duration call.summary channel ' +
					'created_at uuid call.recording_url',
			),
		}),
		getSummary: operation.programme('GET /conversations', {
			action: 'Get a summary of a listing',
			description:
				'Count how many contacts of a listing were reached, are in progress or were not reached. Reads all conversations of the listing.',
			pages: {
				pageSize: perPage,
				filters: {
					...ofListing,
					contactCount: ownFilter(
						integer(
							"How many contacts the listing has ('contactsSent' of Create From Items), or 0 if unknown",
							{ top: true, displayName: 'Number of Contacts' },
						),
						() => true,
					),
				},
			},
			run: summarizeListing,
			outputFields: summaryOutput,
		}),
		removeContact: operation.remove('DELETE /listings/{uuid}/contacts/{contactUuid}', {
			description:
				'Remove a contact from a listing. It stays in the workspace, and so may a planned call: see Task › Cancel.',
			path: {
				contactUuid: reference('searchContacts'),
			},
		}),
		stop: operation.programme('POST /tasks/{uuid}/cancel', {
			description:
				'Cancel every task of a listing that has not begun. Calls in progress go on. The listing itself may keep its status, like running.',
			notice:
				"Cancels the tasks of all campaigns that the listing has started. This cannot be undone. Turn on 'Preview' under Options to see them first.",
			path: {
				listing: listingField,
				campaign: locator(
					'searchCampaigns',
					'The campaign of the listing, if the node cannot find it',
					{ top: true },
				),
			},
			run: stopListing,
			outputFields: stopOutput,
		}),
	},
});
