import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { isEqual, omit } from 'lodash';
import {
	addIntent,
	listIntents,
	publishAction,
	readAction,
	setAction,
	updateIntent,
	urlOfAction,
	type AgentIntent,
} from './agentIntents';
import {
	beforeOf,
	entriesHere,
	entryOf,
	forget,
	forgetStrangers,
	isAtOwnAddress,
	knownBefore,
	nothingBefore,
	ownershipOf,
	presentState,
	remember,
	remembered,
	sealBefore,
	standingOf,
	stranded,
	type Standing,
} from './ownership';
import {
	explainRequestError,
	preparePlan,
	webhookFor,
	type Before,
	type Place,
	type Plan,
	type Registrant,
	type RegistrationData,
} from './plan';
import { readTarget, type IntentFields, type Target } from './settings';
import { locatorValue } from '../engine/fields/locator';
import { apiError } from '../engine/errors/errorText';
import { RequestError } from '../engine/errors/requestError';
import { markOf } from '../engine/http/workspace';
import { rethrow } from '../engine/errors/rethrow';
import { sentence } from '../engine/text/text';
import { addressOf } from '../engine/registration/address';
import { fetchAgentName, isGone, isUnsupported } from '../engine/registration/platform';
import {
	findRegistrant,
	isStarting,
	othersOfType,
	refuseLoopback,
	refuseSharedAddress,
	registrationError,
} from '../engine/registration/registrant';

const title = 'ACP Intent Trigger';

function warn({ context }: Registrant, complaint: string | undefined): void {
	if (complaint !== undefined) context.logger.warn(`${title}: ${complaint}`);
}

const openPlan = async (context: IHookFunctions): Promise<Plan> =>
	await preparePlan(findRegistrant<RegistrationData>(context), readTarget(context));

/** The name, description and parameters that the node wants for an intent that it creates. */
const fieldsOf = ({
	name,
	description,
	parameters,
}: IntentFields): IDataObject & { name: string } => ({
	name,
	description,
	parameters: parameters as unknown as IDataObject[],
});

/** Whether an intent is as the node describes it. */
const isDescribed = ({ create }: Target, { name, description, parameters }: AgentIntent): boolean =>
	create === undefined || isEqual(fieldsOf(create), fieldsOf({ name, description, parameters }));

/**
 * The intent that the node serves: the chosen one. If the node creates the intent: the one that it made, or the one
 * that already calls it, or the one of that name, in this order.
 */
async function findStanding(
	plan: Plan,
	{ agent, intent, create }: Target,
): Promise<Standing | undefined> {
	const records = await listIntents(plan.client, agent);
	const made = remembered(plan).filter((entry) => entry.agent === agent && entry.made);
	const isOwn = (record: AgentIntent): boolean =>
		ownershipOf(plan, standingOf(agent, record, undefined)) === 'own';
	const record = create
		? (records.find(({ uuid }) => made.some((entry) => entry.intent === uuid)) ??
			records.find(isOwn) ??
			records.find(({ name }) => name.trim() === create.name))
		: records.find(({ uuid }) => uuid === intent);
	return record && standingOf(agent, record, await readAction(plan.client, agent, record.uuid));
}

const isMade = (plan: Plan, standing: Standing): boolean => entryOf(plan, standing)?.made === true;

/** Whether everything on the platform and in memory is as it should be. */
function isUpToDate(plan: Plan, target: Target, standing: Standing): boolean {
	const { url, auth_token } = webhookFor(plan, standing);
	const entry = entryOf(plan, standing);
	return (
		standing.url === url &&
		standing.authToken === auth_token &&
		isDescribed(target, standing.record) &&
		entry !== undefined &&
		entry.address === plan.address &&
		entry.authToken === markOf(auth_token) &&
		isEqual(entry.parameters, standing.record.parameters)
	);
}

/** For messages: "The intent "Book a table" of the agent …". */
const nameOf = async (plan: Plan, { agent, record }: Standing): Promise<string> =>
	`The intent "${record.name.slice(0, 80)}" of the agent ${await fetchAgentName(plan.client, agent)}`;

const whatItDoes = ({ action, url }: Standing): string => {
	if (url) return `already calls ${addressOf(url) ?? 'an unreadable URL'}`;
	return `already has another action (${action?.event_type ?? 'of an unknown kind'})`;
};

