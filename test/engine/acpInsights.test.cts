/** Analytics & Logs: what the analytics of a workspace ask for, and research. */
import { cases, refusals } from './guarantees/cases.cts';
import { agentOf, byId } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox } = platform;
const custom = { period: 'custom', from: '2026-05-01T00:00:00Z', to: '2026-05-08T00:00:00Z' };
const inCity = { query: 'Where?', additionalFields: { searchCity: 'Rome' } };
/** Analytics of today, by a day that begins with an offset. */
const today = (offset: RegExp) => ({
	node: 'acpInsights analytics.getCalls',
	parameters: { period: 'today' },
	settings: { memberTimezone: 'Asia/Kolkata', workspaceTimezone: 'Pacific/Kiritimati' },
	got: {
		'GET /analytics/calls': [
			{ from: expect.stringMatching(offset), to: expect.stringMatching(offset) },
		],
	},
});

cases(platform, {
	// interface: §2.1 rule 5b; §5 rule 2; §5 rule 8; §5 rule 9
	'today is the day of the member whom a per-user token identifies': () => ({
		...today(/T00:00:00\+05:30$/),
		chosen: { credentials: { acpApi: sandbox.credential({ token: sandbox.userToken }) } },
	}),
	// interface: §2.1 rule 5c
	'today is the day of the workspace, which is learned from the platform':
		today(/T00:00:00\+14:00$/),
	// interface: §4.2 query
	'channels go as one list, also of the item, beside agent and comparison': async () => {
		const agent = await agentOf(sandbox);
		const filters = { channel: '={{ $json.channels }}', agent: byId(agent), comparePrev: true };
		const sent = {
			...{ from: '2026-05-01T00:00:00+00:00', to: '2026-05-08T00:00:00+00:00' },
			...{ channel: 'call,whatsapp_call', agent_uuid: agent, compare_prev: 'true' },
		};
		return {
			node: 'acpInsights analytics.getCalls',
			parameters: { ...custom, filters },
			chosen: { timezone: 'UTC' },
			items: ['call, whatsapp_call', ['call', 'whatsapp_call']].map((channels) => ({ channels })),
			got: { 'GET /analytics/calls': [sent, sent] },
		};
	},
	...refusals('acpInsights', [['search.ask', inCity, "'Search Country'"]]),
});
