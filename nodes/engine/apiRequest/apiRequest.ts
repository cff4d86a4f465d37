import { operation } from '../operation/kinds';
import type { Operation } from '../operation/operation';
import type { Resource } from '../operation/resource';
import { inSentence } from '../text/text';

/**
 * Any method and path below `/api/v1`, with everything the engine offers. The resource Other Endpoint of each node uses
 * it, for what the interface names without showing shapes.
 */
export const apiRequest = operation.raw({
	name: 'API Request',
	action: 'Make an API request',
	description:
		'Call any endpoint of the platform, with authentication, time zone, rate limits and ' +
		'retries handled',
});

/** API Request in a resource, with the notice above its parameters there. */
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
 * @param definition `description`: what it is for; `notice`: what users should also know; whole sentences
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
