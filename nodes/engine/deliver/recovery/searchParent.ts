import { get, isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { type Finder, lookAfterMs } from './writeOnce';
import { type Execution, readBeside } from '../../execution';
import { clock, pause } from '../../http/clock';
import { unwrap } from '../../http/envelope';
import { RequestError } from '../../errors/requestError';
import type { PreparedRequest } from '../../operation/preparedRequest';
import type { SearchParent } from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';
import { rethrow } from '../../errors/rethrow';

/** Whether two requests ask for the same. */
const same = (one: PreparedRequest, other: PreparedRequest): boolean =>
	one.address === other.address && isEqual(one.body, other.body);

/**
 * Looks for a small write in the record that it became a part of. What is not found there is sent again.
 * Requests of one run that ask for the same go one after the other, so that each can tell its
 * own part from the others'.
 */
export function findInParent(
	execution: Execution,
	prepared: PreparedRequest,
	{ in: parent, inside, matches }: SearchParent,
): Finder {
	const { client, journal, hints } = execution;
	const path = pathOfRead(parent, prepared.path);
	return {
		before: async () => null,
		looksFirst: true,
		find: async (lost) => {
			for (const waitMs of lookAfterMs) {
				await pause(waitMs, client.signal, clock);
				let record: unknown;
				try {
					const answer = await readBeside(execution, prepared, path);
					record = unwrap(answer.body);
				} catch (thrown) {
					rethrow(thrown instanceof RequestError ? lost : thrown);
				}
				const parts: unknown = get(record, inside);
				if (!Array.isArray(parts)) throw lost;
				// The same may have been added for other items of this execution.
				const others = execution.requests.filter(
					(other) => other !== prepared && same(other, prepared) && journal.deliveryOf(other),
				).length;
				const matching = (parts as IDataObject[]).filter((part) =>
					matches(part, prepared.body),
				).length;
				if (matching <= others) continue;
				hints.add(
					"The platform's response was lost, but the request went through. Its result was found on " +
						'the platform, so it was not sent again.',
				);
				return { records: [record as IDataObject] };
			}
			return undefined;
		},
	};
}
