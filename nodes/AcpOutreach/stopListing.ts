import type { IDataObject } from 'n8n-workflow';
import { isSuccess, objectOf, unwrap } from '../engine/response/response';
import { mapKeys, omit, pick } from 'lodash';
import { perPage, read } from '../engine/operation';
import { settleInParallel } from '../engine/inParallel';
import { describeError } from '../engine/errors/errorText';
import { notSent, RequestError, rethrow } from '../engine/errors/requestError';
import { adding, listBeside, requestSettings } from '../engine/execution';
import { clock, pause } from '../engine/http/clock';
import { segment } from '../engine/http/path';
import { guessing } from '../engine/pages/pages';
import { readWhole } from '../engine/pages/whole';
import { many } from '../engine/text/text';
import { belongsTo, type Progress, progressOf } from './taskState';
import type { PreparedRequest, Delivering } from '../engine/operation/operation';

const listings = { in: read('GET /listings'), pageSize: perPage };
const conversations = { in: read('GET /conversations'), pageSize: perPage };
const tasks = { in: read('GET /tasks'), pageSize: perPage };

const width = 16;
/** Readings of the list; the next one shows what a campaign makes meanwhile. */
const mostReadings = 6;
/** Wait before a reading that only shows the outcome of the last one. */
const settleMs = 1000;
const mostListed = 100;
const shownFields = ['uuid', 'title', 'status', 'contact_uuid', 'scheduled_at'];

interface Task {
	row: IDataObject;
	state: Progress;
	/** What the platform said when it was canceled: its answer may show that it is still ahead. */
	said?: 'done' | 'denied' | RequestError;
}

interface Found {
	tasks: Map<string, Task>;
	/** Tasks that do not belong to the listing, or may not. */
	others: Set<string>;
	/** Those of them that name no campaign. */
	unnamed: Set<string>;
	/** Whether some of its own that are not over show no ID, so that nothing can cancel them. */
	hasNoId: boolean;
	why?: string;
}

const uuidOf = ({ uuid, id }: IDataObject): string => String(uuid ?? id ?? '');
const isAhead = ({ state }: Task): boolean => state === 'ahead' || state === 'unknown';
const cancelPath = (row: IDataObject): string => `/tasks/${segment(uuidOf(row))}/cancel`;
const notReachedText = ({ unnamed: { size }, hasNoId }: Found): string =>
	[
		size > 0 &&
			` ${many(size, 'task names', 'tasks name')} no campaign, so whose they are is not known. To cancel them, use Task › Cancel.`,
		hasNoId && ' Some of its tasks show no ID: cancel them on the platform.',
	]
		.filter(Boolean)
		.join('');
const mayBeMore = (why: string): string => ` There may be more, because ${why}: run it again.`;

/** The campaigns that the listing has started. @throws RequestError if nothing names one; Cancelled */
async function campaignsOf(execution: Delivering, prepared: PreparedRequest) {
	const { listing, campaign } = prepared.pathValues;
	if (typeof campaign === 'string' && campaign !== '') return { campaigns: [campaign] };
	const campaigns = new Set<string>();
	const takeBy = (name: string) => (rows: IDataObject[]) => {
		for (const { [name]: of, campaign_uuid: one } of rows)
			if (of === listing && typeof one === 'string' && one !== '') campaigns.add(one);
	};
	const list = listBeside(execution, prepared, conversations);
	const readings = await Promise.all([
		readWhole({ ...listBeside(execution, prepared, listings), take: takeBy('uuid') }),
		readWhole({
			...list,
			fetch: guessing(list.fetch, { listing_uuid: listing }),
			take: takeBy('listing_uuid'),
		}),
	]);
	const [why] = readings.flatMap((one) => (one.whole ? [] : [one.why]));
	if (campaigns.size > 0) return { campaigns: [...campaigns], why };
	throw notSent(
		'NO_CAMPAIGN',
		'Nothing on the platform shows which campaign this listing has started',
		"Choose its campaign in 'Campaign' and run again. If you do not know it, cancel the tasks of single contacts " +
			"with Task › Get Many, filtered by 'Contact', and Task › Cancel.",
	);
}

