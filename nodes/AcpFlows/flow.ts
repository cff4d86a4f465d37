import { locator } from '../engine/fields';
import { operation, resource } from '../engine/operation';

export const flowField = locator('searchFlows', {
	name: 'flow',
	displayName: 'Flow',
	required: true,
	description: 'The flow that this is about',
});

export const flow = resource({
	label: 'Flow',
	value: 'flow',
	defaultOperation: 'getAll',
	operations: {
		deploy: operation.action('POST /flow/{uuid}/deploy', {
			name: 'Deploy',
			action: 'Deploy a flow',
			description: 'Switch a flow on; all of its steps must have been tested',
			path: { uuid: flowField },
			body: {},
			explain: {
				'409': {
					message: 'The flow cannot be deployed as it is',
					description:
						'It may be deployed already, or a step was not tested yet. Test each step with the resource Flow Step.',
				},
				'422': {
					message: 'The flow cannot be deployed as it is',
					description:
						'It needs steps, and each of them must have been tested with the resource Flow Step.',
				},
			},
		}),
		getAll: operation.list('GET /flows', {
			name: 'Get Many',
			action: 'Get many flows',
			description: 'List the flows of the workspace',
		}),
		undeploy: operation.action('POST /flow/{uuid}/undeploy', {
			name: 'Undeploy',
			action: 'Undeploy a flow',
			description: 'Switch a flow off, back to a draft; its steps can be changed only then',
			path: { uuid: flowField },
		}),
	},
});
