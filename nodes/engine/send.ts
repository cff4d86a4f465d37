import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { min } from 'lodash';
import { isApiRequest } from './apiRequest';
import { answerAsFile, fileOf } from './files';
import { Cancelled } from './http/clock';
import { Fault } from './http/fault';
import { guessing, paginate } from './http/paginate';
import { findOrCreate } from './findOrCreate';
import { createOnce } from './oneShot';
import { item, records, simplified } from './output';
import { mostConcurrency } from './options';
import type { Prepared } from './prepare';
import { classOf, progress, stopped, type Result } from './report';
import type { Run } from './run';
import { formOf } from './uploads';
import { waitFor } from './wait';
import { writeOnce } from './writeOnce';

/** Requests under way at once where the user chose nothing; measured (docs/benchmarks.md). */
export const defaultConcurrency = 64;
/** Uploads under way at once where the user chose nothing: each holds its file in memory. */
const uploadConcurrency = 2;

/**
 * Sends with bounded concurrency; the first fault stops further sends when the node stops on error.
 * @returns what became of each request, in the order given
 * @throws NodeApiError for the first fault when the node stops on error
 */
export async function sendAll(running: Run, ready: Prepared[], stops: boolean): Promise<Result[]> {
	const results: Result[] = Array.from({ length: ready.length });
	const { gate } = running;
	const halt = new AbortController();
	running.ready = ready;
	running.signal = AbortSignal.any([halt.signal, ...(gate.signal ? [gate.signal] : [])]);
	// A list reads several pages at once by itself.
	const usual = ready.some(({ files }) => files.length > 0)
		? uploadConcurrency
		: defaultConcurrency;
	const { wait } = running.operation;
	const list = ready.some(({ operation }) => operation.list);
	const most = wait?.atOnce?.most ?? mostConcurrency;
	const wanted = list ? 4 : (leastAllowed(running, ready) ?? wait?.atOnce?.most ?? usual);
	if (wait?.atOnce && ready.length > most) running.hints.add(wait.atOnce.why);
	// One costly one-shot after the other, so that each can tell its own record from the others'.
	const width = ready.some(isCostly) ? 1 : Math.max(1, Math.min(wanted, most, ready.length));
	let next = 0;
	let ended: unknown;
	const work = async () => {
		while (next < ready.length && !halt.signal.aborted) {
			const at = next++;
			const prepared = ready[at] as Prepared;
			try {
				results[at] = { items: await sendOne(running, prepared) };
			} catch (thrown) {
				if (thrown instanceof Fault) {
					results[at] = { fault: thrown };
					// What an earlier try left uncertain holds up nothing.
					if (stops && thrown.kind !== 'uncertain') halt.abort();
					continue;
				}
				if (thrown instanceof Cancelled) {
					if (thrown.outcome !== 'nothing')
						results[at] = { fault: new Fault('dropped', thrown.outcome) };
					// Another item's fault ended this one before it was sent.
					if (!gate.signal?.aborted) continue;
				}
				ended ??= thrown;
				halt.abort();
			}
		}
	};
	await Promise.all(Array.from({ length: width }, work));
	if (ended !== undefined) {
		throw ended instanceof Cancelled
			? new NodeOperationError(running.context.getNode(), 'The execution was canceled', {
					description: progress(ready, results),
				})
			: (ended as Error);
	}
	if (stops && results.some((result) => result && 'fault' in result))
		throw stopped(running, ready, results);
	return results;
}

/** How many may be under way at once where items say so: as few as the most careful of them, undefined where none does. */
const leastAllowed = (running: Run, ready: Prepared[]): number | undefined =>
	min(ready.flatMap(({ item: index }) => running.options(index).concurrency ?? []));

/** Whether a request is a costly one-shot: what it creates is looked for before it is sent twice. */
const isCostly = ({ operation: { look }, body }: Prepared): boolean =>
	look !== undefined && look.when?.(body) !== false;

