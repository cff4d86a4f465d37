const number = '+12125550103';
const sheet = [{ columns: { value: { phone_number: number, conversation: /^9a1c3e57/ } } }];

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Wants No More Calls': {
			ends: 'Say That It Is Done',
			sends: { 'Into the Sheet': sheet },
			shows: { 'Say That It Is Done': [{ answer: /not contact you again/ }] },
		},
	},
	live: {
		'a known person says so': {
			async arrange({ sandbox }) {
				await sandbox.api('POST /contacts', { name: 'Chloe', phone_number: number });
				return {};
			},
			ends: 'Say That It Is Done',
			sends: { 'Into the Sheet': sheet },
			shows: { Blacklist: [{ status: 'Blacklisted' }] },
		},
		'somebody without a number says so': {
			async arrange({ pinned }) {
				const [said] = pinned('Wants No More Calls');
				return {
					'Wants No More Calls': [{ ...said, contact: { ...said.contact, phone_number: null } }],
				};
			},
			ends: 'Say Who Sees to It',
			shows: { 'Say Who Sees to It': [{ answer: /cannot see your number/ }] },
		},
	},
};
