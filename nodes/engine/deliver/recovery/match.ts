import { isEqual, sum, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { type Finder, lookAfterMs, lookAgain, type Verdict, withCreated } from './finder';
import { type Delivering, listBeside } from '../../execution';
import { clock } from '../../http/clock';
import { fillPath } from '../../http/path';
import { guessing, NotNarrowed, readWhole, type Whole } from '../../pages/pages';
import { isProven } from '../../pages/provenSearch';
import { RequestError } from '../../errors/requestError';
import { rethrow } from '../../errors/rethrow';
import { atEndpoint } from '../../operation/kinds';
import type { PreparedRequest } from '../../operation/preparedRequest';
import {
	type KeyedRecord,
	type Look,
	type MatchFirst,
	showsFields,
} from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';

/** What a reading of the list says about the records that are asked for. */
interface Seen {
	records: Map<string, KeyedRecord[]>;
	/** Why another record may be the one. */
	mayBe: Map<string, string>;
	/** Why nothing can be concluded from what it does not show, in a sentence or as a part of one. */
	unclear?: string;
	why?: string;
	hint?: string;
	/** When the reading began. */
	since: number;
	/** The reading ended because the search is proven. */
	searches: boolean;
}

/** A record that was created; none if it is not known whether it was. */
interface Made {
	record?: KeyedRecord;
	at: number;
}

/** What a run knows of a list. */
interface Memory {
	/** Settles when the first request of the run has looked: all others profit from what it found out. */
	first?: Promise<unknown>;
	/** The whole list, read once for all requests of the run. */
	whole?: Promise<Seen>;
	/** What the run made, by key. */
	made: Map<string, Made>;
}

/** What this process made a moment ago: a list that was read before, or that lags, does not show it. */
const madeLately = new Map<string, Made>();
/** Maximum that a list lags behind, in milliseconds. */
const lagMs = sum(lookAfterMs);
/** What is older than this is forgotten; the run that made it remembers it longer. */
const keptMs = 3_600_000;

/** Records that a message names. */
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

/** Reads the list in which the record of a request would be. */
function readerFor(execution: Delivering, prepared: PreparedRequest, match: MatchFirst) {
	const { options, requests } = execution;
	const { report, consulted } = prepared;
	const { matching = [] } = report;
	const list = listBeside(execution, prepared, match);
	const lookFor = (some: readonly PreparedRequest[]): Look => ({
		keys: uniq(some.flatMap(({ body }) => match.key(body, matching) ?? [])),
		countries: uniq(some.map(({ item }) => options(item).defaultCountry)),
		matching,
		consulted,
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
		const searches = !all.whole && all.ended === true;
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
			take: async (rows, { reading, isFirst, isOnly }) => {
				for (const row of rows) if (keeps(row)) kept.push(row);
				if (!proves || !match.search || reading > 1 || !isFirst || isOnly) return false;
				const { proof, fits } = match.search;
				const record = rows.find((row) => proof(row) !== undefined);
				const query = record && proof(record);
				return query
					? await isProven(list, { query, record, fits: (row) => fits(row, query) })
					: false;
			},
		});
		return seenOf(look, kept, all, since);
	};
	return {
		/** The whole list, for this request alone. */
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
			try {
				const all = await readWhole({
					...list,
					fetch: guessing(list.fetch, query),
					take: (rows) => {
						if (rows.some((row) => !fits(row, query))) throw new NotNarrowed();
						kept.push(...rows);
					},
				});
				return seenOf(lookFor([prepared]), kept, all, since);
			} catch (thrown) {
				return thrown instanceof NotNarrowed ? undefined : rethrow(thrown);
			}
		},
	};
}

