import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

/** No endpoint of this area is known (interface §1). */
export const flowExecution = withoutEndpoint({
	label: 'Flow Executions',
	value: 'flowExecution',
});
