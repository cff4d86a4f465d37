import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { ofTrigger } from '../engine/describe/builderHint';
import { choice, collection, notice, parameter, textParameter } from '../engine/describe/parameter';
import { methods } from '../engine/lookups';
import { receive } from './delivery';
import { lifecycle } from './registration';
import { webhookEvents } from '../engine/platform/events';
import { urlVersion } from '../shared/registration/plan';
import { webhookPaths } from '../shared/registration/watch';

const forBuilders = ofTrigger(
	{
		searchHint:
			'Starts a workflow with each ended, changed or rated conversation of the chosen agents; its fields are under ' +
			'data. Read the whole conversation by its ID with Conversations (ACP).',
		relatedNodes: {
			acpConversations: 'Reads summary, messages and recording by data.conversation_uuid',
			acpQuality: 'Reads how the conversation was rated',
		},
	},
	'{ event, knownEvent: boolean, isEvaluation: boolean, agent, data: { call_id, conversation_uuid, session_type, number, duration: number, ' +
		'contact_info: { phone_number }, timestamp }, deliveryId, receivedAt, signatureVerified: boolean, caughtUp: boolean }\n' +
		'What the platform sent is under data, so write $json.data.conversation_uuid. Payloads differ by event and may lack fields: use ?. ' +
		'and read the summary (call_summary) with Conversations (ACP) › conversation.get. No known source shows ' +
		'what an evaluation holds: run once and look before you compare its values.',
);

const whileBuilding =
	'<b>While you build:</b> start a test with the button above, then have a short call or chat with the agent. Its event appears here once.<br /><br />';

export class AcpTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Conversation Event (ACP) Trigger',
		name: 'acpTrigger',
		icon: {
			light: 'file:../../icons/acpTrigger.svg',
			dark: 'file:../../icons/acpTrigger.dark.svg',
		},
		group: ['trigger'],
		// n8n evaluates an expression for every delivery to a node of version 1, and for no other (webhook-helpers.js,
		// parseRequestBody).
		version: 1.1,
		// The events, in the words of their dropdown.
		subtitle: `={{ [$parameter["events"]].flat().map((event) => (${JSON.stringify(Object.fromEntries(webhookEvents.map(({ name, value }) => [value, name])))})[event] ?? event).join(", ") }}`,
		description:
			'Starts the workflow when a conversation of an AI agent ends, changes or is evaluated',
		eventTriggerDescription:
			"Now cause an event: call the agent, or let it call you, and hang up. 'Conversation Ended' arrives when the call is over.",
		activationMessage:
			'The agents now report their events to this workflow. Each event starts it once. You see each run under Executions.',
		triggerPanel: {
			header: 'Receive agent events',
			executionsHelp: {
				inactive:
					`${whileBuilding}<b>When it works:</b> publish the workflow. Every event then starts it. ` +
					"You see each run under <a data-key='executions'>Executions</a>.",
				active:
					`${whileBuilding}<b>The published workflow</b> still receives every event meanwhile. ` +
					"You see each run under <a data-key='executions'>Executions</a>.",
			},
			activationHint: {
				inactive:
					"Once it works, <a data-key='activate'>publish</a> the workflow. Every event then starts it.",
				active: 'The published workflow receives every event automatically.',
			},
		},
		defaults: { name: 'Conversation Event Trigger' },
		builderHint: forBuilders,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		// Without `responseData` n8n answers every event with the word "firstEntryJson". If it is empty, n8n sends the
		// node's own answer.
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				path: webhookPaths.default,
				ndvHideUrl: true,
			},
		],
		properties: [
			notice(
				'A test receives one event. Publish to receive all. To build without one, <a ' +
					"href='https://github.com/agent-conversation-platform/n8n-nodes-agent-conversation-platform/blob/main/docs/nodes/acpTrigger.md#sample-output' " +
					"target='_blank'>pin the sample output</a>. Remove Duplicates on 'deliveryId' drops repeats.",
			),
			{
				displayName: 'Agent Names or IDs',
				name: 'agents',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getAgents' },
				default: [],
				required: true,
				// One literal: the official linter cannot read a text that code puts together.
				description:
					'Whose events start the workflow. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
			parameter('Events', 'events', {
				type: 'multiOptions',
				options: [...webhookEvents],
				default: ['conversation_end_report'],
				required: true,
				description:
					"The events that start the workflow. An evaluation may arrive as Conversation Ended, too, so that one conversation starts it twice: 'isEvaluation' tells them apart.",
			}),
			collection([
				parameter('Catch Up', 'catchUp', {
					type: 'boolean',
					default: true,
					description:
						"Whether conversations that ended while n8n was down or its webhook was switched off start the workflow afterwards, as Conversation Ended with 'caughtUp' true",
				}),
				parameter('Channels', 'channels', {
					type: 'multiOptions',
					options: [
						choice('Call', 'call'),
						choice('Email', 'email'),
						choice('Instagram', 'instagram'),
						choice('Messenger', 'messenger'),
						choice('SMS', 'sms'),
						choice('WhatsApp', 'whatsapp'),
						choice('WhatsApp Call', 'whatsapp_call'),
					],
					default: [],
					description:
						'Only events of these channels start the workflow; if empty, all do. An event without a channel always starts it.',
				}),
				parameter('Maximum Age', 'maximumAge', {
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 5,
					description:
						'Maximum minutes since the time in the signature. An older signature is invalid, because the delivery may be a recording. 0 accepts any age.',
				}),
				parameter('Signature', 'signature', {
					type: 'options',
					options: [
						choice('Do Not Check', 'off', 'Trusts only the secret token in the callback URL'),
						choice(
							'Report',
							'report',
							"Every event starts the workflow; 'signatureVerified' shows whether its signature is valid",
						),
						choice(
							'Require',
							'required',
							'Only events with a valid signature start the workflow; others are refused',
						),
					],
					default: 'report',
					description:
						"How to handle the platform's signature. Deliveries without the callback URL's secret token are always refused.",
				}),
				parameter('Simplify', 'simplify', {
					type: 'boolean',
					default: false,
					description:
						'Whether to return a simplified version of the response instead of the raw data',
				}),
				textParameter('Take Over From', 'takeOverFrom', {
					placeholder: 'e.g. https://old-n8n.example.com',
					description:
						"The former public URL of this n8n, if it has moved. Publishing moves this node's webhooks; an n8n that still runs there loses its events.",
				}),
				urlVersion,
			]),
		],
	};

	methods = methods;

	webhookMethods = { default: lifecycle.hooks };

	trigger = lifecycle.trigger;

	execute = lifecycle.execute;

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
