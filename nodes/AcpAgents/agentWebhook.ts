import { pick } from 'lodash';
import { agent, boolean, choices, reference, text, url } from '../engine/fields';
import { webhookEvents } from '../engine/platform/events';
import { readPage } from '../engine/pages/layouts';
import { fromRequest, operation, read, resource } from '../engine/operation';

const webhooks = read('GET /agents/{uuid}/webhooks', { uuid: fromRequest('uuid') });

const example = { placeholder: 'e.g. https://example.com/events' };

export const agentWebhook = resource({
	label: 'Agent Webhook',
	value: 'agentWebhook',
	path: { uuid: agent() },
	partOf: 'agent',
	defaultOperation: 'getAll',
	operations: {
		create: operation.create('POST /agents/{uuid}/webhooks', {
			description:
				'Deliver events of an agent to your URL; an agent can have at most five webhooks',
			body: {
				url: url('Where to deliver events', { ...example, required: true }),
				events: choices(webhookEvents, 'Which events to deliver', {
					required: true,
					default: ['conversation_end_report'],
				}),
				is_active: boolean('Whether to deliver events', { default: true }),
				secret_key: text('Signs the deliveries; it is never shown again', { password: true }),
			},
			explain: {
				webhook_limit_reached: {
					message: 'This agent already has five webhooks, which is the maximum',
					description:
						"List its webhooks with the operation 'Get Many' and delete one you no longer use.",
				},
			},
		}),
		delete: operation.remove('DELETE /agents/{uuid}/webhooks/{webhookUuid}', {
			description: 'Delete a webhook; the platform stops delivering events to it',
			path: {
				webhookUuid: reference('searchAgentWebhooks', 'The webhook to delete', { name: 'webhook' }),
			},
		}),
		getAll: operation.list('GET /agents/{uuid}/webhooks', {
			description: 'List the webhooks of an agent; secrets are never returned',
			pages: { unpaged: true },
		}),
		update: operation.update('PATCH /agents/{uuid}/webhooks/{webhookUuid}', {
			description:
				'Change a webhook or switch it off; only what you fill in is sent, unless the platform requires URL and events',
			path: {
				webhookUuid: reference('searchAgentWebhooks', 'The webhook to change', { name: 'webhook' }),
			},
			body: {
				url: url('Where to deliver events', { ...example, clearable: false }),
				events: choices(webhookEvents, 'Which events to deliver', { clearable: false }),
				is_active: boolean('Whether to deliver events'),
				secret_key: text('Signs the deliveries; it is never shown again', {
					nullable: true,
					password: true,
				}),
			},
			// A source calls updates of agents partial, another one requires both fields here (reference: agents).
			fallback: {
				guessed: (body) => ['url', 'events'].filter((name) => body[name] === undefined),
				body: async (body, ask, { webhookUuid }) => {
					const { rows } = readPage(await ask(webhooks));
					const now = rows.find((row) => row.webhook_uuid === webhookUuid);
					return { ...pick(now, 'url', 'events'), ...body };
				},
				lasts: true,
			},
		}),
	},
});
