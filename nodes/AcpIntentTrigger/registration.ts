import type { IDataObject, IHookFunctions, INode } from 'n8n-workflow';
import { isEmpty, isEqual, omit, pick } from 'lodash';
import {
	addIntent,
	listIntents,
	publishAction,
	readAction,
	setAction,
	settingOf,
	updateIntent,
	type AgentIntent,
} from './agentIntents';
import {
	family,
	forgetIntent,
	isAbout,
	rememberIntent,
	webhookFor,
	type IntentPlace,
	type Plan,
	type Registration,
} from './plan';
import { readReplace, readTarget, webhookOf, type IntentFields, type Target } from './settings';
import {
	beforeOf,
	entryOf,
	isAtOwnAddress,
	isAtPublished,
	isOfNeighbor,
	knownBefore,
	ownDraft,
	ownershipOf,
	rememberedBefore,
	standingOf,
	type Standing,
} from './standing';
import { locatorValue } from '../engine/fields/locator';
import { isUuid } from '../engine/fields/scalar';
import { RequestError } from '../engine/errors/requestError';
import { markOf } from '../engine/http/workspace';
import { rethrow } from '../engine/errors/rethrow';
import { sentence } from '../engine/text/text';
import { addressOf, query } from '../engine/registration/address';
import { longestUrl, openBefore, sealBefore, type Before } from '../engine/registration/before';
import { lifecycleOf } from '../engine/registration/lifecycle';
import { entriesInWorkspace, remember } from '../engine/registration/memory';
import { explainRequestError, type Place } from '../engine/registration/plan';
import { fetchAgentName, isGone, isUnsupported } from '../engine/registration/platform';
import { seal } from '../engine/registration/proof';
import {
	isPublishedHere,
	isStarting,
	othersOfType,
	registrationError,
} from '../engine/registration/registrant';

const title = 'ACP Intent Trigger';
const labels = { name: 'Name', description: 'When It Triggers', parameters: 'Parameters' };
const verb = 'calls';

/** What the node wants, and what is there. */
interface State {
	target: Target;
	/** Undefined if there is no such intent. */
	standing?: Standing;
	/** Another published workflow of this n8n has the intent, or the one that is tested: it goes on answering. */
	answeredBy?: 'neighbor' | 'published';
}

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

const pickFields = ({ name, description, parameters }: AgentIntent): IDataObject =>
	fieldsOf({ name, description, parameters });

/** Whether an intent is as the node describes it. */
const isDescribed = ({ create }: Target, record: AgentIntent): boolean =>
	create === undefined || isEqual(fieldsOf(create), pickFields(record));

/**
 * The intent that the node serves: the chosen one. If the node creates the intent: the one that it made, or the one
 * that already calls it, or the one of that name, in this order.
 */
async function findStanding(plan: Plan, target: Target): Promise<Standing | undefined> {
	const { agent, intent, create } = target;
	const records = await listIntents(plan.client, agent);
	const made = entriesInWorkspace(plan).filter((entry) => entry.agent === agent && entry.made);
	const isOwn = (record: AgentIntent): boolean =>
		ownershipOf(plan, standingOf(agent, record, undefined)) === 'own';
	const record = create
		? (records.find(({ uuid }) => made.some((entry) => entry.intent === uuid)) ??
			records.find(isOwn) ??
			records.find(({ name }) => name.trim() === create.name))
		: records.find(({ uuid }) => uuid === intent);
	if (!record) return undefined;
	if (create) target.intent = record.uuid;
	return standingOf(agent, record, await readAction(plan.client, agent, record.uuid));
}

const isMade = (plan: Plan, standing: Standing): boolean => entryOf(plan, standing)?.made === true;

/**
 * Whether n8n serves a published workflow with this trigger, which refuses a request without a token. Only n8n's own
 * word that it does not counts as no: the server may be unable to reach itself at its public URL.
 */
async function mayBeServed({ context }: Plan, address: string): Promise<boolean> {
	try {
		const { statusCode, body } = (await context.helpers.httpRequest({
			method: 'POST',
			url: address,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 4000,
		})) as { statusCode: number; body: unknown };
		return statusCode !== 404 || !/is not registered/.test(JSON.stringify(body));
	} catch (thrown) {
		context.logger.debug(`${title} cannot reach its own URL: ${(thrown as Error).message}`);
		return true;
	}
}

async function survey(plan: Plan, target: Target): Promise<State> {
	const standing = await findStanding(plan, target);
	if (!standing) return { target };
	const address = addressOf(standing.url ?? '') ?? '';
	// Asking a test URL would end the test.
	const other = isAtPublished(plan, standing)
		? 'published'
		: isPublishedHere(plan, address) && isOfNeighbor(plan, standing)
			? 'neighbor'
			: undefined;
	const isAnswered = other && (await mayBeServed(plan, address));
	return { target, standing, ...(isAnswered ? { answeredBy: other } : {}) };
}

