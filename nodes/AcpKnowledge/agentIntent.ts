import {
	agent,
	boolean,
	choice,
	json,
	list,
	locator,
	number,
	reference,
	text,
	url,
	type FieldOptions,
} from '../engine/fields';
import { operation, resource, type Schema, type Shape } from '../engine/operation';

const intent = reference('searchAgentIntents', { name: 'intent' });

/** Keys of apps and of their actions are words, not uuids (reference: agents). */
const word = {
	pattern: { regex: '^\\s*\\S+\\s*$', message: 'Not a valid key', example: 'google_calendar' },
};

const shape = (at: Pick<FieldOptions, 'top'> = {}) =>
	({
		name: text({
			required: true,
			placeholder: 'e.g. Book a table',
		}),
		description: text('When the intent triggers', {
			nullable: true,
			...at,
			rows: 2,
			placeholder: 'e.g. The customer wants to reserve a table',
		}),
		parameters: list<Schema<'IntentParameter'>>(
			'Parameter',
			{
				key: text({
					required: true,
					placeholder: 'e.g. guests',
				}),
				type: text('The kind of value', { samples: ['string'] }),
				default: text('Value if the customer does not give one'),
				required: boolean('Whether the value is required'),
			},
			{ description: 'What the agent collects for the intent', ...at },
		),
		confidence_threshold: number('Minimum confidence of the intent; its scale is undocumented', {
			placeholder: 'e.g. 0.7',
		}),
		intent_llm_handle_by_response: boolean(
			"Whether the language model handles the action's response; not documented",
			{ displayName: 'Handled by Response' },
		),
		key: text('Key of the intent; created from the name if left empty', {
			nullable: true,
			placeholder: 'e.g. book_a_table',
		}),
		recommendation_actions: text('Recommended steps when the intent triggers', {
			nullable: true,
			rows: 2,
		}),
		webhook: {
			url: url('URL to call when the intent triggers', {
				displayName: 'Webhook URL',
				placeholder: 'e.g. https://example.com/events',
			}),
			auth_token: text('Sent with each webhook call; masked in the output of this node', {
				displayName: 'Webhook Token',
				password: true,
			}),
		},
	}) satisfies Shape<Schema<'IntentWrite'>>;

const types = [
	{ name: 'Agent', value: 'agent', description: 'Another agent takes over' },
	{ name: 'App', value: 'app', description: 'A connected app performs an action' },
	{ name: 'Scenario', value: 'scenario', description: 'A flow runs' },
	{ name: 'Webhook', value: 'webhook', description: 'The platform calls your URL' },
] as const;

const only = (type: (typeof types)[number]['value']) => ({ showWhen: { eventType: [type] } });

export const agentIntent = resource({
	label: 'Agent Intent',
	value: 'agentIntent',
	path: { uuid: agent(), intentUuid: intent },
	partOf: 'agent',
	operations: {
		create: operation.create('POST /agents/{uuid}/intents', {
			description: 'Add something customers may want, and what the agent collects for it',
			body: shape({ top: true }),
		}),
		getEvent: operation.get('GET /agents/{uuid}/intents/{intentUuid}/event', {
			name: 'Get Action Event',
			action: 'Get the action of an intent',
			description: 'Read what happens when an intent triggers, and whether it is live',
		}),
		publishEvent: operation.action('POST /agents/{uuid}/intents/{intentUuid}/event/publish', {
			name: 'Publish Action Event',
			action: 'Publish the action of an intent',
			description: "Make the action's draft live",
		}),
		setEvent: operation.update('PUT /agents/{uuid}/intents/{intentUuid}/event', {
			name: 'Set Action Event',
			action: 'Set the action of an intent',
			description:
				'Set the single action that an intent triggers; it stays a draft until you publish it',
			body: {
				event_type: choice(types, 'What happens when the intent triggers', {
					required: true,
					default: 'webhook',
				}),
				webhook: {
					url: url('The URL to call', {
						...only('webhook'),
						required: true,
						displayName: 'Webhook URL',
						placeholder: 'e.g. https://example.com/events',
					}),
					auth_token: text('Sent with each webhook call', {
						...only('webhook'),
						displayName: 'Webhook Token',
						password: true,
					}),
				},
				app_uid: reference('searchFlowApps', 'The app that performs the action', {
					...only('app'),
					...word,
					name: 'app',
				}),
				action_key: reference('searchFlowAppActions', 'What the app does', {
					...only('app'),
					...word,
					name: 'action',
				}),
				app_connection_uuid: locator(
					'searchFlowConnections',
					'The connected account; leave empty for built-in apps',
					{ ...only('app'), name: 'connection' },
				),
				config: json('Action settings as a JSON object', {
					...only('app'),
				}),
				flow_uuid: reference('searchFlows', 'The flow to run', only('scenario')),
				agent_uuid: agent('The agent that takes over', { ...only('agent'), name: 'targetAgent' }),
				channel: choice(
					['call', 'whatsapp'],
					'Channel on which the other agent takes over',
					only('agent'),
				),
				channel_action_name: text('Name of the action on that channel', only('agent')),
			},
			explain: {
				'422': {
					message: 'The platform did not accept this action',
					description:
						'Connect the app on the platform first and make sure its connection is active; connections cannot be created here.',
				},
			},
		}),
		update: operation.update('PATCH /agents/{uuid}/intents/{intentUuid}', {
			description: 'Change an intent; the platform requires its name every time',
			body: shape(),
			openBody: true,
		}),
	},
});
