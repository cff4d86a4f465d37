import { differs } from '../support/steps.mjs';

/** What the caller asks for. @param {string} day @param {string} time */
const asks = (day, time) => differs('Caller Wants an Appointment', { parameters: { day, time } });

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Caller Wants an Appointment': {
			ends: 'Say That It Is Booked',
			sends: {
				'Is It Free?': [{ timeMin: /^2030-03-15T10:00/, timeMax: /^2030-03-15T11:00/ }],
				'Book It': [
					{
						start: /^2030-03-15T10:00/,
						end: /^2030-03-15T11:00/,
						additionalFields: { id: /^9a1c3e57[0-9a-f]{24}\d{13}$/ },
					},
				],
			},
			shows: {
				'Say That It Is Booked': [{ answer: /^You are booked on Friday, 15 March, 10:00/ }],
			},
		},
	},
	live: {
		'the hour is taken': {
			arrange: async () => ({ 'Is It Free?': [{ available: false }] }),
			ends: 'Ask for Another Time',
			shows: { 'Ask for Another Time': [{ answer: /taken/ }] },
		},
		'the calendar does not say whether the hour is free': {
			arrange: async () => ({ 'Is It Free?': [{}] }),
			ends: 'Ask for Another Time',
		},
		'the caller waits no longer': {
			arrange: differs('Caller Wants an Appointment', { answerBy: '2026-03-14T12:09:37.105Z' }),
			ends: 'Ask for Another Time',
		},
		'the caller asks for a Sunday': { arrange: asks('2030-03-17', '10:00'), ends: 'Say the Hours' },
		'the caller asks for a day that is over': {
			arrange: asks('2020-03-16', '10:00'),
			ends: 'Say the Hours',
		},
		'the time cannot be read': {
			arrange: asks('2030-03-15', 'in the morning'),
			ends: 'Say the Hours',
		},
	},
};