/** A mark of the fields of an intent; the platform may trim texts. */
const markOfFields = (plan: Plan, fields: IDataObject): string =>
	plan
		.derive([
			'fields',
			JSON.stringify(fields, (_, value: unknown) =>
				typeof value === 'string' ? value.trim() : value,
			),
		])
		.slice(0, 8);

/** What stood there first, without the fields if a person has changed one since. */
function unlessChanged(plan: Plan, before: Before, record: AgentIntent): Before {
	return before.wrote === undefined || before.wrote === markOfFields(plan, pickFields(record))
		? before
		: { ...before, changes: pick(before.changes, 'webhook') };
}

/** What the node will put back, when it changes the fields of the intent: what is there now, or stood there first. */
function withFields(
	plan: Plan,
	before: Before,
	changes: IDataObject,
	{ record }: Standing,
): Before {
	const first = unlessChanged(plan, before, record).changes;
	return {
		...before,
		changes: { ...pickFields(record), ...first },
		wrote: markOfFields(plan, changes),
	};
}

/** What is to be changed, and what the node will put back later: all of it, or nothing is changed. */
function planned(plan: Plan, { target, standing }: { target: Target; standing: Standing }) {
	const changes = isDescribed(target, standing.record)
		? {}
		: fieldsOf(target.create as IntentFields);
	const known = beforeOf(plan, standing);
	const before =
		known && !isEmpty(changes) && !isMade(plan, standing)
			? withFields(plan, known, changes, standing)
			: known;
	// What does not open now may open with another token.
	if (!before)
		return {
			changes,
			before,
			webhook: webhookFor(plan, standing, query(standing.url ?? '', 'before')),
		};
	return {
		changes,
		before,
		webhook: webhookFor(plan, standing, sealBefore(plan, standing, before)),
	};
}

