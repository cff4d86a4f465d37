/** Whom a run leaves out, what it says about it, and what a preview tells before money is spent. */
import type { INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, failure, fast, hintsOf, mapped, taskFor, ok } from './guarantees/scene.cts';

const { sandbox, engine, run } = usePlatform({ settings: fast, speed: 10 });
const by = byId;

const rows = (...phones: string[]) =>
	phones.map((phone) => ({ phone, who: `P${phones.indexOf(phone)}` }));
const [anna, ben, carl, dora] = ['+14155550101', '+493090182001', '+14155550103', '+905321234567'];

const callOptions = async (options: INodeParameters = {}): Promise<INodeParameters> => ({
	resource: 'call',
	operation: 'start',
	agent: by(await agentOf(sandbox)),
	phoneNumber: '={{ $json.phone }}',
	options,
});
const start = async (options: INodeParameters, items: object[], more: object = {}) =>
	await run('acpCalls', await callOptions(options), { items: items as never, ...more });
const nothing = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));
const called = async () =>
	(await sandbox.created('/call')).map(({ body }) => body.participant.number);
const contactReads = async () =>
	(await sandbox.ledger({ method: 'GET' })).filter(({ path }) => path.startsWith('/contacts'));
const listingOf = (options: INodeParameters = {}, more: INodeParameters = {}): INodeParameters => ({
	resource: 'listing',
	operation: 'createFromItems',
	name: 'Spring offer',
	contacts: mapped({ phone_number: '={{ $json.phone }}', name: '={{ $json.who }}' }),
	options,
	...more,
});
const contactWith = async (phone: string, more: object = {}) => {
	const { data } = await sandbox.api.post('/contacts', { phone_number: phone, ...more });
	return data.data.uuid as string;
};
const blacklist = async (phone: string, type = 'Both') => {
	const uuid = await contactWith(phone);
	await sandbox.api.post(`/contacts/${uuid}/blacklist`, { reason: 'said no', type });
	return uuid;
};

