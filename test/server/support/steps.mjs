/**
 * Steps that make what a recipe needs on the platform; each gives sample data that takes the place of what is pinned.
 * @typedef {(live: import('../recipes.test.mjs').Live, pins: Record<string, any[]>) => Promise<Record<string, object[]>>} Step
 *   `pins`: sample data of the steps before
 */

/**
 * A call to its end, and the sample event of a trigger that tells of it.
 * @param {string} number whom the agent calls
 * @param {string} [trigger]
 * @returns {Step}
 */
export const called =
	(number, trigger = 'Call Ended') =>
	async ({ call, pinned }) => {
		const conversation_uuid = await call(number);
		const [event] = pinned(trigger);
		return { [trigger]: [{ ...event, data: { ...event.data, conversation_uuid } }] };
	};

/** The sample event of a trigger differs. @param {string} trigger @param {object} changes @returns {Step} */
export const differs =
	(trigger, changes) =>
	async ({ pinned }) => ({ [trigger]: [{ ...pinned(trigger)[0], ...changes }] });

/** The call that ended is another one. @param {{status?: string, call?: object}} change @returns {Step} */
export const conversationIs =
	({ call, ...more }) =>
	async ({ sandbox }, { 'Call Ended': [{ data }] }) => {
		const all = await sandbox.control('GET /state/conversations');
		const known = all.find(({ uuid }) => uuid === data.conversation_uuid);
		const changes = { ...more, ...(call && { call: { ...known.call, ...call } }) };
		await sandbox.control(`PATCH /state/conversations/${known.uuid}`, changes);
		return {};
	};

/** The contact with a number is on the blacklist; made where there is none. @param {string} phone_number @returns {Step} */
export const blacklisted =
	(phone_number) =>
	async ({ sandbox }) => {
		const known = await sandbox.control('GET /state/contacts');
		const { uuid } =
			known.find((one) => one.phone_number === phone_number) ??
			(await sandbox.api('POST /contacts', { name: 'Opted out', phone_number })).body.data;
		const { status } = await sandbox.api(`POST /contacts/${uuid}/blacklist`, {
			reason: 'Asked for it',
			is_permanent: true,
		});
		if (status >= 300) throw new Error(`status ${status}`);
		return {};
	};

/** What the platform does from now on. @param {object} settings of the sandbox @returns {Step} */
export const platformIs =
	(settings) =>
	async ({ sandbox }) => {
		await sandbox.control('PATCH /settings', settings);
		return {};
	};

/** A message on WhatsApp is answered with this status. @param {number} status @returns {Step} */
export const whatsappAnswers =
	(status) =>
	async ({ sandbox }) => {
		const match = { method: 'POST', path: '^/whatsapp/template$' };
		await sandbox.control('POST /faults', [{ match, fault: { kind: 'status', status } }]);
		return {};
	};
