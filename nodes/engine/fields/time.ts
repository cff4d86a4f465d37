import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';
import {
	type Field,
	type FieldOptions,
	type Given,
	InvalidValue,
	labelOf,
	leaf,
	optionsOf,
	type Source,
} from './field';
import { readDeciding } from './answered';
import { choice } from './scalar';
import { quoted, title } from '../text/text';
import {
	type CalendarPeriod,
	calendarPeriods,
	dayIn,
	daysLater,
	hasOffset,
	isAfter,
	namesOffset,
	type Period,
	periods,
	readDate,
	readInstant,
	readTimeOfDay,
	windowOf,
	zoneOf,
} from '../time';

const zoneHint =
	"A time without an offset is read in the time zone of Options, otherwise the credential's or the workspace's. " +
	"Expressions with $now keep the workflow's, unless you write $now.setZone('Europe/Istanbul').";

/**
 * A moment. `needsOffset`: `sent` if the endpoint asks for times with an offset (interface §4.2); if no zone can be
 * learned, it reads a time without an offset in the zone that it applies (§2.1 rule 3). `compared` if the node itself
 * has to know the moment.
 */
export const instant = (
	...given: Given<FieldOptions & { needsOffset?: 'sent' | 'compared' }>
): Field<string> => {
	const options = optionsOf(given);
	return leaf(
		{ hint: zoneHint, ...options },
		{ type: 'dateTime', default: '' },
		(value, fail, source, label) => {
			const moment = readInstant(value, source.zone, fail);
			if (namesOffset(value)) source.report({ moments: [{ field: label, sent: moment }] });
			if (!options.needsOffset || hasOffset(moment)) return moment;
			const zone = source.neededZone();
			if (zone.type === 'iana' || options.needsOffset === 'sent')
				return readInstant(value, zone, fail);
			return fail(
				`has no offset, and the platform does not show the time zone of the workspace: ${quoted(value)}. Add an offset, like +03:00, or set 'Timezone' under Options`,
			);
		},
		{ decides: true },
	);
};

/** A calendar date, never shifted (interface §2.1 rule 4). */
export const date = (...given: Given): Field<string> =>
	leaf(
		optionsOf(given),
		{ type: 'dateTime', default: '', typeOptions: { dateOnly: true } },
		(value, fail, source) => readDate(value, source.zone, fail),
		{ decides: true },
	);

/** A time of day, never shifted (interface §2.1 rule 4). `withSeconds: false` if the platform takes HH:MM. */
export const timeOfDay = (
	...given: Given<FieldOptions & { withSeconds?: boolean }>
): Field<string> => {
	const options = optionsOf(given);
	return leaf(
		{ placeholder: 'e.g. 09:30', ...options },
		{ type: 'string', default: '' },
		(value, fail) => readTimeOfDay(value, options.withSeconds !== false, fail),
		{ decides: true },
	);
};

/**
 * A time zone: IANA, or a Windows name, which the platform maps if it stands for the caller's zone (interface §2.1 rule
 * 5a). `ianaOnly` for zones that are stored with a record.
 */
export const zone = (...given: Given<FieldOptions & { ianaOnly?: true }>): Field<string> => {
	const options = optionsOf(given);
	return leaf(
		{ placeholder: 'e.g. Europe/Istanbul', ...options },
		{ type: 'string', default: '' },
		(value, fail) => {
			const found = zoneOf(value);
			if (!found || (options.ianaOnly && found.type !== 'iana')) {
				return fail(
					`is not a time zone: ${quoted(value)}. Use a name like Europe/Istanbul or America/New_York`,
				);
			}
			return found.name;
		},
		{ empty: '' },
	);
};

/** The two ends of a period, as they are sent. */
interface Window {
	from: string;
	to: string;
}

const periodChoice = (
	named: readonly CalendarPeriod[],
	further: Array<{ name: string; value: string }>,
	options: FieldOptions,
) => {
	const spaced = (value: string) => title(value).replace(/ ?(7|30) ?/, ' $1 ');
	return choice(
		[
			...named.map((value) => ({ name: spaced(value), value: value as string })),
			...further,
			{ name: 'Custom', value: 'custom' },
		],
		options,
	);
};

/** Parameters that only a custom period has. */
const ofCustom = (properties: INodeProperties[]): INodeProperties[] =>
	properties.map((property) => ({
		...property,
		displayOptions: { show: { period: ['custom'] } },
	}));

/** The second key of a window, which the field of the first fills in. */
const silent = { options: { decides: false }, show: () => [], read: () => undefined };

const windowChoice = periodChoice(periods, [], {
	default: 'yesterday',
	description:
		"Days to count, from midnight to midnight in the workspace's time zone, unless you set another",
});
const windowEnds = {
	from: instant('Start of the period', { needsOffset: 'sent' }),
	to: instant('End of the period; not included in it', { needsOffset: 'sent', hint: '' }),
};

