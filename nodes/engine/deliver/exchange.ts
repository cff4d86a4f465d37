import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { isEmpty } from 'lodash';
import { requestSettings } from '../execution';
import { type ClientRequest, defaultTimeout, type PlatformResponse } from '../http/client';
import { objectOf, readSame } from '../response/response';
import { RequestError, rethrow } from '../errors/requestError';
import { noteKey, reachName } from '../journal/reached';
import { isRaw } from '../operation/kinds';
import { fieldsOf, isReachLimited } from '../operation/places';
import { classOf } from '../operation/recovery';
import {
	otherContent,
	refuseOthers,
	newIds,
	proofOf,
	saysDone,
	withoutProof,
} from '../response/verdict';
import { fileSink } from '../follow/files';
import { records } from './records';
import type { Delivery } from '../journal/journal';
import type { PreparedRequest, Delivering } from '../operation/operation';

/** Seconds added to the time that the platform may take for a request. */
const graceSeconds = 10;

/**
 * The response of a conflict, if it holds this very request's record: it shows the request's key, and a new ID. One that
 * names the key and shows no such record leaves open whether the request was done. @throws RequestError
 */
function ownRecordIn(thrown: unknown, { body }: PreparedRequest): PlatformResponse {
	const { request_key: key } = body;
	if (!(thrown instanceof RequestError) || key === undefined) return rethrow(thrown);
	const { response, field } = thrown.facts;
	if (response === undefined) return rethrow(thrown);
	const record = objectOf(objectOf(response).data);
	if (record.request_key === key && newIds(record, body).some(Boolean))
		return { status: 409, headers: {}, body: { data: record } };
	const names = field === 'request_key' || JSON.stringify(response).includes(String(key));
	if (names) thrown.outcome = 'unknown';
	return rethrow(thrown);
}

/** Types of a file in which a server says something, instead of what was asked for. */
const isMessage = /json|[/+]xml$|^text\/(?:plain|html)/;

/** One request and its response. @throws RequestError, also if the response shows another recipient; Cancelled */
export async function exchange(
	execution: Delivering,
	prepared: PreparedRequest,
): Promise<Delivery> {
	const { client, context, hints, options, mayBeDone, reach } = execution;
	const { operation, item, pathValues, path, query, body } = prepared;
	const { kind, method, template, mayBeEmpty, takes } = operation;
	const { timeout = defaultTimeout, ...settings } = requestSettings(execution, prepared);
	const leastSeconds = takes ? Number(body[takes.field] ?? takes.seconds) + graceSeconds : 0;
	const isFile = isRaw(operation) && options(item).downloadFile === true;
	const request: ClientRequest = {
		...settings,
		timeout: Math.max(timeout, leastSeconds),
		method,
		path,
		query,
		...(await contentOf(context, prepared)),
		class: classOf(operation),
		leaving: isReachLimited(options(item))
			? async () => await reach.leaving(reachName(client.workspace.origin, body.request_key))
			: undefined,
		tells: (outcome) => (outcome === 'nothing' ? mayBeDone.delete(item) : mayBeDone.add(item)),
		limitName: operation.paced ? 'sends' : 'requests',
		file: isFile ? fileSink(context, [path.split('/').pop()], options(item)) : undefined,
		reads: kind === 'get' ? readSame(template, pathValues, mayBeEmpty) : undefined,
	};
	const response = await client
		.request(request)
		.catch((thrown: unknown) => ownRecordIn(thrown, prepared));
	if (isFile) {
		const file = response.body as IBinaryData;
		// Nobody reads what it says, and it may be that nothing was done.
		const isOpen = method !== 'GET' && !saysDone(response.status) && isMessage.test(file.mimeType);
		return isOpen
			? { records: [withoutProof({ status: response.status }, 'silent')], file, unproven: 'silent' }
			: { records: [{ status: response.status }], file };
	}
	const proof = method === 'GET' ? 'shown' : proofOf(response, prepared);
	const delivery: Delivery =
		proof === 'shown'
			? { records: records(response.body, prepared) }
			: { records: [withoutProof(response, proof)], unproven: proof };
	const isKept = !delivery.unproven && prepared.ownKey !== undefined;
	for (const record of delivery.records) refuseOthers(prepared, record);
	const first = isKept ? noteKey(client.workspace.origin, prepared) : undefined;
	for (const record of delivery.records) {
		const other = otherContent(prepared, record, first);
		if (!other) continue;
		hints.add(other, 'warning');
		delivery.keyUsedBefore = true;
	}
	return delivery;
}

/** JSON, or multipart form data with the files of the input item (interface §4: media upload). */
async function contentOf(
	{ helpers }: IExecuteFunctions,
	{ operation, body, files }: PreparedRequest,
): Promise<Pick<ClientRequest, 'body' | 'form'>> {
	if (operation.method === 'GET') return {};
	// Servers refuse a body that they do not expect; no DELETE of the contract has one by itself.
	const bodiless = isEmpty(operation.body) && operation.kind !== 'raw';
	if (isEmpty(body) && (bodiless || operation.method === 'DELETE')) return {};
	if (!fieldsOf(operation).some(({ field }) => field.isFile)) return { body };
	const form = new FormData();
	for (const [name, value] of Object.entries(body)) {
		const file = files.find((reference) => (reference as unknown) === value);
		if (!file) {
			form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
			continue;
		}
		const { mimeType, fileName } = helpers.assertBinaryData(file.item, file.property);
		const content = await helpers.getBinaryDataBuffer(file.item, file.property);
		form.append(name, new Blob([content], { type: mimeType }), fileName ?? 'file');
	}
	return { form };
}
