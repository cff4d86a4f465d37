/** Listings that start at once: what a preview says, what running again does, and how they are stopped. */
import type { INodeParameters } from 'n8n-workflow';
import {
	agentOf,
	byId,
	failure,
	fast,
	hintsOf,
	people,
	ok,
	requestsShown,
} from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({
	settings: { ...fast, call: { lifeMs: 3_600_000, liveLimit: 2 } },
	speed: 10,
});
// A process remembers what it has launched.
beforeEach(async () => {
	await engine.forget();
});
const columns = { phone_number: '={{ $json.phone }}', name: '={{ $json.text }}' };
const outreach = async (
	operation: string,
	parameters: INodeParameters,
	items: object[] = [{}],
	more = {},
) =>
	await run(
		'acpOutreach',
		{ resource: 'listing', operation, ...parameters },
		{ items: items as never, ...more },
	);
const launch = async (items: object[], change: INodeParameters = {}, more = {}) =>
	await outreach(
		'createFromItems',
		{
			name: 'Spring offer',
			autoStart: true,
			agent: byId(await agentOf(sandbox)),
			campaignType: 'call',
			contacts: { mappingMode: 'defineBelow', value: columns } as never,
			...change,
		},
		items,
		more,
	);
const listings = async () => await sandbox.state('listings');
const posts = async (path: string) => await sandbox.ledger({ path, method: 'POST' });

describe('Evidence: a listing that runs already is taken for one that is not there', () => {
	test('the same people under the same name: refused with name, rows and since when', async () => {
		expect(hintsOf(ok(await launch(people(3))))).toContain('starts another listing');
		// No source shows the states of a listing.
		await sandbox.change('listings', (await listings())[0].uuid, { status: 'completed' });
		const again = await launch(people(3));
		expect(again.error?.message).toMatch(
			/^3 of 3 items cannot be sent: A listing named "Spring offer" may be running already\. It reached 3 of these 3\. 'Start Again' under Options reaches them a second time/,
		);
		expect(await posts('/listings')).toHaveLength(1);
	});

	test.each([
		['another name', { name: 'Summer offer' }],
		['Start Again', { options: { startAgain: true } }],
		['Start Contacting Immediately off', { autoStart: false }],
	])('%s: it is sent', async (_, change) => {
		await launch(people(2));
		expect(failure(await launch(people(2), change))).toBeUndefined();
		expect(await listings()).toHaveLength(2);
	});

	test.each([
		['other people, all known: it is sent', {}, true],
		[
			'other people, and nobody knows whether they are all: refused',
			{ contact_uuids: ['x', 'y', 'z'] },
			false,
		],
	])('%s', async (_, change, isSent) => {
		await launch(people(2));
		const [first] = await listings();
		await sandbox.change('listings', first.uuid, change);
		const others = people(4).slice(2);
		const result = await launch(others);
		expect(result.status).toBe(isSent ? 'success' : 'error');
		expect(await posts('/listings')).toHaveLength(isSent ? 2 : 1);
	});

	test('the platform shows conversations of another listing: they prove nothing', async () => {
		await launch(people(2));
		const rows = people(4).map(({ phone }, at) => ({
			uuid: `${at}`,
			listing_uuid: 'another',
			contact: { phone_number: phone },
		}));
		const body = { success: true, data: { data: rows, total: rows.length } };
		await sandbox.strike('GET ^/conversations$', { status: 200, body });
		const result = await launch(people(6).slice(4));
		expect(result.error?.message).toContain('Nothing shows that its contacts differ');
		expect(await posts('/listings')).toHaveLength(1);
	});

	test.each([
		['403', { kind: 'status', status: 403, code: 'FORBIDDEN' }],
		['a web page', { kind: 'html', status: 404 }],
	] as const)(
		'the list of listings cannot be read (%s): refused, and Start Again lets it pass',
		async (_, fault) => {
			await sandbox.strike('GET ^/listings$', fault);
			const refused = await launch(people(1));
			expect(refused.error?.message).toContain(
				'It is not known whether this listing is running already',
			);
			expect(await posts('/listings')).toEqual([]);
			expect((await launch(people(1), { options: { startAgain: true } })).status).toBe('success');
		},
	);

	test('the platform lists only some of its listings: refused', async () => {
		await sandbox.addMany('listings', 100, (index) => ({
			name: `Older ${index}`,
			contact_uuids: [],
		}));
		expect((await launch(people(1))).error?.message).toContain('returned a page of the list twice');
		expect(await posts('/listings')).toEqual([]);
	});

	test('the list of listings has more than its pages contained: refused', async () => {
		const body = { data: { data: [{ uuid: 'a', name: 'Older' }], last_page: 3 } };
		await sandbox.strike('GET ^/listings$', { status: 200, body });
		expect((await launch(people(1))).error?.message).toContain('more records than its pages');
		expect(await posts('/listings')).toEqual([]);
	});

	test('a try of the same execution failed: retrying it is not refused', async () => {
		await sandbox.strike('POST ^/listings$', { status: 403, code: 'FORBIDDEN' }, { times: 1 });
		const failed = await launch(people(2));
		ok(await engine.retry(failed));
		expect(await listings()).toHaveLength(1);
	});
});

