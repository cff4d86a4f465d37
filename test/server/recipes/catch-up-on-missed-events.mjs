import { called } from '../support/steps.mjs';

const event = ['Call Ended', 'Read the Conversation', 'Only Calls', 'From the Event'];

/**
 * That each call comes through once, whichever way, is shown with real events: see examples.test.mjs.
 * @type {import('../recipes.test.mjs').Recipe}
 */
export default {
	click: {
		'Call Ended': {
			ends: 'Keep the Call',
			shows: { 'Only New Calls': [{ number: '+12125550101', learned: 'by event' }] },
		},
		'Every Night': {
			ends: 'Keep the Call',
			shows: { 'Only New Calls': [{ number: '+12125550102', learned: 'from the list' }] },
		},
	},
	live: {
		'the event of a call, and later the list': {
			from: 'Call Ended',
			tables: true,
			arrange: called('+12125550101'),
			ends: 'Keep the Call',
			shows: { 'Keep the Call': [{ number: '+12125550101', learned: 'by event' }] },
			again: { ends: 'Only New Calls' },
		},
	},
};