describe('Guarantee: who stands in Skip Numbers is not reached', () => {
	test('leaves numbers out however they are written; each item says so, in its place', async () => {
		const good = await start(
			{ skipNumbers: '(415) 555-0101; 0049 30 901820-01\n14155559999' },
			rows(anna!, carl!, ben!),
		);
		expect(await called()).toEqual([carl]);
		expect(good.json()).toEqual([
			{
				skipped: true,
				reason: 'skip_numbers',
				message: "Skipped: on your 'Skip Numbers' list",
				item: 0,
				phone_number: anna,
			},
			expect.objectContaining({ conversation_uuid: expect.any(String) }),
			expect.objectContaining({ skipped: true, phone_number: ben }),
		]);
		expect(good.pairedItems()).toEqual([[0], [1], [2]]);
		expect(hintsOf(good)).toContain(
			"1 call was placed, from 3 items. Skipped: 2 in 'Skip Numbers'. Country codes: +1 (1).",
		);
	});

	test("takes another node's items, whatever their columns are called, and resolves them once", async () => {
		const workflow = engine.nodeWorkflow(
			'acpCalls',
			await callOptions({ skipNumbers: "={{ $('No').all() }}" }),
			{ items: rows(anna!, ben!, carl!) },
		);
		const list = [
			{ row_number: 2, Telefon: '415 555 0101', Name: 'Anna' },
			{ row_number: 3, Telefon: '', Name: '' },
			{ row_number: 4, Rufnummer: 493090182001 },
		];
		workflow.nodes.push({
			name: 'No',
			type: 'harness.items',
			parameters: { items: list.map((json) => ({ json })) as never },
		});
		workflow.connections = {
			No: { main: [[{ node: 'Items', type: 'main', index: 0 }]] },
			...workflow.connections,
		};
		ok(await engine.run(workflow, { startNode: 'No' }));
		expect(await called()).toEqual([carl]);
	});

	test.each([
		['a word', 'nobody', 'contains "nobody", which is not a phone number'],
		['an object that became text', '=x {{ $input.all() }}', 'which is not a phone number'],
		[
			'a column that does not exist',
			'={{ $input.all().map(i => i.json.phon) }}',
			'returned no phone number',
		],
		[
			'an expression without a value',
			'={{ $input.first().json.nothing }}',
			'returned no phone number',
		],
		[
			'a row without a number',
			'={{ [{ name: "Anna", row_number: 4 }] }}',
			'contains a row without a phone number that can be compared',
		],
	])(
		'%s ends the run before anybody is called, also with Continue',
		async (_, skipNumbers, text) => {
			const stopped = await start({ skipNumbers }, rows(anna!, ben!));
			expect(failure(stopped)).toContain(text);
			const continued = await start({ skipNumbers }, rows(anna!, ben!), {
				onError: 'continueRegularOutput',
			});
			expect(continued.json().map(({ error }) => error)).toEqual([
				expect.stringContaining(text),
				expect.stringContaining(text),
			]);
			expect(await called()).toEqual([]);
		},
	);

	test('an empty list and empty rows leave nobody out', async () => {
		expect(failure(await start({ skipNumbers: '={{ [] }}' }, rows(anna!)))).toBeUndefined();
		expect(failure(await start({ skipNumbers: '' }, rows(ben!)))).toBeUndefined();
		expect(
			failure(await start({ skipNumbers: '={{ [{ json: {} }] }}' }, rows(ben!))),
		).toBeUndefined();
		expect(
			failure(
				await start(
					{ skipNumbers: '={{ [{phone: ""}, {phone: "+905321234567"}] }}' },
					rows(carl!, dora!),
				),
			),
		).toBeUndefined();
		expect(await called()).toEqual([anna, ben, ben, carl]);
	});

	test('a column of the items themselves counts for all of them', async () => {
		const items = [
			{ phone: anna, no: '' },
			{ phone: ben, no: anna },
			{ phone: carl, no: '' },
		];
		await start({ skipNumbers: '={{ $json.no }}' }, items);
		expect((await called()).sort()).toEqual([carl, ben].sort());
	});

	test('also for WhatsApp, SMS, email, tasks and both ways of a listing', async () => {
		const agent = by(await agentOf(sandbox));
		const template = by((await sandbox.state('whatsapp_templates'))[0].uuid);
		const contact = await contactWith(anna!);
		const skipNumbers = `${anna}, Anna@Example.com`;
		const options = { skipNumbers };
		const due = { title: 'T', type: 'make_call', scheduledAt: '2031-05-01T10:00:00+02:00', agent };
		const to = { agent, phoneNumber: anna! };
		const rowsOf = { values: [{ phoneNumber: anna! }, { email: 'anna@example.com' }] };
		const ways: Array<[string, INodeParameters]> = [
			['acpMessages sms.send', { ...to, message: 'Hi' }],
			['acpMessages whatsapp.sendTemplate', { ...to, template }],
			['acpMessages email.send', { to: ' anna@example.COM ' }],
			['acpCalls call.startAndWait', to],
			['acpOutreach task.create', { ...due, phoneNumber: anna! }],
			['acpOutreach task.create', { ...due, additionalFields: { contact: by(contact) } }],
			['acpOutreach listing.create', { name: 'L', contacts: rowsOf }],
			['acpOutreach', listingOf({}, { contacts: mapped({ phone_number: anna! }) })],
		];
		await sandbox.clearLedger();
		for (const [node, parameters] of ways) {
			const result = await run(node, { ...parameters, options });
			expect({ parameters, why: failure(result) }).toEqual({ parameters });
			expect(result.json().length).toBeGreaterThan(0);
			for (const one of result.json())
				expect(one).toMatchObject({ skipped: true, reason: 'skip_numbers' });
		}
		expect((await sandbox.ledger({ method: 'POST' })).map(({ path }) => path)).toEqual([]);
	});

	test('rows leave a listing, the others stay, and the counts follow', async () => {
		const result = await run('acpOutreach', listingOf({ skipNumbers: `${anna},${carl}` }), {
			items: rows(anna!, ben!, carl!, anna!),
		});
		const [sent] = await sandbox.ledger({ path: '/listings', method: 'POST' });
		expect(sent!.body.contacts).toEqual([{ phone_number: ben, name: 'P1' }]);
		const [listing, ...others] = result.json();
		expect(others.map(({ phone_number: number }) => number)).toEqual([anna, carl, anna]);
		expect(others.map(({ reason }) => reason)).toEqual(others.map(() => 'skip_numbers'));
		expect(listing).toMatchObject({ itemsRead: 4, contactsSent: 1, itemsSkipped: 3 });
		expect(result.pairedItems()).toEqual([[1], [0], [2], [3]]);
	});
});

