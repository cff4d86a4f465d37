import type { IDataObject } from 'n8n-workflow';
import { isAfter } from '../engine/time';

/** An appointment ends after it begins. If only one of the times has an offset, the platform decides. */
export function wrongOrder({ start_time: start, end_time: end }: IDataObject): string | undefined {
	if (typeof start !== 'string' || typeof end !== 'string') return undefined;
	return isAfter(end, start) === false ? "'End Time' is not after 'Start Time'" : undefined;
}
