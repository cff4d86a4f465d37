import type { IDataObject, INode } from 'n8n-workflow';
import { isEmpty, isEqual, pick } from 'lodash';
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
	IntentState,
	isAbout,
	type Before,
	type IntentWebhook,
	type Plan,
	type Registration,
} from './intentState';
import {
	readReplace,
	readWantedIntent,
	refuseUnsureText,
	webhookOf,
	type IntentFields,
	type WantedIntent,
} from './settings';
import { locatorValue } from '../engine/fields/locator';
import { RequestError, rethrow } from '../engine/errors/requestError';
import { isUuid } from '../engine/response/response';
import { lookUntil } from '../engine/http/clock';
import { markOf } from '../engine/http/workspace';
import { lifecycleOf, type Survey } from '../shared/registration/lifecycle';
import { entriesInWorkspace, forget } from '../shared/registration/memory';
import { explain } from '../shared/registration/plan';
import { fetchAgentName, orRefusal } from '../shared/registration/platform';
import {
	homeOf,
	othersOfType,
	query,
	registrationError,
	servedAs,
	addressOfUrl,
	type Target,
	type TriggerType,
} from '../shared/registration/registrant';

export const type: TriggerType = {
	title: 'Agent Question Trigger',
	family: 'acp-intent-trigger',
	arrives: 'requests',
	does: 'call',
	verb: 'calls',
	labels: { name: 'Name', description: 'When It Triggers', parameters: 'Parameters' },
	chooseAgent: "Choose another one under 'Agent'",
	goesOn: '',
};

/** Longer URLs are cut or refused by some servers on the way. */
const longestUrl = 2000;

const fieldsOf = ({
	name,
	description,
	parameters,
}: IntentFields): IDataObject & { name: string } => ({
	name,
	description,
	parameters: parameters as unknown as IDataObject[],
});

const isDescribed = ({ create }: WantedIntent, record: AgentIntent): boolean =>
	create === undefined || isEqual(fieldsOf(create), fieldsOf(record));

/**
 * The intent that the node serves: the chosen one. If the node creates the intent: the one that it made, or the one
 * that already calls it, or the one of that name, in this order. Its ID is noted in `wanted`.
 */
async function findIntent(plan: Plan, wanted: WantedIntent): Promise<IntentState | undefined> {
	const { agent, intent, create } = wanted;
	const records = await listIntents(plan.client, agent);
	const made = entriesInWorkspace(plan).filter((entry) => entry.agent === agent && entry.made);
	const record =
		create && intent === undefined
			? (records.find(({ uuid }) => made.some((entry) => entry.intent === uuid)) ??
				records.find((one) => new IntentState(plan, agent, one).ownership === 'own') ??
				records.find(({ name }) => name.trim() === create.name))
			: records.find(({ uuid }) => uuid === intent);
	if (!record) return undefined;
	wanted.intent ??= record.uuid;
	const action = await readAction(plan.client, agent, record.uuid);
	return new IntentState(plan, agent, record, action === 'unsupported' ? undefined : action);
}

/**
 * Whether n8n serves a published workflow with this trigger, which refuses a request without a token. Only n8n's own
 * word that it does not counts as no: the server may be unable to reach itself at its public URL.
 */
async function mayBeServed({ context }: Plan, url: string): Promise<boolean> {
	try {
		const { statusCode, body } = (await context.helpers.httpRequest({
			method: 'POST',
			url,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 4000,
		})) as { statusCode: number; body: unknown };
		return statusCode !== 404 || !/is not registered/.test(JSON.stringify(body));
	} catch (thrown) {
		context.logger.debug(`${type.title} cannot reach its own URL: ${(thrown as Error).message}`);
		return true;
	}
}

/** Who has the intent and goes on answering: the published workflow that is tested, or another one of this n8n. */
type Answering = 'published' | 'neighbor' | undefined;

async function answering(plan: Plan, state: IntentState): Promise<Answering> {
	const address = addressOfUrl(state.url ?? '') ?? '';
	// Asking a test URL would end the test.
	const isNeighbor = state.isOfNeighbor && servedAs(plan, address) === 'published';
	const by = state.isAtPublished ? 'published' : isNeighbor ? 'neighbor' : undefined;
	return by && (await mayBeServed(plan, address)) ? by : undefined;
}

async function survey(plan: Plan, wanted: WantedIntent): Promise<Survey> {
	const { agent, intent, create } = wanted;
	const state = await findIntent(plan, wanted);
	const by = state && (await answering(plan, state));
	const upToDate = state !== undefined && by !== 'published' && isUpToDate(plan, wanted, state);
	return {
		upToDate,
		obstacle: async () => {
			if (state) return await obstacle(plan, wanted, state, by);
			const missing = async () =>
				`The agent ${await fetchAgentName(plan.client, agent)} has no intent ${intent}. Choose another one under 'Intent', or create one here.`;
			return create ? undefined : await missing();
		},
		remarks: [],
		settle: async () => !upToDate && (await settle(plan, wanted, state)),
	};
}

