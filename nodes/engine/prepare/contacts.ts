import { readRecordBeside, unreadText } from '../execution';
import type { Execution } from '../operation/operation';
import { RequestError, rethrow } from '../errors/requestError';
import { fromRequest, read } from '../operation/secondaryRead';

const ofPlatform = read('GET /contacts/{uuid}', { uuid: fromRequest('uuid') });

const anybody = "the response does not show which contact it is. Look at it with 'Other Endpoint'";

/** Reads a contact, once for a run; also why it could not be read. @throws Cancelled */
export async function learnContact(
	execution: Execution,
	item: number,
	uuid: string,
): Promise<void> {
	const { contacts } = execution;
	try {
		const record = await readRecordBeside(execution, { item, pathValues: { uuid } }, ofPlatform);
		const isShown = String(record.uuid).toLowerCase() === uuid.toLowerCase();
		// Whom a record without its ID is about is not known.
		contacts.set(uuid, isShown ? { record } : { why: anybody });
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) rethrow(thrown);
		const { message, description } = unreadText(execution, thrown);
		contacts.set(uuid, { why: `${message}. ${description}` });
	}
}
