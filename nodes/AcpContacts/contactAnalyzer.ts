import { choice, reference, text } from '../engine/fields';
import { operation, resource } from '../engine/operation';

export const contactAnalyzer = resource({
	label: 'Contact Analyzer',
	value: 'contactAnalyzer',
	operations: {
		update: operation.update('PUT /analyzers/{internal_id}', {
			description:
				'Set what happens to values found in conversations: for a contact field, a custom field or a pipeline stage',
			path: {
				internal_id: reference(
					null,
					"ID made of b_ and a built-in contact field, f_ and a custom field's key, or p_ and a pipeline stage rule",
					{
						displayName: 'Analyzer',
						hint: 'For example: b_email, f_order_number, p_initial_contact',
						pattern: {
							regex: '^\\s*[bfp]_\\S+\\s*$',
							message: 'An analyzer ID begins with b_, f_ or p_',
							example: 'f_order_number',
							rule: 'It begins with b_ for a built-in contact field, f_ for a custom one or p_ for a pipeline stage rule',
						},
					},
				),
			},
			body: {
				update_behavior: choice(
					[
						{
							name: 'Always Ask for Approval',
							value: 'manual_approval',
							description: 'Stores nothing until someone approves it',
						},
						{
							name: 'Ask Before Replacing',
							value: 'ask_approval_if_existing',
							description: 'Asks for approval if the field already has a value',
						},
						{ name: 'Ignore', value: 'dont_update', description: 'Does not store the value' },
						{
							name: 'Store Immediately',
							value: 'automatic_update',
							description: 'Stores the value without asking',
						},
						{
							name: 'Store in Empty Field',
							value: 'update_if_empty',
							description: 'Stores the value only if the field is empty',
						},
					],
					'What to do with a value that was found',
				),
				analysis_goals: text('What to look for; not for built-in contact fields', {
					nullable: true,
					rows: 3,
					maxLength: 1000,
				}),
				example_values: text('Sample values, one per line; only for custom contact fields', {
					nullable: true,
					rows: 4,
					maxLength: 1000,
					placeholder: 'e.g. A-1001',
				}),
			},
			check: ({ path, body }) => {
				const prefix = String(path.internal_id).charAt(0);
				if (prefix === 'b' && ('analysis_goals' in body || 'example_values' in body)) {
					return "For a built-in contact field (b_), only 'Update Behavior' can be changed. Remove 'Analysis Goals' and 'Example Values'";
				}
				if (prefix === 'p' && 'example_values' in body)
					return "A pipeline stage rule (p_) has no example values. Remove 'Example Values'";
				return undefined;
			},
		}),
	},
});
