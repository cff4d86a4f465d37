import { changed } from '../answers.mjs';
import { conflict, invalid } from '../errors.mjs';
import { change } from '../store.mjs';
import { Instant } from '../zone.mjs';
import { partOf } from './agents.mjs';

/** A deployed flow cannot be edited (reference: flow steps). */
function mustBeEditable({ status }) {
	if (status === 'deployed')
		throw conflict(
			'The flow is deployed.',
			'FLOW_DEPLOYED',
			'Undeploy it before changing its steps.',
		);
}

/** What a step names by key or uuid, as it is shown. `mayBeNull`: an update takes its trigger or action away. */
function references(
	{ store },
	{ app_uid, kind, agent_uuid, app_connection_uuid, ...keys },
	mayBeNull,
) {
	const { triggers, actions, ...app } = store.need('flow_apps', app_uid, 'App');
	const field = `${kind}_key`;
	const key = keys[field];
	const found = { trigger: triggers, action: actions }[kind].find((one) => one.key === key);
	if (found === undefined && !(mayBeNull && key === null))
		throw invalid(
			field,
			key ? `The app ${app.uid} has no ${kind} ${key}.` : `The field ${field} is required.`,
		);
	if (kind === 'action' && app.uid === 'agents' && !agent_uuid)
		throw invalid('agent_uuid', 'The field agent_uuid is required for actions of the Agents app.');
	const agent = agent_uuid ? store.need('agents', agent_uuid) : null;
	const connection = store.get('flow_connections', app_connection_uuid) ?? null;
	if (app.category === 'connect' && connection?.app_uid !== app.uid)
		throw invalid('app_connection_uuid', `The app ${app.uid} needs an active connection.`);
	if (app.category === 'builtin' && app_connection_uuid)
		throw invalid('app_connection_uuid', `The app ${app.uid} takes no connection.`);
	return {
		app,
		trigger: null,
		action: null,
		[kind]: found ? { key: found.key, name: found.name } : null,
		agent: agent && { uuid: agent.agent_uuid, name: agent.name },
		app_connection: connection && { uuid: connection.uuid, label: connection.label },
	};
}

/** Positions from 1; what refers to a later step by its number moves with it. */
function insertStep(flow, step, after) {
	const index =
		after === undefined
			? flow.steps.length
			: flow.steps.indexOf(partOf(flow.steps, after, 'Step')) + 1;
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

/** Actions that the platform never runs as a test. */
const ALWAYS_DRY = new Set(['end_call', 'transfer_call']);

function testTrigger({ uuid }, { data, sample_uuid = `${uuid}-1`, limit }) {
	const selected = data ?? { sample: sample_uuid };
	const latest = { sample_uuid: `${uuid}-1`, label: 'Latest record', timestamp: Instant.now() };
	const samples = [latest].slice(0, limit);
	return { dry_run: false, data: selected, resolved: null, selected, samples };
}

function testAction({ action, config }, body, { actions }) {
	const isReading = actions.find(({ key }) => key === action.key).read_only;
	const dry = body.dry_run || ALWAYS_DRY.has(action.key) || (!isReading && !body.live);
	const resolved = { ...(body.config_override ?? config ?? {}), ...body.input_data };
	const data = dry ? null : { done: true };
	return { dry_run: dry, data, resolved, selected: null, samples: [] };
}

export const handlers = {
	'POST /flow/{}/deploy': ({ record: flow }) => {
		const draft = flow.steps.find(({ status }) => status !== 'active');
		if (flow.steps.length === 0) throw invalid('steps', 'The flow has no steps.');
		if (draft !== undefined) throw invalid('steps', `Step ${draft.position} was not tested yet.`);
		return changed(change(flow, { status: 'deployed' }));
	},
	'POST /flow/{}/undeploy': ({ record: flow }) => changed(change(flow, { status: 'draft' })),
	'POST /flow/{}/steps': ({ sandbox, record: flow, body }) => {
		mustBeEditable(flow);
		const { kind, parent_step_uuid: parent = null, branch_key = null, config = {} } = body;
		const hasTrigger = flow.steps.some((step) => step.kind === 'trigger');
		if (kind === 'trigger' && hasTrigger)
			throw invalid('kind', 'A flow has one trigger, and this one has it.');
		if (kind === 'action' && !hasTrigger) throw invalid('kind', 'Add the trigger first.');
		if (parent && partOf(flow.steps, parent, 'Step').action?.key !== 'if_condition')
			throw invalid('parent_step_uuid', 'The parent must be an if_condition step.');
		if (parent && branch_key === null)
			throw invalid('branch_key', 'The field branch_key is required with parent_step_uuid.');
		const step = {
			uuid: sandbox.random.uuid(),
			position: 0,
			kind,
			status: 'draft',
			parent_step_uuid: parent,
			branch_key,
			...references(sandbox, body),
			config,
			last_test: null,
		};
		insertStep(change(flow), step, body.insert_after_step_uuid);
		return step;
	},
	'PATCH /flow/{}/steps/{}': ({ sandbox, record: flow, params: [, uuid], body }) => {
		mustBeEditable(flow);
		const step = partOf(flow.steps, uuid, 'Step');
		const { kind, app, trigger, action, agent, app_connection, config } = step;
		const isSwitched = body.app_uid !== undefined && body.app_uid !== app.uid;
		const present = isSwitched
			? {}
			: {
					app_uid: app.uid,
					trigger_key: trigger?.key ?? null,
					action_key: action?.key ?? null,
					agent_uuid: agent?.uuid,
					app_connection_uuid: app_connection?.uuid,
				};
		change(flow);
		return Object.assign(step, references(sandbox, { kind, ...present, ...body }, true), {
			config: body.config ?? (isSwitched ? {} : config),
			status: 'draft',
		});
	},
	'POST /flow/{}/steps/{}/test': ({ sandbox, record: flow, params: [, uuid], body = {} }) => {
		const step = partOf(flow.steps, uuid, 'Step');
		const { kind, app } = step;
		const result =
			kind === 'trigger'
				? testTrigger(step, body)
				: testAction(step, body, sandbox.store.get('flow_apps', app.uid));
		if (body.persist !== false)
			Object.assign(step, { status: 'active', last_test: { data: result.data } });
		return changed({ kind, duration_ms: 5, ...result });
	},
	'GET /flow/apps/{}/triggers': ({ record: app }) => app.triggers,
	'GET /flow/apps/{}/actions': ({ record: app }) =>
		app.actions.map(({ key, name }) => ({ key, name })),
};

export const rules = {
	flow_apps: { show: (context, { triggers, actions, created_at, updated_at, ...app }) => app },
};
