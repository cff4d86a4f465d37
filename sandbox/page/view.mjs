import { RINGING } from '../calls.mjs';
import { targetOf } from '../intents.mjs';
import { masked } from '../mask.mjs';

/** How many of each kind are shown; the counts say how many there are. */
const SHOWN = { phones: 12, talks: 8, ended: 8, held: 4, messages: 12, traffic: 40 };

/** How many of the latest requests are looked through. */
const LOOKED_AT = 5000;

/**
 * All that the page shows: the newest of each kind, how many there are, and no secret.
 * @param {import('../sandbox.mjs').Sandbox} sandbox
 */
export function viewOf(sandbox) {
	const { store, calls, hours, ledger, deliveries, settings } = sandbox;
	const held = hours.waiting();
	const ringing = store.where('calls', { status: RINGING });
	// Those with a person on the line come first, so that none of them is left out.
	const talking = store
		.where('calls', { status: 'in-progress' })
		.sort((a, b) => Number(a.taken) - Number(b.taken));
	// The one that has just been hung up is the first of them, whenever it began.
	const ended = store
		.all('calls')
		.filter(({ ended_at }) => ended_at !== null)
		.sort((a, b) => a.ended_at.ms - b.ended_at.ms);
	const texts = store.where('conversations', { call: null });
	const emails = store.all('emails');
	const { writes, reads } = trafficOf(ledger.latest(LOOKED_AT));
	const { outcomes, ringMs } = settings.call;
	const shown = (call) => shownCall(sandbox, call);
	return {
		counts: {
			ringing: ringing.length,
			talking: talking.length,
			waiting: calls.waiting,
			ended: ended.length,
			held: held.length,
			texts: texts.length,
			emails: emails.length,
			requests: ledger.total,
			deliveries: deliveries.log().length,
		},
		ringMs,
		formUrl: settings.page.formUrl,
		outcomes: outcomes.filter(({ answered }) => answered).map(({ outcome }) => outcome),
		// Oldest first: no row moves away under the pointer because another phone rings.
		ringing: ringing.slice(0, SHOWN.phones).map(shown),
		talking: newest(talking, SHOWN.talks).map(shown),
		ended: newest(ended, SHOWN.ended).map(shown),
		held: held.slice(0, SHOWN.held).map(shownHeld),
		texts: shownTexts(sandbox, newest(texts, SHOWN.messages)),
		emails: newest(emails, SHOWN.messages).map(shownEmail),
		deliveries: newest(deliveries.log(), SHOWN.traffic).map(shownDelivery),
		requests: newest(writes, SHOWN.traffic),
		reads: newest(reads, SHOWN.traffic),
		faults: sandbox.faults.active().map(shownFault),
		manners: Object.entries(settings.manners)
			.filter(([, value]) => value && value.length !== 0)
			.map(([name, value]) => ({ name, value })),
	};
}

const newest = (all, count) => all.slice(-count).toReversed();
const fullName = ({ name, surname }) => [name, surname].filter(Boolean).join(' ');

function shownCall(sandbox, call) {
	const { store, intents } = sandbox;
	const agent = store.get('agents', call.agent_uuid);
	const { uuid, number, taken, muted, lines, conversation_uuid: conversation } = call;
	const { contact } = store.get('conversations', conversation);
	const asked = intents.log().findLast(({ conversationUuid: of }) => of === conversation);
	return {
		uuid,
		conversation,
		name: fullName(contact),
		number,
		agent: agent?.name ?? '',
		about: call.about ?? '',
		outcome: call.ended_at === null ? null : call.fate.outcome,
		seconds: call.duration,
		startedAt: call.started_at?.ms ?? null,
		taken,
		muted,
		lines,
		asking: intents.answering(call) !== undefined,
		asked: asked && {
			status: asked.status,
			error: asked.error,
			isSpoken: asked.spoken !== null,
			durationMs: asked.durationMs,
		},
		intents: (agent?.intents ?? [])
			.filter((intent) => targetOf(intent) !== undefined)
			.map(({ intent_uuid: uuid, name, parameters = [] }) => ({
				uuid,
				name,
				parameters: parameters.map(({ key, required }) => ({ key, required: required === true })),
			})),
	};
}

const shownHeld = ({ task, contact, beginsAt, zone }) => ({
	uuid: task.uuid,
	name: fullName(contact),
	number: contact.phone_number,
	isCall: /call$/.test(task.type),
	beginsAt,
	zone,
});

function shownTexts({ store }, conversations) {
	const lines = new Map(conversations.map(({ uuid }) => [uuid, []]));
	for (const { conversation_uuid: uuid, sender, content } of store.all('messages'))
		lines.get(uuid)?.push({ sender, content });
	return conversations.map(({ uuid, channel, contact }) => ({
		uuid,
		channel,
		name: fullName(contact),
		number: contact.phone_number,
		lines: lines.get(uuid),
	}));
}

/** Which fields an email has is not known, so all of them are shown. */
function shownEmail(email) {
	const { uuid, status, to, created_at, updated_at, ...fields } = masked(email);
	return {
		uuid,
		to: String(to ?? ''),
		fields: Object.entries(fields)
			.filter(([, value]) => value !== null && value !== '')
			.map(([name, value]) => ({
				name,
				value: (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 2000),
			})),
	};
}

const shownDelivery = ({ id, attempt, at, event, status, durationMs, error }) => ({
	id: `${id} ${attempt}`,
	at,
	event,
	status,
	durationMs,
	error,
});

/**
 * Requests as the page shows them: all that carry one request key to one endpoint are one row.
 * @param {import('../ledger.mjs').Entry[]} entries oldest first
 * @returns {{writes: any[], reads: any[]}} by their newest request, oldest first
 */
function trafficOf(entries) {
	const rows = new Map();
	for (const entry of entries) {
		const { id, at, method, path, status, effect, fault = null, body } = entry;
		const key = typeof body?.request_key === 'string' ? body.request_key : null;
		const same = key === null ? id : `${method} ${path} ${key}`;
		const row = rows.get(same) ?? { id, at, method, path, key, tries: [] };
		row.at = at;
		row.tries.push({ status, effect, fault });
		// The newest is last.
		rows.delete(same);
		rows.set(same, row);
	}
	const isRead = ({ method }) => method === 'GET';
	const all = [...rows.values()];
	return { writes: all.filter((row) => !isRead(row)), reads: all.filter(isRead) };
}

const shownFault = ({ rule, leftMs, leftTimes }) => ({
	kind: rule.fault.kind,
	status: rule.fault.status ?? null,
	secondsLeft: Number.isFinite(leftMs) ? Math.ceil(leftMs / 1000) : null,
	timesLeft: Number.isFinite(leftTimes) ? leftTimes : null,
});
