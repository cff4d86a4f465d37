import { searchList } from './costlyWrites';
import {
	choice,
	eitherId,
	instant,
	integer,
	json,
	reference,
	text,
	uuids,
	type FieldOptions,
} from '../engine/fields';
import { operation, perPage, read, resource, showsFields } from '../engine/operation';

const statuses = ['Active', 'Draft', 'Completed', 'Archived'] as const;

const agentId = eitherId('searchAgents', {
	name: 'agent',
	description: "The agent's ID. If the platform refuses it, enter the agent's number By ID.",
});

const agentAppId = (options: FieldOptions = {}) =>
	integer("Number of the agent's channel, in older variants of the platform", {
		...options,
	});

export const campaign = resource({
	label: 'Campaign',
	value: 'campaign',
	path: {
		uuid: reference(
			'searchCampaigns',
			'Conversations show the ID of their campaign as campaign_uuid',
		),
	},
	description: 'Outreach to contact pools. Publishing a campaign is not supported yet.',
	apiRequestNotice:
		"Publishing a campaign contacts customers and costs money. After a lost response, check the platform before you send it again. 'Preview' under Options sends nothing.",
	operations: {
		attachPools: operation.action('POST /campaigns/{uuid}/pools', {
			action: 'Attach contact pools to a campaign',
			description: 'Add pools to a campaign; pools that it already has are skipped',
			notice:
				'If the campaign is running, tasks for all waiting contacts of the pools are created immediately.',
			body: {
				pool_uuids: uuids('IDs of the pools to attach', {
					name: 'pools',
					orBodyJson: true,
					hint: 'Separate multiple IDs with commas',
				}),
			},
		}),
		create: operation.create('POST /campaigns', {
			description:
				'Create a campaign; then add pools and a rule with Attach Pools and Set Rule. No operation here starts it: publish it on the platform.',
			notice:
				'An Active campaign may contact customers immediately, which costs money. Create it as Draft, and publish it on the platform.',
			body: {
				name: text('If a response is lost, the campaign is found by its name', {
					required: true,
					placeholder: 'e.g. Spring offer',
				}),
				status: text({ top: true, samples: statuses, dropdown: true }),
				agent_id: agentId,
				agent_app_id: agentAppId(),
				campaign_type: text('How contacts are reached', { samples: ['email'], dropdown: true }),
				description: text({ rows: 2 }),
				start_date: instant(),
				end_date: instant(),
			},
			recover: searchList({
				in: read('GET /campaigns'),
				query: ({ name }) => ({ search: name }),
				pageSize: perPage,
				name: ({ name }) => name,
				matches: showsFields,
			}),
		}),
		delete: operation.remove('DELETE /campaigns/{uuid}', {
			description: 'Delete a campaign permanently; what happens to its tasks is not known',
		}),
		get: operation.get('GET /campaigns/{uuid}', {
			description: 'Read one campaign',
		}),
		getAll: operation.list('GET /campaigns', {
			description: "List or search the workspace's campaigns",
			query: {
				search: text('Text to look for in campaigns', { placeholder: 'e.g. Spring' }),
				status: text('Only campaigns with this status', {
					samples: [...statuses, 'In Process'],
					dropdown: true,
				}),
			},
			pages: { pageSize: perPage },
		}),
		setRule: operation.update('PUT /campaigns/{uuid}/rule', {
			description: 'Replace the rule that sets when and how often contacts are reached',
			body: {
				rule_uuid: reference(
					'searchOutreachRules',
					"The new rule; its type should match the campaign's channel",
					{ name: 'rule' },
				),
			},
		}),
		update: operation.update('PUT /campaigns/{uuid}', {
			description: 'Change a campaign; tasks already scheduled stay unchanged',
			body: {
				name: text(),
				description: text({ nullable: true, rows: 2 }),
				status: choice(statuses),
				campaign_type: text('How contacts are reached', {
					nullable: true,
					samples: ['email'],
					dropdown: true,
				}),
				start_date: instant({ nullable: true }),
				end_date: instant({ nullable: true }),
				agent_id: agentId,
				agent_app_id: agentAppId({ nullable: true }),
				rules: json('Which contacts the campaign is for', {
					nullable: true,
					placeholder: 'e.g. {"minimum_age": 18}',
				}),
			},
		}),
	},
});
