import { settingOf, urlOfAction, type AgentIntent, type IntentAction } from './agentIntents';
import { isAbout, type IntentPlace, type Plan, type Registration } from './plan';
import { objectOf } from '../engine/http/envelope';
import { addressOf, query } from '../engine/registration/address';
import { openBefore, type Before } from '../engine/registration/before';
import { entriesInWorkspace } from '../engine/registration/memory';
import { ownershipOf as ownershipOfUrl, type Ownership } from '../engine/registration/ownership';
import { unseal } from '../engine/registration/proof';
import { isOfThisN8n } from '../engine/registration/registrant';

/** The present state of an intent on the platform. */
export interface Standing extends IntentPlace {
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

export const entryOf = (plan: Plan, place: IntentPlace): Registration | undefined =>
	entriesInWorkspace(plan).find(isAbout(plan, place));

/** Whose URL the intent calls; free if it calls none. */
export function ownershipOf(
	plan: Plan,
	{ agent, intent, url }: Pick<Standing, 'agent' | 'intent' | 'url'>,
): Ownership | 'free' {
	if (url === '') return 'free';
	return ownershipOfUrl(plan, { agent, intent }, url ?? '', isAbout(plan, { agent, intent }));
}

/** A test does not own the published registration. */
export const isAtOwnAddress = (plan: Plan, { url = '' }: Standing): boolean =>
	!plan.test || addressOf(url) === plan.address;

/** Whether the published workflow has the intent, while a test wants it, too. */
export const isAtPublished = (plan: Plan, standing: Standing): boolean =>
	plan.test &&
	addressOf(standing.url ?? '') === plan.addresses.published &&
	ownershipOf(plan, standing) === 'own';

/** The URL of this node in a draft: left when it was stopped between setting an action and making it live. */
export function ownDraft(plan: Plan, standing: Standing): string | undefined {
	const url = standing.draft && urlOfAction(standing.draft);
	return url && ownershipOf(plan, { ...standing, url }) === 'own' ? url : undefined;
}

/** What static data holds of the time before. */
export function rememberedBefore(plan: Plan, standing: Standing): Before | undefined {
	const sealed = entryOf(plan, standing)?.before ?? '';
	for (const token of [query(standing.url ?? '', 'token'), plan.tokenOf(standing)]) {
		const opened = unseal(sealed, token);
		if (opened !== undefined) return JSON.parse(opened) as Before;
	}
	return undefined;
}

/** What the intent had before this node took it: its URL tells, or static data; undefined if neither does. */
export const knownBefore = (plan: Plan, standing: Standing): Before | undefined =>
	openBefore(plan, standing, standing.url ?? '') ?? rememberedBefore(plan, standing);

/** An intent that calls nothing. No source shows how to remove a webhook, so this empties its texts. */
const nothingBefore: Before = { changes: { webhook: { url: '', auth_token: '' } } };

/** Some servers mask secrets. A masked secret could not be put back. */
const isMasked = (secret: string): boolean => /^[*•·.]{3}|[*•]{3}$/.test(secret);

/** What the intent has now, to put it back later; undefined if the platform does not show enough of it. */
function presentState({ record, action }: Standing): Before | undefined {
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

/** Whether the intent calls an ACP Intent Trigger of another workflow of this n8n. */
export const isOfNeighbor = (plan: Plan, standing: Standing): boolean => {
	const { url = '', agent, intent } = standing;
	const address = addressOf(url);
	return (
		address !== undefined &&
		isOfThisN8n(plan, address) &&
		ownershipOf(plan, standing) === 'foreign' &&
		query(url, 'agent') === agent &&
		query(url, 'intent') === intent &&
		query(url, 'token') !== ''
	);
};

/**
 * What the node will put back later; undefined if that is not known. The URL of a trigger of this n8n was never there
 * before: it may be left from a run that was killed, or its workflow may be unpublished later.
 */
export function beforeOf(plan: Plan, standing: Standing): Before | undefined {
	const ownership = ownershipOf(plan, standing);
	if (ownership === 'free') {
		const left = openBefore(plan, standing, ownDraft(plan, standing) ?? '');
		return left?.action ? left : nothingBefore;
	}
	if (ownership === 'own' || ownership === 'unproven') return knownBefore(plan, standing);
	return isOfNeighbor(plan, standing)
		? openBefore(plan, standing, standing.url ?? '')
		: presentState(standing);
}
