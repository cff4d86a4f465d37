import type { IDataObject } from 'n8n-workflow';
import { mapKeys, omit, pick, upperFirst } from 'lodash';
import { settleInParallel } from '../concurrency';
import { adding, type Delivering, readBeside, requestSettings } from '../execution';
import { describeError } from '../errors/errorText';
import { RequestError } from '../errors/requestError';
import { rethrow } from '../errors/rethrow';
import { clock, pause } from '../http/clock';
import type { SweepDefinition } from '../operation/operation';
import type { PreparedRequest } from '../operation/preparedRequest';
import { pathOfRead } from '../operation/secondaryRead';
import {
	guessing,
	type Incomplete,
	pagesOf,
	type PagesRequest,
	paginate,
	whyIncomplete,
} from '../pages/pages';

/** Requests under way in parallel. */
const width = 16;
/** Readings of the list; the next one shows what a campaign makes meanwhile. */
const mostReadings = 6;
/** Wait before a reading that only shows the outcome of the last one. */
const settleMs = 1000;
/** Rows that the output lists. */
const mostListed = 100;

interface Seen {
	row: IDataObject;
	group: string;
	state: ReturnType<SweepDefinition['state']>;
	/** What the platform said when it was acted on. */
	said?: 'done' | RequestError;
}

/** The groups that the target has started. @throws RequestError if nothing names one; Cancelled */
async function groupsOf(
	execution: Delivering,
	prepared: PreparedRequest,
	{ given, groups, noGroup }: SweepDefinition,
	incomplete: (why: Incomplete) => void,
): Promise<string[]> {
	const { path } = prepared;
	const known = path[given];
	if (typeof known === 'string' && known !== '') return [known];
	const found = await Promise.all(
		groups.map(async ({ in: where, pageSize, guess, belongs, of }) => {
			const target = pathOfRead(where, path);
			const fetch: PagesRequest['fetch'] = async (query, reads) =>
				await readBeside(execution, prepared, target, { query, reads });
			const rows = await paginate({
				fetch: guess ? guessing(fetch, guess(path)) : fetch,
				query: {},
				limit: Infinity,
				pageSize,
				incomplete,
				keeps: (row) => belongs(row, path),
				take: (page) => page.map((row) => ({ group: of(row) as string })),
			});
			return rows.map(({ group }) => group);
		}),
	);
	const named = [...new Set(found.flat())].filter(
		(group): group is string => typeof group === 'string' && group !== '',
	);
	if (named.length > 0) return named;
	throw new RequestError('notSent', 'nothing', {
		code: 'NO_CAMPAIGN',
		message: noGroup.message,
		details: noGroup.description,
	});
}

const idOf = ({ uuid, id }: IDataObject): string => String(uuid ?? id ?? '');

const isAhead = ({ state }: Seen): boolean => state === 'ahead' || state === 'unknown';

/** Other requests with this token would fail, too. */
const endsAll = (thrown: unknown): boolean =>
	!(thrown instanceof RequestError) || [401, 403].includes(thrown.facts.status ?? 0);

/** One run over the rows of all groups of a target. */
class Sweep {
	readonly seen = new Map<string, Seen>();
	/** Rows that do not belong to the target, or may not. */
	readonly others = new Set<string>();
	/** Why there may be more. */
	doubt?: Incomplete;

	constructor(
		private readonly execution: Delivering,
		private readonly prepared: PreparedRequest,
		private readonly sweep: SweepDefinition,
	) {}

	/** Reads all rows of a group and hands each page on as it comes. @throws RequestError, Cancelled */
	async read(group: string, act: (page: Seen[]) => Promise<void>): Promise<void> {
		const { in: where, pageSize, query, belongs } = this.sweep.rows;
		const { path } = this.prepared;
		const target = pathOfRead(where, path);
		const fetch: PagesRequest['fetch'] = async (page, reads) =>
			await readBeside(this.execution, this.prepared, target, { query: page, reads });
		const incomplete = (one: Incomplete): void => {
			this.doubt = one;
		};
		let narrowed = true;
		for await (const { rows } of pagesOf({ fetch, query: query(group), pageSize, incomplete })) {
			const told = rows.map((row) => ({ row, belongs: belongs(row, group, path) }));
			// One row belongs to another target: the list was not narrowed, and rows that name no target may belong to any.
			narrowed &&= told.every((one) => one.belongs !== false);
			const page: Seen[] = [];
			for (const { row, belongs: belonging } of told) {
				const id = idOf(row);
				if (id === '' || !(belonging ?? narrowed)) {
					this.others.add(id);
					continue;
				}
				const one: Seen = { ...this.seen.get(id), row, group, state: this.sweep.state(row) };
				this.seen.set(id, one);
				page.push(one);
			}
			await act(page);
		}
	}

	/** Acts on the rows of a page that are still ahead, each once. @throws what ends the run */
	async act(page: Seen[]): Promise<number> {
		const { client } = this.execution;
		const { method, path } = this.sweep.act;
		const due = page.filter((one) => isAhead(one) && one.said === undefined);
		const settled = await settleInParallel(due, width, async (one) => {
			await client.request({
				...requestSettings(this.execution, this.prepared),
				method,
				path: path(idOf(one.row)),
				// Doing it twice changes nothing more, so it is sent again after a lost response.
				class: 'keyed',
				limitName: 'requests',
			});
		});
		for (const [at, result] of settled.entries()) {
			const one = due[at] as Seen;
			if (result.status === 'fulfilled') one.said = 'done';
			else if (endsAll(result.reason)) throw result.reason;
			else one.said = result.reason as RequestError;
		}
		return due.length;
	}
}