/** Why the node cannot take an intent, in words; undefined if it can. */
async function obstacle(
	plan: Plan,
	target: Target,
	standing: Standing,
): Promise<string | undefined> {
	const ownership = ownershipOf(plan, standing);
	const free = ownership === 'free' || ownership === 'own';
	const known = ownership === 'own' || isMade(plan, standing);
	if (free && (known || isDescribed(target, standing.record))) return undefined;
	const name = await nameOf(plan, standing);
	if (!plan.replace) {
		if (free)
			return `${name} was not created by this node, and its description or parameters differ from those here. Choose it under 'Intent', enter another name, or turn on the option 'Replace'.`;
		const where =
			ownership === 'elsewhere'
				? ` This workflow is registered there under another URL than this n8n's, ${plan.origin}. Either another n8n did that, or this n8n has moved.`
				: '';
		return `${name} is taken: it ${whatItDoes(standing)}.${where} Turn on the option 'Replace' to take it over; unpublishing this workflow restores what it does now. Or choose another intent.`;
	}
	return free || beforeOf(plan, standing)
		? undefined
		: `${name} is taken: it ${whatItDoes(standing)}, and the platform does not show enough of that to restore it later. Remove it on the platform, then try again.`;
}

/** Two nodes of one workflow for one intent would take it from each other at each publish. */
function refuseSharedIntent(context: IHookFunctions): void {
	const { name, parameters } = context.getNode();
	const intentOf = (given: typeof parameters): unknown =>
		given.intentToUse === 'create' ? undefined : locatorValue(given.intent);
	const intent = intentOf(parameters);
	const twin = othersOfType(context).find(
		(other) => intent && intentOf(other.parameters) === intent,
	);
	if (!twin || isStarting(context)) return;
	throw registrationError(
		context,
		`"${name}" and "${twin.name}" answer for the same intent, which can call only one of them. Choose another intent in one of the two nodes, or delete that node.`,
	);
}

/** Makes the intent call this node. @throws RequestError, NodeOperationError */
async function connect(plan: Plan, standing: Standing, changes: IDataObject): Promise<void> {
	const { client, context } = plan;
	const { agent, intent, record } = standing;
	const webhook = webhookFor(plan, standing);
	const name = typeof changes.name === 'string' ? changes.name : record.name;
	const update = async (more: IDataObject) =>
		await updateIntent(client, agent, { ...record, name }, more);
	if (standing.action) {
		if (Object.keys(changes).length > 0) await update(changes);
	} else {
		try {
			const answered = await update({ ...changes, webhook });
			if (answered.url === webhook.url) return;
			const read = (await listIntents(client, agent)).find(({ uuid }) => uuid === intent);
			if (read?.url === webhook.url) return;
		} catch (requestError) {
			if (!(requestError instanceof RequestError) || !isUnsupported(requestError))
				rethrow(requestError);
		}
	}
	// The newer way: if the intent already uses it, or if an update does not set the webhook.
	const { draft } = standing;
	if (draft && ownershipOf(plan, { ...standing, url: urlOfAction(draft) }) !== 'own')
		throw registrationError(
			context,
			`${await nameOf(plan, standing)} has a draft of another action, which would be lost. Publish or remove the draft on the platform, then try again.`,
		);
	try {
		await setAction(client, agent, intent, { event_type: 'webhook', webhook });
	} catch (requestError) {
		if (!(requestError instanceof RequestError) || !isUnsupported(requestError))
			rethrow(requestError);
		throw registrationError(
			context,
			`${await nameOf(plan, standing)} cannot get a URL: the platform accepts it neither in an update nor as an action.`,
		);
	}
	await publishAction(client, agent, intent);
}

/** Puts back what an intent had. @returns why something of this node is still there, if it is */
async function putBack(
	plan: Plan,
	standing: Standing,
	before: Before,
): Promise<string | undefined> {
	const { client } = plan;
	const { agent, intent, record } = standing;
	if (before.action) {
		await setAction(client, agent, intent, before.action);
		if (before.live) await publishAction(client, agent, intent);
		return undefined;
	}
	const changes = before.changes as IDataObject;
	if (!standing.action) {
		await updateIntent(client, agent, record, changes);
		return undefined;
	}
	// The intent has its action from this node. An action cannot be removed, but a draft is not live.
	const { url, auth_token } = changes.webhook as { url: string; auth_token: string };
	const webhook = url === '' ? webhookFor(plan, standing) : { url, auth_token };
	await setAction(client, agent, intent, { event_type: 'webhook', webhook });
	if (url !== '') await publishAction(client, agent, intent);
	return undefined;
}

const intentPlace = ({ agent, intent }: Place): string => `The intent ${intent} of agent ${agent}`;

const explain = (thrown: unknown, plan: Plan): string =>
	thrown instanceof RequestError
		? explainRequestError(thrown, plan)
		: sentence((thrown as Error).message);

