import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../http/client';
import type { PreparedRequest } from '../operation/preparedRequest';
import { item } from './items';

/** Secrets stay out of what n8n keeps of a run. */
const hideSecret = (key: string, value: unknown): unknown =>
	typeof value === 'string' && value !== '' && /secret|token|password/i.test(key)
		? '(hidden)'
		: value;

/** What would be sent, instead of an answer. */
export function previewOf({ workspace }: Client, prepared: PreparedRequest): INodeExecutionData {
	return item(
		{
			preview: true,
			method: prepared.operation.method,
			url: `${workspace.root}${prepared.address}`,
			...(Object.keys(prepared.query).length ? { query: prepared.query } : {}),
			...(Object.keys(prepared.body).length
				? { body: JSON.parse(JSON.stringify(prepared.body, hideSecret)) as IDataObject }
				: {}),
			...prepared.report.facts,
		},
		prepared.items,
	);
}
