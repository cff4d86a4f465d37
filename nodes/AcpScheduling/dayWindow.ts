import * as time from '../engine/time';
import type { IDataObject } from 'n8n-workflow';
import { date, type Field, type Source } from '../engine/fields';
import { readDeciding } from '../engine/fields/answered';
import {
	midnightZone,
	namedWindow,
	periodOf,
	refuse,
	silent,
	type Window,
} from '../engine/fields/time';
import { ownFilter } from '../engine/operation';

/** Whether a record begins in a window; unknown if it shows no time, or one without an offset. */
const beginsIn = ({ start_time: start }: IDataObject, { from, to }: Partial<Window>) => {
	if (typeof start !== 'string' || !time.hasOffset(start)) return undefined;
	const begins = Date.parse(start);
	if (Number.isNaN(begins)) return undefined;
	return (
		(from === undefined || begins >= Date.parse(from)) &&
		(to === undefined || begins < Date.parse(to))
	);
};

type Period = ReturnType<typeof periodOf<'startDate' | 'endDate'>>;

/** The first and the last day that are chosen. @throws InvalidValue */
function daysIn(period: Period, source: Source): { start?: string; end?: string } {
	const name = period.nameIn(source) ?? 'any';
	if (name === 'any') return {};
	if (name !== 'custom') {
		const { from, to } = namedWindow(name, source);
		return { start: from.slice(0, 10), end: time.daysLater(to.slice(0, 10), -1) };
	}
	const start = readDeciding(period.ends.startDate, source, 'startDate', 'Start Date');
	const end = readDeciding(period.ends.endDate, source, 'endDate', 'End Date');
	if (start === undefined && end === undefined)
		refuse(
			source,
			'Start Date',
			"is empty, and so is 'End Date'. Fill in one of them, or choose a named period",
		);
	if (start !== undefined && end !== undefined && end < start)
		refuse(source, 'End Date', "is before 'Start Date'");
	return { start, end };
}

/**
 * Days of a calendar, all of them if nothing is chosen: a named period, or two dates. No source shows what the platform
 * compares with them, in which zone it counts days and whether the last one belongs to them. So it is asked for more
 * days than are wanted (`query`), and the records that begin on others are sorted out here (`filters`).
 * @param what is listed, plural: "appointments"
 */
export function dayWindow(what: string): {
	query: {
		start_date: Field<string, { start_date?: string; end_date?: string }>;
		end_date: Field<string>;
	};
	filters: { days: ReturnType<typeof ownFilter<Partial<Window>>> };
} {
	const options = { name: 'period', displayName: 'Period', top: true } as const;
	const period = periodOf(
		time.calendarPeriods,
		{
			startDate: date('First day of the period'),
			endDate: date('Last day of the period, included in it'),
		},
		{
			default: 'any',
			description: `Only ${what} that begin on these days. By default in the workspace's time zone.`,
		},
		[{ name: 'Any Time', value: 'any' }],
	);
	const moments: Field<Partial<Window>> = {
		options,
		show: () => [],
		read: (source) => {
			const { start, end } = daysIn(period, source);
			if (!start && !end) return undefined;
			const zone = midnightZone(source.neededZone(), 'Period');
			return {
				...(start && { from: time.dayIn(start, zone).from }),
				...(end && { to: time.dayIn(end, zone).to }),
			};
		},
	};
	return {
		query: {
			start_date: {
				options,
				spread: true,
				show: period.show,
				read: (source) => {
					const { start, end } = daysIn(period, source);
					return {
						...(start && { start_date: time.daysLater(start, -1) }),
						...(end && { end_date: time.daysLater(end, 2) }),
					};
				},
			},
			end_date: silent,
		},
		filters: { days: ownFilter(moments, beginsIn) },
	};
}

/** An appointment ends after it begins. If only one of the times has an offset, the platform decides. */
export function wrongOrder({ start_time: start, end_time: end }: IDataObject): string | undefined {
	if (typeof start !== 'string' || typeof end !== 'string') return undefined;
	return time.isAfter(end, start) === false ? "'End Time' is not after 'Start Time'" : undefined;
}

/** An expression reads a time by the workflow's clock, so that what happens at 9 is not found at 9. */
export function clockHint({ start_time: start }: IDataObject, workflowZone: string) {
	if (typeof start !== 'string' || !time.hasOffset(start)) return undefined;
	return time.otherClock(start, workflowZone) === undefined
		? undefined
		: `Times in this output are not in the workflow's time zone, ${workflowZone}. To keep their hour in an expression, write DateTime.fromISO($json.start_time, { setZone: true }).`;
}
