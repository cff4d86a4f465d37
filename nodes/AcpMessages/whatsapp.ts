import { agent, choice, locator, mapper, phone, url } from '../engine/fields';
import { operation, resource } from '../engine/operation';

export const whatsapp = resource({
	label: 'WhatsApp',
	value: 'whatsapp',
	apiRequestNotice:
		'Free texts in a running conversation are sent as replies: see the resource ' +
		'Conversation Reply of ACP Conversations.',
	operations: {
		sendTemplate: operation.send('POST /whatsapp/template', {
			name: 'Send Template',
			action: 'Send a WhatsApp template message',
			description: 'Write to a phone number with an approved template',
			notice:
				"This sends real messages that cost money. Turn on 'Preview' under Options to see " +
				'the requests without sending them.',
			body: {
				agentId: agent({ description: 'The agent that writes; it needs a WhatsApp number' }),
				templateId: locator('searchWhatsappTemplates', {
					name: 'template',
					displayName: 'Template',
					required: true,
					description: 'The template to send; the platform must have approved it',
				}),
				phoneNumber: phone({ required: true, description: 'Whom to write to' }),
				parameters: mapper<Record<string, string>>('getTemplateFields', {
					displayName: 'Placeholders',
					description: "What stands in the template's placeholders",
					words: { singular: 'placeholder', plural: 'placeholders' },
					dependsOn: ['template.value'],
					autoMap: false,
					texts: true,
				}),
				header: {
					type: choice(['image', 'video', 'document'], {
						displayName: 'Header Media Type',
						description: "What kind of file stands in the message's header",
					}),
					url: url({
						displayName: 'Header Media URL',
						description: 'Address of the file for the header; everybody must be able to reach it',
						placeholder: 'e.g. https://example.com/offer.pdf',
					}),
				},
			},
			check: ({ body: { header } }) => {
				const { type, url: address } = (header ?? {}) as { type?: string; url?: string };
				if (type !== undefined && address === undefined)
					return "'Header Media Type' needs 'Header Media URL': the address of the file";
				if (type === undefined && address !== undefined)
					return "'Header Media URL' needs 'Header Media Type': image, video or document";
				return undefined;
			},
			reaches: { at: ['phoneNumber'], words: ['message', 'messages', 'sent'] },
			explain: {
				RESOURCE_NOT_FOUND: {
					message: 'The platform has no agent or no template with this ID',
					description:
						'Choose both from their lists again; one may have been deleted, or it belongs to another workspace.',
				},
			},
		}),
	},
});
