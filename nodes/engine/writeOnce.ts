import { get, isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Cancelled, clock, pause } from './http/clock';
import { Fault, type Outcome } from './http/fault';
import type { TraceDefinition } from './operation';
import { records, unwrap } from './output';
import { segment, type Prepared } from './prepare';
import type { Run } from './run';

/** How long the platform gets to show what it may have written, in milliseconds before each look. */
const looks = [500, 1500];

/** Whether two requests ask for the same. */
const same = (one: Prepared, other: Prepared): boolean =>
	one.address === other.address && isEqual(one.body, other.body);

/**
 * Requests of one run that ask for the same go one after the other, so that each can tell its
 * own part from the others'.
 */
const lines = new WeakMap<Run, Map<string, Promise<unknown>>>();

async function inLine<T>(running: Run, prepared: Prepared, work: () => Promise<T>): Promise<T> {
	const all = lines.get(running) ?? new Map<string, Promise<unknown>>();
	lines.set(running, all);
	const name = JSON.stringify([prepared.address, prepared.body]);
	const mine = all.get(name)?.then(work, work) ?? work();
	all.set(name, mine);
	try {
		return await mine;
	} finally {
		if (all.get(name) === mine) all.delete(name);
	}
}

const outcomeOf = (thrown: unknown): Outcome =>
	thrown instanceof Fault || thrown instanceof Cancelled ? thrown.outcome : 'unknown';

/**
 * Sends a write for which no key is documented. Where its outcome stays unknown, later tries of the same execution
 * (Retry On Fail, "Retry execution") do not send it again unless the user turned on 'Retry Writes' or the operation can
 * recognise what it wrote. Changes and deletions may be repeated: the second time they change nothing more.
 * @param send the request; throws Fault
 * @throws Fault `uncertain` when an earlier try sent it and nobody knows what became of it
 */
export async function writeOnce(
	running: Run,
	prepared: Prepared,
	send: () => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	const work = async () => await write(running, prepared, send);
	return prepared.operation.trace ? await inLine(running, prepared, work) : await work();
}

async function write(
	running: Run,
	prepared: Prepared,
	send: () => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	const { keys, hints } = running;
	const { operation } = prepared;
	const { retryWrites, maxRetries = 5 } = running.options(prepared.item);
	const begun = keys.begunBefore(prepared) !== undefined;

	const traced = async (lost: Fault): Promise<IDataObject[] | undefined> => {
		if (!operation.trace) throw lost;
		const found = await find(running, prepared, operation.trace, lost);
		if (!found) return undefined;
		keys.forgetBegun(prepared);
		hints.add(
			'The answer of the platform was lost, but what was asked for had been done. It was ' +
				'found there and not done again.',
		);
		return found;
	};

	if (begun && operation.method === 'POST' && retryWrites !== true) {
		const found = await traced(new Fault('uncertain', 'unknown'));
		if (found) return found;
	}
	for (let tries = 0; ; tries++) {
		keys.markBegun(prepared, null);
		try {
			const rows = await send();
			keys.forgetBegun(prepared);
			return rows;
		} catch (thrown) {
			const fault = thrown;
			const gone =
				fault instanceof Fault && fault.facts.status === 404 && operation.method === 'DELETE';
			if (gone && (begun || fault.attempts > 1)) {
				keys.forgetBegun(prepared);
				return records(undefined, prepared);
			}
			if (outcomeOf(fault) === 'nothing' && !begun) keys.forgetBegun(prepared);
			if (!(fault instanceof Fault) || fault.outcome === 'nothing' || tries >= maxRetries)
				throw fault;
			const found = await traced(fault);
			if (found) return found;
		}
	}
}

/**
 * Looks for what was written.
 * @returns the record that holds it, or nothing when it is not there
 * @throws the fault given when the platform could not be asked
 */
async function find(
	running: Run,
	prepared: Prepared,
	trace: TraceDefinition,
	lost: Fault,
): Promise<IDataObject[] | undefined> {
	const path = trace.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(prepared.path[name]));
	for (const wait of looks) {
		await pause(wait, running.gate.signal, clock);
		let record: unknown;
		try {
			record = unwrap(
				(
					await running.gate.request({
						...running.call(prepared),
						method: 'GET',
						path,
						class: 'read',
					})
				).body,
			);
		} catch (thrown) {
			const other = thrown;
			throw other instanceof Fault ? lost : other;
		}
		const parts: unknown = get(record, trace.inside);
		if (!Array.isArray(parts)) throw lost;
		// The same may have been added for other items of this execution.
		const others = running.ready.filter(
			(other) => other !== prepared && same(other, prepared) && running.keys.doneBefore(other),
		).length;
		const matching = (parts as IDataObject[]).filter((part) =>
			trace.matches(part, prepared.body),
		).length;
		if (matching > others) return [record as IDataObject];
	}
	return undefined;
}
