import type { IDataObject } from 'n8n-workflow';
import { Cancelled, clock, pause } from './http/clock';
import { Fault } from './http/fault';
import { paginate, readPage } from './http/paginate';
import { idOf } from './keys';
import type { LookDefinition } from './operation';
import type { Prepared } from './prepare';
import type { Run } from './run';

/** How long the platform gets to show what it may have created, in milliseconds before each look. */
const looks = [1000, 2000, 4000];

/** Records read in one look; where there may be more, what does not stand among them is not sent again. */
const mostRead = 1000;

/**
 * Creates something costly exactly once although no key is documented for it. After an unknown outcome the node looks
 * for what it tried to create; what looked like it before does not count. A later try of the same execution
 * (Retry On Fail, "Retry execution") only looks. 'Retry Writes' is the user's word to send again what is not found in a
 * list that was read to its end.
 * @param send the create request; throws Fault
 * @returns the records created, or the one that was found
 * @throws Fault with `looked` when it is not known what became of it
 */
export async function createOnce(
	running: Run,
	prepared: Prepared,
	look: LookDefinition,
	send: () => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	const { keys, gate, hints } = running;
	const { retryWrites, maxRetries = 5 } = running.options(prepared.item);
	const begun = keys.begunBefore(prepared);
	const before =
		begun !== undefined
			? begun
			: ((await similar(running, prepared, look))?.records.map(idOf) ?? null);

	if (begun !== undefined) {
		const lost = new Fault('dropped', 'unknown');
		const found = await findNew(lost, begun);
		if (found) return found;
	}
	for (let tries = 0; ; tries++) {
		keys.markBegun(prepared, before);
		try {
			const created = await send();
			keys.forgetBegun(prepared);
			return created;
		} catch (thrown) {
			const fault = thrown;
			if ((fault instanceof Fault || fault instanceof Cancelled) && fault.outcome === 'nothing') {
				keys.forgetBegun(prepared);
				throw fault;
			}
			// Stopped in the middle: the mark stays, a later try looks first.
			if (!(fault instanceof Fault)) throw fault;
			const found = await findNew(fault, before, tries >= maxRetries);
			if (found) return found;
		}
	}

	/** @returns the new record, or nothing when it is not there and the user wants it sent again */
	async function findNew(
		fault: Fault,
		known: string[] | null,
		last = false,
	): Promise<IDataObject[] | undefined> {
		const unknown = (looked: NonNullable<Fault['facts']['looked']>) =>
			new Fault(fault.kind, fault.outcome, { ...fault.facts, looked });
		if (!known) throw unknown('impossible');
		let read: Awaited<ReturnType<typeof similar>>;
		for (const wait of looks) {
			await pause(wait, gate.signal, clock);
			const seen = await similar(running, prepared, look);
			if (!seen) continue;
			read = seen;
			const others = keys.doneIds();
			const fresh = seen.records.filter(
				(record) => !known.includes(idOf(record)) && !others.has(idOf(record)),
			);
			if (fresh.length > 1) throw unknown('several');
			if (fresh.length === 1) {
				keys.forgetBegun(prepared);
				hints.add(
					'The answer of the platform was lost, but what was asked for had been created. It ' +
						'was found there and not created again.',
				);
				return fresh;
			}
		}
		if (!read) throw unknown('impossible');
		if (!read.whole) throw unknown('part');
		if (retryWrites === true && !last) return undefined;
		throw unknown('missing');
	}
}

/**
 * Records that look like what the request asks for; nothing when the platform cannot be asked.
 * `whole`: no record can be missing. It can where the list is longer than what is read, or where the platform gives the
 * same page again whatever page is asked for.
 */
async function similar(
	running: Run,
	prepared: Prepared,
	look: LookDefinition,
): Promise<{ records: IDataObject[]; whole: boolean } | undefined> {
	let received = 0;
	try {
		const read = await paginate({
			fetch: async (query) => {
				const answer = await running.gate.request({
					...running.call(prepared),
					method: 'GET',
					path: look.path,
					query,
					class: 'read',
				});
				received += readPage(answer.body).rows.length;
				return answer;
			},
			query: look.query?.(prepared.body) ?? {},
			limit: mostRead,
			pageSize: look.pageSize,
		});
		return {
			records: read.filter((record) => look.matches(record, prepared.body)),
			whole: read.length < mostRead && read.length === received,
		};
	} catch (thrown) {
		const fault = thrown;
		if (!(fault instanceof Fault)) throw fault;
		return undefined;
	}
}