const count = (many: number, [one, several]: SweepDefinition['words']): string =>
	`${many} ${many === 1 ? one : several}`;

const mayBeMore = (doubt: Incomplete): string =>
	` There may be more, because ${whyIncomplete[doubt]}: run it again.`;

/** The outcome, with a sentence. */
function resultOf(
	{ client }: Delivering,
	{ words, rows }: SweepDefinition,
	groups: string[],
	{ seen, others, doubt }: Sweep,
	isSettled: boolean,
): IDataObject {
	const all = [...seen.values()];
	const done = all.filter(
		({ said, state }) => said === 'done' && (state === 'done' || state === 'unknown'),
	);
	const late = all.filter(({ said, state }) => said === 'done' && state === 'over').length;
	const underWay = all.filter(({ state }) => state === 'underWay');
	const failed = all.filter((one) => isAhead(one) && !done.includes(one));
	const over = all.length - done.length - underWay.length - failed.length;
	const whyOf = ({ said }: Seen): string =>
		said instanceof RequestError
			? describeError(said, { host: client.workspace.host, class: 'keyed' }).message
			: said === 'done'
				? 'The platform accepted this, but still lists it as before'
				: 'Not tried';
	const isStopped = isSettled && failed.length === 0;
	const message = [
		`${count(done.length, words)} ${done.length === 1 ? 'was' : 'were'} ${words[2]}`,
		underWay.length
			? `${underWay.length} ${underWay.length === 1 ? 'is' : 'are'} in progress and ${underWay.length === 1 ? 'goes' : 'go'} on`
			: '',
		late ? `${late} ended although the platform accepted this` : '',
		failed.length ? `${failed.length} could not be ${words[2]}` : '',
		others.size ? `${others.size} of others ${others.size === 1 ? 'was' : 'were'} not touched` : '',
	]
		.filter(Boolean)
		.join(', ');
	return {
		stopped: isStopped,
		[words[1]]: all.length,
		[words[2]]: done.length,
		underWay: underWay.length,
		over,
		[`not${upperFirst(words[2])}`]: failed.length,
		reasons: failed
			.slice(0, mostListed)
			.map((one) => `${Object.values(pick(one.row, rows.show)).join(', ')}: ${whyOf(one)}`)
			.join('; '),
		notTouched: others.size,
		campaigns: groups.join(', '),
		message: `${message}.${isSettled ? '' : doubt ? mayBeMore(doubt) : ' New ones kept appearing, or the list could not be read again: run it again.'}`,
	};
}

/**
 * Acts on everything of a target that is still ahead, page by page, and reads again until nothing new shows.
 * @param dry only says what would be done
 * @returns one record, made from what the platform shows in the end; or what would be sent
 * @throws RequestError if nothing was done; Cancelled
 */
export async function sweepAll(
	execution: Delivering,
	prepared: PreparedRequest,
	definition: SweepDefinition,
	dry: boolean,
): Promise<IDataObject[]> {
	let doubtOfGroups: Incomplete | undefined;
	const groups = await groupsOf(execution, prepared, definition, (one) => (doubtOfGroups = one));
	const sweep = new Sweep(execution, prepared, definition);
	const { words, rows } = definition;
	if (dry) {
		for (const group of groups) await sweep.read(group, async () => undefined);
		const doubt = sweep.doubt ?? doubtOfGroups;
		const due = [...sweep.seen.values()].filter(isAhead);
		const text = `${count(due.length, words)} would be ${words[2]}. Nothing was changed.${doubt ? mayBeMore(doubt) : ''}`;
		execution.hints.add(text);
		const { method, path } = definition.act;
		return [
			{
				preview: true,
				...adding(execution, {
					summary: text,
					[`summary_${words[1]}`]: due.length,
					summary_campaigns: groups.join(', '),
				}),
			},
			...due.map(({ row }) => ({
				preview: true,
				...adding(execution, {
					method,
					url: `${execution.client.workspace.root}${path(idOf(row))}`,
					...mapKeys(pick(row, rows.show), (_, name) => `${words[0]}_${name}`),
				}),
			})),
		];
	}
	let isSettled = false;
	for (let reading = 1; reading <= mostReadings && !isSettled; reading++) {
		let acted = 0;
		sweep.doubt = doubtOfGroups;
		try {
			for (const group of groups)
				await sweep.read(group, async (page) => {
					acted += await sweep.act(page);
				});
		} catch (thrown) {
			const begun = [...sweep.seen.values()].some(({ said }) => said !== undefined);
			if (!(thrown instanceof RequestError) || !begun) rethrow(thrown);
			break;
		}
		// A list may lag behind what it was just told.
		const lags = [...sweep.seen.values()].some(
			({ said, state }) => said === 'done' && state === 'ahead',
		);
		isSettled = acted === 0 && (!lags || reading > 3) && !sweep.doubt;
		if (acted === 0 && !lags && sweep.doubt && sweep.doubt !== 'changed') break;
		if (acted === 0 && lags) await pause(settleMs, execution.client.signal, clock);
	}
	const result = resultOf(execution, definition, groups, sweep, isSettled);
	execution.hints.add(String(result.message));
	return [{ ...omit(prepared.path, definition.given), ...result }];
}
