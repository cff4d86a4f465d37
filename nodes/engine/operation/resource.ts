import { apiRequest } from './apiRequest';
import type { Operation } from './operation';
import { inSentence } from '../text/text';

/** A resource of a node: its operations by `operation` value. */
export interface Resource {
	/** Title Case, singular, as in the resource dropdown. */
	label: string;
	value: string;
	description?: string;
	operations: Record<string, Operation>;
	defaultOperation?: string;
	/** What of it is reached through the node's API Request alone, and what to know about it; whole sentences. */
	apiRequestNotice?: string;
}

/** Declares a resource. */
export const resource = (definition: Resource): Resource => definition;

/** API Request in a resource, with what stands above its parameters there. */
const apiRequestIn = (whatFor: string, notices: Array<string | undefined>): Operation => {
	const notice = notices.filter(Boolean).join(' ');
	return {
		...apiRequest,
		action: `${apiRequest.action} ${whatFor}`,
		...(notice ? { notice } : {}),
	};
};

const reached = 'Available through API Request: this package knows no endpoint for this area yet';

/**
 * A resource for an area of which no endpoint is known: API Request alone.
 * @param definition `description`: what it is for; `notice`: what else to know; whole sentences
 */
export const withoutEndpoint = ({
	label,
	value,
	description,
	notice,
}: Pick<Resource, 'label' | 'value' | 'description'> & { notice?: string }): Resource => ({
	label,
	value,
	description: description ? `${description} ${reached}.` : reached,
	operations: {
		apiRequest: apiRequestIn(`for ${inSentence(label)}`, [
			"This package knows no endpoint for this area yet. Take the path from your workspace's " +
				'API documentation.',
			notice,
		]),
	},
});

/**
 * All resources of a node: its own, and API Request once for everything that they do not reach.
 * @param own resources that the node declares
 */
export const resourcesOf = (own: Resource[]): Resource[] => [
	...own,
	{
		label: 'Other Endpoint',
		value: 'otherEndpoint',
		description: 'Any endpoint that the other resources do not cover',
		operations: {
			apiRequest: apiRequestIn(
				'to any endpoint',
				own.map(({ apiRequestNotice }) => apiRequestNotice),
			),
		},
	},
];
