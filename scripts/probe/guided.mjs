/**
 * The first hour with a real workspace: a few questions that only a workspace can answer. Each step says what it does
 * and asks first; the answer is no unless somebody types y. What it makes is named and removed at the end, or it says
 * what stays. It asks no endpoint that reaches anybody but its user.
 */
import { randomUUID } from 'node:crypto';
import lodash from 'lodash';
import { rowsIn } from './workspace.mjs';

/**
 * @typedef {object} Terminal
 * @property {(text: string) => void} say
 * @property {(question: string) => Promise<boolean>} agrees y/N
 * @property {(question: string) => Promise<string>} answer a line; empty if there is nothing to say
 */

/**
 * @typedef {object} About what a finding says of the contract
 * @property {string} endpoint
 * @property {string} [field] of the request's body; without one, the endpoint itself
 * @property {'confirmed' | 'wrong' | 'unsaid'} verdict
 */

/**
 * @typedef {{question: string, finding: string, about?: About[], then?: string}} Finding no value of the workspace in
 * it; `then`: what its owner may do now
 */

/** Whether a request was taken: also if its response says nothing that can be read. */
const accepted = ({ status, body }) => status < 300 && body?.success !== false;
const refusal = ({ status, code, problem }) =>
	problem ?? `status ${status}${code ? ` (${code})` : ''}`;
const recordIn = ({ body }) => body?.data?.contact ?? body?.data ?? {};

/** What an answer says of a guessed endpoint: 404 and 405 that it is not there, another refusal little. */
const verdictOf = (answer) => {
	if (accepted(answer)) return 'confirmed';
	const missing = answer.status === 404 && answer.code !== 'RESOURCE_NOT_FOUND';
	return missing || answer.status === 405 ? 'wrong' : 'unsaid';
};

/** A number for fiction, which nobody has. */
const fictional = () => `+1212555${String(100 + Math.floor(Math.random() * 100)).padStart(4, '0')}`;

const sameNumber = (one, other) =>
	String(one ?? '').replace(/\D/g, '') === other.replace(/\D/g, '');

class Hour {
	/** @type {Finding[]} */
	findings = [];
	/** What was made and is still there, newest last. */
	made = [];
	/** What stays, for people. */
	stays = [];

	/** @param {{workspace: any, names: any, terminal: Terminal}} parts */
	constructor({ workspace, names, terminal }) {
		Object.assign(this, { workspace, names, terminal });
		this.mark = randomUUID().slice(0, 8);
	}

	find(question, finding, about, then) {
		this.findings.push({
			question,
			finding,
			...(about ? { about } : {}),
			...(then ? { then } : {}),
		});
		this.terminal.say(`  ${question} ${finding}.${then ? ` ${then}` : ''}`);
	}

	/** @param {() => Promise<string | undefined>} remove says what stays, if it could not be removed */
	keep(what, remove) {
		this.made.push({ what, remove });
		this.terminal.say(`  Made: ${what}.`);
	}

	async send(method, path, body) {
		const text = body === undefined ? undefined : JSON.stringify(body);
		try {
			return await this.workspace.ask(method, path, {}, text);
		} catch (error) {
			if (method === 'POST')
				this.stays.push(`perhaps what POST ${path} was to make: its response was lost`);
			throw error;
		}
	}

	/** Deletes a record, and looks whether it is gone. @returns {Promise<string | undefined>} what stays */
	async remove(what, path) {
		const removed = await this.send('DELETE', path);
		if (!accepted(removed)) return `${what} (${refusal(removed)})`;
		const { status, body } = await this.send('GET', path);
		return status === 200 && body?.success !== false ? `${what} (it is still there)` : undefined;
	}

