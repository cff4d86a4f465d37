import type { IDataObject } from 'n8n-workflow';
import { isEqual, isMatch } from 'lodash';
import {
	settingOf,
	urlOfAction,
	type AgentIntent,
	type IntentAction,
	type IntentParameter,
} from './agentIntents';
import { objectOf } from '../engine/response/response';
import { markOf } from '../engine/http/workspace';
import {
	entriesInWorkspace,
	forget,
	ownershipOfUrl,
	remember,
	type Ownership,
} from '../shared/registration/memory';
import { urlFor, type Plan as PlanOf } from '../shared/registration/plan';
import { seal, sealAlike, unseal } from '../shared/registration/proof';
import {
	query,
	servedAs,
	addressOfUrl,
	type Entry,
	type Target,
} from '../shared/registration/registrant';

export interface Registration extends Entry {
	intent: string;
	/** Mark of its auth token. It stays valid after the credential has changed. */
	authToken: string;
	/** The parameters that the intent declares; they set the types of delivered values. */
	parameters: IntentParameter[];
	made?: true;
	/** A `Before`, sealed with the callback token: whoever may read the workflow can read static data. */
	before?: string;
}

export type Plan = PlanOf<Registration>;

/** The webhook of an intent (interface §2.8). */
export interface IntentWebhook {
	url: string;
	auth_token: string;
}

/** What an intent had before, in the form of the requests that put it back. */
export interface Before {
	changes?: IDataObject;
	/** Its live action. */
	action?: IDataObject;
	/** A mark of what the node wrote in place of the fields in `changes`. */
	wrote?: string;
}

/** Some servers mask secrets. A masked secret could not be put back. */
const isMasked = (secret: unknown = ''): boolean => /^[*•·.]{3}|[*•]{3}$/.test(String(secret));

const opened = (text: string | undefined): Before | undefined =>
	text === undefined ? undefined : (JSON.parse(text) as Before);

/** Whether an entry is about an intent in the workspace of the plan. */
export const isAbout =
	({ client }: Plan, { agent, intent }: Target) =>
	(entry: Registration): boolean =>
		isMatch(entry, { workspace: client.workspace.origin, agent, intent });

/** The present state of an intent on the platform, and what this node knows of it. */
export class IntentState {
	readonly intent: string;
	/** Its live action, if any: then the intent does this, and its webhook does not count. */
	readonly action?: IntentAction;
	/** The URL that it calls, empty for none; undefined if it does something else, or if that is not shown. */
	readonly url: string | undefined;
	/** The secret that it sends to that URL. */
	readonly authToken: unknown;
	/** An action that is not live; setting another one would overwrite it. */
	readonly draft?: IntentAction;

	constructor(
		private readonly plan: Plan,
		readonly agent: string,
		readonly record: AgentIntent,
		shown?: IntentAction,
	) {
		// A draft does nothing yet. A platform that does not say whether an action is a draft shows the live one.
		if (shown?.status === 'draft') this.draft = shown;
		else this.action = shown;
		this.intent = record.uuid;
		this.url = this.action ? urlOfAction(this.action) : record.url;
		this.authToken = this.action ? objectOf(this.action.webhook).auth_token : record.authToken;
	}

	get entry(): Registration | undefined {
		return entriesInWorkspace(this.plan).find(isAbout(this.plan, this));
	}

	/** Whether the platform shows what the intent does. */
	get isShown(): boolean {
		const { event_type: type = 'webhook' } = this.action ?? {};
		return type !== 'webhook' || this.url !== undefined;
	}

	get isMade(): boolean {
		return this.entry?.made === true;
	}

	/** Whose URL the intent calls; free if it calls none. */
	get ownership(): Ownership | 'free' {
		return this.ownershipOf(this.url);
	}

	private ownershipOf(url: string | undefined): Ownership | 'free' {
		const { plan, isShown, entry } = this;
		if (!isShown && entry?.address === plan.address) return 'own';
		return url === '' ? 'free' : ownershipOfUrl(plan, this, url ?? '', isAbout(plan, this));
	}

	/** Whether the published workflow has the intent, while a test wants it, too. */
	get isAtPublished(): boolean {
		const address = addressOfUrl(this.url ?? '') ?? '';
		const isPublished = servedAs(this.plan, address) === 'published';
		return this.plan.test && isPublished && this.ownership === 'own';
	}

	/** Whether the intent calls an Agent Question Trigger of another workflow of this n8n. */
	get isOfNeighbor(): boolean {
		const { url = '', agent, intent } = this;
		const address = addressOfUrl(url);
		return (
			address !== undefined &&
			servedAs(this.plan, address) !== undefined &&
			this.ownership === 'foreign' &&
			query(url, 'agent') === agent &&
			query(url, 'intent') === intent &&
			query(url, 'token') !== ''
		);
	}

