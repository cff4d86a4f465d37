/** A message or a call to a contact of the workspace, whose number or email address the node reads before it sends. */
import type { INodeParameters } from 'n8n-workflow';
import { kinds } from './guarantees/kinds.cts';
import { answer } from './guarantees/promises.cts';
import { agentOf, byId, failure, fast, keptAndSkipped, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ settings: fast, speed: 50 });

const nobody = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
const number = 'phone_number';
type Way = [node: string, path: string, by: 'phone_number' | 'email', parameters: INodeParameters];
const sms: Way = ['acpMessages sms.send', '/sms/send', number, { message: 'Hello' }];
const email: Way = ['acpMessages email.send', '/email/messages', 'email', {}];
const template: Way = [kinds.template.node, '/whatsapp/template', number, {}];
const call: Way = ['acpCalls call.start', '/call', number, {}];

const anna = { phone_number: '+14155550101', email: 'anna@example.com', name: 'Anna' };
const ben = { phone_number: '+493090182001', email: 'ben@example.com', name: 'Ben' };
const contactWith = async (shown: object): Promise<string> => {
	const { data } = await sandbox.api.post('/contacts', anna);
	await sandbox.change('contacts', data.data.uuid, shown);
	return data.data.uuid;
};
const toContact = { reachBy: 'contact', contact: byId('={{ $json.contact }}') };

/** Runs a way of sending, to the contacts of some items. */
const send = async (
	[node, , , parameters]: Way,
	contacts: string[],
	options: INodeParameters = {},
	more: object = {},
) => {
	await sandbox.clearLedger();
	const agent = byId(await agentOf(sandbox));
	const items = contacts.map((contact) => ({ contact }));
	return await run(node, { agent, ...toContact, ...parameters, options }, { items, ...more });
};
const reached = async ([, path]: Way): Promise<string[]> =>
	(await sandbox.ledger({ path, method: 'POST' })).map(
		({ body }) => body.phoneNumber ?? body.to ?? body.participant.number,
	);
const readsOf = async (uuid: string) =>
	(await sandbox.ledger({ path: `/contacts/${uuid}`, method: 'GET' })).length;

test.each([sms, email, template, call])(
	'%s reaches what the contact has, which is read once; a preview shows it, the blacklist and the list of the user hold it',
	async (...way) => {
		const [, , by, parameters] = way;
		if (way[0] === template[0]) {
			const { uuid } = (await sandbox.state('whatsapp_templates')).find(
				({ name }) => name === 'hello',
			);
			Object.assign(parameters, { template: byId(uuid) });
		}
		const [first, second] = [await contactWith(anna), await contactWith(ben)];
		ok(await send(way, [first, second]));
		expect(await reached(way)).toEqual([anna[by], ben[by]]);
		expect([await readsOf(first), await readsOf(second)]).toEqual([1, 1]);

		const preview = ok(await send(way, [first], { preview: true }));
		expect(JSON.stringify(preview.json())).toContain(anna[by]);
		await sandbox.api.post(`/contacts/${first}/blacklist`, { reason: 'said no' });
		const options = { skipBlacklistedContacts: true, skipNumbers: ben[by] };
		const left = keptAndSkipped(ok(await send(way, [first, second], options)));
		expect(left.map(({ reason }) => reason)).toEqual(['blacklisted', 'skip_numbers']);
		expect(await reached(way)).toEqual([]);
	},
);

const masked =
	/masked: ".*\*{5}.*"\. Use a token that may see it, or choose 'Phone Number' in 'Reach By'/;
