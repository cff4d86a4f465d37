import { changed, created, matching, paged, read } from '../answers.mjs';
import { invalid, notFound } from '../errors.mjs';
import { contactOfManners, emptied, isFoundBy, isHiddenContact } from '../manners.mjs';
import { born } from '../store.mjs';
import { Instant, instantFrom } from '../zone.mjs';

const OWN_FIELDS = [
	'name',
	'surname',
	'email',
	'phone_number',
	'number_type',
	'country_code',
	'timezone',
	'primary_language',
	'preferred_contact_channel',
	'preferred_contact_time',
	'status',
];

/**
 * A contact as shown: every active custom field is a top-level key, an empty string when
 * unset (reference: contacts).
 */
export function shownContact(sandbox, contact) {
	const { custom, ...shown } = contact;
	for (const field of sandbox.store.collection('contacts_fields').values())
		if (field.is_active) shown[field.key] = custom[field.key] ?? '';
	return contactOfManners(sandbox.settings.manners, shown);
}

export const contactOf = (sandbox, uuid) => sandbox.store.need('contacts', uuid, 'Contact');

/** @param {Record<string, any>} fields own fields; custom ones under `custom` */
export function addContact(sandbox, fields) {
	const contact = sandbox.store.collection('contacts').add({
		uuid: sandbox.random.uuid(),
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
		tags: [],
		custom: {},
		...fields,
		...born(),
	});
	remember(sandbox, contact);
	return contact;
}

function remember(sandbox, contact) {
	for (const address of [contact.phone_number, contact.email])
		if (address) sandbox.reachable.set(address, contact.uuid);
}

/** @param {string} address phone number or email @returns {any | undefined} the contact that has it */
export function findContact(sandbox, address) {
	const contact = sandbox.store
		.collection('contacts')
		.get(sandbox.reachable.get(address) ?? sandbox.generatedContact(address));
	return contact?.phone_number === address || contact?.email === address ? contact : undefined;
}

/** @returns {any} the contact with that number, made when there is none */
export const contactByNumber = (sandbox, phoneNumber, fields = {}) =>
	findContact(sandbox, phoneNumber) ??
	addContact(sandbox, { phone_number: phoneNumber, ...fields });

/** Splits what was sent into own and custom fields; an unregistered key is refused and named (reference: contacts). */
export function readFields(sandbox, body, { refuseUnknown = true } = {}) {
	const own = {};
	const custom = {};
	for (const [key, value] of Object.entries(body)) {
		if (OWN_FIELDS.includes(key)) own[key] = value;
		else if (sandbox.store.collection('contacts_fields').get(key) !== undefined)
			custom[key] = value ?? '';
		else if (refuseUnknown)
			throw invalid(key, `The field ${key} is not a registered contact field.`);
	}
	return { own, custom };
}

/** Changes a contact by what was sent; the rest stays. */
export function changeContact(sandbox, contact, { own, custom }) {
	const changedContact = sandbox.store.collection('contacts').change(contact.uuid, {
		...own,
		custom: { ...contact.custom, ...custom },
		updated_at: Instant.now(),
	});
	remember(sandbox, changedContact);
	return changedContact;
}

/** A tag by its number or its uuid: the catalogue shows the one, the reference the other. */
function tagOf(sandbox, id) {
	const tag = [...sandbox.store.collection('contact_tags').values()].find(
		(one) => one.id === id || one.uuid === id,
	);
	if (tag === undefined) throw invalid('tag_id', 'The selected tag_id is invalid.');
	return tag;
}

/** @param {(others: object[]) => object[]} change what becomes of the tags beside the one that it is about */
function changeTags(sandbox, uuid, tag, change) {
	const { tags } = contactOf(sandbox, uuid);
	const contact = sandbox.store.collection('contacts').change(uuid, {
		tags: change(tags.filter((one) => one.uuid !== tag.uuid)),
		updated_at: Instant.now(),
	});
	return changed(shownContact(sandbox, contact), uuid, 'Tags changed.');
}

const BUILT_IN = OWN_FIELDS.filter((name) => name !== 'status');