	/** The agent that the steps use, chosen once. */
	async agent() {
		if (this.chosenAgent) return this.chosenAgent;
		const agents = (await this.workspace.rowsOf('/agents')).filter((one) => one?.agent_uuid);
		if (agents.length === 0) return undefined;
		agents.forEach(({ name }, at) => this.terminal.say(`  ${at + 1}. ${name}`));
		const number = Number(await this.terminal.answer('Number of the agent to use (empty: none)'));
		this.chosenAgent = agents[number - 1]?.agent_uuid;
		return this.chosenAgent;
	}

	/** Where the platform is to deliver to, chosen once: a bin of the user's. */
	async bin() {
		if (this.chosenBin !== undefined) return this.chosenBin;
		const url = await this.terminal.answer('URL of a request bin of your own (https, empty: none)');
		this.chosenBin = /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? url : '';
		return this.chosenBin;
	}

	/** Removes what was made, newest first. */
	async tidy() {
		for (const { what, remove } of this.made.splice(0).reverse()) {
			const stays = await remove().catch((error) => `${what} (${error.message})`);
			if (stays) this.stays.push(stays);
			this.terminal.say(stays ? `  Stays: ${stays}.` : `  Removed: ${what}.`);
		}
	}
}

async function zoneAndLimits(hour) {
	const { headers, status } = await hour.workspace.ask('GET', '/agents', { per_page: '1' });
	if (status !== 200) return;
	const zone = headers.get('x-timezone');
	if (zone) hour.terminal.say(`  Your zone, which the report does not name: ${zone}`);
	const [limit, remaining] = ['limit', 'remaining'].map((name) =>
		headers.get(`x-ratelimit-${name}`),
	);
	hour.find('Do responses name the time zone that was applied?', zone ? 'yes' : 'no');
	hour.find('Which rate limit do responses name?', limit ?? 'none');
	hour.find('Do responses say how many requests are left?', remaining === null ? 'no' : 'yes');
}

async function contact(hour) {
	const number = fictional();
	const first = {
		name: 'Probe',
		surname: hour.mark,
		email: `probe-${hour.mark}@example.com`,
		phone_number: number,
	};
	// A platform may change the contact that has the number instead of creating one: somebody's, if there is one.
	const { rows } = await contactsOf(hour, { search: number });
	if (rows.some((row) => sameNumber(row?.phone_number, number))) {
		hour.terminal.say(
			'  A contact with this number exists. Nothing is created; run the command again.',
		);
		return;
	}
	const what = `the contact "Probe ${hour.mark}"`;
	const answer = await hour.send('POST', '/contacts', first);
	if (!accepted(answer)) {
		hour.find('Can a contact be created?', `no: ${refusal(answer)}`);
		return;
	}
	const named = ({ surname, email }) => surname === first.surname || email === first.email;
	const uuid =
		recordIn(answer).uuid ?? (await contactsOf(hour, { search: number })).rows.find(named)?.uuid;
	if (!uuid) {
		hour.find('Can a contact be created?', 'unknown: the response shows no ID');
		hour.stays.push(what);
		return;
	}
	const path = `/contacts/${encodeURIComponent(uuid)}`;
	hour.keep(what, () => hour.remove(what, path));
	hour.contact = { uuid, path, number };

	const question = 'Does an update leave alone what it does not name?';
	const changed = await hour.send('PUT', path, { surname: `${hour.mark}-2` });
	const after = recordIn(await hour.send('GET', path));
	if (!accepted(changed) || after.surname !== `${hour.mark}-2`)
		hour.find(question, `unknown: ${refusal(changed)}`);
	else
		hour.find(
			question,
			after.name === first.name && after.email === first.email
				? 'yes, it merges'
				: 'no, it replaces: the other fields are gone',
		);
	const emptied = await hour.send('PUT', path, { email: '' });
	const { email } = recordIn(await hour.send('GET', path));
	hour.find(
		'Does an empty text clear a field?',
		accepted(emptied) ? (email ? 'no, the value stays' : 'yes') : `refused: ${refusal(emptied)}`,
	);
}

