import { changed, created, read } from '../answers.mjs';
import { agentOf } from './agents.mjs';
import { contactByNumber } from './contacts.mjs';

/** A live action answers only that it was dispatched (reference: call actions). */
const action =
	(name) =>
	({ sandbox, params: [uuid], body }) => {
		sandbox.calls.act(uuid, name, body);
		return changed({}, uuid, 'Action dispatched.');
	};

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
	'GET /calls': ({ sandbox }) =>
		read(
			[...sandbox.store.collection('calls').values()].map(
				({ fate, actions, muted, ...call }) => call,
			),
			'Calls retrieved.',
		),
	'POST /calls/action/{}/say': action('say'),
	'POST /calls/action/{}/forward': action('forward'),
	'POST /calls/action/{}/hangup': action('hangup'),
	'POST /calls/action/{}/mute': action('mute'),
	'POST /calls/action/{}/unmute': action('unmute'),
};
