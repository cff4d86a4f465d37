/**
 * The example that calls until somebody is reached, hour by hour in a real n8n: who is called when, how often, and what
 * ends it.
 */
import assert from '../asserted.mjs';
import { after, before, describe, test } from 'node:test';
import { jsonOf } from '../../tools/files.mjs';
import { openWorkspace } from '../../tools/workspace.mjs';
import { blacklisted } from './support/steps.mjs';

const zone = 'Asia/Tokyo';
/** What a clock in a time zone shows. @param {Intl.DateTimeFormatOptions} options */
const clock = (options, timeZone = zone) =>
	new Intl.DateTimeFormat('en-CA', { timeZone, ...options }).format(new Date());
const hour = () => Number(clock({ hour: '2-digit', hourCycle: 'h23' }));
const today = () => clock({ dateStyle: 'short' });
/** Monday is 1. */
const weekday = () => new Date(`${today()}T00:00:00Z`).getUTCDay() || 7;

let workspace;
/** The workflow. @type {string} */
let id;

before(async () => (workspace = await openWorkspace({ shares: true })));
after(async () => await workspace?.close());

/**
 * The workflow with rules under which a person in `zone` may be called, tables made.
 * @param {Record<string, string>} [rules] that differ
 * @param {Record<string, string>} [outcomeByNumber]
 */
async function begin(rules = {}, outcomeByNumber = {}) {
	await workspace.begin({ call: { lifeMs: 50, outcomeByNumber } });
	const example = jsonOf('examples', 'call-until-reached.json');
	const all = { from: '0', until: '24', days: '1234567', hoursBetween: '0', ...rules };
	id = await workspace.importExample({ ...example, pinData: {} }, ({ name, parameters }) => {
		if (name !== 'My Rules') return;
		for (const rule of parameters.assignments.assignments)
			rule.value = all[rule.name] ?? rule.value;
	});
	await workspace.run(id, 'Run Once');
}

async function add(table, ...data) {
	const { id: place } = await workspace.host.findDataTable(table);
	const path = await workspace.host.dataTablesPath();
	await workspace.host.request('POST', `${path}/${place}/insert`, { data });
}

const person = (phone_number, more = {}) => ({
	name: 'Ada',
	phone_number,
	zone,
	about: 'asked for a garden',
	state: 'open',
	...more,
});

/** An hour passes: calls that have been placed end, and the workflow runs. @returns {Promise<string[]>} who was called */
async function hourPasses() {
	const before = (await called()).length;
	await workspace.run(id, 'Every Hour');
	const all = await workspace.sandbox.control('GET /state/conversations');
	for (const { uuid } of all) await workspace.closed(uuid);
	return (await called()).slice(before);
}

const called = async () =>
	(await workspace.created('/call')).map(({ body }) => body.participant.number);
const states = async () =>
	Object.fromEntries(
		(await workspace.rows('People to reach')).map((row) => [row.phone_number, row.state]),
	);
const attempts = async () => await workspace.rows('Call attempts');

describe('Call until reached', () => {
	const [ada, ben, cem] = ['+12125550101', '+12125550102', '+12125550103'];

	test('who is reached is done; who is not, or a voicemail, is called until the tries are used up', async () => {
		const outcomes = { '0101': 'interested', '0102': 'no_answer', '0103': 'voicemail' };
		await begin({ mostTries: '2' }, outcomes);
		await add('People to reach', person(ada), person(ben), person(cem));
		assert.deepEqual((await hourPasses()).sort(), [ada, ben, cem]);
		assert.deepEqual((await hourPasses()).sort(), [ben, cem]);
		assert.deepEqual(await hourPasses(), []);
		assert.deepEqual(await states(), {
			[ada]: 'reached',
			[ben]: 'tries used up',
			[cem]: 'tries used up',
		});
		assert.deepEqual(
			(await attempts()).map(({ number, attempt, outcome }) => [number, attempt, outcome]).sort(),
			[
				[ada, 1, 'reached'],
				[ben, 1, 'not reached'],
				[ben, 2, 'not reached'],
				[cem, 1, 'voicemail'],
				[cem, 2, 'voicemail'],
			],
		);
		const [{ summary, recording, seconds }] = await attempts();
		assert.match(summary, /interested/);
		assert.match(recording, /\.wav$/);
		assert.ok(seconds > 0);
	});

	test('the hours between two tries are kept', async () => {
		await begin({ hoursBetween: '4' }, { '0102': 'no_answer' });
		await add('People to reach', person(ben));
		assert.deepEqual(await hourPasses(), [ben]);
		assert.deepEqual(await hourPasses(), []);
		const [{ next, state }] = await workspace.rows('People to reach');
		assert.equal(state, 'open');
		const hours = (Date.parse(next) - Date.now()) / 3_600_000;
		assert.ok(hours > 2.9 && hours <= 4, next);
	});

	test('hours, days and holidays count where the person is', async () => {
		const now = hour();
		await begin({ from: String(now), until: String(now + 1), days: String(weekday()) });
		const elsewhere = person(ben, { zone: 'America/Los_Angeles' });
		await add('People to reach', person(ada), elsewhere, person(cem, { zone: '' }));
		assert.deepEqual(await hourPasses(), [ada], 'another hour there, and no zone');

		await begin({ days: '1234567'.replace(String(weekday()), '') });
		await add('People to reach', person(ada));
		assert.deepEqual(await hourPasses(), [], 'not on this day');

		await begin();
		await add('Holidays', { day: '2020-01-01' }, { day: today() });
		await add('People to reach', person(ada));
		assert.deepEqual(await hourPasses(), [], 'a holiday');
	});

	test('who said no, or gets another state by hand, is not called', async () => {
		await begin({}, { '0102': 'no_answer' });
		await add('People to reach', person(ada), person(ben), person(cem, { state: 'moved away' }));
		await blacklisted(ada)({ sandbox: workspace.sandbox });
		assert.deepEqual(await hourPasses(), [ben]);
		assert.deepEqual(await states(), { [ada]: 'said no', [ben]: 'calling', [cem]: 'moved away' });
		await blacklisted(ben)({ sandbox: workspace.sandbox });
		assert.deepEqual(await hourPasses(), []);
		assert.deepEqual((await states())[ben], 'said no');
		assert.equal((await attempts()).length, 1);
	});

	test('what was not written down is not called again, and goes on', async () => {
		await begin({}, { '0102': 'no_answer' });
		await add('People to reach', person(ben));
		await hourPasses();
		// As if n8n had ended right after the call.
		const tables = await workspace.host.dataTablesPath();
		const place = await workspace.host.findDataTable('People to reach');
		await workspace.host.request('PATCH', `${tables}/${place.id}/rows`, {
			filter: { type: 'and', filters: [{ columnName: 'id', condition: 'eq', value: 1 }] },
			data: { state: 'open', tries: 0 },
		});
		assert.deepEqual(await hourPasses(), []);
		assert.deepEqual(await hourPasses(), [ben], 'the second try');
		assert.deepEqual(
			(await attempts()).map(({ attempt }) => attempt),
			[1, 2],
		);
	});
});
