import { changed, read } from '../answers.mjs';
import { ApiError, conflict, invalid, notFound } from '../errors.mjs';
import { Instant } from '../zone.mjs';
import { agentOf } from './agents.mjs';
import { APPS } from './apps.mjs';

const appOf = (uid) => {
	const app = APPS.find((one) => one.uid === uid);
	if (app === undefined) throw notFound('App');
	return app;
};

const shownApp = ({ triggers, actions, support_trigger, support_action, ...app }) => app;

const flowOf = (sandbox, uuid) => sandbox.store.need('flows', uuid, 'Flow');

/** A deployed flow cannot be edited (reference: flow steps). */
function editable(sandbox, uuid) {
	const flow = flowOf(sandbox, uuid);
	if (flow.status === 'deployed')
		throw conflict(
			'The flow is deployed.',
			'FLOW_DEPLOYED',
			'Undeploy it before changing its steps.',
		);
	return flow;
}

function stepOf(flow, uuid) {
	const step = flow.steps.find((one) => one.uuid === uuid);
	if (step === undefined) throw notFound('Step');
	return step;
}

/** What a step names by key or uuid, as it is shown. */
function references(
	sandbox,
	app,
	{ kind, trigger_key, action_key, agent_uuid, app_connection_uuid },
	mayBeNull = false,
) {
	const trigger =
		kind === 'trigger' ? app.triggers.find(({ key }) => key === trigger_key) : undefined;
	const action = kind === 'action' ? app.actions.find(({ key }) => key === action_key) : undefined;
	if (kind === 'trigger' && trigger === undefined && !(mayBeNull && trigger_key === null))
		throw invalid(
			'trigger_key',
			trigger_key
				? `The app ${app.uid} has no trigger ${trigger_key}.`
				: 'The field trigger_key is required.',
		);
	if (kind === 'action' && action === undefined && !(mayBeNull && action_key === null))
		throw invalid(
			'action_key',
			action_key
				? `The app ${app.uid} has no action ${action_key}.`
				: 'The field action_key is required.',
		);
	if (kind === 'action' && app.uid === 'agents' && !agent_uuid)
		throw invalid('agent_uuid', 'The field agent_uuid is required for actions of the Agents app.');
	const agent = agent_uuid ? agentOf(sandbox, agent_uuid) : undefined;
	const connection = app_connection_uuid
		? sandbox.store.collection('flow_connections').get(app_connection_uuid)
		: undefined;
	if (app.category === 'connect' && connection?.app_uid !== app.uid)
		throw invalid('app_connection_uuid', `The app ${app.uid} needs an active connection.`);
	if (app.category === 'builtin' && app_connection_uuid)
		throw invalid('app_connection_uuid', `The app ${app.uid} takes no connection.`);
	const named = (one) => (one === undefined ? null : { key: one.key, name: one.name });
	return {
		app: shownApp(app),
		trigger: named(trigger),
		action: named(action),
		agent: agent === undefined ? null : { uuid: agent.agent_uuid, name: agent.name },
		app_connection:
			connection === undefined ? null : { uuid: connection.uuid, label: connection.label },
	};
}

