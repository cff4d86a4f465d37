import {
	NodeConnectionTypes,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { ofTrigger } from '../engine/describe/builderHint';
import { choice, collection, notice, parameter, textParameter } from '../engine/describe/parameter';
import { fromList, mode, notAnId } from '../engine/fields/locator';
import { exampleIdInShort } from '../engine/fields/scalar';
import { methods } from '../engine/lookups';
import { urlVersion } from '../shared/registration/plan';
import { webhookPaths } from '../shared/registration/watch';
import { receive } from './delivery';
import { lifecycle } from './registration';
import { standardTexts } from './settings';

const forBuilders = ofTrigger(
	{
		searchHint:
			'Answers a question of the agent while the conversation goes on, so keep the workflow short: a customer is ' +
			'waiting. What the agent found out is under parameters, who asks under contact.',
		relatedNodes: {
			acpScheduling: 'Books an appointment while the customer waits',
			acpTables: 'Looks up a row of a table',
			acpContacts: 'Reads or changes the contact',
		},
	},
	'{ intent, agent, parameters: object, conversation, contact: { uuid, name, phone_number, email }, body: object, ' +
		'receivedAt }\n' +
		'Write $json.parameters.order_number for the parameter order_number, and $json.contact.phone_number. A field ' +
		'that the customer did not tell is absent: use ?. and say so in the answer. contact.uuid is empty in many ' +
		'conversations: find the contact by contact.phone_number with Contacts (ACP) › contact.findOrCreate.',
);

const byId = (displayName: string) =>
	mode('By ID', 'id', 'string', {
		placeholder: `e.g. ${exampleIdInShort}`,
		validation: [
			{
				type: 'regex',
				properties: {
					regex:
						'^\\s*[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\s*$',
					errorMessage: notAnId(displayName, "'From List'"),
				},
			},
		],
	});

/** A record of the platform, from a list or by its ID. */
const chosen = (
	displayName: string,
	name: string,
	searchListMethod: string,
	rest: Partial<INodeProperties>,
): INodeProperties =>
	parameter(displayName, name, {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		...rest,
		modes: [fromList(searchListMethod), byId(displayName)],
	});

const ofNewIntent = { displayOptions: { show: { intentToUse: ['create'] } } };
const ofLateAnswer = { displayOptions: { show: { respond: ['lastNode', 'responseNode'] } } };
const fixedText = { typeOptions: { rows: 2 }, noDataExpression: true, required: true };

const partsOfParameter = [
	textParameter('Default', 'default', { description: 'Value if the customer does not say' }),
	textParameter('Key', 'key', {
		required: true,
		placeholder: 'e.g. day',
		description: 'Name of the parameter',
	}),
	parameter('Required', 'required', {
		type: 'boolean',
		default: false,
		description: 'Whether the agent must ask for it',
	}),
	parameter('Type', 'type', {
		type: 'options',
		options: [
			choice('Boolean', 'boolean'),
			choice('Integer', 'integer'),
			choice('Number', 'number'),
			choice('String', 'string'),
		],
		default: 'string',
		description: "Type of the value. Only 'String' is confirmed; the others may not work.",
	}),
];

export class AcpIntentTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agent Question (ACP) Trigger',
		name: 'acpIntentTrigger',
		icon: {
			light: 'file:../../icons/acpIntentTrigger.svg',
			dark: 'file:../../icons/acpIntentTrigger.dark.svg',
		},
		group: ['trigger'],
		// n8n evaluates an expression for every request to a node of version 1, and for no other (webhook-helpers.js,
		// parseRequestBody).
		version: 1.1,
		subtitle:
			'={{ $parameter["intentToUse"] === "create" ? $parameter["intentName"] : ($parameter["intent"].cachedResultName || "") }}',
		description:
			'Starts the workflow in the middle of a conversation: the agent asks, the workflow answers, the agent speaks',
		eventTriggerDescription:
			"Now trigger the intent: talk to the agent until it asks what the intent is about. The agent waits for your workflow's answer.",
		activationMessage:
			'The intent now calls this workflow. Each time it triggers, the workflow runs once and answers. You see each run under Executions.',
		triggerPanel: {
			header: 'Answer in the middle of a conversation',
			executionsHelp: {
				inactive:
					'<b>While you build:</b> start a test with the button above, then talk to the agent ' +
					'until the intent triggers. The request appears here once, and the agent gets the answer ' +
					'of your nodes. Until the request arrives, the intent calls only this test.<br /><br /><b>When it works:</b> publish the workflow. Every request then starts it. You see ' +
					"each run under <a data-key='executions'>Executions</a>.",
				active:
					'<b>While you build:</b> start a test with the button above, then talk to the agent ' +
					'until the intent triggers. The request appears here once, and the agent gets the answer ' +
					'of your nodes. <b>The published workflow</b> answers all other requests meanwhile.',
			},
			activationHint: {
				inactive:
					"Once it works, <a data-key='activate'>publish</a> the workflow. The intent then calls it every time.",
				active: 'The published workflow answers automatically.',
			},
		},
		defaults: { name: 'Agent Question Trigger' },
		builderHint: forBuilders,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		// Two URLs, and the intent calls one of them (settings.ts, webhookOf): n8n needs longer if an expression decides
		// the response mode.
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'lastNode',
				responseData: 'firstEntryJson',
				path: webhookPaths.default,
				ndvHideUrl: true,
			},
			{
				name: 'setup',
				httpMethod: 'POST',
				responseMode: 'responseNode',
				path: webhookPaths.setup,
				ndvHideUrl: true,
			},
		],
		properties: [
			notice(
				'Beta: make one test call before you go live. A Wait node answers immediately, with its own input. <a ' +
					"href='https://github.com/agent-conversation-platform/n8n-nodes-agent-conversation-platform/blob/main/docs/nodes/acpIntentTrigger.md' target='_blank'>What is known</a>.",
				'notice',
				{ displayOptions: { hide: { respond: ['responseNode'] } } },
			),
			chosen('Agent', 'agent', 'searchAgents', { description: 'The agent that asks the workflow' }),
			parameter('Intent to Use', 'intentToUse', {
				type: 'options',
				options: [
					choice(
						'Existing Intent',
						'existing',
						'Uses an intent that the agent already has; only the URL that it calls changes',
					),
					choice('New Intent', 'create', 'Publishing adds it to the agent, as described here'),
				],
				default: 'existing',
				description: "Whether to use one of the agent's intents or create one",
			}),
			chosen('Intent', 'intent', 'searchAgentIntents', {
				displayOptions: { show: { intentToUse: ['existing'] } },
				description: 'The intent that the workflow answers for',
			}),
			textParameter('Name', 'intentName', {
				required: true,
				...ofNewIntent,
				placeholder: 'e.g. Find a free slot',
				description: "Must be unique among the agent's intents",
			}),
			textParameter('When It Triggers', 'intentDescription', {
				typeOptions: { rows: 2 },
				...ofNewIntent,
				placeholder: 'e.g. The customer asks whether there is a free appointment on a day',
				description: 'One sentence that tells the agent when to trigger the intent',
			}),
			parameter('Parameters', 'intentParameters', {
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				default: {},
				placeholder: 'Add Parameter',
				...ofNewIntent,
				description: 'What the agent finds out before it asks the workflow',
				options: [{ displayName: 'Parameter', name: 'parameter', values: partsOfParameter }],
			}),
			parameter('Respond', 'respond', {
				type: 'options',
				options: [
					choice('Immediately', 'immediately', 'Returns a fixed text while the workflow continues'),
					choice(
						"Using 'Respond to Webhook' Node",
						'responseNode',
						'Returns what that node returns; the workflow continues',
					),
					choice(
						'When Last Node Finishes',
						'lastNode',
						'Returns the first item of the last node that runs',
					),
				],
				default: 'lastNode',
				description: 'What the agent gets to say, and when',
			}),
			notice(
				"Beta: make one test call before you go live. Add a deactivated Wait node before 'Respond to Webhook': n8n requires it. " +
					"<a href='https://github.com/agent-conversation-platform/n8n-nodes-agent-conversation-platform/blob/main/docs/guides/queue-mode.md' target='_blank'>Why</a>.",
				'respondNotice',
				{ displayOptions: { show: { respond: ['responseNode'] } } },
			),
			textParameter('Response Field', 'responseField', {
				...ofLateAnswer,
				placeholder: 'e.g. answer',
				description:
					'Field of the first item to use as the answer. Leave empty to return the whole item as JSON.',
			}),
			textParameter('Text', 'responseText', {
				...fixedText,
				default: standardTexts.responseText,
				displayOptions: { show: { respond: ['immediately'] } },
				description: 'The answer, in the language of the conversation',
			}),
			textParameter('Fallback Text', 'fallbackText', {
				...fixedText,
				default: standardTexts.fallbackText,
				...ofLateAnswer,
				description:
					'Used if the workflow fails, takes too long, or returns nothing that can be said. Write it in the language of the conversation.',
				hint: 'Spoken if the workflow is slow or fails',
			}),
			collection([
				parameter('Auth Token', 'authToken', {
					type: 'options',
					options: [
						choice(
							'Check If Present',
							'whenPresent',
							'Refuses a request with a wrong token; accepts one without a token',
						),
						choice('Do Not Check', 'off', 'Trusts only the secret token in the callback URL'),
						choice('Require', 'required', 'Only requests with the right token start the workflow'),
					],
					default: 'whenPresent',
					description:
						"How to handle the intent's auth token in request headers. Requests without the callback URL's secret token are always refused.",
				}),
				parameter('Replace', 'replace', {
					type: 'boolean',
					default: false,
					description:
						'Whether to take over an intent that already does something else when you publish. Unpublishing restores what it did.',
				}),
				parameter('Response Timeout', 'responseTimeout', {
					type: 'number',
					typeOptions: { minValue: 1, maxValue: 120 },
					default: 10,
					description:
						'Maximum seconds before the fallback text is returned; the workflow continues. How long the platform waits is not known.',
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