/** Only those that name the campaign, or the listing, are its own. @returns them, once the whole list is judged */
async function readTasks(
	execution: Delivering,
	prepared: PreparedRequest,
	campaign: string,
	seen: Found,
): Promise<Task[]> {
	const own: Task[] = [];
	const all = await readWhole({
		...listBeside(execution, prepared, tasks),
		query: { campaign_uuid: campaign },
		take: (rows) => {
			for (const row of rows) {
				const id = uuidOf(row);
				const isOwn = belongsTo(row, campaign, prepared.pathValues.listing);
				if (isOwn === undefined) seen.unnamed.add(id);
				seen.hasNoId ||= id === '' && isOwn === true && isAhead({ row, state: progressOf(row) });
				if (id === '' || !isOwn) {
					seen.others.add(id);
					continue;
				}
				const task = { ...seen.tasks.get(id), row, state: progressOf(row) };
				seen.tasks.set(id, task);
				own.push(task);
			}
		},
	});
	if (!all.whole) seen.why = all.why;
	return own;
}

/** Cancels those tasks that are still ahead, each once. @throws what ends the run */
async function cancel(execution: Delivering, prepared: PreparedRequest, own: Task[]) {
	const due = own.filter((task) => isAhead(task) && task.said === undefined);
	const settled = await settleInParallel(due, width, async ({ row }) => {
		const { body } = await execution.client.request({
			...requestSettings(execution, prepared),
			method: 'POST',
			path: cancelPath(row),
			// Doing it twice changes nothing more, so it is sent again after a lost response.
			class: 'keyed',
			limitName: 'requests',
		});
		const task = objectOf(unwrap(body));
		const isTold =
			isSuccess(body) || uuidOf(task) === uuidOf(row) || progressOf(task) === 'canceled';
		return isTold && progressOf(task) !== 'ahead' ? 'done' : 'denied';
	});
	for (const [at, result] of settled.entries()) {
		const reason: unknown = result.status === 'rejected' ? result.reason : undefined;
		// Other requests with this token would fail, too.
		const isOne = reason instanceof RequestError && ![401, 403].includes(reason.facts.status ?? 0);
		if (reason !== undefined && !isOne) throw reason;
		(due[at] as Task).said = isOne ? reason : result.status === 'fulfilled' ? result.value : 'done';
	}
	return due.length;
}

function resultOf({ client }: Delivering, campaigns: string[], found: Found, isSettled: boolean) {
	const { tasks: seen, others, unnamed, hasNoId, why } = found;
	const all = [...seen.values()];
	const done = all.filter(
		({ said, state }) =>
			(typeof said === 'string' && state === 'canceled') ||
			(said === 'done' && state === 'unknown'),
	);
	const late = all.filter(({ said, state }) => typeof said === 'string' && state === 'over').length;
	const underWay = all.filter(({ state }) => state === 'underWay').length;
	const failed = all.filter((one) => isAhead(one) && !done.includes(one));
	const whyOf = ({ said }: Task): string =>
		said instanceof RequestError
			? describeError(said, { host: client.workspace.host, class: 'keyed' }).message
			: typeof said === 'string'
				? 'The platform accepted this, but still lists it as before'
				: 'Not tried';
	const message = [
		`${many(done.length, 'task was', 'tasks were')} canceled`,
		underWay && many(underWay, 'is in progress and goes on', 'are in progress and go on'),
		late && `${late} ended although the platform accepted this`,
		failed.length && `${failed.length} could not be canceled`,
		others.size && `${others.size} not touched`,
	]
		.filter(Boolean)
		.join(', ');
	const more = why
		? mayBeMore(why)
		: ' More kept appearing, or the list could not be read again: run it again.';
	return {
		stopped: isSettled && failed.length === 0 && unnamed.size === 0 && !hasNoId,
		tasks: all.length,
		canceled: done.length,
		underWay,
		over: all.length - done.length - underWay - failed.length,
		notCanceled: failed.length,
		reasons: failed
			.slice(0, mostListed)
			.map((task) => `${Object.values(pick(task.row, shownFields)).join(', ')}: ${whyOf(task)}`)
			.join('; '),
		notTouched: others.size,
		campaigns: campaigns.join(', '),
		message: `${message}.${notReachedText(found)}${isSettled ? '' : more}`,
	};
}

