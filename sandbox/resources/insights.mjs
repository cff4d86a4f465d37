import { bare, created, read } from '../answers.mjs';
import { invalid, notFound } from '../errors.mjs';
import { inZone } from '../zone.mjs';

/** A half-open window [from, to) and the window of equal length before it (interface §4.2). */
function windows({ from, to }) {
	const [start, end] = [Date.parse(from), Date.parse(to)];
	if (end <= start) throw invalid('to', 'The field to must lie after from.');
	return { now: { start, end }, before: { start: start - (end - start), end: start } };
}

const within = ({ start, end }, record) =>
	record.created_at.ms >= start && record.created_at.ms < end;

const channelToken = (conversation) => conversation.channel.toLowerCase();

/** Conversations of a window that the query's filters let through. */
function conversationsIn({ sandbox, query }, window, onlyCalls) {
	const channels =
		query.channel === undefined ? undefined : query.channel.split(',').map((token) => token.trim());
	return [...sandbox.store.collection('conversations').values()].filter(
		(one) =>
			within(window, one) &&
			(!onlyCalls || one.call !== null) &&
			(channels === undefined || channels.includes(channelToken(one))) &&
			(query.agent_uuid === undefined || one.agent_uuid === query.agent_uuid) &&
			(query.campaign_uuid === undefined || one.campaign_uuid === query.campaign_uuid),
	);
}

function callMetrics(conversations) {
	const calls = conversations.map((one) => one.call);
	const answered = calls.filter(({ status, duration }) => status === 'completed' && duration > 0);
	const seconds = answered.reduce((sum, { duration }) => sum + duration, 0);
	const outbound = calls.filter(({ direction }) => direction === 'Outbound').length;
	return {
		totals: {
			calls: calls.length,
			inbound: calls.length - outbound,
			outbound,
			answered: answered.length,
			missed: calls.filter(({ status }) => status === 'no-answer').length,
			failed: calls.filter(({ status }) => status === 'failed').length,
			ai_handled: calls.filter(({ handled_by: by }) => by === 'AI').length,
			human_handled: calls.filter(({ handled_by: by }) => by === 'Human').length,
		},
		duration_sec: {
			total: seconds,
			average: answered.length === 0 ? 0 : Math.round(seconds / answered.length),
		},
	};
}

const meta = ({ start, end }, { zone, query }) => ({
	from: inZone(start, zone.zone),
	to: inZone(end, zone.zone),
	granularity: 'total',
	channel: query.channel ?? null,
	timezone: zone.name,
});

function callAnalytics(context) {
	const { now, before } = windows(context.query);
	const answer = {
		meta: meta(now, context),
		...callMetrics(conversationsIn(context, now, true)),
		buckets: {},
		outcome: {},
		cost: {},
	};
	if (context.query.compare_prev)
		answer.previous = {
			meta: meta(before, context),
			...callMetrics(conversationsIn(context, before, true)),
		};
	return bare(answer);
}

function sessionMetrics(context, window) {
	const conversations = conversationsIn(context, window, false);
	const uuids = new Set(conversations.map(({ uuid }) => uuid));
	const sessions = [...context.sandbox.store.collection('sessions').values()].filter(
		({ conversation_uuid: uuid }) => uuids.has(uuid),
	);
	const messages = [...context.sandbox.store.collection('messages').values()].filter(
		({ conversation_uuid: uuid }) => uuids.has(uuid),
	);
	return {
		totals: {
			sessions: sessions.length,
			conversations: conversations.length,
			messages: messages.length,
		},
		rates: {},
		duration_sec: {
			total: conversations.reduce((sum, { call }) => sum + (call?.duration ?? 0), 0),
		},
		messages_per_session: {
			average: sessions.length === 0 ? 0 : messages.length / sessions.length,
		},
		latency_ms: conversations.some(({ call }) => call !== null) ? { p50: 650, p95: 1200 } : null,
	};
}

