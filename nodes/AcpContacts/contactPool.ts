import { boolean, choice, integer, locator, text, uuids } from '../engine/fields';
import { guessedFilter, hasWords, operation, perPage, resource } from '../engine/operation';

const pool = locator(null, {
	name: 'pool',
	displayName: 'Pool',
	required: true,
	description:
		'The ID of the pool; it comes with the answer to Create, or from its page on the platform',
});

const order = [
	{ name: 'FIFO', value: 'FIFO', description: 'The contact that waits longest is next' },
	{ name: 'LIFO', value: 'LIFO', description: 'The contact that was added last is next' },
	{ name: 'Parallel', value: 'Parallel', description: 'Several at once, by priority' },
] as const;

const maxParallelItems = integer({
	min: 1,
	max: 100,
	default: 10,
	description: 'How many contacts are worked off at once; only with the type Parallel',
});
const maxRetries = integer({
	min: 0,
	default: 3,
	description: 'How often a contact is tried again; the rule of a campaign goes first',
});

export const contactPool = resource({
	label: 'Contact Pool',
	value: 'contactPool',
	defaultOperation: 'getContacts',
	operations: {
		addContacts: operation.create('POST /pools/{uuid}/contacts', {
			name: 'Add Contacts',
			action: 'Add contacts to a pool',
			description:
				'Add existing contacts; those that are in the pool already are skipped, unknown ones are named in the answer',
			notice:
				'While a campaign of this pool is running, the new contacts are called or written to at once.',
			path: { uuid: pool },
			body: {
				contact_uuids: uuids({
					required: true,
					displayName: 'Contact IDs',
					description: 'The contacts to add: a list, or IDs separated by commas',
				}),
				priority: integer({ description: 'Higher goes first; only with the type Parallel' }),
			},
		}),
		create: operation.create('POST /pools', {
			name: 'Create',
			action: 'Create a contact pool',
			description: 'Make an empty pool; fill it with Add Contacts and attach it to a campaign',
			body: {
				name: text({
					required: true,
					minLength: 3,
					maxLength: 255,
					placeholder: 'e.g. Leads of May',
				}),
				description: text({ required: true, description: 'What the pool is for' }),
				is_active: boolean({
					default: true,
					description: 'Whether campaigns can be made with the pool',
				}),
				max_parallel_items: maxParallelItems,
				max_retries: maxRetries,
				type: choice(order, { description: 'In which order contacts are worked off' }),
			},
		}),
		duplicate: operation.action('POST /pools/{uuid}/duplicate', {
			name: 'Duplicate',
			action: 'Duplicate a contact pool',
			description: 'Copy a pool, with its contacts as pending or empty',
			path: { uuid: pool },
			body: {
				copy_contacts: boolean({
					default: true,
					description: 'Whether the copy holds the same contacts',
				}),
				name: text({
					description: "What the copy is called; else the source's name and (copy)",
					placeholder: 'e.g. Leads of June',
				}),
			},
		}),
		getContacts: operation.list('GET /pools/{uuid}/contacts', {
			name: 'Get Contacts',
			action: 'Get the contacts of a pool',
			description: 'List the contacts of a pool and how far each of them is',
			path: { uuid: pool },
			query: {
				status: text({
					description: 'Only contacts that are this far; Completed, Failed and Skipped are final',
					samples: [
						'Pending',
						'Processing',
						'In_Call',
						'Retrying',
						'Scheduled',
						'Completed',
						'Failed',
						'Skipped',
					],
				}),
			},
			pages: {
				pageSize: perPage,
				filters: {
					search: guessedFilter(
						text({
							description: 'Words to look for in name, email and phone number',
							placeholder: 'e.g. +14155550123',
						}),
						hasWords('name', 'surname', 'email', 'phone_number'),
					),
				},
			},
			simplify: [
				'contact_uuid',
				'name',
				'phone_number',
				'email',
				'status',
				'priority',
				'retry_count',
				'completed_at',
				'next_retry_at',
				'added_at',
			],
		}),
		update: operation.update('PUT /pools/{uuid}', {
			name: 'Update',
			action: 'Update a contact pool',
			description: 'Change only what is filled in; contacts in progress keep their state',
			path: { uuid: pool },
			body: {
				description: text({ description: 'What the pool is for' }),
				is_active: boolean({
					description: 'Whether campaigns can be made with the pool; running campaigns go on',
				}),
				max_parallel_items: maxParallelItems,
				max_retries: maxRetries,
				name: text({ minLength: 3, maxLength: 255, placeholder: 'e.g. Leads of May' }),
				type: choice(order, { description: 'In which order contacts are worked off from now on' }),
			},
		}),
	},
});