/** The first pages of a list; whether there are more. */
async function contactsOf(hour, query) {
	const rows = [];
	for (let page = 1; page <= 5; page++) {
		const { body, status } = await hour.workspace.ask('GET', '/contacts', {
			...query,
			per_page: '100',
			page: String(page),
		});
		const found = status === 200 ? rowsIn(body)?.rows : undefined;
		if (!found) return { rows, complete: false };
		rows.push(...found);
		if (found.length < 100) return { rows, complete: true };
	}
	return { rows, complete: false };
}

async function blacklist(hour) {
	const { uuid, path, number } = hour.contact;
	const mine = ({ rows }) =>
		rows.find((row) => row?.uuid === uuid || sameNumber(row?.phone_number, number));
	const before = mine(await contactsOf(hour, { search: number }));
	hour.find('Does the search find a contact by its number?', before ? 'yes' : 'no');
	const answer = await hour.send('POST', `${path}/blacklist`, {
		reason: 'Test of an integration',
		type: 'Both',
		is_permanent: true,
	});
	if (!accepted(answer)) {
		hour.find('Can a contact be blacklisted?', `unknown: ${refusal(answer)}`);
		return;
	}
	const list = await contactsOf(hour, {});
	const listed = mine(list);
	const found = mine(await contactsOf(hour, { search: number }));
	const alone = recordIn(await hour.send('GET', path));
	const unsure = list.complete ? 'no' : 'not among the first 500';
	hour.find('Does the list of contacts show a blacklisted one?', listed ? 'yes' : unsure);
	hour.find('Does the search find a blacklisted one?', found ? 'yes' : 'no');
	const told = (row) =>
		Object.keys({ ...before, ...row })
			.filter((name) => name !== 'updated_at' && !lodash.isEqual(before?.[name], row?.[name]))
			.map((name) => hour.names.shown(name))
			.join(', ') || 'none';
	if (before && (listed ?? found))
		hour.find('Which fields of a row show it?', told(listed ?? found));
	hour.find(
		'Does the contact, read by its ID, show it?',
		alone.status === 'Blacklisted' || alone.blacklist ? 'yes' : 'no',
	);
}

/**
 * Sends the same request twice with one key, and says how many records there are.
 * @param {{what: string, area: string, endpoint: string, request: object, stays: string, remove?: string}} record
 *   `area`: its name in the credential; `remove`: where one is deleted by its ID
 */
async function sameKeyTwice(hour, { what, area, endpoint, request, stays, remove }) {
	const question = `Does a ${what} with the same request key exist once or twice?`;
	const about = (verdict) => [{ endpoint, field: 'request_key', verdict }];
	const path = endpoint.split(' ')[1];
	const body = { ...request, request_key: randomUUID() };
	const uuids = [];
	for (let time = 1; time <= 2; time++) {
		const answer = await hour.send('POST', path, body);
		const { uuid } = recordIn(answer);
		if (!accepted(answer)) {
			const keyed = answer.status === 422 && answer.body?.error?.field === 'request_key';
			hour.find(
				question,
				`${keyed ? 'the key is refused' : 'unknown'}: ${refusal(answer)}`,
				about(keyed ? 'wrong' : 'unsaid'),
			);
			return;
		}
		if (!uuid) {
			hour.find(question, 'unknown: the response shows no ID');
			hour.stays.push(`${stays}, which may exist twice`);
			return;
		}
		if (uuids.includes(uuid)) continue;
		uuids.push(uuid);
		if (remove) hour.keep(stays, () => hour.remove(stays, `${remove}/${encodeURIComponent(uuid)}`));
		else hour.stays.push(`${stays}: delete it on the platform`);
	}
	const once = uuids.length === 1;
	hour.find(
		question,
		once ? 'once' : 'twice',
		about(once ? 'confirmed' : 'wrong'),
		once
			? `You may choose "${area}" under "Request Keys Confirmed" in the credential`
			: `Leave "${area}" out of "Request Keys Confirmed" in the credential`,
	);
}

