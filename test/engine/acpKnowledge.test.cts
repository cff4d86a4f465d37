/** What an agent knows, its rules and its intents. */
import { cases, refusals } from './guarantees/cases.cts';
import { agentOf, byId } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox } = platform;
const agent = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');
const guardRules = 'POST /agents/[^/]+/guard-rules';
const ofAgent = async (node: string, more: object) => ({
	node: `acpKnowledge ${node}`,
	parameters: { agent: byId(await agentOf(sandbox)), ...more },
});
const guardRule = async (more: object) => {
	const rule = { whenCondition: 'Swears', thenAction: 'end_conversation' };
	return await ofAgent('agentRule.addGuardRule', { ...rule, ...more });
};
const nothing = '={{ $json.none }}';
const detected = (detectionMode: string) => ({ agent, additionalFields: { detectionMode } });
const toAgent = {
	...{ agent, whenCondition: 'Swears', thenAction: 'forward' },
	additionalFields: { destinationType: 'agent' },
};
const action = { agent, intent: agent, eventType: 'webhook' };
const guidelines = { values: [{ content: '=At most {{ $json.none }} %' }] };
const incomplete = "'Guidelines 1 › Content' is incomplete: {{ $json.none }} returned nothing";
const noRule = "'Routing Rules 1' is empty: its expression returned nothing";
const routing = (routingRules: unknown) => ({ agent, routingRules }) as never;
const noRules =
	/'Routing Rules' is empty\. Fill it in, or enter the fields that the platform requires/;

cases(platform, {
	// interface: §8 rule 6
	'a text of any length is sent, because no limit is known': async () => {
		const content = 'x'.repeat(200_000);
		const got = { [`POST /agents/${await agentOf(sandbox)}/notes`]: [{ content }] };
		return { ...(await ofAgent('agentKnowledge.addNote', { content })), got };
	},
	// interface: §2.7 guard rule
	'an empty list of channels is sent as one': async () => ({
		...(await guardRule({ additionalFields: { selectedChannels: '={{ [] }}' } })),
		got: { [guardRules]: [expect.objectContaining({ selected_channels: [] })] },
	}),
	// interface: §2.3 sets of values
	'an action that nobody has seen yet is not refused here: the platform decides': async () => ({
		...(await guardRule({ thenAction: 'take_a_break' })),
		fails: "The platform did not accept 'Then Action'",
		sent: { [guardRules]: 1 },
	}),
	'items that replace the same list are refused: only one would stay': async () => ({
		...(await ofAgent('agentKnowledge.replaceTraining', {
			training: { values: [{ content: '={{ $json.q }}', response: 'Yes' }] },
		})),
		items: [{ q: 'Open on Sunday?' }, { q: 'Parking?' }],
		refused: /2 of 2 items cannot be sent: 'Training' replaces what another item of this run sends/,
	}),
	'rules that an agent reads from top to bottom are added in the order of the items': async () => {
		const conditions = ['Swears', 'Is silent', 'Asks for a person', 'Speaks another language'];
		return {
			...(await guardRule({ whenCondition: '={{ $json.condition }}' })),
			settings: { manners: { jitterMs: 100 } },
			items: conditions.map((condition) => ({ condition })),
			got: {
				[guardRules]: conditions.map((when_condition) =>
					expect.objectContaining({ when_condition }),
				),
			},
		};
	},
	...refusals('acpKnowledge', [
		['agentRule.replaceRoutingRules', routing({ values: [{ aiPrompt: nothing }] }), noRule],
		['agentRule.replaceRoutingRules', routing({ values: '={{ "abc" }}' }), noRules],
		['agentRule.replaceRoutingRules', routing('={{ [{}] }}'), noRules],
		['agentRule.replaceRoutingRules', routing({ values: [{}] }), noRules],
		['agentKnowledge.replaceGuidelines', { agent, guidelines }, incomplete],
		['agentRule.addRoutingRule', detected('exact'), "'Trigger Keyword' is empty"],
		['agentRule.addRoutingRule', detected('intent'), "'AI Prompt' is empty"],
		['agentRule.addGuardRule', toAgent, "choose 'Destination Agent'"],
		['agentIntent.setEvent', { ...action, webhookUrl: nothing }, "'Webhook URL' is empty"],
	]),
});
