import { operation, resource } from '../engine/operation';

export const outbound = resource({
	label: 'Outbound',
	value: 'outbound',
	description: 'How fast the workspace makes calls and sends messages',
	operations: {
		getSummary: operation.get('GET /outbound/summary', {
			action: 'Get the outbound summary',
			description: 'Read how fast calls and messages leave the workspace',
		}),
	},
});
