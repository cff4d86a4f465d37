import { settingOf, urlOfAction, type AgentIntent, type IntentAction } from './agentIntents';
import type { Before, Place, Plan, Registrant, Registration } from './plan';
import { objectOf } from '../engine/http/envelope';
import { markOf } from '../engine/http/workspace';
import { addressOf, originOf, query } from '../engine/registration/address';
import { sameText, seal, unseal } from '../engine/registration/proof';

/** The present state of an intent on the platform. */
export interface Standing extends Place {
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
export function standingOf(
	agent: string,
	record: AgentIntent,
	action: IntentAction | undefined,
): Standing {
	// A draft does nothing yet. A platform that does not say whether an action is a draft shows the live one.
	const isDraft = action?.status === 'draft';
	const live = isDraft ? undefined : action;
	return {
		agent,
		intent: record.uuid,
		record,
		...(live ? { action: live } : {}),
		...(isDraft ? { draft: action } : {}),
		url: live ? urlOfAction(live) : record.url,
		authToken: live ? objectOf(live.webhook).auth_token : record.authToken,
	};
}

/**
 * Whose URL an intent calls. It is a node's own if workflow, node and origin are those of the node. The token in its
 * query, which is made of workflow and node, proves these two; so does an entry in static data that names them. The
 * same URL alone proves nothing, because copies keep it. Static data alone proves nothing, because copies take it
 * along.
 */
export type Ownership =
	/** It calls nothing. */
	| 'free'
	/** Made by this node in this n8n. */
	| 'own'
	/** Made by this node of this workflow at another origin: in another n8n, or before this one moved. */
	| 'elsewhere'
	/** A URL of this node, live or test, without proof. No other node can need it while this one is published. */
	| 'unproven'
	| 'foreign';

/** Entries that this node made, in any n8n. */
const entriesOf = ({ workflow, node, memory }: Registrant): Registration[] =>
	(memory.registrations ?? []).filter(
		(entry) => entry.workflow === workflow && entry.node === node,
	);

/** Entries of this node in this workspace, in any n8n. */
export const remembered = (plan: Plan): Registration[] =>
	entriesOf(plan).filter(({ workspace }) => workspace === plan.client.workspace.origin);

/** Entries of this node in this n8n, in any workspace. */
export const entriesHere = (registrant: Registrant): Registration[] =>
	entriesOf(registrant).filter(
		({ address }) => address !== '' && originOf(address) === registrant.origin,
	);

/** Entries that the credential no longer reaches, because it now leads to another workspace. */
export const stranded = (plan: Plan): Registration[] =>
	entriesHere(plan).filter(({ workspace }) => workspace !== plan.client.workspace.origin);

/** Entries of other nodes came with a copy: they say nothing here, and their tokens must not let anything in. */
export function forgetStrangers(plan: Plan): void {
	if (entriesOf(plan).length < (plan.memory.registrations ?? []).length)
		plan.memory.registrations = entriesOf(plan);
}

const isAbout =
	({ agent, intent }: Place) =>
	(entry: Registration): boolean =>
		entry.agent === agent && entry.intent === intent;

export const entryOf = (plan: Plan, place: Place): Registration | undefined =>
	remembered(plan).find(isAbout(place));

export function forget(plan: Plan, place: Place): void {
	// A new list: n8n saves static data when a key is set, not when a list in it changes.
	plan.memory.registrations = (plan.memory.registrations ?? []).filter(
		(entry) => entry.workspace !== plan.client.workspace.origin || !isAbout(place)(entry),
	);
}

export function remember(plan: Plan, entry: Registration): void {
	forget(plan, entry);
	(plan.memory.registrations as Registration[]).push(entry);
}

/** Whose URL the intent calls. */
export function ownershipOf(plan: Plan, { agent, intent, url }: Standing): Ownership {
	if (url === '') return 'free';
	const address = url === undefined ? undefined : addressOf(url);
	if (url === undefined || address === undefined) return 'foreign';
	const token = query(url, 'token');
	const entry = entryOf(plan, { agent, intent });
	const proven =
		sameText(token, plan.tokenOf({ agent, intent })) ||
		(entry !== undefined && entry.token !== '' && sameText(markOf(token), entry.token));
	if (proven) return originOf(address) === plan.origin ? 'own' : 'elsewhere';
	const { webhookId } = plan.context.getNode();
	const isOfNode =
		address === plan.address || (webhookId !== undefined && address.split('/').includes(webhookId));
	return isOfNode && originOf(address) === plan.origin ? 'unproven' : 'foreign';
}

/** A test does not own the published registration: it puts that one back at its end. */
export const isAtOwnAddress = (plan: Plan, { url }: Standing): boolean =>
	!plan.test || addressOf(url ?? '') === plan.address;

const openBefore = (sealed: string | undefined, tokens: string[]): Before | undefined => {
	for (const token of sealed === undefined ? [] : tokens) {
		const opened = unseal(sealed as string, token);
		if (opened !== undefined) return JSON.parse(opened) as Before;
	}
	return undefined;
};

/** What the intent had before this node took it; undefined if that is not known. */
export const knownBefore = (plan: Plan, standing: Standing): Before | undefined =>
	openBefore(entryOf(plan, standing)?.before, [
		query(standing.url ?? '', 'token'),
		plan.tokenOf(standing),
	]);

export const sealBefore = (plan: Plan, place: Place, before: Before): string =>
	seal(JSON.stringify(before), plan.tokenOf(place));

/** An intent that calls nothing. No source shows how to remove a webhook, so this empties its texts. */
export const nothingBefore: Before = { changes: { webhook: { url: '', auth_token: '' } } };

/** Some servers mask secrets. A masked secret could not be put back. */
const isMasked = (secret: string): boolean => /^[*•·.]{3,}|[*•]{3,}$/.test(secret);

/** What the intent has now, to put it back later; undefined if the platform does not show enough of it. */
export function presentState({ record, action }: Standing): Before | undefined {
	if (action) {
		const setting = settingOf(action);
		return setting &&
			!isMasked(String((setting.webhook as { auth_token?: string })?.auth_token ?? ''))
			? { action: setting, live: true }
			: undefined;
	}
	return isMasked(record.authToken)
		? undefined
		: { changes: { webhook: { url: record.url, auth_token: record.authToken } } };
}

/**
 * What the node will put back later. A URL of this node was never there before: it may be left from a run that was
 * killed. Only a test keeps the published URL, which it puts back at its end.
 */
export function beforeOf(plan: Plan, standing: Standing): Before | undefined {
	const ownership = ownershipOf(plan, standing);
	if (ownership === 'free') return nothingBefore;
	const ours = ownership === 'own' || ownership === 'unproven';
	return ours && isAtOwnAddress(plan, standing)
		? (knownBefore(plan, standing) ?? nothingBefore)
		: presentState(standing);
}
