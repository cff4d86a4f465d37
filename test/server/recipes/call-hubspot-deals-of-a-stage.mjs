import { blacklisted } from '../support/steps.mjs';

const number = '+12125550101';

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Every 15 Minutes': {
			ends: 'Log the Call',
			sends: {
				'Deal with Its Contact': [{ dealId: { value: '9001' } }],
				'Contact of the Deal': [{ contactId: { value: 51 } }],
				'Log the Call': [
					{
						metadata: { status: 'COMPLETED', durationMilliseconds: 143_000 },
						additionalFields: { associations: { contactIds: 51, dealIds: 9001 } },
					},
				],
				'Move the Deal': [{ dealId: { value: 9001 } }],
			},
		},
	},
	settings: { call: { outcomeByNumber: { '0101': 'interested' } } },
	live: {
		'a deal is in the stage': {
			ends: 'Log the Call',
			created: { '/call': [{ participant: { number, about: 'Ada, deal: Garden of Ada.' } }] },
			sends: {
				'Log the Call': [
					{ metadata: { toNumber: number, status: 'COMPLETED', recordingUrl: /\.wav$/ } },
				],
			},
		},
		'its contact is on the blacklist': {
			arrange: blacklisted(number),
			ends: 'Call and Wait',
			shows: { 'Call and Wait': [{ phone_number: number, reason: 'blacklisted' }] },
		},
	},
};
