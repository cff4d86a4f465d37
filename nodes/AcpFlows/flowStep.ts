import { boolean, choice, integer, json, locator, text, type FieldOptions } from '../engine/fields';
import { flowField } from './flow';
import { operation, resource } from '../engine/operation';

const keyLike = (example: string) => ({
	regex: '^[^\\s/?#]+$',
	message: 'Not a valid key',
	example,
});

/** An app of the catalog; its uid is no uuid. */
export const appField = (options: FieldOptions = {}) =>
	locator('searchFlowApps', 'The app the step uses', {
		name: 'app',
		pattern: keyLike('tables'),
		...options,
	});

const triggerField = (options: FieldOptions = {}) =>
	locator('searchFlowAppTriggers', 'What starts the flow', {
		name: 'triggerKey',
		displayName: 'Trigger',
		pattern: keyLike('conversation_ended'),
		...options,
	});

const actionField = (options: FieldOptions = {}) =>
	locator('searchFlowAppActions', 'What the step does', {
		name: 'actionKey',
		displayName: 'Action',
		pattern: keyLike('ai_query'),
		...options,
	});

const connectionField = locator(
	'searchFlowConnections',
	'For apps that require a connection; create connections on the platform',
	{ nullable: true, name: 'appConnection', displayName: 'Connection' },
);

/** No known endpoint lists a flow's steps; the responses of Add and Undeploy contain them. */
const stepField = (options: FieldOptions = {}) =>
	locator(null, "ID of the step, returned by 'Add' and 'Undeploy'", { name: 'step', ...options });

const agentField = locator('searchAgents', "For actions of the app 'Agents'", {
	nullable: true,
});

const config = json(
	'Settings of the trigger or action. Values can use earlier steps with templates like {{step1.field}}, as on the platform.',
	{ displayName: 'Configuration (JSON)' },
);

const deployed = {
	'409': {
		message: 'The flow is deployed, so its steps cannot be changed',
		description:
			"Return it to a draft with 'Undeploy' of the resource 'Flow', change it, then deploy it again.",
	},
};

export const flowStep = resource({
	label: 'Flow Step',
	value: 'flowStep',
	path: { uuid: flowField, step: stepField({ required: true }) },
	partOf: 'flow',
	description: 'The trigger and actions of a flow',
	defaultOperation: 'add',
	operations: {
		add: operation.create('POST /flow/{uuid}/steps', {
			description:
				'A flow has one trigger as its first step, followed by actions. Test the new step before you deploy the flow.',
			inOrder: true,
			body: {
				kind: choice(
					[
						{ name: 'Action', value: 'action', description: 'Does something in the flow' },
						{ name: 'Trigger', value: 'trigger', description: 'Starts the flow' },
					],
					'Whether the step starts the flow or does something',
					{ required: true, default: 'action' },
				),
				app_uid: appField({ required: true }),
				trigger_key: triggerField({ required: true, showWhen: { kind: ['trigger'] } }),
				action_key: actionField({ required: true, showWhen: { kind: ['action'] } }),
				agent_uuid: agentField,
				app_connection_uuid: connectionField,
				branch_key: choice(
					[
						{ name: 'Condition Is Met', value: 'true' },
						{ name: 'Condition Is Not Met', value: 'false' },
					],
					"For steps under a condition; requires 'Parent Step'",
					{ displayName: 'Branch' },
				),
				config,
				insert_after_step_uuid: stepField({
					name: 'insertAfterStep',
					description:
						'The step after which to insert the new one; leave empty to add it at the end',
				}),
				parent_step_uuid: stepField({
					name: 'parentStep',
					description: "The condition the step belongs to; requires 'Branch'",
				}),
			},
			check: ({ body }) =>
				(body.parent_step_uuid === undefined) === (body.branch_key === undefined)
					? undefined
					: "A step under a condition requires both 'Parent Step' and 'Branch'",
			explain: deployed,
		}),
		test: operation.action('POST /flow/{uuid}/steps/{step}/test', {
			description:
				'Test a trigger with a recent record, or an action with the results of earlier steps. A successful test makes the step ready to deploy.',
			body: {
				config_override: json('For actions: used for this test only', {
					displayName: 'Other Configuration (JSON)',
				}),
				data: json('For triggers: your own sample instead of a recent record', {
					displayName: 'Sample Data (JSON)',
				}),
				dry_run: boolean('Whether to only check an action without running it'),
				input_data: json('For actions: used instead of the results of earlier steps'),
				limit: integer('Max number of results to return', {
					max: 50,
					default: 50,
					hint: 'For triggers: how many recent records to offer as samples',
				}),
				live: boolean(
					'Whether to actually run an action that changes something. This sends messages and changes records.',
				),
				persist: boolean(
					'Whether to keep the result for later steps and count the step as tested',
					{ displayName: 'Keep Result', default: true },
				),
				sample_uuid: text('For triggers: the record to use, from the samples of an earlier test', {
					displayName: 'Sample',
				}),
			},
			check: ({ body }) =>
				body.live === true && body.dry_run === true
					? "'Live' and 'Dry Run' cannot be used together. Turn off one of them"
					: undefined,
			explain: {
				RESOURCE_NOT_FOUND: {
					message: 'There is no recent record to test the trigger with, or the step does not exist',
					description:
						"Make the trigger happen once on the platform, or enter your own sample in 'Sample Data (JSON)'. If the step should exist, check its ID.",
				},
			},
		}),
		update: operation.update('PATCH /flow/{uuid}/steps/{step}', {
			description:
				'Change the fields you fill in; switching to another app clears trigger, action, configuration and connection',
			body: {
				app_uid: appField({
					top: true,
					description: 'Fill in only to choose a trigger or action, or to switch to another app',
				}),
				action_key: actionField({ nullable: true }),
				agent_uuid: agentField,
				app_connection_uuid: connectionField,
				config,
				trigger_key: triggerField({ nullable: true }),
			},
			explain: deployed,
		}),
	},
});
