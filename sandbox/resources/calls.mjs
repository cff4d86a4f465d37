import { changed, created, listing, read } from '../answers.mjs';
import { notFound } from '../errors.mjs';
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
	'GET /calls': ({ sandbox, query, operation }) => {
		const { page = 1, per_page: perPage = 15, agent_id: agent, direction, status } = query;
		const where = (call) =>
			(agent === undefined || call.agent_uuid === agent) &&
			(direction === undefined || call.direction === direction) &&
			(status === undefined || call.status === status);
		const repeat = sandbox.settings.pageRepeat;
		const { rows, total } = sandbox.store
			.collection('calls')
			.page({ page: repeat ? 1 : page, perPage, where, compare: byField('created_at', 'desc') });
		const shown = rows.map((call) => shownCall(sandbox, call));
		return read(
			listing(operation.paging, shown, { page, perPage, total, repeat }),
			'Calls retrieved.',
		);
	},
	'GET /calls/{}': ({ sandbox, params: [uuid] }) => {
		const call = sandbox.store.collection('calls').get(uuid);
		if (call === undefined) throw notFound('Call');
		return read(shownCall(sandbox, call), 'Call retrieved.');
	},
	'POST /calls/action/{}/say': action('say'),
	'POST /calls/action/{}/forward': action('forward'),
	'POST /calls/action/{}/hangup': action('hangup'),
	'POST /calls/action/{}/mute': action('mute'),
	'POST /calls/action/{}/unmute': action('unmute'),
};
