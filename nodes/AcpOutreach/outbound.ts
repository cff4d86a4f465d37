import { operation, resource } from '../engine/operation';

export const outbound = resource({
	label: 'Outbound',
	value: 'outbound',
	description: 'How fast the workspace calls and writes',
	operations: {
		getSummary: operation.get('GET /outbound/summary', {
			name: 'Get Summary',
			action: 'Get the outbound summary',
			description: 'Read at which pace calls and messages leave the workspace',
		}),
	},
});
