import { get, isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { type Finder, lookAgain, type Verdict } from './finder';
import { type Delivering, readBeside } from '../../execution';
import { unwrap } from '../../http/envelope';
import { RequestError } from '../../errors/requestError';
import type { PreparedRequest } from '../../operation/preparedRequest';
import type { SearchParent } from '../../operation/recovery';
import { pathOfRead, readSameOf } from '../../operation/secondaryRead';
import { rethrow } from '../../errors/rethrow';

/** Whether two requests ask for the same. */
const same = (one: PreparedRequest, other: PreparedRequest): boolean =>
	one.address === other.address && isEqual(one.body, other.body);

/**
 * Looks for a small write in the record that it became a part of. Equal parts cannot be told apart, so they are
 * counted: one more than existed before and than this run added is the lost one.
 */
export function findInParent(
	execution: Delivering,
	prepared: PreparedRequest,
	{ in: parent, inside, matches }: SearchParent,
): Finder {
	const { journal, requests } = execution;
	const path = pathOfRead(parent, prepared.path);
	const reads = readSameOf(parent, prepared.path);
	/** The record and how many of its parts look like the request, without those of this run's other items. */
	const read = async (): Promise<{ record: IDataObject; parts: number } | undefined> => {
		try {
			const response = await readBeside(execution, prepared, path, { reads });
			const record = unwrap(response.body);
			const parts: unknown = get(record, inside);
			if (!Array.isArray(parts)) return undefined;
			const matching = parts.filter((part: IDataObject) => matches(part, prepared.body)).length;
			const others = requests.filter(
				(other) => other !== prepared && same(other, prepared) && journal.deliveryOf(other),
			).length;
			return { record: record as IDataObject, parts: matching - others };
		} catch (thrown) {
			return thrown instanceof RequestError ? undefined : rethrow(thrown);
		}
	};
	return {
		before: async () => {
			const seen = await read();
			// What was added a moment ago may not be shown yet.
			return { known: seen ? [String(Math.max(0, seen.parts))] : null };
		},
		look: async (known) => {
			if (!known) return { unknown: 'impossible' };
			let wasRead = false;
			const found = await lookAgain<Verdict>(execution, async () => {
				const seen = await read();
				wasRead ||= seen !== undefined;
				return seen && seen.parts > Number(known[0])
					? { found: { records: [seen.record] } }
					: undefined;
			});
			return found ?? (wasRead ? { absent: 'missing' } : { unknown: 'impossible' });
		},
		hint:
			"The platform's response was lost, but the request went through. Its result was found on the platform, so it " +
			'was not sent again.',
	};
}
