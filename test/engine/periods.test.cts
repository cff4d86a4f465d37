/** Named periods as they leave n8n: of every item its own, in its own zone, at a moment at which the zones disagree. */
import type { INodeParameters } from 'n8n-workflow';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

// In Auckland it is Monday, the 2nd of November 2026, half past one; in New York it is Sunday, the day of 25 hours.
const { sandbox, run } = usePlatform({ engine: { clock: '2026-11-01T12:30:00Z' } });

const windows: Record<string, [period: string, from: string, to: string][]> = {
	'Pacific/Auckland': [
		['today', '2026-11-02T00:00:00+13:00', '2026-11-03T00:00:00+13:00'],
		['thisMonth', '2026-11-01T00:00:00+13:00', '2026-12-01T00:00:00+13:00'],
	],
	'America/New_York': [
		['today', '2026-11-01T00:00:00-04:00', '2026-11-02T00:00:00-05:00'],
		['last7Days', '2026-10-25T00:00:00-04:00', '2026-11-01T00:00:00-04:00'],
	],
};
const items = Object.entries(windows).flatMap(([zone, periods]) =>
	periods.map(([period, from, to]) => ({ zone, period, from, to })),
);
const sent = (query: Record<string, unknown>, zone: string | undefined) =>
	`${zone} ${query.from as string} ${query.to as string}`;

test('every operation with a period sends the window of each item’s period, in each item’s zone', async () => {
	const withPeriod = operationsOf(nodes()).filter(
		({ resource, parameters: shown }) =>
			resource.value === 'analytics' && shown.some(({ name }) => name === 'period'),
	);
	expect(withPeriod.map(({ value }) => value).sort()).toEqual([
		'exportMessages',
		'getCalls',
		'getSessions',
	]);
	for (const { node, value, operation } of withPeriod) {
		await sandbox.clearLedger();
		const options = { timezone: '={{ $json.zone }}' };
		const parameters = { period: '={{ $json.period }}', options };
		ok(await run(`${node.name} analytics.${value}`, parameters, { items }));
		const asked = await sandbox.ledger({ path: operation.template });
		expect(asked.map(({ query, headers }) => sent(query, headers['x-timezone'])).sort()).toEqual(
			items.map((item) => sent(item, item.zone)).sort(),
		);
	}
});

describe('the appointments of a period', () => {
	// New York: its day has 25 hours.
	const begin = [
		'2026-10-31T23:59:00-04:00',
		'2026-11-01T00:00:00-04:00',
		'2026-11-01T23:59:00-05:00',
		'2026-11-02T00:00:00-05:00',
	];

	test.each(['', 'utc', 'until'])('however the platform counts days (%s)', async (calendarDays) => {
		const [{ uuid: schedule_uuid }] = await sandbox.state('schedules');
		for (const start_time of begin)
			await sandbox.api.post('/appointments', {
				schedule_uuid,
				title: start_time,
				start_time,
				end_time: '2026-12-31T00:00:00Z',
			});
		await sandbox.settings({ manners: { calendarDays } });
		const read = async (more: INodeParameters) => {
			const options = { timezone: 'America/New_York' };
			const parameters = { returnAll: true, options, ...more };
			const result = ok(await run('acpScheduling appointment.getAll', parameters));
			return result.json().map(({ title }) => begin.indexOf(title));
		};
		const [startDate, endDate] = ['2026-10-31', '2026-11-01'];
		for (const [parameters, found] of [
			[{}, [0, 1, 2, 3]],
			[{ period: 'yesterday' }, [0]],
			[{ period: 'today' }, [1, 2]],
			[{ period: 'tomorrow' }, [3]],
			[{ period: 'nextWeek' }, [3]],
			[{ period: 'custom', startDate, endDate }, [0, 1, 2]],
			[{ period: 'custom', startDate: endDate }, [1, 2, 3]],
			[{ period: 'custom', endDate: startDate }, [0]],
		] as const)
			expect([parameters, await read(parameters)]).toEqual([parameters, found]);
	});

	test('an end before its beginning, and a period that does not exist, are refused', async () => {
		const of = async (more: INodeParameters) =>
			(await run('acpScheduling appointment.getAll', { ...more })).error?.message;
		expect(await of({ period: 'custom', startDate: '2026-11-02', endDate: '2026-11-01' })).toBe(
			"'End Date' is before 'Start Date'",
		);
		expect(await of({ period: '={{ "someday" }}' })).toMatch(
			/'Period' is "someday"; choose one of: any, custom/,
		);
	});
});