const explainLeftover = (place: Place, reason: string): string =>
	`${intentPlace(place)} could not be restored. ${reason} Until it is, it calls this workflow, and n8n responds with 404. Publish and unpublish with a working credential, or change the intent on the platform.`;

/**
 * Restores an intent. It does not touch what is no longer this node's. Never throws.
 * @returns why something of this node is still there, if it is
 */
async function release(plan: Plan, place: Place): Promise<string | undefined> {
	const keepMade = (): void => {
		const entry = entryOf(plan, place);
		if (!entry?.made) return forget(plan, place);
		remember(plan, { ...omit(entry, 'before'), address: '', token: '', authToken: '' });
	};
	try {
		const record = (await listIntents(plan.client, place.agent)).find(
			({ uuid }) => uuid === place.intent,
		);
		if (!record) {
			forget(plan, place);
			return undefined;
		}
		const action = await readAction(plan.client, place.agent, place.intent);
		const standing = standingOf(place.agent, record, action);
		if (ownershipOf(plan, standing) !== 'own' || !isAtOwnAddress(plan, standing)) {
			// Another node or person has it now. The node keeps what the intent had before, because it may get the intent
			// back.
			if (entryOf(plan, place)?.before === undefined || standing.url === '') keepMade();
			return undefined;
		}
		const before = knownBefore(plan, standing) ?? nothingBefore;
		const complaint = await putBack(plan, standing, before);
		if (complaint === undefined) keepMade();
		return complaint;
	} catch (thrown) {
		if (thrown instanceof RequestError && isGone(thrown)) {
			forget(plan, place);
			return undefined;
		}
		return explainLeftover(place, explain(thrown, plan));
	}
}

const isTarget = (place: Place, wanted: Place): boolean =>
	place.agent === wanted.agent && place.intent === wanted.intent;

/**
 * n8n's `checkExists`: whether the intent calls this node as it should, and no other intent does. Only reads.
 * @throws NodeApiError, NodeOperationError, both with everything to know in the message
 */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	const plan = await openPlan(context);
	const target = plan.target as Target;
	if (remembered(plan).length === 0) return false;
	try {
		const standing = await findStanding(plan, target);
		return (
			standing !== undefined &&
			isUpToDate(plan, target, standing) &&
			stranded(plan).length === 0 &&
			remembered(plan).every((entry) => entry.address === '' || isTarget(entry, standing))
		);
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) rethrow(thrown);
		// At start-up nobody reads messages, and the registration is probably there.
		if (isStarting(context) && !isGone(thrown)) {
			warn(plan, `could not check its intent: ${explainRequestError(thrown, plan)}`);
			return true;
		}
		throw failure(plan, thrown);
	}
}

/** A request that did not succeed, as n8n shows it. */
function failure(plan: Plan, requestError: RequestError): Error {
	const agent = plan.target?.agent;
	const message = isGone(requestError)
		? `The agent ${agent} was not found at ${plan.client.workspace.host}: it was deleted, or it belongs to another workspace. Choose another one under 'Agent', or check the credential.`
		: explainRequestError(requestError, plan);
	return apiError(plan.context.getNode(), { message, description: message }, requestError.facts);
}

/** @throws RequestError, NodeOperationError if the workspace cannot create intents */
async function makeIntent(plan: Plan, { agent, intent, create }: Target): Promise<AgentIntent> {
	const { client, context } = plan;
	if (!create)
		throw registrationError(
			context,
			`The agent ${await fetchAgentName(client, agent)} has no intent ${intent}. Choose another one under 'Intent', or create one here.`,
		);
	// From the field's name we guess that the model handles the answer; a person can change it on the platform.
	const uuid = await addIntent(client, agent, {
		...fieldsOf(create),
		intent_llm_handle_by_response: true,
	}).catch((thrown: Error) => {
		if (!(thrown instanceof RequestError) || !isUnsupported(thrown)) return rethrow(thrown);
		throw registrationError(
			context,
			'This workspace does not create intents at the undocumented path this node tried. Create it on the ' +
				"platform, then choose it under 'Intent'.",
		);
	});
	return { uuid, key: '', url: '', authToken: '', ...create };
}

/**
 * Creates the intent if it is missing, checks whether the node can take it, and takes it.
 * @throws RequestError, NodeOperationError
 */
