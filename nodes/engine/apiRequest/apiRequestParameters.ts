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
