/** Which records begin on the days of a list. */
import { dayWindow } from '../../nodes/AcpScheduling/dayWindow';

test.each([
	['2035-03-06T00:00:00+03:00', true],
	['2035-03-05T20:59:59Z', false],
	['2035-03-07T00:00:00+03:00', false],
	['2035-03-06 12:00', undefined],
	['2035-03-06T99:00:00Z', undefined],
	[null, undefined],
])('%s: %s, where unknown is kept', (start_time, begins) => {
	const day = { from: '2035-03-06T00:00:00+03:00', to: '2035-03-07T00:00:00+03:00' };
	expect(dayWindow('appointments').filters.days.keeps({ start_time }, day)).toBe(begins);
});
