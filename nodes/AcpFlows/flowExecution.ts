import { unpublished } from '../engine/operation';

/** No endpoint of this area is known (interface §1). */
export const flowExecution = unpublished({
	label: 'Flow Execution',
	value: 'flowExecution',
	area: 'Flow Executions',
	description: 'How flows ran.',
});
