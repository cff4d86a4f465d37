/**
 * When a call is over, read from its conversation; complete lists of the states are not shown
 * (reference: conversations).
 */
import { reachOf, stateOfCall } from '../../nodes/engine/platform/callState';

test.each([
	['a closed conversation', { status: 'Closed', call: null }, 'done'],
	[
		'a call that is completed in a conversation that stays open',
		{ status: 'Active', call: { status: 'completed' } },
		'done',
	],
	['another spelling', { status: 'ACTIVE', call: { status: 'No_Answer' } }, 'done'],
	[
		'a call with a summary, where the call carries no state',
		{ status: 'Active', call: { summary: 'They agreed.' } },
		'done',
	],
	[
		'a call in progress',
		{ status: 'Active', call: { status: 'in-progress', summary: null } },
		'waiting',
	],
	// interface: §8 rule 4
	[
		'a call that waits in the sending queue',
		{ status: 'Active', call: { status: 'queued' } },
		'waiting',
	],
	[
		'a call without a state and without a summary',
		{ status: 'Active', call: { duration: 3, summary: '' } },
		'waiting',
	],
	['a conversation whose call is not there yet', { status: 'Active', call: null }, 'waiting'],
	[
		'a state of the call that nobody knows',
		{ status: 'Active', call: { status: 'on-hold' } },
		'unknown',
	],
	[
		'a state of the conversation that nobody knows',
		{ status: 'Hovering', call: { status: 'in-progress' } },
		'unknown',
	],
	['no state at all', {}, 'unknown'],
])('%s: %j is %s', (_, conversation, state) => {
	expect(stateOfCall(conversation)).toBe(state);
});

describe('whom a conversation reached', () => {
	test.each([
		[{ channel: 'Call', status: 'Closed', call: { status: 'completed', duration: 61 } }, 'reached'],
		[{ channel: 'Call', status: 'Closed', call: { duration: 61 } }, 'reached'],
		[{ channel: 'Call', status: 'Closed', call: { status: 'completed' } }, 'reached'],
		[{ channel: 'Call', call: { status: 'no_answer', duration: 25 } }, 'notReached'],
		[{ channel: 'Call', call: { status: 'Busy' } }, 'notReached'],
		[
			{ channel: 'Call', status: 'Closed', call: { status: 'completed', duration: 0 } },
			'notReached',
		],
		[{ channel: 'Call', status: 'Active', call: { status: 'in-progress' } }, 'inProgress'],
		[{ channel: 'Call', status: 'Active', call: { status: 'pondering' } }, 'unclear'],
		[{ channel: 'Call', status: 'Closed', call: {} }, 'unclear'],
		[{ channel: 'Call', status: 'Closed', call: null }, 'unclear'],
		[{ channel: 'Whatsapp', status: 'Active', call: null }, 'reached'],
	] as const)('%j: %s', (conversation, reach) => {
		expect(reachOf(conversation)).toBe(reach);
	});
});
