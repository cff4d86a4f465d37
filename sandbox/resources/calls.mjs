import { changed, paged } from '../answers.mjs';
import { notFound } from '../errors.mjs';
import { byField } from '../shape.mjs';
import { contactByNumber } from './contacts.mjs';

/** A live action answers only that it was dispatched (reference: call actions). */
function action({ sandbox, operation, record: { call }, body }) {
	if (call === null) throw notFound('Call');
	sandbox.calls.act(call.uuid, operation.path.split('/').at(-1), body);
	return changed({});
}

/** A call as the catalogue shows it; what communication and analysis hold is the sandbox's own invention. */
const shownCall = ({ store }, { agent_uuid: uuid, ...call }) => ({
	...call,
	handled_by: 'AI',
	communication: 'voice',
	analysis: store.get('conversations', call.conversation_uuid)?.call?.summary ?? '',
	agent: { uuid, name: store.get('agents', uuid)?.name ?? '' },
	timestamp: call.created_at,
});

export const handlers = {
	'POST /call': ({ sandbox, body }) => {
		const agent = sandbox.store.need('agents', body.agentId);
		const contact = contactByNumber(sandbox, body.participant.number);
		const { call, conversation } = sandbox.calls.start({
			agent,
			contact,
			about: body.participant.about,
			opening: body.message?.start,
		});
		return {
			id: call.uuid,
			agentId: agent.agent_uuid,
			status: call.status === 'queued' ? 'queued' : 'initiated',
			conversation_uuid: conversation.uuid,
			contact_uuid: contact.uuid,
			listen_url: `${sandbox.filesUrl}/listen/${call.uuid}`,
			record_url: `${sandbox.filesUrl}/recordings/${call.uuid}.wav`,
		};
	},
	'GET /calls': (context) => {
		const { agent_id: agent } = context.query;
		return paged(context, 'calls', {
			where: (call) => agent === undefined || call.agent_uuid === agent,
			show: (call) => shownCall(context.sandbox, call),
			compare: byField('created_at', 'desc'),
		});
	},
	'GET /calls/{}': ({ sandbox, record: call }) => shownCall(sandbox, call),
	'POST /calls/action/{}/say': action,
	'POST /calls/action/{}/forward': action,
	'POST /calls/action/{}/hangup': action,
	'POST /calls/action/{}/mute': action,
	'POST /calls/action/{}/unmute': action,
};