/** Whether everything on the platform and in memory is as it should be. */
function isUpToDate(plan: Plan, { target, standing, answeredBy }: State): boolean {
	if (!standing || answeredBy === 'published') return false;
	const { url, auth_token } = planned(plan, { target, standing }).webhook;
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

const chosenIntent = ({ parameters }: INode): unknown =>
	parameters.intentToUse === 'create' ? undefined : locatorValue(parameters.intent);

const explainTwin = ({ name }: INode, twin: INode): string =>
	`"${name}" and "${twin.name}" answer for the same intent, which can call only one of them. Choose another intent in one of the two nodes, or delete that node.`;

/** Two nodes of one workflow for one intent would take it from each other at each publish. */
function refuseSharedIntent(context: IHookFunctions): void {
	const intent = chosenIntent(context.getNode());
	const twin = othersOfType(context).find((other) => intent && chosenIntent(other) === intent);
	if (twin && !isStarting(context))
		throw registrationError(context, explainTwin(context.getNode(), twin));
}

/** Another node of the workflow that has the intent, and does not say that it wants another one. */
const twinAt = ({ context }: Plan, { url = '', intent }: Standing): INode | undefined =>
	othersOfType(context).find((other) => {
		const chosen = chosenIntent(other);
		return (
			other.webhookId !== undefined &&
			addressOf(url)?.split('/').includes(other.webhookId) === true &&
			(chosen === intent || !isUuid(String(chosen)))
		);
	});

/** Why the node cannot take an intent, in words; undefined if it can. */
async function obstacle(
	plan: Plan,
	{ target, standing, answeredBy }: State,
): Promise<string | undefined> {
	if (!standing)
		return target.create
			? undefined
			: `The agent ${await fetchAgentName(plan.client, target.agent)} has no intent ${target.intent}. Choose another one under 'Intent', or create one here.`;
	if (answeredBy === 'published')
		return `${await nameOf(plan, standing)} goes on calling the published workflow, which answers it. Unpublish this workflow for the test, or test with another intent.`;
	const ownership = ownershipOf(plan, standing);
	const free = ownership === 'free' || ownership === 'own';
	const known = ownership === 'own' || isMade(plan, standing);
	const replaces = !free || (!known && !isDescribed(target, standing.record));
	const named = async (complaint: string): Promise<string> =>
		`${await nameOf(plan, standing)} ${complaint}`;
	const taken = `is taken: it ${whatItDoes(standing)}`;
	const twin = replaces ? twinAt(plan, standing) : undefined;
	if (twin) return explainTwin(plan.context.getNode(), twin);
	if (answeredBy === 'neighbor')
		return await named(
			`${taken}, another workflow of this n8n. Unpublish it there first, or choose another intent.`,
		);
	if (replaces && !readReplace(plan.context)) {
		if (free)
			return await named(
				'was not created by this node, and its description or parameters differ from those ' +
					"here. Choose it under 'Intent', enter another name, or turn on the option 'Replace'.",
			);
		const where =
			ownership === 'elsewhere'
				? ` This workflow is registered there under another URL than this n8n's, ${plan.origin}. Either another n8n did that, or this n8n has moved.`
				: '';
		return await named(
			`${taken}.${where} Turn on the option 'Replace' to take it over; unpublishing this workflow restores what it does now. Or choose another intent.`,
		);
	}
	if (replaces && plan.starting)
		return await named(
			`${taken}. The option 'Replace' takes it over only when a person publishes this workflow, not when n8n starts. Publish it again if it should.`,
		);
	const { before, webhook } = planned(plan, { target, standing });
	if (replaces && !before && ownership !== 'unproven')
		return await named(
			`${taken}, and the platform does not show enough of that to restore it later. Remove it on the platform, then try again.`,
		);
	return webhook.url.length > longestUrl
		? await named(
				`cannot be taken over: what it does now is kept in the callback URL, which would have ${webhook.url.length} characters. More than ${longestUrl} do not arrive everywhere. Remove what it does now on the platform, or shorten its description, then try again.`,
			)
		: undefined;
}

/** Sets the URL of an intent as an update does. @returns whether that set it @throws RequestError */
async function setByUpdate(
	{ client }: Plan,
	{ agent, intent, record, action }: Standing,
	webhook: { url: string; auth_token: string },
): Promise<boolean> {
	if (action) return false;
	try {
		const answered = await updateIntent(client, agent, record, { webhook });
		if (answered.url === webhook.url) return true;
		const read = (await listIntents(client, agent)).find(({ uuid }) => uuid === intent);
		return read?.url === webhook.url;
	} catch (requestError) {
		if (!(requestError instanceof RequestError) || !isUnsupported(requestError))
			rethrow(requestError);
		return false;
	}
}

/**
 * Sets the URL the newer way: if the intent already uses it, or if an update does not set the webhook.
 * @throws RequestError, NodeOperationError
 */
async function setByAction(
	plan: Plan,
	standing: Standing,
	webhook: { url: string; auth_token: string },
): Promise<void> {
	const { client, context } = plan;
	const { agent, intent, draft } = standing;
	if (draft && ownDraft(plan, standing) === undefined)
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

/** Puts back what an intent had. The URL, which holds all that, comes last. @throws RequestError */
async function putBack(plan: Plan, standing: Standing, before: Before): Promise<void> {
	const { client } = plan;
	const { agent, intent, record } = standing;
	const { webhook = { url: '', auth_token: '' }, ...fields } = (before.changes ?? {}) as {
		webhook?: { url: string; auth_token: string };
	};
	const isByUpdate = !before.action && !standing.action;
	const changes = { ...fields, ...(isByUpdate ? { webhook } : {}) };
	if (!isEmpty(changes)) await updateIntent(client, agent, record, changes);
	if (isByUpdate) return;
	if (before.action) {
		await setAction(client, agent, intent, before.action);
		if (before.live) await publishAction(client, agent, intent);
		return;
	}
	// The intent has its action from this node. An action cannot be removed, but a draft is not live.
	const { url } = webhook;
	const draft =
		url === '' ? webhookFor(plan, standing, query(standing.url ?? '', 'before')) : webhook;
	await setAction(client, agent, intent, { event_type: 'webhook', webhook: draft });
	if (url !== '') await publishAction(client, agent, intent);
}

const intentPlace = ({ agent, intent = '' }: Place): string =>
	`The intent ${intent} of agent ${agent}`;

const explainLeftover = (place: Place, reason: string): string =>
	`${intentPlace(place)} could not be restored. ${reason} Until it is, it calls this workflow, and n8n responds with 404. Publish and unpublish with a working credential, or change the intent on the platform.`;

/** What is left of an entry when the intent has what it had: whether the node made the intent. */
function keepMade(plan: Plan, place: IntentPlace): void {
	const entry = entryOf(plan, place);
	if (!entry?.made) return forgetIntent(plan, place);
	const empty = { ...omit(entry, 'before'), address: '', token: '', authToken: '' };
	remember(plan, empty as Registration, isAbout(plan, place));
}

/**
 * What the node has to put back, if the intent still shows something of the node. Between setting an action and making
 * it live, that is a draft: this node's, or the one that is put back.
 */
function owed(plan: Plan, standing: Standing): 'nothing' | 'unknown' | Before {
	if (ownershipOf(plan, standing) === 'own' && isAtOwnAddress(plan, standing))
		return knownBefore(plan, standing) ?? 'unknown';
	const ours = openBefore(plan, standing, ownDraft(plan, standing) ?? '');
	if (ours?.action) return ours;
	const kept = rememberedBefore(plan, standing);
	const isBack = kept?.live && standing.draft && isEqual(settingOf(standing.draft), kept.action);
	return isBack ? kept : 'nothing';
}

/** Restores an intent. It does not touch what is no longer this node's. @throws RequestError */
async function restore(plan: Plan, place: IntentPlace): Promise<string[]> {
	const { agent, intent } = place;
	const { client } = plan;
	const record = (await listIntents(client, agent)).find(({ uuid }) => uuid === intent);
	if (!record) {
		forgetIntent(plan, place);
		return [];
	}
	const standing = standingOf(agent, record, await readAction(client, agent, intent));
	const before = owed(plan, standing);
	if (before === 'unknown')
		return [
			`${intentPlace(place)} was left as it is, because nothing tells what it did before. It still calls this workflow, and n8n responds with 404. Publish the workflow again, or change the intent on the platform.`,
		];
	if (before !== 'nothing') await putBack(plan, standing, unlessChanged(plan, before, record));
	// Another node or person has it now. The node keeps what the intent had before, because it may get the intent back.
	else if (standing.url !== '' && entryOf(plan, place)?.before !== undefined) return [];
	keepMade(plan, place);
	return [];
}

/** Like `restore`, but never throws. @returns why something of this node is still there, if it is */
async function release(plan: Plan, target: Place | Target): Promise<string[]> {
	let place: Place = target;
	try {
		if (place.intent === undefined && 'create' in target) {
			const standing = await findStanding(plan, target);
			if (!standing) return [];
			place = standing;
		}
		return await restore(plan, place as IntentPlace);
	} catch (thrown) {
		if (thrown instanceof RequestError && isGone(thrown)) {
			if (place.intent !== undefined) forgetIntent(plan, place as IntentPlace);
			return [];
		}
		const reason =
			thrown instanceof RequestError
				? explainRequestError(thrown, plan, labels, verb)
				: sentence((thrown as Error).message);
		return [explainLeftover(place, reason)];
	}
}

/** @throws RequestError, NodeOperationError if the workspace cannot create intents */
async function makeIntent(plan: Plan, agent: string, create: IntentFields): Promise<AgentIntent> {
	const { client, context } = plan;
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

/** Creates the intent if it is missing, and makes it call this node. @throws RequestError, NodeOperationError */
async function settle(plan: Plan, state: State): Promise<boolean> {
	const { target } = state;
	const { client } = plan;
	const { agent, create } = target;
	if (isUpToDate(plan, state)) return false;
	const isNew = state.standing === undefined;
	const standing =
		state.standing ??
		standingOf(agent, await makeIntent(plan, agent, create as IntentFields), undefined);
	const { intent } = standing;
	target.intent = intent;
	const parameters = create?.parameters ?? standing.record.parameters;
	const made = isNew || isMade(plan, standing);
	const { changes, before, webhook } = planned(plan, { target, standing });
	// First the URL, which holds what the changes take away.
	if (!(await setByUpdate(plan, standing, webhook))) await setByAction(plan, standing, webhook);
	if (!isEmpty(changes)) await updateIntent(client, agent, standing.record, changes);
	rememberIntent(plan, standing, {
		parameters,
		...(made ? { made: true as const } : {}),
		...(before ? { before: seal(JSON.stringify(before), plan.tokenOf({ agent, intent })) } : {}),
	});
	return true;
}

/** The one intent of the ACP Intent Trigger, which calls one URL: whatever it had before is put back. */
export const { isRegistered, register, unregister } = lifecycleOf<Registration, Target, State>({
	title,
	family,
	webhookOf,
	arrives: 'requests',
	does: 'call',
	labels,
	verb,
	chooseAgent: "Choose another one under 'Agent'",
	goesOn: '',
	wanted: (context) => [readTarget(context)],
	refuseOthers: refuseSharedIntent,
	survey,
	isUpToDate,
	obstacle,
	remarks: () => [],
	settle,
	placeOf: ({ agent, intent }) => ({ agent, ...(intent === undefined ? {} : { intent }) }),
	outdated: (plan, entry) => remember(plan, { ...entry, outdated: true }, isAbout(plan, entry)),
	release,
	explainLeftover,
	unreachable: ({ client }, entry) =>
		`${intentPlace(entry)} still calls this workflow at ${new URL(entry.workspace).host}, because the credential now points to ${client.workspace.host}. Change it there.`,
});
