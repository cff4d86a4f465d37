import type { IDataObject } from 'n8n-workflow';
import { type Execution, listBeside } from '../execution';
import type { Problem } from '../fields/field';
import { describeError } from '../errors/errorText';
import { RequestError } from '../errors/requestError';
import { rethrow } from '../errors/rethrow';
import type { LaunchDefinition } from '../operation/operation';
import type { PreparedRequest } from '../operation/preparedRequest';
import { recipientsOf } from '../operation/recipients';
import { idOf } from '../journal/journal';
import { guessing, readWhole } from '../pages/pages';
import { commonForm } from '../phone/sameNumber';
import { quoted, tidy } from '../text/text';

const way = "Choose another 'Name', or turn on 'Start Again' under Options";

/** What is known of the people whom an earlier launch and this one reach. */
interface Overlap {
	/** People of this request whom it has reached. */
	again: number;
	/** Whether all its people are known, so that no other person can be in both. */
	whole: boolean;
}

/** Compares the people of an earlier launch, as far as its list shows them. @throws RequestError, Cancelled */
async function overlapOf(
	execution: Execution,
	prepared: PreparedRequest,
	launch: LaunchDefinition,
	record: IDataObject,
): Promise<Overlap> {
	const { people, sizeOf } = launch;
	const list = listBeside(execution, prepared, people);
	const persons = new Set<string>();
	const addresses = new Set<string>();
	const { whole } = await readWhole({
		...list,
		fetch: guessing(list.fetch, people.guess(record)),
		take: (rows) => {
			for (const row of rows.filter((one) => people.belongs(one, record))) {
				const shown = people.of(row).filter((value) => typeof value === 'string' && value !== '');
				const [first, ...more] = shown.map((value) => commonForm(value));
				if (first === undefined) continue;
				persons.add(first);
				for (const one of [first, ...more]) addresses.add(one);
			}
		},
	});
	const size = sizeOf(record);
	return {
		again: recipientsOf(prepared).filter(
			({ number }) => number !== undefined && addresses.has(commonForm(number)),
		).length,
		whole: whole && size !== undefined && persons.size >= size,
	};
}

const countOf = (count: number, one: string, many: string) =>
	`${count} ${count === 1 ? one : many}`;

/** An earlier launch in words: its name, its people, since when. */
function toldOf(
	{ what, sizeOf }: LaunchDefinition,
	record: IDataObject,
	rows: number,
	overlap: Overlap | undefined,
): string {
	const size = sizeOf(record);
	const status = tidy(record.status, 40);
	const since = tidy(record.created_at, 40);
	const about = [
		size === undefined ? '' : countOf(size, 'contact', 'contacts'),
		since ? `since ${since}` : '',
		status ? `status ${quoted(status)}` : '',
	].filter(Boolean);
	const people =
		overlap && overlap.again > 0
			? `${overlap.again} of these ${countOf(rows, 'contact', 'contacts')} ${overlap.again === 1 ? 'has' : 'have'} been reached by it already`
			: `The platform does not show that its contacts are others than these ${rows}`;
	return (
		`A ${what} with the name ${quoted(record.name)} may be running already` +
		`${about.length ? ` (${about.join(', ')})` : ''}. ${people}`
	);
}

/** Why a launch is kept back; nothing if no earlier one can reach the same people. @throws Cancelled */
async function complaintOf(
	execution: Execution,
	prepared: PreparedRequest,
	launch: LaunchDefinition,
): Promise<string | undefined> {
	const { host } = execution.client.workspace;
	try {
		const namesakes = new Map<string, IDataObject>();
		const all = await readWhole({
			...listBeside(execution, prepared, launch),
			take: (rows) => {
				for (const row of rows)
					if (launch.isNamesake(row, prepared.body) && !launch.hasEnded(row))
						namesakes.set(idOf(row), row);
			},
		});
		for (const record of namesakes.values()) {
			const overlap = await overlapOf(execution, prepared, launch, record);
			if (overlap.again === 0 && overlap.whole) continue;
			return `${toldOf(launch, record, recipientsOf(prepared).length, overlap)}. ${way}`;
		}
		return all.whole
			? undefined
			: `It is not known whether this ${launch.what} is running already, because ${all.why}. Run it again. ${way}`;
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) return rethrow(thrown);
		const { message } = describeError(thrown, { host, class: 'read' });
		return (
			`It is not known whether this ${launch.what} is running already, because the platform ` +
			`could not be asked: ${message}. Run it later, or turn on 'Start Again' under Options`
		);
	}
}

/**
 * Keeps back a launch that would start again what is already running: it leaves only if the platform shows that nothing
 * of that name can reach the same people. What an earlier try of the execution sent is handled elsewhere.
 * @returns the items that are kept back
 * @throws Cancelled
 */
export async function launchedBefore(
	execution: Execution,
	ready: PreparedRequest[],
): Promise<Problem[]> {
	const { operation, journal, options } = execution;
	const { launch } = operation;
	const problems: Problem[] = [];
	if (!launch) return problems;
	for (const prepared of ready) {
		const { item, items, body } = prepared;
		if (!launch.when(body) || options(item).startAgain === true) continue;
		if (journal.sentBefore(prepared) || journal.bordersOf(prepared)) continue;
		const complaint = await complaintOf(execution, prepared, launch);
		if (complaint === undefined) continue;
		// What concerns a request from all items is said once if the run stops.
		const told = execution.stops ? [item] : items;
		problems.push(...told.map((one) => ({ item: one, message: complaint })));
	}
	return problems;
}