describe('Guarantee: with Skip Blacklisted Contacts, no blacklisted contact is reached', () => {
	test('the list of contacts is read; who is blacklisted for emails alone is called', async () => {
		await blacklist(anna!);
		await blacklist(ben!, 'Email');
		await contactWith(carl!);
		await sandbox.clearLedger();
		const result = await start({ skipBlacklistedContacts: true }, rows(anna!, ben!, carl!));
		expect(await called()).toEqual([ben, carl]);
		expect(result.json()[0]).toEqual({
			skipped: true,
			reason: 'blacklisted',
			message: 'Skipped: the contact is blacklisted on the platform',
			item: 0,
			phone_number: anna,
		});
		expect(await contactReads()).toHaveLength(1);
	});

	test('without the option nothing is read and everybody is called', async () => {
		await blacklist(anna!);
		await sandbox.clearLedger();
		await start({}, rows(anna!));
		expect(await called()).toEqual([anna]);
		expect(await contactReads()).toEqual([]);
	});

	const many = Array.from({ length: 30 }, (_, index) => `+1415555${2000 + index}`);

	test('the list is read once for all items', async () => {
		await start({ skipBlacklistedContacts: true }, rows(...many));
		expect(await called()).toHaveLength(30);
		expect(await contactReads()).toHaveLength(1);
	});

	test('a platform that takes no notice of the search is read as a whole', async () => {
		await sandbox.settings({ ignoredQuery: ['search'] });
		await blacklist(anna!);
		await start({ skipBlacklistedContacts: true }, rows(anna!, ben!));
		expect(await called()).toEqual([ben]);
	});

	const some = { data: { data: [{ uuid: 'a', status: 'Active' }], last_page: 3 } };
	test.each<[string, object, Array<Parameters<typeof sandbox.strike>>]>([
		[
			'the platform shows only a part of its contacts',
			{ ignoredQuery: ['search'], manners: { samePage: true } },
			[],
		],
		['the token may not read contacts', { manners: { unreadable: ['/contacts'] } }, []],
		['the list ends before its last page', {}, [['^/contacts$', { status: 200, body: some }]]],
		[
			'a page of the list is refused',
			{ manners: { listLayout: 'bare', rowsPerPage: 60 } },
			[['^/contacts$', 404, { nth: 3 }]],
		],
	])('nobody is called where %s', async (_, settings, strikes) => {
		await sandbox.addMany('contacts', 250, (index) => ({
			name: '',
			surname: '',
			email: '',
			phone_number: `+1212555${1000 + index}`,
			status: 'Active',
			custom: {},
		}));
		await sandbox.settings(settings);
		const attempt = async (onError: 'stopWorkflow' | 'continueRegularOutput') => {
			await sandbox.clearFaults();
			for (const strike of strikes) await sandbox.strike(...strike);
			return await start({ skipBlacklistedContacts: true }, rows(anna!, ben!), { onError });
		};
		const why = failure(await attempt('stopWorkflow'));
		expect(why).toMatch(/The blacklist could not be checked, so nothing was sent.*list/s);
		expect(why).toContain("'Skip Blacklisted Contacts'");
		const continued = (await attempt('continueRegularOutput')).json();
		expect(continued.map(({ error }) => typeof error)).toEqual(['string', 'string']);
		expect(await called()).toEqual([]);
	});

	test('who is blacklisted after an earlier try called comes out as called, not as left out', async () => {
		await sandbox.strike(
			'^/call$',
			{ status: 422, code: 'VALIDATION_ERROR' },
			{ nth: 2, times: 1 },
		);
		const failed = await start({ skipBlacklistedContacts: true }, rows(anna!, ben!));
		expect(failed.error).toBeDefined();
		const [reached, ...others] = await called();
		expect(others).toEqual([]);
		await blacklist(reached);
		const retried = ok(await (await engine.startRetry(failed)).done);
		expect((await called()).sort()).toEqual([anna, ben].sort());
		const item = retried.json()[[anna, ben].indexOf(reached)];
		expect(item).toMatchObject({ conversation_uuid: expect.any(String) });
	});

	test('a listing leaves them out, a task by the ID of its contact too', async () => {
		const uuid = await blacklist(anna!);
		const listing = await run('acpOutreach', listingOf({ skipBlacklistedContacts: true }), {
			items: rows(anna!, ben!),
		});
		expect(listing.json()[1]).toMatchObject({ reason: 'blacklisted', phone_number: anna });
		const [sent] = await sandbox.ledger({ path: '/listings', method: 'POST' });
		expect(sent!.body.contacts).toHaveLength(1);
		const parameters = taskFor(await agentOf(sandbox), uuid, { skipBlacklistedContacts: true });
		const task = await run('acpOutreach', parameters);
		expect(task.json()).toEqual([
			expect.objectContaining({ reason: 'blacklisted', phone_number: anna }),
		]);
		expect(await sandbox.ledger({ path: '/tasks', method: 'POST' })).toEqual([]);
	});
});