/** A mark of the fields of an intent; the platform may trim texts. */
function markOfFields(plan: Plan, fields: IDataObject): string {
	const trimmed = (_: string, value: unknown): unknown =>
		typeof value === 'string' ? value.trim() : value;
	return plan.derive(['fields', JSON.stringify(fields, trimmed)]).slice(0, 8);
}

/** What stood there first, without the fields if a person has changed one since. */
function unlessChanged(plan: Plan, before: Before, record: AgentIntent): Before {
	return before.wrote === undefined || before.wrote === markOfFields(plan, fieldsOf(record))
		? before
		: { ...before, changes: pick(before.changes, 'webhook') };
}

/** What is to be changed, and what the node will put back later: all of it, or nothing is changed. */
function planned(plan: Plan, wanted: WantedIntent, state: IntentState) {
	const { record } = state;
	const changes = isDescribed(wanted, record) ? {} : fieldsOf(wanted.create as IntentFields);
	const known = state.before;
	const before: Before | undefined =
		known && !isEmpty(changes) && !state.isMade
			? {
					...known,
					changes: { ...fieldsOf(record), ...unlessChanged(plan, known, record).changes },
					wrote: markOfFields(plan, changes),
				}
			: known;
	// What does not open now may open with another token.
	const sealed = before ? state.seal(before) : query(state.url ?? '', 'before');
	return { changes, before, webhook: state.webhookFor(sealed) };
}

/** If the platform does not show the URL, another n8n may have it by now: with 'Replace', publishing writes it again. */
function isUpToDate(plan: Plan, wanted: WantedIntent, state: IntentState): boolean {
	const { url, auth_token } = planned(plan, wanted, state).webhook;
	const { entry } = state;
	return (
		(state.isShown
			? state.url === url && state.authToken === auth_token
			: plan.starting || !readReplace(plan.context)) &&
		isDescribed(wanted, state.record) &&
		entry?.address === plan.address &&
		!entry.outdated &&
		entry.authToken === markOf(auth_token) &&
		isEqual(entry.parameters, state.record.parameters)
	);
}

const nameOf = async (plan: Plan, { agent, record }: IntentState): Promise<string> =>
	`The intent "${record.name.slice(0, 80)}" of the agent ${await fetchAgentName(plan.client, agent)}`;

const whatItDoes = ({ action, url, isShown }: IntentState): string =>
	!isShown
		? 'may call somebody: the platform does not show what it does'
		: url
			? `already calls ${addressOfUrl(url) ?? 'an unreadable URL'}`
			: `already has another action (${action?.event_type ?? 'of an unknown kind'})`;

const chosenIntent = ({ parameters }: INode): unknown =>
	parameters.intentToUse === 'create' ? undefined : locatorValue(parameters.intent);

/**
 * Another node of the workflow that has the intent and does not say that it wants another one, or that wants it while a
 * person publishes: they would take it from each other at each publish.
 */
const twinAt = (
	{ context, starting }: Plan,
	{ url = '', intent }: IntentState,
): INode | undefined =>
	othersOfType(context).find((other) => {
		const chosen = chosenIntent(other);
		const hasIt =
			addressOfUrl(url)
				?.split('/')
				.includes(other.webhookId ?? '/') === true;
		return chosen === intent ? hasIt || !starting : hasIt && !isUuid(String(chosen));
	});

/** Why the node may not replace what an intent does or says, after its name; undefined if it may. */
function refusedReplacing(plan: Plan, state: IntentState, by: Answering): string | undefined {
	const { ownership } = state;
	const taken = `is taken: it ${whatItDoes(state)}`;
	if (by === 'neighbor')
		return `${taken}, another workflow of this n8n. Unpublish it there first, or choose another intent.`;
	if (!readReplace(plan.context)) {
		if (ownership === 'free' || ownership === 'own')
			return "was not created by this node, and its description or parameters differ from those here. Choose it under 'Intent', enter another name, or turn on the option 'Replace'.";
		const where =
			ownership === 'elsewhere'
				? ` This workflow is registered there under another URL than this n8n's, ${homeOf(plan.address)}. Either another n8n did that, or this n8n has moved.`
				: '';
		return `${taken}.${where} Turn on the option 'Replace' to take it over; unpublishing this workflow restores what it does now. Or choose another intent.`;
	}
	if (plan.starting)
		return `${taken}. The option 'Replace' takes it over only when a person publishes this workflow, not when n8n starts. Publish it again if it should.`;
	return state.before || ownership === 'unproven'
		? undefined
		: `${taken}, and the platform does not show enough of that to restore it later. Remove it on the platform, then try again.`;
}