/**
 * A half-open window [from, to): a named period, or two moments (interface §4.2).
 * Both query parameters come from one field, so that they always belong to the same moment of asking:
 * `query: { ...timeWindow(), channel: … }`.
 */
export const timeWindow = (): { from: Field<string, Window>; to: Field<string> } => ({
	from: {
		options: { name: 'period', displayName: 'Period', required: true },
		spread: true,
		// From and To are not marked as required: n8n would ask for them wherever the period is an expression.
		show: () => [
			...windowChoice.show('period', 'Period'),
			...ofCustom(windowEnds.from.show('from', 'From')),
			...ofCustom(windowEnds.to.show('to', 'To')),
		],
		read: (source) => {
			const period = readDeciding(windowChoice, source, 'period', 'Period') ?? 'custom';
			if (period !== 'custom')
				return windowOf(period as Period, DateTime.now(), calendarZone(source));
			const read = (name: 'from' | 'to') => {
				const label = title(name);
				const moment = windowEnds[name].read(source, name, label);
				if (moment !== undefined) return moment;
				throw new InvalidValue(
					labelOf(source, label),
					'is empty. Fill it in, or choose a named period',
				);
			};
			const window = { from: read('from'), to: read('to') };
			if (isAfter(window.to, window.from) === false) {
				throw new InvalidValue(
					labelOf(source, 'To'),
					"is not after 'From'. The period would be empty",
				);
			}
			return window;
		},
	},
	to: silent,
});

const ofDays = { name: 'period', displayName: 'Period', top: true } as const;

/**
 * Days of a calendar, all of them if nothing is chosen: a named period, or two dates. The platform is asked for more
 * days than are wanted (`query`), because neither the zone in which it counts days nor whether the last one belongs to
 * them is shown; `moments` are what is wanted, for sorting out here.
 * @param what is listed, plural: "appointments"
 */
export function dayWindow(what: string): {
	query: { start_date: Field<string, Partial<Days>>; end_date: Field<string> };
	moments: Field<Partial<Window>>;
} {
	const period = periodChoice(calendarPeriods, [{ name: 'Any Time', value: 'any' }], {
		default: 'any',
		description: `Only ${what} that begin on these days, from midnight to midnight in the workspace's time zone, unless you set another`,
	});
	return {
		query: {
			start_date: {
				options: ofDays,
				spread: true,
				show: () => [
					...period.show('period', 'Period'),
					...ofCustom(firstDay.show('startDate', 'Start Date')),
					...ofCustom(lastDay.show('endDate', 'End Date')),
				],
				read: (source) => {
					const days = daysOf(source, period);
					return (
						days && {
							...(days.start ? { start_date: daysLater(days.start, -1) } : {}),
							...(days.end ? { end_date: daysLater(days.end, 2) } : {}),
						}
					);
				},
			},
			end_date: silent,
		},
		moments: {
			options: ofDays,
			show: () => [],
			read: (source) => {
				const days = daysOf(source, period);
				if (!days) return undefined;
				const zone = calendarZone(source);
				return {
					...(days.start ? { from: dayIn(days.start, zone).from } : {}),
					...(days.end ? { to: dayIn(days.end, zone).to } : {}),
				};
			},
		},
	};
}

interface Days {
	start_date: string;
	end_date: string;
}

const firstDay = date('First day of the period');
const lastDay = date('Last day of the period, included in it');

/** The zone whose midnight counts. @throws InvalidValue if no source tells it; ZoneNeeded */
function calendarZone(source: Source): string {
	const zone = source.neededZone();
	if (zone.type === 'iana') return zone.name;
	throw new InvalidValue(
		labelOf(source, 'Period'),
		"needs a time zone, and the platform does not show that of the workspace. Set 'Timezone' " +
			'under Options or in the credential',
	);
}

/** First and last day of the chosen period; nothing for any time. @throws InvalidValue, ZoneNeeded */
function daysOf(source: Source, of: Field<string>): { start?: string; end?: string } | undefined {
	const period = readDeciding(of, source, 'period', 'Period') ?? 'any';
	if (period === 'any') return undefined;
	if (period !== 'custom') {
		const { from, to } = windowOf(period as CalendarPeriod, DateTime.now(), calendarZone(source));
		return { start: from.slice(0, 10), end: daysLater(to.slice(0, 10), -1) };
	}
	const start = readDeciding(firstDay, source, 'startDate', 'Start Date');
	const end = readDeciding(lastDay, source, 'endDate', 'End Date');
	if (start === undefined && end === undefined) {
		throw new InvalidValue(
			labelOf(source, 'Start Date'),
			"is empty, and so is 'End Date'. Fill in one of them, or choose a named period",
		);
	}
	if (start !== undefined && end !== undefined && end < start) {
		throw new InvalidValue(labelOf(source, 'End Date'), "is before 'Start Date'");
	}
	return { start, end };
}
