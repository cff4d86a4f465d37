import { isEqual, sum } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { comparable, together } from './comparable';
import { type Finder, lookAfterMs, lookAgain, type Verdict, withCreated } from './finder';
import { type Delivering, readBeside } from '../../execution';
import { clock } from '../../http/clock';
import { fillPath } from '../../http/path';
import { readPage } from '../../pages/layouts';
import { doubtReason, mayBeFirstPage, paginate, readForDecision } from '../../pages/pages';
import { RequestError } from '../../errors/requestError';
import type { ShownRecord } from '../../lookups/tableCells';
import type { PreparedRequest } from '../../operation/preparedRequest';
import { type MatchFirst, showsFields } from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';
import { rethrow } from '../../errors/rethrow';
import { quoted } from '../../text/text';

/** A record that is there; of one that was just created, nothing but its ID is known. */
type Found = Pick<ShownRecord, 'id'> & Partial<ShownRecord>;

/** What a reading of the whole list says about the records that are asked for. */
interface Matches {
	/** By what they can be found by. */
	records: Map<string, Found[]>;
	/** Why there may be others. */
	doubt?: string;
	/** When the reading began. */
	since: number;
}

/** A record that this process created, or may have created. */
interface Made {
	/** Nothing if it is not known whether it was created. */
	record?: Found;
	at: number;
}

/** Maximum that a list lags behind, in milliseconds. */
const lagMs = sum(lookAfterMs);
/** What is older than this is forgotten; the run that made it remembers it longer. */
const keptMs = 3_600_000;
const madeLately = new Map<string, Made>();

function noteMade(name: string, record?: Found): void {
	const at = clock.now();
	madeLately.delete(name);
	madeLately.set(name, { at, record });
	for (const [old, made] of madeLately) {
		if (at - made.at <= keptMs) break;
		madeLately.delete(old);
	}
}

/** What was made too late for a reading to show it for certain. */
function madeSince(name: string, { since }: Matches): Made | undefined {
	const made = madeLately.get(name);
	return made && made.at >= since - lagMs ? made : undefined;
}

/** Records that a message names. */
const mostNamed = 5;
const named = (records: Found[]): string =>
	[
		...records.slice(0, mostNamed).map(({ id }) => id || 'one without an ID'),
		...(records.length > mostNamed ? ['…'] : []),
	].join(', ');

const held = (message: string, details: string): RequestError =>
	new RequestError('notSent', 'nothing', { code: 'CANNOT_TELL', message, details });
/** Sending what the list showed could undo what has changed since. */
const notMapped =
	'Some records that were updated have values in columns that were not mapped. Whether an update keeps them is not ' +
	'known: look at one on the platform, or map all columns.';
const notKnown = 'It is not known whether the record exists already';

/** What a request is looked for by; undefined if one of its values cannot be compared. */
function wantedOf({ body, report }: PreparedRequest, { sent }: MatchFirst): string | undefined {
	const forms = (report.matching ?? []).map((name) => comparable(sent(body)[name])?.[0]);
	return forms.includes(undefined) ? undefined : JSON.stringify(forms);
}

/**
 * Reads the whole list.
 * @param wanted what is asked for
 * @throws RequestError
 */
async function readMatches(
	execution: Delivering,
	prepared: PreparedRequest,
	{ in: list, pageSize, id, shown }: MatchFirst,
	wanted: Set<string>,
): Promise<Matches> {
	const { matching = [] } = prepared.report;
	const path = pathOfRead(list, prepared.path);
	const compare = (rows: IDataObject[]): Pick<Matches, 'records'> & { unclear?: string } => {
		const records = new Map<string, Found[]>();
		const listed = shown(rows, prepared.consulted);
		if (!listed) return { records, unclear: 'The list shows columns of the table in two places.' };
		for (const record of listed) {
			const forms = matching.map((name) => comparable(record.values[name]));
			const hidden = matching[forms.indexOf(undefined)];
			if (hidden !== undefined)
				return {
					records,
					unclear: `No record of the list shows the column ${quoted(hidden)}, or one shows it in a way that cannot be compared. Match on another column.`,
				};
			for (const key of together(forms.map((some) => some ?? [])))
				if (wanted.has(key)) records.set(key, [...(records.get(key) ?? []), record]);
		}
		return { records };
	};
	const since = clock.now();
	const { seen, doubt } = await readForDecision(async (doubted) => {
		let received = 0;
		const rows = await paginate({
			fetch: async (query, reads) => {
				const response = await readBeside(execution, prepared, path, { query, reads });
				received += readPage(response.body).rows.length;
				return response;
			},
			query: {},
			limit: Infinity,
			pageSize,
			id,
			doubt: doubted,
		});
		return { ...compare(rows), repeats: mayBeFirstPage(received, rows.length) };
	});
	const { records, unclear, repeats } = seen;
	const why =
		doubt === undefined
			? repeats && 'the platform returned a page of the list twice'
			: doubtReason[doubt];
	return {
		records,
		since,
		doubt: why ? `Not all records may have been read, because ${why}. Run it again.` : unclear,
	};
}

