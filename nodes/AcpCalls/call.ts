import type { IDataObject } from 'n8n-workflow';
import { isPlainObject } from 'lodash';
import { stateOfCall } from '../engine/callState';
import { limits } from '../engine/facts';
import { agent, boolean, locator, phone, text } from '../engine/fields';
import { fromAnswer, operation, perPage, type Reaches, read, resource } from '../engine/operation';

const costs =
	"This places real calls that cost money. Turn on 'Preview' under Options to see the requests without sending them.";

const forMany =
	'For long lists use ACP Outreach › Listing › Create From Items: the platform then calls at a pace of its own, ' +
	'and the workflow does not wait.';

const body = {
	agentId: agent({ description: 'The agent that makes the call' }),
	participant: {
		number: phone({
			name: 'phoneNumber',
			displayName: 'Phone Number',
			required: true,
			description: 'Whom to call',
		}),
		about: text({
			displayName: 'About the Contact',
			rows: 3,
			description: 'What the agent should know about the person it calls',
			placeholder: 'e.g. Anna asked for a quote yesterday',
		}),
	},
	prompt: {
		content: text({ rows: 4, description: 'Further instructions for this call' }),
		overwrite: boolean({
			displayName: "Prompt Replaces the Agent's",
			description: "Whether the prompt above replaces the agent's own instead of adding to it",
		}),
	},
	message: {
		start: text({
			displayName: 'First Sentence',
			rows: 2,
			description: 'What the agent says when the call is answered',
			placeholder: 'e.g. Hello, this is Mia from Example Ltd',
		}),
	},
};

const reaches: Reaches = { at: ['participant.number'], words: ['call', 'calls', 'placed'] };

const explain = {
	RESOURCE_NOT_FOUND: {
		message: 'The platform has no agent with this ID',
		description:
			'Choose the agent from the list again; it may have been deleted, or it belongs to another workspace.',
	},
	'429': {
		message: 'The platform takes no further call right now',
		description: `No call was placed for this item. A workspace may hold ${limits.liveCalls.most} calls at once and start ${limits.sends.most} requests per second, all workflows and other senders together. Wait until calls have ended and run again; this continues with the rest.`,
	},
};

/** Most calls of a workspace that are live at once (interface §8). */
const mostLiveCalls = limits.liveCalls.most;

const simplify = [
	'uuid',
	'direction',
	'status',
	'duration',
	'handled_by',
	'agent.uuid',
	'agent.name',
	'timestamp',
	'created_at',
	'updated_at',
];

export const call = resource({
	label: 'Call',
	value: 'call',
	operations: {
		start: operation.send('POST /call', {
			name: 'Start',
			action: 'Start a call',
			description: 'Have an agent call a phone number; the outcome arrives through the ACP Trigger',
			notice: costs,
			forMany,
			body,
			reaches,
			explain,
		}),
		startAndWait: operation.send('POST /call', {
			name: 'Start and Wait',
			action: 'Start a call and wait for its outcome',
			description:
				'Have an agent call a phone number and go on when the call has ended, with duration, summary and recording',
			notice: `${costs} For more than a few calls use Start with the ACP Trigger, which does not keep the workflow waiting.`,
			forMany,
			body,
			reaches,
			explain,
			wait: {
				read: read('GET /conversations/{uuid}', { uuid: fromAnswer('conversation_uuid') }),
				list: {
					in: read('GET /conversations'),
					query: { channel: 'call', sort_by: 'created_at', sort_dir: 'desc' },
					pageSize: perPage,
					rowId: 'uuid',
					answerId: 'conversation_uuid',
				},
				// Two variants of the answer name no conversation (reference: call).
				nothingNamed:
					'The call was placed, but the platform gave no conversation to wait for. Its outcome arrives through the ' +
					'ACP Trigger',
				everySeconds: 5,
				timeoutSeconds: 900,
				state: stateOfCall,
				says: ({ status, call: details }) =>
					[status, (details as IDataObject | null | undefined)?.status]
						.filter(Boolean)
						.join(', call '),
				forWhat: 'the call to end',
				acceptedText: ({ conversation_uuid: uuid }) =>
					uuid ? `The call was placed (conversation ${String(uuid)})` : 'The call was placed',
				atOnce: {
					most: mostLiveCalls,
					what: 'calls',
					why: `A workspace holds at most ${mostLiveCalls} calls at once, so no more than that were under way; the next began when one had ended.`,
				},
			},
			download: {
				when: 'option',
				what: 'recording',
				url: ({ call: details }) =>
					isPlainObject(details) ? (details as IDataObject).recording_url : undefined,
			},
			simplify: [
				'conversation_uuid',
				'status',
				'agent_uuid',
				'contact.uuid',
				'contact.phone_number',
				'call.status',
				'call.duration',
				'call.summary',
				'call.recording_url',
				'timedOut',
			],
		}),
		get: operation.get('GET /calls/{uuid}', {
			name: 'Get',
			action: 'Get a call',
			description:
				"Read one call; summary and recording stand in its conversation, see 'Get' of ACP Conversations",
			path: {
				uuid: locator('searchCalls', {
					name: 'call',
					displayName: 'Call',
					required: true,
					description: 'The call in the workspace; a conversation names it under call as uuid',
				}),
			},
			simplify,
		}),
		getAll: operation.list('GET /calls', {
			name: 'Get Many',
			action: 'Get many calls',
			description:
				'List the calls of the workspace; with summaries and recordings they stand in Get Many ' +
				'of ACP Conversations with the channel call',
			query: {
				agent_id: agent({
					required: undefined,
					description: 'Only calls of this agent',
				}),
				direction: text({
					description: 'Only calls in this direction',
					samples: ['Inbound', 'Outbound'],
				}),
				status: text({
					description: 'Only calls in this state',
					samples: ['initiated', 'in-progress', 'completed'],
				}),
			},
			pages: { pageSize: { name: 'per_page', max: 100 } },
			simplify,
		}),
	},
});
