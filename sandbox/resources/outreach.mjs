import { changed, created, matching, paged, read } from '../answers.mjs';
import { conflict, invalid, notFound } from '../errors.mjs';
import { emptied } from '../manners.mjs';
import { born } from '../store.mjs';
import { Instant } from '../zone.mjs';
import { agentOf } from './agents.mjs';
import { addContact, changeContact, contactOf, findContact, readFields } from './contacts.mjs';
import { sendText } from './messages.mjs';

/** The running status that the reference names for campaigns. */
const RUNNING = 'In Process';

/** Finds each contact by phone, then by email; a match is updated, otherwise one is made (reference: listings). */
function contactFromListing(sandbox, sent) {
	const fields = readFields(sandbox, sent, { refuseUnknown: false });
	const found =
		(sent.phone_number && findContact(sandbox, sent.phone_number)) ||
		(sent.email && findContact(sandbox, sent.email)) ||
		undefined;
	return found === undefined
		? { contact: addContact(sandbox, { ...fields.own, custom: fields.custom }), isNew: true }
		: { contact: changeContact(sandbox, found, fields), isNew: false };
}

/** Adds contacts to a listing; one that is in it already is not added again. */
function addToListing(sandbox, listing, sent) {
	const counts = {
		contacts_added: 0,
		contacts_skipped: 0,
		contacts_created: 0,
		contacts_updated: 0,
	};
	const added = [];
	const within = new Set(listing.contact_uuids);
	for (const one of sent) {
		const { contact, isNew } = contactFromListing(sandbox, one);
		counts[isNew ? 'contacts_created' : 'contacts_updated'] += 1;
		if (within.has(contact.uuid)) counts.contacts_skipped += 1;
		else {
			within.add(contact.uuid);
			listing.contact_uuids.push(contact.uuid);
			added.push(contact);
			counts.contacts_added += 1;
		}
	}
	if (listing.status === 'running') dispatch(sandbox, listing, added);
	return counts;
}

/** One task per contact; calls wait for a free line, texts leave at once. */
function dispatch(sandbox, listing, contacts) {
	const agent = agentOf(sandbox, listing.agent_uuid);
	for (const contact of contacts) {
		const origin = { listing_uuid: listing.uuid, campaign_uuid: listing.campaign_uuid };
		const task = sandbox.store.collection('tasks').add({
			uuid: sandbox.random.uuid(),
			title: `${listing.name}: ${contact.name}`.trim(),
			type: listing.campaign_type === 'call' ? 'make_call' : 'send_message',
			status: 'queued',
			agent_uuid: agent.agent_uuid,
			contact_uuid: contact.uuid,
			...origin,
			scheduled_at: Instant.now(),
			...born(),
		});
		if (task.type === 'make_call')
			sandbox.calls.start({ agent, contact, ...origin, task_uuid: task.uuid });
		else {
			sendText(sandbox, {
				agent,
				phoneNumber: contact.phone_number,
				channel: 'Whatsapp',
				content: `Message of the listing ${listing.name}.`,
				...origin,
			});
			task.status = 'completed';
		}
	}
}

const shownListing = (sandbox, { contact_uuids, ...listing }) => {
	const ended = [...sandbox.store.collection('conversations').values()].filter(
		(one) => one.listing_uuid === listing.uuid && one.status === 'Closed',
	).length;
	return { ...listing, contacts_count: contact_uuids.length, conversations_ended: ended };
};

const RULE_DEFAULTS = {
	call: { max_calls_per_day: 3, max_total_calls: 10 },
	text: { max_calls_per_day: 1, max_total_calls: 1 },
};
const withSeconds = (time) => (time?.length === 5 ? `${time}:00` : time);

/** A rule of type text holds one attempt and no evening (reference: campaigns). */
function rule(fields) {
	const type = fields.type ?? 'call';
	const times = {
		start_time: withSeconds(fields.start_time),
		end_time: withSeconds(fields.end_time),
	};
	if (type === 'call') return { ...RULE_DEFAULTS.call, ...fields, ...times };
	return {
		...fields,
		...times,
		...RULE_DEFAULTS.text,
		retry_interval_minutes: null,
		end_time: null,
		escalation_after_failed_attempts: null,
		escalation_type: null,
		escalation_target: null,
	};
}

const poolItems = (sandbox, uuid) =>
	[...sandbox.store.collection('pool_contacts').values()].filter((item) => item.pool_uuid === uuid);

const shownPool = (sandbox, pool) => ({
	...pool,
	contacts_count: poolItems(sandbox, pool.uuid).length,
});

