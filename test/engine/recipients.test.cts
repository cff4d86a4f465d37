/** A message or a call to a contact of the workspace, whose number or email address the node reads before it sends. */
import type { INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, failure, fast, hintsOf, keptAndSkipped, ok } from './guarantees/scene.cts';

const platform = usePlatform({ settings: fast, speed: 50 });
const { sandbox, engine } = platform;

const nobody = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';

interface Way {
	node: string;
	path: string;
	by: 'phone_number' | 'email';
	parameters: () => Promise<INodeParameters> | INodeParameters;
	sentTo: (body: any) => string;
}

const toNumber = ({ phoneNumber }: any) => phoneNumber;
const ways: Record<string, Way> = {
	'an SMS': {
		node: 'acpMessages sms.send',
		path: '/sms/send',
		by: 'phone_number',
		parameters: () => ({ message: 'Hello' }),
		sentTo: toNumber,
	},
	'a WhatsApp template': {
		node: 'acpMessages whatsapp.sendTemplate',
		path: '/whatsapp/template',
		by: 'phone_number',
		parameters: async () => {
			const all = await sandbox.state('whatsapp_templates');
			return { template: byId(all.find(({ name }) => name === 'hello').uuid) };
		},
		sentTo: toNumber,
	},
	'an email': {
		node: 'acpMessages email.send',
		path: '/email/messages',
		by: 'email',
		parameters: () => ({ bodyJson: '{"subject": "Hello"}' }),
		sentTo: ({ to }) => to,
	},
	'a call': {
		node: 'acpCalls call.start',
		path: '/call',
		by: 'phone_number',
		parameters: () => ({}),
		sentTo: ({ participant }) => participant.number,
	},
};
const sms = ways['an SMS']!;

const anna = { phone_number: '+14155550101', email: 'anna@example.com', name: 'Anna' };
const ben = { phone_number: '+493090182001', email: 'ben@example.com', name: 'Ben' };
const contactWith = async (shown: object): Promise<string> => {
	const { data } = await sandbox.api.post('/contacts', anna);
	await sandbox.change('contacts', data.data.uuid, shown);
	return data.data.uuid;
};
const toContact = { reachBy: 'contact', contact: byId('={{ $json.contact }}') };

/** Runs a way of sending to the contacts of some items. */
const send = async (
	{ node, parameters }: Way,
	contacts: string[],
	options: INodeParameters = {},
	more: object = {},
) => {
	await sandbox.clearLedger();
	return await engine.runNode(
		node,
		{ agent: byId(await agentOf(sandbox)), ...toContact, ...(await parameters()), options },
		{ items: contacts.map((contact) => ({ contact })), ...more } as never,
	);
};
const reached = async ({ path, sentTo }: Way) =>
	(await sandbox.ledger({ path, method: 'POST' })).map(({ body }) => sentTo(body));
const readsOf = async (uuid: string) =>
	(await sandbox.ledger({ path: `/contacts/${uuid}`, method: 'GET' })).length;

