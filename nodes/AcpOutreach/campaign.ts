import { choice, instant, json, locator, text, uuids } from '../engine/fields';
import { operation, resource } from '../engine/operation';

/** The platform shows no list of campaigns. */
const campaignField = locator(null, {
	name: 'campaign',
	displayName: 'Campaign',
	required: true,
	description:
		"ID of the campaign; it stands in the campaign's address on the platform and in conversations as campaign_uuid",
});

export const campaign = resource({
	label: 'Campaign',
	value: 'campaign',
	apiRequestNotice:
		'Publishing a campaign creates its tasks and begins to reach people. The platform ' +
		'has not published the address of it, so it is reached here, with method and path as ' +
		"its reference names them. It costs money: turn on 'Preview' under Options first. A " +
		'request whose answer is lost is not sent again by itself; look on the platform ' +
		'before you repeat it.',
	operations: {
		attachPools: operation.action('POST /campaigns/{uuid}/pools', {
			name: 'Attach Pools',
			action: 'Attach contact pools to a campaign',
			description:
				'Add pools to those that the campaign has; pools that it has already are skipped',
			notice:
				'With a campaign that is running, tasks for all waiting contacts of the pools are created at once.',
			path: { uuid: campaignField },
			body: {
				pool_uuids: uuids({
					name: 'pools',
					displayName: 'Pools',
					orBodyJson: true,
					description: 'IDs of the pools to attach',
					hint: 'Separate several with commas',
				}),
			},
		}),
		setRule: operation.update('PUT /campaigns/{uuid}/rule', {
			name: 'Set Rule',
			action: 'Set the rule of a campaign',
			description: 'Replace the rule that says when and how often contacts are reached',
			path: { uuid: campaignField },
			body: {
				rule_uuid: locator('searchOutreachRules', {
					name: 'rule',
					displayName: 'Rule',
					required: true,
					description: "The new rule; its type should match the campaign's channel",
				}),
			},
		}),
		update: operation.update('PUT /campaigns/{uuid}', {
			name: 'Update',
			action: 'Update a campaign',
			description: 'Change a campaign; tasks that are scheduled already stay as they are',
			path: { uuid: campaignField },
			body: {
				name: text(),
				description: text({ nullable: true, rows: 2 }),
				status: choice(['Active', 'Draft', 'Completed', 'Archived'], {
					description: 'State of the campaign',
				}),
				campaign_type: text({
					nullable: true,
					displayName: 'Campaign Type',
					description: 'How the contacts are reached',
					samples: ['email'],
				}),
				start_date: instant({ nullable: true, description: 'When the campaign begins' }),
				end_date: instant({ nullable: true, description: 'When the campaign ends' }),
				rules: json({
					nullable: true,
					displayName: 'Rules (JSON)',
					description: 'Whom the campaign is for',
					placeholder: 'e.g. {"minimum_age": 18}',
				}),
			},
			openBody: true,
		}),
	},
});
