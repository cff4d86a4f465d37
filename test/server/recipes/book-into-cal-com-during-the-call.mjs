import { startCalCom } from '../support/calCom.mjs';
import { differs } from '../support/steps.mjs';

const trigger = 'Caller Wants an Appointment';

/** URL of its stand-in. */
let calCom = '';
const start = async () => {
	calCom = await startCalCom();
	return { 'Read What Is Free': undefined, 'Book It': undefined };
};
/** The event type that a reader enters; the requests reach the stand-in. */
const change = ({ name, type, parameters }) => {
	if (name === 'When?') parameters.assignments.assignments[1].value = 123;
	if (!type.endsWith('.httpRequest')) return;
	parameters.url = parameters.url.replace('https://api.cal.com', calCom);
	parameters.authentication = 'none';
};
const email = 'chloe@example.com';
/** What the caller asks for. @param {string} day @param {string} time */
const asks = (day, time) => differs(trigger, { parameters: { day, time, email } });

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		[trigger]: {
			ends: 'Say That It Is Booked',
			shows: {
				'Say That It Is Booked': [{ answer: /^You are booked on Friday, 15 March, 10:00\./ }],
			},
			sends: {
				'Read What Is Free': [{ method: 'GET', url: 'https://api.cal.com/v2/slots' }],
				'Book It': [{ method: 'POST', url: 'https://api.cal.com/v2/bookings' }],
			},
		},
	},
	live: {
		'the time is free, and the same is asked for again': {
			arrange: start,
			change,
			ends: 'Say That It Is Booked',
			shows: {
				'Book It': [
					{
						data: {
							eventTypeId: 123,
							attendees: [{ name: 'Caller', email, phoneNumber: '+12125550103' }],
						},
					},
				],
			},
			again: {
				ends: 'Say What Is Free',
				shows: {
					'Say What Is Free': [
						{ answer: /^That time is taken\. Free: Friday, 00:00; Friday, 01:/ },
					],
				},
			},
		},
		'somebody has to confirm it': {
			arrange: async () => ({ 'Book It': [{ status: 'success', data: { status: 'pending' } }] }),
			ends: 'Say That It Is Booked',
			shows: { 'Say That It Is Booked': [{ answer: /^I have noted Friday.*confirmed\.$/ }] },
		},
		'the day is full': {
			arrange: async () => ({ 'Read What Is Free': [{ status: 'success', data: {} }] }),
			ends: 'Say What Is Free',
			shows: { 'Say What Is Free': [{ answer: /Which other day/ }] },
		},
		'the caller waits no longer': {
			arrange: differs(trigger, { answerBy: '2026-03-14T12:09:37.105Z' }),
			ends: 'Say What Is Free',
		},
		'the time is over': { arrange: asks('2020-03-16', '10:00'), ends: 'Ask for the Time' },
		'the time cannot be read': {
			arrange: asks('2030-03-15', 'in the morning'),
			ends: 'Ask for the Time',
		},
	},
};