/** Readings of each run, by list and columns. */
const readings = new WeakMap<Delivering, Map<string, Promise<Matches>>>();

/** The same, once for all items of the run that match on the same columns. @throws RequestError */
async function readOnce(
	execution: Delivering,
	prepared: PreparedRequest,
	match: MatchFirst,
): Promise<Matches> {
	const { matching } = prepared.report;
	const ofRun = readings.get(execution) ?? new Map<string, Promise<Matches>>();
	readings.set(execution, ofRun);
	const place = JSON.stringify([pathOfRead(match.in, prepared.path), matching]);
	const wanted = () =>
		execution.requests
			.filter(({ report }) => isEqual(report.matching, matching))
			.flatMap((request) => wantedOf(request, match) ?? []);
	const reading = ofRun.get(place) ?? readMatches(execution, prepared, match, new Set(wanted()));
	ofRun.set(place, reading);
	return await reading.catch((thrown: unknown) => {
		// The next item may have more luck.
		if (ofRun.get(place) === reading) ofRun.delete(place);
		return rethrow(thrown);
	});
}

/**
 * Matches a record before it is created. What this process creates meanwhile counts, too, because the list is read once
 * for the whole run, and because it may lag.
 */
export function findMatch(
	execution: Delivering,
	prepared: PreparedRequest,
	match: MatchFirst,
): Finder & { turn: unknown } {
	const { operation, body, report, consulted } = prepared;
	const sent = match.sent(body);
	const { matching = [] } = report;
	const wanted = wantedOf(prepared, match);
	const turn = [pathOfRead(match.in, prepared.path), matching, wanted];
	const name = JSON.stringify([execution.client.workspace.origin, turn]);
	const values = matching.map((column) => `${quoted(column)} ${quoted(sent[column])}`).join(', ');

	/** The request that updates a record. @throws RequestError if the platform does not show its ID */
	const updateOf = ({ id: record, values: shown = {} }: Found): PreparedRequest => {
		const { operation: update, id } = operation.instead as NonNullable<typeof operation.instead>;
		if (!/^(?!\.\.?$)[^\s/?#]+$/.test(record))
			throw held(
				`A record has ${values} already, but the platform does not show its ID`,
				'Without the ID it cannot be updated. Run it again, or look the ID up on the platform.',
			);
		const kept = Object.keys(shown).filter((column) => !(column in sent) && shown[column] !== null);
		if (kept.length > 0) execution.hints.add(notMapped);
		const path: IDataObject = { ...prepared.path, [id]: record };
		const address = fillPath(update.template, (part) => path[part]);
		return { ...prepared, operation: update, path, address };
	};

	let ofRun: Matches | undefined;
	return {
		turn,
		before: async () => {
			if (wanted === undefined)
				throw held(
					`No record can be matched by ${values}`,
					'Records are matched by text, by numbers of up to 15 digits, and by true and false.',
				);
			ofRun = await readOnce(execution, prepared, match);
			if (ofRun.doubt !== undefined) throw held(notKnown, ofRun.doubt);
			const made = madeSince(name, ofRun);
			const shown = ofRun.records.get(wanted);
			const found = shown ?? (made?.record ? [made.record] : []);
			if (found.length > 1)
				throw held(
					`${found.length} records have ${values}`,
					`It is not known which one to update. Change or delete all but one: ${named(found)}.`,
				);
			// What the list does not show although it was read later is deleted by now, or the list lags.
			const mayBeGone = !shown && made !== undefined && made.at < ofRun.since;
			if (found[0]) return { instead: updateOf(found[0]), mayBeGone };
			if (made)
				throw held(
					notKnown,
					`Another item has ${values}, too, and it is not known whether its record was created. Run it again.`,
				);
			return { known: [] };
		},
		look: async () => {
			let last: Matches | undefined;
			let alike = false;
			const seen = await lookAgain<Verdict>(execution, async () => {
				try {
					last = await readMatches(execution, prepared, match, new Set([String(wanted)]));
					const [record, ...more] = last.records.get(String(wanted)) ?? [];
					if (more.length > 0) return { unknown: 'several' };
					// Another user may have created it meanwhile, with other values.
					alike = record !== undefined && showsFields(record.values ?? {}, sent) === false;
					return record && !alike ? { found: { records: [record.row ?? {}] } } : undefined;
				} catch (thrown) {
					return thrown instanceof RequestError ? undefined : rethrow(thrown);
				}
			});
			if (seen && 'found' in seen) return seen;
			noteMade(name);
			if (seen) return seen;
			if (alike) return { unknown: 'alike' };
			if (!last) return { unknown: 'impossible' };
			return last.doubt === undefined ? { absent: 'missing' } : { unknown: 'part' };
		},
		delivered: (delivery, instead) => {
			if (!instead) {
				const made = delivery.unproven ? [] : delivery.records.slice(0, 1);
				const [record] = match.shown(made, consulted) ?? [];
				noteMade(name, record);
				if (record && wanted !== undefined) ofRun?.records.set(wanted, [record]);
			}
			return withCreated(delivery, !instead);
		},
		hint:
			"The platform's response was lost, but the record was created. It was found on the platform and not created " +
			'again.',
	};
}
