import { agent, choice, phone, recipient, reference, url } from '../engine/fields';
import { operation, resource } from '../engine/operation';
import { realMessages } from './sms';
import { placeholders, placeholdersFit } from './placeholders';

export const whatsapp = resource({
	label: 'WhatsApp',
	value: 'whatsapp',
	description: 'Approved templates. No known endpoint sends free text.',
	operations: {
		sendTemplate: operation.send('POST /whatsapp/template', {
			action: 'Send a WhatsApp template message',
			description: 'Send an approved template to a phone number or a contact',
			notice: realMessages,
			body: {
				agentId: agent('The agent that sends the message; it must have a WhatsApp number'),
				templateId: reference(
					'searchWhatsappTemplates',
					'The template to send; it must be approved',
					{ name: 'template' },
				),
				phoneNumber: recipient('phoneNumber', phone('The number to send to', { required: true })),
				parameters: placeholders({
					description:
						"Values for the template's placeholders; one without a value is refused if the template's text is shown",
				}),
				header: {
					type: choice(['image', 'video', 'document'], "Kind of file in the message's header", {
						displayName: 'Header Media Type',
					}),
					url: url('URL of the header file; it must be publicly accessible', {
						displayName: 'Header Media URL',
						placeholder: 'e.g. https://example.com/offer.pdf',
					}),
				},
			},
			check: ({ body: { header } }) => {
				const { type, url: address } = (header ?? {}) as { type?: string; url?: string };
				if (type !== undefined && address === undefined)
					return "'Header Media Type' requires 'Header Media URL': the URL of the file";
				if (type === undefined && address !== undefined)
					return "'Header Media URL' requires 'Header Media Type': image, video or document";
				return undefined;
			},
			preflight: placeholdersFit(({ templateId, parameters }) => ({
				template: templateId,
				values: parameters,
			})),
			reaches: { at: ['phoneNumber'], words: ['message', 'messages', 'sent'] },
			explain: {
				RESOURCE_NOT_FOUND: {
					message: 'The platform found no agent or no template with this ID',
					description:
						"One of them may be deleted, or 'Base URL' leads to another workspace. Choose both from their lists again.",
				},
			},
		}),
	},
});
