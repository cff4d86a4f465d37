/** Outreach Lists: listings from rows, tasks and campaigns with rules of their own, and how a listing is doing. */
import type { INodeParameters } from 'n8n-workflow';
import { until, usePlatform } from './harness/index.cts';
import { cases, refusals } from './guarantees/cases.cts';
import { agentOf, byId, hintsOf, mapped, ok, phoneOf } from './guarantees/scene.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox, run } = platform;

describe('a listing', () => {
	const lead = (index: number) => ({ phone: phoneOf(index), who: `Lead ${index}` });
	const contacts = mapped({ phone_number: '={{ $json.phone }}', name: '={{ $json.who }}' });
	const error = { code: 'VALIDATION_ERROR', field: 'contacts.1.phone_number' };
	const body = { success: false, message: 'The number is blocked.', error };
	const byHand = (rows: object[], additionalFields: object = {}) =>
		({ name: 'By hand', contacts: { values: rows }, additionalFields }) as never;
	const anna = { phoneNumber: '+14155550001', name: 'Anna' };
	const [wrong, nobody] = [{ phoneNumber: '555-1' }, { name: 'Ben' }];
	const backwards = { startDate: '2027-03-01', endDate: '2027-02-01' };
	const istanbul = { timezone: 'Europe/Istanbul' };
	const without = (given: INodeParameters) => ({
		node: 'acpOutreach listing.create',
		parameters: { name: 'Later', contacts: given },
		items: [{ people: { values: [anna] } }],
		hints:
			/^The listing was created without contacts\. If you set the whole field 'Contacts' by an expression, n8n ignored it: use 'Create From Items' instead\.$/,
		got: { 'POST /listings': [{ name: 'Later', auto_start: false, contacts: [] }] },
	});

	cases(platform, {
		// interface: §7 VALIDATION_ERROR
		'what the platform refuses in a row is told with the item that the row was made from': {
			node: 'acpOutreach listing.createFromItems',
			parameters: { name: 'Spring offer', contacts },
			items: [lead(0), lead(0), lead(1)],
			strikes: [['POST ^/listings$', { status: 422, body }]],
			fails:
				"The platform did not accept 'Contacts › Phone Number' of +14155550001 (item 2): The number is blocked",
		},
		'without contacts: it is made, and a hint says what to do': without({}),
		'one expression for all contacts, which n8n ignores: the same': without(
			'={{ $json.people }}' as never,
		),
		// interface: §4.4 listings; §8 rule 5
		'rows by hand, with fields of the workspace: nothing is said': {
			node: 'acpOutreach listing.create',
			parameters: byHand([
				{ ...anna, ...istanbul, customFields: '{"company": "Example Ltd"}' },
				{ email: 'ben@example.com' },
			]),
			hints: /^$/,
			got: {
				'POST /listings': [
					expect.objectContaining({
						contacts: [
							{ phone_number: anna.phoneNumber, name: 'Anna', ...istanbul, company: 'Example Ltd' },
							{ email: 'ben@example.com' },
						],
					}),
				],
			},
		},
		...refusals('acpOutreach', [
			['listing.create', byHand([anna, wrong]), "'Contacts 2 › Phone Number' is not"],
			['listing.create', byHand([anna, nobody]), "'Contacts 2' has neither a phone number"],
			['listing.create', byHand([anna], backwards), "'End Date' is before 'Start Date'"],
		]),
	});
});

