import { DateTime } from 'luxon';
import { type Field, type FieldOptions, InvalidValue, isEmpty, labelOf, leaf } from './field';
import { quoted, title } from '../text/text';
import {
	hasOffset,
	isAfter,
	type Period,
	periods,
	readDate,
	readInstant,
	readTimeOfDay,
	windowOf,
	zoneOf,
} from '../time';

const zoneHint =
	"Counts in the time zone of 'Timezone' under Options, else the credential's, else " +
	"the workspace's; a time with an offset, like +03:00, keeps its own";

/**
 * A moment. `needsOffset`: `sent` where the endpoint asks for times with an offset (interface §4.2);
 * where no zone can be learned, it reads a time without one in the zone that it applies (§2.1 rule 3).
 * `compared` where the node itself has to know the moment.
 */
export const instant = (
	options: FieldOptions & { needsOffset?: 'sent' | 'compared' } = {},
): Field<string> =>
	leaf({ hint: zoneHint, ...options }, { type: 'dateTime', default: '' }, (value, fail, source) => {
		const moment = readInstant(value, source.zone, fail);
		if (!options.needsOffset || hasOffset(moment)) return moment;
		const zone = source.neededZone();
		if (zone.kind === 'iana' || options.needsOffset === 'sent')
			return readInstant(value, zone, fail);
		return fail(
			`has no offset, and the platform does not tell the time zone of the workspace: ${quoted(value)}. Add one, like +03:00, or set 'Timezone' under Options`,
		);
	});

/** A calendar date, never shifted (interface §2.1 rule 4). */
export const date = (options: FieldOptions = {}): Field<string> =>
	leaf(
		{ ...options },
		{ type: 'dateTime', default: '', typeOptions: { dateOnly: true } },
		(value, fail, source) => readDate(value, source.zone, fail),
	);

/** A time of day, never shifted (interface §2.1 rule 4). `withSeconds: false` where the platform takes HH:MM. */
export const timeOfDay = (options: FieldOptions & { withSeconds?: boolean } = {}): Field<string> =>
	leaf({ placeholder: 'e.g. 09:30', ...options }, { type: 'string', default: '' }, (value, fail) =>
		readTimeOfDay(value, options.withSeconds !== false, fail),
	);

/**
 * A time zone: IANA, or a Windows name, which the platform maps where it stands for the caller's zone
 * (interface §2.1 rule 5a). `ianaOnly` for zones that are stored with a record.
 */
export const zone = (options: FieldOptions & { ianaOnly?: true } = {}): Field<string> =>
	leaf(
		{ placeholder: 'e.g. Europe/Istanbul', ...options },
		{ type: 'string', default: '' },
		(value, fail) => {
			const found = zoneOf(value);
			if (!found || (options.ianaOnly && found.kind !== 'iana')) {
				return fail(
					`is not a time zone: ${quoted(value)}. Use a name like Europe/Istanbul or America/New_York`,
				);
			}
			return found.name;
		},
		{ empty: '' },
	);

/** The two ends of a period, as they are sent. */
interface Window {
	from: string;
	to: string;
}

/**
 * A half-open window [from, to): a named period, or two moments (interface §4.2).
 * Both query parameters come from one field, so that they always belong to the same moment of asking:
 * `query: { ...timeWindow(), channel: … }`.
 */
export const timeWindow = (
	options: FieldOptions = {},
): { from: Field<string, Window>; to: Field<string> } => ({
	from: windowField(options),
	to: { options: {}, show: () => [], read: () => undefined },
});

/** Shows the whole window; its value is spread over `from` and `to`. */
function windowField(options: FieldOptions): Field<string, Window> {
	const from = instant({ needsOffset: 'sent' });
	const display = { period: options.displayName ?? 'Period', from: 'From', to: 'To' };
	return {
		options: { name: 'period', displayName: display.period, required: true, ...options },
		spread: true,
		// From and To are not marked as required: n8n would ask for them wherever the period is an expression.
		show: () => [
			{
				displayName: display.period,
				name: 'period',
				type: 'options',
				options: [
					...periods.map((value) => ({
						name: title(value).replace('7', '7 ').replace('30', '30 ').replace(/\s+/g, ' '),
						value,
					})),
					{ name: 'Custom', value: 'custom' },
				].sort((a, b) => a.name.localeCompare(b.name)),
				default: 'yesterday',
				description: 'Which days to count, from midnight to midnight in the time zone that applies',
			},
			{
				displayName: display.from,
				name: 'from',
				type: 'dateTime',
				default: '',
				description: 'The first moment of the period',
				hint: zoneHint,
				displayOptions: { show: { period: ['custom'] } },
			},
			{
				displayName: display.to,
				name: 'to',
				type: 'dateTime',
				default: '',
				description: 'The moment at which the period ends; it is not part of the period',
				displayOptions: { show: { period: ['custom'] } },
			},
		],
		read: (source) => {
			const period = source.get('period') as Period | 'custom' | undefined;
			if (period !== undefined && period !== 'custom') {
				if (!periods.includes(period)) {
					throw new InvalidValue(
						labelOf(source, display.period),
						`is ${quoted(period)}; choose one of: ${periods.join(', ')}, custom`,
					);
				}
				const zone = source.neededZone();
				if (zone.kind !== 'iana') {
					throw new InvalidValue(
						labelOf(source, display.period),
						'needs a time zone, and the platform does not tell that of the workspace. ' +
							"Set 'Timezone' under Options or in the credential",
					);
				}
				return windowOf(period, DateTime.now(), zone.name);
			}
			const read = (name: 'from' | 'to') => {
				if (isEmpty(source.get(name))) {
					throw new InvalidValue(
						labelOf(source, display[name]),
						'is empty. Fill it in, or choose a named period',
					);
				}
				return from.read(source, name, display[name]) as string;
			};
			const window = { from: read('from'), to: read('to') };
			if (isAfter(window.to, window.from) === false) {
				throw new InvalidValue(
					labelOf(source, display.to),
					`is not after '${display.from}'. The period would be empty`,
				);
			}
			return window;
		},
	};
}
