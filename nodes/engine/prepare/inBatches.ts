import { mapValues, range } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { operationError } from '../errors/errorText';
import { partOf } from '../journal/journal';
import { digest } from '../text/text';
import { atEndpoint } from '../operation/kinds';
import { recipientCount } from '../operation/places';
import type { PreparedRequest, Execution } from '../operation/operation';

type Batch = [from: number, rows: number];

export function withRows(
	request: PreparedRequest,
	list: string,
	part: <T>(rows: T[]) => T[],
): PreparedRequest {
	const { body, report } = request;
	const rows = mapValues(report.rows, (made) => ({ ...made, items: part(made.items) }));
	const [made] = Object.values(rows);
	return {
		...request,
		items: made ? made.items.flat().sort((one, other) => one - other) : request.items,
		body: { ...body, [list]: part(body[list] as IDataObject[]) },
		report: { ...report, rows },
	};
}

/** The request for a part of the list. The first part makes what the others are added to. */
function requestFor(
	undivided: PreparedRequest,
	list: string,
	[from, size]: Batch,
): PreparedRequest {
	const part = {
		...withRows(undivided, list, (rows) => rows.slice(from, from + size)),
		identity: partOf(undivided.identity, `${from}+${size}`),
	};
	if (from === 0) return part;
	const { allItems: further, endpoint } = undivided.operation;
	const { body, items, report } = part;
	const later = {
		...part,
		item: items[0] as number,
		batchOf: undivided,
		ownKey: undefined,
		report: { facts: {}, sentences: [], rows: report.rows, moments: [] },
	};
	if (further === undefined || further === endpoint) return later;
	const operation = atEndpoint(undivided.operation, further);
	return { ...later, operation, path: operation.template, body: { [list]: body[list] } };
}

/** Batches of this size for the rows that have not left, between those that have. */
function fill(left: Batch[], rows: number, size: number): Batch[] {
	const batches: Batch[] = [];
	let at = 0;
	for (const [from, count] of [...left, [rows, 0] as Batch]) {
		for (const start of range(at, from, size)) batches.push([start, Math.min(size, from - start)]);
		if (count > 0) batches.push([from, count]);
		at = from + count;
	}
	return batches;
}

/** Rows are known by their places, which mean nothing once other rows are left out. */
const changed = {
	message: 'An earlier try sent a part of this list, and now other rows would be skipped',
	description:
		'Nothing was sent in this try, so that no row is sent twice. Skip the same rows as before. Or check the platform and send the missing rows in a new run.',
};

/** What an earlier try sent keeps its borders. @returns requests in the order in which they must leave */
export function inBatches(
	{ context, journal, options }: Execution,
	undivided: PreparedRequest,
): PreparedRequest[] {
	const { allItems, reaches: { rows: list } = {} } = undivided.operation;
	const rows = recipientCount(undivided);
	if (!allItems || list === undefined || rows === 0) return [undivided];
	const size = options(undivided.item).batchSize ?? rows;
	const requestOf = (batch: Batch): PreparedRequest =>
		batch[1] >= rows ? undivided : journal.asSent(requestFor(undivided, list, batch));
	const places = () => digest(Object.values(undivided.report.rows)[0]?.items);
	const { borders } = journal.recordOf(undivided) ?? {};
	const left = borders?.batches.filter((batch) => journal.sentBefore(requestOf(batch))) ?? [];
	if (left.length > 0 && (borders?.batches.length ?? 0) > 1 && borders?.places !== places())
		throw operationError(context.getNode(), changed);
	const all = fill(left, rows, size);
	journal.plan(undivided, { batches: all, places: all.length > 1 ? places() : '' });
	const [first = undivided, ...others] = all.map(requestOf);
	return [first, ...others.map((other) => ({ ...other, batchOf: first }))];
}
