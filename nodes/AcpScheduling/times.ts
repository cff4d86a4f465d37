import type { IDataObject } from 'n8n-workflow';
import { hasOffset, isAfter, otherClock } from '../engine/time';

/** An appointment ends after it begins. If only one of the times has an offset, the platform decides. */
export function wrongOrder({ start_time: start, end_time: end }: IDataObject): string | undefined {
	if (typeof start !== 'string' || typeof end !== 'string') return undefined;
	return isAfter(end, start) === false ? "'End Time' is not after 'Start Time'" : undefined;
}

/** An expression reads a time by the workflow's clock, so that what happens at 9 is not found at 9. */
export function clockHint({ start_time: start }: IDataObject, workflowZone: string) {
	if (typeof start !== 'string' || !hasOffset(start)) return undefined;
	return otherClock(start, workflowZone) === undefined
		? undefined
		: `Times in this output are not in the workflow's time zone, ${workflowZone}. To keep their hour in an expression, write DateTime.fromISO($json.start_time, { setZone: true }).`;
}
