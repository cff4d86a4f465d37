import { uniq } from 'lodash';
import { operation } from '../operation/kinds';
import type { Resource } from '../operation/resource';
import { inSentence } from '../text/text';
import type { INodeProperties } from 'n8n-workflow';

export const apiRequestProperties: INodeProperties[] = [
	{
		displayName: 'Method',
		name: 'method',
		type: 'options',
		options: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].map((value) => ({ name: value, value })),
		default: 'GET',
		description: 'The HTTP method',
	},
	{
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. /agents',
		hint: 'The part of the URL after /api/v1; workspace and token come from the credential',
	},
	{
		displayName: 'Query Parameters (JSON)',
		name: 'query',
		type: 'json',
		default: '{}',
		description: 'The part of the URL after the question mark, as a JSON object',
	},
	{
		displayName: 'Body (JSON)',
		name: 'body',
		type: 'json',
		default: '{}',
		description: 'The request body, as a JSON object',
		displayOptions: { show: { method: ['DELETE', 'PATCH', 'POST', 'PUT'] } },
	},
	{
		displayName: 'Read All Pages',
		name: 'paginate',
		type: 'boolean',
		default: false,
		description: 'Whether to read all pages of a list and return one item per record',
		displayOptions: { show: { method: ['GET'] } },
	},
];

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
