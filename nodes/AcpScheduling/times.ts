import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';

/** An appointment ends after it begins. Both times were written by the same field kind, so both have an offset or none has. */
export function wrongOrder({ start_time: start, end_time: end }: IDataObject): string | undefined {
	if (typeof start !== 'string' || typeof end !== 'string') return undefined;
	return DateTime.fromISO(end) <= DateTime.fromISO(start) ? "'End Time' is not after 'Start Time'" : undefined;
}
