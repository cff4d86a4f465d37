import type { IDataObject } from 'n8n-workflow';
import { locator, text } from '../engine/fields';
import { isPlainObject, stateWord } from '../engine/text/text';

export const agentFilter = locator('searchAgents', "Only this agent's conversations");
export const channelFilter = text('Only conversations on this channel', {
	samples: ['call', 'sms', 'whatsapp'],
	dropdown: true,
});
export const statusFilter = text('Only conversations with this status', {
	samples: ['Active', 'Closed'],
	dropdown: true,
});

/** States of a call that was called off; whether a phone rang by then, no source shows. */
const calledOff = ['canceled', 'cancelled'];
/** States of a call that nobody answered: usual words of telephony that can mean nothing else. */
const unanswered = ['failed', 'missed', 'no-answer', 'busy', ...calledOff];
/** States of a call that has ended: `completed` (reference: call), the others are usual words. */
const ended = new Set(['completed', 'ended', ...unanswered]);
/** Something is still to come: of a conversation (client), of a call (reference: call, conversations). */
const active = new Set(['active', 'initiated', 'queued', 'ringing', 'in-progress']);

export const callOf = ({ call }: IDataObject): IDataObject | undefined =>
	isPlainObject(call) ? call : undefined;

/** Its states are not all shown (reference: conversations), so any other word is `unknown`. */
export function stateOfCall(conversation: IDataObject): 'waiting' | 'done' | 'unknown' {
	const call = callOf(conversation) ?? {};
	const [whole, own] = [stateWord(conversation.status), stateWord(call.status)];
	if (whole === 'closed' || ended.has(whole) || ended.has(own) || stateWord(call.summary) !== '')
		return 'done';
	return active.has(whole) && (own === '' || active.has(own)) ? 'waiting' : 'unknown';
}

/**
 * Whether somebody, or a voicemail, answered the call of a conversation; `null` where no source tells. In words, because
 * n8n's "is false" takes null, too, and a data table writes false into a text column as 0.
 */
export const answered = {
	of: (conversation: IDataObject): { answered: 'yes' | 'no' | null } => {
		const call = callOf(conversation);
		// Whoever was never called did not fail to pick up.
		const isTold = call && !calledOff.includes(stateWord(call.status));
		const reach = isTold ? reachOf(conversation) : 'unclear';
		return { answered: reach === 'reached' ? 'yes' : reach === 'notReached' ? 'no' : null };
	},
	told: {
		answered: 'yes (person or voicemail: read call_summary) | no | null (unknown, or called off)',
	},
};

export type Reach = 'reached' | 'inProgress' | 'notReached' | 'unclear';

/** A call counts if it was answered, even by a voicemail; a text if it was written: no source shows its delivery. */
export function reachOf(conversation: IDataObject): Reach {
	const call = callOf(conversation);
	if (!call) return /call/i.test(stateWord(conversation.channel)) ? 'unclear' : 'reached';
	const state = stateOfCall(conversation);
	if (state !== 'done') return state === 'waiting' ? 'inProgress' : 'unclear';
	const status = stateWord(call.status);
	if (unanswered.includes(status)) return 'notReached';
	if (typeof call.duration === 'number') return call.duration > 0 ? 'reached' : 'notReached';
	return status === 'completed' ? 'reached' : 'unclear';
}
