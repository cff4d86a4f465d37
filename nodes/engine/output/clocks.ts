import type { Execution } from '../execution';
import type { Moment } from '../fields/field';
import type { PreparedRequest } from '../operation/preparedRequest';
import { zoneInForce } from '../prepare/zones';
import { many, sentences } from '../text/text';
import { otherClock } from '../time';

/** A time whose offset is not that of the time zone in force, with the clock there; its keys are public. */
interface OtherClock extends Moment {
	timezone: string;
	local: string;
}

/** The times of a request that two clocks tell; none if the zone in force is unknown. */
export function otherClocks(execution: Execution, { item, report }: PreparedRequest): OtherClock[] {
	const zone = zoneInForce(execution, item);
	if (zone.type !== 'iana') return [];
	return report.moments.flatMap(({ field, sent }) => {
		const local = otherClock(sent, zone.name);
		return local === undefined ? [] : [{ field, sent, timezone: zone.name, local }];
	});
}

/** "Scheduled At: 2027-03-01T09:00:00+01:00, which is 2027-03-01 03:00 in America/New_York" */
export const clockText = ({ field, sent, timezone, local }: OtherClock): string =>
	`${field}: ${sent}, which is ${clockOf(local)} in ${timezone}`;

/** Day and time of a moment, as they are sent. */
const clockOf = (moment: string): string => moment.slice(0, 16).replace('T', ' ');

/**
 * Says that times of a run have another offset than the time zone in force: `$now` and `$today` have that of the
 * workflow, and what an expression makes of them may be meant by the other clock.
 */
export function tellClocks(execution: Execution, ready: PreparedRequest[]): void {
	const [first, ...more] = ready.flatMap((prepared) => otherClocks(execution, prepared));
	if (!first) return;
	const { field, sent, timezone, local } = first;
	execution.hints.add(
		sentences(
			`'${field}' is ${clockOf(sent)} with the offset ${sent.slice(19)}, which is ${clockOf(local)} in ${timezone}.`,
			more.length > 0 &&
				`${many(more.length, 'more time has', 'more times have')} another offset too.`,
			`If you meant ${sent.slice(11, 16)} in ${timezone}, remove the offset, write $now.setZone('${timezone}') in the expression, or set the time zone of the workflow.`,
		),
	);
}
