import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §1). */
export const flowExecution = resource({
	label: 'Flow Execution',
	value: 'flowExecution',
	description: 'How flows ran. Reached through API Request: the platform does not publish its addresses.',
	apiRequestNotice: "The platform has an area Flow Executions but does not publish its addresses. Take the path from your workspace's own API documentation.",
	operations: {},
});
