/**
 * When a call is over, read from its conversation; complete lists of the states are not shown
 * (reference: conversations).
 */
import { reachOf, stateOfCall } from '../../nodes/shared/callState';

test.each([
	[{ status: 'Closed', call: null }, 'done'],
	[{ status: 'Active', call: { status: 'completed' } }, 'done'],
	[{ status: 'ACTIVE', call: { status: 'No_Answer' } }, 'done'],
	[{ status: 'Active', call: { summary: 'They agreed.' } }, 'done'],
	[{ status: 'Active', call: { status: 'in-progress', summary: null } }, 'waiting'],
	// interface: §8 rule 4
	[{ status: 'Active', call: { status: 'queued' } }, 'waiting'],
	[{ status: 'Active', call: { duration: 3, summary: '' } }, 'waiting'],
	[{ status: 'Active', call: null }, 'waiting'],
	[{ status: 'Active', call: { status: 'on-hold' } }, 'unknown'],
	[{ status: 'Hovering', call: { status: 'in-progress' } }, 'unknown'],
	[{}, 'unknown'],
])('the call of %j is %s', (conversation, state) => {
	expect(stateOfCall(conversation)).toBe(state);
});

describe('whom a conversation reached', () => {
	test.each([
		[{ channel: 'Call', status: 'Closed', call: { status: 'completed', duration: 61 } }, 'reached'],
		[{ channel: 'Call', status: 'Closed', call: { duration: 61 } }, 'reached'],
		[{ channel: 'Call', status: 'Closed', call: { status: 'completed' } }, 'reached'],
		[{ channel: 'Call', call: { status: 'no_answer', duration: 25 } }, 'notReached'],
		[{ channel: 'Call', call: { status: 'Busy' } }, 'notReached'],
		[{ channel: 'Call', status: 'Closed', call: { status: 'ended', duration: 0 } }, 'notReached'],
		[{ channel: 'Call', status: 'Active', call: { status: 'in-progress' } }, 'inProgress'],
		[{ channel: 'Call', status: 'Active', call: { status: 'pondering' } }, 'unclear'],
		[{ channel: 'Call', status: 'Closed', call: {} }, 'unclear'],
		[{ channel: 'Call', status: 'Closed', call: null }, 'unclear'],
		[{ channel: 'Whatsapp', status: 'Active', call: null }, 'reached'],
	] as const)('%j: %s', (conversation, reach) => {
		expect(reachOf(conversation)).toBe(reach);
	});
});
