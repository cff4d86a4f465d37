import { changed, created, matching, paged, read } from '../answers.mjs';
import { byField } from '../shape.mjs';
import { agentOf } from './agents.mjs';
import { contactByNumber } from './contacts.mjs';

/** A live action answers only that it was dispatched (reference: call actions). */
const action =
	(name) =>
	({ sandbox, params: [uuid], body }) => {
		sandbox.calls.act(uuid, name, body);
		return changed({}, uuid, 'Action dispatched.');
	};

/** A call as the catalogue shows it; what communication and analysis hold is the sandbox's own invention. */
function shownCall(sandbox, call) {
	const agent = sandbox.store.collection('agents').get(call.agent_uuid);
	const conversation = sandbox.store.collection('conversations').get(call.conversation_uuid);
	return {
		uuid: call.uuid,
		direction: call.direction,
		status: call.status,
		duration: call.duration,
		handled_by: 'AI',
		communication: 'voice',
		analysis: conversation?.call?.summary ?? '',
		agent: { uuid: call.agent_uuid, name: agent?.name ?? '' },
		timestamp: call.created_at,
		created_at: call.created_at,
		updated_at: call.updated_at,
	};
}

export const calls = {
	'POST /call': ({ sandbox, body }) => {
		const agent = agentOf(sandbox, body.agentId);
		const contact = contactByNumber(sandbox, body.participant.number);
		const { call, conversation } = sandbox.calls.start({
			agent,
			contact,
			about: body.participant.about,
			opening: body.message?.start,
		});
		return created(
			{
				id: call.uuid,
				agentId: agent.agent_uuid,
				status: call.status === 'queued' ? 'queued' : 'initiated',
				conversation_uuid: conversation.uuid,
				contact_uuid: contact.uuid,
				listen_url: `${sandbox.filesUrl}/listen/${call.uuid}`,
				record_url: `${sandbox.filesUrl}/recordings/${call.uuid}.wav`,
			},
			call.uuid,
			'Call started.',
		);
	},
	'GET /calls': (context) => {
		const { sandbox, query } = context;
		const filters = { agent_uuid: query.agent_id, ...query };
		const where = matching(filters, ['agent_uuid', 'direction', 'status']);
		const show = (call) => shownCall(sandbox, call);
		const newest = byField('created_at', 'desc');
		return read(paged(context, 'calls', { where, show, compare: newest }), 'Calls retrieved.');
	},
	'GET /calls/{}': ({ sandbox, params: [uuid] }) => {
		const call = sandbox.store.need('calls', uuid, 'Call');
		return read(shownCall(sandbox, call), 'Call retrieved.');
	},
	'POST /calls/action/{}/say': action('say'),
	'POST /calls/action/{}/forward': action('forward'),
	'POST /calls/action/{}/hangup': action('hangup'),
	'POST /calls/action/{}/mute': action('mute'),
	'POST /calls/action/{}/unmute': action('unmute'),
};
