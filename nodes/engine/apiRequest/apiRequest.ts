import { uniq } from 'lodash';
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
 * Areas of which no known source shows an endpoint, by the node whose Other Endpoint names them (interface §1, §4.4;
 * Agent Knowledge belongs to the area Agents), and what users should also know.
 */
const areasWithoutEndpoint: Record<string, { labels: string[]; notice?: string }> = {
	acpAgents: { labels: ['Agent Knowledge Base', 'Language', 'Memorize'] },
	acpCalls: {
		labels: ['Human Calls', 'WhatsApp Calling'],
		notice:
			'To call over WhatsApp, the number an agent calls from must already be connected and have calling turned ' +
			'on. The agent then also handles messages on that number.',
	},
	acpContacts: { labels: ['Contact Settings'] },
	// How a request names the member is known (interface §5 rule 2).
	acpConversations: {
		labels: ['Conversation Replies'],
		notice:
			'To reply in a conversation with a workspace token, name the member who replies in ' +
			'the body: <code>{"user_email": "name@example.com"}</code>. With a per-user token, ' +
			'the reply is attributed to that user.',
	},
	acpFlows: { labels: ['Flow Executions'] },
	acpMessages: { labels: ['Email Addresses', 'Facebook Messenger', 'Instagram'] },
	acpScheduling: { labels: ['Availability Types'] },
};

const reaches = 'Any endpoint that the other resources do not cover';

/**
 * All resources of a node: its own, and API Request once for everything that they do not reach.
 * @param node its name
 */
export function withOtherEndpoint(node: string, own: Resource[]): Resource[] {
	const { labels = [], notice } = areasWithoutEndpoint[node] ?? {};
	const named = labels.length
		? `Not supported yet: ${labels.map(inSentence).join(', ')}.`
		: undefined;
	const notices = [
		named && `${named} Take the path from your workspace's API documentation.`,
		...own.map(({ apiRequestNotice }) => apiRequestNotice),
		notice,
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