async function previewStop(
	execution: Delivering,
	prepared: PreparedRequest,
	campaigns: string[],
	seen: Found,
): Promise<IDataObject[]> {
	for (const campaign of campaigns) await readTasks(execution, prepared, campaign, seen);
	const due = [...seen.tasks.values()].filter(isAhead);
	const text = `${many(due.length, 'task')} would be canceled. Nothing was changed.${notReachedText(seen)}${seen.why ? mayBeMore(seen.why) : ''}`;
	execution.hints.add(text, 'first');
	return [
		// An AI agent sees items alone.
		...(execution.asTool ? [{ preview: true, text }] : []),
		...due.map(({ row }) =>
			adding(execution, {
				...mapKeys(pick(row, shownFields), (_, name) => `task_${name}`),
				preview: true,
				request: {
					method: 'POST',
					url: `${execution.client.workspace.root}${cancelPath(row)}`,
				},
			}),
		),
	];
}

/**
 * Stops a listing by the endpoints that are known: launching it makes tasks of a campaign (reference: listings), and
 * tasks can be canceled (catalogue). No source shows an endpoint for the listing as a whole. All of its tasks that are
 * still ahead are canceled, until a reading shows no new one.
 * @returns one record, made from what the platform shows in the end; or what would be sent
 * @throws RequestError if nothing was done; Cancelled
 */
export async function stopListing(
	execution: Delivering,
	prepared: PreparedRequest,
): Promise<IDataObject[]> {
	const { campaigns, why } = await campaignsOf(execution, prepared);
	const seen: Found = {
		tasks: new Map(),
		others: new Set(),
		unnamed: new Set(),
		hasNoId: false,
		why,
	};
	if (execution.options(prepared.item).preview === true)
		return await previewStop(execution, prepared, campaigns, seen);
	let isSettled = false;
	for (let reading = 1; reading <= mostReadings && !isSettled; reading++) {
		let acted = 0;
		seen.why = why;
		try {
			for (const campaign of campaigns)
				acted += await cancel(
					execution,
					prepared,
					await readTasks(execution, prepared, campaign, seen),
				);
		} catch (thrown) {
			const isBegun = [...seen.tasks.values()].some(({ said }) => said !== undefined);
			if (!(thrown instanceof RequestError) || !isBegun) rethrow(thrown);
			break;
		}
		// A list may lag behind what it was just told.
		const lags = [...seen.tasks.values()].some(
			({ said, state }) => typeof said === 'string' && state === 'ahead',
		);
		isSettled = acted === 0 && (!lags || reading > 3) && !seen.why;
		if (acted === 0 && !lags && seen.why) break;
		if (acted === 0 && lags) await pause(settleMs, execution.client.signal, clock);
	}
	const result = resultOf(execution, campaigns, seen, isSettled);
	execution.hints.add(String(result.message), 'first');
	return [{ ...omit(prepared.pathValues, 'campaign'), ...result }];
}

export const stopOutput = {
	listing: 'string',
	stopped: 'boolean',
	tasks: 'number',
	canceled: 'number',
	underWay: 'number',
	over: 'number',
	notCanceled: 'number',
	reasons: 'string',
	notTouched: 'number',
	campaigns: 'string',
	message: 'string',
} as const;
