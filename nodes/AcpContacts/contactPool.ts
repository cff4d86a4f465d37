import { boolean, choice, integer, reference, text, uuids } from '../engine/fields';
import { guessedFilter, hasWords, operation, perPage, resource, words } from '../engine/operation';

const pool = reference(
	null,
	'ID of the pool, from the response to Create or its page on the platform',
	{ name: 'pool' },
);

const order = [
	{
		name: 'FIFO',
		value: 'FIFO',
		description: 'First in, first out: the contact added first is next',
	},
	{
		name: 'LIFO',
		value: 'LIFO',
		description: 'Last in, first out: the contact added last is next',
	},
	{ name: 'Parallel', value: 'Parallel', description: 'Several contacts in parallel, by priority' },
] as const;

const maxParallelItems = integer(
	"Maximum contacts reached in parallel; only for the type 'Parallel'",
	{ min: 1, max: 100, default: 10 },
);
const maxRetries = integer("Maximum retries per contact; a campaign's rule takes precedence", {
	min: 0,
	default: 3,
});

export const contactPool = resource({
	label: 'Contact Pool',
	value: 'contactPool',
	path: { uuid: pool },
	defaultOperation: 'getContacts',
	operations: {
		addContacts: operation.create('POST /pools/{uuid}/contacts', {
			action: 'Add contacts to a pool',
			description:
				'Add existing contacts. Those already in the pool are skipped; the response names unknown ones.',
			notice:
				'If a campaign with this pool is running, the new contacts are called or messaged immediately.',
			body: {
				contact_uuids: uuids('IDs of the contacts to add, as a list or separated by commas', {
					required: true,
				}),
				priority: integer("Higher values go first; only for the type 'Parallel'"),
			},
		}),
		create: operation.create('POST /pools', {
			description: 'Create an empty pool; fill it with Add Contacts, then attach it to a campaign',
			body: {
				name: text({
					required: true,
					minLength: 3,
					maxLength: 255,
					placeholder: 'e.g. May leads',
				}),
				description: text('What the pool is for', { required: true }),
				is_active: boolean('Whether new campaigns can use the pool', { default: true }),
				max_parallel_items: maxParallelItems,
				max_retries: maxRetries,
				type: choice(order, 'The order in which contacts are reached'),
			},
		}),
		duplicate: operation.create('POST /pools/{uuid}/duplicate', {
			description: 'Copy a pool, either empty or with its contacts as pending',
			body: {
				copy_contacts: boolean('Whether to copy the contacts too', { default: true }),
				name: text("Name of the copy; defaults to the source's name plus (copy)", {
					placeholder: 'e.g. June leads',
				}),
			},
		}),
		getContacts: operation.list('GET /pools/{uuid}/contacts', {
			action: 'Get the contacts of a pool',
			description: 'List the contacts of a pool with the status of each',
			query: {
				status: text(
					"Only contacts with this status; 'Completed', 'Failed' and 'Skipped' are final",
					{
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
						dropdown: true,
					},
				),
			},
			pages: {
				pageSize: perPage,
				filters: {
					search: guessedFilter(
						text('Text to look for in name, email and phone number', {
							placeholder: 'e.g. +14155550123',
						}),
						hasWords('name', 'surname', 'email', 'phone_number'),
					),
				},
			},
			simplify: words(
				'contact_uuid name phone_number email status priority retry_count completed_at ' +
					'next_retry_at added_at',
			),
		}),
		update: operation.update('PUT /pools/{uuid}', {
			description: 'Change a pool; contacts in progress keep their status',
			body: {
				description: text('What the pool is for'),
				is_active: boolean('Whether new campaigns can use the pool; running campaigns continue'),
				max_parallel_items: maxParallelItems,
				max_retries: maxRetries,
				name: text({ minLength: 3, maxLength: 255, placeholder: 'e.g. May leads' }),
				type: choice(order, 'The order in which contacts are reached from now on'),
			},
		}),
	},
});
