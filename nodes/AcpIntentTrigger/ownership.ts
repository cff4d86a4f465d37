import { settingOf, urlOfAction, type AgentIntent, type IntentAction } from './agentIntents';
import type { Before, Place, Plan, Registrant, Registration } from './plan';
import { objectOf } from '../engine/http/envelope';
import { markOf } from '../engine/http/workspace';
import { addressOf, originOf, query } from '../engine/registration/address';
import { sameText, seal, unseal } from '../engine/registration/proof';

/** How an intent stands on the platform. */
export interface Standing extends Place {
	record: AgentIntent;
	/** Its live action; where there is one, that is what the intent does, and its webhook is not asked. */
	action?: IntentAction;
	/** Address that it calls, empty for none; undefined when it does something else. */
	url: string | undefined;
	/** What it sends along to that address. */
	authToken: unknown;
	/** An action that is not live; setting another one would overwrite it. */
	draft?: IntentAction;
}

/** What an intent does now: its live action, else its webhook. */
export function standingOf(
	agent: string,
	record: AgentIntent,
	action: IntentAction | undefined,
): Standing {
	// A draft does nothing yet; platforms that do not say whether it is one show what is live.
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
 * Whose address an intent calls. It is a node's own when workflow, node and origin are those of the node: proven by the
 * token in its query, which is made of them, or by an entry in static data that names them. An address alone proves
 * nothing, because copies keep it; static data alone proves nothing, because it travels with copies.
 */
export type Ownership =
	/** It calls nothing. */
	| 'free'
	/** Made by this node in this n8n. */
	| 'own'
	/** Made by this node of this workflow under another origin: in another n8n, or before this one has moved. */
	| 'elsewhere'
	/** An address of this node, live or test, without proof: nobody else can need it while this one is published. */
	| 'unproven'
	| 'foreign';

/** Entries that this node has made, in whichever n8n. */
const entriesOf = ({ workflow, node, memory }: Registrant): Registration[] =>
	(memory.registrations ?? []).filter(
		(entry) => entry.workflow === workflow && entry.node === node,
	);

/** What this node remembers of this workspace, in whichever n8n. */
export const remembered = (plan: Plan): Registration[] =>
	entriesOf(plan).filter(({ workspace }) => workspace === plan.client.workspace.origin);

/** Entries of this node in this n8n, in whichever workspace. */
export const entriesHere = (registrant: Registrant): Registration[] =>
	entriesOf(registrant).filter(
		({ address }) => address !== '' && originOf(address) === registrant.origin,
	);

/** What the credential cannot reach any more, because it leads to another workspace now. */
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
	// Set anew: n8n saves static data when a key is set, not when a list in it changes.
	plan.memory.registrations = (plan.memory.registrations ?? []).filter(
		(entry) => entry.workspace !== plan.client.workspace.origin || !isAbout(place)(entry),
	);
}

export function remember(plan: Plan, entry: Registration): void {
	forget(plan, entry);
	(plan.memory.registrations as Registration[]).push(entry);
}

/** Whose address it is that the intent calls. */
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

/** While testing, a published registration is not the test's own: it is put back afterwards. */
export const isAtOwnAddress = (plan: Plan, { url }: Standing): boolean =>
	!plan.test || addressOf(url ?? '') === plan.address;

const openBefore = (sealed: string | undefined, tokens: string[]): Before | undefined => {
	for (const token of sealed === undefined ? [] : tokens) {
		const opened = unseal(sealed as string, token);
		if (opened !== undefined) return JSON.parse(opened) as Before;
	}
	return undefined;
};

/** What the intent had before this node took it, as far as it is known. */
export const knownBefore = (plan: Plan, standing: Standing): Before | undefined =>
	openBefore(entryOf(plan, standing)?.before, [
		query(standing.url ?? '', 'token'),
		plan.tokenOf(standing),
	]);

export const sealBefore = (plan: Plan, place: Place, before: Before): string =>
	seal(JSON.stringify(before), plan.tokenOf(place));

/** An intent that calls nothing. No source shows how a webhook is removed, so its texts are emptied. */
export const nothingBefore: Before = { changes: { webhook: { url: '', auth_token: '' } } };

/** Some servers show secrets masked: such a one could not be put back. */
const isMasked = (secret: string): boolean => /^[*•·.]{3,}|[*•]{3,}$/.test(secret);

/** What the intent has now, to be put back later; undefined where the platform does not show enough of it. */
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
 * What is to be put back one day. An address of this node is never what was there before: after a kill it may still
 * stand there. Only a test keeps the published one, which it puts back at its end.
 */
export function beforeOf(plan: Plan, standing: Standing): Before | undefined {
	const ownership = ownershipOf(plan, standing);
	if (ownership === 'free') return nothingBefore;
	const ours = ownership === 'own' || ownership === 'unproven';
	return ours && isAtOwnAddress(plan, standing)
		? (knownBefore(plan, standing) ?? nothingBefore)
		: presentState(standing);
}