function addPoolItem(sandbox, pool, contact, priority) {
	return sandbox.store.collection('pool_contacts').add({
		uuid: sandbox.random.uuid(),
		pool_uuid: pool.uuid,
		contact_uuid: contact.uuid,
		name: `${contact.name} ${contact.surname}`.trim(),
		phone_number: contact.phone_number,
		email: contact.email,
		status: 'Pending',
		priority: priority ?? 0,
		retry_count: 0,
		started_at: null,
		completed_at: null,
		failed_at: null,
		next_retry_at: null,
		notes: null,
		added_at: Instant.now(),
	});
}

/** Tasks for the items of pools that belong to a running campaign. */
function makeTasks(sandbox, campaign, items) {
	for (const item of items) {
		sandbox.store.collection('tasks').add({
			uuid: sandbox.random.uuid(),
			title: campaign.name,
			type: 'make_call',
			status: 'pending',
			contact_uuid: item.contact_uuid,
			campaign_uuid: campaign.uuid,
			...born(),
		});
	}
	return items.length;
}

/** Carries a queued task out; the call that comes of it tells how far the task is. */
function runTask(sandbox, task) {
	if (task.status !== 'queued') return;
	const agent = agentOf(sandbox, task.agent_uuid);
	const contact = contactOf(sandbox, task.contact_uuid);
	if (task.type === 'make_call' || task.type === 'call')
		sandbox.calls.start({
			agent,
			contact,
			task_uuid: task.uuid,
			campaign_uuid: task.campaign_uuid ?? null,
		});
	else {
		if (task.type === 'send_message' || task.type === 'message')
			sendText(sandbox, {
				agent,
				phoneNumber: contact.phone_number,
				channel: 'Whatsapp',
				content: task.title,
			});
		Object.assign(task, { status: 'completed', updated_at: Instant.now() });
	}
}

/** Every request to carry a task out does so: whoever sends it twice reaches somebody twice. */
const carryOut = ({ sandbox, params: [uuid] }) => {
	const task = sandbox.store.need('tasks', uuid, 'Task');
	Object.assign(task, { status: 'queued', updated_at: Instant.now() });
	sandbox.later(0, () => runTask(sandbox, task));
	return { ...created({ ...task }, uuid, 'Task queued.'), status: 200 };
};

const TASK_FILTERS = ['type', 'status', 'contact_uuid', 'campaign_uuid', 'agent_uuid', 'priority'];

/** What an update of a task can set, beside its state. */
const SETTABLE = ['title', 'description', 'priority', 'auto_queue'];

