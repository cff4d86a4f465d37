import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { isEmpty } from 'lodash';
import { type Delivering, requestSettings } from '../execution';
import type { ClientRequest } from '../http/client';
import { isRaw } from '../operation/kinds';
import { classOf } from '../operation/operation';
import type { Delivery, PreparedRequest } from '../operation/preparedRequest';
import { readSame } from '../operation/sameRecord';
import { fileSink } from '../follow/files';
import { proofOf, withoutProof } from './proofOfWrite';
import { records } from './records';

/** Seconds added to the time that a request itself asks the platform to take. */
const graceSeconds = 10;

/**
 * One request and its response: reads the records, or the file, from it.
 * @throws RequestError, Cancelled
 */
export async function exchange(
	execution: Delivering,
	prepared: PreparedRequest,
): Promise<Delivery> {
	const { client, context, options, mayBeDone } = execution;
	const { operation, body } = prepared;
	const settings = requestSettings(execution, prepared);
	const takesSeconds = operation.takes?.(body);
	const given = options(prepared.item);
	const file =
		isRaw(operation) && given.downloadFile === true
			? fileSink(context, [prepared.address.split('/').pop()], given)
			: undefined;
	const response = await client.request({
		...settings,
		...(takesSeconds === undefined
			? {}
			: { timeout: Math.max(settings.timeout ?? 60, takesSeconds + graceSeconds) }),
		method: operation.method,
		path: prepared.address,
		query: prepared.query,
		...(await contentOf(context, prepared)),
		class: classOf(operation),
		tells: (outcome) =>
			outcome === 'nothing' ? mayBeDone.delete(prepared.item) : mayBeDone.add(prepared.item),
		limitName: operation.paced ? 'sends' : 'requests',
		file,
		...(operation.kind === 'get'
			? { reads: readSame(operation.template, prepared.path, operation.mayBeEmpty) }
			: {}),
	});
	if (file) return { records: [{ status: response.status }], file: response.body as IBinaryData };
	if (operation.method !== 'GET') {
		const proof = proofOf(response, prepared);
		if (proof !== 'shown') return { records: [withoutProof(response, proof)], unproven: proof };
	}
	return { records: records(response.body, prepared) };
}

/**
 * What the request carries: JSON, or multipart form data with the files of the input item
 * (interface §4: media upload).
 */
async function contentOf(
	{ helpers }: IExecuteFunctions,
	{ operation, body, files }: PreparedRequest,
): Promise<Pick<ClientRequest, 'body' | 'form'>> {
	if (operation.method === 'GET') return {};
	// Servers refuse a body that they do not expect; no DELETE of the contract has one by itself.
	const bodiless = isEmpty(operation.body) && operation.kind !== 'raw';
	if (isEmpty(body) && (bodiless || operation.method === 'DELETE')) return {};
	if (files.length === 0 && !operation.multipart) return { body };
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
