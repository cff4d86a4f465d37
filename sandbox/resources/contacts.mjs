import { changed, paged } from '../answers.mjs';
import { invalid, notFound, required } from '../errors.mjs';
import { contactOfManners, isFoundBy, isHiddenContact } from '../manners.mjs';
import { change } from '../store.mjs';
import { Instant, instantFrom } from '../zone.mjs';

const EMPTY = {
	name: '',
	surname: '',
	email: '',
	phone_number: '',
	number_type: null,
	country_code: '',
	timezone: '',
	primary_language: '',
	preferred_contact_channel: '',
	preferred_contact_time: '',
	status: 'Active',
};
const BUILT_IN = Object.keys(EMPTY).filter((name) => name !== 'status');

const isCustomField = ({ store }, key) => store.get('contacts_fields', key) !== undefined;

/**
 * A contact as shown: every active custom field is a top-level key, an empty string when
 * unset (reference: contacts).
 */
export function shownContact({ settings, store }, { custom, ...shown }) {
	for (const { key, is_active } of store.all('contacts_fields'))
		if (is_active) shown[key] = custom[key] ?? '';
	return contactOfManners(settings.manners, shown);
}

/** @param {Record<string, any>} fields own fields; custom ones under `custom` */
export function addContact(sandbox, fields) {
	const contact = sandbox.store.add('contacts', { ...EMPTY, tags: [], custom: {}, ...fields });
	remember(sandbox, contact);
	return contact;
}

function remember(sandbox, contact) {
	for (const address of [contact.phone_number, contact.email])
		if (address) sandbox.reachable.set(address, contact.uuid);
}

/** @param {string} address phone number or email @returns {any | undefined} the contact that has it */
export function findContact(sandbox, address) {
	const contact = sandbox.store.get('contacts', sandbox.reachable.get(address));
	return contact?.phone_number === address || contact?.email === address ? contact : undefined;
}

/** @returns {any} the contact with that number, made when there is none */
export const contactByNumber = (sandbox, phoneNumber) =>
	findContact(sandbox, phoneNumber) ?? addContact(sandbox, { phone_number: phoneNumber });

/** Splits what was sent into own and custom fields; an unregistered key is refused and named (reference: contacts). */
export function readFields(sandbox, body, { refuseUnknown = true } = {}) {
	const own = {};
	const custom = {};
	for (const [key, value] of Object.entries(body)) {
		if (Object.hasOwn(EMPTY, key)) own[key] = value;
		else if (isCustomField(sandbox, key)) custom[key] = value ?? '';
		else if (refuseUnknown)
			throw invalid(key, `The field ${key} is not a registered contact field.`);
	}
	return { own, custom };
}

/** Changes a contact by what was sent; the rest stays. */
export function changeContact(sandbox, contact, { own, custom }) {
	remember(sandbox, change(contact, own, { custom: { ...contact.custom, ...custom } }));
	return contact;
}

/** Adds or takes away a tag by its number or its uuid: the catalogue shows the one, the reference the other. */
const changeTags =
	(added) =>
	({ sandbox, record: contact, body: { tag_id: id } }) => {
		const tag = sandbox.store.all('contact_tags').find((one) => [one.id, one.uuid].includes(id));
		if (tag === undefined) throw invalid('tag_id', 'The selected tag_id is invalid.');
		const { uuid, name } = tag;
		const others = contact.tags.filter((one) => one.uuid !== uuid);
		change(contact, { tags: added ? [...others, { uuid, name }] : others });
		return changed(shownContact(sandbox, contact));
	};