describe('a task', () => {
	const task = async (more: object = {}, additionalFields: object = {}) => ({
		node: 'acpOutreach task.create',
		parameters: {
			...{ title: 'Remind', type: 'send_message', agent: byId(await agentOf(sandbox)) },
			...{ scheduledAt: '2100-05-01T09:30:00Z', phoneNumber: '+14155550001' },
			...{ ...more, additionalFields },
		} as never,
	});
	const at = '2100-05-01T10:00:00';

	cases(platform, {
		// interface: §2.1 rule 3
		'times without an offset are those of its own zone, and others stay': async () => ({
			...(await task(
				{ type: 'make_call', scheduledAt: '={{ $json.at }}' },
				{ timezone: 'Asia/Tokyo', expiresAt: '2100-05-02T10:00:00' },
			)),
			items: [{ at }, { at: `${at}Z` }],
			chosen: { timezone: 'Europe/Istanbul' },
			got: {
				'POST /tasks': [`${at}+09:00`, `${at}+00:00`].map((scheduled_at) =>
					expect.objectContaining({ scheduled_at, expires_at: '2100-05-02T10:00:00+09:00' }),
				),
			},
		}),
		'an offset is compared with the clock of its own zone': async () => ({
			...(await task({ scheduledAt: `${at}+03:00` }, { timezone: '={{ $json.zone }}' })),
			items: [{ zone: 'Europe/Istanbul' }, { zone: 'Asia/Tokyo' }],
			chosen: { timezone: 'Asia/Kolkata' },
			hints: /10:00 with the offset \+03:00, which is 2100-05-01 16:00 in Asia\/Tokyo\. If/,
		}),
		'a zone that tells no moment is refused': async () => ({
			...(await task({}, { timezone: 'Tokyo Standard Time' })),
			refused: /'Timezone' is not a time zone/,
		}),
		'a template makes the data of the message': async () => {
			const [{ uuid }] = await sandbox.state('whatsapp_templates');
			const task_data = { message_type: 'whatsapp_template', template_uuid: uuid };
			const contact = { phone_number: '+14155550001' };
			const sent = expect.objectContaining({ contact, task_data });
			return {
				...(await task({}, { template: byId(uuid) })),
				hints: /^$/,
				got: { 'POST /tasks': [sent] },
			};
		},
		'a message without a template: a hint says that it names none': async () => ({
			...(await task()),
			hints:
				"The task names no template to send. Choose one in 'Template' under Additional Fields.",
		}),
	});
});

describe('a campaign', () => {
	const uuid = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
	const create = (agent: unknown, agent_id: unknown) => ({
		node: 'acpOutreach campaign.create',
		parameters: { name: 'Spring', additionalFields: { agent: byId(agent) } },
		got: { 'POST /campaigns': [{ name: 'Spring', agent_id }] },
	});

	const named = { name: 'Spring', additionalFields: { agent: '={{ "Anna" }}' } };

	cases(platform, {
		'its agent is sent as a number in one variant': create(' 12 ', 12),
		'as an ID in the other': create(uuid, uuid),
		...refusals('acpOutreach', [
			['campaign.create', named, 'It is a number, or an ID with dashes'],
		]),
		'an answer that is lost: it is found, not made twice, beside an older one of the name':
			async () => {
				const { node } = create('', '');
				const parameters = { name: 'Spring' };
				await run(node, parameters);
				const there = (await sandbox.state('campaigns')).length + 1;
				return {
					...{ node, parameters, strikes: [['POST ^/campaigns$', 'reset-after', { times: 1 }]] },
					...{ sent: { 'POST /campaigns': 1 }, there: { campaigns: there } },
				};
			},
	});
});

