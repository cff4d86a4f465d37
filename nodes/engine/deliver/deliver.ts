import type { IDataObject } from 'n8n-workflow';
import { exchange } from './exchange';
import { readList } from './list';
import { withoutProofHint } from '../response/verdict';
import { needsWholeRecord, shownRecord } from './records';
import { forgetMade } from './recovery/match';
import { writeOnce } from './recovery/writeOnce';
import { noteKey, reachName } from '../journal/reached';
import { isReachLimited } from '../operation/places';
import { isUuid } from '../response/response';
import { fillPath } from '../http/path';
import { RequestError, rethrow } from '../errors/requestError';
import { mayBeDone } from '../http/clock';
import { maskWebhooks } from '../secrets/secrets';
import type { Delivery } from '../journal/journal';
import type { PreparedRequest, Delivering } from '../operation/operation';

const doneOtherwiseHint =
	'An earlier try of this execution did some of these items with other values. They were not sent again: the output ' +
	'shows what was done then. To send the new values, start a new run of the workflow.';

/** A later part of a list goes to what the first request made. @throws RequestError if that request made nothing */
function addedTo({ deliveries }: Delivering, first: PreparedRequest, prepared: PreparedRequest) {
	const delivery = deliveries.get(first);
	const { uuid } = delivery?.records[0] ?? {};
	if (!isUuid(String(uuid)))
		throw new RequestError('notBegun', 'nothing', { code: delivery ? 'NO_ID' : 'NOT_BEGUN' });
	const path = fillPath(prepared.operation.template, () => uuid);
	return { ...prepared, pathValues: { uuid }, path };
}

const mayBeClearedHint =
	'Fields that you left empty may have been cleared, and lists replaced: no source shows it. Check the record.';

/** A request of 'Reach Each Person', noted when it left (`exchange`): it stays so if it may have reached somebody. */
async function remembered(
	{ client, reach }: Delivering,
	{ body }: PreparedRequest,
	send: () => Promise<Delivery>,
): Promise<Delivery> {
	const key = reachName(client.workspace.origin, body.request_key);
	try {
		const delivery = await send();
		if (!delivery.unproven) reach.keep(key);
		return delivery;
	} catch (thrown) {
		if (mayBeDone(thrown)) reach.keep(key);
		return rethrow(thrown);
	}
}

/**
 * Carries one request out, once: the journal returns what an earlier try has done, and what that left uncertain is looked
 * up. Every request of an operation goes through here. @throws RequestError, Cancelled
 */
export async function deliver(execution: Delivering, prepared: PreparedRequest): Promise<Delivery> {
	const { journal, deliveries, hints } = execution;
	const { operation, batchOf } = prepared;
	const request =
		batchOf && operation !== batchOf.operation ? addedTo(execution, batchOf, prepared) : prepared;
	// n8n stores what an execution kept as well as its output.
	const kept = (records: IDataObject[]): IDataObject[] => {
		const shown = maskWebhooks(records, request.path);
		return needsWholeRecord(operation)
			? shown
			: shown.map((record) => shownRecord(record, prepared));
	};
	const keptOf = (delivery: Delivery): Delivery =>
		delivery.unproven ? delivery : { ...delivery, records: kept(delivery.records) };

	if (operation.run) return { records: kept(await operation.run(execution, request)) };
	if (operation.pages) return { records: await readList(execution, request, kept) };
	if (operation.method === 'GET') return keptOf(await exchange(execution, request));

	const earlier = journal.recordOf(request);
	if (earlier?.delivery && earlier.content !== request.identity.content)
		hints.add(doneOtherwiseHint, 'warning');
	const send = async () => keptOf(await writeOnce(execution, request));
	const isLimited = isReachLimited(execution.options(request.item));
	const sent = isLimited ? async () => await remembered(execution, request, send) : send;
	const delivery = earlier?.delivery ?? (await sent());
	if (!earlier?.delivery) journal.note(request, 'done', { delivery });
	deliveries.set(prepared, delivery);
	if (!delivery.unproven && isLimited) noteKey(execution.client.workspace.origin, request);
	if (delivery.unproven) hints.add(withoutProofHint[delivery.unproven], 'warning');
	// An operation with a hint of its own says it of what was changed.
	else if (operation.leftOut && !operation.hint) hints.add(mayBeClearedHint);
	else if (operation.method === 'DELETE') forgetMade(request.path.split('/'));
	return delivery;
}