export const outreach = {
	'GET /listings': ({ sandbox, query }) => {
		const rows = [...sandbox.store.collection('listings').values()].map((listing) =>
			shownListing(sandbox, listing),
		);
		return read(rows.slice(0, query.per_page ?? rows.length), 'Listings retrieved.');
	},
	'POST /listings': ({ sandbox, body }) => {
		const { contacts, request_key, campaign_type = 'call', auto_start = false, ...fields } = body;
		if (sandbox.settings.manners.strictListings) {
			if (contacts.length === 0) throw invalid('contacts', 'The field contacts is required.');
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
		if (fields.agent_uuid !== undefined) agentOf(sandbox, fields.agent_uuid);
		const campaign = auto_start
			? sandbox.store.collection('campaigns').add({
					uuid: sandbox.random.uuid(),
					name: fields.name,
					description: fields.description ?? null,
					status: RUNNING,
					campaign_type,
					start_date: null,
					end_date: null,
					pool_uuids: [],
					...born(),
				})
			: undefined;
		const listing = sandbox.store.collection('listings').add({
			uuid: sandbox.random.uuid(),
			description: null,
			...fields,
			campaign_type,
			auto_start,
			status: auto_start ? 'running' : 'draft',
			campaign_uuid: campaign?.uuid ?? null,
			contact_uuids: [],
			...born(),
		});
		const counts = addToListing(sandbox, listing, contacts);
		return created(
			{ ...shownListing(sandbox, listing), ...counts },
			listing.uuid,
			'Listing created.',
		);
	},
	'POST /listings/{}/contacts': ({ sandbox, params: [uuid], body }) => {
		const listing = sandbox.store.need('listings', uuid, 'Listing');
		const counts = addToListing(sandbox, listing, body.contacts ?? []);
		return {
			...created({ ...shownListing(sandbox, listing), ...counts }, uuid, 'Contacts added.'),
			effect: counts.contacts_added > 0 ? 'created' : 'none',
		};
	},
	'DELETE /listings/{}/contacts/{}': ({ sandbox, params: [uuid, contactUuid] }) => {
		const listing = sandbox.store.need('listings', uuid, 'Listing');
		if (!listing.contact_uuids.includes(contactUuid)) throw notFound('Contact');
		listing.contact_uuids = listing.contact_uuids.filter((one) => one !== contactUuid);
		return changed(shownListing(sandbox, listing), uuid, 'Contact removed.');
	},
	'POST /tasks': ({ sandbox, body }) => {
		const { request_key, contact, ...fields } = body;
		agentOf(sandbox, fields.agent_uuid);
		if (fields.scheduled_at.ms <= Date.now())
			throw invalid('scheduled_at', 'The field scheduled_at must be in the future.');
		if (fields.contact_uuid !== undefined && contact !== undefined)
			throw invalid('contact', 'Send contact_uuid or contact, not both.');
		if (fields.contact_uuid === undefined && contact === undefined)
			throw invalid('contact', 'The field contact is required when contact_uuid is absent.');
		const uuid =
			fields.contact_uuid === undefined
				? contactFromListing(sandbox, contact).contact.uuid
				: contactOf(sandbox, fields.contact_uuid).uuid;
		const task = sandbox.store.collection('tasks').add({
			uuid: sandbox.random.uuid(),
			...fields,
			contact_uuid: uuid,
			status: fields.auto_queue ? 'queued' : 'scheduled',
			...born(),
		});
		if (fields.auto_queue)
			sandbox.later(fields.scheduled_at.ms - Date.now(), () => runTask(sandbox, task));
		return created(task, task.uuid, 'Task created.');
	},
	'PUT /tasks/{}': ({ sandbox, operation, params: [uuid], body }) => {
		const task = sandbox.store.need('tasks', uuid, 'Task');
		const left = emptied(sandbox, operation, task, SETTABLE);
		if ('title' in left) left.scheduled_at = null;
		Object.assign(task, left, body, { updated_at: Instant.now() });
		if (body.auto_queue) {
			task.status = 'queued';
			sandbox.later(Math.max(0, (task.scheduled_at?.ms ?? 0) - Date.now()), () =>
				runTask(sandbox, task),
			);
		}
		return changed(task, uuid, 'Task updated.');
	},
	'DELETE /tasks/{}': ({ sandbox, params: [uuid] }) => {
		const task = sandbox.store.need('tasks', uuid, 'Task');
		sandbox.store.collection('tasks').delete(uuid);
		return changed(task, uuid, 'Task deleted.');
	},
	'POST /tasks/{}/cancel': ({ sandbox, params: [uuid] }) => {
		const task = sandbox.store.need('tasks', uuid, 'Task');
		if (task.status === 'completed')
			throw conflict('The task has been carried out.', 'INVALID_STATE');
		sandbox.calls.withdraw(uuid);
		Object.assign(task, { status: 'cancelled', updated_at: Instant.now() });
		return changed(task, uuid, 'Task cancelled.');
	},
	'POST /tasks/{}/queue': carryOut,
	'POST /tasks/{}/retry': carryOut,
	'POST /campaigns/{}/pools': ({ sandbox, params: [uuid], body }) => {
		const campaign = sandbox.store.need('campaigns', uuid, 'Campaign');
		const pools = sandbox.store.collection('pools');
		const wanted = [...new Set(body.pool_uuids ?? [])];
		const unknown = wanted.filter((one) => pools.get(one) === undefined);
		const fresh = wanted.filter(
			(one) => !unknown.includes(one) && !campaign.pool_uuids.includes(one),
		);
		campaign.pool_uuids.push(...fresh);
		const pending = fresh
			.flatMap((one) => poolItems(sandbox, one))
			.filter(({ status }) => status === 'Pending');
		const tasks = campaign.status === RUNNING ? makeTasks(sandbox, campaign, pending) : 0;
		return changed(
			{
				campaign_uuid: uuid,
				pool_uuids: campaign.pool_uuids,
				pools_attached: fresh.length,
				pool_uuids_not_found: unknown,
				tasks_created: tasks,
			},
			uuid,
			'Pools attached.',
		);
	},
	'PUT /campaigns/{}/rule': ({ sandbox, params: [uuid], body }) => {
		const campaign = sandbox.store.need('campaigns', uuid, 'Campaign');
		campaign.rule = { ...sandbox.store.need('rules', body.rule_uuid, 'Rule') };
		return changed({ campaign_uuid: uuid, rule: campaign.rule }, uuid, 'Rule set.');
	},
	'GET /outbound/summary': ({ sandbox }) => {
		const { settings, calls } = sandbox;
		return read(
			{
				accepted_per_second: settings.rate.send.limit,
				simultaneous_calls: settings.call.liveLimit,
				live_calls: calls.live,
				waiting_calls: calls.waiting,
			},
			'Outbound summary retrieved.',
		);
	},
	'POST /pools/{}/duplicate': ({ sandbox, params: [uuid], body = {} }) => {
		const source = sandbox.store.need('pools', uuid, 'Pool');
		const pool = sandbox.store.collection('pools').add({
			...source,
			uuid: sandbox.random.uuid(),
			name: body.name ?? `${source.name} (copy)`,
			...born(),
		});
		const items = body.copy_contacts === false ? [] : poolItems(sandbox, uuid);
		for (const item of items)
			sandbox.store.collection('pool_contacts').add({
				...item,
				uuid: sandbox.random.uuid(),
				pool_uuid: pool.uuid,
				status: 'Pending',
				added_at: Instant.now(),
			});
		return created(
			{ ...shownPool(sandbox, pool), contacts_copied: items.length },
			pool.uuid,
			'Pool duplicated.',
		);
	},
	'GET /pools/{}/contacts': (context) => {
		const {
			sandbox,
			params: [uuid],
			query,
		} = context;
		sandbox.store.need('pools', uuid, 'Pool');
		const wanted = query.search?.toLowerCase();
		const where = (item) =>
			item.pool_uuid === uuid &&
			(query.status === undefined || item.status === query.status) &&
			(!wanted || `${item.name} ${item.email} ${item.phone_number}`.toLowerCase().includes(wanted));
		const show = ({ uuid: item, pool_uuid, ...shown }) => shown;
		const page = paged(context, 'pool_contacts', { where, show, usual: 25, layout: 'page' });
		return read({ pool_uuid: uuid, ...page }, 'Pool contacts retrieved.');
	},
	'POST /pools/{}/contacts': ({ sandbox, params: [uuid], body }) => {
		const pool = sandbox.store.need('pools', uuid, 'Pool');
		const wanted = [...new Set(body.contact_uuids)];
		const contacts = sandbox.store.collection('contacts');
		const unknown = wanted.filter((one) => contacts.get(one) === undefined);
		const within = new Set(poolItems(sandbox, uuid).map((item) => item.contact_uuid));
		const fresh = wanted
			.filter((one) => !unknown.includes(one) && !within.has(one))
			.map((one) => addPoolItem(sandbox, pool, contacts.get(one), body.priority));
		const running = [...sandbox.store.collection('campaigns').values()].filter(
			(campaign) => campaign.status === RUNNING && campaign.pool_uuids.includes(uuid),
		);
		const tasks = running.reduce((sum, campaign) => sum + makeTasks(sandbox, campaign, fresh), 0);
		const data = {
			pool_uuid: uuid,
			contacts_added: fresh.length,
			contacts_skipped: wanted.length - unknown.length - fresh.length,
			contact_uuids_not_found: unknown,
			tasks_created: tasks,
			running_campaign_uuids: running.map((campaign) => campaign.uuid),
		};
		return {
			...created(data, uuid, 'Contacts added.'),
			effect: fresh.length > 0 ? 'created' : 'none',
		};
	},
};

export const outreachHooks = {
	rules: {
		thing: 'Rule',
		prepare: (context, body) => rule(body),
		revise: (context, record, body) => rule({ ...record, ...body }),
		where: ({ query }) => matching(query, ['type']),
	},
	pools: { thing: 'Pool', show: ({ sandbox }, pool) => shownPool(sandbox, pool) },
	campaigns: {
		thing: 'Campaign',
		prepare: (context, body) => ({ name: '', status: 'Draft', ...body, pool_uuids: [] }),
		where:
			({ query }) =>
			({ name, status }) =>
				(query.status === undefined || status === query.status) &&
				(!query.search || name.toLowerCase().includes(query.search.toLowerCase())),
	},
	tasks: {
		thing: 'Task',
		where:
			({ query }) =>
			(task) =>
				matching(query, TASK_FILTERS)(task) &&
				(query.scheduled_from === undefined ||
					task.scheduled_at?.ms >= Date.parse(query.scheduled_from)) &&
				(query.scheduled_to === undefined ||
					task.scheduled_at?.ms <= Date.parse(query.scheduled_to)),
	},
};
