import type { IDataObject } from 'n8n-workflow';
import { isPlainObject } from 'lodash';

/** The recording of a call, by the conversation that holds it (reference: conversations). */
export const recording = {
	what: 'recording',
	url: ({ call }: IDataObject): unknown =>
		isPlainObject(call) ? (call as IDataObject).recording_url : undefined,
	fileName: ({ uuid }: IDataObject): string | undefined =>
		typeof uuid === 'string' && uuid !== '' ? `recording-${uuid}` : undefined,
};
