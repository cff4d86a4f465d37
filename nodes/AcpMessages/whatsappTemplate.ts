import { mapKeys } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { binary, choice, converted, json, reference, text } from '../engine/fields';
import { operation, resource, words } from '../engine/operation';
import { placeholders, placeholdersFit } from './placeholders';

const account = reference(
	'searchWhatsappAccounts',
	'The business account that the template belongs to',
	{
		name: 'waba',
		displayName: 'WhatsApp Business Account',
		pattern: { regex: '^\\s*\\d+\\s*$', example: '123456789012345' },
	},
);

export const whatsappTemplate = resource({
	label: 'WhatsApp Template',
	value: 'whatsappTemplate',
	defaultOperation: 'getAll',
	operations: {
		create: operation.create('POST /whatsapp/templates', {
			description: 'Submit a new template for approval, which usually takes one or two days',
			body: {
				name: text(
					'Lowercase letters, digits and underscores. Name plus language must be unique in the business account.',
					{ required: true, minLength: 1, maxLength: 512, placeholder: 'e.g. order_confirmation' },
				),
				language: text("Language code in WhatsApp's format", {
					required: true,
					placeholder: 'e.g. en_US',
				}),
				category: choice(
					[
						{ name: 'Authentication', value: 'AUTHENTICATION', description: 'One-time codes' },
						{ name: 'Marketing', value: 'MARKETING', description: 'Offers and news' },
						{
							name: 'Utility',
							value: 'UTILITY',
							description: 'Messages about an order or appointment',
						},
					],
					'Purpose of the template; affects price and approval',
					{ required: true, default: 'UTILITY' },
				),
				waba_id: account,
				components: json<Array<Record<string, unknown>>>(
					"The template's parts in WhatsApp's own format",
					{
						displayName: 'Components',
						required: true,
						typeOptions: { rows: 8 },
						default:
							'[\n  {\n    "type": "BODY",\n    "text": "Hello {{1}}, your order {{2}} is confirmed."\n  }\n]',
						hint:
							'For a media header, add a HEADER component with "format": "IMAGE", "VIDEO" or "DOCUMENT" and "example": {"header_handle": ["…"]} with the ' +
							'handle from Upload Media',
					},
				),
			},
		}),
		createSetting: operation.create('POST /whatsapp/template-settings', {
			action: 'Enable a WhatsApp template for campaigns',
			description:
				'Set the placeholder values that campaigns use when they send an approved template',
			body: {
				template_uuid: reference('searchWhatsappTemplates', 'The approved template', {
					name: 'template',
				}),
				params: {
					// The platform names a placeholder by its number here, but field1, field2, … in a single message (reference:
					// whatsapp).
					body: converted(
						placeholders({
							description:
								"Values for the template's placeholders: text, or details of the contact",
							hint: "Write {{contact.name}} for the contact's name and {{custom.order_number}} for the custom field with the key order_number.",
						}),
						(values) => mapKeys(values, (_, key) => key.replace(/^field(?=\d+$)/, '')),
					),
					header: json("Values for the template's header"),
				},
				status: choice(
					['active', 'inactive'],
					'Whether campaigns can use the template; defaults to active',
				),
			},
			preflight: placeholdersFit(({ template_uuid: template, params }) => ({
				template,
				values: (params as IDataObject | undefined)?.body,
			})),
		}),
		getAll: operation.list('GET /whatsapp/templates', {
			description: "List the workspace's templates with their approval status",
			simplify: words(
				'uuid name language category status content waba_id phone_number created_at updated_at',
			),
		}),
		getWabas: operation.list('GET /whatsapp/wabas', {
			name: 'Get Business Accounts',
			action: 'Get many WhatsApp business accounts',
			description: 'List the business accounts linked to the workspace',
		}),
		uploadMedia: operation.create('POST /whatsapp/templates/upload-media', {
			action: 'Upload header media for a WhatsApp template',
			description:
				"Upload a file and get its handle for a new template's header. The handle expires after about a day and has no other use.",
			body: {
				waba_id: account,
				media_type: choice(
					[
						{
							name: 'Document',
							value: 'document',
							description: 'PDF, text or office file, up to 100 MB',
						},
						{ name: 'Image', value: 'image', description: 'JPG or PNG, up to 5 MB' },
						{ name: 'Video', value: 'video', description: 'MP4 or 3GP, up to 16 MB' },
					],
					'Must match the file',
					{ required: true, default: 'image' },
				),
				file: binary({ max: 100 }),
			},
		}),
	},
});
