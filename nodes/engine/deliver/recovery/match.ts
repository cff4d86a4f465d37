import { isEqual, sum, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { ifShown, looking } from './finder';
import { listBeside } from '../../execution';
import { clock, lookAfterMs } from '../../http/clock';
import { fillPath } from '../../http/path';
import { guessing, perPage } from '../../pages/pages';
import { fewSearches, readWhole, type Search, type WholeRequest } from '../../pages/whole';
import { RequestError, rethrow } from '../../errors/requestError';
import { atEndpoint } from '../../operation/kinds';
import { showsFields } from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';
import type {
	Before,
	First,
	Finder,
	Verdict,
	PreparedRequest,
	KeyedRecord,
	Look,
	MatchFirst,
	Delivering,
} from '../../operation/operation';
import type { Delivery } from '../../journal/journal';

interface Seen {
	records: Map<string, KeyedRecord[]>;
	mayBe: Map<string, string>;
	/** Why nothing can be concluded from what it does not show, in a sentence or as a part of one. */
	unclear?: string;
	why?: string;
	hint?: string;
	since: number;
	ended?: 'taken' | 'proven' | 'tried' | 'ignored';
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
	/** What the first page of the list told, where the run has several items. */
	sized?: Promise<Seen>;
	made: Map<string, Made>;
}

/** What this process made a moment ago: a list that was read before, or that lags, does not show it. */
const madeLately = new Map<string, Made>();
const lagMs = sum(lookAfterMs);

/** Forgets what this process made and now has deleted. @param ids among which is that of the record */
export function forgetMade(ids: unknown[]): void {
	for (const [name, { record }] of madeLately)
		if (ids.includes(record?.id)) madeLately.delete(name);
}
/** What is older than this is forgotten; the run that made it remembers it longer. */
const keptMs = 3_600_000;

/** Records that are looked at before n8n may do something else. */
const atATime = 5000;

const isWhole = ({ ended, why }: Seen): boolean => ended === undefined && why === undefined;

const mostNamed = 5;
const held = (message: string, details: string): RequestError =>
	new RequestError('notSent', 'nothing', { code: 'CANNOT_TELL', message, details });
const notKnown = 'It is not known whether the record exists already';
/** Sending what the list showed could undo what has changed since. */
const notMapped =
	'Some records that were updated have values in columns that were not mapped. Whether an update keeps them is not known: look at one on the platform, or map all columns.';

const withCreated = (delivery: Delivery, created: boolean): Delivery =>
	delivery.unproven
		? delivery
		: { ...delivery, records: delivery.records.map((record) => ({ ...record, created })) };

/** Looks for a record before it is created, and after a lost response. */
export class Matching implements Finder {
	readonly turn: unknown;
	private readonly matching: string[];
	private readonly key: string | undefined;
	private readonly says: string;
	private readonly name: string;
	private readonly memory: Memory;

	constructor(
		private readonly execution: Delivering,
		private readonly prepared: PreparedRequest,
		private readonly match: MatchFirst,
	) {
		const { client, lists, zones } = execution;
		const { body, item, report } = prepared;
		const { matching = [] } = report;
		const path = pathOfRead(match.in, prepared.pathValues);
		this.matching = matching;
		this.key = match.key(body, matching);
		this.says = match.says(body, matching);
		this.turn = [path, matching, this.key];
		this.name = JSON.stringify([client.workspace.origin, this.turn]);
		// Times in records are those of the zone that was asked for.
		const list = JSON.stringify([path, matching, zones.of(item).name]);
		this.memory = (lists.get(list) as Memory | undefined) ?? { made: new Map() };
		lists.set(list, this.memory);
	}

	async first(): Promise<First> {
		const { key, memory } = this;
		const { update } = this.match;
		if (key === undefined)
			throw held(
				`No record can be matched by ${this.says}`,
				'Records are matched by text, by numbers of up to 15 digits, and by true and false.',
			);
		const madeInRun = memory.made.get(key);
		const seen = madeInRun?.record ? undefined : await this.seenFirst(key);
		const made = madeInRun ?? (seen && this.madeSince(seen));
		const record = madeInRun?.record ?? (seen && this.certain(key, seen, made));
		if (!record) {
			if (seen?.hint) this.execution.hints.add(seen.hint, 'warning');
			return { before: [] };
		}
		if (!update) return { there: withCreated({ records: [record.row] }, false) };
		// What the list does not show although it was read later is deleted by now, or the list lags.
		const isShown = seen?.records.has(key) === true || made === undefined;
		const instead = this.updateOf(update, record);
		return { instead, mayBeGone: !isShown && made.at < (seen?.since ?? 0) };
	}

	async look(before: Before): Promise<Verdict> {
		const { update } = this.match;
		const key = String(this.key);
		const read = async (): Promise<Seen | undefined> => await ifShown(this.seenNow(key));
		const verdict = await looking(this.execution, read, (seen) => {
			const [record, ...more] = seen.records.get(key) ?? [];
			if (more.length > 0) return { unknown: 'several' };
			// Another user may have created it meanwhile, with other values.
			const sent = update?.sent(this.prepared.body) ?? {};
			if (record && showsFields(record.values, sent) === false) return { unknown: 'alike' };
			if (record) return { found: { records: [record.row] } };
			return (seen.why ?? seen.unclear) ? { unknown: 'part' } : { absent: 'missing' };
		})(before);
		if (!('found' in verdict)) this.note();
		return verdict;
	}

	uncertain(): void {
		this.note();
	}

	delivered(delivery: Delivery, instead?: true): Delivery {
		if (!instead) {
			const made = delivery.unproven ? [] : delivery.records.slice(0, 1);
			const look = { ...this.lookFor([]), keys: [] };
			this.note(this.match.records(made, look, made.length).records[0]);
		}
		return withCreated(delivery, !instead);
	}

	private lookFor(some: readonly PreparedRequest[]): Look {
		const { match, matching } = this;
		const { options } = this.execution;
		return {
			keys: uniq(some.flatMap(({ body }) => match.key(body, matching) ?? [])),
			countries: uniq(some.map(({ item }) => options(item).defaultCountry)),
			matching,
			checked: this.prepared.checked,
		};
	}

	private async read(some: readonly PreparedRequest[], more: Partial<WholeRequest> = {}) {
		const { execution, prepared, match } = this;
		const since = clock.now();
		const look = this.lookFor(some);
		const keeps = match.keeps?.(look) ?? (() => true);
		const kept: IDataObject[] = [];
		const all = await readWhole({
			...listBeside(execution, prepared, match),
			take: (rows) => kept.push(...rows.filter(keeps)),
			...more,
		});
		await clock.sleep(0);
		const { records: keyed, unclear, hint } = match.records(kept, look, all.rows);
		await clock.sleep(0);
		// Of two readings, the later one counts.
		const latest = new Map(keyed.map((one) => [one.id || one, one]));
		const records = new Map<string, KeyedRecord[]>();
		const mayBe = new Map<string, string>();
		let looked = 0;
		for (const record of latest.values()) {
			if (looked++ % atATime === 0) await clock.sleep(0);
			for (const key of record.keys) {
				const others = records.get(key);
				if (others) others.push(record);
				else records.set(key, [record]);
			}
			for (const [key, reason] of record.mayBe ?? []) mayBe.set(key, reason);
		}
		const { why, ended } = all.whole ? {} : all;
		return { records, mayBe, unclear, hint, why, since, ended };
	}

	private async searched(key: string): Promise<Seen | undefined> {
		const { execution, prepared, match, search: how } = this;
		if (!how) return undefined;
		const { guess, fits } = how;
		const query = guess(key);
		const { fetch } = listBeside(execution, prepared, match);
		const search = { fetch: guessing(fetch, query), fits: (row: IDataObject) => fits(row, query) };
		const seen = await this.read([prepared], search);
		return seen.ended ? undefined : seen;
	}

	private get search() {
		const { findsNumbers: confirmed } = this.execution.client.workspace;
		const how = this.match.search?.(this.matching);
		return how && { ...how, confirmed };
	}

	private async readOnce(
		which: 'sized' | 'whole',
		alike: readonly PreparedRequest[],
		search?: Search,
	): Promise<Seen> {
		const { memory } = this;
		const reading = (memory[which] ??= this.read(alike, { search }));
		return await reading.catch((thrown: unknown) => {
			// The next item may have more luck.
			if (memory[which] === reading) memory[which] = undefined;
			return rethrow(thrown);
		});
	}

	/**
	 * The list is read once for the run if it has no more pages than the run has items. Else, and where the list lacks
	 * something, each request searches: what is found is there. The list is read for what no search finds, unless the
	 * search is confirmed or proves itself.
	 */
	private async seenInRun(key: string): Promise<Seen> {
		const { memory, prepared, matching, search } = this;
		const known = await memory.whole;
		if (known && isWhole(known)) return known;
		const alike = this.execution.requests.filter(({ report }) =>
			isEqual(report.matching ?? [], matching),
		);
		let isTrusted = known?.ended === 'proven' || search?.confirmed === true;
		if (search && !known && alike.length > fewSearches) {
			const pays = (total: number): boolean => alike.length < Math.ceil(total / perPage.max);
			const sized = await this.readOnce('sized', alike, { ...search, pays, isTried: true });
			if (isWhole(sized)) return sized;
			isTrusted ||= sized.ended === 'proven';
			if (!sized.ended) memory.whole = Promise.resolve(sized);
		}
		const found = await this.searched(key);
		if (found && (isTrusted || found.records.has(key))) return found;
		const whole = await this.readOnce('whole', alike, isTrusted ? undefined : search);
		return whole.ended === 'proven' ? (found ?? (await this.read([prepared]))) : whole;
	}

	private async seenFirst(key: string): Promise<Seen> {
		if (!this.memory.first) return await (this.memory.first = this.seenInRun(key));
		await this.memory.first.catch(() => undefined);
		return await this.seenInRun(key);
	}

	private async seenNow(key: string): Promise<Seen> {
		const found = this.memory.whole ? undefined : await this.searched(key);
		const isEnough = found && (this.search?.confirmed === true || found.records.has(key));
		return isEnough ? found : await this.read([this.prepared]);
	}

	/** What was made too late for a reading to show it for certain. */
	private madeSince({ since }: Seen): Made | undefined {
		const made = madeLately.get(this.name);
		return made && made.at >= since - lagMs ? made : undefined;
	}

	private note(record?: KeyedRecord): void {
		const made = { record, at: clock.now() };
		this.memory.made.set(String(this.key), made);
		madeLately.delete(this.name);
		madeLately.set(this.name, made);
		for (const [old, { at }] of madeLately) {
			if (made.at - at <= keptMs) break;
			madeLately.delete(old);
		}
	}

	private updateOf({ endpoint, id, sent }: NonNullable<MatchFirst['update']>, record: KeyedRecord) {
		const { prepared } = this;
		if (!/^(?!\.\.?$)[^\s/?#]+$/.test(record.id))
			throw held(
				`A record has ${this.says} already, but the platform does not show its ID`,
				'Without the ID it cannot be updated. Run it again, or look the ID up on the platform.',
			);
		const values = Object.entries(record.values);
		if (values.some(([column, value]) => !(column in sent(prepared.body)) && value !== null))
			this.execution.hints.add(notMapped, 'warning');
		const operation = atEndpoint(prepared.operation, endpoint);
		const pathValues: IDataObject = { ...prepared.pathValues, [id]: record.id };
		const path = fillPath(operation.template, (part) => pathValues[part]);
		return { ...prepared, operation, pathValues, path };
	}

	/** @throws RequestError if it is not known which one it is, or whether it exists */
	private certain(key: string, seen: Seen, made: Made | undefined): KeyedRecord | undefined {
		const { match, says } = this;
		const { what, update } = match;
		const found = seen.records.get(key) ?? (made?.record ? [made.record] : []);
		if (found.length > 1) {
			const ids = found.slice(0, mostNamed).map(({ id }) => id || 'one without an ID');
			const named = [...ids, ...(found.length > mostNamed ? ['…'] : [])].join(', ');
			throw held(
				`${found.length} ${what} have ${says}`,
				`It is not known which one is meant. Change or delete all but one: ${named}.`,
			);
		}
		if (found[0] && !(update && seen.why)) return found[0];
		const notWhole = seen.why && `Not all ${what} were seen, because ${seen.why}. Run it again.`;
		const reason = seen.mayBe.get(key) ?? seen.unclear ?? notWhole;
		if (reason) throw held(notKnown, `${reason} Creating it could make a duplicate.`);
		if (made)
			throw held(
				notKnown,
				`Another item has ${says}, too, and it is not known whether its record was created. Run it again.`,
			);
		return undefined;
	}
}