const noNumber = { uuid: 'it', name: 'Anna' };
test.each<[string, Way, object, ((uuid: string) => object | number) | undefined, RegExp]>([
	['has no number', sms, { [number]: '' }, undefined, /shows no phone number\. Add it to the/],
	['has no address', email, { email: '' }, undefined, /shows no email address\. Add it to the/],
	['is masked', sms, { [number]: '+141*****50101' }, undefined, masked],
	['hides the number', sms, {}, (uuid) => answer({ data: { ...noNumber, uuid } }), /shows no ph/],
	['shows no ID', sms, {}, () => answer({ data: ben }), /does not show which contact it is/],
	['is not there', sms, {}, () => 404, /could not be read: .*(It may be deleted|hoose)/],
	['may not be read', email, {}, () => ({ status: 403, code: 'FORBIDDEN' }), /no permission/],
	['cannot be read now', sms, {}, () => 500, /could not process the request \(status 500\)/],
])(
	'a contact that %s is refused before anything leaves, read once; On Error: Continue reaches the others',
	async (_, way, shown, fault, why) => {
		const [good, bad] = [await contactWith(ben), await contactWith({ ...anna, ...shown })];
		if (fault) await sandbox.strike(`GET /contacts/${bad}`, fault(bad) as never);
		const options = { advanced: { maxRetries: 0 } };
		const stopped = failure(await send(way, [bad, good], options));
		expect(stopped).toMatch(why);
		expect(stopped).toContain(`'Contact' ${bad}`);
		expect(stopped).toContain('[item 0]');
		expect(await reached(way)).toEqual([]);
		const more = { onError: 'continueRegularOutput' };
		const continued = await send(way, [bad, good, bad], options, more);
		const told = continued.json().flatMap(({ error }) => error ?? []);
		expect(told).toEqual([expect.stringMatching(why), expect.stringMatching(why)]);
		expect(await readsOf(bad)).toBe(1);
		expect(await reached(way)).toEqual([ben[way[2]]]);
	},
);

test('the answer for another contact reaches nobody', async () => {
	const first = await contactWith(anna);
	await sandbox.strike(`GET /contacts/${first}`, answer({ data: { uuid: nobody, ...ben } }));
	expect(failure(await send(sms, [first]))).toMatch(/could not be read: .*another record/);
	expect(await reached(sms)).toEqual([]);
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

test('an expression chooses for each item; what was saved before sends to its number, and reads no contact', async () => {
	const items = [{ contact: await contactWith(anna) }, { phone: ben.phone_number }];
	const parameters = {
		...{ agent: byId(await agentOf(sandbox)), message: 'Hello' },
		phoneNumber: '={{ $json.phone }}',
	};
	const reachBy = "={{ $json.contact ? 'contact' : 'phoneNumber' }}";
	ok(await run(sms[0], { ...parameters, ...toContact, reachBy }, { items }));
	expect(await reached(sms)).toEqual([anna.phone_number, ben.phone_number]);
	await sandbox.clearLedger();
	const empty = { ...parameters, ...toContact, reachBy: '={{ $json.nothing }}' };
	expect(failure(await run(sms[0], empty, { items }))).toMatch(
		/'Reach By' is empty: its expression returned nothing/,
	);
	ok(await run(sms[0], parameters, { items: items.slice(1) }));
	expect((await sandbox.ledger()).map(({ method, path }) => `${method} ${path}`)).toEqual([
		'POST /sms/send',
	]);
});

test('an AI assistant reaches contacts only', async () => {
	const uuid = await contactWith(anna);
	const contact = byId("={{ $fromAI('contact', 'ID of the contact', 'string') }}");
	const parameters = { agent: byId(await agentOf(sandbox)), ...toContact, contact, ...sms[3] };
	const { answers } = await engine.callTools(
		'acpMessages',
		{ resource: 'sms', operation: 'send', ...parameters },
		[uuid, nobody, '+14155559999'].map((one, at) => ({ args: { contact: one }, id: `call-${at}` })),
	);
	expect(JSON.stringify(answers[1])).toContain(`'Contact' ${nobody} could not be read`);
	expect(JSON.stringify(answers[2])).toContain("'Contact' is not a valid ID");
	expect(await reached(sms)).toEqual([anna.phone_number]);
});