describe.each(Object.entries(ways))('%s to a contact', (_, way) => {
	const what = way.by === 'email' ? 'email address' : 'phone number';

	test('goes to what the contact has; the contact is read once', async () => {
		const [first, second] = [await contactWith(anna), await contactWith(ben)];
		ok(await send(way, [first, second]));
		expect(await reached(way)).toEqual([anna[way.by], ben[way.by]]);
		expect([await readsOf(first), await readsOf(second)]).toEqual([1, 1]);
	});

	test.each<[string, (shown: string) => unknown, RegExp]>([
		['none', () => '', /shows no (phone number|email address)\. Add it to the contact/],
		[
			'a masked one',
			(shown) => `${shown.slice(0, 4)}*****${shown.slice(-5)}`,
			/masked: ".*\*{5}.*"\. Use a token that may see it, or choose '(Phone Number|Email Address)' in 'Reach By'/,
		],
	])('that shows %s is refused, and the others are reached', async (_, shown, why) => {
		const good = await contactWith(ben);
		const bad = await contactWith({ ...anna, [way.by]: shown(anna[way.by]) });
		const stopped = await send(way, [bad, good]);
		expect(failure(stopped)).toMatch(new RegExp(`'Contact' ${bad}`));
		expect(failure(stopped)).toMatch(why);
		expect(failure(stopped)).toContain(what);
		expect(failure(stopped)).toContain('[item 0]');
		expect(await reached(way)).toEqual([]);
		const continued = await send(way, [bad, good], {}, { onError: 'continueRegularOutput' });
		expect(continued.json()[0]).toMatchObject({ error: expect.stringMatching(why) });
		expect(await reached(way)).toEqual([ben[way.by]]);
	});

	test.each<[string, number | object, RegExp]>([
		['is not there', 404, /It may be deleted|Or choose the record again|Choose it again/],
		['may not be read', { status: 403, code: 'FORBIDDEN' }, /has no permission for this/],
		['cannot be read now', 500, /could not process the request \(status 500\)/],
	])('that %s is held back, and says why', async (_, fault, why) => {
		const [good, bad] = [await contactWith(ben), await contactWith(anna)];
		await sandbox.strike(`GET /contacts/${bad}`, fault as never);
		const options = { advanced: { maxRetries: 0 } };
		const more = { onError: 'continueRegularOutput' };
		const result = await send(way, [bad, good, bad], options, more);
		const told = result.json().filter(({ error }) => error);
		expect(told).toHaveLength(2);
		for (const { error } of told) {
			expect(error).toMatch(new RegExp(`'Contact' ${bad} could not be read: `));
			expect(error).toMatch(why);
		}
		expect(await readsOf(bad)).toBe(1);
		expect(await reached(way)).toEqual([ben[way.by]]);
	});

	test('shows in a preview whom it would reach, and sends nothing', async () => {
		const uuid = await contactWith(anna);
		const result = ok(await send(way, [uuid], { preview: true }));
		expect(JSON.stringify(result.json())).toContain(anna[way.by]);
		expect(await readsOf(uuid)).toBe(1);
		expect(await reached(way)).toEqual([]);
	});

	test('is not sent if the contact is blacklisted, or on the list of the user', async () => {
		const [first, second] = [await contactWith(anna), await contactWith(ben)];
		await sandbox.api.post(`/contacts/${first}/blacklist`, { reason: 'said no' });
		const left = ok(
			await send(way, [first, second], { skipBlacklistedContacts: true, skipNumbers: ben[way.by] }),
		);
		expect(await reached(way)).toEqual([]);
		const reasons = keptAndSkipped(left).map(({ reason }: any) => reason);
		expect(reasons.filter(Boolean).sort()).toEqual(['blacklisted', 'skip_numbers']);
	});
});

test('a contact that the platform does not have is refused by its ID', async () => {
	const result = await send(sms, [nobody]);
	expect(failure(result)).toMatch(new RegExp(`'Contact' ${nobody} could not be read: .*hoose`));
	expect(await reached(sms)).toEqual([]);
});

test('the answer for another contact reaches nobody', async () => {
	const [first, second] = [await contactWith(anna), await contactWith(ben)];
	const body = { success: true, data: { uuid: second, ...ben } };
	await sandbox.strike(`GET /contacts/${first}`, { status: 200, body });
	expect(failure(await send(sms, [first]))).toMatch(/could not be read: .*another record/);
	expect(await reached(sms)).toEqual([]);
});

test('an answer that does not say which contact it is reaches nobody', async () => {
	const first = await contactWith(anna);
	const body = { success: true, data: ben };
	await sandbox.strike(`GET /contacts/${first}`, { status: 200, body });
	expect(failure(await send(sms, [first]))).toMatch(/does not show which contact it is/);
	expect(await reached(sms)).toEqual([]);
});

test('a token that may not see the number reaches nobody', async () => {
	const uuid = await contactWith(anna);
	const body = { success: true, data: { uuid, name: 'Anna' } };
	await sandbox.strike(`GET /contacts/${uuid}`, { status: 200, body });
	expect(failure(await send(sms, [uuid]))).toMatch(/shows no phone number/);
	expect(await reached(sms)).toEqual([]);
});