describe('Guarantee: a number that several items hold is reached as Same Number Twice says', () => {
	const twice = rows(anna!, ben!, anna!);

	test('both are called, and a hint names the rows', async () => {
		const result = await start({ sameNumberTwice: 'both' }, twice);
		expect(await called()).toEqual([anna, ben, anna]);
		expect(hintsOf(result)).toContain(`In several items: ${anna} (item 0, item 2).`);
	});

	test('only the first, also where the number is the request key', async () => {
		const result = ok(
			await start({ sameNumberTwice: 'first', requestKey: '={{ $json.phone }}' }, twice),
		);
		expect(await called()).toEqual([anna, ben]);
		expect(result.json()[2]).toEqual({
			skipped: true,
			reason: 'same_number',
			message: 'Skipped: item 0 has the same number',
			item: 2,
			phone_number: anna,
		});
	});

	test('if nothing is chosen, or Stop: nobody is called, and the items are named; with Continue the others are', async () => {
		for (const options of [{}, { sameNumberTwice: 'stop' }])
			expect(failure(await start(options, twice))).toContain(
				`2 of 3 items cannot be sent: item 0 and item 2 have the same number, ${anna}. Keep one of them, or change 'Same Number Twice' under Options`,
			);
		expect(await called()).toEqual([]);
		const continued = await start({ sameNumberTwice: 'stop' }, twice, {
			onError: 'continueRegularOutput',
		});
		expect(continued.json().map(({ errorItem }) => errorItem)).toEqual([0, undefined, 2]);
		expect(await called()).toEqual([ben]);
	});

	test('a number that is left out is not the first', async () => {
		ok(await start({ sameNumberTwice: 'stop', skipNumbers: anna! }, twice));
		expect(await called()).toEqual([ben]);
	});

	test('what an earlier try has sent stays, and its twin is still left out', async () => {
		await sandbox.strike(
			'^/call$',
			{ status: 422, code: 'VALIDATION_ERROR' },
			{ nth: 2, times: 1 },
		);
		const failed = await start({ sameNumberTwice: 'first' }, [...rows(anna!, ben!, anna!)]);
		expect(failed.error).toBeDefined();
		const retried = ok(await (await engine.startRetry(failed, {})).done);
		expect((await called()).sort()).toEqual([anna, ben].sort());
		expect(retried.json().map(({ skipped }) => skipped)).toEqual([null, null, true]);
	});

	test('two spellings in a listing are one contact, and a hint names the items', async () => {
		const result = await run('acpOutreach', listingOf(), { items: twice });
		const [sent] = await sandbox.ledger({ path: '/listings', method: 'POST' });
		expect(sent!.body.contacts).toHaveLength(2);
		expect(hintsOf(result)).toContain('merged into it: item 2.');
	});
});

