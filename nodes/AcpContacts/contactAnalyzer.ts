import { choice, locator, text } from '../engine/fields';
import { operation, resource } from '../engine/operation';

export const contactAnalyzer = resource({
	label: 'Contact Analyzer',
	value: 'contactAnalyzer',
	operations: {
		update: operation.update('PUT /analyzers/{internal_id}', {
			name: 'Update',
			action: 'Update a contact analyzer',
			description:
				'Set what happens to a value that is found in a conversation: a contact field, a ' +
				'custom field or a pipeline stage',
			path: {
				internal_id: locator(null, {
					name: 'internalId',
					displayName: 'Analyzer',
					required: true,
					description:
						'What is analyzed: b_ and a built-in contact field, f_ and the key of a custom ' +
						'contact field, or p_ and a pipeline stage rule',
					hint: 'For example: b_email, f_order_number, p_initial_contact',
					pattern: {
						regex: '^\\s*[bfp]_\\S+\\s*$',
						message: 'The ID of an analyzer begins with b_, f_ or p_',
						example: 'f_order_number',
						rule: 'It begins with b_ for a built-in contact field, f_ for a custom one or p_ for a pipeline stage rule',
					},
				}),
			},
			body: {
				update_behavior: choice(
					[
						{
							name: 'Always Ask for Approval',
							value: 'manual_approval',
							description: 'Nothing is stored before somebody approves it',
						},
						{
							name: 'Ask Before Replacing',
							value: 'ask_approval_if_existing',
							description: 'An approval is asked where the field has a value already',
						},
						{ name: 'Ignore', value: 'dont_update', description: 'What is found is not stored' },
						{
							name: 'Store at Once',
							value: 'automatic_update',
							description: 'What is found is stored without asking',
						},
						{
							name: 'Store Where Empty',
							value: 'update_if_empty',
							description: 'What is found is stored only where the field has no value',
						},
					],
					{ description: 'What is done with a value that was found' },
				),
				analysis_goals: text({
					nullable: true,
					rows: 3,
					maxLength: 1000,
					description: 'What to look for; not for built-in contact fields',
				}),
				example_values: text({
					nullable: true,
					rows: 4,
					maxLength: 1000,
					description: 'Sample values, one per line; only for custom contact fields',
					placeholder: 'e.g. A-1001',
				}),
			},
			check: ({ path, body }) => {
				const kind = String(path.internal_id).charAt(0);
				if (kind === 'b' && ('analysis_goals' in body || 'example_values' in body)) {
					return (
						"For a built-in contact field (b_) only 'Update Behavior' can be changed. Remove " +
						"'Analysis Goals' and 'Example Values'"
					);
				}
				if (kind === 'p' && 'example_values' in body)
					return "A pipeline stage rule (p_) has no example values. Remove 'Example Values'";
				return undefined;
			},
		}),
	},
});
