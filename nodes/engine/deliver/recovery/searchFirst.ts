import type { IDataObject } from 'n8n-workflow';
import { type Execution, requestSettings } from '../../execution';
import { guessing, paginate } from '../../http/pages';
import { RequestError } from '../../http/requestError';
import type { Delivery, PreparedRequest } from '../../operation/preparedRequest';
import type { SearchFirst } from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';
import { sayNothing } from '../../output/records';
import { rethrow } from '../../rethrow';

const withCreated = (records: IDataObject[], created: boolean): Delivery => ({
	records: records.map((record) => ({ ...record, created })),
});

/**
 * Looks for a record and creates it only when it is not there; also after an answer that was
 * lost. Items of one run that
 * ask for the same record share it.
 * @param create the create request; throws RequestError
 * @returns the record, with `created` true when it was not there before
 * @throws RequestError when the list could not be read, the record could not be created, or it is not known which of
 * several it is
 */
export async function findOrCreate(
	execution: Execution,
	prepared: PreparedRequest,
	search: SearchFirst,
	create: () => Promise<Delivery>,
): Promise<Delivery> {
	const { client, found } = execution;
	const { body, path } = prepared;
	const wanted = JSON.stringify([prepared.operation.endpoint, search.guess(body)]);
	const look = async (most: number): Promise<IDataObject[]> =>
		await paginate({
			fetch: guessing(
				async (query) =>
					await client.request({
						...requestSettings(execution, prepared),
						method: 'GET',
						path: pathOfRead(search.in, path),
						query,
						class: 'read',
					}),
				search.guess(body),
			),
			query: {},
			limit: most,
			pageSize: search.pageSize,
			keeps: (record) => search.matches(record, body),
		});
	const findOrMake = async (): Promise<Delivery> => {
		const there = await look(1);
		if (there.length > 0) return withCreated(there, false);
		try {
			const { records } = await create();
			const shown = sayNothing(records) ? await look(1) : [];
			return withCreated(shown.length > 0 ? shown : records, true);
		} catch (thrown) {
			if (!(thrown instanceof RequestError) || thrown.outcome === 'nothing') return rethrow(thrown);
			const made = await look(2);
			// Somebody else made one meanwhile.
			if (made.length > 1) return rethrow(thrown.with({ looked: 'several' }));
			return made.length > 0 ? withCreated(made, true) : rethrow(thrown);
		}
	};

	const earlier = found.get(wanted);
	if (earlier) return withCreated(earlier.records, false);
	const delivery = await findOrMake();
	found.set(wanted, delivery);
	return delivery;
}
