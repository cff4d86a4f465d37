import type { IDataObject } from 'n8n-workflow';
import { type Execution, readBeside } from '../execution';
import { isUuid } from '../fields/scalar';
import { objectOf, readRecord, unreadable } from '../http/envelope';
import type { PreparedRequest } from '../operation/preparedRequest';
import { pathOfRead, type SecondaryRead } from '../operation/secondaryRead';

/**
 * Reads the record that a request is about.
 * @throws RequestError, also if the response is about another record; Cancelled
 */
export async function readThis(
	execution: Execution,
	prepared: PreparedRequest,
	read: SecondaryRead,
): Promise<IDataObject> {
	const reads = (body: unknown): IDataObject => {
		const record = objectOf(readRecord(body));
		const [shown, asked] = [record.uuid ?? record.agent_uuid, prepared.path.uuid].map(String) as [
			string,
			string,
		];
		if (isUuid(shown) && isUuid(asked) && shown.toLowerCase() !== asked.toLowerCase())
			throw unreadable('record', body).with({ received: 'another record' });
		return record;
	};
	const path = pathOfRead(read, prepared.path);
	return reads((await readBeside(execution, prepared, path, { reads })).body);
}