/** Looks for a record before it is created, and after a lost response. */
export function findMatch(
	execution: Delivering,
	prepared: PreparedRequest,
	match: MatchFirst,
): Finder & { turn: unknown } {
	const { client, hints, lists, zones } = execution;
	const { operation, body, report, consulted, item } = prepared;
	const { matching = [] } = report;
	const { update } = match;
	const key = match.key(body, matching);
	const says = match.says(body, matching);
	const path = pathOfRead(match.in, prepared.path);
	const turn = [path, matching, key];
	const name = JSON.stringify([client.workspace.origin, turn]);
	// Times in records are those of the zone that was asked for.
	const listName = JSON.stringify([path, matching, zones.of(item).name]);
	const memory: Memory = (lists.get(listName) as Memory | undefined) ?? { made: new Map() };
	lists.set(listName, memory);
	const reader = readerFor(execution, prepared, match);

	const note = (record?: KeyedRecord): void => {
		const made = { record, at: clock.now() };
		memory.made.set(String(key), made);
		madeLately.delete(name);
		madeLately.set(name, made);
		for (const [old, { at }] of madeLately) {
			if (made.at - at <= keptMs) break;
			madeLately.delete(old);
		}
	};
	/** What was made too late for a reading to show it for certain. What is not updated must be shown. */
	const madeSince = ({ since }: Seen): Made | undefined => {
		const made = madeLately.get(name);
		return made && made.at >= since - (update ? lagMs : 0) ? made : undefined;
	};
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
	/** The request that updates a record. @throws RequestError if the platform does not show its ID */
	const updateOf = (record: KeyedRecord): PreparedRequest => {
		const { endpoint, id, sent } = update as NonNullable<typeof update>;
		if (!/^(?!\.\.?$)[^\s/?#]+$/.test(record.id))
			throw held(
				`A record has ${says} already, but the platform does not show its ID`,
				'Without the ID it cannot be updated. Run it again, or look the ID up on the platform.',
			);
		const values = Object.entries(record.values ?? {});
		if (values.some(([column, value]) => !(column in sent(body)) && value !== null))
			hints.add(notMapped);
		const changed = atEndpoint(operation, endpoint);
		const filled: IDataObject = { ...prepared.path, [id]: record.id };
		const address = fillPath(changed.template, (part) => filled[part]);
		return { ...prepared, operation: changed, path: filled, address };
	};
	/** The record that is there. @throws RequestError if it is not known which one it is, or whether it exists */
	const certain = (wanted: string, seen: Seen, made?: Made): KeyedRecord | undefined => {
		const found = seen.records.get(wanted) ?? (made?.record ? [made.record] : []);
		if (found.length > 1)
			throw held(
				`${found.length} ${match.what} have ${says}`,
				`It is not known which one is meant. Change or delete all but one: ${named(found)}.`,
			);
		if (found[0] && !(update && seen.why)) return found[0];
		const {
			why,
			unclear = why && `Not all ${match.what} were seen, because ${why}. Run it again.`,
		} = seen;
		const reason = seen.mayBe.get(wanted) ?? unclear;
		if (reason) throw held(notKnown, `${reason} ${duplicate}`);
		if (made)
			throw held(
				notKnown,
				`Another item has ${says}, too, and it is not known whether its record was created. Run it again.`,
			);
		if (seen.hint) hints.add(seen.hint);
		return undefined;
	};

	return {
		turn,
		before: async () => {
			if (key === undefined)
				throw held(
					`No record can be matched by ${says}`,
					'Records are matched by text, by numbers of up to 15 digits, and by true and false.',
				);
			const ofRun = memory.made.get(key);
			const looked = memory.first?.catch(() => undefined).then(async () => await find(key));
			const seen = ofRun?.record ? undefined : await (looked ?? (memory.first = find(key)));
			const made = ofRun ?? (seen && madeSince(seen));
			const record = ofRun?.record ?? (seen && certain(key, seen, made));
			if (!record) return { known: [] };
			if (!update) return { there: withCreated({ records: [record.row] }, false) };
			// What the list does not show although it was read later is deleted by now, or the list lags.
			const isShown = seen?.records.has(key) === true || made === undefined;
			return { instead: updateOf(record), mayBeGone: !isShown && made.at < (seen?.since ?? 0) };
		},
		look: async () => {
			const wanted = String(key);
			let last: Seen | undefined;
			let isAlike = false;
			const verdict = await lookAgain<Verdict>(execution, async () => {
				try {
					const searched = memory.whole ? undefined : await reader.searched(wanted);
					last = searched?.records.has(wanted) ? searched : await reader.own();
					const [record, ...more] = last.records.get(wanted) ?? [];
					if (more.length > 0) return { unknown: 'several' };
					// Another user may have created it meanwhile, with other values.
					isAlike = showsFields(record?.values ?? {}, update?.sent(body) ?? {}) === false;
					return record && !isAlike ? { found: { records: [record.row] } } : undefined;
				} catch (thrown) {
					return thrown instanceof RequestError ? undefined : rethrow(thrown);
				}
			});
			if (!verdict || !('found' in verdict)) note();
			if (verdict) return verdict;
			if (isAlike) return { unknown: 'alike' };
			if (!last) return { unknown: 'impossible' };
			return (last.why ?? last.unclear) ? { unknown: 'part' } : { absent: 'missing' };
		},
		delivered: (delivery, instead) => {
			if (!instead) {
				const made = delivery.unproven ? [] : delivery.records.slice(0, 1);
				const look = { keys: [], countries: [], matching, consulted };
				note(match.records(made, look, made.length).records[0]);
			}
			return withCreated(delivery, !instead);
		},
		hint:
			"The platform's response was lost, but the record was created. It was found on the platform and not created " +
			'again.',
	};
}
