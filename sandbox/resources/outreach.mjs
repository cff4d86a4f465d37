import { changed, created, paged, unchanged } from '../answers.mjs';
import { conflict, invalid, notFound, required } from '../errors.mjs';
import { filledAs } from '../shape.mjs';
import { change } from '../store.mjs';
import { Instant } from '../zone.mjs';
import { addContact, changeContact, findContact, readFields } from './contacts.mjs';
import { sendText } from './messages.mjs';

/** The running status that the reference names for campaigns. */
const RUNNING = 'In Process';

/** Finds each contact by phone, then by email; a match is updated, otherwise one is made (reference: listings). */
function contactFromListing(sandbox, sent) {
	const { own, custom } = readFields(sandbox, sent, { refuseUnknown: false });
	const found = [sent.phone_number, sent.email]
		.map((address) => address && findContact(sandbox, address))
		.find(Boolean);
	return found === undefined
		? { contact: addContact(sandbox, { ...own, custom }), isNew: true }
		: { contact: changeContact(sandbox, found, { own, custom }), isNew: false };
}

/** Adds contacts to a listing; one that is in it already is not added again. */
function addToListing(sandbox, listing, sent) {
	const all = sent.map((one) => contactFromListing(sandbox, one));
	const within = new Set(listing.contact_uuids);
	const added = all
		.map(({ contact }) => contact)
		.filter(({ uuid }) => !within.has(uuid) && within.add(uuid));
	listing.contact_uuids = [...within];
	if (listing.status === 'running') dispatch(sandbox, listing, added);
	return {
		contacts_added: added.length,
		contacts_skipped: all.length - added.length,
		contacts_created: all.filter(({ isNew }) => isNew).length,
		contacts_updated: all.filter(({ isNew }) => !isNew).length,
	};
}

/** One task per contact; calls wait for a free line, texts leave at once. */
function dispatch(sandbox, { uuid, name, agent_uuid, campaign_uuid, campaign_type }, contacts) {
	const origin = { listing_uuid: uuid, campaign_uuid };
	for (const contact of contacts)
		carryOut(
			sandbox,
			sandbox.store.add('tasks', {
				title: `${name}: ${contact.name}`.trim(),
				type: campaign_type === 'call' ? 'make_call' : 'send_message',
				status: 'queued',
				agent_uuid,
				contact_uuid: contact.uuid,
				...origin,
				scheduled_at: Instant.now(),
			}),
			origin,
		);
}

/** Carries a queued task out; the call that comes of it tells how far the task is. */
function carryOut(sandbox, task, origin = { campaign_uuid: task.campaign_uuid ?? null }) {
	if (task.status !== 'queued') return;
	const agent = sandbox.store.need('agents', task.agent_uuid);
	const contact = sandbox.store.need('contacts', task.contact_uuid);
	sandbox.hours.keep(task, contact, () => {
		if (/call$/.test(task.type))
			sandbox.calls.start({ agent, contact, ...origin, task_uuid: task.uuid });
		else {
			const { phone_number: phoneNumber } = contact;
			const text = { agent, phoneNumber, channel: 'Whatsapp', content: task.title, ...origin };
			if (/message$/.test(task.type)) sendText(sandbox, text);
			change(task, { status: 'completed' });
		}
	});
}

/** Carries a task out once it is time. */
function schedule(sandbox, task, ms = 0) {
	task.status = 'queued';
	sandbox.later(Math.max(0, ms), () => carryOut(sandbox, task));
}

/** Every request to carry a task out does so: whoever sends it twice reaches somebody twice. */
const carryOutNow = ({ sandbox, record: task }) => {
	schedule(sandbox, change(task));
	return created({ ...task });
};

const shownListing = ({ store }, { contact_uuids, ...listing }) => ({
	...listing,
	contacts_count: contact_uuids.length,
	conversations_ended: store.where('conversations', {
		listing_uuid: listing.uuid,
		status: 'Closed',
	}).length,
});

const withSeconds = (time) => (time?.length === 5 ? `${time}:00` : time);

/** A rule of type text holds one attempt and no evening (reference: campaigns). */
function ruleOf(fields) {
	const { type = 'call', start_time: start, end_time: end } = fields;
	const start_time = withSeconds(start);
	if (type === 'call') {
		const most = { max_calls_per_day: 3, max_total_calls: 10 };
		return { ...most, ...fields, start_time, end_time: withSeconds(end) };
	}
	return {
		...fields,
		start_time,
		max_calls_per_day: 1,
		max_total_calls: 1,
		retry_interval_minutes: null,
		end_time: null,
		escalation_after_failed_attempts: null,
		escalation_type: null,
		escalation_target: null,
	};
}

