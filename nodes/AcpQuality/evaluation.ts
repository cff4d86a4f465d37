import { reference } from '../engine/fields';
import { operation, perPage, resource, words } from '../engine/operation';

const simplify = words(
	'uuid session_uuid conversation_uuid contact_uuid sentiment.value emotion.value ' +
		'satisfaction.value success.value human_escalation.value created_at',
);

export const evaluation = resource({
	label: 'Evaluation',
	value: 'evaluation',
	description: 'How sessions were rated',
	defaultOperation: 'getAll',
	operations: {
		get: operation.get('GET /evaluations/{uuid}', {
			description: 'Read one evaluation with the reason and confidence of each score',
			path: {
				uuid: reference('searchEvaluations'),
			},
			simplify,
		}),
		getAll: operation.list('GET /evaluations', {
			description: 'List evaluations of sessions',
			pages: { pageSize: perPage },
			simplify,
		}),
		getAnalytics: operation.get('GET /analytics/evaluations', {
			action: 'Get evaluation analytics',
			description:
				'Read how conversations were rated overall. This package does not know the periods and filters yet; try them with the resource Other Endpoint.',
		}),
		getForSession: operation.get('GET /sessions/{uuid}/evaluation', {
			action: 'Get the evaluation of a session',
			description: 'Read how one session was rated; sessions are rated when they end',
			path: {
				uuid: reference(
					null,
					'Conversations (ACP) › Session › Get Many lists the sessions of a conversation',
					{ name: 'session' },
				),
			},
			simplify,
			explain: {
				RESOURCE_NOT_FOUND: {
					message: 'The platform found no evaluation of this session',
					description:
						'A session is rated when it ends, if evaluation is on for the agent. Try again later, or check the ID.',
				},
			},
		}),
	},
});
