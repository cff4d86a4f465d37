import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { receive } from './delivery';
import { isRegistered, register, unregister } from './registration';

export class AcpIntentTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Intent Trigger',
		name: 'acpIntentTrigger',
		icon: {
			light: 'file:../../icons/acpIntentTrigger.svg',
			dark: 'file:../../icons/acpIntentTrigger.dark.svg',
		},
		group: ['trigger'],
		// n8n evaluates an expression for every request to a node of version 1 and for no other
		// (webhook-helpers.js, parseRequestBody); otherwise the two are the same.
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle:
			'={{ $parameter["intentSource"] === "create" ? $parameter["intentName"] : ' +
			'($parameter["intent"].cachedResultName || "") }}',
		description:
			'Starts the workflow in the middle of a conversation and answers with what it finds out: the agent asks, ' +
			'the workflow answers, the agent speaks',
		eventTriggerDescription:
			'Now trigger the intent: talk to the agent until it wants to know what the intent is about. The agent ' +
			'waits for the answer of your workflow.',
		activationMessage:
			'The intent now calls this workflow. Each time it triggers, the workflow runs once and answers; you see ' +
			'it under Executions.',
		triggerPanel: {
			header: 'Answer in the middle of a conversation',
			executionsHelp: {
				inactive:
					'<b>While you build:</b> start a test with the button above, then talk to the agent until the intent ' +
					'triggers. The request appears here once, and the agent gets the answer of the nodes that you have. ' +
					'Until then the intent calls this test alone.<br /><br /><b>When it works:</b> publish the workflow. ' +
					'From then on every request starts it, and you see them under <a ' +
					"data-key='executions'>Executions</a>.",
				active:
					'<b>While you build:</b> start a test with the button above, then talk to the agent until the intent ' +
					'triggers. The request appears here once. <b>Meanwhile the intent does not call the published ' +
					'workflow</b>, because an intent calls one address only; when the test ends it does again.',
			},
			activationHint: {
				inactive:
					"Once it works, <a data-key='activate'>publish</a> the workflow: then the intent calls it every time.",
				active: 'The published workflow answers by itself.',
			},
		},
		defaults: { name: 'ACP Intent Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		// Always the same mode: n8n takes longer for one that an expression decides.
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'lastNode',
				responseData: 'firstEntryJson',
				path: 'webhook',
				ndvHideUrl: true,
			},
		],
		properties: [
			{
				displayName:
					'No source that this package knows shows what the platform sends here, how long it waits, or ' +
					'what the agent makes of the answer. This node takes whatever comes and answers what your ' +
					'workflow gives; try it with one call before you rely on it. A Wait node in the workflow ' +
					'answers immediately, with what goes into it. <a ' +
					"href='https://github.com/agent-conversation-platform/n8n-nodes-agent-conversation-platform/blob/main/docs/nodes/acpIntentTrigger.md' " +
					"target='_blank'>What is known and what is not</a>.",
				name: 'notice',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Agent',
				name: 'agent',
				type: 'resourceLocator',
				default: { mode: 'list', value: '' },
				required: true,
				description: 'The agent that asks in its conversations',
				modes: [
					{
						displayName: 'From List',
						name: 'list',
						type: 'list',
						typeOptions: { searchListMethod: 'searchAgents', searchable: true },
					},
					{
						displayName: 'By ID',
						name: 'id',
						type: 'string',
						placeholder: 'e.g. 3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35',
						validation: [
							{
								type: 'regex',
								properties: {
									regex:
										'^\\s*[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\s*$',
									errorMessage: 'Not a valid ID',
								},
							},
						],
					},
				],
			},
			{
				displayName: 'Intent to Use',
				name: 'intentSource',
				type: 'options',
				options: [
					{
						name: 'An Intent of the Agent',
						value: 'existing',
						description:
							'One that the agent already has; only the address that it calls is changed',
					},
					{
						name: 'Create One Here',
						value: 'create',
						description: 'Publishing adds it to the agent, and keeps it as it is described here',
					},
				],
				default: 'existing',
				description: 'What in a conversation the workflow answers for',
			},
			{
				displayName: 'Intent',
				name: 'intent',
				type: 'resourceLocator',
				default: { mode: 'list', value: '' },
				required: true,
				displayOptions: { show: { intentSource: ['existing'] } },
				description: 'The intent that the workflow answers for',
				modes: [
					{
						displayName: 'From List',
						name: 'list',
						type: 'list',
						typeOptions: { searchListMethod: 'searchAgentIntents', searchable: true },
					},
					{
						displayName: 'By ID',
						name: 'id',
						type: 'string',
						placeholder: 'e.g. 3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35',
						validation: [
							{
								type: 'regex',
								properties: {
									regex:
										'^\\s*[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\s*$',
									errorMessage: 'Not a valid ID',
								},
							},
						],
					},
				],
			},
			{
				displayName: 'Name',
				name: 'intentName',
				type: 'string',
				default: '',
				required: true,
				displayOptions: { show: { intentSource: ['create'] } },
				placeholder: 'e.g. Find a free slot',
				description: 'What the intent is called; the agent has one of a name only',
			},
			{
				displayName: 'When It Triggers',
				name: 'intentDescription',
				type: 'string',
				typeOptions: { rows: 2 },
				default: '',
				displayOptions: { show: { intentSource: ['create'] } },
				placeholder: 'e.g. The customer asks whether there is a free appointment on a day',
				description: 'When the intent is to trigger, in a sentence for the agent',
			},
			{
				displayName: 'Parameters',
				name: 'intentParameters',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				default: {},
				placeholder: 'Add parameter',
				displayOptions: { show: { intentSource: ['create'] } },
				description: 'What the agent finds out before it asks the workflow',
				options: [
					{
						displayName: 'Parameter',
						name: 'parameter',
						values: [
							{
								displayName: 'Default',
								name: 'default',
								type: 'string',
								default: '',
								description: 'What it is when the customer does not say',
							},
							{
								displayName: 'Key',
								name: 'key',
								type: 'string',
								default: '',
								required: true,
								placeholder: 'e.g. day',
								description: 'What the parameter is called',
							},
							{
								displayName: 'Required',
								name: 'required',
								type: 'boolean',
								default: false,
								description: 'Whether the agent has to ask for it',
							},
							{
								displayName: 'Type',
								name: 'type',
								type: 'options',
								options: [
									{ name: 'Boolean', value: 'boolean' },
									{ name: 'Integer', value: 'integer' },
									{ name: 'Number', value: 'number' },
									{ name: 'String', value: 'string' },
								],
								default: 'string',
								description:
									'What kind of value it is. Only String is known of the platform; the others are a guess.',
							},
						],
					},
				],
			},
			{
				displayName: 'Respond',
				name: 'respond',
				type: 'options',
				options: [
					{
						name: 'Immediately',
						value: 'immediately',
						description: 'With a fixed text, while the workflow goes on by itself',
					},
					{
						name: 'When Last Node Finishes',
						value: 'lastNode',
						description: 'With the first item of the node that runs last',
					},
				],
				default: 'lastNode',
				description: 'What the agent gets to speak, and when',
			},
			{
				displayName: 'Field to Answer With',
				name: 'responseField',
				type: 'string',
				default: '',
				displayOptions: { show: { respond: ['lastNode'] } },
				placeholder: 'e.g. answer',
				description:
					'Field of the first item whose text is the answer. Empty answers with the whole item as JSON.',
			},
			{
				displayName: 'Text',
				name: 'responseText',
				type: 'string',
				typeOptions: { rows: 2 },
				default: 'Thank you, that is on its way.',
				required: true,
				displayOptions: { show: { respond: ['immediately'] } },
				description: 'What is answered, in the language of the conversation',
			},
			{
				displayName: 'Text When There Is No Answer',
				name: 'noAnswerText',
				type: 'string',
				typeOptions: { rows: 2 },
				default: 'I am sorry, I cannot find that out right now.',
				required: true,
				displayOptions: { show: { respond: ['lastNode'] } },
				description:
					'What is answered when the workflow fails, gives nothing or takes too long, in the language of the ' +
					'conversation',
				hint: 'Somebody is waiting on the phone and must not hear silence',
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'Auth Token',
						name: 'authToken',
						type: 'options',
						options: [
							{
								name: 'Check When It Comes',
								value: 'whenPresent',
								description: 'A request with a wrong one is refused, a request without one is not',
							},
							{
								name: 'Do Not Check',
								value: 'off',
								description: 'Trust the secret token in the callback URL alone',
							},
							{
								name: 'Require',
								value: 'required',
								description: 'Only requests with the right one start the workflow',
							},
						],
						default: 'whenPresent',
						description:
							"What to do about the intent's auth token in the headers of a request. It is not known how the " +
							'platform sends it. Requests without the secret token of the callback URL are always refused.',
					},
					{
						displayName: 'Longest Time to Answer',
						name: 'longestTime',
						type: 'number',
						typeOptions: { minValue: 1, maxValue: 120 },
						default: 10,
						description:
							'After how many seconds the text for no answer is given; the workflow goes on. It is not known how ' +
							'long the platform waits.',
					},
					{
						displayName: 'Replace',
						name: 'replace',
						type: 'boolean',
						default: false,
						description:
							'Whether to take an intent that already calls another address or does something else. What it ' +
							'did is put back when the workflow is unpublished.',
					},
				],
			},
		],
	};

	methods = methods;

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await isRegistered(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await register(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await unregister(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