/** Why the node cannot take an intent, in words; undefined if it can. */
async function obstacle(plan: Plan, wanted: WantedIntent, state: IntentState, by: Answering) {
	const { name } = plan.context.getNode();
	if (by === 'published')
		return `${await nameOf(plan, state)} goes on calling the published workflow, which answers it. Unpublish this workflow for the test, or test with another intent.`;
	const twin = twinAt(plan, state);
	if (twin)
		return `"${name}" and "${twin.name}" answer for the same intent, which can call only one of them. Choose another intent in one of the two nodes, or delete one of them.`;
	const { ownership } = state;
	const isFree = ownership === 'free' || ownership === 'own';
	const isKnown = ownership === 'own' || state.isMade || isDescribed(wanted, state.record);
	const refused = isFree && isKnown ? undefined : refusedReplacing(plan, state, by);
	if (refused !== undefined) return `${await nameOf(plan, state)} ${refused}`;
	const { length } = planned(plan, wanted, state).webhook.url;
	return length > longestUrl
		? `${await nameOf(plan, state)} cannot be taken over: what it does now is kept in the callback URL, which would have ${length} characters. Longer URLs than ${longestUrl} are cut or refused on the way. Remove what it does now on the platform, or shorten its description, then try again.`
		: undefined;
}

/** What follows an accepted write: if it fails, the intent may call this workflow all the same. */
const afterWrite = async <T>(asked: Promise<T>): Promise<T> =>
	await asked.catch((thrown: unknown) => {
		if (thrown instanceof RequestError) thrown.outcome = 'done';
		return rethrow(thrown);
	});

/** Sets the URL of an intent as an update does. @returns whether that set it @throws RequestError */
async function setByUpdate(
	{ client }: Plan,
	{ agent, intent, record, action }: IntentState,
	webhook: IntentWebhook,
): Promise<boolean> {
	if (action) return false;
	const answered = await orRefusal(updateIntent(client, agent, record, { webhook }), 'unsupported');
	if (answered === 'unsupported') return false;
	if (answered.url === webhook.url) return true;
	const all = await afterWrite(listIntents(client, agent));
	const read = all.find(({ uuid }) => uuid === intent);
	// What the platform does not show was accepted, at least.
	return read?.url === webhook.url || (read !== undefined && read.url === undefined);
}

/**
 * Sets the URL the newer way: if the intent already uses it, or if an update does not set the webhook.
 * @throws RequestError, NodeOperationError
 */
async function setByAction(plan: Plan, state: IntentState, webhook: IntentWebhook): Promise<void> {
	const { client, context } = plan;
	const { agent, intent } = state;
	if (state.draft && state.ownDraft === undefined)
		throw registrationError(
			context,
			`${await nameOf(plan, state)} has a draft of another action, which would be lost. Publish or remove the draft on the platform, then try again.`,
		);
	const action = { event_type: 'webhook', webhook };
	const answered = await orRefusal(setAction(client, agent, intent, action), 'unsupported');
	if (answered === 'unsupported')
		throw registrationError(
			context,
			`${await nameOf(plan, state)} cannot get a URL: the platform accepts it neither in an update nor as an action.`,
		);
	await publishAction(client, agent, intent);
	const isLive = async () => {
		const live = await readAction(client, agent, intent);
		if (live === 'unsupported') return true;
		if (!live) return undefined;
		const { event_type: type = 'webhook', status } = live;
		const url = urlOfAction(live);
		const isIt = url === webhook.url || (type === 'webhook' && url === undefined);
		return (status !== 'draft' && isIt) || undefined;
	};
	const seen = async () => await isLive().catch(() => undefined);
	if (!(await lookUntil(client.signal, seen)))
		throw registrationError(
			context,
			`${await nameOf(plan, state)} may have registered this workflow's URL: the platform accepted it, and does not show it as the intent's action. Publish again; if it stays so, compare the intent on the platform.`,
		);
}

/** Puts back what an intent had. The URL, which holds all that, comes last. @throws RequestError */
async function putBack(plan: Plan, state: IntentState, before: Before): Promise<void> {
	const { client } = plan;
	const { agent, intent, record } = state;
	const { webhook = { url: '', auth_token: '' }, ...fields } = (before.changes ?? {}) as {
		webhook?: IntentWebhook;
	};
	const isByUpdate = !before.action && !state.action;
	const changes = { ...fields, ...(isByUpdate ? { webhook } : {}) };
	if (!isEmpty(changes)) await updateIntent(client, agent, record, changes);
	if (isByUpdate) return;
	// The intent may have its action from this node. An action cannot be removed, but a draft is not live.
	const isNothing = !before.action && webhook.url === '';
	const last = isNothing ? state.webhookFor(query(state.url ?? '', 'before')) : webhook;
	const action = before.action ?? { event_type: 'webhook', webhook: last };
	await setAction(client, agent, intent, action);
	if (!isNothing) await publishAction(client, agent, intent);
}

