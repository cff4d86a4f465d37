const number = '+12125550103';
const steps = [
	'Wants No More Calls',
	'Number Known?',
	'Find the Contact',
	'Blacklist',
	'Into the Sheet',
	'Say That It Is Done',
];
const sheet = [{ columns: { value: { phone_number: number, conversation: /^9a1c3e57/ } } }];

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Wants No More Calls': {
			runs: steps,
			sends: { 'Into the Sheet': sheet },
			shows: { 'Say That It Is Done': [{ answer: /not contact you again/ }] },
		},
	},
	live: {
		'a known person says so': {
			from: 'Wants No More Calls',
			async arrange({ sandbox }) {
				await sandbox.api('POST /contacts', { name: 'Chloe', phone_number: number });
				return {};
			},
			runs: steps,
			sends: { 'Into the Sheet': sheet },
			shows: { Blacklist: [{ status: 'Blacklisted' }] },
		},
		'somebody without a number says so': {
			from: 'Wants No More Calls',
			async arrange({ pinned }) {
				const [said] = pinned('Wants No More Calls');
				return {
					'Wants No More Calls': [{ ...said, contact: { ...said.contact, phone_number: null } }],
				};
			},
			runs: ['Wants No More Calls', 'Number Known?', 'Say Who Sees to It'],
			shows: { 'Say Who Sees to It': [{ answer: /cannot see your number/ }] },
		},
	},
};
