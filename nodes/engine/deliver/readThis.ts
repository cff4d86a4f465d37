import type { IDataObject } from 'n8n-workflow';
import { type Execution, readBeside } from '../execution';
import { objectOf, unwrap } from '../http/envelope';
import type { PreparedRequest } from '../operation/preparedRequest';
import { pathOfRead, readSameOf, type SecondaryRead } from '../operation/secondaryRead';

/**
 * Reads the record that a request is about.
 * @throws RequestError, also if the response is about another record; Cancelled
 */
export async function readThis(
	execution: Execution,
	prepared: PreparedRequest,
	read: SecondaryRead,
): Promise<IDataObject> {
	const path = pathOfRead(read, prepared.path);
	const reads = readSameOf(read, prepared.path);
	return objectOf(unwrap((await readBeside(execution, prepared, path, { reads })).body));
}
