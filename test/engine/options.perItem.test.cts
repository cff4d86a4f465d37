/**
 * Options that differ from item to item, and values that an expression got wrong: obeyed by item, or refused by name.
 */
import type { INodeParameters } from 'n8n-workflow';
import {
	agentOf,
	byId,
	contact,
	failure,
	fast,
	mapped,
	ok,
	people,
	phoneOf,
	requestsShown,
} from './guarantees/scene.cts';
import { usePlatform, type InputItem } from './harness/index.cts';

const { sandbox, run } = usePlatform({ settings: fast, engine: { expressionEngine: 'vm' } });

const onError = 'continueRegularOutput';
const some = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
const errorsOf = (records: any[]): Array<string | undefined> => records.map(({ error }) => error);

describe('an option by expression counts for its item', () => {
	test('Timezone: each time is read in the zone of its item, and its answer comes in it', async () => {
		const zones = {
			'Europe/Istanbul': '2027-07-01T09:30:00+03:00',
			'America/New_York': '2027-07-01T09:30:00-04:00',
			'Pacific/Auckland': '2027-07-01T09:30:00+12:00',
		};
		const parameters = {
			schedule: byId((await sandbox.state('schedules'))[0].uuid),
			title: '={{ $json.zone }}',
			startTime: '2027-07-01T09:30:00',
			endTime: '2027-07-03T09:30:00',
			options: { timezone: '={{ $json.zone }}' },
		};
		const items = Object.keys(zones).map((zone) => ({ zone }));
		ok(await run('acpScheduling appointment.create', parameters, { items }));
		const sent = await sandbox.created('/appointments');
		const told = sent.map(({ body, headers }) => [headers['x-timezone'], body.start_time]);
		expect(Object.fromEntries(told)).toEqual(zones);
	});

	test('Timeout and Max Retries: the item that has no time and no second try fails, the others wait and try again', async () => {
		const agents = (await sandbox.state('agents')).map(({ agent_uuid: uuid }) => uuid);
		const faults = ['timeout', { kind: 'slow', ms: 1500 }, 503] as const;
		for (const [at, fault] of faults.entries())
			await sandbox.strike(`^/agents/${agents[at]}$`, fault, { nth: 1 });
		const items = [
			{ seconds: 1, retries: 0 },
			{ seconds: 60, retries: 0 },
			{ seconds: 60, retries: 1 },
		].map((one, at) => ({ ...one, agent: agents[at] }));
		const options = { timeout: '={{ $json.seconds }}', maxRetries: '={{ $json.retries }}' };
		const parameters = { agent: byId('={{ $json.agent }}'), options };
		const result = await run('acpAgents agent.get', parameters, { items, onError });
		const late = expect.stringMatching(/1 second/);
		expect(errorsOf(result.json())).toEqual([late, undefined, undefined]);
		const asked = (await sandbox.ledger()).map(({ path }) => agents.indexOf(path.split('/')[2]));
		expect(asked.sort()).toEqual([0, 1, 2, 2]);
	});

	test('Concurrency: the most careful item decides, wherever it stands', async () => {
		await sandbox.settings({ latencyMs: 60 });
		const items = people(12).map((person, index) => ({ ...person, atOnce: index === 7 ? 1 : 9 }));
		ok(await run('acpContacts', contact({ concurrency: '={{ $json.atOnce }}' }), { items }));
		expect(await sandbox.summary()).toMatchObject({ maxInFlight: 1, total: 12 });
	});
});

