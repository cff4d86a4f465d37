import { isEmpty, partition, uniq } from 'lodash';
import { operation } from '../operation/kinds';
import type { Resource } from '../operation/resource';
import { inSentence } from '../text/text';

/**
 * Any method and path below `/api/v1`, with everything the engine offers. The resource Other Endpoint of each node uses
 * it, for what the interface names without showing shapes.
 */
export const apiRequest = operation.raw({
	name: 'API Request',
	action: 'Send a custom API request for what is not supported yet',
	description:
		'Call any endpoint of the platform, with authentication, time zone, rate limits and ' +
		'retries handled',
});

/**
 * An area of which no endpoint is known. It is no resource of its own: Other Endpoint of its node names it.
 * @param definition `label`: the platform's name of the area; `notice`: what users should also know; whole sentences
 */
export const withoutEndpoint = ({
	label,
	value,
	notice,
}: Pick<Resource, 'label' | 'value'> & { notice?: string }): Resource => ({
	label,
	value,
	operations: {},
	...(notice ? { apiRequestNotice: notice } : {}),
});

const reaches = 'Any endpoint that the other resources do not cover';

const isArea = ({ operations }: Resource): boolean => isEmpty(operations);

/**
 * All resources of a node: its own, and API Request once for everything that they do not reach.
 * @param own resources that the node declares, and its areas without a known endpoint
 */
export function resourcesOf(own: Resource[]): Resource[] {
	const [areas, resources] = partition(own, isArea);
	const notYet = areas
		.map(({ label }) => inSentence(label))
		.sort((one, other) => one.localeCompare(other));
	const named = notYet.length ? `Not supported yet: ${notYet.join(', ')}.` : undefined;
	const notices = [
		named && `${named} Take the path from your workspace's API documentation.`,
		...own.map(({ apiRequestNotice }) => apiRequestNotice),
	];
	const notice = uniq(notices.filter(Boolean)).join(' ');
	return [
		...resources,
		{
			label: 'Other Endpoint',
			value: 'otherEndpoint',
			description: named ? `${named} ${reaches}.` : reaches,
			operations: { apiRequest: { ...apiRequest, ...(notice ? { notice } : {}) } },
		},
	];
}
