import { ApiError, conflict, invalid } from './errors.mjs';
import { targetOf } from './intents.mjs';
import { change } from './store.mjs';
import { Instant } from './zone.mjs';

/** Of a call that nobody has picked up yet. No source has a word of its own for it. */
export const RINGING = 'initiated';

const ANSWERED = { outcome: 'answered', answered: true, sentiment: 'neutral', success: 'partly' };
const UNANSWERED = { outcome: 'no_answer', answered: false, sentiment: 'neutral', success: 'no' };

const shownStatus = ({ status, taken }) =>
	status === 'in-progress' && !taken ? 'running by itself' : status;

const OPENINGS = ['Hello, do you have a minute?', 'Hi, I am calling about your request.'];

/** Calls of the workspace: they live for a while, end with an outcome, and tell the agent's webhooks (interface §6). */
export class Calls {
	/** Calls that wait for a free line, oldest first. */
	#waiting = [];
	#callsToNumber = new Map();

	/** @param {import('./sandbox.mjs').Sandbox} sandbox */
	constructor(sandbox) {
		this.sandbox = sandbox;
	}

	#conversationOf(call) {
		return this.sandbox.store.get('conversations', call.conversation_uuid);
	}

	/** How many calls are live now. */
	live = 0;

	/** How many accepted calls wait for a free line. */
	get waiting() {
		return this.#waiting.length;
	}

	/**
	 * @param {{agent: any, contact: any, about?: string, opening?: string, listing_uuid?: string, campaign_uuid?:
	 * string, task_uuid?: string}} request opening: the agent's first sentence
	 * @returns {{call: any, conversation: any}}
	 * @throws {ApiError} 429 beyond the limit of simultaneous calls, when the settings say so
	 */
	start({ agent, contact, about = null, opening = null, task_uuid, ...origin }) {
		const { random, settings, store } = this.sandbox;
		const { lifeMs, liveLimit, overLimit } = settings.call;
		const isFree = this.live < liveLimit;
		if (!isFree && overLimit === 'reject')
			throw new ApiError(429, {
				message: `The workspace already has ${liveLimit} calls.`,
				retryAfter: Math.max(1, Math.ceil(lifeMs / 1000)),
			});
		const { phone_number: number } = contact;
		const turn = (this.#callsToNumber.get(number) ?? 0) + 1;
		this.#callsToNumber.set(number, turn);
		const call = store.add('calls', {
			conversation_uuid: random.uuid(),
			session_uuid: random.uuid(),
			agent_uuid: agent.agent_uuid,
			contact_uuid: contact.uuid,
			number,
			about,
			opening,
			direction: 'Outbound',
			status: 'queued',
			duration: 0,
			muted: false,
			actions: [],
			/** What has been said, in order. */
			lines: [],
			/** Whether a person on the page has picked up. */
			taken: false,
			fate: this.#fate(number, turn),
			started_at: null,
			ended_at: null,
		});
		const { uuid, direction, status, created_at: timestamp } = call;
		const conversation = addConversation(store, {
			uuid: call.conversation_uuid,
			agent,
			contact,
			channel: 'Call',
			session_uuids: [call.session_uuid],
			task_uuids: task_uuid === undefined ? [] : [task_uuid],
			call: {
				uuid,
				direction,
				status,
				duration: 0,
				recording_url: null,
				handled_by: 'AI',
				summary: null,
				timestamp,
			},
			...origin,
		});
		if (isFree) this.#begin(call);
		else this.#waiting.push(call);
		return { call, conversation };
	}

	/**
	 * How the call will end: decided by the seed, the number and how often it was called, not
	 * by the order of requests.
	 */
	#fate(number, turn) {
		const { random, settings } = this.sandbox;
		const { outcomes, outcomeByNumber } = settings.call;
		const label = `call ${number} ${turn}`;
		const wanted = Object.entries(outcomeByNumber).find(([ending]) => number.endsWith(ending))?.[1];
		const fate =
			outcomes.find(({ outcome }) => outcome === wanted) ??
			outcomes[Math.floor(random.fractionFor(label) * outcomes.length)];
		const [least, most] = fate.seconds;
		const part = random.fractionFor(`${label} seconds`);
		return { ...fate, seconds: Math.round(least + part * (most - least)) };
	}

	#begin(call) {
		this.live += 1;
		const { ringMs } = this.sandbox.settings.call;
		if (ringMs > 0 && this.sandbox.watchers.isWatched) {
			this.#update(call, { status: RINGING });
			this.sandbox.later(ringMs, () => {
				if (call.status === RINGING) this.#runByItself(call);
			});
		} else this.#runByItself(call);
		this.#tellTasks(call, 'in_progress');
		const report = this.#report(call);
		void this.sandbox.deliveries.deliver(call.agent_uuid, 'conversation_status', report);
	}

	#connect(call) {
		this.#update(call, { status: 'in-progress', started_at: Instant.now() });
		this.say(call, 'AI', call.opening || OPENINGS[call.fate.seconds % 2]);
	}

	#runByItself(call) {
		this.#connect(call);
		this.say(call, 'Contact', 'Yes, go ahead.');
		this.#endLater(call, this.sandbox.settings.call.lifeMs);
		const { duringCallsMs } = this.sandbox.settings.intents;
		if (duringCallsMs !== null && call.fate.answered)
			this.sandbox.later(duringCallsMs, () => void this.sandbox.intents.triggerAll(call));
	}

	#endLater(call, ms) {
		this.sandbox.later(ms, () => {
			// Nobody hangs up while the agent waits for a workflow's answer.
			const asking = this.sandbox.intents.answering(call);
			if (asking) void asking.then(() => this.end(call));
			else this.end(call);
		});
	}

	/**
	 * Notes what was said in a call that somebody has answered.
	 * @param {any} call
	 * @param {'AI' | 'Contact'} sender
	 * @param {string} content
	 */
	say(call, sender, content) {
		if (call.fate.answered) call.lines.push({ sender, content });
	}

	/**
	 * What a person on the page does with a phone: `pick-up` and `decline` while it rings, `say` and `hang-up`
	 * afterwards.
	 * @param {string} uuid of the call
	 * @param {string} action
	 * @param {{text?: string, asks?: boolean, outcome?: string}} [details] asks: an intent follows, which answers;
	 *   outcome: what comes of the call, one of the settings
	 * @throws {ApiError} 404 without such a call; 409 if its state does not allow it
	 */
	byHand(uuid, action, { text = '', asks = false, outcome } = {}) {
		const call = this.sandbox.store.need('calls', uuid);
		const isRinging = call.status === RINGING;
		const isTalking = call.status === 'in-progress' && call.taken;
		const may = { 'pick-up': isRinging, decline: isRinging, say: isTalking, 'hang-up': isTalking };
		if (may[action] === undefined) throw invalid('action', `A phone has no ${action}.`);
		if (!may[action]) throw conflict(`The call is ${shownStatus(call)}.`, 'CALL_NOT_LIVE');
		const { outcomes } = this.sandbox.settings.call;
		if (action === 'pick-up') {
			call.taken = true;
			call.fate = { ...(outcomes.find(({ answered }) => answered) ?? ANSWERED), seconds: 0 };
			this.#connect(call);
		}
		if (action === 'decline') {
			const fate = outcomes.find((one) => one.outcome === 'no_answer') ?? UNANSWERED;
			call.fate = { ...fate, seconds: 0 };
			call.started_at = Instant.now();
			this.end(call);
		}
		if (action === 'say') this.#hear(call, text, asks);
		if (action === 'hang-up') {
			const wanted = outcomes.find((one) => one.answered && one.outcome === outcome);
			const seconds = Math.max(1, Math.round((Date.now() - call.started_at.ms) / 1000));
			call.fate = { ...(wanted ?? call.fate), seconds };
			this.end(call);
		}
		return call;
	}

	/** Ends every call that rings now, as if nobody answered. */
	declineAll() {
		for (const { uuid } of this.sandbox.store.where('calls', { status: RINGING }))
			this.byHand(uuid, 'decline');
	}

	#hear(call, text, asks) {
		const said = text.trim();
		if (said === '') throw invalid('text', 'Nothing was said.');
		this.say(call, 'Contact', said.slice(0, 1000));
		if (!asks) this.say(call, 'AI', this.#whatItCan(call));
	}

	/** There is no model behind the agent: what a person types, it cannot answer. */
	#whatItCan({ agent_uuid: uuid }) {
		const agent = this.sandbox.store.get('agents', uuid);
		const questions = (agent?.intents ?? [])
			.filter((intent) => targetOf(intent) !== undefined)
			.map(({ name }) => `“${name.replace(/\?$/, '')}?”`);
		return questions.length > 0
			? `I cannot answer that: I follow a script here. Press a button and your workflow answers: ${questions.join(', ')}`
			: 'I cannot answer that: I follow a script here. I can say what your workflows answer (Agent Question Trigger) or send (Call Action: Say).';
	}

	/** Nobody looks at the page any more: calls that a person has picked up go on by themselves. */
	letGo() {
		const { settings, store } = this.sandbox;
		for (const call of store.where('calls', { taken: true, status: 'in-progress' }))
			this.#endLater(call, settings.call.lifeMs);
	}

	/** @param {any} call ends now; the agent's webhooks hear the status, the report and the evaluation, in this order */
	end(call) {
		if (call.status !== 'in-progress' && call.status !== RINGING) return;
		const { fate } = call;
		this.live -= 1;
		this.say(call, 'AI', 'Thank you, goodbye.');
		this.#update(call, {
			status: fate.outcome === 'no_answer' ? 'no-answer' : 'completed',
			duration: fate.seconds,
			ended_at: Instant.now(),
		});
		this.#tellTasks(call, 'completed');
		const conversation = this.#conversationOf(call);
		const isNewer = this.sandbox.settings.manners.newerConversations;
		const told = !isNewer || fate.outcome !== 'no_answer';
		if (told) conversation.status = 'Closed';
		conversation.call.summary = told ? `The call to ${call.number} ended: ${fate.outcome}.` : null;
		conversation.call.recording_url = fate.answered
			? `${this.sandbox.filesUrl}/recordings/${call.uuid}.wav`
			: null;
		const { uuid: session_evaluation_uuid } = this.#remember(call, conversation);
		const report = this.#report(call);
		// What the field holds is not shown.
		const transcript = call.lines.map(({ sender, content }) => `${sender}: ${content}`).join('\n');
		const sentiment_analysis = sentimentOf(fate);
		const events = [
			['conversation_status', report],
			['conversation_end_report', { ...report, conversation: transcript }],
			['voice_evaluation', { ...report, session_evaluation_uuid, sentiment_analysis }],
		];
		this.sandbox.deliveries.deliverInOrder(call.agent_uuid, events).catch(() => {});
		const next = this.#waiting.shift();
		if (next !== undefined) this.#begin(next);
	}

	/** Takes calls that wait for a line out of it, because their task was called off. */
	withdraw(taskUuid) {
		const isOf = (call) => this.#conversationOf(call).task_uuids.includes(taskUuid);
		for (const call of this.#waiting.filter(isOf)) {
			this.#update(call, { status: 'canceled', ended_at: Instant.now() });
			this.#conversationOf(call).status = 'Closed';
		}
		this.#waiting = this.#waiting.filter((call) => !isOf(call));
	}

	/** The task that a call came of follows it. */
	#tellTasks(call, status) {
		for (const uuid of this.#conversationOf(call).task_uuids) {
			const task = this.sandbox.store.get('tasks', uuid);
			if (task !== undefined) change(task, { status });
		}
	}

	#update(call, changes) {
		const { status, duration } = change(call, changes);
		const conversation = change(this.#conversationOf(call));
		Object.assign(conversation.call, { status, duration });
	}

	/** Session, messages and evaluation of an ended call. */
	#remember(call, conversation) {
		const { store, random } = this.sandbox;
		const { started_at, ended_at, session_uuid, agent_uuid } = call;
		const { uuid: conversation_uuid, contact } = conversation;
		store.add('sessions', {
			uuid: session_uuid,
			started_at,
			ended_at,
			last_activity_at: ended_at,
			evaluated_at: ended_at,
			summary: conversation.call.summary,
			summary_generated_at: ended_at,
			conversation_uuid,
			agent_uuid,
			contact,
			call_uuid: call.uuid,
			campaign_uuid: conversation.campaign_uuid,
			listing_uuid: conversation.listing_uuid,
			task_uuids: conversation.task_uuids,
		});
		for (const [index, { sender, content }] of call.lines.entries()) {
			const uuid = random.uuidFor(`message ${call.uuid} ${index}`);
			store.add('messages', { ...messageOf(conversation, sender, content), uuid, session_uuid });
		}
		return store.add('evaluations', {
			uuid: random.uuidFor(`evaluation ${call.uuid}`),
			session_uuid,
			conversation_uuid,
			contact_uuid: contact.uuid,
			...evaluationOf(call.fate),
		});
	}

	/** Data of every event of a call, with names that another client reads and no others (catalogue, last area). */
	#report(call) {
		return {
			call_id: call.uuid,
			conversation_uuid: call.conversation_uuid,
			agent_id: call.agent_uuid,
			session_type: 'voice',
			number: call.number,
			duration: call.duration,
			contact_info: { phone_number: call.number },
			timestamp: Instant.now(),
		};
	}

	/**
	 * A live action (say, forward, hangup, mute, unmute) on a call that has not ended (interface §4.4).
	 * @param {string} uuid of the call
	 * @param {string} action
	 * @param {object} [details]
	 * @throws {ApiError} 409 when it is not live, which is the sandbox's guess
	 */
	act(uuid, action, details = {}) {
		const call = this.sandbox.store.need('calls', uuid);
		if (call.status !== 'in-progress')
			throw conflict('The call is not live.', 'CALL_NOT_LIVE', `Its status is ${call.status}.`);
		call.actions.push({ action, ...details });
		if (action === 'say') this.say(call, 'AI', details.message);
		if (action === 'mute' || action === 'unmute') call.muted = action === 'mute';
		if (action === 'hangup' || details.end_call_after_spoken === true) this.end(call);
		return call;
	}
}

