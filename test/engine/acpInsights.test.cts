/** Analytics & Logs: what the analytics of a workspace ask for, and research. */
import { cases, refusals } from './guarantees/cases.cts';
import { agentOf, byId } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox } = platform;
const custom = { period: 'custom', from: '2026-05-01T00:00:00Z', to: '2026-05-08T00:00:00Z' };

cases(platform, {
	// interface: §2.1 rule 5b; §5 rule 2; §5 rule 8; §5 rule 9
	'today is the day of the member whom a per-user token identifies': () => ({
		node: 'acpInsights analytics.getCalls',
		parameters: { period: 'today' },
		settings: { memberTimezone: 'Asia/Kolkata', workspaceTimezone: 'Pacific/Kiritimati' },
		chosen: { credentials: { acpApi: sandbox.credential({ token: sandbox.userToken }) } },
		got: {
			'GET /analytics/calls': [
				{
					from: expect.stringMatching(/T00:00:00\+05:30$/),
					to: expect.stringMatching(/T00:00:00\+05:30$/),
				},
			],
		},
	}),
	// interface: §2.1 rule 5c
	'today is the day of the workspace, which is learned from the platform': {
		node: 'acpInsights analytics.getSessions',
		parameters: { period: 'today' },
		settings: { workspaceTimezone: 'Pacific/Kiritimati' },
		got: {
			'GET /analytics/sessions': [
				expect.objectContaining({ from: expect.stringMatching(/T00:00:00\+14:00$/) }),
			],
		},
	},
	// interface: §4.2 query
	'channels go as one list, beside agent and comparison': async () => ({
		node: 'acpInsights analytics.getCalls',
		parameters: {
			...custom,
			filters: {
				channel: 'call, whatsapp_call',
				agent: byId(await agentOf(sandbox)),
				comparePrev: true,
			},
		},
		got: {
			'GET /analytics/calls': [
				{
					from: '2026-05-01T00:00:00+00:00',
					to: '2026-05-08T00:00:00+00:00',
					channel: 'call,whatsapp_call',
					agent_uuid: await agentOf(sandbox),
					compare_prev: 'true',
				},
			],
		},
	}),
	'channels may come as a list from the item': {
		node: 'acpInsights analytics.getCalls',
		parameters: { ...custom, filters: { channel: '={{ $json.channels }}' } },
		items: [{ channels: ['call', 'whatsapp_call'] }],
		got: { 'GET /analytics/calls': [expect.objectContaining({ channel: 'call,whatsapp_call' })] },
	},
	...refusals('acpInsights', [
		[
			'search.ask',
			{ query: 'Holidays?', additionalFields: { searchCity: 'Berlin' } },
			"'Search Country'",
		],
	]),
});
