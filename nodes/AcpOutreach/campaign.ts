import { choice, eitherId, instant, integer, json, locator, text, uuids } from '../engine/fields';
import { operation, read, resource, searchList } from '../engine/operation';

const campaignField = locator('searchCampaigns', {
	name: 'campaign',
	displayName: 'Campaign',
	required: true,
	description: 'The campaign in the workspace; conversations name theirs as campaign_uuid',
});

const statuses = ['Active', 'Draft', 'Completed', 'Archived'] as const;

export const campaign = resource({
	label: 'Campaign',
	value: 'campaign',
	apiRequestNotice:
		'Publishing a campaign creates its tasks and begins to reach people. This package knows ' +
		"no endpoint for it yet; take method and path from your workspace's API documentation. " +
		"It costs money: turn on 'Preview' under Options first. A " +
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
		create: operation.create('POST /campaigns', {
			name: 'Create',
			action: 'Create a campaign',
			description: 'Make a campaign; pools and a rule are added with Attach Pools and Set Rule',
			notice:
				'Nobody has seen yet whether a campaign that is created as Active begins to reach people at ' +
				"once, which costs money. Create it as Draft where you are not sure, and turn on 'Preview' " +
				'under Options first.',
			body: {
				name: text({ required: true, placeholder: 'e.g. Spring offer' }),
				status: text({ top: true, description: 'State of the campaign', samples: statuses }),
				agent_id: eitherId('searchAgents', {
					name: 'agent',
					displayName: 'Agent',
					description:
						'The agent of the campaign. The page of the platform that is known takes a number here, ' +
						'newer pages an ID: if the platform refuses one, give the other By ID. A number is sent ' +
						'as a number.',
				}),
				agent_app_id: integer({
					displayName: 'Agent App ID',
					description:
						'Number of the channel that the agent uses, in older variants of the platform',
				}),
				campaign_type: text({
					displayName: 'Campaign Type',
					description: 'How the contacts are reached',
					samples: ['email'],
				}),
				description: text({ rows: 2 }),
				start_date: instant({ description: 'When the campaign begins' }),
				end_date: instant({ description: 'When the campaign ends' }),
			},
			openBody: true,
			recover: searchList({
				in: read('GET /campaigns'),
				query: ({ name }) => ({ search: name }),
				pageSize: { name: 'per_page', max: 100 },
				matches: (record, body) => record.name === body.name,
			}),
		}),
		delete: operation.remove('DELETE /campaigns/{uuid}', {
			name: 'Delete',
			action: 'Delete a campaign',
			description: 'Remove a campaign for good; what becomes of its tasks is not known',
			path: { uuid: campaignField },
			removes: 'uuid',
		}),
		get: operation.get('GET /campaigns/{uuid}', {
			name: 'Get',
			action: 'Get a campaign',
			description: 'Read one campaign',
			path: { uuid: campaignField },
		}),
		getAll: operation.list('GET /campaigns', {
			name: 'Get Many',
			action: 'Get many campaigns',
			description: 'List or search the campaigns of the workspace',
			query: {
				search: text({
					description: 'Words to look for in campaigns',
					placeholder: 'e.g. Spring',
				}),
				status: text({ description: 'Only campaigns in this state', samples: statuses }),
			},
			pages: { pageSize: { name: 'per_page', max: 100 } },
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
				status: choice(statuses, { description: 'State of the campaign' }),
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
