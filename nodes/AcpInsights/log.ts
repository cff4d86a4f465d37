import { choice, reference } from '../engine/fields';
import { operation, resource, words } from '../engine/operation';

const simplify = words(
	'uuid type name status channel duration_ms agent.name contact.phone_number error ' + 'created_at',
);

/** Of the three kinds of logs (interface §1), a source shows endpoints for action logs only. */
export const log = resource({
	label: 'Log',
	value: 'log',
	description:
		'What tasks, workflows and intents did; logs of API requests and webhook deliveries are not supported yet',
	defaultOperation: 'getAll',
	operations: {
		get: operation.get('GET /logs/actions/{type}/{uuid}', {
			action: 'Get an action log',
			description: 'Read one execution of a task, workflow or intent with its request and response',
			path: {
				type: choice(['task', 'workflow', 'intent'], 'What was executed', {
					required: true,
					default: 'intent',
				}),
				uuid: reference('searchActionLogs', 'The execution to read', {
					name: 'log',
					displayName: 'Action Log',
				}),
			},
			simplify,
		}),
		getAll: operation.list('GET /logs/actions', {
			action: 'Get many action logs',
			description: 'List executions of tasks, workflows and intents',
			simplify,
		}),
	},
});