describe('Evidence: a preview is taken for a harmless run', () => {
	const agentName = async () => (await sandbox.state('agents'))[0].name;
	const rows = [...people(4), people(1)[0]!, { phone: 'nonsense', text: 'x' }];
	const previewed = async (change: INodeParameters = {}, options: object = {}) => {
		const result = await launch(
			rows,
			{ options: { preview: true, ...options }, ...change },
			{ onError: 'continueRegularOutput' },
		);
		return hintsOf(result);
	};

	test('Start Contacting Immediately on: the people, the agent, when, and every row', async () => {
		const summary = await previewed();
		expect(summary).toContain(
			`4 people will be called by "${await agentName()}" as soon as you turn 'Preview' off. No rule that was read limits the hours or weekdays. 4 contacts would be added to the listing, from 6 items. 1 item was merged`,
		);
		expect(await posts('/listings')).toEqual([]);
	});

	test.each<[string, INodeParameters, string]>([
		['no rule', {}, "Preview' off. No rule that was read limits"],
		[
			'a rule and a first day',
			{ ruleStartTime: '9:00', ruleEndTime: '17:00', startDate: '2035-01-31' },
			"Hours of its rule: 09:00 to 17:00, contacts' local time. 'Start Date' is 2035-01-31; it may not delay them.",
		],
	])('Start Contacting Immediately on, %s: it says when', async (_, additionalFields, says) => {
		expect(await previewed({ additionalFields })).toContain(says);
	});

	test('a rule that exists already is read for its hours', async () => {
		const rule = { name: 'Evenings', start_time: '17:30', end_time: '20:00' };
		const { data } = await sandbox.api.post('/rules', rule);
		const additionalFields = { rule: byId(data.data.uuid) } as never;
		expect(await previewed({ additionalFields })).toContain('Hours of its rule: 17:30 to 20:00');
	});

	test.each<[string, unknown, number | undefined, boolean]>([
		['a list of agents that is unreadable once: read again', { message: 'Server busy' }, 1, true],
		[
			'a list of agents that is unreadable: the ID, and a hint',
			{ message: 'Server busy' },
			undefined,
			false,
		],
		['a list of agents without this one: the ID, and a hint', { data: [] }, undefined, false],
	])('%s', async (_, body, nth, isNamed) => {
		await sandbox.strike('GET ^/agents$', { status: 200, body }, { nth });
		const result = await launch(people(2), { options: { preview: true, maxRetries: 1 } });
		const shown = isNamed ? await agentName() : await agentOf(sandbox);
		expect(hintsOf(result)).toContain(`will be called by "${shown}"`);
		expect(hintsOf(result).includes('so the preview shows its ID')).toBe(!isNamed);
	});

	test('Start Contacting Immediately off: nobody is reached yet', async () => {
		const summary = await previewed({ autoStart: false });
		expect(summary).toContain(
			"Nobody is reached yet, because 'Start Contacting Immediately' is off.",
		);
		expect(summary).not.toContain('will be');
	});

	test('Start Contacting Immediately without an agent: refused', async () => {
		const result = await launch(people(2), {
			agent: { __rl: true, mode: 'list', value: '' },
			options: { preview: true },
		});
		expect(result.error?.message).toContain("'Start Contacting Immediately' needs an agent");
		expect(await posts('/listings')).toEqual([]);
	});
});

