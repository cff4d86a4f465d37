import type { IDataObject } from 'n8n-workflow';
import { isEqual, isMatch } from 'lodash';
import {
	settingOf,
	urlOfAction,
	type AgentIntent,
	type IntentAction,
	type IntentParameter,
} from './agentIntents';
import { objectOf } from '../engine/answer/answer';
import { markOf } from '../engine/http/workspace';
import {
	entriesInWorkspace,
	forget,
	ownershipOfUrl,
	remember,
	type Ownership,
} from '../engine/registration/memory';
import { urlFor, type Plan as PlanOf } from '../engine/registration/plan';
import { sealAlike, unseal } from '../engine/registration/proof';
import {
	isOfThisN8n,
	query,
	withoutQuery,
	type Entry,
	type Target,
} from '../engine/registration/registrant';

/** A registration in static data. */
export interface Registration extends Entry {
	intent: string;
	/** Mark of its auth token. It stays valid after the credential has changed. */
	authToken: string;
	/** The parameters that the intent declares; they set the types of delivered values. */
	parameters: IntentParameter[];
	/** This node made the intent. */
	made?: true;
	/** A `Before`, sealed with the callback token: whoever may read the workflow can read static data. */
	before?: string;
}

export type Plan = PlanOf<Registration>;

/** Which intent of which agent. */
export type IntentTarget = Required<Target>;

/** The webhook of an intent (interface §2.8). */
export interface IntentWebhook {
	url: string;
	auth_token: string;
}

/** What an intent had before, in the form of the requests that put it back. */
export interface Before {
	/** Changes of the record. */
	changes?: IDataObject;
	/** Its action, and whether it was live. */
	action?: IDataObject;
	live?: boolean;
	/** A mark of what the node wrote in place of the fields in `changes`. */
	wrote?: string;
}

/** The present state of an intent on the platform. */
export interface IntentState extends IntentTarget {
	record: AgentIntent;
	/** Its live action, if any: then the intent does this, and its webhook does not count. */
	action?: IntentAction;
	/** The URL that it calls, empty for none; undefined if it does something else. */
	url: string | undefined;
	/** The secret that it sends to that URL. */
	authToken: unknown;
	/** An action that is not live; setting another one would overwrite it. */
	draft?: IntentAction;
}

/** What an intent does now: its live action, or, if it has none, its webhook. */
export function stateOf(
	agent: string,
	record: AgentIntent,
	action: IntentAction | undefined,
): IntentState {
	// A draft does nothing yet. A platform that does not say whether an action is a draft shows the live one.
	const isDraft = action?.status === 'draft';
	const live = isDraft ? undefined : action;
	return {
		agent,
		intent: record.uuid,
		record,
		action: live,
		draft: isDraft ? action : undefined,
		url: live ? urlOfAction(live) : record.url,
		authToken: live ? objectOf(live.webhook).auth_token : record.authToken,
	};
}

const isAbout =
	(plan: Plan, { agent, intent }: IntentTarget) =>
	(entry: Registration): boolean =>
		isMatch(entry, { workspace: plan.client.workspace.origin, agent, intent });

export const entryOf = (plan: Plan, target: IntentTarget): Registration | undefined =>
	entriesInWorkspace(plan).find(isAbout(plan, target));

export const isMade = (plan: Plan, target: IntentTarget): boolean =>
	entryOf(plan, target)?.made === true;

export const forgetIntent = (plan: Plan, target: IntentTarget): void =>
	forget(plan, isAbout(plan, target));

const authTokenOf = (plan: Plan, target: IntentTarget): string =>
	plan.secretOf('auth', target).toString('base64url');

/** What is remembered of an intent that calls this node. */
export function rememberIntent(
	plan: Plan,
	target: IntentTarget,
	more: Pick<Registration, 'parameters' | 'made' | 'before'>,
): void {
	const { agent, intent } = target;
	const entry = {
		agent,
		intent,
		address: plan.address,
		token: markOf(plan.tokenOf(target)),
		authToken: markOf(authTokenOf(plan, target)),
		...more,
	};
	remember(plan, entry, isAbout(plan, target));
}

/** What is left of an entry when the intent has what it had: whether the node made the intent. */
export function keepMade(plan: Plan, target: IntentTarget): void {
	const entry = entryOf(plan, target);
	if (!entry?.made) return forgetIntent(plan, target);
	const { agent, intent, parameters } = entry;
	const empty = { address: '', token: '', authToken: '', parameters, made: true } as const;
	remember(plan, { agent, intent, ...empty }, isAbout(plan, target));
}

/** The webhook that an intent should have. @param before what stood there, sealed; empty if unknown */
export const webhookFor = (plan: Plan, target: IntentTarget, before: string): IntentWebhook => ({
	url: urlFor(plan, target, before === '' ? {} : { before }),
	auth_token: authTokenOf(plan, target),
});

/** Whose URL the intent calls; free if it calls none. */
export function ownershipOf(
	plan: Plan,
	{ agent, intent, url }: Pick<IntentState, 'agent' | 'intent' | 'url'>,
): Ownership | 'free' {
	const target = { agent, intent };
	return url === '' ? 'free' : ownershipOfUrl(plan, target, url ?? '', isAbout(plan, target));
}