export const contacts = {
	'GET /contacts': (context) => {
		const { sandbox, query } = context;
		const { status, contact_channel: channel, pool_uuid: pool, search } = query;
		const wanted = search?.toLowerCase();
		const { manners } = sandbox.settings;
		const inPool =
			pool === undefined
				? undefined
				: new Set(
						[...sandbox.store.collection('pool_contacts').values()]
							.filter((item) => item.pool_uuid === pool)
							.map((item) => item.contact_uuid),
					);
		const filters = [
			manners.blacklistShown === 'hidden'
				? (contact) => !isHiddenContact(manners, contact)
				: undefined,
			status === undefined ? undefined : (contact) => contact.status === status,
			channel === undefined
				? undefined
				: (contact) => contact.preferred_contact_channel === channel,
			inPool === undefined ? undefined : (contact) => inPool.has(contact.uuid),
			!wanted
				? undefined
				: (contact) =>
						[`${contact.name} ${contact.surname}`, contact.email, contact.phone_number].some(
							(text) => isFoundBy(manners, text.toLowerCase(), wanted),
						),
			query.tag_uuid === undefined
				? undefined
				: (contact) => contact.tags.some(({ uuid }) => uuid === query.tag_uuid),
			// Nothing in the sandbox has a stage.
			query.stage_uuid === undefined && query.campaign_uuid === undefined ? undefined : () => false,
		].filter(Boolean);
		const where =
			filters.length === 0 ? undefined : (contact) => filters.every((filter) => filter(contact));
		return read(
			paged(context, 'contacts', { where, show: (contact) => shownContact(sandbox, contact) }),
			'Contacts retrieved.',
		);
	},
	'POST /contacts': ({ sandbox, body }) => {
		const { own, custom } = readFields(sandbox, body);
		const contact = addContact(sandbox, { ...own, custom });
		return created(shownContact(sandbox, contact), contact.uuid, 'Contact created.');
	},
	'GET /contacts/{}': ({ sandbox, params: [uuid] }) =>
		read(shownContact(sandbox, contactOf(sandbox, uuid)), 'Contact retrieved.'),
	'PUT /contacts/{}': ({ sandbox, operation, params: [uuid], body }) => {
		const { own, custom } = readFields(sandbox, body);
		const now = contactOf(sandbox, uuid);
		const left = emptied(sandbox, operation, now, ['name', 'surname', 'email']);
		const contact = changeContact(sandbox, now, {
			own: { ...left, ...own },
			custom,
		});
		return changed(shownContact(sandbox, contact), uuid, 'Contact updated.');
	},
	'POST /contacts/{}/blacklist': ({ sandbox, params: [uuid], body, zone }) => {
		const { reason, type = 'Both', is_permanent = true, expires_at = null } = body;
		const contact = contactOf(sandbox, uuid);
		if (is_permanent === false && expires_at === null)
			throw invalid(
				'expires_at',
				'The field expires_at is required when the entry is not permanent.',
			);
		const expires = expires_at === null ? null : instantFrom(`${expires_at}T00:00:00`, zone.zone);
		if (expires !== null && expires.ms <= Date.now())
			throw invalid('expires_at', 'The field expires_at must lie after today.');
		sandbox.store.collection('contacts').change(uuid, {
			status: 'Blacklisted',
			blacklist: {
				type,
				reason,
				is_permanent,
				expires_at: expires,
				blacklisted_at: Instant.now(),
			},
			updated_at: Instant.now(),
		});
		const { status, blacklist } = sandbox.store.collection('contacts').get(contact.uuid);
		return changed({ uuid, status, blacklist }, uuid, 'Contact blacklisted.');
	},
	'POST /contacts/{}/add-tag': ({ sandbox, params: [uuid], body }) => {
		const tag = tagOf(sandbox, body.tag_id);
		return changeTags(sandbox, uuid, tag, (others) => [
			...others,
			{ uuid: tag.uuid, name: tag.name },
		]);
	},
	'POST /contacts/{}/remove-tag': ({ sandbox, params: [uuid], body }) =>
		changeTags(sandbox, uuid, tagOf(sandbox, body.tag_id), (others) => others),
	'POST /contacts/fields': ({ sandbox, body }) => {
		const {
			name = '',
			key = name.toLowerCase().replace(/\W+/g, '_'),
			is_active = true,
			...rest
		} = body;
		if (key === '') throw invalid('key', 'The field key is required.');
		if (
			OWN_FIELDS.includes(key) ||
			sandbox.store.collection('contacts_fields').get(key) !== undefined
		)
			throw invalid('key', `The key ${key} is already taken.`);
		const field = sandbox.store
			.collection('contacts_fields')
			.add({ uuid: sandbox.random.uuid(), type: 'text', ...rest, key, name, is_active, ...born() });
		return created(field, field.uuid, 'Contact field created.');
	},
	'PUT /contacts/fields/{}': ({ sandbox, params: [key], body }) => {
		const field = sandbox.store.need('contacts_fields', key, 'Contact field');
		if (body.key !== undefined && body.key !== key)
			throw invalid('key', 'The key cannot be changed: delete the field and create a new one.');
		Object.assign(field, body, { updated_at: Instant.now() });
		return changed(field, field.uuid, 'Contact field updated.');
	},
	'PUT /analyzers/{}': ({ sandbox, operation, params: [id], body }) => {
		const [, prefix, name] = /^([bfp])_(.+)$/.exec(id) ?? [];
		const exists = {
			b: () => BUILT_IN.includes(name),
			f: () => sandbox.store.collection('contacts_fields').get(name) !== undefined,
			p: () => true,
		}[prefix]?.();
		if (!exists) throw notFound('Analyzer');
		const beyond = Object.keys(body).find((field) => field !== 'update_behavior');
		if (prefix === 'b' && beyond !== undefined)
			throw invalid(
				beyond,
				`For a built-in contact field only update_behavior can be changed, not ${beyond}.`,
			);
		const analyzers = sandbox.store.collection('analyzers');
		const analyzer =
			analyzers.get(id) ??
			analyzers.add({
				uuid: id,
				update_behavior: 'automatic_update',
				analysis_goals: null,
				example_values: null,
			});
		const { example_values, ...others } = body;
		const left = emptied(sandbox, operation, analyzer, ['analysis_goals', 'example_values']);
		Object.assign(analyzer, left, prefix === 'p' ? others : body);
		const { uuid, ...shown } = analyzer;
		return changed({ internal_id: id, ...shown }, id, 'Analyzer updated.');
	},
};

const APPROVAL_FILTERS = [
	'status',
	'field_name',
	'contact_uuid',
	'conversation_uuid',
	'pipeline_uuid',
];

/** Approvals wait in the list; no source shows how they are decided. */
export const contactHooks = {
	contacts_approvals: {
		thing: 'Approval',
		where:
			({ query }) =>
			(approval) =>
				matching(query, APPROVAL_FILTERS)(approval) &&
				(query.field_key === undefined || approval.field_name === `f_${query.field_key}`) &&
				(query.confidence === undefined ||
					(approval.confidence >= 0.8 ? 'high' : approval.confidence >= 0.5 ? 'medium' : 'low') ===
						query.confidence),
	},
	contacts_fields: { thing: 'Contact field' },
};
