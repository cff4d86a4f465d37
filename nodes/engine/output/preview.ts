import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../http/client';
import type { PreparedRequest } from '../operation/preparedRequest';
import { item } from './items';
import { maskWebhooks } from '../secrets/secrets';

/** Secrets stay out of what n8n keeps of a run. */
const hideSecret = (key: string, value: unknown): unknown =>
	typeof value === 'string' && value !== '' && /secret|token|password/i.test(key)
		? '(hidden)'
		: value;

const shown = (content: IDataObject, path: string): IDataObject =>
	JSON.parse(JSON.stringify(maskWebhooks(content, path), hideSecret)) as IDataObject;

/** What would be sent, instead of a response. */
export function previewOf({ workspace }: Client, prepared: PreparedRequest): INodeExecutionData {
	return item(
		{
			preview: true,
			method: prepared.operation.method,
			url: `${workspace.root}${prepared.address}`,
			...(Object.keys(prepared.query).length
				? { query: shown(prepared.query, prepared.address) }
				: {}),
			...(Object.keys(prepared.body).length
				? { body: shown(prepared.body, prepared.address) }
				: {}),
			...prepared.report.facts,
		},
		prepared.items,
	);
}
