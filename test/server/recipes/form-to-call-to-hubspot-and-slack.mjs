import { blacklisted, platformIs } from '../support/steps.mjs';

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		Form: {
			ends: 'Tell the Team',
			sends: {
				'Save the Contact': [
					{
						email: 'aylin@example.com',
						additionalFields: {
							firstName: 'Aylin',
							lastName: 'Yilmaz',
							phoneNumber: '+12125550101',
						},
					},
				],
				'Log the Call': [
					{
						metadata: { status: 'COMPLETED', durationMilliseconds: 143_000 },
						additionalFields: { associations: { contactIds: 51 } },
					},
				],
				'Tell the Team': [{ text: /^Aylin Yilmaz .* asked about a garden consultation/ }],
			},
		},
	},
	settings: { call: { outcomeByNumber: { '0101': 'interested', '0103': 'no_answer' } } },
	live: {
		'somebody answers': {
			ends: 'Tell the Team',
			created: {
				'/call': [
					{
						participant: {
							number: '+12125550101',
							about: 'Aylin Yilmaz asked about: a garden consultation',
						},
					},
				],
			},
			sends: {
				'Log the Call': [
					{
						metadata: {
							toNumber: '+12125550101',
							status: 'COMPLETED',
							durationMilliseconds: /^[1-9]\d*000$/,
							recordingUrl: /\.wav$/,
							body: /interested/,
						},
					},
				],
				'Tell the Team': [{ text: /\nCall: completed, [1-9]\d* seconds\.\n.*interested/ }],
			},
		},
		'the contact is on the blacklist': {
			arrange: blacklisted('+12125550101'),
			ends: 'Tell the Team',
			goesRound: ['Save the Contact', 'Log the Call'],
			sends: {
				'Tell the Team': [{ text: /^Aylin Yilmaz \(\+12125550101\) .*\nCall: .*blacklist/ }],
			},
		},
		'the call still runs when the wait ends': {
			arrange: platformIs({ call: { lifeMs: 600_000 } }),
			change({ name, parameters }) {
				if (name === 'Call Now') parameters.options.waitTimeout = 1;
			},
			ends: 'Tell the Team',
			created: { '/call': [{ participant: { number: '+12125550101' } }] },
			shows: { 'Call Now': [{ timedOut: true }] },
			// Nobody knows yet whether it was answered.
			sends: { 'Log the Call': [{ metadata: { status: undefined } }] },
		},
		'nobody answers': {
			arrange: async ({ pinned }) => ({ Form: [{ ...pinned('Form')[0], phone: '+12125550103' }] }),
			ends: 'Tell the Team',
			created: { '/call': [{ participant: { number: '+12125550103' } }] },
			sends: {
				'Log the Call': [
					{
						metadata: {
							toNumber: '+12125550103',
							status: 'NO_ANSWER',
							durationMilliseconds: 0,
							recordingUrl: '',
						},
					},
				],
				'Tell the Team': [{ text: /\nCall: no-answer, 0 seconds\./ }],
			},
		},
	},
};
