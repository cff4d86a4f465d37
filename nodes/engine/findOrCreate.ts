import type { IDataObject } from 'n8n-workflow';
import { Fault } from './http/fault';
import { guessing, paginate } from './http/paginate';
import type { FindDefinition } from './operation';
import type { Prepared } from './prepare';
import type { Run } from './run';

/**
 * Items of one run that ask for the same record, by what they look for: the second one gets
 * what the first one made.
 */
const underWay = new WeakMap<Run, Map<string, Promise<IDataObject[]>>>();

/**
 * Looks for a record and creates it only when it is not there. Also after an answer that was lost.
 * @param create the create request; throws Fault
 * @returns the record, with `created` true when it was not there before
 * @throws Fault when the list could not be read, the record could not be created, or it is not known which of several
 * it is
 */
export async function findOrCreate(
	running: Run,
	prepared: Prepared,
	find: FindDefinition,
	create: () => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	const look = async (most: number): Promise<IDataObject[]> =>
		await paginate({
			fetch: guessing(
				async (query) =>
					await running.gate.request({
						...running.call(prepared),
						method: 'GET',
						path: find.path,
						query,
						class: 'read',
					}),
				find.guess(prepared.body),
			),
			query: {},
			limit: most,
			pageSize: find.pageSize,
			keeps: (record) => find.matches(record, prepared.body),
		});
	const work = async (): Promise<IDataObject[]> => {
		const [there] = await look(1);
		if (there) return [{ ...there, created: false }];
		try {
			return (await create()).map((record) => ({ ...record, created: true }));
		} catch (thrown) {
			const fault = thrown;
			if (!(fault instanceof Fault) || fault.outcome === 'nothing') throw fault;
			const [made, other] = await look(2);
			// Somebody else made one meanwhile.
			if (other) throw new Fault(fault.kind, fault.outcome, { ...fault.facts, looked: 'several' });
			if (made) return [{ ...made, created: true }];
			throw fault;
		}
	};

	const all = underWay.get(running) ?? new Map<string, Promise<IDataObject[]>>();
	underWay.set(running, all);
	const same = JSON.stringify(find.guess(prepared.body));
	const mine =
		all.get(same)?.then((rows) => rows.map((row) => ({ ...row, created: false })), work) ?? work();
	all.set(same, mine);
	return await mine;
}
