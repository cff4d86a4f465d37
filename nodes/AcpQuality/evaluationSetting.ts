import { agent, boolean, integer, map, text } from '../engine/fields';
import { operation, resource, type Schema, type Shape } from '../engine/operation';

/** Checks that were seen by name; others may exist (reference: evaluate). */
const textChecks = [
	'contextual_sentiment',
	'customer_satisfaction_score',
	'emotion_detection',
	'human_escalation_detection',
	'intensity_strength_levels',
	'intent_action_sentiment',
	'intent_labels',
	'knowledge_gap',
	'sentiment_analyzer',
	'success_evaluation_prompt',
];

const checks = (what: string, samples: string[]) =>
	map<Schema<'EvaluateToggle'>>(
		{
			displayName: `${what} Checks`,
			entry: 'Check',
			key: { displayName: 'Check', description: 'The name of the check', samples },
			description: `What is rated in ${what.toLowerCase()} sessions; checks that are left out stay as they are`,
		},
		{
			enabled: boolean({ top: true, default: true, description: 'Whether this is rated' }),
			prompt: text({
				rows: 3,
				description:
					'What to look at; only for checks that take instructions, like success_evaluation_prompt',
			}),
		},
	);

const sessionization = {
	report_language: text({
		displayName: 'Report Language',
		description: 'English name of the language that reports are written in',
		placeholder: 'e.g. German',
	}),
	timeout_minutes: integer({
		displayName: 'Session Timeout (Minutes)',
		default: 30,
		description: 'After how many minutes without a message a session has ended and is rated',
	}),
} satisfies Shape<Schema<'EvaluateSessionizationWrite'>>;

const overwritten =
	'An agent either follows the default of the workspace or has settings of its own.';

export const evaluationSetting = resource({
	label: 'Evaluation Setting',
	value: 'evaluationSetting',
	description: 'What is rated: the default of the workspace, and agents with settings of their own',
	defaultOperation: 'getDefault',
	operations: {
		assign: operation.action('POST /agents/{uuid}/evaluate/assign', {
			name: 'Override for Agent',
			action: 'Give an agent its own evaluation settings',
			description: `${overwritten} This gives it its own, to be changed with Update for Agent.`,
			path: { uuid: agent() },
			body: {},
			explain: {
				ENDPOINT_NOT_FOUND: {
					message: 'The platform does not know this way of giving an agent its own settings',
					description:
						'Use Update for Agent, which gives the agent its own settings too, or the resource ' +
						'Other Endpoint with POST /agents/<ID of the agent>/evaluate.',
				},
			},
		}),
		delete: operation.remove('DELETE /agents/{uuid}/evaluate', {
			name: 'Revert to Default',
			action: 'Revert the evaluation settings of an agent to the default',
			description: `${overwritten} This deletes its own, so that it follows the default again.`,
			path: { uuid: agent() },
			removes: 'uuid',
			explain: {
				RESOURCE_NOT_FOUND: {
					message: 'There is nothing to revert: this agent has no evaluation settings of its own',
					description:
						'It follows the default of the workspace already. If you expected otherwise, check ' +
						'that the right agent is chosen.',
				},
				ENDPOINT_NOT_FOUND: {
					message: 'The platform does not know this way of reverting to the default',
					description:
						'Use the resource Other Endpoint with DELETE /agents/<ID of the agent>/evaluate/assign instead.',
				},
			},
		}),
		getDefault: operation.get('GET /evaluate/default', {
			name: 'Get Default',
			action: 'Get the default evaluation settings',
			description: 'Read the settings that all agents without their own follow',
		}),
		reassign: operation.action('POST /agents/{uuid}/evaluate/reassign', {
			name: 'Copy Default to Agent',
			action: 'Replace the evaluation settings of an agent by a copy of the default',
			description:
				'The agent keeps settings of its own, which become what the default is now; later ' +
				'changes of the default do not reach it',
			path: { uuid: agent() },
		}),
		update: operation.update('PUT /agents/{uuid}/evaluate', {
			name: 'Update for Agent',
			action: 'Update the evaluation settings of an agent',
			description: 'Change what is rated for one agent; what is left out stays as it is',
			path: { uuid: agent() },
			body: {
				is_active: boolean({
					default: true,
					description: 'Whether the sessions of this agent are rated',
				}),
				sessionization,
				text: checks('Text', textChecks),
				voice: checks('Voice', ['human_escalation_detection']),
			},
			openBody: true,
		}),
		updateDefault: operation.update('PUT /evaluate/default', {
			name: 'Update Default',
			action: 'Update the default evaluation settings',
			description:
				'Change what is rated for all agents without settings of their own; what is left out stays as it is',
			body: { sessionization, text: checks('Text', textChecks) },
			openBody: true,
		}),
	},
});