/** @returns {any} a new conversation of an agent with a contact */
export const addConversation = (store, { agent, contact, ...more }) =>
	store.add('conversations', {
		type: 'Real',
		status: 'Active',
		responded_by: 'AI',
		is_simulation: false,
		timestamp: Instant.now(),
		agent_uuid: agent.agent_uuid,
		contact: pick(contact, ['uuid', 'name', 'surname', 'phone_number', 'email']),
		session_uuids: [],
		campaign_uuid: null,
		listing_uuid: null,
		task_uuids: [],
		call: null,
		...more,
	});

const pick = (record, names) => Object.fromEntries(names.map((name) => [name, record[name]]));

/** A message of a conversation, from the agent or from the contact. */
export const messageOf = (conversation, sender, content) => ({
	conversation_uuid: conversation.uuid,
	session_uuid: null,
	contact_uuid: conversation.contact.uuid,
	agent_uuid: conversation.agent_uuid,
	channel: conversation.channel.toLowerCase(),
	direction: sender === 'Contact' ? 'inbound' : 'outbound',
	sender,
	message_type: 'text',
	content,
});

/** What an event tells of how a call went. */
const sentimentOf = ({ sentiment, outcome, answered, success }) => ({
	sentiment: { value: sentiment, confidence: 0.9 },
	emotion: { value: 'calm' },
	intent: { value: outcome },
	intent_labels: { value: [outcome] },
	satisfaction: { value: answered ? 4 : null },
	success: { value: success },
	human_escalation: { value: false },
	knowledge_gap: { value: false },
});

function evaluationOf({ answered, outcome, sentiment, success }) {
	const reason = `The call ended: ${outcome}.`;
	const scores = {
		sentiment,
		emotion: 'calm',
		sentiment_strength: 'medium',
		intent: outcome,
		intent_labels: outcome,
		knowledge_gap: 'no',
		human_escalation: 'no',
		contextual_sentiment: sentiment,
		satisfaction: answered ? 4 : 0,
		success,
	};
	return Object.fromEntries(
		Object.entries(scores).map(([name, value]) => [
			name,
			{ value: String(value), confidence: 90, reason },
		]),
	);
}
