const daysAgo = (days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Weekdays at 11:00': {
			ends: ['Call', 'Send an SMS'],
			sends: {
				Call: [{ phoneNumber: '+12125550102' }],
				'Send an SMS': [{ phoneNumber: '+12125550101' }],
			},
		},
	},
	live: {
		'one is due since the day before yesterday, one for six days': {
			tables: true,
			arrange: async ({ pinned }) => {
				const due = [daysAgo(2), daysAgo(6), daysAgo(6), 'soon'];
				return {
					'Read the Invoices': pinned('Read the Invoices').map((row, at) => ({
						...row,
						due: due[at],
					})),
				};
			},
			ends: ['Call', 'Send an SMS'],
			created: {
				'/call': [
					{ participant: { number: '+12125550102', about: /^Ben: invoice 1002 over 120\.00 EUR/ } },
				],
				'/sms/send': [{ phoneNumber: '+12125550101', message: /invoice 1001 over 120\.00 EUR/ }],
			},
		},
	},
};
