import { agent, boolean, choices, InvalidValue, locator, text, url } from '../engine/fields';
import { notOffered } from './agentFields';
import { webhookEvents } from '../engine/events';
import { readPage } from '../engine/http/layouts';
import { fromRequest, operation, read, resource } from '../engine/operation';

export const agentWebhook = resource({
	label: 'Agent Webhook',
	value: 'agentWebhook',
	defaultOperation: 'getAll',
	operations: {
		create: operation.create('POST /agents/{uuid}/webhooks', {
			name: 'Create',
			action: 'Create a webhook of an agent',
			description:
				'Have the platform deliver events of an agent to an address of yours; an agent holds at most five webhooks',
			path: { uuid: agent() },
			body: {
				url: url({
					required: true,
					displayName: 'URL',
					placeholder: 'e.g. https://example.com/events',
					description: 'Where events are delivered to',
				}),
				events: choices(webhookEvents, {
					required: true,
					default: ['conversation_end_report'],
					description: 'What is delivered',
				}),
				is_active: boolean({ default: true, description: 'Whether events are delivered' }),
				secret_key: text({
					password: true,
					description: 'Signs the deliveries; it is never shown again',
				}),
			},
			explain: {
				webhook_limit_reached: {
					message: 'This agent already has five webhooks, the most it can hold',
					description:
						'List its webhooks with the operation Get Many and delete one that is no longer needed.',
				},
			},
		}),
		delete: operation.remove('DELETE /agents/{uuid}/webhooks/{webhookUuid}', {
			name: 'Delete',
			action: 'Delete a webhook of an agent',
			description: 'End the deliveries to a webhook',
			path: {
				uuid: agent(),
				webhookUuid: locator('searchAgentWebhooks', {
					name: 'webhook',
					displayName: 'Webhook',
					required: true,
					description: 'The webhook to delete',
				}),
			},
			removes: 'webhookUuid',
			explain: notOffered(
				'delete a webhook',
				"Use 'Update' with 'Is Active' off instead; then nothing is delivered to it any more.",
			),
		}),
		getAll: operation.list('GET /agents/{uuid}/webhooks', {
			name: 'Get Many',
			action: 'Get many webhooks of an agent',
			description: 'List the webhooks of an agent; secrets are never returned',
			path: { uuid: agent() },
			pages: { id: 'webhook_uuid' },
		}),
		update: operation.update('PATCH /agents/{uuid}/webhooks/{webhookUuid}', {
			name: 'Update',
			action: 'Update a webhook of an agent',
			description:
				'Change a webhook or switch it off; address and events stay as they are unless you change them',
			path: {
				uuid: agent(),
				webhookUuid: locator('searchAgentWebhooks', {
					name: 'webhook',
					displayName: 'Webhook',
					required: true,
					description: 'The webhook to change',
				}),
			},
			body: {
				url: url({
					clearable: false,
					displayName: 'URL',
					placeholder: 'e.g. https://example.com/events',
					description: 'Where events are delivered to',
				}),
				events: choices(webhookEvents, { clearable: false, description: 'What is delivered' }),
				is_active: boolean({ description: 'Whether events are delivered' }),
				secret_key: text({
					nullable: true,
					password: true,
					description: 'Signs the deliveries; it is never shown again',
				}),
			},
			consult: {
				read: read('GET /agents/{uuid}/webhooks', { uuid: fromRequest('uuid') }),
				// The platform wants address and events with every change (reference: agents).
				fit: (answer, body, _zone, path) => {
					const now = readPage(answer).rows.find(
						(webhook) => webhook.webhook_uuid === path.webhookUuid,
					);
					if (!now)
						throw new InvalidValue(
							'Webhook',
							'is not one of this agent. Choose it from the list again',
						);
					return { url: now.url, events: now.events, ...body };
				},
			},
		}),
	},
});
