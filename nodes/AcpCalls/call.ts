import { answered, stateOfCall } from '../shared/callState';
import { limits } from '../engine/platform/facts';
import { agent, boolean, locator, phone, recipient, reference, text } from '../engine/fields';
import {
	createdWithin,
	type FallbackBody,
	fromResponse,
	operation,
	perPage,
	type Reaches,
	read,
	resource,
	words,
} from '../engine/operation';
import { fromCallList } from './callList';
import { recording } from '../shared/fileAt';

const costs =
	"This places real calls that cost money. Running it again calls again; 'Reach Each Person' under Options prevents that. 'Preview' there sends nothing.";

const holds =
	"Each run places a call that costs money, and holds an execution slot until it ends. The example 'Call and continue afterwards' holds none.";

const forMany =
	'For long lists, use Outreach Lists (ACP) › Listing › Create From Items: the platform then calls at its own pace, and the workflow does not wait.';

const body = {
	agentId: agent('The agent that makes the call'),
	participant: {
		number: recipient(
			'phoneNumber',
			phone('The number to call', { name: 'phoneNumber', required: true }),
		),
		about: text('What the agent should know about the person it calls', {
			displayName: 'About the Contact',
			rows: 3,
			placeholder: 'e.g. Anna asked for a quote yesterday',
		}),
	},
	prompt: {
		content: text('Additional instructions for this call', {
			displayName: 'Prompt Content',
			rows: 4,
		}),
		overwrite: boolean(
			"Whether 'Prompt Content' replaces the agent's own prompt instead of adding to it",
			{ displayName: "Replace the Agent's Prompt" },
		),
	},
	message: {
		start: text('What the agent says when the call is answered', {
			displayName: 'First Sentence',
			rows: 2,
			placeholder: 'e.g. Hello, this is Mia from Example Ltd',
		}),
	},
};

/** The reference lists the prompt as required, its quickstart omits it. An empty one adds nothing to the agent's. */
const fallback: FallbackBody = {
	guessed: ({ prompt }) => (prompt === undefined ? ['prompt'] : []),
	body: (request) => ({ ...request, prompt: { content: '', overwrite: false } }),
	lasts: true,
};

const reaches: Reaches = {
	at: ['participant.number'],
	once: true,
	words: ['call', 'calls', 'placed'],
};

const explain = {
	RESOURCE_NOT_FOUND: {
		message: 'The platform found no agent with this ID',
		description:
			"The agent may be deleted, or 'Base URL' leads to another workspace. Choose it from the list again.",
	},
	'429': {
		message: 'The platform accepts no more calls right now',
		description: `A workspace can have ${limits.liveCalls.most} live calls and start ${limits.sends.most} requests per second. Wait until calls have ended.`,
	},
};

const placing = { forMany, body, reaches, fallback, explain };

const simplify = words(
	'agent.name status direction duration handled_by agent.uuid uuid timestamp created_at ' +
		'updated_at',
);

export const call = resource({
	label: 'Call',
	value: 'call',
	unsupported: ['Human Calls', 'WhatsApp Calling'],
	operations: {
		start: operation.send('POST /call', {
			description:
				'Have an agent call a phone number or a contact. The Conversation Event Trigger receives the outcome.',
			notice: costs,
			...placing,
		}),
		startAndWait: operation.send('POST /call', {
			action: 'Start a call and wait for its outcome',
			description:
				'Have an agent call a number, wait until the call ends, and return duration, summary and recording. Only the summary shows a voicemail.',
			notice: holds,
			...placing,
			wait: {
				read: read('GET /conversations/{uuid}', { uuid: fromResponse('conversation_uuid') }),
				// Two variants of the response do not name the conversation (reference: call).
				watch: fromCallList,
				timeoutSeconds: 900,
				state: stateOfCall,
				forWhat: 'the call to end',
			},
			implied: answered,
			download: recording,
			simplify: words(
				'contact.phone_number contact.name answered call.duration call.status call.summary ' +
					'timedOut conversation_uuid contact.uuid call.recording_url',
			),
		}),
		get: operation.get('GET /calls/{uuid}', {
			description:
				'Read one call. For its summary and recording, use Conversations (ACP) › Conversation › Get.',
			path: {
				uuid: reference('searchCalls', 'The ID in call.uuid of a conversation'),
			},
			simplify,
		}),
		getAll: operation.list('GET /calls', {
			description:
				"List the workspace's calls; voicemails may count as completed. For summaries and recordings, use Conversations › Conversation › Get Many with the channel call.",
			query: {
				agent_id: locator('searchAgents', "Only this agent's calls"),
				direction: text('Only calls in this direction', {
					samples: ['Inbound', 'Outbound'],
					dropdown: true,
				}),
				status: text('Only calls with this status', {
					samples: ['initiated', 'in-progress', 'completed'],
					dropdown: true,
				}),
			},
			pages: { pageSize: perPage, filters: createdWithin('calls') },
			simplify,
		}),
	},
});
