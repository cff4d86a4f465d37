import { isEqual, sum, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { type Finder, ifShown, looking } from './finder';
import { type Delivering, listBeside } from '../../execution';
import { clock, lookAfterMs } from '../../http/clock';
import { fillPath } from '../../http/path';
import { guessing, readWhole, type Whole } from '../../pages/pages';
import { RequestError } from '../../errors/requestError';
import { rethrow } from '../../errors/rethrow';
import { atEndpoint } from '../../operation/kinds';
import type { Delivery, PreparedRequest } from '../../operation/preparedRequest';
import {
	type KeyedRecord,
	type Look,
	type MatchFirst,
	showsFields,
} from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';

interface Seen {
	records: Map<string, KeyedRecord[]>;
	mayBe: Map<string, string>;
	/** Why nothing can be concluded from what it does not show, in a sentence or as a part of one. */
	unclear?: string;
	why?: string;
	hint?: string;
	since: number;
	searches: boolean;
}

/** A record that was created; none if it is not known whether it was. */
interface Made {
	record?: KeyedRecord;
	at: number;
}

interface Memory {
	/** Settles when the first request of the run has looked: all others profit from what it found out. */
	first?: Promise<unknown>;
	whole?: Promise<Seen>;
	made: Map<string, Made>;
}

/** What this process made a moment ago: a list that was read before, or that lags, does not show it. */
const madeLately = new Map<string, Made>();
/** Maximum that a list lags behind, in milliseconds. */
const lagMs = sum(lookAfterMs);
/** What is older than this is forgotten; the run that made it remembers it longer. */
const keptMs = 3_600_000;

const mostNamed = 5;
const named = (records: KeyedRecord[]): string =>
	[
		...records.slice(0, mostNamed).map(({ id }) => id || 'one without an ID'),
		...(records.length > mostNamed ? ['…'] : []),
	].join(', ');

const held = (message: string, details: string): RequestError =>
	new RequestError('notSent', 'nothing', { code: 'CANNOT_TELL', message, details });
const notKnown = 'It is not known whether the record exists already';
const duplicate = 'Creating it could make a duplicate.';
/** Sending what the list showed could undo what has changed since. */
const notMapped =
	'Some records that were updated have values in columns that were not mapped. Whether an update keeps them is not ' +
	'known: look at one on the platform, or map all columns.';

function readerFor(execution: Delivering, prepared: PreparedRequest, match: MatchFirst) {
	const { options, requests } = execution;
	const { report, checked } = prepared;
	const { matching = [] } = report;
	const list = listBeside(execution, prepared, match);
	const lookFor = (some: readonly PreparedRequest[]): Look => ({
		keys: uniq(some.flatMap(({ body }) => match.key(body, matching) ?? [])),
		countries: uniq(some.map(({ item }) => options(item).defaultCountry)),
		matching,
		checked,
	});
	const seenOf = (look: Look, kept: IDataObject[], all: Whole, since: number): Seen => {
		const { records: keyed, unclear, hint } = match.records(kept, look, all.rows);
		const records = new Map<string, KeyedRecord[]>();
		const mayBe = new Map<string, string>();
		const wanted = new Set(look.keys);
		// Of two readings, the later one counts.
		for (const record of new Map(keyed.map((one) => [one.id || one, one])).values()) {
			for (const key of record.keys)
				if (wanted.has(key)) records.set(key, [...(records.get(key) ?? []), record]);
			for (const [key, reason] of record.mayBe ?? []) mayBe.set(key, reason);
		}
		const searches = !all.whole && all.ended === 'proven';
		const why = all.whole ? undefined : all.why;
		return { records, mayBe, unclear, hint, why, since, searches };
	};
	const whole = async (some: readonly PreparedRequest[], proves: boolean): Promise<Seen> => {
		const since = clock.now();
		const look = lookFor(some);
		const keeps = match.keeps?.(look) ?? (() => true);
		const kept: IDataObject[] = [];
		const all = await readWhole({
			...list,
			id: match.id,
			take: (rows) => kept.push(...rows.filter(keeps)),
			search: proves ? match.search : undefined,
		});
		return seenOf(look, kept, all, since);
	};
	return {
		own: async (): Promise<Seen> => await whole([prepared], false),
		/** The same for all requests of the run; the reading ends if the search proves itself. */
		ofRun: async (): Promise<Seen> =>
			await whole(
				requests.filter(({ report: { matching: other = [] } }) => isEqual(other, matching)),
				true,
			),
		/** What a search finds; nothing if the platform does not search. */
		searched: async (key: string): Promise<Seen | undefined> => {
			if (!match.search) return undefined;
			const { guess, fits } = match.search;
			const since = clock.now();
			const query = guess(key);
			const kept: IDataObject[] = [];
			const all = await readWhole({
				...list,
				fetch: guessing(list.fetch, query),
				fits: (row) => fits(row, query),
				take: (rows) => kept.push(...rows),
			});
			return !all.whole && all.ended ? undefined : seenOf(lookFor([prepared]), kept, all, since);
		},
	};
}

function knownOf(execution: Delivering, prepared: PreparedRequest, match: MatchFirst) {
	const { client, lists, zones } = execution;
	const { body, report, item } = prepared;
	const { matching = [] } = report;
	const key = match.key(body, matching);
	const path = pathOfRead(match.in, prepared.path);
	const turn = [path, matching, key];
	const name = JSON.stringify([client.workspace.origin, turn]);
	// Times in records are those of the zone that was asked for.
	const listName = JSON.stringify([path, matching, zones.of(item).name]);
	const memory: Memory = (lists.get(listName) as Memory | undefined) ?? { made: new Map() };
	lists.set(listName, memory);
	const reader = readerFor(execution, prepared, match);
	const find = async (wanted: string): Promise<Seen> => {
		const known = await memory.whole;
		if (known && !known.searches) return known;
		const found = await reader.searched(wanted);
		if (found?.records.has(wanted)) return found;
		const reading = (memory.whole ??= reader.ofRun());
		const whole = await reading.catch((thrown: unknown) => {
			// The next item may have more luck.
			if (memory.whole === reading) memory.whole = undefined;
			return rethrow(thrown);
		});
		return whole.searches ? (found ?? (await reader.own())) : whole;
	};
	return {
		key,
		turn,
		madeInRun: (): Made | undefined => memory.made.get(String(key)),
		/** What was made too late for a reading to show it for certain. What is not updated must be shown. */
		madeSince: ({ since }: Seen): Made | undefined => {
			const made = madeLately.get(name);
			return made && made.at >= since - (match.update ? lagMs : 0) ? made : undefined;
		},
		note: (record?: KeyedRecord): void => {
			const made = { record, at: clock.now() };
			memory.made.set(String(key), made);
			madeLately.delete(name);
			madeLately.set(name, made);
			for (const [old, { at }] of madeLately) {
				if (made.at - at <= keptMs) break;
				madeLately.delete(old);
			}
		},
		once: async (wanted: string): Promise<Seen> => {
			const { first } = memory;
			if (!first) return await (memory.first = find(wanted));
			await first.catch(() => undefined);
			return await find(wanted);
		},
		now: async (wanted: string): Promise<Seen> => {
			const found = memory.whole ? undefined : await reader.searched(wanted);
			return found?.records.has(wanted) ? found : await reader.own();
		},
	};
}

/** The request that updates a record. @throws RequestError if the platform does not show its ID */
function updateOf(
	{ hints }: Delivering,
	prepared: PreparedRequest,
	{ endpoint, id, sent }: NonNullable<MatchFirst['update']>,
	record: KeyedRecord,
	says: string,
): PreparedRequest {
	if (!/^(?!\.\.?$)[^\s/?#]+$/.test(record.id))
		throw held(
			`A record has ${says} already, but the platform does not show its ID`,
			'Without the ID it cannot be updated. Run it again, or look the ID up on the platform.',
		);
	const values = Object.entries(record.values ?? {});
	if (values.some(([column, value]) => !(column in sent(prepared.body)) && value !== null))
		hints.add(notMapped);
	const operation = atEndpoint(prepared.operation, endpoint);
	const path: IDataObject = { ...prepared.path, [id]: record.id };
	const address = fillPath(operation.template, (part) => path[part]);
	return { ...prepared, operation, path, address };
}

/** The record that is there. @throws RequestError if it is not known which one it is, or whether it exists */
function certain(
	{ what, update }: MatchFirst,
	says: string,
	key: string,
	seen: Seen,
	made: Made | undefined,
): KeyedRecord | undefined {
	const found = seen.records.get(key) ?? (made?.record ? [made.record] : []);
	if (found.length > 1)
		throw held(
			`${found.length} ${what} have ${says}`,
			`It is not known which one is meant. Change or delete all but one: ${named(found)}.`,
		);
	if (found[0] && !(update && seen.why)) return found[0];
	const notWhole = seen.why && `Not all ${what} were seen, because ${seen.why}. Run it again.`;
	const reason = seen.mayBe.get(key) ?? seen.unclear ?? notWhole;
	if (reason) throw held(notKnown, `${reason} ${duplicate}`);
	if (made)
		throw held(
			notKnown,
			`Another item has ${says}, too, and it is not known whether its record was created. Run it again.`,
		);
	return undefined;
}

const withCreated = (delivery: Delivery, created: boolean): Delivery =>
	delivery.unproven
		? delivery
		: { ...delivery, records: delivery.records.map((record) => ({ ...record, created })) };

/** Looks for a record before it is created, and after a lost response. */
export function findMatch(
	execution: Delivering,
	prepared: PreparedRequest,
	match: MatchFirst,
): Finder {
	const { body, report, checked } = prepared;
	const { matching = [] } = report;
	const { update } = match;
	const says = match.says(body, matching);
	const known = knownOf(execution, prepared, match);
	const { key, turn } = known;
	return {
		turn,
		before: async () => {
			if (key === undefined)
				throw held(
					`No record can be matched by ${says}`,
					'Records are matched by text, by numbers of up to 15 digits, and by true and false.',
				);
			const madeInRun = known.madeInRun();
			const seen = madeInRun?.record ? undefined : await known.once(key);
			const made = madeInRun ?? (seen && known.madeSince(seen));
			const record = madeInRun?.record ?? (seen && certain(match, says, key, seen, made));
			if (!record) {
				if (seen?.hint) execution.hints.add(seen.hint);
				return { known: [] };
			}
			if (!update) return { there: withCreated({ records: [record.row] }, false) };
			// What the list does not show although it was read later is deleted by now, or the list lags.
			const isShown = seen?.records.has(key) === true || made === undefined;
			const instead = updateOf(execution, prepared, update, record, says);
			return { instead, mayBeGone: !isShown && made.at < (seen?.since ?? 0) };
		},
		look: async (before) => {
			const verdict = await looking(
				execution,
				async () => await ifShown(known.now(String(key))),
				(seen) => {
					const [record, ...more] = seen.records.get(String(key)) ?? [];
					if (more.length > 0) return { unknown: 'several' };
					// Another user may have created it meanwhile, with other values.
					if (record && showsFields(record.values ?? {}, update?.sent(body) ?? {}) === false)
						return { unknown: 'alike' };
					if (record) return { found: { records: [record.row] } };
					return (seen.why ?? seen.unclear) ? { unknown: 'part' } : { absent: 'missing' };
				},
			)(before);
			if (!('found' in verdict)) known.note();
			return verdict;
		},
		delivered: (delivery, instead) => {
			if (!instead) {
				const made = delivery.unproven ? [] : delivery.records.slice(0, 1);
				const look = { keys: [], countries: [], matching, checked };
				known.note(match.records(made, look, made.length).records[0]);
			}
			return withCreated(delivery, !instead);
		},
	};
}
