import { operation } from './kinds';

/**
 * Any method and path below `/api/v1`, with everything the engine gives: what the resource Other Endpoint of each node
 * is for. It reaches what the interface names without showing shapes.
 */
export const apiRequest = operation.raw({
	name: 'API Request',
	action: 'Make an API request',
	description:
		'Call any endpoint of the platform, with authentication, time zone, rate limits and ' +
		'retries handled',
});
