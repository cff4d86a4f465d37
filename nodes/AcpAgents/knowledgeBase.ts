import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

/** No endpoint of this area is known (interface §1; contract); Agent Knowledge belongs to the area Agents. */
export const knowledgeBase = withoutEndpoint({
	label: 'Agent Knowledge Base',
	value: 'knowledgeBase',
});
