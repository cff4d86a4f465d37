/**
 * What the model's tools do is shown with a scripted model: see examples.test.mjs.
 * @type {import('../recipes.test.mjs').Recipe}
 */
export default {
	click: { Chat: { ends: 'Assistant', shows: { Assistant: [{ output: /asked for an email/ }] } } },
	live: {},
};
