import type { IDataObject } from 'n8n-workflow';
import { isPlainObject } from 'lodash';
import { limits } from '../engine/facts';
import { agent, boolean, phone, text } from '../engine/fields';
import { fromAnswer, operation, perPage, type Reaches, read, resource } from '../engine/operation';

const costs =
	"This places real calls that cost money. Turn on 'Preview' under Options to see the requests without sending them.";

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

/**
 * States of a call that has ended: `completed` (reference: call), the others are usual words
 * of telephony that can mean nothing else.
 */
const ended = new Set([
	'completed',
	'ended',
	'failed',
	'missed',
	'no-answer',
	'busy',
	'canceled',
	'cancelled',
]);
/**
 * States of a conversation (client) and of a call (reference: call, conversations) in which
 * something is still to come.
 */
const active = new Set(['active', 'initiated', 'queued', 'ringing', 'in-progress']);

const word = (value: unknown): string =>
	typeof value === 'string'
		? value
				.trim()
				.toLowerCase()
				.replace(/[\s_]+/g, '-')
		: '';

/**
 * Whether a call is over, read from its conversation: the conversation is closed, or the call
 * has ended or has a summary.
 * Complete lists of both states are not shown (reference: conversations), so any other word is `unknown`.
 */
export function stateOfCall(conversation: IDataObject): 'waiting' | 'done' | 'unknown' {
	const call = (isPlainObject(conversation.call) ? conversation.call : {}) as IDataObject;
	const [whole, own] = [word(conversation.status), word(call.status)];
	if (whole === 'closed' || ended.has(whole) || ended.has(own) || word(call.summary) !== '')
		return 'done';
	return active.has(whole) && (own === '' || active.has(own)) ? 'waiting' : 'unknown';
}

export const call = resource({
	label: 'Call',
	value: 'call',
	operations: {
		start: operation.send('POST /call', {
			name: 'Start',
			action: 'Start a call',
			description: 'Have an agent call a phone number; the outcome arrives through the ACP Trigger',
			notice: costs,
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
		getAll: operation.list('GET /calls', {
			name: 'Get Many',
			action: 'Get many calls',
			description:
				'List the calls of the workspace; for filters and outcomes use Get Many of ACP ' +
				'Conversations with the channel call',
		}),
	},
});