function sessionAnalytics(context) {
	const { now, before } = windows(context.query);
	const answer = { meta: meta(now, context), ...sessionMetrics(context, now) };
	if (context.query.compare_prev)
		answer.previous = { meta: meta(before, context), ...sessionMetrics(context, before) };
	return bare(answer);
}

/** The cursor is opaque to callers; it holds the number of the next row. */
function readCursor(cursor) {
	if (cursor === undefined) return 0;
	const start = Number(Buffer.from(cursor, 'base64url').toString());
	if (!Number.isInteger(start) || start < 0)
		throw invalid('cursor', 'The field cursor is not one of ours.');
	return start;
}

function exportMessages(context) {
	const { sandbox, query } = context;
	const { now } = windows(query);
	const { limit } = query;
	const rows = [...sandbox.store.collection('messages').values()].filter(
		(message) =>
			within(now, message) &&
			(query.channel === undefined || query.channel.split(',').includes(message.channel)) &&
			(query.agent_uuid === undefined || message.agent_uuid === query.agent_uuid) &&
			(query.campaign_uuid === undefined || message.campaign_uuid === query.campaign_uuid),
	);
	const start = sandbox.settings.pageRepeat ? 0 : readCursor(query.cursor);
	const end = start + limit;
	const { newCursors } = sandbox.settings.manners;
	const more = sandbox.settings.pageRepeat || newCursors !== null || end < rows.length;
	const shown =
		start > 0 && start >= rows.length && newCursors === 'repeating'
			? rows.slice(0, limit)
			: rows.slice(start, end);
	return bare({
		meta: meta(now, context),
		messages: shown.map(({ uuid, channel, ...message }) => ({
			message_uuid: uuid,
			conversation_uuid: message.conversation_uuid,
			session_uuid: message.session_uuid,
			contact_uuid: message.contact_uuid,
			agent_uuid: message.agent_uuid,
			channel,
			channel_label: channel[0].toUpperCase() + channel.slice(1),
			direction: message.direction,
			sender: message.sender,
			message_type: message.message_type,
			content: message.content,
			content_disclosure: 'raw',
			created_at: message.created_at,
		})),
		pagination: {
			next_cursor: more ? Buffer.from(String(end)).toString('base64url') : null,
			has_more: more,
			limit,
		},
	});
}

export const insights = {
	'GET /analytics/calls': callAnalytics,
	'GET /analytics/sessions': sessionAnalytics,
	'GET /analytics/messages': exportMessages,
	'GET /analytics/conversations': ({ sandbox }) => {
		const all = [...sandbox.store.collection('conversations').values()];
		const by = (key) =>
			all.reduce((counts, one) => ({ ...counts, [key(one)]: (counts[key(one)] ?? 0) + 1 }), {});
		return bare({
			meta: {},
			totals: { conversations: all.length },
			channels: by(channelToken),
			statuses: by(({ status }) => status.toLowerCase()),
		});
	},
	'GET /analytics/evaluations': ({ sandbox }) => {
		const all = [...sandbox.store.collection('evaluations').values()];
		const sentiment = all.reduce(
			(counts, { sentiment: { value } }) => ({ ...counts, [value]: (counts[value] ?? 0) + 1 }),
			{},
		);
		return bare({ meta: {}, totals: { evaluations: all.length }, sentiment });
	},
	'GET /logs/actions/{}/{}': ({ sandbox, params: [type, uuid] }) => {
		const log = sandbox.store.collection('logs_actions').get(uuid);
		if (log?.type !== type) throw notFound('Action log');
		return read(log, 'Action log retrieved.');
	},
	'POST /agentic-search': ({ body }) =>
		created(
			{
				answer: `The sandbox found nothing new about: ${body.query}`,
				citations: ['https://example.com/'],
			},
			undefined,
			'Answered.',
		),
};

export const insightHooks = { logs_actions: { thing: 'Action log' } };
