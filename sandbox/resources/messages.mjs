import { invalid } from '../errors.mjs';
import { contactByNumber } from './contacts.mjs';
import { textConversation } from './conversations.mjs';

/** Text of a template with its placeholders filled (reference: whatsapp). */
const rendered = ({ content }, values = {}) =>
	content.replace(/\{\{(\d+)\}\}/g, (whole, number) => values[number] ?? whole);

/** MIME types and sizes of header media (reference: whatsapp). */
const HEADER_MEDIA = {
	image: { types: /^image\/(jpeg|png)$/, megabytes: 5 },
	video: { types: /^video\/(mp4|3gpp)$/, megabytes: 16 },
	document: { types: /^(application\/(pdf|msword|vnd\..+)|text\/plain)$/, megabytes: 100 },
};

function approvedTemplate({ store }, uuid, field) {
	const template = store.need('whatsapp_templates', uuid, 'Template');
	if (template.status !== 'APPROVED') throw invalid(field, 'The template is not approved.');
	return template;
}

/** Sends a text in the name of an agent. @returns {any} the conversation */
export const sendText = (sandbox, { phoneNumber, ...text }) =>
	textConversation(sandbox, { contact: contactByNumber(sandbox, phoneNumber), ...text });

/** The file of a form that must be there. */
export function neededFile(files, name) {
	const file = files?.get(name);
	if (file === undefined) throw invalid(name, `The field ${name} is required.`);
	return file;
}

export const handlers = {
	'POST /sms/send': ({ sandbox, body: { agentId, phoneNumber, message } }) => {
		const agent = sandbox.store.need('agents', agentId);
		const text = { agent, phoneNumber, channel: 'SMS', content: message };
		const { uuid: conversationId } = sendText(sandbox, text);
		return { messageId: sandbox.random.uuid(), recipientPhone: phoneNumber, conversationId };
	},
	'POST /whatsapp/template': ({ sandbox, body }) => {
		const { agentId, templateId, phoneNumber, parameters = {} } = body;
		const agent = sandbox.store.need('agents', agentId);
		const template = approvedTemplate(sandbox, templateId, 'templateId');
		const values = Object.entries(parameters).map(([key, value]) => [key.slice(5), value]);
		const content = rendered(template, Object.fromEntries(values));
		const text = { agent, phoneNumber, channel: 'Whatsapp', content };
		const { uuid: conversationId } = sendText(sandbox, text);
		return {
			messageId: `wamid.${sandbox.random.uuid().replaceAll('-', '')}`,
			templateName: template.name,
			recipientPhone: phoneNumber,
			conversationId,
		};
	},
	'POST /email/messages': ({ sandbox, body: { request_key, ...email } }) => {
		const { uuid, status } = sandbox.store.add('emails', { status: 'queued', ...email });
		return { uuid, status };
	},
	'POST /whatsapp/templates/upload-media': ({ sandbox, body, files }) => {
		const { waba_id, media_type } = body;
		const file = neededFile(files, 'file');
		if (sandbox.store.where('whatsapp_wabas', { waba_id }).length === 0)
			throw invalid('waba_id', 'The business account is not linked to the workspace.');
		const { types, megabytes } = HEADER_MEDIA[media_type];
		if (!types.test(file.mediaType))
			throw invalid('media_type', `It does not fit a file of type ${file.mediaType}.`);
		if (file.bytes.length > megabytes * 2 ** 20)
			throw invalid('file', `The file is larger than ${megabytes} MB.`);
		return { handle: `4::${sandbox.random.uuid().replaceAll('-', '')}`, media_type };
	},
	'POST /whatsapp/template-settings': ({ sandbox, body }) => {
		const { template_uuid, params = {}, status } = body;
		const template = approvedTemplate(sandbox, template_uuid, 'template_uuid');
		const { status: hidden, ...setting } = sandbox.store.add('whatsapp_template_settings', {
			params: { body: {}, header: {}, ...params },
			content: rendered(template, params.body),
			status,
			template,
		});
		return setting;
	},
};

export const rules = {
	whatsapp_templates: {
		prepare: ({ sandbox }, body) => {
			const { name, language, waba_id } = body;
			if (sandbox.store.where('whatsapp_templates', { name, language, waba_id }).length > 0)
				throw invalid(
					'name',
					'A template of this name and language already exists in the business account.',
				);
			return {
				...body,
				status: 'PENDING',
				content: body.components.find(({ type }) => type === 'BODY')?.text ?? '',
				template_id: sandbox.random.uuid().replace(/\D/g, '').slice(0, 15),
				phone_number: '+12125550000',
				type: 'whatsapp',
			};
		},
	},
};
