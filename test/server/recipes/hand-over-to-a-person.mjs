/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Wants a Person': {
			ends: 'Say Who Calls Back',
			sends: {
				'Tell the Team': [
					{
						text: /^\*Please call back:\* \+12125550103\nReason: The invoice was paid twice\nAI: How can I help you\?\nContact: I paid the invoice twice\.\nConversation: 9a1c3e57/,
					},
				],
			},
			shows: { 'Say Who Calls Back': [{ answer: /calls you back/ }] },
		},
	},
	live: {
		'a caller asks for a person': {
			async arrange({ call, pinned }) {
				const [asked] = pinned('Wants a Person');
				return { 'Wants a Person': [{ ...asked, conversation: await call('+12125550103') }] };
			},
			ends: 'Say Who Calls Back',
			shows: { 'Read What Was Said': [{}, {}, {}] },
			sends: { 'Tell the Team': [{ text: /\nContact: Yes, go ahead\.\n/ }] },
		},
		'what was said cannot be read': {
			ends: 'Say Who Calls Back',
			sends: { 'Tell the Team': [{ text: /^\*Please call back:\* \+12125550103\n/ }] },
		},
	},
};