test('items of one contact, and contacts of one number, are the same number twice', async () => {
	const [first, alike] = [await contactWith(anna), await contactWith(anna)];
	for (const contacts of [
		[first, first],
		[first, alike],
	]) {
		expect(failure(await send(sms, contacts))).toMatch(/same|twice/i);
		expect(await reached(sms)).toEqual([]);
	}
	ok(await send(sms, [first, first, alike], { sameNumberTwice: 'first' }));
	expect(await reached(sms)).toEqual([anna.phone_number]);
	expect(await readsOf(first)).toBe(1);
});

test('each person once holds for the number, however it is given', async () => {
	const uuid = await contactWith(anna);
	const once = { reachEachPerson: 'once' };
	ok(await send(sms, [uuid], once));
	const direct = { reachBy: 'phoneNumber', phoneNumber: anna.phone_number };
	const agent = byId(await agentOf(sandbox));
	ok(await engine.runNode(sms.node, { agent, ...direct, message: 'Hello', options: once }));
	expect((await sandbox.created('/sms/send')).length).toBe(1);
});

test('a number without country code is read by the country of its contact', async () => {
	const uuid = await contactWith({ phone_number: '030 90182001', country_code: 'DE' });
	ok(await send(sms, [uuid], { defaultCountry: 'TR' }));
	expect(await reached(sms)).toEqual(['+493090182001']);
	const unknown = await contactWith({ phone_number: '030 90182001', country_code: '' });
	expect(failure(await send(sms, [unknown]))).toMatch(
		/'Contact › Phone Number' is not a phone number/,
	);
});

test('a retry sends to the same person, with the same key', async () => {
	const uuid = await contactWith(anna);
	await sandbox.strike('POST /sms/send', 'reset-after', { times: 1 });
	ok(await send(sms, [uuid]));
	const keys = (await sandbox.ledger({ path: sms.path })).map(({ body }) => body.request_key);
	expect(keys).toHaveLength(2);
	expect(new Set(keys).size).toBe(1);
	expect(hintsOf(ok(await send(sms, [uuid])))).not.toMatch(/may have/);
});

test('an expression chooses for each item', async () => {
	const uuid = await contactWith(anna);
	const items = [{ contact: uuid }, { phone: ben.phone_number }];
	const agent = byId(await agentOf(sandbox));
	const parameters = {
		agent,
		...toContact,
		reachBy: "={{ $json.contact ? 'contact' : 'phoneNumber' }}",
		phoneNumber: '={{ $json.phone }}',
		message: 'Hello',
	};
	ok(await engine.runNode(sms.node, parameters, { items }));
	expect(await reached(sms)).toEqual([anna.phone_number, ben.phone_number]);
	const empty = { ...parameters, reachBy: '={{ $json.nothing }}' };
	await sandbox.clearLedger();
	expect(failure(await engine.runNode(sms.node, empty, { items }))).toMatch(
		/'Reach By' is empty: its expression returned nothing/,
	);
	expect(await reached(sms)).toEqual([]);
});

test('a workflow saved before sends to its number, and reads no contact', async () => {
	const agent = byId(await agentOf(sandbox));
	ok(await engine.runNode(sms.node, { agent, phoneNumber: anna.phone_number, message: 'Hello' }));
	expect(await sandbox.ledger({ method: 'GET' })).toEqual([]);
	expect(await reached(sms)).toEqual([anna.phone_number]);
});

test('an AI assistant reaches contacts only', async () => {
	const uuid = await contactWith(anna);
	const { answers } = await engine.callTools(
		'acpMessages',
		{
			resource: 'sms',
			operation: 'send',
			agent: byId(await agentOf(sandbox)),
			reachBy: 'contact',
			contact: byId("={{ $fromAI('contact', 'ID of the contact', 'string') }}"),
			message: 'Hello',
		},
		[uuid, nobody, '+14155559999'].map((contact, at) => ({ args: { contact }, id: `call-${at}` })),
	);
	expect(JSON.stringify(answers[1])).toContain(`'Contact' ${nobody} could not be read`);
	expect(JSON.stringify(answers[2])).toContain("'Contact' is not a valid ID");
	expect(await reached(sms)).toEqual([anna.phone_number]);
});
