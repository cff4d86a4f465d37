import { choice, locator, text } from '../engine/fields';
import { operation, perPage, resource } from '../engine/operation';

export const contactApproval = resource({
	label: 'Contact Approval',
	value: 'contactApproval',
	description:
		'Suggested changes of contacts. No known endpoint approves or rejects one: do so on the platform.',
	operations: {
		getAll: operation.list('GET /contacts/approvals', {
			description: 'List contact changes that AI suggests and team members approve or reject',
			query: {
				confidence: choice(
					[
						{ name: 'High', value: 'high', description: '0.8 and above' },
						{ name: 'Low', value: 'low', description: 'Below 0.5' },
						{ name: 'Medium', value: 'medium', description: '0.5 to 0.79' },
					],
					'Only suggestions with this confidence',
				),
				contact_uuid: locator('searchContacts', 'Only suggestions for this contact'),
				conversation_uuid: locator(
					'searchConversations',
					'Only suggestions from this conversation',
				),
				field_key: text('Only suggestions for the custom field with this key', {
					displayName: 'Custom Field Key',
					placeholder: 'e.g. order_number',
				}),
				field_name: text('Only suggestions for this field; include its prefix', {
					samples: ['b_email', 'f_order_number', 'p_stage_change'],
				}),
				pipeline_uuid: locator(
					null,
					'Only suggestions for this pipeline; a pipeline is the same record as a contact pool',
					{ name: 'pipeline' },
				),
				status: choice(['Approved', 'Pending', 'Rejected'], 'Only suggestions with this status'),
			},
			pages: { pageSize: perPage },
		}),
	},
});
