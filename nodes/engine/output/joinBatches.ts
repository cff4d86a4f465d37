import { adding, type Delivering } from '../execution';
import type { PreparedRequest } from '../operation/preparedRequest';
import { isDone, type Result } from './failures';
import { item } from './items';

/** What a batch carried: "4 contacts of items 0 to 3". */
function told({ operation, batchOf, body, items }: PreparedRequest): string {
	const { list = '', rows = '' } = (batchOf?.operation ?? operation).batches ?? {};
	return `${(body[list] as unknown[]).length} ${rows} of items ${items[0]} to ${items.at(-1)}`;
}

/**
 * Outputs one item for a list that went in several requests: what the first one made, with all input items that are in
 * it. Batches that did not succeed stay error items.
 */
export function joined(execution: Delivering, results: Result[]): Result[] {
	const { requests } = execution;
	if (!requests.some(({ batchOf }) => batchOf)) return results;
	return results.map((result, at): Result => {
		const request = requests[at] as PreparedRequest;
		if (!isDone(result)) return result;
		if (request.batchOf) return { done: [] };
		const done = requests.filter(
			(other, index) => (other === request || other.batchOf === request) && isDone(results[index]),
		);
		if (done.length < 2) return result;
		const items = done.flatMap((one) => one.items).sort((one, other) => one - other);
		const batches = adding(execution, { batches: done.map(told).join('; ') });
		return { done: result.done.map(({ json }) => item({ ...json, ...batches }, items)) };
	});
}