describe('how a listing is doing', () => {
	const numbers = ['0101', '0102', '0103', '0104', '0105'].map((end) => `+1415555${end}`);
	const [one, other, third] = ['555555555555', '666666666666', '777777777777'].map(
		(end) => `11111111-2222-4333-8444-${end}`,
	);

	/** A listing that has been started. @returns its uuid, and the campaign that came of it */
	async function started(call: object, contacts = numbers) {
		await sandbox.settings({ call });
		const { data } = await sandbox.api.post('/listings', {
			...{ name: 'Spring offer', agent_uuid: await agentOf(sandbox), auto_start: true },
			contacts: contacts.map((phone_number) => ({ phone_number })),
		});
		return { listing: data.data.uuid as string, campaign: data.data.campaign_uuid as string };
	}
	/** A listing of three whose calls have all ended, beside a conversation that came of no listing. */
	async function ended() {
		const outcomeByNumber = { '0101': 'interested', '0102': 'no_answer', '0103': 'voicemail' };
		const { listing } = await started({ lifeMs: 50, outcomeByNumber }, numbers.slice(0, 3));
		const participant = { number: '+14155559999' };
		await sandbox.api.post('/call', { agentId: await agentOf(sandbox), participant });
		await until('all calls to end', async () => {
			const all = await sandbox.state('conversations');
			return all.length > 3 && all.every(({ status }) => status === 'Closed');
		});
		return listing;
	}
	const summary = async (listing: string, more: INodeParameters = {}) => {
		const result = ok(
			await run('acpOutreach listing.getSummary', { listing: byId(listing), ...more }),
		);
		expect(result.json()).toHaveLength(1);
		return { record: result.json()[0], hints: hintsOf(result) };
	};

	test('reached, not reached and in progress add up; each status is counted', async () => {
		const listing = await ended();
		const known = await summary(listing);
		const calls = (await sandbox.state('conversations')).filter(
			(one) => one.listing_uuid === listing,
		);
		expect(known.record).toMatchObject({
			contacts: 3,
			reached: 2,
			inProgress: 0,
			notReached: 1,
			notBegun: 0,
			unclear: 0,
			conversations: 3,
			talkSeconds: calls.reduce((sum, { call }) => sum + call.duration, 0),
			byStatus: 'completed: 2, no-answer: 1',
			tasksByStatus: 'completed: 3',
			unknown: '',
		});
		expect(known.hints).toBe('');
		expect(Date.parse(known.record.firstAt)).toBeLessThanOrEqual(Date.parse(known.record.lastAt));
		// The same where the platform does not know the filter by listing.
		await sandbox.settings({ manners: { ignoreGuesses: true } });
		expect(await summary(listing)).toEqual(known);
		const later = await summary(listing, { filters: { createdAfter: '2040-01-01T00:00:00Z' } });
		expect(later.record.conversations).toBe(0);
	});

	test('what is live, what waits for a line, and what has not begun', async () => {
		const { listing, campaign } = await started({ lifeMs: 60_000_000, liveLimit: 3 });
		const tasks = await sandbox.state('tasks');
		const conversations = await sandbox.state('conversations');
		/** A task comes to its end, and so does its conversation. */
		const end = async (index: number, status: string, ofCall: string) => {
			const { uuid } = tasks[index];
			const of = conversations.find(({ task_uuids: uuids }) => uuids.includes(uuid));
			const call = { ...of.call, status: ofCall };
			await sandbox.change('conversations', of.uuid, { status: 'Closed', call });
			await sandbox.change('tasks', uuid, { status });
		};
		// Nobody has called the sixth and the seventh contact; the first is to be called again; the fifth was called off.
		const task = (contact_uuid: string, status: string) =>
			sandbox.add('tasks', { campaign_uuid: campaign, contact_uuid, status });
		await task(one!, 'scheduled');
		await task(other!, 'scheduled');
		await end(0, 'failed', 'no-answer');
		await task(tasks[0].contact_uuid, 'pending');
		await end(1, 'failed', 'busy');
		await sandbox.api.post(`/tasks/${tasks[4].uuid}/cancel`, {});
		expect((await summary(listing, { contactCount: 9 })).record).toMatchObject({
			contacts: 9,
			reached: 0,
			inProgress: 3,
			notReached: 2,
			notBegun: 2 + 2,
			unclear: 0,
			tasksByStatus: 'failed: 2, scheduled: 2, cancelled: 1, in_progress: 1, pending: 1, queued: 1',
		});
	});

	test.each([
		[{}, { contacts: null, notBegun: null }, /^How many contacts.* campaign's tasks could not be/],
		[
			{ contactCount: 10 },
			{ contacts: 10, notBegun: 7 },
			/^[^.]*campaign's tasks could not be read/,
		],
	])('tasks that cannot be read (%j): what nobody knows is said', async (more, known, says) => {
		const listing = await ended();
		await sandbox.settings({ manners: { unreadable: ['/tasks'] } });
		const { record, hints } = await summary(listing, more);
		expect(record).toMatchObject({ ...known, reached: 2, notReached: 1, tasksByStatus: null });
		expect(hints).toMatch(says);
		expect(record.unknown).toBe(hints);
	});

	test('before the first conversation nothing is counted, and the reason is said', async () => {
		const { record } = await summary(third!, { contactCount: 5 });
		expect(record).toMatchObject({ contacts: 5, reached: 0, notBegun: 5, conversations: 0 });
		expect(record).toMatchObject({ firstAt: null, lastAt: null, tasksByStatus: null });
		expect(record.unknown).toMatch(/^This listing has no conversations yet/);
	});
});
