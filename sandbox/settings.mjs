import { NO_MANNERS } from './manners.mjs';
import { isRecord } from './shape.mjs';

const rate = ({ most, seconds }) => ({ limit: most, windowMs: seconds * 1000 });

/**
 * What the sandbox can be told to do differently. Times in milliseconds unless the name says otherwise.
 * `PATCH /_sandbox/settings` merges objects deeply and replaces lists.
 * @param {any} limits of the contract (`x-limits`)
 */
export const defaults = (limits) => ({
	/** Every API answer leaves this long after the request was handled. */
	latencyMs: 0,
	/**
	 * 'wrong': every request meets another tenant's address and gets 404 (interface §5 rule 3);
	 * 'wrong-html': the same as a web page.
	 */
	tenant: 'right',
	/**
	 * Limits of interface §8. `othersPerSecond`: requests of other users of the workspace that
	 * count against the same limit.
	 */
	rate: {
		send: { ...rate(limits.sends), algorithm: 'token-bucket', othersPerSecond: 0 },
		general: { ...rate(limits.requests), algorithm: 'fixed-window', othersPerSecond: 0 },
	},
	workspaceTimezone: 'Europe/Istanbul',
	/** false: the zone that a caller asks for is ignored, as an unknown one is (interface §2.1 rule 5a). */
	honourTimezone: true,
	/** Profile timezone of the member whom the per-user token identifies. */
	memberTimezone: 'America/New_York',
	call: {
		lifeMs: 1500,
		/**
		 * How long a phone rings for a person while the page is open, before the call goes on by itself; 0: it does not.
		 */
		ringMs: 0,
		/** How long a page may be closed, or loading again, before calls that were picked up on it go on by themselves. */
		letGoMs: 5000,
		/** true: what a listing or a campaign plans waits for the hours of its rule, in the contact's timezone. */
		keepsHours: false,
		/** Simultaneous calls (interface §8). */
		liveLimit: limits.liveCalls.most,
		/** Beyond the limit: 'queue' waits for a free line (interface §8 rule 4), 'reject' answers 429. */
		overLimit: 'queue',
		/** What a call can end with; each is equally likely. `answered` false: nobody spoke. Durations in seconds. */
		outcomes: [
			['interested', true, [60, 240], 'positive', 'yes'],
			['callback_requested', true, [30, 90], 'neutral', 'partly'],
			['not_interested', true, [15, 60], 'negative', 'no'],
			['voicemail', false, [10, 20], 'neutral', 'no'],
			['no_answer', false, [0, 0], 'neutral', 'no'],
		].map(([outcome, answered, seconds, sentiment, success]) => ({
			outcome,
			answered,
			seconds,
			sentiment,
			success,
		})),
		/** Contacts whose number ends in one of these keys get that outcome. */
		outcomeByNumber: {},
	},
	/** What the page says before anybody calls: the URL of a form that starts calls; '' where there is none. */
	page: { formUrl: '' },
	webhooks: {
		/** false: the platform has no such endpoint (404 ENDPOINT_NOT_FOUND); '405': it refuses the method. */
		delete: true,
		update: true,
		/** An update without URL or events is refused: sources disagree. */
		updateWantsBoth: false,
		/** What becomes of what is asked for: 'oneEvent', 'off', 'noSecret', 'cutUrl', or 'deletesNothing'. */
		keeps: '',
		limit: limits.webhooksPerAgent.most,
		/** null: deliveries are not signed. */
		signature: { header: 'X-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
		/** Deliveries per second (interface §8). */
		perSecond: limits.deliveries.most / limits.deliveries.seconds,
		attempts: 1,
		retryDelayMs: 500,
		timeoutMs: 30_000,
	},
	/** How an agent calls the webhook of an intent and what it makes of the answer: nobody shows either. */
	intents: {
		/** 'flat', 'nested' or 'tool': see `intents.mjs`. */
		request: 'flat',
		/** What is spoken: 'model' (everything in it), 'text' (word for word) or 'field' (one field of the JSON). */
		answer: 'model',
		/** How long the agent waits before it goes on in silence. */
		timeoutMs: 15_000,
		/** So long after a call has begun, the agent's intents that call an address trigger by themselves; null: never. */
		duringCallsMs: null,
		/**
		 * What contacts whose number ends in one of these keys say by then, by key of a parameter. Empty: all say nothing,
		 * and parameters have their defaults; otherwise intents trigger in calls with these contacts alone.
		 */
		saidByNumber: {},
		/** false: the platform has no such endpoint (404 ENDPOINT_NOT_FOUND); '405': it refuses the method. */
		create: true,
		update: true,
		event: true,
		/** false: an update leaves the webhook as it is; only an action sets it (`PUT …/event`). */
		updateSetsWebhook: true,
		/** false: an address that is empty is refused with 422. */
		emptyAddress: true,
	},
	/** false: `request_key` is ignored where no source shows it (listings, tasks, campaign publishing). */
	requestKeysInferred: true,
	/**
	 * Lists that the contract shows as a bare array, in pages: `{'/listings': {layout: 'flat', perPage: 100}}`. Path as
	 * in the contract, layout as its x-paging names them; `perPage` unless the request says how many.
	 */
	pages: {},
	/**
	 * Lists that change while they are read: `{'/contacts': {add: 30, at: 'top', remove: 0}}`, path as in the contract.
	 * After each page that is read, so many records come in (`at`: 'top' or 'end'), so many of the first are gone, or so
	 * many of the last go to the top (`turn`), as in a list by last activity.
	 * What moves is shown by the list alone; the store stays as it is.
	 */
	movingLists: {},
	/** Query parameters that nothing comes of, as if the platform had them under another name. */
	ignoredQuery: [],
	/**
	 * How this platform behaves where real ones differ; all off. What stands here wins over the contract, so answers
	 * bent by it are not checked against it. Each is described in `manners.mjs`.
	 */
	manners: NO_MANNERS,
	/** `fails`: transcriptions end with an error. */
	transcription: { processingMs: 300, fails: false },
	builders: { processingMs: 300 },
	/**
	 * Ways to differ from the contract: `{path: '/agents', method?, kind: 'missing' |
	 * 'extra-field' | 'other-layout'}`, path as in the contract.
	 */
	differ: [],
});

/**
 * @param {any} base
 * @param {any} changes
 * @returns {any} a new value; objects are merged deeply, everything else is replaced
 */
export function merged(base, changes) {
	if (!isRecord(base) || !isRecord(changes)) return structuredClone(changes);
	const result = { ...base };
	for (const [key, value] of Object.entries(changes)) {
		if (key === '__proto__') continue;
		result[key] = key in base ? merged(base[key], value) : structuredClone(value);
	}
	return result;
}
