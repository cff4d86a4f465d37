import { findOrCreate } from './searchFirst';
import { findInList } from './searchList';
import { findInParent } from './searchParent';
import { findInRecord } from './watchRecord';
import { findNothing, writeOnce } from './writeOnce';
import type { Execution } from '../../execution';
import { Cancelled } from '../../http/clock';
import type { Delivery, PreparedRequest } from '../../operation/preparedRequest';
import { isCostly } from '../../operation/recovery';

/**
 * Sends a write in the way that its operation finds out about a lost answer (`operation/recovery.ts`).
 * Requests that could be taken for one another go one after the other.
 * @param send the request; throws RequestError
 * @throws RequestError, Cancelled
 */
export async function recovered(
	execution: Execution,
	prepared: PreparedRequest,
	send: () => Promise<Delivery>,
): Promise<Delivery> {
	const { operation, address, body } = prepared;
	const { recover } = operation;
	const inTurn = async (name: string, work: () => Promise<Delivery>) =>
		await execution.inTurn(name, async () => {
			// The run may have ended while this one waited.
			if (execution.signal?.aborted) throw new Cancelled();
			return await work();
		});
	switch (recover.by) {
		case 'requestKey':
			return await send();
		case 'searchFirst':
			return await inTurn(
				recover.identity(body),
				async () => await findOrCreate(execution, prepared, recover, send),
			);
		case 'searchParent':
			return await inTurn(
				JSON.stringify([address, body]),
				async () =>
					await writeOnce(execution, prepared, findInParent(execution, prepared, recover), send),
			);
		case 'searchList':
			if (!isCostly(recover, body)) break;
			return await inTurn(
				operation.endpoint,
				async () =>
					await writeOnce(execution, prepared, findInList(execution, prepared, recover), send),
			);
		case 'watchRecord':
			if (!isCostly(recover, body)) break;
			return await inTurn(
				address,
				async () =>
					await writeOnce(execution, prepared, findInRecord(execution, prepared, recover), send),
			);
		case 'nothing':
	}
	return await writeOnce(execution, prepared, findNothing(execution, prepared), send);
}
