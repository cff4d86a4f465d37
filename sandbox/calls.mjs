import { ApiError, conflict, invalid, notFound } from './errors.mjs';
import { targetOf } from './intents.mjs';
import { born } from './store.mjs';
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
		this.calls = sandbox.store.collection('calls');
		this.conversations = sandbox.store.collection('conversations');
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
	start({ agent, contact, about, opening, listing_uuid = null, campaign_uuid = null, task_uuid }) {
		const { random, settings } = this.sandbox;
		const free = this.live < settings.call.liveLimit;
		if (!free && settings.call.overLimit === 'reject') {
			throw new ApiError(429, {
				message: `The workspace already has ${settings.call.liveLimit} calls.`,
				retryAfter: Math.max(1, Math.ceil(settings.call.lifeMs / 1000)),
			});
		}
		const turn = (this.#callsToNumber.get(contact.phone_number) ?? 0) + 1;
		this.#callsToNumber.set(contact.phone_number, turn);
		const call = this.calls.add({
			uuid: random.uuid(),
			conversation_uuid: random.uuid(),
			session_uuid: random.uuid(),
			agent_uuid: agent.agent_uuid,
			contact_uuid: contact.uuid,
			number: contact.phone_number,
			about: about ?? null,
			opening: opening ?? null,
			direction: 'Outbound',
			status: 'queued',
			duration: 0,
			muted: false,
			actions: [],
			/** What has been said, in order. */
			lines: [],
			/** Whether a person on the page has picked up. */
			taken: false,
			...this.#fate(contact.phone_number, turn),
			...born(),
			started_at: null,
			ended_at: null,
		});
		const conversation = this.conversations.add({
			uuid: call.conversation_uuid,
			type: 'Real',
			status: 'Active',
			responded_by: 'AI',
			is_simulation: false,
			timestamp: Instant.now(),
			...born(),
			agent_uuid: agent.agent_uuid,
			channel: 'Call',
			contact: contactOf(contact),
			session_uuids: [call.session_uuid],
			campaign_uuid,
			listing_uuid,
			task_uuids: task_uuid === undefined ? [] : [task_uuid],
			call: {
				uuid: call.uuid,
				direction: call.direction,
				status: call.status,
				duration: 0,
				recording_url: null,
				handled_by: 'AI',
				summary: null,
				timestamp: Instant.now(),
			},
		});
		if (free) this.#begin(call);
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
		return {
			fate: {
				...fate,
				seconds: Math.round(least + random.fractionFor(`${label} seconds`) * (most - least)),
			},
		};
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
		this.#tell(call, 'conversation_status', this.#report(call));
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
		const call = this.calls.get(uuid);
		if (call === undefined) throw notFound('Call');
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
		const ringing = [...this.calls.values()].filter(({ status }) => status === RINGING);
		for (const { uuid } of ringing) this.byHand(uuid, 'decline');
	}

	#hear(call, text, asks) {
		const said = text.trim();
		if (said === '') throw invalid('text', 'Nothing was said.');
		this.say(call, 'Contact', said.slice(0, 1000));
		if (!asks) this.say(call, 'AI', this.#whatItCan(call));
	}

	/** There is no model behind the agent: what a person types, it cannot answer. */
	#whatItCan({ agent_uuid: uuid }) {
		const agent = this.sandbox.store.collection('agents').get(uuid);
		const questions = (agent?.intents ?? [])
			.filter((intent) => targetOf(intent) !== undefined)
			.map(({ name }) => `“${name.replace(/\?$/, '')}?”`);
		return questions.length > 0
			? `I cannot answer that: I follow a script here. Press a button and your workflow answers: ${questions.join(', ')}`
			: 'I cannot answer that: I follow a script here. I can say what your workflows answer (ACP Intent Trigger) or send (Call Action: Say).';
	}

	/** Nobody looks at the page any more: calls that a person has picked up go on by themselves. */
	letGo() {
		for (const call of this.calls.values())
			if (call.taken && call.status === 'in-progress')
				this.#endLater(call, this.sandbox.settings.call.lifeMs);
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
		const conversation = this.conversations.get(call.conversation_uuid);
		const isNewer = this.sandbox.settings.manners.newerConversations;
		const told = !isNewer || fate.outcome !== 'no_answer';
		if (told) conversation.status = 'Closed';
		conversation.call.summary = told ? `The call to ${call.number} ended: ${fate.outcome}.` : null;
		conversation.call.recording_url = fate.answered
			? `${this.sandbox.filesUrl}/recordings/${call.uuid}.wav`
			: null;
		const evaluation = this.#remember(call, conversation);
		const report = this.#report(call);
		this.sandbox.deliveries
			.deliverInOrder(call.agent_uuid, [
				['conversation_status', report],
				['conversation_end_report', { ...report, conversation: this.#transcriptOf(conversation) }],
				[
					'voice_evaluation',
					{
						...report,
						session_evaluation_uuid: evaluation.uuid,
						sentiment_analysis: this.#sentiment(fate),
					},
				],
			])
			.catch(() => {});
		const next = this.#waiting.shift();
		if (next !== undefined) this.#begin(next);
	}

	/** Takes calls that wait for a line out of it, because their task was called off. */
	withdraw(taskUuid) {
		const isOf = (call) =>
			this.conversations.get(call.conversation_uuid).task_uuids.includes(taskUuid);
		for (const call of this.#waiting.filter(isOf)) {
			this.#update(call, { status: 'canceled', ended_at: Instant.now() });
			this.conversations.get(call.conversation_uuid).status = 'Closed';
		}
		this.#waiting = this.#waiting.filter((call) => !isOf(call));
	}

	/** The task that a call came of follows it. */
	#tellTasks(call, status) {
		const tasks = this.sandbox.store.collection('tasks');
		for (const uuid of this.conversations.get(call.conversation_uuid).task_uuids)
			tasks.change(uuid, { status, updated_at: Instant.now() });
	}

	#update(call, changes) {
		Object.assign(call, changes, { updated_at: Instant.now() });
		const conversation = this.conversations.get(call.conversation_uuid);
		Object.assign(conversation.call, { status: call.status, duration: call.duration });
		conversation.updated_at = Instant.now();
	}

	/** Session, messages and evaluation of an ended call. */
	#remember(call, conversation) {
		const { store, random } = this.sandbox;
		const session = store.collection('sessions').add({
			uuid: call.session_uuid,
			started_at: call.started_at,
			ended_at: call.ended_at,
			last_activity_at: call.ended_at,
			evaluated_at: call.ended_at,
			summary: conversation.call.summary,
			summary_generated_at: call.ended_at,
			...born(),
			conversation_uuid: conversation.uuid,
			agent_uuid: call.agent_uuid,
			contact: conversation.contact,
			call_uuid: call.uuid,
			campaign_uuid: conversation.campaign_uuid,
			listing_uuid: conversation.listing_uuid,
			task_uuids: conversation.task_uuids,
		});
		let spoken = 0;
		const said = (sender, content) => ({
			uuid: random.uuidFor(`message ${call.uuid} ${spoken++}`),
			conversation_uuid: conversation.uuid,
			session_uuid: session.uuid,
			contact_uuid: call.contact_uuid,
			agent_uuid: call.agent_uuid,
			channel: 'call',
			direction: sender === 'Contact' ? 'inbound' : 'outbound',
			sender,
			message_type: 'text',
			content,
			...born(),
		});
		for (const { sender, content } of call.lines)
			store.collection('messages').add(said(sender, content));
		return store
			.collection('evaluations')
			.add(
				evaluationOf(random.uuidFor(`evaluation ${call.uuid}`), session, conversation, call.fate),
			);
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

	/** What was said, as text; what the field holds is not shown. */
	#transcriptOf({ uuid }) {
		return [...this.sandbox.store.collection('messages').values()]
			.filter(({ conversation_uuid: of }) => of === uuid)
			.map(({ sender, content }) => `${sender}: ${content}`)
			.join('\n');
	}

	#sentiment(fate) {
		return {
			sentiment: { value: fate.sentiment, confidence: 0.9 },
			emotion: { value: 'calm' },
			intent: { value: fate.outcome },
			intent_labels: { value: [fate.outcome] },
			satisfaction: { value: fate.answered ? 4 : null },
			success: { value: fate.success },
			human_escalation: { value: false },
			knowledge_gap: { value: false },
		};
	}

	#tell(call, event, data) {
		return this.sandbox.deliveries.deliver(call.agent_uuid, event, data);
	}

	/**
	 * A live action (say, forward, hangup, mute, unmute) on a call that has not ended (interface §4.4).
	 * @param {string} conversationUuid
	 * @param {string} action
	 * @param {object} [details]
	 * @throws {ApiError} 404 without such a call; 409 when it is not live, which is the sandbox's guess
	 */
	act(conversationUuid, action, details = {}) {
		const conversation = this.conversations.get(conversationUuid);
		if (conversation?.call == null) throw notFound('Call');
		const call = this.calls.get(conversation.call.uuid);
		if (call.status !== 'in-progress')
			throw new ApiError(409, {
				code: 'CALL_NOT_LIVE',
				message: 'The call is not live.',
				details: `Its status is ${call.status}.`,
			});
		call.actions.push({ action, ...details });
		if (action === 'say') this.say(call, 'AI', details.message);
		if (action === 'mute' || action === 'unmute') call.muted = action === 'mute';
		if (action === 'hangup' || details.end_call_after_spoken === true) this.end(call);
		return call;
	}
}

/** The contact as a conversation carries it. */
export const contactOf = ({ uuid, name, surname, phone_number, email }) => ({
	uuid,
	name,
	surname,
	phone_number,
	email,
});

function evaluationOf(uuid, session, conversation, fate) {
	const score = (value) => ({
		value: String(value),
		confidence: 90,
		reason: `The call ended: ${fate.outcome}.`,
	});
	return {
		uuid,
		session_uuid: session.uuid,
		conversation_uuid: conversation.uuid,
		contact_uuid: conversation.contact.uuid,
		sentiment: score(fate.sentiment),
		emotion: score('calm'),
		sentiment_strength: score('medium'),
		intent: score(fate.outcome),
		intent_labels: score(fate.outcome),
		knowledge_gap: score('no'),
		human_escalation: score('no'),
		contextual_sentiment: score(fate.sentiment),
		satisfaction: score(fate.answered ? 4 : 0),
		success: score(fate.success),
		...born(),
	};
}
