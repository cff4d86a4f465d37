/** Named periods as they leave n8n: of every item its own, in its own zone, at a moment at which the zones disagree. */
import type { INodeParameters } from 'n8n-workflow';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

// In Auckland it is Monday, the 2nd of November 2026, half past one; in New York it is Sunday, the day of 25 hours.
const { sandbox, run } = usePlatform({ engine: { clock: '2026-11-01T12:30:00Z' } });

const windows: Record<string, Record<string, [string, string]>> = {
	'Pacific/Auckland': {
		today: ['2026-11-02T00:00:00+13:00', '2026-11-03T00:00:00+13:00'],
		yesterday: ['2026-11-01T00:00:00+13:00', '2026-11-02T00:00:00+13:00'],
		last7Days: ['2026-10-26T00:00:00+13:00', '2026-11-02T00:00:00+13:00'],
		last30Days: ['2026-10-03T00:00:00+13:00', '2026-11-02T00:00:00+13:00'],
		thisWeek: ['2026-11-02T00:00:00+13:00', '2026-11-09T00:00:00+13:00'],
		lastWeek: ['2026-10-26T00:00:00+13:00', '2026-11-02T00:00:00+13:00'],
		thisMonth: ['2026-11-01T00:00:00+13:00', '2026-12-01T00:00:00+13:00'],
		lastMonth: ['2026-10-01T00:00:00+13:00', '2026-11-01T00:00:00+13:00'],
	},
	'America/New_York': {
		today: ['2026-11-01T00:00:00-04:00', '2026-11-02T00:00:00-05:00'],
		yesterday: ['2026-10-31T00:00:00-04:00', '2026-11-01T00:00:00-04:00'],
		last7Days: ['2026-10-25T00:00:00-04:00', '2026-11-01T00:00:00-04:00'],
		last30Days: ['2026-10-02T00:00:00-04:00', '2026-11-01T00:00:00-04:00'],
		thisWeek: ['2026-10-26T00:00:00-04:00', '2026-11-02T00:00:00-05:00'],
		lastWeek: ['2026-10-19T00:00:00-04:00', '2026-10-26T00:00:00-04:00'],
		thisMonth: ['2026-11-01T00:00:00-04:00', '2026-12-01T00:00:00-05:00'],
		lastMonth: ['2026-10-01T00:00:00-04:00', '2026-11-01T00:00:00-04:00'],
	},
};
const items = Object.entries(windows).flatMap(([zone, periods]) =>
	Object.keys(periods).map((period) => ({ zone, period })),
);
const sent = (query: Record<string, unknown>, zone: string | undefined) =>
	`${zone} ${query.from as string} ${query.to as string}`;

const parameters = (operation: string): INodeParameters => ({
	resource: 'analytics',
	operation,
	period: '={{ $json.period }}',
	options: { timezone: '={{ $json.zone }}' },
});

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
		ok(await run(node.name, parameters(value), { items }));
		const asked = await sandbox.ledger({ path: operation.template });
		expect(asked.map(({ query, headers }) => sent(query, headers['x-timezone'])).sort()).toEqual(
			items
				.map(({ zone, period }) => {
					const [from, to] = windows[zone]![period]!;
					return sent({ from, to }, zone);
				})
				.sort(),
		);
	}
});

describe('the appointments of a period', () => {
	/** By zone: appointments at the edges of its days, and what each period holds. */
	const edges: Record<string, { begin: string[]; periods: Record<string, string[]> }> = {
		'Pacific/Auckland': {
			begin: [
				'2026-11-01T23:59:00+13:00',
				'2026-11-02T00:00:00+13:00',
				'2026-11-02T23:59:00+13:00',
				'2026-11-03T00:00:00+13:00',
			],
			periods: {
				yesterday: ['1T23:59'],
				today: ['2T00:00', '2T23:59'],
				tomorrow: ['3T00:00'],
				thisWeek: ['2T00:00', '2T23:59', '3T00:00'],
			},
		},
		'America/New_York': {
			begin: [
				'2026-10-31T23:59:00-04:00',
				'2026-11-01T00:00:00-04:00',
				'2026-11-01T23:59:00-05:00',
				'2026-11-02T00:00:00-05:00',
			],
			periods: {
				yesterday: ['1T23:59'],
				today: ['1T00:00', '1T23:59'],
				tomorrow: ['2T00:00'],
				nextWeek: ['2T00:00'],
			},
		},
	};

	test.each(
		Object.keys(edges).flatMap((zone) =>
			['', 'utc', 'until'].map((calendarDays) => [zone, calendarDays]),
		),
	)('in %s, however the platform counts days (%s)', async (zone, calendarDays) => {
		const { begin, periods } = edges[zone!]!;
		const [{ uuid: schedule_uuid }] = await sandbox.state('schedules');
		for (const start_time of begin)
			await sandbox.api.post('/appointments', {
				schedule_uuid,
				title: start_time.slice(9, 16).replace(/^0/, ''),
				start_time,
				end_time: '2026-12-31T00:00:00Z',
			});
		await sandbox.settings({ manners: { calendarDays } });
		const read = async (more: INodeParameters) => {
			const result = ok(
				await run('acpScheduling appointment.getAll', {
					returnAll: true,
					options: { timezone: zone! },
					...more,
				}),
			);
			return result.json().map(({ title }) => title);
		};
		const all = begin.map((time) => time.slice(9, 16).replace(/^0/, ''));
		expect(await read({})).toEqual(all);
		const found: Record<string, string[]> = {};
		for (const period of Object.keys(periods)) found[period] = await read({ period });
		expect(found).toEqual(periods);
		const [first, second] = begin.map((time) => time.slice(0, 10));
		expect(await read({ period: 'custom', startDate: first!, endDate: second! })).toEqual(
			all.slice(0, 3),
		);
		expect(await read({ period: 'custom', startDate: second! })).toEqual(all.slice(1));
		expect(await read({ period: 'custom', endDate: first! })).toEqual(all.slice(0, 1));
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