/** Whether the published workflow has the intent, while a test wants it, too. */
export const isAtPublished = (plan: Plan, state: IntentState): boolean =>
	plan.test &&
	withoutQuery(state.url ?? '') === plan.addresses.published &&
	ownershipOf(plan, state) === 'own';

/** Whether the intent calls an ACP Intent Trigger of another workflow of this n8n. */
export function isOfNeighbor(plan: Plan, state: IntentState): boolean {
	const { url = '', agent, intent } = state;
	const address = withoutQuery(url);
	return (
		address !== undefined &&
		isOfThisN8n(plan, address) &&
		ownershipOf(plan, state) === 'foreign' &&
		query(url, 'agent') === agent &&
		query(url, 'intent') === intent &&
		query(url, 'token') !== ''
	);
}

/** The URL of this node in a draft: left when it was stopped between setting an action and making it live. */
export function ownDraft(plan: Plan, state: IntentState): string | undefined {
	const url = state.draft && urlOfAction(state.draft);
	return url && ownershipOf(plan, { ...state, url }) === 'own' ? url : undefined;
}

/** Of the intent, not of the workflow: whoever takes an intent over with this credential inherits what stood there. */
const keyOfBefore = (plan: Plan, { agent, intent }: IntentTarget): string =>
	plan.derive(['before', agent, intent]);

/**
 * What an intent had before, sealed for the query of the callback URL. The platform stores it in the same write as the
 * URL, so that it is there whenever the URL is, whatever happens to n8n. Only the API token opens it, which no log of
 * URLs shows. Equal contents are equal when sealed, so that the whole URL can be compared.
 */
export const sealBefore = (plan: Plan, target: IntentTarget, before: Before): string =>
	sealAlike(JSON.stringify(before), keyOfBefore(plan, target));

/** What a callback URL holds sealed; undefined if there is nothing, or it does not open. */
function openBefore(plan: Plan, target: IntentTarget, url = ''): Before | undefined {
	const opened = unseal(query(url, 'before'), keyOfBefore(plan, target));
	return opened === undefined ? undefined : (JSON.parse(opened) as Before);
}

/** What static data holds of the time before. */
function rememberedBefore(plan: Plan, state: IntentState): Before | undefined {
	const sealed = entryOf(plan, state)?.before ?? '';
	const opened =
		unseal(sealed, query(state.url ?? '', 'token')) ?? unseal(sealed, plan.tokenOf(state));
	return opened === undefined ? undefined : (JSON.parse(opened) as Before);
}

/** What the intent had before this node took it: its URL tells, or static data; undefined if neither does. */
const knownBefore = (plan: Plan, state: IntentState): Before | undefined =>
	openBefore(plan, state, state.url) ?? rememberedBefore(plan, state);

/** Some servers mask secrets. A masked secret could not be put back. */
const isMasked = (secret: unknown = ''): boolean => /^[*•·.]{3}|[*•]{3}$/.test(String(secret));

/** What the intent has now, to put it back later; undefined if the platform does not show enough of it. */
function presentState({ record, action }: IntentState): Before | undefined {
	const setting = action && settingOf(action);
	const webhook = action
		? objectOf(setting?.webhook)
		: { url: record.url, auth_token: record.authToken };
	if ((action && !setting) || isMasked(webhook.auth_token)) return undefined;
	return setting ? { action: setting, live: true } : { changes: { webhook } };
}

/**
 * What the node will put back later; undefined if that is not known. The URL of a trigger of this n8n was never there
 * before: it may be left from a run that was killed, or its workflow may be unpublished later.
 */
export function beforeOf(plan: Plan, state: IntentState): Before | undefined {
	const ownership = ownershipOf(plan, state);
	if (ownership === 'free') {
		const left = openBefore(plan, state, ownDraft(plan, state));
		// No source shows how to remove a webhook, so this empties its texts.
		return left?.action ? left : { changes: { webhook: { url: '', auth_token: '' } } };
	}
	if (ownership === 'own' || ownership === 'unproven') return knownBefore(plan, state);
	return isOfNeighbor(plan, state) ? openBefore(plan, state, state.url) : presentState(state);
}

/**
 * What the node has to put back, if the intent still shows something of the node. Between setting an action and making
 * it live, that is a draft: this node's, or the one that is put back. A test does not own the published registration.
 */
export function owed(plan: Plan, state: IntentState): 'nothing' | 'unknown' | Before {
	const isOfTest = withoutQuery(state.url ?? '') === plan.address;
	if (ownershipOf(plan, state) === 'own' && (!plan.test || isOfTest))
		return knownBefore(plan, state) ?? 'unknown';
	const ours = openBefore(plan, state, ownDraft(plan, state));
	if (ours?.action) return ours;
	const kept = rememberedBefore(plan, state);
	const isBack = kept?.live && state.draft && isEqual(settingOf(state.draft), kept.action);
	return isBack ? kept : 'nothing';
}
