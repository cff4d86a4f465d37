/**
 * The sample event of a trigger, of a call that has really been made to its end.
 * @param {Pick<import('../recipes.test.mjs').Live, 'call' | 'pinned'>} live
 * @param {string} number whom the agent calls
 * @param {string} [trigger]
 * @returns {Promise<object & {data: {conversation_uuid: string}}>}
 */
export async function eventOfCall({ call, pinned }, number, trigger = 'Call Ended') {
	const conversation_uuid = await call(number);
	const [event] = pinned(trigger);
	return { ...event, data: { ...event.data, conversation_uuid } };
}