const poolItems = ({ store }, pool_uuid) => store.where('pool_contacts', { pool_uuid });

function addPoolItem({ contract, store }, { uuid: pool_uuid }, contact, priority = 0) {
	const { uuid: contact_uuid, phone_number, email } = contact;
	const name = `${contact.name} ${contact.surname}`.trim();
	const item = { pool_uuid, contact_uuid, name, phone_number, email, priority };
	const state = { status: 'Pending', added_at: Instant.now() };
	const all = filledAs(contract, 'GET /pools/{}/contacts', { ...item, ...state });
	return store.add('pool_contacts', all);
}

/** Tasks for the items of pools that belong to a running campaign. @returns how many */
function makeTasks({ store }, { uuid: campaign_uuid, name: title }, items) {
	for (const { contact_uuid } of items)
		store.add('tasks', {
			title,
			type: 'make_call',
			status: 'pending',
			contact_uuid,
			campaign_uuid,
		});
	return items.length;
}

export const handlers = {
	'GET /listings': ({ sandbox, query }) =>
		sandbox.store
			.all('listings')
			.slice(0, query.per_page)
			.map((listing) => shownListing(sandbox, listing)),
	'POST /listings': ({ sandbox, body }) => {
		const { store } = sandbox;
		const { contacts, request_key, campaign_type = 'call', auto_start = false, ...fields } = body;
		if (sandbox.settings.manners.strictListings) {
			if (contacts.length === 0) throw required('contacts');
			if (fields.rule?.type === 'whatsapp')
				throw invalid('rule.type', 'The field rule.type must be call or text.');
		}
		const unreachable = contacts.findIndex((contact) => !contact.phone_number && !contact.email);
		if (unreachable !== -1)
			throw invalid(
				`contacts.${unreachable}.phone_number`,
				'A contact needs a phone number or an email address.',
			);
		if (auto_start && fields.agent_uuid === undefined)
			throw invalid('agent_uuid', 'The field agent_uuid is required to start at once.');
		if (fields.agent_uuid !== undefined) store.need('agents', fields.agent_uuid);
		const { name, description = null } = fields;
		const campaign = { name, description, status: RUNNING, campaign_type, pool_uuids: [] };
		const listing = store.add('listings', {
			description,
			...fields,
			campaign_type,
			auto_start,
			status: auto_start ? 'running' : 'draft',
			campaign_uuid: auto_start ? store.add('campaigns', campaign).uuid : null,
			contact_uuids: [],
		});
		const counts = addToListing(sandbox, listing, contacts);
		return { ...shownListing(sandbox, listing), ...counts };
	},
	'POST /listings/{}/contacts': ({ sandbox, record: listing, body }) => {
		const counts = addToListing(sandbox, listing, body.contacts ?? []);
		const data = { ...shownListing(sandbox, listing), ...counts };
		return counts.contacts_added > 0 ? data : unchanged(data);
	},
	'DELETE /listings/{}/contacts/{}': ({ sandbox, record: listing, params: [, contact] }) => {
		if (!listing.contact_uuids.includes(contact)) throw notFound('Contact');
		listing.contact_uuids = listing.contact_uuids.filter((one) => one !== contact);
		return shownListing(sandbox, listing);
	},
	'POST /tasks': ({ sandbox, body }) => {
		const { request_key, contact, contact_uuid, ...fields } = body;
		sandbox.store.need('agents', fields.agent_uuid);
		if (fields.scheduled_at.ms <= Date.now())
			throw invalid('scheduled_at', 'The field scheduled_at must be in the future.');
		if (contact_uuid !== undefined && contact !== undefined)
			throw invalid('contact', 'Send contact_uuid or contact, not both.');
		if (contact_uuid === undefined && contact === undefined)
			throw invalid('contact', 'The field contact is required when contact_uuid is absent.');
		const who =
			contact_uuid === undefined
				? contactFromListing(sandbox, contact).contact
				: sandbox.store.need('contacts', contact_uuid);
		const task = { ...fields, contact_uuid: who.uuid, status: 'scheduled' };
		const stored = sandbox.store.add('tasks', task);
		if (fields.auto_queue) schedule(sandbox, stored, fields.scheduled_at.ms - Date.now());
		return stored;
	},
	'PUT /tasks/{}': ({ sandbox, record: task, body }) => {
		change(task, body);
		if (body.auto_queue) schedule(sandbox, task, (task.scheduled_at?.ms ?? 0) - Date.now());
		return task;
	},
	'DELETE /tasks/{}': ({ sandbox, record: task }) => {
		sandbox.store.delete('tasks', task.uuid);
		return task;
	},
	'POST /tasks/{}/cancel': ({ sandbox, record: task }) => {
		if (['in_progress', 'completed'].includes(task.status))
			throw conflict(`The task is ${task.status}.`, 'INVALID_STATE');
		sandbox.calls.withdraw(task.uuid);
		return changed(change(task, { status: 'cancelled' }));
	},
	'POST /tasks/{}/queue': carryOutNow,
	'POST /tasks/{}/retry': carryOutNow,
	'POST /campaigns/{}/pools': ({ sandbox, record: campaign, body }) => {
		const wanted = [...new Set(body.pool_uuids ?? [])];
		const known = wanted.filter((one) => sandbox.store.get('pools', one) !== undefined);
		const fresh = known.filter((one) => !campaign.pool_uuids.includes(one));
		campaign.pool_uuids.push(...fresh);
		const pending = fresh
			.flatMap((one) => poolItems(sandbox, one))
			.filter(({ status }) => status === 'Pending');
		return changed({
			campaign_uuid: campaign.uuid,
			pool_uuids: campaign.pool_uuids,
			pools_attached: fresh.length,
			pool_uuids_not_found: wanted.filter((one) => !known.includes(one)),
			tasks_created: campaign.status === RUNNING ? makeTasks(sandbox, campaign, pending) : 0,
		});
	},
	'PUT /campaigns/{}/rule': ({ sandbox, record: campaign, body }) => {
		campaign.rule = { ...sandbox.store.need('rules', body.rule_uuid) };
		return { campaign_uuid: campaign.uuid, rule: campaign.rule };
	},
	'GET /outbound/summary': ({ sandbox: { settings, calls } }) => ({
		accepted_per_second: settings.rate.send.limit,
		simultaneous_calls: settings.call.liveLimit,
		live_calls: calls.live,
		waiting_calls: calls.waiting,
	}),
	'POST /pools/{}/duplicate': ({ sandbox, record: source, body = {} }) => {
		const { uuid, created_at, updated_at, ...fields } = source;
		const name = body.name ?? `${source.name} (copy)`;
		const pool = sandbox.store.add('pools', { ...fields, name });
		const items = body.copy_contacts === false ? [] : poolItems(sandbox, uuid);
		for (const { uuid: own, ...item } of items) {
			const copied = { ...item, pool_uuid: pool.uuid, status: 'Pending', added_at: Instant.now() };
			sandbox.store.add('pool_contacts', copied);
		}
		return { ...pool, contacts_count: items.length, contacts_copied: items.length };
	},
	'GET /pools/{}/contacts': (context) => {
		const { uuid } = context.record;
		const page = paged(context, 'pool_contacts', {
			where: ({ pool_uuid: of }) => of === uuid,
			searched: ['name', 'email', 'phone_number'],
			usual: 25,
		});
		return { pool_uuid: uuid, ...page };
	},
	'POST /pools/{}/contacts': ({ sandbox, record: pool, body }) => {
		const { uuid } = pool;
		const wanted = [...new Set(body.contact_uuids)];
		const contacts = wanted.map((one) => sandbox.store.get('contacts', one)).filter(Boolean);
		const within = new Set(poolItems(sandbox, uuid).map((item) => item.contact_uuid));
		const fresh = contacts
			.filter((contact) => !within.has(contact.uuid))
			.map((contact) => addPoolItem(sandbox, pool, contact, body.priority));
		const running = sandbox.store
			.where('campaigns', { status: RUNNING })
			.filter(({ pool_uuids }) => pool_uuids.includes(uuid));
		const data = {
			pool_uuid: uuid,
			contacts_added: fresh.length,
			contacts_skipped: contacts.length - fresh.length,
			contact_uuids_not_found: wanted.filter(
				(one) => !contacts.some((known) => known.uuid === one),
			),
			tasks_created: running.reduce((sum, one) => sum + makeTasks(sandbox, one, fresh), 0),
			running_campaign_uuids: running.map((campaign) => campaign.uuid),
		};
		return fresh.length > 0 ? data : unchanged(data);
	},
};

export const rules = {
	rules: {
		prepare: (context, body) => ruleOf(body),
		revise: (context, record, body) => ruleOf({ ...record, ...body }),
	},
	pools: {
		show: ({ sandbox }, pool) => ({
			...pool,
			contacts_count: poolItems(sandbox, pool.uuid).length,
		}),
	},
	campaigns: { prepare: (context, body) => ({ status: 'Draft', ...body, pool_uuids: [] }) },
	tasks: {
		where: ({ query: { scheduled_from: from, scheduled_to: to } }) => {
			const [first, last] = [Date.parse(from ?? 0), Date.parse(to ?? '9999-01-01')];
			return ({ scheduled_at: at }) =>
				(from === undefined && to === undefined) || (at?.ms >= first && at.ms <= last);
		},
	},
};
