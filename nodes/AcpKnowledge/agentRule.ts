import { agent, reference } from '../engine/fields';
import { operation, resource, type Schema } from '../engine/operation';
import { guardRule, replacing, replacingAll, routingRule } from '../shared/agentParts';

const routing = reference('searchAgentRoutingRules', { name: 'routingRule' });

const guard = reference('searchAgentGuardRules', { name: 'guardRule' });

export const agentRule = resource({
	label: 'Agent Rule',
	value: 'agentRule',
	path: { uuid: agent() },
	partOf: 'agent',
	operations: {
		addGuardRule: operation.create('POST /agents/{uuid}/guard-rules', {
			description:
				'Add a situation in which the agent forwards or ends the conversation; existing rules are kept',
			inOrder: true,
			body: guardRule({ required: true }),
			check: ({ body }) => {
				if (body.then_action !== 'forward') return undefined;
				if (body.destination_type === 'agent' && !body.destination_agent_uuid)
					return "To forward to an agent, choose 'Destination Agent' under Additional Fields";
				return body.destination || body.destination_agent_uuid
					? undefined
					: "To forward, fill in 'Destination' or 'Destination Agent' under Additional Fields";
			},
			simplify: ['agent_uuid', 'guard_rules'],
		}),
		addRoutingRule: operation.create('POST /agents/{uuid}/routing-rules', {
			description:
				"Add a rule for when to hand over a call. Without 'Destination' it may reach nobody; existing rules are kept.",
			inOrder: true,
			body: routingRule({ top: true }),
			check: ({ body }) => {
				const mode = body.detection_mode;
				if ((mode === 'exact' || mode === 'both') && !body.trigger_keyword)
					return `'Trigger Keyword' is empty. The detection mode ${mode} requires one`;
				if ((mode === 'intent' || mode === 'both') && !body.ai_prompt)
					return `'AI Prompt' is empty. With the detection mode ${mode}, the rule could never apply without it`;
				return undefined;
			},
			simplify: ['agent_uuid', 'routing_rules'],
		}),
		deleteGuardRule: operation.remove('DELETE /agents/{uuid}/guard-rules/{ruleUuid}', {
			description:
				"Delete a guard rule permanently; to only switch it off, update it and turn off 'Active'",
			path: { ruleUuid: guard },
		}),
		deleteRoutingRule: operation.remove('DELETE /agents/{uuid}/routing-rules/{ruleUuid}', {
			description:
				"Delete a routing rule permanently; to only switch it off, update it and turn off 'Active'",
			path: { ruleUuid: routing },
		}),
		replaceGuardRules: operation.update('PUT /agents/{uuid}/guard-rules', {
			...replacingAll('guard rules', 'rules'),
			body: {
				guard_rules: replacing<Schema<'GuardRuleWrite'>>(
					'Guard Rule',
					guardRule({ required: true }),
				),
			},
			simplify: ['agent_uuid', 'guard_rules'],
		}),
		replaceRoutingRules: operation.update('PUT /agents/{uuid}/routing-rules', {
			...replacingAll('routing rules', 'rules'),
			body: {
				routing_rules: replacing<Schema<'RoutingRuleWrite'>>('Routing Rule', routingRule()),
			},
			simplify: ['agent_uuid', 'routing_rules'],
		}),
		updateGuardRule: operation.update('PATCH /agents/{uuid}/guard-rules/{ruleUuid}', {
			description:
				"Change a guard rule; if you change 'Then Action', also fill in the fields it requires",
			path: { ruleUuid: guard },
			body: guardRule(),
			simplify: ['agent_uuid', 'guard_rules'],
		}),
		updateRoutingRule: operation.update('PATCH /agents/{uuid}/routing-rules/{ruleUuid}', {
			description: 'Change a routing rule; only fields you fill in are sent',
			path: { ruleUuid: routing },
			body: routingRule(),
			simplify: ['agent_uuid', 'routing_rules'],
		}),
	},
});
