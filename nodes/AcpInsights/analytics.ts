import { boolean, choice, joined, locator, timeWindow } from '../engine/fields';
import { operation, resource, words } from '../engine/operation';

const ofAgent = locator('searchAgents', 'Only include this agent');

const ofCampaign = locator('searchCampaigns', 'Only include this campaign');

const period =
	`'Get Calls' takes its period like {"from": "2026-05-01T00:00:00+02:00", "to": "2026-06-01T00:00:00+02:00"}; ` +
	'this package does not know whether these names apply here';

const channel = (...samples: string[]) =>
	joined('Only include these channels', { displayName: 'Channels', samples });

const totals = (sample: string) => ({
	...timeWindow(),
	agent_uuid: ofAgent,
	campaign_uuid: ofCampaign,
	channel: channel('call', sample),
	compare_prev: boolean('Whether to include the preceding period of equal length', {
		displayName: 'Compare with Previous Period',
	}),
	/** The platform groups in one way only (interface §4.2). */
	granularity: choice(
		['total'],
		'How to group the counts; the platform offers only the total of the period',
		{ displayName: 'Grouping' },
	),
});

export const analytics = resource({
	label: 'Analytics',
	value: 'analytics',
	defaultOperation: 'getCalls',
	operations: {
		exportMessages: operation.list('GET /analytics/messages', {
			action: 'Export the messages of a period',
			description: 'Export the messages of all conversations in a period, one item per message',
			query: {
				...timeWindow(),
				channel: channel('whatsapp', 'call'),
				agent_uuid: ofAgent,
				campaign_uuid: ofCampaign,
			},
			pages: { pageSize: { name: 'limit', max: 1000 } },
			simplify: words(
				'message_uuid conversation_uuid contact_uuid agent_uuid channel direction sender ' +
					'message_type content created_at',
			),
		}),
		getCalls: operation.get('GET /analytics/calls', {
			action: 'Get the call totals of a period',
			description:
				'Count the calls of a period, with durations, outcomes and cost; this is the authoritative call count',
			query: totals('whatsapp_call'),
		}),
		getConversations: operation.get('GET /analytics/conversations', {
			action: 'Get the conversation totals',
			description:
				"Read totals of conversations; they exclude calls without a channel, so they can differ from 'Get Calls'",
			queryHint: period,
		}),
		getEvaluations: operation.get('GET /analytics/evaluations', {
			action: 'Get the evaluation metrics',
			description: 'Read how conversations were evaluated',
			queryHint: period,
		}),
		getSessions: operation.get('GET /analytics/sessions', {
			action: 'Get the session metrics of a period',
			description: 'Read totals, rates, durations and latency of sessions across all channels',
			query: totals('whatsapp'),
		}),
	},
});
