/**
 * What the model's tools do is shown with a scripted model: see examples.test.mjs.
 * @type {import('../recipes.test.mjs').Recipe}
 */
export default {
	click: {
		'Caller Has a Question': {
			runs: ['Caller Has a Question', 'Assistant'],
			shows: { Assistant: [{ output: /^Your order 4711 is on its way/ }] },
		},
	},
	live: {},
};
