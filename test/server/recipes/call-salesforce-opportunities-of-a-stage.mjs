import { blacklisted } from '../support/steps.mjs';

const number = '+12125550101';
const ids = { whatId: '006Dn000001Ab3dQA9', whoId: '003Dn000002Xy7zQA4' };

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Every 15 Minutes': {
			ends: 'Log the Call',
			sends: {
				'Opportunities to Call': [{ query: /^SELECT .* FROM OpportunityContactRole WHERE / }],
				'Move It On': [{ opportunityId: ids.whatId }],
				'Log the Call': [
					{
						status: 'Completed',
						additionalFields: {
							...ids,
							subject: 'Call: completed',
							description: /^Ada would like .*\n143 seconds\nhttps:.*\.wav$/,
						},
					},
				],
			},
		},
	},
	settings: { call: { outcomeByNumber: { '0101': 'no_answer' } } },
	live: {
		'nobody answers': {
			ends: 'Log the Call',
			created: {
				'/call': [{ participant: { number, about: 'Ada, opportunity: Garden of Ada.' } }],
			},
			sends: {
				'Log the Call': [
					{ additionalFields: { ...ids, subject: 'Call: no-answer', description: /\n0 seconds$/ } },
				],
			},
		},
		'the contact is on the blacklist': {
			arrange: blacklisted(number),
			ends: 'Call and Wait',
			shows: { 'Call and Wait': [{ phone_number: number, reason: 'blacklisted' }] },
		},
	},
};
