import type { IDataObject } from 'n8n-workflow';
import { readList } from './list';
import { recovered } from './recovery/recovered';
import { sendRequest } from './send';
import { summarize } from './summarize';
import { sweepAll } from './sweep';
import type { Execution } from '../execution';
import { isUuid } from '../fields/scalar';
import { fillPath } from '../http/path';
import { RequestError } from '../errors/requestError';
import type { Delivery, PreparedRequest } from '../operation/preparedRequest';
import { needsWholeRecord, simplified } from './records';
import { maskWebhooks } from '../secrets/secrets';

/** Sends a later part of a list to what the first request made. @throws RequestError where it made nothing */
function addTo({ delivery }: PreparedRequest, prepared: PreparedRequest): void {
	const { uuid } = delivery?.records[0] ?? {};
	if (!isUuid(String(uuid)))
		throw new RequestError('notBegun', 'nothing', { code: delivery ? 'NO_ID' : 'NOT_BEGUN' });
	prepared.path = { uuid };
	prepared.address = fillPath(prepared.operation.template, (name) => prepared.path[name]);
}

/**
 * Carries one request out, once: what an earlier try of the same execution has done is returned from the journal, what
 * it left uncertain is found out about, everything else is sent. Every request that an operation makes goes this way.
 * @returns the records, already cut down where nothing needs more of them
 * @throws RequestError, Cancelled
 */
export async function deliver(execution: Execution, prepared: PreparedRequest): Promise<Delivery> {
	const { journal } = execution;
	const { operation, batchOf } = prepared;
	if (batchOf && operation !== batchOf.operation) addTo(batchOf, prepared);
	// n8n stores what an execution kept as well as what it gives out.
	const kept = (records: IDataObject[]): IDataObject[] => {
		const shown = maskWebhooks(records, prepared.address);
		return prepared.simplify && !needsWholeRecord(operation)
			? shown.map((record) => simplified(record, operation))
			: shown;
	};

	if (operation.summary)
		return { records: [await summarize(execution, prepared, operation.summary)] };
	if (operation.sweep) {
		const dry = execution.options(prepared.item).preview === true;
		return { records: await sweepAll(execution, prepared, operation.sweep, dry) };
	}
	if (operation.pages) return { records: await readList(execution, prepared, kept) };
	const send = async (): Promise<Delivery> => {
		const delivery = await sendRequest(execution, prepared);
		return { ...delivery, records: kept(delivery.records) };
	};
	if (operation.method === 'GET') return await send();

	// What is found after a lost answer has not been sent here.
	const delivery = maskWebhooks(
		journal.deliveryOf(prepared) ?? (await recovered(execution, prepared, send)),
		prepared.address,
	);
	journal.markDone(prepared, delivery);
	prepared.delivery = delivery;
	prepared.accepted = operation.wait?.acceptedText?.(delivery.records[0] ?? {});
	return delivery;
}