/** Whether an intent shows nothing of this node any more, or does not show what it does. */
async function isPutBack(plan: Plan, target: WantedIntent): Promise<boolean> {
	const look = async (): Promise<true | undefined> => {
		const now = await findIntent(plan, target);
		return !now?.isShown || now.owed === 'nothing' || undefined;
	};
	const seen = async () => await look().catch(() => undefined);
	return (await lookUntil(plan.client.signal, seen)) === true;
}

const targetName = ({ agent, intent = '' }: Target): string =>
	`The intent ${intent} of agent ${agent}`;

/** Restores an intent. It does not touch what is no longer this node's. @throws RequestError */
async function release(plan: Plan, target: WantedIntent): Promise<string[]> {
	const state = await findIntent(plan, target);
	if (!state) {
		if (target.intent !== undefined) forget(plan, isAbout(plan, target));
		return [];
	}
	const before = state.owed;
	if (before === 'unknown')
		return [
			`${targetName(state)} was left as it is, because it is not known what it did before. It still calls this workflow, and n8n responds with 404. Publish the workflow again, or change the intent on the platform.`,
		];
	if (before === 'nothing') {
		// Another node or person has it now. The node keeps what the intent had before, because it may get the intent back.
		if (state.url !== '' && state.entry?.before !== undefined) return [];
	} else {
		await putBack(plan, state, unlessChanged(plan, before, state.record));
		if (!(await isPutBack(plan, target)))
			return [
				`${targetName(state)} may still call this workflow: the platform accepted the change that restores it, but does not show it. While it calls this workflow, n8n responds with 404. Publish and unpublish again, or change the intent on the platform.`,
			];
	}
	state.release();
	return [];
}

/** @throws RequestError, NodeOperationError if the workspace cannot create intents */
async function makeIntent(plan: Plan, agent: string, create: IntentFields): Promise<IntentState> {
	// From the field's name we guess that the model handles the answer; a person can change it on the platform.
	const fields = { ...fieldsOf(create), intent_llm_handle_by_response: true };
	const uuid = await orRefusal(addIntent(plan.client, agent, fields), 'unsupported');
	if (uuid === 'unsupported')
		throw registrationError(
			plan.context,
			"This workspace does not create intents at the undocumented path this node tried. Create it on the platform, then choose it under 'Intent'.",
		);
	return new IntentState(plan, agent, { uuid, key: '', url: '', authToken: '', ...create });
}

/** Creates the intent if it is missing, and makes it call this node. @throws RequestError, NodeOperationError */
async function settle(plan: Plan, wanted: WantedIntent, found?: IntentState): Promise<true> {
	const { client } = plan;
	const { agent, create } = wanted;
	const state = found ?? (await makeIntent(plan, agent, create as IntentFields));
	const { intent, record } = state;
	wanted.intent = intent;
	const made = !found || state.isMade;
	const { changes, before, webhook } = planned(plan, wanted, state);
	// First the URL, which holds what the changes take away.
	try {
		if (!(await setByUpdate(plan, state, webhook))) await setByAction(plan, state, webhook);
		if (!isEmpty(changes)) await afterWrite(updateIntent(client, agent, record, changes));
	} catch (thrown) {
		if (!(thrown instanceof RequestError) || thrown.outcome === 'nothing') rethrow(thrown);
		throw registrationError(
			plan.context,
			`${explain(thrown, plan)} ${await nameOf(plan, state)} may have registered this workflow's URL. Publish again; until then, n8n may respond to it with 404.`,
		);
	}
	state.remember(create?.parameters ?? record.parameters, made, before);
	return true;
}

/** The one intent of the Agent Question Trigger, which calls one URL: whatever it had before is put back. */
export const lifecycle = lifecycleOf<Registration, WantedIntent>({
	type,
	webhookOf,
	refuse: refuseUnsureText,
	wanted: (context) => [readWantedIntent(context)],
	survey,
	release,
	explainLeftover: (target, reason) =>
		`${targetName(target)} could not be restored. ${reason} Until it is, it calls this workflow, and n8n responds with 404. Publish and unpublish with a working credential, or change the intent on the platform.`,
	unreachable: (entry, host) =>
		`${targetName(entry)} still calls this workflow at ${new URL(entry.workspace).host}, because the credential now points to ${host}. Change it there.`,
});