/** Positions from 1; what refers to a later step by its number moves with it. */
function insertStep(flow, step, after) {
	const index =
		after === undefined ? flow.steps.length : flow.steps.indexOf(stepOf(flow, after)) + 1;
	for (const later of flow.steps.slice(index)) {
		later.config = JSON.parse(
			JSON.stringify(later.config ?? {}).replace(/\{\{step(\d+)\./g, (whole, number) =>
				Number(number) > index ? `{{step${Number(number) + 1}.` : whole,
			),
		);
	}
	flow.steps.splice(index, 0, step);
	flow.steps.forEach((one, position) => (one.position = position + 1));
}

const touch = (flow) => Object.assign(flow, { updated_at: Instant.now() });

/** Actions that the platform never runs as a test. */
const ALWAYS_DRY = new Set(['end_call', 'transfer_call']);

function testTrigger(step, body) {
	const samples = [
		{ sample_uuid: `${step.uuid}-1`, label: 'Latest record', timestamp: Instant.now() },
	];
	const data = body.data ?? { sample: body.sample_uuid ?? samples[0].sample_uuid };
	return {
		kind: 'trigger',
		dry_run: false,
		data,
		duration_ms: 5,
		resolved: null,
		selected: data,
		samples: samples.slice(0, body.limit),
	};
}

function testAction(step, body, app) {
	const action = app.actions.find(({ key }) => key === step.action.key);
	const dry = body.dry_run || ALWAYS_DRY.has(action.key) || (!action.read_only && !body.live);
	const resolved = { ...(body.config_override ?? step.config ?? {}), ...body.input_data };
	return {
		kind: 'action',
		dry_run: dry,
		data: dry ? null : { done: true },
		duration_ms: 5,
		resolved,
		selected: null,
		samples: [],
	};
}

export const flows = {
	'POST /flow/{}/deploy': ({ sandbox, params: [uuid] }) => {
		const flow = flowOf(sandbox, uuid);
		const draft = flow.steps.find(({ status }) => status !== 'active');
		if (flow.steps.length === 0 || draft !== undefined)
			throw new ApiError(422, {
				field: 'steps',
				message:
					draft === undefined
						? 'The flow has no steps.'
						: `Step ${draft.position} was not tested yet.`,
			});
		touch(flow).status = 'deployed';
		return changed(flow, uuid, 'Flow deployed.');
	},
	'POST /flow/{}/undeploy': ({ sandbox, params: [uuid] }) => {
		const flow = flowOf(sandbox, uuid);
		touch(flow).status = 'draft';
		return changed(flow, uuid, 'Flow undeployed.');
	},
	'POST /flow/{}/steps': ({ sandbox, params: [uuid], body }) => {
		const flow = editable(sandbox, uuid);
		const hasTrigger = flow.steps.some(({ kind }) => kind === 'trigger');
		if (body.kind === 'trigger' && hasTrigger)
			throw invalid('kind', 'A flow has one trigger, and this one has it.');
		if (body.kind === 'action' && !hasTrigger) throw invalid('kind', 'Add the trigger first.');
		if (
			body.parent_step_uuid !== undefined &&
			stepOf(flow, body.parent_step_uuid).action?.key !== 'if_condition'
		)
			throw invalid('parent_step_uuid', 'The parent must be an if_condition step.');
		if (body.parent_step_uuid !== undefined && body.branch_key === undefined)
			throw invalid('branch_key', 'The field branch_key is required with parent_step_uuid.');
		const step = {
			uuid: sandbox.random.uuid(),
			position: 0,
			kind: body.kind,
			status: 'draft',
			parent_step_uuid: body.parent_step_uuid ?? null,
			branch_key: body.branch_key ?? null,
			...references(sandbox, appOf(body.app_uid), body),
			config: body.config ?? {},
			last_test: null,
		};
		insertStep(touch(flow), step, body.insert_after_step_uuid);
		return { status: 201, body: { data: step }, effect: 'created', uuid: step.uuid };
	},
	'PATCH /flow/{}/steps/{}': ({ sandbox, params: [uuid, stepUuid], body }) => {
		const flow = editable(sandbox, uuid);
		const step = stepOf(flow, stepUuid);
		const switched = body.app_uid !== undefined && body.app_uid !== step.app.uid;
		const present = switched
			? {}
			: {
					trigger_key: step.trigger?.key ?? null,
					action_key: step.action?.key ?? null,
					agent_uuid: step.agent?.uuid,
					app_connection_uuid: step.app_connection?.uuid,
				};
		const wanted = { kind: step.kind, ...present, ...body };
		Object.assign(step, references(sandbox, appOf(body.app_uid ?? step.app.uid), wanted, true), {
			config: body.config ?? (switched ? {} : step.config),
			status: 'draft',
		});
		touch(flow);
		return { status: 200, body: { data: step }, effect: 'changed', uuid: stepUuid };
	},
	'POST /flow/{}/steps/{}/test': ({ sandbox, params: [uuid, stepUuid], body = {} }) => {
		const step = stepOf(flowOf(sandbox, uuid), stepUuid);
		const result =
			step.kind === 'trigger'
				? testTrigger(step, body)
				: testAction(step, body, appOf(step.app.uid));
		if (body.persist !== false)
			Object.assign(step, { status: 'active', last_test: { data: result.data } });
		return changed(result, stepUuid, 'Step tested.');
	},
	'GET /flow/apps': () =>
		read(
			APPS.map(({ triggers, actions, ...app }) => app),
			'Apps retrieved.',
		),
	'GET /flow/apps/{}/triggers': ({ params: [uid] }) =>
		read(appOf(uid).triggers, 'Triggers retrieved.'),
	'GET /flow/apps/{}/actions': ({ params: [uid] }) =>
		read(
			appOf(uid).actions.map(({ key, name }) => ({ key, name })),
			'Actions retrieved.',
		),
};
