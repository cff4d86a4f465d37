import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §1). */
export const flowExecution = resource({
	label: 'Flow Execution',
	value: 'flowExecution',
	description: 'How flows ran; the platform does not document these addresses, so there is API Request',
	operations: {},
});
