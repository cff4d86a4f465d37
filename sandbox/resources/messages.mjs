import { created } from '../answers.mjs';
import { invalid } from '../errors.mjs';
import { born } from '../store.mjs';
import { agentOf } from './agents.mjs';
import { contactByNumber } from './contacts.mjs';
import { textConversation } from './conversations.mjs';

/** Text of a template with its placeholders filled from field1, field2, … (reference: whatsapp). */
const rendered = (template, parameters = {}) =>
	template.content.replace(
		/\{\{(\d+)\}\}/g,
		(whole, number) => parameters[`field${number}`] ?? whole,
	);

/** MIME types and sizes of header media (reference: whatsapp). */
const HEADER_MEDIA = {
	image: { types: /^image\/(jpeg|png)$/, megabytes: 5 },
	video: { types: /^video\/(mp4|3gpp)$/, megabytes: 16 },
	document: { types: /^(application\/(pdf|msword|vnd\..+)|text\/plain)$/, megabytes: 100 },
};

export const templateOf = (sandbox, uuid) =>
	sandbox.store.need('whatsapp_templates', uuid, 'Template');

/** Sends a text in the name of an agent. @returns {{conversation: any, contact: any}} */
export function sendText(sandbox, { agent, phoneNumber, channel, content, ...origin }) {
	const contact = contactByNumber(sandbox, phoneNumber);
	return {
		contact,
		conversation: textConversation(sandbox, { agent, contact, channel, content, ...origin }),
	};
}

export const messages = {
	'POST /sms/send': ({ sandbox, body: { agentId, phoneNumber, message } }) => {
		const { conversation } = sendText(sandbox, {
			agent: agentOf(sandbox, agentId),
			phoneNumber,
			channel: 'SMS',
			content: message,
		});
		const messageId = sandbox.random.uuid();
		return created(
			{ messageId, recipientPhone: phoneNumber, conversationId: conversation.uuid },
			messageId,
			'Message accepted.',
		);
	},
	'POST /whatsapp/template': ({
		sandbox,
		body: { agentId, templateId, phoneNumber, parameters },
	}) => {
		const agent = agentOf(sandbox, agentId);
		const template = templateOf(sandbox, templateId);
		if (template.status !== 'APPROVED')
			throw invalid('templateId', 'The template is not approved.');
		const { conversation } = sendText(sandbox, {
			agent,
			phoneNumber,
			channel: 'Whatsapp',
			content: rendered(template, parameters),
		});
		const messageId = `wamid.${sandbox.random.uuid().replaceAll('-', '')}`;
		return created(
			{
				messageId,
				templateName: template.name,
				recipientPhone: phoneNumber,
				conversationId: conversation.uuid,
			},
			conversation.uuid,
			'Message accepted.',
		);
	},
	'POST /email/messages': ({ sandbox, body: { request_key, ...email } }) => {
		const message = sandbox.store
			.collection('emails')
			.add({ uuid: sandbox.random.uuid(), status: 'queued', ...email });
		return created({ uuid: message.uuid, status: message.status }, message.uuid, 'Email accepted.');
	},
	'POST /whatsapp/templates/upload-media': ({ sandbox, body: { waba_id, media_type }, files }) => {
		const file = files?.get('file');
		if (file === undefined) throw invalid('file', 'The field file is required.');
		if (
			![...sandbox.store.collection('whatsapp_wabas').values()].some(
				(waba) => waba.waba_id === waba_id,
			)
		)
			throw invalid('waba_id', 'The business account is not linked to the workspace.');
		const { types, megabytes } = HEADER_MEDIA[media_type];
		if (!types.test(file.mediaType))
			throw invalid(
				'media_type',
				`The media type ${media_type} does not fit a file of type ${file.mediaType}.`,
			);
		if (file.bytes.length > megabytes * 2 ** 20)
			throw invalid('file', `The file is larger than ${megabytes} MB.`);
		const handle = `4::${sandbox.random.uuid().replaceAll('-', '')}`;
		sandbox.store
			.collection('whatsapp_media')
			.add({ uuid: handle, media_type, filename: file.filename, size: file.bytes.length });
		return created({ handle, media_type }, handle, 'Media uploaded.');
	},
	'POST /whatsapp/template-settings': ({
		sandbox,
		body: { template_uuid, params = {}, status },
	}) => {
		const template = templateOf(sandbox, template_uuid);
		if (template.status !== 'APPROVED')
			throw invalid('template_uuid', 'The template is not approved.');
		const { uuid, name, language, category, waba_id } = template;
		const content = template.content.replace(
			/\{\{(\d+)\}\}/g,
			(whole, number) => params.body?.[number] ?? whole,
		);
		const setting = sandbox.store.collection('whatsapp_template_settings').add({
			uuid: sandbox.random.uuid(),
			params: { body: {}, header: {}, ...params },
			content,
			status,
			template: { uuid, name, language, category, status: template.status, waba_id },
			...born(),
		});
		const { status: hidden, ...shown } = setting;
		return created(shown, setting.uuid, 'Template setting created.');
	},
};

export const messageHooks = {
	whatsapp_templates: {
		thing: 'Template',
		prepare: ({ sandbox }, body) => {
			const taken = [...sandbox.store.collection('whatsapp_templates').values()].some(
				(one) =>
					one.name === body.name && one.language === body.language && one.waba_id === body.waba_id,
			);
			if (taken)
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