describe('Evidence: what one item says is taken for what all items of a request say', () => {
	const [anna, ben, carl] = [phoneOf(1), phoneOf(2), phoneOf(3)];
	const x = '={{ $json.x }}';
	const contacts = mapped({ phone_number: '={{ $json.phone }}' });
	const fromItems = async (change: INodeParameters, items: object[], more: object = {}) => {
		const agent = byId(await agentOf(sandbox));
		const offer = { name: 'Spring offer', agent, campaignType: 'call', contacts, ...change };
		const given = { items: items as InputItem[], ...more };
		return await run('acpOutreach listing.createFromItems', offer, given);
	};
	const posts = async () =>
		(await sandbox.ledger({ method: 'POST' })).filter(({ path }) => path.startsWith('/listings'));

	const days: [string, string] = ['2031-01-01', '2031-01-02'];
	const listings: [string, string] = [some, some.replace('3', '4')];
	test.each<[string, INodeParameters, [unknown, unknown], string]>([
		['Preview', { autoStart: true, options: { preview: x } }, [false, true], 'off, item 1: on'],
		['Start Contacting Immediately', { autoStart: x }, [true, false], 'on, item 1: off'],
		['Request Key', { options: { requestKey: `=k-{{ $json.x }}` } }, [1, 2], '"k-1", item 1: "k'],
		['Name', { name: x }, ['Debtors', 'Friends'], '"Debtors", item 1: "Friends"'],
		['Start Date', { additionalFields: { startDate: x } }, days, `"${days[0]}", item 1: "`],
		['Listing', { operation: 'addContactsFromItems', listing: byId(x) }, listings, '"3f2b'],
	])(
		"'%s' differs between items: nothing is sent, and it is told with two of them",
		async (label, change, values, told) => {
			const items = [anna, ben].map((phone, at) => ({ phone, x: values[at] }));
			const said = `'${label}' differs between items (item 0: ${told}`;
			expect(failure(await fromItems(change, items))).toContain(said);
			const continued = await fromItems(change, items, { onError });
			const both = [expect.stringContaining(said), expect.stringContaining(said)];
			expect(errorsOf(requestsShown(continued))).toEqual(both);
			expect(await posts()).toEqual([]);
		},
	);

	test('an item whose own value cannot be read is refused, the others are sent', async () => {
		const start = [true, 'perhaps', undefined];
		const items = [anna, ben, carl].map((phone, at) => ({ phone, x: start[at] }));
		const result = await fromItems({ autoStart: x }, items, { onError });
		expect(errorsOf(result.json())).toEqual([
			undefined,
			expect.stringContaining("'Start Contacting Immediately' should be true or false"),
			expect.stringContaining("'Start Contacting Immediately' is empty"),
		]);
		expect((await posts()).map(({ body }) => body.contacts)).toEqual([[{ phone_number: anna }]]);
	});

	const moment = '{{ $now.toMillis() }}{{ Math.random() }}';
	const country = { defaultCountry: byId(x) };
	const national = ['415 555 0001', '030 901820'];
	test.each<[string, INodeParameters, string[], phones?: string[]]>([
		['a name in the first row alone', { name: x }, ['A', '']],
		['the time of the run in a name', { name: `${x} ${moment}` }, ['A', 'A']],
		['the country of each number', { options: country }, ['US', 'DE'], national],
		['a number to skip', { options: { skipNumbers: x } }, [carl, '+493090182001']],
	])('%s in each item: both items are sent', async (_, change, values, phones = [anna, ben]) => {
		const items = phones.map((phone, at) => ({ phone, x: values[at] }));
		ok(await fromItems(change, items));
		expect((await posts()).map(({ body }) => body.contacts.length)).toEqual([2]);
	});
});

describe('a column of truth values never becomes true by itself', () => {
	const value = '={{ $json.value }}';
	/** What is sent for each value, or why it is not. */
	const previewed = async (node: string, parameters: object, values: unknown[]) => {
		const items = values.map((one) => ({ value: one }) as never);
		const all = { ...parameters, options: { preview: true } };
		const result = await run(node, all, { items, onError });
		return requestsShown(result).map(({ body, error }) => error ?? body);
	};

	test('a field that is shown for false is read for "false" and "0", too', async () => {
		const [reason, expiresAt] = ['Asked not to be called', '2035-01-31'];
		const parameters = { contact: byId(some), reason, isPermanent: value, expiresAt };
		const given = ['false', '0', false, 'true', true];
		const sent = await previewed('acpContacts contact.blacklist', parameters, given);
		expect(sent.map(({ is_permanent: permanent, expires_at: at }) => [permanent, at])).toEqual([
			...Array(3).fill([false, expiresAt]),
			...Array(2).fill([true, undefined]),
		]);
	});

	test('a choice by its name shows the same fields as by its value, and only those are sent', async () => {
		const parameters = {
			...{ flow: byId(some), kind: value, app: byId('tables') },
			triggerKey: byId('record_created'),
			actionKey: byId('add_record'),
		};
		const kinds = ['Trigger', 'trigger', 'Action', 'action'];
		const trigger = { kind: 'trigger', app_uid: 'tables', trigger_key: 'record_created' };
		const action = { kind: 'action', app_uid: 'tables', action_key: 'add_record' };
		const sent = await previewed('acpFlows flowStep.add', parameters, kinds);
		expect(sent).toEqual([trigger, trigger, action, action]);
	});
});

test.each(['', 'America/New_York', 'Pacific/Auckland'])(
	'midnight that JavaScript made stays the date that was meant, in the zone "%s"',
	async (timezone) => {
		const midnights =
			"[new Date('2026-03-29'), '2026-03-29', '2026-03-29T00:00:00', " +
			"DateTime.fromISO('2026-03-29T00:00:00', { zone: 'Asia/Tokyo' })]";
		const parameters = {
			...{ name: 'Offer', contacts: { values: [{ phoneNumber: phoneOf(1) }] } },
			additionalFields: { startDate: `={{ ${midnights}[$itemIndex] }}` },
			options: { preview: true },
		};
		const credentials = { acpApi: sandbox.credential({ timezone }) };
		const given = { items: Array(4).fill({}), credentials };
		const shown = requestsShown(ok(await run('acpOutreach listing.create', parameters, given)));
		expect(shown.map(({ body }) => body.start_date)).toEqual(Array(4).fill('2026-03-29'));
	},
);

test('two uploads are under way at once, because each holds its file in memory', async () => {
	await sandbox.settings({ latencyMs: 300 });
	const items = Array.from({ length: 8 }, (__, at): InputItem => {
		const data = { data: Buffer.from(`file ${at}`), fileName: `${at}.txt` };
		return { json: {}, binary: { data } };
	});
	ok(await run('acpMedia media.upload', {}, { items }));
	expect(await sandbox.created('/medias')).toHaveLength(8);
	expect((await sandbox.summary()).maxInFlight).toBe(2);
});