async function take(plan: Plan, target: Target): Promise<Place> {
	const { client, context } = plan;
	const { agent, create } = target;
	let standing = await findStanding(plan, target);
	const complaint = standing && (await obstacle(plan, target, standing));
	if (complaint !== undefined) throw registrationError(context, complaint);
	const made = standing === undefined || isMade(plan, standing);
	standing ??= standingOf(agent, await makeIntent(plan, target), undefined);
	if (isUpToDate(plan, target, standing)) return standing;

	const changes = isDescribed(target, standing.record) ? {} : fieldsOf(create as IntentFields);
	const before = beforeOf(plan, standing) ?? (presentState(standing) as Before);
	if (!made && Object.keys(changes).length > 0 && before.changes) {
		const { name, description, parameters } = standing.record;
		before.changes = { ...before.changes, ...fieldsOf({ name, description, parameters }) };
	}
	await connect(plan, standing, changes);
	const place = { agent, intent: standing.intent };
	remember(plan, {
		workflow: plan.workflow,
		node: plan.node,
		...place,
		address: plan.address,
		workspace: client.workspace.origin,
		token: markOf(plan.tokenOf(place)),
		authToken: markOf(plan.authTokenOf(place)),
		parameters: create?.parameters ?? standing.record.parameters,
		...(made ? { made: true as const } : {}),
		before: sealBefore(plan, place, before),
	});
	return place;
}

/**
 * n8n's `create`: takes the intent or repairs it, and restores the intent that the node had before its parameters
 * changed.
 * @throws NodeApiError, NodeOperationError, both with everything to know in the message
 */
export async function register(context: IHookFunctions): Promise<boolean> {
	refuseSharedAddress(context, title, 'requests');
	refuseSharedIntent(context);
	const plan = await openPlan(context);
	refuseLoopback(plan, plan.client, 'call');
	forgetStrangers(plan);
	let place: Place;
	try {
		place = await take(plan, plan.target as Target);
	} catch (thrown) {
		if (thrown instanceof RequestError) throw failure(plan, thrown);
		return rethrow(thrown);
	}
	for (const entry of remembered(plan)) {
		if (entry.address === '' || isTarget(entry, place)) continue;
		remember(plan, { ...entry, outdated: true });
		warn(plan, await release(plan, entry));
	}
	for (const entry of stranded(plan)) {
		warn(plan, unreachable(plan, entry));
		plan.memory.registrations = (plan.memory.registrations ?? []).filter((kept) => kept !== entry);
	}
	return true;
}

const unreachable = ({ client }: Plan, entry: Place & { workspace: string }): string =>
	`${intentPlace(entry)} still calls this workflow at ${new URL(entry.workspace).host}, because the credential now points to ${client.workspace.host}. Change it there.`;

/** The intent of the parameters, if they can be read: what gets restored must not depend on it. */
function targetToClear(context: IHookFunctions): Target | undefined {
	try {
		return readTarget(context);
	} catch (thrown) {
		context.logger.debug(`${title} restores only what it remembers: ${(thrown as Error).message}`);
		return undefined;
	}
}

/**
 * n8n's `delete`: restores what is provably this node's. It never throws: a throw would keep n8n 1.x from the other
 * triggers of the workflow and from saving static data. What it cannot restore, it logs and remembers; the next
 * `create` or `delete` of this node tries again.
 * @returns whether no intent calls this node any more
 */
export async function unregister(context: IHookFunctions): Promise<boolean> {
	try {
		const registrant = findRegistrant<RegistrationData>(context);
		const plan = await preparePlan(registrant, targetToClear(context)).catch((thrown: Error) => {
			for (const entry of entriesHere(registrant))
				warn(registrant, explainLeftover(entry, sentence(thrown.message)));
			rethrow(thrown);
		});
		const places: Place[] = remembered(plan).filter(({ address }) => address !== '');
		const { target } = plan;
		// Static data may be lost; the token in the URL is proof enough.
		if (target?.intent !== undefined && !entryOf(plan, target as Place))
			places.push({ agent: target.agent, intent: target.intent });
		if (target?.create && !places.some(({ agent }) => agent === target.agent)) {
			const standing = await findStanding(plan, target).catch(() => undefined);
			if (standing && !entryOf(plan, standing)) places.push(standing);
		}
		const complaints: string[] = [];
		for (const place of places) {
			const complaint = await release(plan, place);
			if (complaint !== undefined) complaints.push(complaint);
		}
		complaints.push(...stranded(plan).map((entry) => unreachable(plan, entry)));
		for (const complaint of complaints) warn(plan, complaint);
		return complaints.length === 0;
	} catch (thrown) {
		context.logger.warn(`${title} could not restore its intent: ${(thrown as Error).message}`);
		return false;
	}
}
