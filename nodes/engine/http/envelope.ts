import type { IDataObject } from 'n8n-workflow';
import { isPlainObject } from 'lodash';

/** What the platform put under `data`; the whole body where there is no envelope (interface §1, §4.2). */
export const unwrap = (body: unknown): unknown =>
	isPlainObject(body) && 'data' in (body as IDataObject) ? (body as IDataObject).data : body;
