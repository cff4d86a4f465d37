import { objectOf } from '../engine/answer/answer';
import { fileAt } from './fileAt';

/** The recording of a call, by the conversation that holds it (reference: conversations). */
export const recording = {
	what: 'recording',
	file: fileAt(
		({ call }) => objectOf(call).recording_url,
		({ uuid }) => (typeof uuid === 'string' && uuid !== '' ? `recording-${uuid}` : undefined),
	),
};