describe('Guarantee: a preview sums up whom a run would reach', () => {
	test('calls: one summary first, then the requests and who is left out', async () => {
		const result = await start(
			{ preview: true, skipNumbers: dora!, sameNumberTwice: 'first' },
			[...rows(anna!, ben!, anna!, dora!, carl!), { phone: 'nonsense' }],
			{ onError: 'continueRegularOutput' },
		);
		const [summary, ...rest] = result.json();
		expect(summary).toEqual({
			preview: true,
			text: `Nothing was sent. ${summary.summary}`,
			...nothing(
				...['method', 'url', 'body', 'changedNumbers'],
				...['skipped', 'reason', 'message', 'item', 'phone_number'],
			),
			summary:
				'3 calls would be placed, from 6 items. ' +
				"Skipped: 1 in 'Skip Numbers', 1 with the number of an earlier item. " +
				"1 item cannot be sent; see 'error' in the output. Country codes: +1 (2), +49 (1).",
			summary_items: 6,
			summary_recipients: 3,
			summary_skipped_total: 2,
			summary_skipped_skip_numbers: 1,
			summary_skipped_blacklisted: 0,
			summary_skipped_same_number: 1,
			summary_refused: 1,
			summary_countryCodes: '+1 (2), +49 (1)',
			summary_sameNumber: '',
			summary_seconds: 1,
		});
		expect(result.pairedItems()[0]).toEqual([0, 1, 2, 3, 4, 5]);
		expect(rest.map(({ preview, skipped, errorCode }) => preview ?? skipped ?? errorCode)).toEqual([
			true,
			true,
			true,
			true,
			true,
			'INVALID_ITEM',
		]);
		expect(rest.filter((one) => one.summary)).toEqual([]);
		expect(await called()).toEqual([]);
		expect(hintsOf(result)).toContain(summary.summary);
	});

	test('a listing: how many contacts, nothing about a pace that is the platform’s', async () => {
		const result = await run('acpOutreach', listingOf({ preview: true, skipNumbers: anna! }), {
			items: rows(anna!, ben!, carl!, carl!),
		});
		const [summary, ...rest] = result.json();
		expect(summary).toMatchObject({
			summary:
				"Nobody is reached yet, because 'Start Contacting Immediately' is off. " +
				"2 contacts would be added to the listing, from 4 items. Skipped: 1 in 'Skip Numbers'. " +
				'1 item was merged into an earlier one with the same number. ' +
				`Country codes: +1 (1), +49 (1). In several items: ${carl!} (item 2, item 3).`,
			summary_recipients: 2,
			summary_merged: 1,
			summary_seconds: null,
		});
		expect(rest.map(({ skipped, body }) => skipped ?? body.contacts.length)).toEqual([2, true]);
		expect(await sandbox.ledger({ path: '/listings' })).toEqual([]);
	});

	test('everybody left out: the summary says so and nothing is sent', async () => {
		const result = await start({ preview: true, skipNumbers: anna! }, rows(anna!));
		expect(result.json()).toEqual([
			expect.objectContaining({
				preview: true,
				text: expect.stringMatching(/^Nothing was sent\. 0 calls/),
				summary_recipients: 0,
				summary_seconds: 0,
			}),
			expect.objectContaining({ skipped: true }),
		]);
	});

	test('blacklisted contacts are looked up for a preview too', async () => {
		await blacklist(anna!);
		const result = await start({ preview: true, skipBlacklistedContacts: true }, rows(anna!, ben!));
		expect(result.json()[0]).toMatchObject({
			summary_skipped_total: 1,
			summary_skipped_blacklisted: 1,
		});
	});

	test('10,000 calls take more than half an hour, and the summary says so', async () => {
		const items = Array.from({ length: 10_000 }, (_, index) => ({
			phone: `+1${4_155_000_000 + index}`,
		}));
		const result = await start({ preview: true }, items);
		expect(result.json()[0]).toMatchObject({ summary_recipients: 10_000, summary_seconds: 2000 });
		expect(result.json()[0].summary).toContain('At 5 per second this takes at least 33 minutes.');
	});
});
