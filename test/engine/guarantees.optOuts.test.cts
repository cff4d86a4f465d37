/** Whom a run leaves out, what it says about it, and what a preview tells before money is spent. */
import { uniq } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { type Kind, kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { hit, promisesOf } from './guarantees/promises.cts';
import {
	allHintsOf,
	byId,
	failure,
	fast,
	hintsOf,
	keptAndSkipped,
	mapped,
	taskFor,
	ok,
} from './guarantees/scene.cts';
import type { Result } from './harness/index.cts';

const platform = usePlatform({ settings: fast, speed: 50 });
const { sandbox, engine, run } = platform;
const { agent, given, happened, perform, promises, requests } = promisesOf(platform);
const { call } = kinds;

const [anna, ben, carl] = ['+14155550101', '+493090182001', '+14155550103'] as const;
const dora = '+905321234567';
const rows = (...phones: string[]) =>
	phones.map((phone) => ({ phone, who: `P${phones.indexOf(phone)}` }));
const start = async (options: INodeParameters, items: object[], more: object = {}) =>
	await perform(call, items, { options, ...more });
const continued = { onError: 'continueRegularOutput' } as const;
const called = async () =>
	(await sandbox.created('/call')).map(({ body }) => body.participant.number);
/** Contacts of the one listing that was sent. */
const listed = async () => {
	const all = await requests('/listings');
	expect(all).toHaveLength(1);
	return all[0]!.body.contacts;
};
const launch: Kind = {
	...kinds.launch,
	parameters: () => ({
		name: 'Spring offer',
		contacts: mapped({ phone_number: '={{ $json.phone }}', name: '={{ $json.who }}' }),
	}),
};
const contactWith = async (phone: string) => {
	const { data } = await sandbox.api.post('/contacts', { phone_number: phone });
	return data.data.uuid as string;
};
const blacklist = async (phone: string, type = 'Both') => {
	const uuid = await contactWith(phone);
	await sandbox.api.post(`/contacts/${uuid}/blacklist`, { reason: 'said no', type });
	return uuid;
};
/** The second call is refused once, and the execution retried, after something has happened. */
const retried = async (
	options: INodeParameters,
	items: object[],
	meanwhile: (reached: string) => unknown = () => undefined,
): Promise<Result> => {
	const refusal = hit({ status: 422, code: 'VALIDATION_ERROR' });
	await given(call, { strikes: [refusal(2, { times: 1 })] });
	const failed = await start(options, items);
	expect(failed.error).toBeDefined();
	expect(await called()).toHaveLength(1);
	await meanwhile((await called())[0]);
	return ok(await engine.retry(failed));
};

describe('Guarantee: who stands in Skip Numbers is not reached', () => {
	test('leaves numbers out however they are written; each item says so, in its place', async () => {
		const skipNumbers = '(415) 555-0101; 0049 30 901820-01\n14155559999';
		const good = await start({ skipNumbers }, rows(anna, carl, ben));
		expect(await called()).toEqual([carl]);
		expect(good.json()).toMatchObject([{ conversation_uuid: expect.any(String) }]);
		const why = { reason: 'skip_numbers', message: "Skipped: on your 'Skip Numbers' list" };
		expect(good.json('Node', 1)).toEqual([
			{ ...why, phone_number: anna, phone: anna, who: 'P0' },
			{ ...why, phone_number: ben, phone: ben, who: 'P2' },
		]);
		expect([good.pairedItems(), good.pairedItems('Node', 1)]).toEqual([[[1]], [[0], [2]]]);
		expect(hintsOf(good)).toContain(
			"1 call was accepted, from 3 items. Skipped: 2 in 'Skip Numbers'. Country codes: +1 (1).",
		);
	});

	test.each([
		['a word', 'nobody', 'contains "nobody", which is not a phone number'],
		['an expression without a value', '={{ $input.first().json.no }}', 'returned no phone number'],
	])(
		'%s ends the run before anybody is called, also with Continue',
		async (_, skipNumbers, text) => {
			const options = { skipNumbers };
			expect(failure(await start(options, rows(anna, ben)))).toContain(text);
			const said = expect.stringContaining(text);
			const result = await start(options, rows(anna, ben), continued);
			expect(result.json().map(({ error }) => error)).toEqual([said, said]);
			expect(await called()).toEqual([]);
		},
	);

	test.each([
		['nothing', '', ['', '']],
		['an empty row', '={{ [{ json: {} }] }}', ['', '']],
		[
			'a row without a number beside one',
			'={{ [{ phone: "" }, { phone: $json.no }] }}',
			[ben, ben],
		],
		['a column of the items themselves, for all of them:', '={{ $json.no }}', ['', ben]],
	])('%s leaves nobody else out', async (_, skipNumbers, no) => {
		const items = rows(anna, ben).map((one, at) => ({ ...one, no: no[at] }));
		ok(await start({ skipNumbers }, items));
		expect(await called()).toEqual(no.includes(ben) ? [anna] : [anna, ben]);
	});

	test('also for WhatsApp, SMS, email, tasks and both ways of a listing', async () => {
		const contact = byId(await contactWith(anna));
		const template = byId((await sandbox.state('whatsapp_templates'))[0].uuid);
		const due = { title: 'T', type: 'make_call', scheduledAt: '2031-05-01T10:00:00+02:00' };
		const values = [{ phoneNumber: anna }, { email: 'anna@example.com' }];
		const ways: Array<[string, INodeParameters]> = [
			['acpMessages sms.send', { message: 'Hi' }],
			[kinds.template.node, { template }],
			['acpMessages email.send', { to: ' anna@example.COM ' }],
			['acpCalls call.startAndWait', {}],
			['acpOutreach task.create', due],
			['acpOutreach task.create', { ...due, phoneNumber: '', additionalFields: { contact } }],
			['acpOutreach listing.create', { name: 'L', contacts: { values } }],
			[launch.node, { name: 'L', contacts: mapped({ phone_number: anna }) }],
		];
		await sandbox.clearLedger();
		const to = { agent: byId(await agent()), phoneNumber: anna };
		const options = { skipNumbers: `${anna}, Anna@Example.com` };
		for (const [node, parameters] of ways) {
			const result = ok(await run(node, { ...to, ...parameters, options }));
			expect(result.json()).toEqual([]);
			expect(uniq(result.json('Node', 1).map(({ reason }) => reason))).toEqual(['skip_numbers']);
		}
		expect(await requests('.*')).toEqual([]);
	});

	test('rows leave a listing, the others stay, and the counts follow', async () => {
		const options = { skipNumbers: `${anna},${carl}` };
		const result = await perform(launch, rows(anna, ben, carl, anna), { options });
		expect(await listed()).toEqual([{ phone_number: ben, name: 'P1' }]);
		expect(result.json()).toMatchObject([{ itemsRead: 4, contactsSent: 1, itemsSkipped: 3 }]);
		expect(result.json('Node', 1)).toMatchObject(
			[anna, carl, anna].map((phone_number) => ({ phone_number, reason: 'skip_numbers' })),
		);
		expect([result.pairedItems(), result.pairedItems('Node', 1)]).toEqual([[[1]], [[0], [2], [3]]]);
	});
});

describe('Guarantee: with Skip Blacklisted Contacts, no blacklisted contact is reached', () => {
	const options = { skipBlacklistedContacts: true };
	const reads = async () => (await requests('/contacts.*', 'GET')).length;

	test('the list of contacts is read, once; who is blacklisted for emails alone is called', async () => {
		await blacklist(anna);
		await blacklist(ben, 'Email');
		const result = await start(options, rows(anna, ben, carl));
		expect(await called()).toEqual([ben, carl]);
		const message = 'Skipped: the contact is blacklisted on the platform';
		expect(result.json('Node', 1)).toEqual([
			{ phone_number: anna, reason: 'blacklisted', message, phone: anna, who: 'P0' },
		]);
		expect(await reads()).toBe(1);
	});

	test.each<[string, object, Array<Parameters<typeof sandbox.strike>>]>([
		['the token may not read contacts', { manners: { unreadable: ['/contacts'] } }, []],
		[
			'a page of the list is refused',
			{ manners: { listLayout: 'bare', rowsPerPage: 60 } },
			[['^/contacts$', 404, { nth: 3 }]],
		],
	])('nobody is called where %s', async (_, settings, strikes) => {
		await sandbox.addMany('contacts', 250, (index) => ({
			phone_number: `+1212555${1000 + index}`,
			status: 'Active',
			custom: {},
		}));
		const attempt = async (more: object = {}) => {
			await sandbox.clearFaults();
			await given(call, { settings, strikes });
			return await start(options, rows(anna, ben), more);
		};
		const why = failure(await attempt());
		expect(why).toMatch(/The blacklist could not be checked, so nothing was sent.*list/s);
		expect(why).toContain("'Skip Blacklisted Contacts'");
		const errors = (await attempt(continued)).json().map(({ error }) => error);
		expect(errors).toEqual([expect.any(String), expect.any(String)]);
		expect(await called()).toEqual([]);
	});

	test('who is blacklisted after an earlier try called comes out as called, not as left out', async () => {
		const result = await retried(options, rows(anna, ben), blacklist);
		expect((await called()).sort()).toEqual([anna, ben].sort());
		const item = result.json()[[anna, ben].indexOf((await called())[0])];
		expect(item).toMatchObject({ conversation_uuid: expect.any(String) });
	});

	test('a listing leaves them out, a task by the ID of its contact too', async () => {
		const uuid = await blacklist(anna);
		const listing = await perform(launch, rows(anna, ben), { options });
		expect(await listed()).toHaveLength(1);
		const task = await run('acpOutreach', taskFor(await agent(), uuid, options));
		expect(await requests('/tasks')).toEqual([]);
		for (const result of [listing, task])
			expect(result.json('Node', 1)).toMatchObject([{ reason: 'blacklisted', phone_number: anna }]);
	});
});

describe('Guarantee: a number that several items hold is reached as Same Number Twice says', () => {
	const twice = rows(anna, ben, anna);

	test('both are called, and a hint names the rows', async () => {
		const result = await start({ sameNumberTwice: 'both' }, twice);
		expect(result.json().map(({ phone_number: number }) => number)).toEqual([anna, ben, anna]);
		expect(await happened(call)).toEqual({ [anna]: 2, [ben]: 1 });
		expect(hintsOf(result)).toContain(`In several items: ${anna} (item 0, item 2).`);
	});

	test('only the first, also where the number is the request key', async () => {
		const options = { sameNumberTwice: 'first', requestKey: '={{ $json.phone }}' };
		const result = ok(await start(options, twice));
		expect(await called()).toEqual([anna, ben]);
		expect(result.json('Node', 1)).toMatchObject([
			{ reason: 'same_number', message: 'Skipped: item 0 has the same number', phone: anna },
		]);
	});

	promises({
		'if nothing is chosen, nobody is called, and the items are named': {
			does: [call, twice],
			then: {
				fails: `2 of 3 items cannot be sent: item 0 and item 2 have the same number, ${anna}. Keep one of them, or change 'Same Number Twice' under Options`,
				requests: 0,
			},
		},
	});

	test('what an earlier try has sent stays, and its twin is still left out', async () => {
		const result = await retried({ sameNumberTwice: 'first' }, twice);
		expect(await happened(call)).toEqual({ [anna]: 1, [ben]: 1 });
		expect([result.pairedItems(), result.pairedItems('Node', 1)]).toEqual([[[0], [1]], [[2]]]);
	});
});

describe('Guarantee: a preview sums up whom a run would reach', () => {
	const preview = true;

	test('calls: a row for each person, a hint that sums up, and who is left out', async () => {
		await blacklist(ben);
		const items = [...rows(anna, ben, anna, dora, carl), { phone: 'nonsense' }];
		const options = {
			...{ preview, skipNumbers: dora, skipBlacklistedContacts: true },
			sameNumberTwice: 'first',
		};
		const result = await start(options, items, continued);
		const [first] = result.json();
		expect(Object.keys(first)).toEqual(['phone_number', 'text', 'preview', 'request']);
		expect(keptAndSkipped(result).map((one) => one.preview ?? one.reason ?? one.errorCode)).toEqual(
			[true, 'blacklisted', 'same_number', 'skip_numbers', true, 'INVALID_ITEM'],
		);
		expect(await called()).toEqual([]);
		expect(allHintsOf(result)).toMatch(
			/^Nothing was sent. 2 calls would be placed, from 6 items. Skipped: 1 in 'Skip Numbers', 1 blacklisted, 1 with the number of an earlier item. 1 item cannot be sent; see 'error' in the output. Country codes: \+1 \(2\)\./,
		);
	});

	promises({
		'a listing: how many contacts, nothing about a pace that is the platform’s': {
			does: [launch, rows(anna, ben, carl, carl, '+525512345678')],
			when: { options: { preview, skipNumbers: anna } },
			then: {
				json: [
					{ skipped: true },
					{ request: { body: { contacts: [{ phone_number: ben }, { phone_number: carl }, {}] } } },
				],
				hints:
					"Nobody is reached yet, because 'Start Contacting Immediately' is off. " +
					"3 contacts would be added to the listing, from 5 items. Skipped: 1 in 'Skip Numbers'. " +
					'1 item was merged into an earlier one with the same number. ' +
					`Country codes: +1 (1), +49 (1), +52 (1). ` +
					`In several items: ${carl} (item 2, item 3).`,
				requests: 0,
			},
		},
	});

	test('10,000 calls take more than half an hour, and the summary says so', async () => {
		const items = Array.from({ length: 10_000 }, (_, at) => ({ phone: `+1${4_155_000_000 + at}` }));
		expect(hintsOf(await start({ preview }, items))).toContain(
			'At 5 per second this takes at least 33 minutes.',
		);
	});
});
