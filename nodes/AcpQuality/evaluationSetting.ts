import { agent, boolean, integer, map, text } from '../engine/fields';
import { operation, resource, type Schema, type Shape, words } from '../engine/operation';

/** Checks whose names a source shows; others may exist (reference: evaluate). */
const textChecks = words(
	'contextual_sentiment customer_satisfaction_score emotion_detection ' +
		'human_escalation_detection intensity_strength_levels intent_action_sentiment ' +
		'intent_labels knowledge_gap sentiment_analyzer success_evaluation_prompt',
);

const checks = (what: string, samples: string[]) =>
	map<Schema<'EvaluateToggleWrite'>>(
		{
			displayName: `${what} Checks`,
			entry: 'Check',
			key: { displayName: 'Check', samples },
			description: `What to rate in ${what.toLowerCase()} sessions; only checks you add are sent`,
		},
		{
			enabled: boolean('Whether to rate this', { top: true, default: true }),
			prompt: text(
				'What to look at; only for checks that take instructions, such as success_evaluation_prompt',
				{ rows: 3 },
			),
		},
	);

const sessionization = {
	report_language: text('English name of the language to write reports in', {
		placeholder: 'e.g. German',
	}),
	timeout_minutes: integer('Ends and rates a session after this many minutes without a message', {
		displayName: 'Session Timeout (Minutes)',
		default: '',
		placeholder: 'e.g. 30',
	}),
} satisfies Shape<Schema<'EvaluateSessionizationWrite'>>;

const overwritten = "An agent uses either the workspace's default or its own settings.";

export const evaluationSetting = resource({
	label: 'Evaluation Setting',
	value: 'evaluationSetting',
	path: { uuid: agent() },
	description: "What is rated: the workspace's default, and agents with their own settings",
	defaultOperation: 'getDefault',
	operations: {
		assign: operation.action('POST /agents/{uuid}/evaluate/assign', {
			name: 'Override for Agent',
			action: 'Give an agent its own evaluation settings',
			description: `${overwritten} This creates its own settings; change them with Update for Agent.`,
			explain: {
				ENDPOINT_NOT_FOUND: {
					message: 'The platform does not know this endpoint for giving an agent its own settings',
					description:
						"Use Update for Agent, which also creates the agent's own settings, or the resource Other Endpoint with POST /agents/{agent ID}/evaluate.",
				},
			},
		}),
		delete: operation.remove('DELETE /agents/{uuid}/evaluate', {
			name: 'Revert to Default',
			action: 'Revert the evaluation settings of an agent to the default',
			description: `${overwritten} This deletes its own settings, so that it uses the default again.`,
			explain: {
				RESOURCE_NOT_FOUND: {
					message: 'Nothing to revert: this agent has no evaluation settings of its own',
					description:
						"It already uses the workspace's default. If you expected otherwise, check that you chose the right agent.",
				},
			},
		}),
		getDefault: operation.get('GET /evaluate/default', {
			action: 'Get the default evaluation settings',
			description: 'Read the settings that all agents without their own use',
		}),
		reassign: operation.action('POST /agents/{uuid}/evaluate/reassign', {
			name: 'Copy Default to Agent',
			action: 'Replace the evaluation settings of an agent with a copy of the default',
			description:
				"Overwrite an agent's own settings with a copy of the current default. Later changes to the default do not affect the agent.",
		}),
		update: operation.update('PUT /agents/{uuid}/evaluate', {
			name: 'Update for Agent',
			action: 'Update the evaluation settings of an agent',
			description:
				'Change what is rated for one agent; the platform accepts a part of the settings',
			body: {
				is_active: boolean("Whether to rate this agent's sessions", { default: true }),
				sessionization,
				text: checks('Text', textChecks),
				voice: checks('Voice', ['human_escalation_detection']),
			},
		}),
		updateDefault: operation.update('PUT /evaluate/default', {
			action: 'Update the default evaluation settings',
			description:
				'Change what is rated for all agents without their own settings; the platform accepts a part of the settings',
			body: { sessionization, text: checks('Text', textChecks) },
			openBody: true,
		}),
	},
});
