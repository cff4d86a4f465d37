import { invalid, notFound } from '../errors.mjs';
import { inZone } from '../zone.mjs';

const within = ({ start, end }, record) =>
	record.created_at.ms >= start && record.created_at.ms < end;

/** The records of a window that the query's filters let through. */
function recordsIn({ sandbox, query }, name, window) {
	const channels = query.channel?.split(',').map((token) => token.trim());
	return sandbox.store
		.all(name)
		.filter(
			(one) =>
				within(window, one) &&
				(channels === undefined || channels.includes(one.channel.toLowerCase())) &&
				['agent_uuid', 'campaign_uuid'].every(
					(field) => query[field] === undefined || one[field] === query[field],
				),
		);
}

function callMetrics(context, window) {
	const calls = recordsIn(context, 'conversations', window)
		.map(({ call }) => call)
		.filter((call) => call !== null);
	const answered = calls.filter(({ status, duration }) => status === 'completed' && duration > 0);
	const seconds = answered.reduce((sum, { duration }) => sum + duration, 0);
	const count = (fits) => calls.filter(fits).length;
	return {
		totals: {
			calls: calls.length,
			inbound: count(({ direction }) => direction === 'Inbound'),
			outbound: count(({ direction }) => direction === 'Outbound'),
			answered: answered.length,
			missed: count(({ status }) => status === 'no-answer'),
			failed: count(({ status }) => status === 'failed'),
			ai_handled: count(({ handled_by: by }) => by === 'AI'),
			human_handled: count(({ handled_by: by }) => by === 'Human'),
		},
		duration_sec: {
			total: seconds,
			average: answered.length === 0 ? 0 : Math.round(seconds / answered.length),
		},
		buckets: {},
		outcome: {},
		cost: {},
	};
}

function sessionMetrics(context, window) {
	const conversations = recordsIn(context, 'conversations', window);
	const uuids = new Set(conversations.map(({ uuid }) => uuid));
	const countOf = (name) =>
		context.sandbox.store.all(name).filter(({ conversation_uuid: of }) => uuids.has(of)).length;
	const [sessions, messages] = [countOf('sessions'), countOf('messages')];
	const hasCalls = conversations.some(({ call }) => call !== null);
	return {
		totals: { sessions, conversations: conversations.length, messages },
		rates: {},
		duration_sec: {
			total: conversations.reduce((sum, { call }) => sum + (call?.duration ?? 0), 0),
		},
		messages_per_session: { average: sessions === 0 ? 0 : messages / sessions },
		latency_ms: hasCalls ? { p50: 650, p95: 1200 } : null,
	};
}

/** A half-open window [from, to) (interface §4.2). */
function windowOf({ from, to }) {
	const [start, end] = [Date.parse(from), Date.parse(to)];
	if (end <= start) throw invalid('to', 'The field to must lie after from.');
	return { start, end };
}

const meta = ({ start, end }, { zone, query }) => ({
	from: inZone(start, zone.zone),
	to: inZone(end, zone.zone),
	granularity: 'total',
	channel: query.channel ?? null,
	timezone: zone.name,
});

/** Metrics of a window, and of the one of equal length before it if that is asked for (interface §4.2). */
const analytics = (metricsOf) => (context) => {
	const now = windowOf(context.query);
	const before = { start: 2 * now.start - now.end, end: now.start };
	const of = (window) => ({ meta: meta(window, context), ...metricsOf(context, window) });
	return { ...of(now), ...(context.query.compare_prev ? { previous: of(before) } : {}) };
};

/** The cursor is opaque to callers; it holds the number of the next row. */
function readCursor(cursor) {
	if (cursor === undefined) return 0;
	const start = Number(Buffer.from(cursor, 'base64url').toString());
	if (!Number.isInteger(start) || start < 0)
		throw invalid('cursor', 'The field cursor is not one of ours.');
	return start;
}

function exportMessages(context) {
	const { query } = context;
	const window = windowOf(query);
	const rows = recordsIn(context, 'messages', window);
	const start = readCursor(query.cursor);
	const end = start + query.limit;
	const more = end < rows.length;
	return {
		meta: meta(window, context),
		messages: rows.slice(start, end).map(({ uuid, ...message }) => ({
			message_uuid: uuid,
			...message,
			channel_label: message.channel[0].toUpperCase() + message.channel.slice(1),
			content_disclosure: 'raw',
		})),
		pagination: {
			next_cursor: more ? Buffer.from(String(end)).toString('base64url') : null,
			has_more: more,
			limit: query.limit,
		},
	};
}

/** How often each key stands among the records. */
const countBy = (records, keyOf) =>
	records.reduce((counts, one) => ({ ...counts, [keyOf(one)]: (counts[keyOf(one)] ?? 0) + 1 }), {});

export const handlers = {
	'GET /analytics/calls': analytics(callMetrics),
	'GET /analytics/sessions': analytics(sessionMetrics),
	'GET /analytics/messages': exportMessages,
	'GET /analytics/conversations': ({ sandbox }) => {
		const all = sandbox.store.all('conversations');
		return {
			meta: {},
			totals: { conversations: all.length },
			channels: countBy(all, ({ channel }) => channel.toLowerCase()),
			statuses: countBy(all, ({ status }) => status.toLowerCase()),
		};
	},
	'GET /analytics/evaluations': ({ sandbox }) => {
		const all = sandbox.store.all('evaluations');
		const sentiment = countBy(all, (one) => one.sentiment.value);
		return { meta: {}, totals: { evaluations: all.length }, sentiment };
	},
	'GET /logs/actions/{}/{}': ({ params: [type], record: log }) => {
		if (log.type !== type) throw notFound('Action log');
		return log;
	},
	'POST /agentic-search': ({ body }) => ({
		answer: `The sandbox found nothing new about: ${body.query}`,
		citations: ['https://example.com/'],
	}),
};