	/** The URL of this node in a draft: left when it was stopped between setting an action and making it live. */
	get ownDraft(): string | undefined {
		const url = this.draft && urlOfAction(this.draft);
		return url && this.ownershipOf(url) === 'own' ? url : undefined;
	}

	private get ownAuthToken(): string {
		return this.plan.secretOf('auth', this).toString('base64url');
	}

	/** The webhook that the intent should have. @param before what stood there, sealed; empty if unknown */
	webhookFor(before: string): IntentWebhook {
		return {
			url: urlFor(this.plan, this, before === '' ? {} : { before }),
			auth_token: this.ownAuthToken,
		};
	}

	/** Remembers that the intent calls this node. @param before what it had, if that is known */
	remember(parameters: IntentParameter[], made: boolean, before?: Before): void {
		const { plan, agent, intent } = this;
		const token = plan.tokenOf(this);
		const entry = {
			agent,
			intent,
			address: plan.address,
			token: markOf(token),
			authToken: markOf(this.ownAuthToken),
			parameters,
			...(made ? { made } : {}),
			...(before ? { before: seal(JSON.stringify(before), token) } : {}),
		};
		remember(plan, entry, isAbout(plan, this));
	}

	/** The intent has what it had: what stays of its entry is whether the node made it. */
	release(): void {
		const { plan, agent, intent, entry } = this;
		if (!entry?.made) return forget(plan, isAbout(plan, this));
		const { parameters, made } = entry;
		const empty = { address: '', token: '', authToken: '', parameters, made };
		remember(plan, { agent, intent, ...empty }, isAbout(plan, this));
	}

	/** Of the intent, not of the workflow: whoever takes an intent over with this credential inherits what stood there. */
	private get keyOfBefore(): string {
		return this.plan.derive(['before', this.agent, this.intent]);
	}

	/**
	 * What an intent had before, sealed for the query of the callback URL. The platform stores it in the same write as the
	 * URL, so that it is there whenever the URL is, whatever happens to n8n. Only the API token opens it, which no log of
	 * URLs shows. Equal contents are equal when sealed, so that the whole URL can be compared.
	 */
	seal(before: Before): string {
		return sealAlike(JSON.stringify(before), this.keyOfBefore);
	}

	/** What a callback URL holds sealed; undefined if there is nothing, or it does not open. */
	private openBefore(url = ''): Before | undefined {
		return opened(unseal(query(url, 'before'), this.keyOfBefore));
	}

	private get rememberedBefore(): Before | undefined {
		const sealed = this.entry?.before ?? '';
		const tokens = [query(this.url ?? '', 'token'), this.plan.tokenOf(this)];
		return opened(unseal(sealed, tokens[0] ?? '') ?? unseal(sealed, tokens[1] ?? ''));
	}

	/** What the intent had before this node took it: its URL tells, or static data; undefined if neither does. */
	private get knownBefore(): Before | undefined {
		return this.openBefore(this.url) ?? this.rememberedBefore;
	}

	/** What the intent has now, to put it back later; undefined if the platform does not show enough of it. */
	private get present(): Before | undefined {
		const { action, record } = this;
		const setting = action && settingOf(action);
		const webhook = action
			? objectOf(setting?.webhook)
			: { url: record.url, auth_token: record.authToken };
		if ((action && !setting) || !this.isShown || isMasked(webhook.auth_token)) return undefined;
		return setting ? { action: setting } : { changes: { webhook } };
	}

	/**
	 * What the node will put back later; undefined if that is not known. The URL of a trigger of this n8n was never there
	 * before: it may be left from a run that was killed, or its workflow may be unpublished later.
	 */
	get before(): Before | undefined {
		const { ownership } = this;
		if (ownership === 'free') {
			// A draft in place of the live action, which another n8n has left, tells nothing; what is remembered does.
			const left = this.openBefore(this.ownDraft) ?? (this.draft && this.rememberedBefore);
			// No source shows how to remove a webhook, so this empties its texts.
			return left?.action ? left : { changes: { webhook: { url: '', auth_token: '' } } };
		}
		if (ownership === 'own' || ownership === 'unproven') return this.knownBefore;
		return this.isOfNeighbor ? this.openBefore(this.url) : this.present;
	}

	/**
	 * What the node has to put back, if the intent still shows something of the node. Between setting an action and making
	 * it live, that is a draft: this node's, or the one that is put back. A test does not own the published registration.
	 */
	get owed(): 'nothing' | 'unknown' | Before {
		const { plan, draft } = this;
		const isOfTest = addressOfUrl(this.url ?? '') === plan.address;
		if (this.ownership === 'own' && (!plan.test || isOfTest)) return this.knownBefore ?? 'unknown';
		const ours = this.openBefore(this.ownDraft);
		if (ours?.action) return ours;
		const kept = this.rememberedBefore;
		const isBack = kept?.action && draft && isEqual(settingOf(draft), kept.action);
		return isBack ? kept : 'nothing';
	}
}
