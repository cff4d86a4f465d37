import { uniq } from 'lodash';
import { operation } from '../operation/kinds';
import type { Resource } from '../operation/resource';
import { inSentence } from '../text/text';

/** Any method and path below `/api/v1`, for what the interface names without showing shapes. */
export const apiRequest = operation.raw({
	name: 'API Request',
	action: 'Send a custom API request for what is not supported yet',
	description:
		'Call any endpoint of the platform, with authentication, rate limits and retries handled',
});

const reaches = 'Any endpoint that the other resources do not cover';

/** All resources of a node: its own, and API Request once for everything that they do not reach. */
export function withOtherEndpoint(own: Resource[]): Resource[] {
	const labels = own.flatMap(({ unsupported = [] }) => unsupported);
	const named = labels.length
		? `Not supported yet: ${labels.map(inSentence).join(', ')}.`
		: undefined;
	const notices = [
		named && `${named} Take the path from your workspace's API documentation.`,
		...own.map(({ apiRequestNotice }) => apiRequestNotice),
	];
	const all = uniq(notices.filter(Boolean)).join(' ');
	return [
		...own,
		{
			label: 'Other Endpoint',
			value: 'otherEndpoint',
			description: named ? `${named} ${reaches}.` : reaches,
			operations: { apiRequest: { ...apiRequest, ...(all ? { notice: all } : {}) } },
		},
	];
}