/** One prepared request, with everything its operation asks for around it. */
async function sendOne(running: Run, prepared: Prepared): Promise<INodeExecutionData[]> {
	const { keys } = running;
	const { operation } = prepared;
	const simplify = prepared.simplify
		? (rows: IDataObject[]) => rows.map((row) => simplified(row, operation))
		: (rows: IDataObject[]) => rows;
	// A file or a wait needs the whole record first; everything else is cut down before it is kept.
	const whole =
		operation.download !== undefined ||
		operation.wait !== undefined ||
		operation.hint !== undefined;
	const shorten = whole ? (rows: IDataObject[]) => rows : simplify;

	const options = running.options(prepared.item);
	if (isApiRequest(operation) && options.downloadFile === true)
		return [await answerAsFile(running, prepared, options)];

	let rows: IDataObject[];
	if (operation.list) {
		rows = await readList(running, prepared, shorten);
	} else if (operation.method === 'GET') {
		rows = shorten(await request(running, prepared));
	} else {
		const send = async () => await request(running, prepared);
		const { find, look, wait } = operation;
		const create = async () =>
			find
				? await findOrCreate(running, prepared, find, send)
				: look && isCostly(prepared)
					? await createOnce(running, prepared, look, send)
					: classOf(operation) === 'keyed'
						? await send()
						: await writeOnce(running, prepared, send);
		rows = keys.doneBefore(prepared) ?? shorten(await create());
		keys.markDone(prepared, rows);
		prepared.begun = wait?.begun?.(rows[0] ?? {});
	}
	const { facts } = prepared.report;
	if (!whole) return rows.map((row) => item({ ...row, ...facts }, prepared.items));

	if (operation.wait) rows = [await waitFor(running, prepared, operation.wait, rows[0] ?? {})];
	return await Promise.all(
		rows.map(async (row) => {
			const said = operation.hint?.(row);
			if (said) running.hints.add(said);
			const [short = row] = simplify([row]);
			const out = item({ ...short, ...facts }, prepared.items);
			if (operation.download)
				await fileOf(running, operation.download, row, out, running.options(prepared.item));
			return out;
		}),
	);
}

/** A list, page by page, up to the user's limit. */
async function readList(
	running: Run,
	prepared: Prepared,
	take: (rows: IDataObject[]) => IDataObject[],
): Promise<IDataObject[]> {
	const { gate } = running;
	const { operation, limit } = prepared;
	const narrow = operation.list?.narrow;
	const fetch = async (query: IDataObject) =>
		await gate.request({
			...running.call(prepared),
			method: operation.method,
			path: prepared.address,
			query,
			class: 'read',
		});
	const narrowed = narrow !== undefined && Object.keys(prepared.narrow).length > 0;
	return await paginate({
		fetch: narrowed && narrow.guess ? guessing(fetch, narrow.guess(prepared.narrow)) : fetch,
		query: prepared.query,
		limit,
		rows: operation.list?.rows,
		pageSize: operation.list?.pageSize,
		...(narrowed ? { keeps: (row) => narrow.keeps(row, prepared.narrow) } : {}),
		take,
	});
}

/** Sends one request and takes the records out of its answer. @throws Fault */
async function request(running: Run, prepared: Prepared): Promise<IDataObject[]> {
	const { gate } = running;
	const { operation } = prepared;
	const call = running.call(prepared);
	const seconds = operation.takes?.(prepared.body);
	const answer = await gate.request({
		...call,
		...(isCostly(prepared) ? { retryWrites: false } : {}),
		...(seconds === undefined ? {} : { timeout: Math.max(call.timeout ?? 60, seconds + 10) }),
		method: operation.method,
		path: prepared.address,
		query: prepared.query,
		...(prepared.files.length || operation.multipart
			? { form: await formOf(running.context, prepared) }
			: operation.method === 'GET'
				? {}
				: { body: prepared.body }),
		class: classOf(operation),
		kind: operation.send ? 'send' : 'other',
	});
	return records(answer.body, prepared);
}
