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
import * as time from '../time';

const zoneHint = "In the node's time zone; $now keeps the workflow's";

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
			const moment = time.readInstant(value, source.zone, fail);
			if (time.namesOffset(value))
				source.report({ moments: [{ field: label(), sent: moment, zone: source.zone }] });
			if (!options.needsOffset || time.hasOffset(moment)) return moment;
			const zone = source.neededZone();
			if (zone.type === 'iana' || options.needsOffset === 'sent')
				return time.readInstant(value, zone, fail);
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
		(value, fail, source) => time.readDate(value, source.zone, fail),
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
		(value, fail) => time.readTimeOfDay(value, options.withSeconds !== false, fail),
		{ decides: true },
	);
};

/** IANA, or a Windows name, which the platform maps (interface §2.1 rule 5a). `ianaOnly` if it is stored with a record. */
export const zone = (...given: Given<FieldOptions & { ianaOnly?: true }>): Field<string> => {
	const options = optionsOf(given);
	return leaf(
		{ placeholder: 'e.g. Europe/Istanbul', ...options },
		{ type: 'string', default: '' },
		(value, fail) => {
			const found = time.zoneOf(value);
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

export interface Window {
	from: string;
	to: string;
}

/** How a period is chosen: by name, or by two ends of one's own, whose parameters are named after them. */
export function periodOf<End extends string>(
	named: readonly time.Period[],
	ends: Record<End, Field<string>>,
	options: FieldOptions,
	further: Array<{ name: string; value: string }> = [],
) {
	const spaced = (value: string) => title(value).replace(/ ?(7|30) ?/, ' $1 ');
	const names = choice(
		[
			...named.map((value) => ({ name: spaced(value), value: value as string })),
			...further,
			{ name: 'Custom', value: 'custom' },
		],
		options,
	);
	return {
		// The ends are not marked as required: n8n would ask for them wherever the period is an expression.
		show: () => [
			...names.show('period', 'Period'),
			...Object.entries<Field<string>>(ends).flatMap(([name, field]) =>
				field.show(name, title(name)).map((property): INodeProperties => ({
					...property,
					displayOptions: { show: { period: ['custom'] } },
				})),
			),
		],
		nameIn: (source: Source) => readDeciding(names, source, 'period', 'Period'),
		ends,
	};
}

/** The second key of a window, which the field of the first fills in. */
export const silent = { options: { decides: false }, show: () => [], read: () => undefined };

export const refuse = (source: Source, displayName: string, text: string): never => {
	throw new InvalidValue(labelOf(source, displayName), text);
};

/** The name of a zone whose midnight counts. @throws InvalidValue naming the field if no source tells it */
export function midnightZone(zone: time.Zone, field: string): string {
	if (zone.type === 'iana') return zone.name;
	throw new InvalidValue(
		field,
		"needs a time zone, and the platform does not show the workspace's. Set 'Timezone' under Options or in the credential",
	);
}

export const namedWindow = (period: string, source: Source): Window =>
	time.windowOf(period as time.Period, DateTime.now(), midnightZone(source.neededZone(), 'Period'));

const ofMoments = periodOf(
	time.periods,
	{
		from: instant('Start of the period', { needsOffset: 'sent' }),
		to: instant('End of the period; not included in it', { needsOffset: 'sent', hint: '' }),
	},
	{
		default: 'yesterday',
		description: "Whole days; by default in the workspace's time zone",
	},
);

/** A window [from, to) (interface §4.2). One field fills in both keys: they belong to the same moment of asking. */
export const timeWindow = (): { from: Field<string, Window>; to: Field<string> } => ({
	from: {
		options: { name: 'period', displayName: 'Period', required: true },
		spread: true,
		show: ofMoments.show,
		read: (source) => {
			const period = ofMoments.nameIn(source) ?? 'custom';
			if (period !== 'custom') return namedWindow(period, source);
			const read = (name: 'from' | 'to'): string =>
				ofMoments.ends[name].read(source, name, title(name)) ??
				refuse(source, title(name), 'is empty. Fill it in, or choose a named period');
			const window = { from: read('from'), to: read('to') };
			return time.isAfter(window.to, window.from) === false
				? refuse(source, 'To', "is not after 'From'. The period would be empty")
				: window;
		},
	},
	to: silent,
});
