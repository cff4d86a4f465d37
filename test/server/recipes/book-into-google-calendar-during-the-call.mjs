const asked = ['Caller Wants an Appointment', 'When?', 'Within Hours?'];
const looked = [...asked, 'Is It Free?', 'Free?'];
const booked = [...looked, 'Book It', 'Say That It Is Booked'];

/** The caller asks for another time. @param {object} parameters */
const asks =
	(parameters) =>
	async ({ pinned }) => {
		const [request] = pinned('Caller Wants an Appointment');
		return { 'Caller Wants an Appointment': [{ ...request, parameters }] };
	};
const tables = true;

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
			tables,
			arrange: async () => ({ 'Is It Free?': [{ available: false }] }),
			ends: 'Ask for Another Time',
			shows: { 'Ask for Another Time': [{ answer: /taken/ }] },
		},
		'the calendar does not say whether the hour is free': {
			tables,
			arrange: async () => ({ 'Is It Free?': [{}] }),
			ends: 'Ask for Another Time',
		},
		'the caller waits no longer': {
			tables,
			async arrange({ pinned }) {
				const [request] = pinned('Caller Wants an Appointment');
				const answerBy = new Date(Date.now() - 1000).toISOString();
				return {
					'Caller Wants an Appointment': [{ ...request, answerBy }],
					'Is It Free?': [{ available: true }],
				};
			},
			ends: 'Ask for Another Time',
		},
		'the caller asks for a Sunday': {
			tables,
			arrange: asks({ day: '2030-03-17', time: '10:00' }),
			ends: 'Say the Hours',
		},
		'the caller asks for a day that is over': {
			tables,
			arrange: asks({ day: '2020-03-16', time: '10:00' }),
			ends: 'Say the Hours',
		},
		'the time cannot be read': {
			tables,
			arrange: asks({ day: '2030-03-15', time: 'in the morning' }),
			ends: 'Say the Hours',
		},
	},
};