describe('Evidence: a task that was asked to be canceled is taken for canceled', () => {
	const stop = async (uuid: string, change: INodeParameters = {}) =>
		await outreach('stop', { listing: byId(uuid), ...change });
	const statuses = async (listing: string) => {
		const tasks = await sandbox.state('tasks');
		const counts: Record<string, number> = {};
		for (const task of tasks.filter((one) => one.listing_uuid === listing))
			counts[task.status] = (counts[task.status] ?? 0) + 1;
		return counts;
	};
	const launched = async (name: string, count = 150) => {
		const [made] = (await launch(people(count), { name })).json();
		return String(made.uuid);
	};

	test('150 tasks of a listing: what has not begun is canceled, another listing goes on', async () => {
		const mine = await launched('Mine');
		const other = await launched('Other', 5);
		const result = ok(await stop(mine));
		expect(result.json()).toEqual([
			{
				listing: mine,
				stopped: true,
				tasks: 150,
				canceled: 148,
				underWay: 2,
				over: 0,
				notCanceled: 0,
				reasons: '',
				notTouched: 0,
				campaigns: expect.any(String),
				message: '148 tasks were canceled, 2 are in progress and go on.',
			},
		]);
		expect(await statuses(mine)).toEqual({ cancelled: 148, in_progress: 2 });
		expect(await statuses(other)).toEqual({ queued: 5 });
		expect(hintsOf(result)).toContain('148 tasks were canceled');

		await sandbox.clearLedger();
		expect((await stop(mine)).json()[0]).toMatchObject({ canceled: 0, over: 148, stopped: true });
		expect((await sandbox.ledger({ method: 'POST' })).length).toBe(0);
	});

	test('the platform refuses some, and takes others without doing it: told by name', async () => {
		const mine = await launched('Mine', 6);
		await sandbox.strike('POST /cancel$', { status: 409, code: 'INVALID_STATE' }, { nth: 1 });
		await sandbox.strike(
			'POST /cancel$',
			{ status: 200, body: { success: true, data: {} } },
			{ nth: 2 },
		);
		const [told] = (await stop(mine)).json();
		expect(told).toMatchObject({ stopped: false, canceled: 2, underWay: 2 });
		expect(told.notCanceled).toBe(2);
		expect(told.reasons.match(/queued/g)).toHaveLength(2);
		expect(told.reasons).toContain('still lists it as before');
	});

	test('the platform agrees, and a task is carried out all the same: not counted as canceled', async () => {
		const mine = await launched('Mine', 4);
		const tasks = await sandbox.state('tasks');
		const data = tasks.map((task) => ({
			...task,
			status: task.status === 'queued' ? 'completed' : task.status,
		}));
		await sandbox.strike(
			'GET ^/tasks$',
			{ status: 200, body: { data: { data, total: data.length } } },
			{ nth: [2, 3] },
		);
		const [told] = (await stop(mine)).json();
		expect(told).toMatchObject({ tasks: 4, canceled: 0, underWay: 2, over: 2 });
		expect(told.message).toContain('2 ended although the platform accepted this');
	});

	test('Preview: the tasks are named and none is canceled', async () => {
		const mine = await launched('Mine', 5);
		const result = await stop(mine, { options: { preview: true } });
		expect(hintsOf(result)).toContain('3 tasks would be canceled. Nothing was changed.');
		expect(
			requestsShown(result).map(({ url, task_status: status }) => [url.split('/').at(-1), status]),
		).toEqual(Array.from({ length: 3 }, () => ['cancel', 'queued']));
		expect(await statuses(mine)).toEqual({ in_progress: 2, queued: 3 });
	});

	test('a list of tasks that lacks some: there may be more', async () => {
		const mine = await launched('Mine', 2);
		const body = { data: { data: [], total: 5 } };
		await sandbox.strike('GET ^/tasks$', { status: 200, body });
		const [{ campaign_uuid: campaign }] = await listings();
		const [told] = (await stop(mine, { campaign: byId(campaign) })).json();
		expect(told).toMatchObject({ stopped: false });
		expect(told.message).toContain('There may be more, because the list has more records');
	});

	test('nothing shows the campaign: refused in words, and it can be chosen', async () => {
		const [made] = (await launch(people(2), { autoStart: false })).json();
		const result = await stop(String(made.uuid));
		expect(result.error?.message).toContain('Nothing on the platform shows which campaign');
		expect(
			(await sandbox.ledger({ method: 'POST' })).filter(({ path }) => path.endsWith('/cancel')),
		).toEqual([]);
		const mine = await launched('Mine', 4);
		const [{ campaign_uuid: campaign }] = (await listings()).filter(({ uuid }) => uuid === mine);
		expect((await stop(mine, { campaign: byId(campaign) })).json()[0]).toMatchObject({
			canceled: 2,
		});
	});
});
