import { reference } from '../engine/fields';
import { operation, resource } from '../engine/operation';

export const flowField = reference('searchFlows');

export const flow = resource({
	label: 'Flow',
	value: 'flow',
	path: { uuid: flowField },
	unsupported: ['Flow Executions'],
	defaultOperation: 'getAll',
	operations: {
		deploy: operation.action('POST /flow/{uuid}/deploy', {
			description: 'Switch a flow on; all its steps must have been tested',
			explain: {
				'409': {
					message: 'The flow cannot be deployed in its current state',
					description:
						"It may already be deployed, or a step may be untested. Test each step with the resource 'Flow Step'.",
				},
				'422': {
					message: 'The flow cannot be deployed in its current state',
					description:
						"It needs at least one step. Test each step with the resource 'Flow Step', then try again.",
				},
			},
		}),
		getAll: operation.list('GET /flows', {
			description: 'List the flows in the workspace',
		}),
		undeploy: operation.action('POST /flow/{uuid}/undeploy', {
			description:
				'Switch a flow off and return it to a draft; you can change its steps only in a draft',
		}),
	},
});