async function taskKeys(hour) {
	const agent = await hour.agent();
	if (!agent) return;
	const title = `Probe ${hour.mark}`;
	await sameKeyTwice(hour, {
		what: 'task',
		area: 'Tasks',
		endpoint: 'POST /tasks',
		request: {
			title,
			type: 'make_call',
			agent_uuid: agent,
			contact_uuid: hour.contact.uuid,
			scheduled_at: new Date(Date.now() + 365 * 86_400_000)
				.toISOString()
				.replace(/\.\d+Z$/, '+00:00'),
			auto_queue: false,
		},
		stays: `the task "${title}"`,
		remove: '/tasks',
	});
}

async function listingKeys(hour) {
	const agent = await hour.agent();
	if (!agent) return;
	const name = `Probe ${hour.mark}`;
	await sameKeyTwice(hour, {
		what: 'listing',
		area: 'Listings',
		endpoint: 'POST /listings',
		request: { name, campaign_type: 'call', agent_uuid: agent, auto_start: false, contacts: [] },
		stays: `the listing "${name}"`,
	});
}

const events = [
	'conversation_status',
	'conversation_end_report',
	'conversation_update',
	'voice_evaluation',
	'text_evaluation',
	'intent_call',
];

async function webhook(hour) {
	const [agent, url] = [await hour.agent(), await hour.bin()];
	if (!agent || !url) return;
	const path = `/agents/${encodeURIComponent(agent)}/webhooks`;
	const answer = await hour.send('POST', path, {
		url,
		events,
		secret_key: randomUUID(),
		is_active: true,
	});
	const { webhook_uuid: uuid } = recordIn(answer);
	if (!accepted(answer)) {
		hour.find('Can a webhook be created?', `no: ${refusal(answer)}`);
		return;
	}
	if (!uuid) {
		hour.find('Can a webhook be created?', 'unknown: the response shows no ID');
		hour.stays.push('the webhook to your bin');
		return;
	}
	hour.listens = true;
	hour.keep('the webhook to your bin', async () => {
		const own = `${path}/${encodeURIComponent(uuid)}`;
		const removed = await hour.send('DELETE', own);
		const left = rowsIn((await hour.send('GET', path)).body)?.rows;
		const gone = left && !left.some((one) => one?.webhook_uuid === uuid);
		const verdict = accepted(removed) && !gone ? 'wrong' : verdictOf(removed);
		hour.find(
			'Can a webhook be deleted?',
			verdict === 'confirmed' ? 'yes' : `no: ${refusal(removed)}`,
			[{ endpoint: 'DELETE /agents/{uuid}/webhooks/{webhookUuid}', verdict }],
		);
		if (gone) return undefined;
		const off = await hour.send('PATCH', own, { url, events, is_active: false });
		return `the webhook to your bin (${accepted(off) ? 'switched off' : refusal(off)})`;
	});
}

const word = 'pineapple';

async function intent(hour) {
	const [agent, url] = [await hour.agent(), await hour.bin()];
	if (!agent || !url) return;
	const answer = await hour.send('POST', `/agents/${encodeURIComponent(agent)}/intents`, {
		name: `Probe ${hour.mark}`,
		description: `The caller says the word "${word}".`,
		intent_llm_handle_by_response: true,
		webhook: { url, auth_token: randomUUID() },
		parameters: [],
	});
	const verdict = verdictOf(answer);
	hour.find('Can an intent be created?', accepted(answer) ? 'yes' : `no: ${refusal(answer)}`, [
		{ endpoint: 'POST /agents/{uuid}/intents', verdict },
	]);
	if (!accepted(answer)) return;
	hour.listens = true;
	hour.stays.push(`the intent "Probe ${hour.mark}": delete it on the platform`);
}

