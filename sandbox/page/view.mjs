import { RINGING } from '../calls.mjs';
import { targetOf } from '../intents.mjs';
import { NO_MANNERS } from '../manners.mjs';
import { masked } from '../mask.mjs';

/** How many of each kind are shown; the counts say how many there are. */
const SHOWN = { phones: 12, talks: 8, ended: 8, messages: 12, traffic: 40 };

/** How many of the latest requests are looked through. */
const LOOKED_AT = 5000;

/**
 * All that the page shows: the newest of each kind, how many there are, and no secret.
 * @param {import('../sandbox.mjs').Sandbox} sandbox
 */
export function viewOf(sandbox) {
	const { store, calls, ledger, deliveries, settings } = sandbox;
	const byState = { ringing: [], talking: [], ended: [] };
	for (const call of store.collection('calls').values()) {
		if (call.status === RINGING) byState.ringing.push(call);
		else if (call.status === 'in-progress') byState.talking.push(call);
		else if (call.ended_at !== null) byState.ended.push(call);
	}
	// Those with a person on the line come first, so that none of them is left out.
	const talking = byState.talking.toSorted((a, b) => Number(a.taken) - Number(b.taken));
	const conversations = [...store.collection('conversations').values()];
	const texts = conversations.filter(({ call }) => call === null);
	const { writes, reads } = trafficOf(ledger.latest(LOOKED_AT));
	const emails = [...store.collection('emails').values()];
	return {
		counts: {
			ringing: byState.ringing.length,
			talking: byState.talking.length,
			waiting: calls.waiting,
			ended: byState.ended.length,
			texts: texts.length,
			emails: emails.length,
			requests: ledger.total,
			deliveries: deliveries.log().length,
		},
		ringMs: settings.call.ringMs,
		formUrl: settings.page.formUrl,
		outcomes: settings.call.outcomes.filter(({ answered }) => answered).map(nameOf),
		// Oldest first: no row moves away under the pointer because another phone rings.
		ringing: byState.ringing.slice(0, SHOWN.phones).map((call) => shownCall(sandbox, call)),
		talking: newest(talking, SHOWN.talks).map((call) => shownCall(sandbox, call)),
		ended: newest(byState.ended, SHOWN.ended).map((call) => shownCall(sandbox, call)),
		texts: shownTexts(sandbox, newest(texts, SHOWN.messages)),
		emails: newest(emails, SHOWN.messages).map(shownEmail),
		deliveries: newest(deliveries.log(), SHOWN.traffic).map(shownDelivery),
		requests: newest(writes, SHOWN.traffic),
		reads: newest(reads, SHOWN.traffic),
		faults: sandbox.faults.active().map(shownFault),
		manners: Object.entries(settings.manners)
			.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(NO_MANNERS[name]))
			.map(([name, value]) => ({ name, value })),
	};
}

const newest = (all, count) => all.slice(-count).toReversed();
const nameOf = ({ outcome }) => outcome;
const fullName = ({ name, surname }) => [name, surname].filter(Boolean).join(' ');

function shownCall(sandbox, call) {
	const { store, intents } = sandbox;
	const agent = store.collection('agents').get(call.agent_uuid);
	const { contact } = store.collection('conversations').get(call.conversation_uuid);
	const asked = intents.log().findLast(({ conversationUuid: of }) => of === call.conversation_uuid);
	return {
		uuid: call.uuid,
		conversation: call.conversation_uuid,
		name: fullName(contact),
		number: call.number,
		agent: agent?.name ?? '',
		about: call.about ?? '',
		status: call.status,
		outcome: call.ended_at === null ? null : call.fate.outcome,
		seconds: call.duration,
		startedAt: call.started_at?.ms ?? null,
		taken: call.taken,
		muted: call.muted,
		lines: call.lines,
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

function shownTexts({ store }, conversations) {
	const lines = new Map(conversations.map(({ uuid }) => [uuid, []]));
	for (const { conversation_uuid: uuid, sender, content } of store.collection('messages').values())
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
	const { uuid, status, to, ...fields } = masked(email);
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

const shownDelivery = ({ id, attempt, at, event, url, status, durationMs, error }) => ({
	id: `${id} ${attempt}`,
	at,
	event,
	url,
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
