import { compact, get, omit, partition, sortBy } from 'lodash';
import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { isOfChannel, simplified } from './event';
import { readAgents, readEvents, readTriggerOptions } from './settings';
import { callOf, stateOfCall } from '../shared/callState';
import { masked, shortText } from '../shared/registration/delivered';
import type { Missed } from '../shared/registration/lifecycle';
import type { Plan } from '../shared/registration/plan';
import { ask, orRefusal } from '../shared/registration/platform';
import { warn } from '../shared/registration/registrant';
import { type Heard, knownOf, nameOf } from '../shared/registration/watch';
import { mapInParallel } from '../engine/inParallel';
import { clock, inTurn } from '../engine/http/clock';
import { segment } from '../engine/http/path';
import { readPage } from '../engine/pages/layouts';
import { perPage } from '../engine/pages/pages';
import { readWhole } from '../engine/pages/whole';
import { escapeHtml, many } from '../engine/text/text';

const ending = 'conversation_end_report';
const minute = 60_000;
/** An event may arrive so much later than others that ended after it. */
const overlapMs = 5 * minute;
/** How old the noted time may become: each note is a write to n8n's database. */
const noteEveryMs = 10_000;
/** n8n may be killed before it has caught up, a minute after its start; until then the time stays as it was. */
const firstNoteMs = 2 * minute;
const begun = clock.now();
/** Conversations that a node remembers, so that an event and its catching up are one. */
const mostRemembered = 2000;
const mostRead = 5000;
/** Executions that one look starts, at most, and how many of them run at a time. */
const most = 500;
const width = 4;

type Context = Pick<IWebhookFunctions, 'getWorkflowStaticData' | 'getWorkflow' | 'getNode'>;

interface Memory {
	heard?: Heard;
	/** When a person last published the workflow: what ended before is not missed. */
	since?: string;
}

const heardIn = (context: Pick<Context, 'getWorkflowStaticData'>): Memory =>
	context.getWorkflowStaticData('node');

const conversationOf = (fields: unknown): string | undefined =>
	shortText(get(fields, 'conversation_uuid'));

const isEnding = ({ event, isEvaluation }: IDataObject): boolean =>
	event === ending && isEvaluation !== true;

/** Whether the workflow has started for an event already, because it was caught up. */
export const wasCaughtUp = (context: Context, json: IDataObject): boolean =>
	isEnding(json) && knownOf(context).caughtUp.has(conversationOf(json.data));

/**
 * Notes when the end of a conversation was heard of. What comes without its ID could not be told from what is missed.
 * n8n saves it with the execution.
 */
function note(context: IExecuteFunctions, json: IDataObject): void {
	const { agent, data, receivedAt } = json;
	const isLate = json.caughtUp === true;
	const memory = heardIn(context);
	const known = knownOf(context);
	const now = clock.now();
	const isNamed = conversationOf(data) !== undefined;
	const before = { ...memory.heard, ...known.heard };
	const isOpen = isLate && known.final !== json.deliveryId;
	const at = isOpen ? get(data, 'timestamp') : receivedAt;
	const heard = isNamed ? { ...before, [String(agent)]: String(at) } : omit(before, String(agent));
	known.heard = heard;
	const isNews = isLate || isNamed !== String(agent) in before;
	const isDue = now - begun > firstNoteMs && now - (known.noted ?? -Infinity) > noteEveryMs;
	if (!isNews && !isDue) return;
	memory.heard = heard;
	known.noted = now;
}

/** When the conversation ended, as its call tells or one of its sessions; undefined if neither does. */
async function endOf({ client }: Plan, row: IDataObject, since: number) {
	const call = callOf(row);
	const last = (times: unknown[]): number | undefined =>
		times
			.map((time) => Date.parse(String(time)))
			.filter(Number.isFinite)
			.sort((a, b) => b - a)[0];
	if (call) {
		const start = last(compact([call.timestamp ?? row.timestamp ?? row.created_at]));
		const { duration } = call;
		if (start === undefined) return undefined;
		if (typeof duration === 'number') return start + duration * 1000;
		// It may have ended since, or before.
		return start < since ? undefined : start;
	}
	const path = `/conversations/${segment(String(row.uuid))}/sessions`;
	const answer = await orRefusal(ask(client, 'GET', path), 'gone', 'unsupported');
	return typeof answer === 'string'
		? undefined
		: last(readPage(answer.body).rows.map(({ ended_at }) => ended_at));
}

/** The event of a conversation, with the names that delivered ones have (reference: webhook guide). */
function eventOf(row: IDataObject, agent: string, end: number): IDataObject {
	const call = callOf(row);
	const number = get(row, 'contact.phone_number');
	const data = {
		conversation_uuid: row.uuid,
		...(call && { call_id: call.uuid, duration: call.duration, call_summary: call.summary }),
		channel: row.channel,
		number,
		contact_info: { phone_number: number },
		timestamp: new Date(end).toISOString(),
	} as IDataObject;
	return {
		event: ending,
		knownEvent: true,
		isEvaluation: false,
		agent,
		data: masked(data) as IDataObject,
		deliveryId: `caught-up ${String(row.uuid)}`,
		deliveryHeaderId: null,
		receivedAt: new Date().toISOString(),
		signatureVerified: null,
		caughtUp: true,
	};
}

