import { differs } from '../support/steps.mjs';

const number = '+12125550103';
const blacklisted = { status: 'Blacklisted', blacklist: { is_permanent: true } };
const everyone = ['Everyone with the Number'];
const sheet = [{ columns: { value: { phone_number: number, conversation: /^9a1c3e57/ } } }];

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Wants No More Calls': {
			ends: 'Say That It Is Done',
			goesRound: everyone,
			sends: { 'Into the Sheet': sheet },
			shows: { 'Say That It Is Done': [{ answer: /not contact you again/ }] },
		},
	},
	live: {
		'two known people share the number': {
			async arrange({ sandbox }) {
				for (const name of ['Chloe', 'Claire'])
					await sandbox.api('POST /contacts', { name, phone_number: number });
				return {};
			},
			ends: 'Say That It Is Done',
			sends: { 'Into the Sheet': sheet },
			shows: { Blacklist: [blacklisted, blacklisted] },
		},
		'nobody is known by the number': {
			ends: 'Say That It Is Done',
			goesRound: everyone,
			sends: { 'Into the Sheet': sheet },
			shows: { Blacklist: [blacklisted] },
			created: { '/contacts': [{ phone_number: number }] },
		},
		'somebody without a number says so': {
			arrange: differs('Wants No More Calls', { contact: {} }),
			ends: 'Say Who Sees to It',
			shows: { 'Say Who Sees to It': [{ answer: /cannot see your number/ }] },
		},
	},
};
