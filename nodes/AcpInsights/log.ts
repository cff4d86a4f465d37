import { choice, locator } from '../engine/fields';
import { operation, resource } from '../engine/operation';

const simplify = [
	'uuid',
	'type',
	'name',
	'status',
	'channel',
	'duration_ms',
	'agent.name',
	'contact.phone_number',
	'error',
	'created_at',
];

/** Of the three kinds of logs (interface §1), only action logs have endpoints that a source shows. */
export const log = resource({
	label: 'Log',
	value: 'log',
	description:
		'What tasks, workflows and intents did; no endpoint is known of the logs of API requests and webhook deliveries',
	defaultOperation: 'getAll',
	operations: {
		get: operation.get('GET /logs/actions/{type}/{uuid}', {
			name: 'Get',
			action: 'Get an action log',
			description: 'Read one execution of a task, workflow or intent with its request and response',
			path: {
				type: choice(['task', 'workflow', 'intent'], {
					required: true,
					default: 'intent',
					description: 'What was executed',
				}),
				uuid: locator('searchActionLogs', {
					name: 'log',
					displayName: 'Action Log',
					required: true,
					description: 'The execution',
				}),
			},
			simplify,
		}),
		getAll: operation.list('GET /logs/actions', {
			name: 'Get Many',
			action: 'Get many action logs',
			description: 'List executions of tasks, workflows and intents',
			notice:
				"The platform's Logs area holds API requests and webhook deliveries as well. This package knows no " +
				'endpoint of those two yet: look there, or take the path from the API documentation of your ' +
				'workspace and use API Request.',
			simplify,
			explain: {
				ENDPOINT_NOT_FOUND: {
					message: 'This workspace offers no list of action logs',
					description:
						'Look for the execution in the Logs area of the platform and read it here with the operation Get.',
				},
			},
		}),
	},
});