/** Conversations of an agent that ended since a time, as events; `unclear` do not show whether or when they did. */
async function endedSince(plan: Plan, agent: string, since: number) {
	const changed: IDataObject[] = [];
	let read = 0;
	let oldest = Infinity;
	await readWhole({
		fetch: async (query, reads) =>
			await ask(plan.client, 'GET', '/conversations', { query, reads }),
		query: { agent_uuid: agent, sort_by: 'updated_at', sort_dir: 'desc' },
		path: '/conversations',
		pageSize: perPage,
		take: (rows) => {
			const times = rows.map(({ updated_at }) => Date.parse(String(updated_at)));
			// Where the newest come first, nothing behind an older one is newer.
			const isSorted = [oldest, ...times].every((at, index, all) => !(at > all[index - 1]!));
			oldest = times.at(-1) ?? oldest;
			changed.push(...rows.filter((_, at) => !(times[at]! < since)));
			read += rows.length;
			return (isSorted && oldest < since) || read >= mostRead;
		},
	});
	const own = changed.filter(
		(row) =>
			row.is_simulation !== true && [agent, undefined, null].includes(row.agent_uuid as string),
	);
	const [ended, others] = partition(own, (row) => row.agent_uuid && stateOfCall(row) === 'done');
	let unclear = others.filter((row) => stateOfCall(row) !== 'waiting').length;
	const events: IDataObject[] = [];
	for (const row of ended) {
		const end = await endOf(plan, row, since);
		if (end === undefined) unclear++;
		else if (end >= since) events.push(eventOf(row, agent, end));
	}
	return { events, unclear };
}

/** Ended conversations whose event did not arrive, because n8n was down or its webhook was switched off. */
export const missed: Missed = {
	isWanted: (context) =>
		readEvents(context).includes(ending) &&
		(context.getNodeParameter('options', {}) as { catchUp?: boolean }).catchUp !== false,

	forget: (context) => {
		delete knownOf(context).heard;
		const memory = heardIn(context);
		delete memory.heard;
		memory.since = new Date().toISOString();
	},

	heard: (context) => ({ ...heardIn(context).heard, ...knownOf(context).heard }),

	async catchUp(plan, heard, emit) {
		const { context } = plan;
		const { channels, simplify } = readTriggerOptions(context);
		const found: IDataObject[] = [];
		let unclear = 0;
		const published = Date.parse(heardIn(context).since ?? '') || 0;
		for (const agent of readAgents(context)) {
			const last = heard[agent];
			if (last === undefined) continue;
			const since = Math.max(Date.parse(last) - overlapMs, published);
			const { events, ...more } = await endedSince(plan, agent, since);
			found.push(...events);
			unclear += more.unclear;
		}
		const asked = found.filter(({ data }) => !channels || isOfChannel(data, channels));
		const events = sortBy(asked, 'data.timestamp');
		const rest = events.splice(most);
		if (unclear > 0)
			warn(plan, [
				`${many(unclear, 'conversation that changed does', 'conversations that changed do')} not show whether or when they ended, so they start nothing.`,
			]);
		if (rest.length > 0)
			warn(plan, [
				`${rest.length} more conversations ended without an event. They start nothing; read them with Conversations (ACP).`,
			]);
		const known = knownOf(context);
		for (const { data } of events) known.caughtUp.add(conversationOf(data));
		if (events.length === 0) return;
		warn(plan, [
			`found ${many(events.length, 'conversation')} that ended around or after the last event it had. Those that have not started the workflow start it now.`,
		]);
		// If n8n is killed meanwhile, it begins where it was.
		known.noted = Infinity;
		known.final = events.at(-1)?.deliveryId;
		await mapInParallel(events, width, async (event) => {
			const data = simplify ? (simplified(event.data) as IDataObject) : event.data;
			await emit({ ...event, data });
		});
		delete known.noted;
	},

	/** n8n's memory decides, where each event passes on its way into the workflow. */
	async pass(context) {
		const items = context.getInputData();
		if (!['webhook', 'trigger'].includes(context.getMode())) return items;
		const isKnown = async ({ json }: INodeExecutionData): Promise<boolean> => {
			const conversation = conversationOf(json.data);
			if (!isEnding(json)) return false;
			note(context, json);
			if (conversation === undefined) return false;
			const { signal } = new AbortController();
			const noting = inTurn(
				nameOf(context),
				signal,
				async () =>
					await context.helpers.checkProcessedAndRecord([`ended ${conversation}`], 'node', {
						mode: 'entries',
						maxEntries: mostRemembered,
					}),
			);
			if (json.caughtUp !== true) {
				await noting.catch((thrown: Error) =>
					context.logger.warn(
						`Conversation Event Trigger: the end of a conversation could not be noted (${thrown.message.slice(0, 100)}).`,
					),
				);
				return false;
			}
			const { processed } = await noting.catch((thrown: Error) => {
				throw new NodeOperationError(
					context.getNode(),
					`A conversation ended while no event arrived, and n8n could not tell whether it has started this workflow before`,
					{
						description: `Conversation ${escapeHtml(conversation)}: ${escapeHtml(thrown.message.slice(0, 100))}. Look at the executions before, then start the workflow with it by hand.`,
					},
				);
			});
			return processed.length > 0;
		};
		const fresh: INodeExecutionData[] = [];
		for (const one of items) if (!(await isKnown(one))) fresh.push(one);
		return fresh;
	},
};
