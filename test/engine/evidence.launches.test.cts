/** Listings that start at once: what a preview says, what running again does, and how they are stopped. */
import { countBy } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { kinds } from './guarantees/kinds.cts';
import { answer } from './guarantees/promises.cts';
import {
	agentOf,
	byId,
	fast,
	hintsOf,
	mapped,
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
beforeEach(async () => await engine.forget());
const contacts = mapped({ phone_number: '={{ $json.phone }}', name: '={{ $json.text }}' });
const launch = async (items: object[], change: INodeParameters = {}, more = {}) =>
	await run(
		kinds.launch.node,
		{ ...kinds.launch.parameters(await agentOf(sandbox)), contacts, ...change },
		{ items: items as never, ...more },
	);
const listings = async () => await sandbox.state('listings');
const posts = async (path: string) => await sandbox.ledger({ path, method: 'POST' });

describe('Evidence: a listing that runs already is taken for one that is not there', () => {
	const refused = async (items: object[], says: RegExp | string, sent = 0) => {
		expect((await launch(items)).error?.message).toMatch(says);
		expect(await posts('/listings')).toHaveLength(sent);
	};

	test('the same people under the same name: refused with name, rows and since when', async () => {
		expect(hintsOf(ok(await launch(people(3))))).toContain('starts another listing');
		// No source shows the states of a listing.
		await sandbox.change('listings', (await listings())[0].uuid, { status: 'completed' });
		await refused(
			people(3),
			/^3 of 3 items cannot be sent: A listing named "Spring offer" may be running already\. It has 3 of your 3 contacts\. 'Start Again' under Options reaches them again/,
			1,
		);
	});

	test.each<[string, INodeParameters, number]>([
		['another name', { name: 'Summer offer' }, 0],
		['Start Again', { options: { startAgain: true } }, 0],
		['Start Contacting Immediately off', { autoStart: false }, 0],
		['other people, who are all known', {}, 2],
	])('%s: it is sent', async (_, change, from) => {
		await launch(people(2));
		ok(await launch(people(4).slice(from, from + 2), change));
		expect(await listings()).toHaveLength(2);
	});

	test('other people, and its conversations are those of another listing: refused, because they prove nothing', async () => {
		await launch(people(2));
		const rows = people(4).map(({ phone }, at) => ({
			...{ uuid: `${at}`, listing_uuid: 'another', contact: { phone_number: phone } },
		}));
		await sandbox.strike('GET ^/conversations$', answer({ data: { data: rows, total: 4 } }));
		await refused(people(6).slice(4), 'It may have the same contacts', 1);
	});

	test('the list of listings cannot be read: refused, and Start Again lets it pass', async () => {
		await sandbox.strike('GET ^/listings$', { status: 403, code: 'FORBIDDEN' });
		await refused(people(1), 'It is not known whether this listing is running already');
		expect((await launch(people(1), { options: { startAgain: true } })).status).toBe('success');
	});

	test('the list of listings has more than its pages contained: refused', async () => {
		const body = { data: { data: [{ uuid: 'a', name: 'Older' }], last_page: 3 } };
		await sandbox.strike('GET ^/listings$', answer(body));
		await refused(people(1), 'more records than its pages');
	});
});

describe('Evidence: a preview is taken for a harmless run', () => {
	const agentName = async () => (await sandbox.state('agents'))[0].name;
	const previewed = async (change: INodeParameters = {}, items: object[] = people(2)) => {
		const options = { preview: true, maxRetries: 1 };
		return await launch(items, { options, ...change }, { onError: 'continueRegularOutput' });
	};

	test('the people, the agent, when, and every row', async () => {
		const rows = [...people(4), people(1)[0]!, { phone: 'nonsense', text: 'x' }];
		expect(hintsOf(await previewed({}, rows))).toContain(
			`4 people will be called by "${await agentName()}" when you run this with 'Preview' off. No outreach rule was found that limits the hours or weekdays. 4 contacts would be added to the listing, from 6 items. 1 item was merged`,
		);
		expect(await posts('/listings')).toEqual([]);
	});

	test('a rule and a first day: it says when; a rule that exists already is read for its hours', async () => {
		const own = { ruleStartTime: '9:00', ruleEndTime: '17:00', startDate: '2035-01-31' };
		expect(hintsOf(await previewed({ additionalFields: own }))).toContain(
			"Hours of its rule: 09:00 to 17:00, contacts' local time. 'Start Date' is 2035-01-31; it may not delay them.",
		);
		const rule = { name: 'Evenings', start_time: '17:30', end_time: '20:00' };
		const { data } = await sandbox.api.post('/rules', rule);
		const there = { additionalFields: { rule: byId(data.data.uuid) } };
		expect(hintsOf(await previewed(there))).toContain('Hours of its rule: 17:30 to 20:00');
	});

	test.each<[string, unknown]>([
		['unreadable', { message: 'Server busy' }],
		['without this one', { data: [] }],
	])('a list of agents that is %s: the ID, and a hint', async (_, body) => {
		await sandbox.strike('GET ^/agents$', answer(body));
		const said = hintsOf(await previewed());
		expect(said).toContain(`will be called by "${await agentOf(sandbox)}"`);
		expect(said).toContain('so the preview shows its ID');
	});

	test('without an agent: refused', async () => {
		const result = await previewed({ agent: { __rl: true, mode: 'list', value: '' } });
		expect(JSON.stringify(result.json())).toContain(
			"'Start Contacting Immediately' needs an agent",
		);
		expect(await posts('/listings')).toEqual([]);
	});
});

describe('Evidence: a task that was asked to be canceled is taken for canceled', () => {
	const stop = async (uuid: string, change: INodeParameters = {}) =>
		await run('acpOutreach listing.stop', { listing: byId(uuid), ...change });
	const statuses = async (listing: string) =>
		countBy(
			(await sandbox.state('tasks')).filter((one) => one.listing_uuid === listing),
			'status',
		);
	const launched = async (count: number, name = 'Mine', change: INodeParameters = {}) =>
		String((await launch(people(count), { name, ...change })).json()[0].uuid);
	const campaignOf = async (listing: string) =>
		byId((await listings()).find(({ uuid }) => uuid === listing).campaign_uuid);

	test('150 tasks of a listing: what has not begun is canceled, another listing goes on', async () => {
		const mine = await launched(150);
		const other = await launched(5, 'Other');
		const result = ok(await stop(mine));
		expect(result.json()).toMatchObject([
			{ listing: mine, stopped: true, tasks: 150, canceled: 148, underWay: 2, notCanceled: 0 },
		]);
		const said = '148 tasks were canceled, 2 are in progress and go on.';
		expect(result.json()[0].message).toBe(said);
		expect(await statuses(mine)).toEqual({ cancelled: 148, in_progress: 2 });
		expect(await statuses(other)).toEqual({ queued: 5 });
		await sandbox.clearLedger();
		expect((await stop(mine)).json()[0]).toMatchObject({ canceled: 0, over: 148, stopped: true });
		expect(await sandbox.ledger({ method: 'POST' })).toEqual([]);
	});

	test('the platform refuses some, and takes others without doing it: told by name', async () => {
		const mine = await launched(6);
		await sandbox.strike('POST /cancel$', { status: 409, code: 'INVALID_STATE' }, { nth: 1 });
		await sandbox.strike('POST /cancel$', answer({ success: true, data: {} }), { nth: 2 });
		const [told] = (await stop(mine)).json();
		expect(told).toMatchObject({ stopped: false, canceled: 2, underWay: 2, notCanceled: 2 });
		expect(told.reasons.match(/queued/g)).toHaveLength(2);
		expect(told.reasons).toContain('still lists it as before');
	});

	test('the platform agrees, and a task is carried out all the same: not counted as canceled', async () => {
		const mine = await launched(4);
		const data = (await sandbox.state('tasks')).map(({ status, ...task }) => ({
			...task,
			status: status === 'queued' ? 'completed' : status,
		}));
		const body = { data: { data, total: data.length } };
		await sandbox.strike('GET ^/tasks$', answer(body), { nth: [2, 3] });
		const [told] = (await stop(mine)).json();
		expect(told).toMatchObject({ tasks: 4, canceled: 0, underWay: 2, over: 2 });
		expect(told.message).toContain('2 ended although the platform accepted this');
	});

	test('Preview: the tasks are named and none is canceled', async () => {
		const mine = await launched(5);
		const result = await stop(mine, { options: { preview: true } });
		expect(hintsOf(result)).toContain('3 tasks would be canceled. Nothing was changed.');
		expect(
			requestsShown(result).map(({ url, task_status: status }) => [url.split('/').at(-1), status]),
		).toEqual(Array.from({ length: 3 }, () => ['cancel', 'queued']));
		expect(await statuses(mine)).toEqual({ in_progress: 2, queued: 3 });
	});

	test('a list of tasks that lacks some: there may be more', async () => {
		const mine = await launched(2);
		await sandbox.strike('GET ^/tasks$', answer({ data: { data: [], total: 5 } }));
		const [told] = (await stop(mine, { campaign: await campaignOf(mine) })).json();
		expect(told).toMatchObject({ stopped: false });
		expect(told.message).toContain('There may be more, because the list has more records');
	});

	test('nothing shows the campaign: refused in words, and it can be chosen', async () => {
		const result = await stop(await launched(2, 'Other', { autoStart: false }));
		expect(result.error?.message).toContain('Nothing on the platform shows which campaign');
		const mine = await launched(4);
		const campaign = await campaignOf(mine);
		expect((await stop(mine, { campaign })).json()[0]).toMatchObject({ canceled: 2 });
	});
});