async function call(hour) {
	const agent = await hour.agent();
	const number = agent && (await hour.terminal.answer('Your own phone number, as +12125550100'));
	if (!number) return;
	if (!/^\+[1-9]\d{6,14}$/.test(number)) {
		hour.terminal.say('  That is no number with a country code. Nothing is called.');
		return;
	}
	const body = { agentId: agent, participant: { number }, request_key: randomUUID() };
	const ids = [];
	for (let time = 1; time <= 2; time++) {
		const answer = await hour.send('POST', '/call', body);
		if (!accepted(answer)) {
			hour.find(`Is request ${time} of the same call accepted?`, `no: ${refusal(answer)}`);
			break;
		}
		ids.push(recordIn(answer).conversation_uuid);
	}
	if (ids.length === 2)
		hour.find(
			'Do two requests with the same key name the same conversation?',
			ids.includes(undefined) ? 'unknown: they name none' : ids[0] === ids[1] ? 'yes' : 'no',
		);
	if (ids.length === 0) return;
	hour.stays.push('the call, its conversation, and a contact with your number');
	if (hour.listens) hour.terminal.say(`  Answer, and say "${word}".`);
	const rang = Number(await hour.terminal.answer('How many times did your phone ring? (a number)'));
	if (rang > 0) hour.find('How many calls come of the same key twice?', String(rang));
}

/** What arrived, as its user pastes it from the bin: names and kinds alone. */
async function deliveries(hour) {
	for (;;) {
		const text = await hour.terminal.answer(
			'Paste the body of the first request of each kind, in one line (empty: no more)',
		);
		if (text === '') return;
		try {
			const body = JSON.parse(text);
			hour.names.saw(lodash.omit(body, 'event'));
			const kind = events.includes(body?.event) ? body.event : 'a request without a known event';
			hour.find(`What does ${kind} hold?`, hour.names.shape(body));
		} catch {
			hour.terminal.say('  That is no JSON. Paste the whole body in one line.');
		}
	}
}

const steps = [
	{ asks: 'Read one agent, to see which zone and limits responses name?', run: zoneAndLimits },
	{
		asks: 'Create a test contact with a number that nobody has, and change it? It is deleted at the end.',
		run: contact,
	},
	{
		asks: 'Blacklist the test contact, and look for it in the lists?',
		when: ({ contact: made }) => made,
		run: blacklist,
	},
	{
		asks: 'Create the same task twice with one request key, a year ahead, for the test contact? It is deleted.',
		when: ({ contact: made }) => made,
		run: taskKeys,
	},
	{
		asks: 'Create the same empty listing twice with one request key? It contacts nobody; you delete it yourself.',
		run: listingKeys,
	},
	{
		asks: 'Create a webhook on one of your agents, to your own request bin? It is deleted at the end, or switched off.',
		run: webhook,
	},
	{
		asks: 'Create an intent on that agent, to the same bin? You delete it on the platform: we know no endpoint for it.',
		run: intent,
	},
	{
		asks: 'Call your own phone, and send the same request again? One call; two if the platform ignores request keys.',
		run: call,
	},
	{
		asks: 'Show what arrived in your bin? You paste it here; the report keeps names and kinds.',
		when: ({ listens }) => listens,
		run: deliveries,
	},
];

/**
 * @param {{workspace: import('./workspace.mjs').Workspace, names: any, terminal: Terminal}} parts `names`: names.mjs
 * @returns {Promise<{findings: Finding[], stays: string[]}>} `stays` is for people: it may hold names
 */
export async function guided(parts) {
	const hour = new Hour(parts);
	const { terminal } = parts;
	try {
		for (const [at, { asks, when = () => true, run }] of steps.entries()) {
			if (!when(hour)) continue;
			if (await terminal.agrees(`${at + 1}/${steps.length} ${asks}`)) await run(hour);
		}
	} finally {
		if (hour.made.length) terminal.say('\nTidying up:');
		await hour.tidy();
		for (const one of hour.stays) terminal.say(`Stays in your workspace: ${one}.`);
	}
	return { findings: hour.findings, stays: hour.stays };
}