export const handlers = {
	'GET /contacts': (context) => {
		const { sandbox, query } = context;
		const { contact_channel, pool_uuid, search, stage_uuid, campaign_uuid, tag_uuid } = query;
		const { manners } = sandbox.settings;
		const wanted = search?.toLowerCase();
		const pool = sandbox.store.all('pool_contacts').filter((item) => item.pool_uuid === pool_uuid);
		const inPool = new Set(pool.map((item) => item.contact_uuid));
		const where = (contact) =>
			!isHiddenContact(manners, contact) &&
			(contact_channel === undefined || contact.preferred_contact_channel === contact_channel) &&
			(pool_uuid === undefined || inPool.has(contact.uuid)) &&
			(tag_uuid === undefined || contact.tags.some(({ uuid }) => uuid === tag_uuid)) &&
			// Nothing in the sandbox has a stage.
			stage_uuid === undefined &&
			campaign_uuid === undefined &&
			(!wanted ||
				[`${contact.name} ${contact.surname}`, contact.email, contact.phone_number].some((text) =>
					isFoundBy(manners, text.toLowerCase(), wanted),
				));
		const show = (contact) => shownContact(sandbox, contact);
		return paged(context, 'contacts', { where, show, except: ['search'] });
	},
	'POST /contacts': ({ sandbox, body }) => {
		const { own, custom } = readFields(sandbox, body);
		return shownContact(sandbox, addContact(sandbox, { ...own, custom }));
	},
	'GET /contacts/{}': ({ sandbox, record: contact }) => shownContact(sandbox, contact),
	'PUT /contacts/{}': ({ sandbox, record: contact, body }) =>
		shownContact(sandbox, changeContact(sandbox, contact, readFields(sandbox, body))),
	'POST /contacts/{}/blacklist': ({ record: contact, body, zone }) => {
		const { reason, type = 'Both', is_permanent = true, expires_at = null } = body;
		if (is_permanent === false && expires_at === null)
			throw invalid(
				'expires_at',
				'The field expires_at is required when the entry is not permanent.',
			);
		const expires = expires_at === null ? null : instantFrom(`${expires_at}T00:00:00`, zone.zone);
		if (expires !== null && expires.ms <= Date.now())
			throw invalid('expires_at', 'The field expires_at must lie after today.');
		const times = { expires_at: expires, blacklisted_at: Instant.now() };
		const blacklist = { type, reason, is_permanent, ...times };
		return changed(change(contact, { status: 'Blacklisted', blacklist }));
	},
	'POST /contacts/{}/add-tag': changeTags(true),
	'POST /contacts/{}/remove-tag': changeTags(false),
	'PUT /analyzers/{}': (context) => {
		const { sandbox, params, body } = context;
		const [id] = params;
		const [, kind, name] = /^([bfp])_(.+)$/.exec(id) ?? [];
		const exists =
			kind === 'p' || (kind === 'b' ? BUILT_IN.includes(name) : isCustomField(sandbox, name));
		if (!exists) throw notFound('Analyzer');
		const beyond = Object.keys(body).find((field) => field !== 'update_behavior');
		if (kind === 'b' && beyond !== undefined)
			throw invalid(
				beyond,
				`For a built-in contact field only update_behavior can be changed, not ${beyond}.`,
			);
		const unset = { analysis_goals: null, example_values: null };
		const analyzer =
			sandbox.store.get('analyzers', id) ??
			sandbox.store.add('analyzers', { uuid: id, update_behavior: 'automatic_update', ...unset });
		const { example_values, ...others } = body;
		change(analyzer, kind === 'p' ? others : body);
		const { uuid, ...shown } = analyzer;
		return { internal_id: id, ...shown };
	},
};

/** Approvals wait in the list; no source shows how they are decided. */
export const rules = {
	contacts_approvals: {
		except: ['confidence'],
		where: ({ query }) => {
			const { field_key: key, confidence: wanted } = query;
			return ({ field_name, confidence }) =>
				(key === undefined || field_name === `f_${key}`) &&
				(wanted === undefined ||
					wanted === (confidence >= 0.8 ? 'high' : confidence >= 0.5 ? 'medium' : 'low'));
		},
	},
	contacts_fields: {
		prepare: (
			{ sandbox },
			{ name = '', key = name.toLowerCase().replace(/\W+/g, '_'), ...rest },
		) => {
			if (key === '') throw required('key');
			if (Object.hasOwn(EMPTY, key) || isCustomField(sandbox, key))
				throw invalid('key', `The key ${key} is already taken.`);
			return { type: 'text', is_active: true, ...rest, key, name };
		},
		revise: (context, field, body) => {
			if (body.key !== undefined && body.key !== field.key)
				throw invalid('key', 'The key cannot be changed: delete the field and create a new one.');
			return body;
		},
	},
};
