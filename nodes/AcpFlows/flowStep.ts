import {
	agent,
	boolean,
	choice,
	integer,
	json,
	locator,
	text,
	type FieldOptions,
} from '../engine/fields';
import { flowField } from './flow';
import { operation, resource } from '../engine/operation';

const keyLike = (example: string) => ({
	regex: '^[^\\s/?#]+$',
	message: 'Not a valid key',
	example,
});

/** An app of the catalog; its uid is no uuid. */
export const appField = (options: FieldOptions = {}) =>
	locator('searchFlowApps', {
		name: 'app',
		displayName: 'App',
		description: 'What the step works with',
		pattern: keyLike('tables'),
		...options,
	});

const triggerField = (options: FieldOptions = {}) =>
	locator('searchFlowAppTriggers', {
		displayName: 'Trigger',
		description: 'What starts the flow',
		pattern: keyLike('conversation_ended'),
		...options,
	});

const actionField = (options: FieldOptions = {}) =>
	locator('searchFlowAppActions', {
		displayName: 'Action',
		description: 'What the step does',
		pattern: keyLike('ai_query'),
		...options,
	});

const connectionField = locator('searchFlowConnections', {
	nullable: true,
	name: 'appConnection',
	displayName: 'Connection',
	description: 'For apps that need a connection; connections are made on the platform',
});

/** No list of a flow's steps is known; they come with the answers of Add and Undeploy. */
const stepField = (options: FieldOptions = {}) =>
	locator(null, {
		name: 'step',
		displayName: 'Step',
		description: 'The ID of the step; it comes with the answers of Add and Undeploy',
		...options,
	});

const agentField = agent({
	required: undefined,
	nullable: true,
	description: 'For actions of the app Agents',
});

const config = json({
	displayName: 'Configuration (JSON)',
	description:
		'What the trigger or action needs. Values may read earlier steps with templates like ' +
		'{{step1.field}}, as on the platform.',
});

const deployed = {
	'409': {
		message: 'The flow is deployed, so its steps cannot be changed',
		description:
			"Take it back to a draft with 'Undeploy' of the resource Flow, change it, and deploy it again.",
	},
};

export const flowStep = resource({
	label: 'Flow Step',
	value: 'flowStep',
	description: 'The trigger and the actions of a flow',
	defaultOperation: 'add',
	operations: {
		add: operation.create('POST /flow/{uuid}/steps', {
			name: 'Add',
			action: 'Add a step to a flow',
			description:
				'A flow has one trigger, its first step; actions come after it. Test the new step before the flow is deployed.',
			path: { uuid: flowField },
			body: {
				kind: choice(
					[
						{ name: 'Action', value: 'action', description: 'Something that is done' },
						{ name: 'Trigger', value: 'trigger', description: 'What starts the flow' },
					],
					{
						displayName: 'Kind',
						required: true,
						default: 'action',
						description: 'Whether the step starts the flow or does something',
					},
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
					{
						displayName: 'Branch',
						description: "For steps below a condition; needs 'Parent Step'",
					},
				),
				config,
				insert_after_step_uuid: stepField({
					name: 'insertAfterStep',
					displayName: 'Insert After Step',
					description: 'The step that the new one follows; at the end where this is left out',
				}),
				parent_step_uuid: stepField({
					name: 'parentStep',
					displayName: 'Parent Step',
					description: "The condition that the step stands below; needs 'Branch'",
				}),
			},
			check: ({ body }) =>
				(body.parent_step_uuid === undefined) === (body.branch_key === undefined)
					? undefined
					: "A step below a condition needs both 'Parent Step' and 'Branch'",
			explain: deployed,
		}),
		test: operation.action('POST /flow/{uuid}/steps/{step}/test', {
			name: 'Test',
			action: 'Test a step of a flow',
			description:
				'A trigger is tested with a recent record, an action with what earlier steps gave. A ' +
				'test that worked makes the step ready for deploying.',
			path: { uuid: flowField, step: stepField({ required: true }) },
			body: {
				config_override: json({
					displayName: 'Other Configuration (JSON)',
					description: 'For actions: used for this test only',
				}),
				data: json({
					displayName: 'Sample Data (JSON)',
					description: 'For triggers: a sample of your own instead of a recent record',
				}),
				dry_run: boolean({ description: 'Whether an action is only checked and not run' }),
				input_data: json({
					displayName: 'Input Data (JSON)',
					description: 'For actions: used instead of what earlier steps gave',
				}),
				limit: integer({
					max: 50,
					default: 50,
					description: 'Max number of results to return',
					hint: 'For triggers: how many recent records are offered as samples',
				}),
				live: boolean({
					description:
						'Whether an action that changes something is really run. Messages are then sent and records are changed.',
				}),
				persist: boolean({
					displayName: 'Keep Result',
					default: true,
					description: 'Whether the result is kept for later steps and the step counts as tested',
				}),
				sample_uuid: text({
					displayName: 'Sample',
					description: 'For triggers: the record to use, out of the samples of an earlier test',
				}),
			},
			check: ({ body }) =>
				body.live === true && body.dry_run === true
					? "'Live' and 'Dry Run' exclude each other. Leave one of them out"
					: undefined,
			explain: {
				RESOURCE_NOT_FOUND: {
					message: 'There is no recent record to test the trigger with, or no such step',
					description:
						"Let it happen once on the platform, or give a sample of your own in 'Sample Data " +
						"(JSON)'. If the step should exist, check its ID.",
				},
			},
		}),
		update: operation.update('PATCH /flow/{uuid}/steps/{step}', {
			name: 'Update',
			action: 'Update a step of a flow',
			description:
				'Change the fields that are filled in; another app clears trigger, action, configuration and connection',
			path: { uuid: flowField, step: stepField({ required: true }) },
			body: {
				app_uid: appField({
					top: true,
					description: 'Only for choosing a trigger or an action, or for switching to another app',
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
