import { startCalCom } from '../support/calCom.mjs';

const trigger = 'Caller Wants an Appointment';
const asked = [{ start: /^2030-03-15T10:00/ }];

/** Its stand-in. @type {Awaited<ReturnType<typeof startCalCom>>} */
let calCom;
const start = async () => {
	calCom = await startCalCom();
	return { 'Read What Is Free': undefined, 'Book It': undefined };
};
/** The event type that a reader enters; the requests reach the stand-in. */
const change = ({ name, type, parameters }) => {
	if (name === 'When?') parameters.assignments.assignments[1].value = 123;
	if (!type.endsWith('.httpRequest')) return;
	parameters.url = parameters.url.replace('https://api.cal.com', calCom.url);
	parameters.authentication = 'none';
};
/** The request differs. @param {object} parameters @param {object} [more] */
const asks =
	(parameters, more) =>
	async ({ pinned }) => {
		const [request] = pinned(trigger);
		return { [trigger]: [{ ...request, parameters, ...more }] };
	};
const wanted = { day: '2030-03-15', time: '10:00', email: 'chloe@example.com' };

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		[trigger]: {
			ends: 'Say That It Is Booked',
			shows: {
				'When?': asked,
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
							attendees: [
								{ name: 'Caller', email: wanted.email, phoneNumber: '+12125550103', timeZone: /./ },
							],
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
			arrange: asks(wanted, { answerBy: new Date(Date.now() - 1000).toISOString() }),
			ends: 'Say What Is Free',
		},
		'the time is over': {
			arrange: asks({ ...wanted, day: '2020-03-16' }),
			ends: 'Ask for the Time',
		},
		'the time cannot be read': {
			arrange: asks({ ...wanted, time: 'in the morning' }),
			ends: 'Ask for the Time',
		},
	},
};
