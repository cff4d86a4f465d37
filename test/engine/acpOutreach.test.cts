import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { nodes, parametersOf } from '../../tools/operations.cjs';
import { until, usePlatform, type LedgerEntry, type Result } from './harness/index.cts';
import { byId as id, requestsShown } from './guarantees/scene.cts';

const { sandbox, engine, run } = usePlatform({ speed: 10 });
const node = 'n8n-nodes-agent-conversation-platform.acpOutreach';
const columns = (value: Record<string, string>) => ({
	mappingMode: 'defineBelow',
	value,
	schema: [],
});

const firstAgent = async () => String((await sandbox.state('agents'))[0].agent_uuid);
const posts = async (path: string): Promise<LedgerEntry[]> =>
	await sandbox.ledger({ path, method: 'POST' });
const lead = (index: number) => ({
	phone: `+1415555${String(1000 + index)}`,
	who: `Lead ${index}`,
	firm: `Firm ${index}`,
});

const fromItems = (parameters: INodeParameters = {}): INodeParameters => ({
	resource: 'listing',
	operation: 'createFromItems',
	name: 'Spring offer',
	contacts: columns({
		phone_number: '={{ $json.phone }}',
		name: '={{ $json.who }}',
		company: '={{ $json.firm }}',
	}) as never,
	...parameters,
});

const errorOf = (result: Result) => `${result.error?.message} ${result.error?.description}`;

describe('a listing from all input items', () => {
	// interface: §4.4 listings; §8 rule 5
	test('one request holds every item as a contact, with custom fields, rule and dates', async () => {
		const agent = await firstAgent();
		const [rule] = (await sandbox.api.post('/rules', { name: 'Office hours' })).data.data
			? [(await sandbox.api.get('/rules')).data.data.data[0]]
			: [];
		await sandbox.clearLedger();
		const result = await run(
			node,
			fromItems({
				agent: id(agent),
				campaignType: 'call',
				additionalFields: {
					description: 'Everybody of the fair',
					startDate: '2027-02-22T00:00:00.000Z',
					endDate: '2027-03-22',
					rule: id(rule.uuid),
					ruleMaxCallsPerDay: 2,
					ruleStartTime: '9:30',
				},
			}),
			{ items: Array.from({ length: 100 }, (_, index) => lead(index)) },
		);
		expect(errorOf(result)).toBe('undefined undefined');
		const sent = await posts('/listings');
		expect(sent).toHaveLength(1);
		const { contacts, request_key: key, ...rest } = sent[0]!.body;
		expect(rest).toEqual({
			name: 'Spring offer',
			agent_uuid: agent,
			campaign_type: 'call',
			auto_start: false,
			description: 'Everybody of the fair',
			start_date: '2027-02-22',
			end_date: '2027-03-22',
			rule: { uuid: rule.uuid, max_calls_per_day: 2, start_time: '09:30' },
		});
		expect(key).toMatch(/^[0-9a-f]{40}$/);
		expect(contacts).toHaveLength(100);
		expect(contacts[7]).toEqual({ phone_number: lead(7).phone, name: 'Lead 7', company: 'Firm 7' });
		const [listing] = await sandbox.state('listings');
		expect(listing.contact_uuids).toHaveLength(100);
		expect(result.json()).toHaveLength(1);
		expect(result.json()[0]).toMatchObject({
			uuid: listing.uuid,
			name: 'Spring offer',
			itemsRead: 100,
			contactsSent: 100,
			itemsMerged: 0,
			itemsSkipped: 0,
			merged: '',
		});
		expect(result.pairedItems()[0]).toEqual(Array.from({ length: 100 }, (_, index) => index));
	});

	test('items of the same phone number become one contact; the first wins, gaps are filled, the output and a hint tell', async () => {
		const items = [
			{ phone: '+14155550001', who: 'Anna', firm: '' },
			{ phone: '+14155550002', who: 'Ben', firm: 'B' },
			{ phone: '+14155550001', who: 'anna ', firm: 'A' },
			{ phone: '+14155550001', who: '', firm: 'a' },
		];
		const result = await run(node, fromItems(), { items });
		const [request] = await posts('/listings');
		expect(request!.body.contacts).toEqual([
			{ phone_number: '+14155550001', name: 'Anna', company: 'A' },
			{ phone_number: '+14155550002', name: 'Ben', company: 'B' },
		]);
		expect(result.json()[0]).toMatchObject({
			itemsRead: 4,
			contactsSent: 2,
			itemsMerged: 2,
			itemsSkipped: 0,
			merged: '+14155550001: item 0, item 2 and item 3',
		});
		expect(
			result
				.hints()
				.map(({ message }) => message)
				.join(' '),
		).toContain('2 of 4 items repeat the contact of an earlier item');
	});

	test('bad phone numbers: nothing is sent, and every bad item is listed', async () => {
		const items = Array.from({ length: 100 }, (_, index) => lead(index));
		items[73]!.phone = '0555 123 45 67';
		items[90]!.phone = '';
		const result = await run(node, fromItems(), { items });
		expect(result.error?.message).toContain(
			"2 of 100 items cannot be sent: 'Contacts › Phone Number' is not a phone number in international format",
		);
		expect(result.error?.message).toContain('[item 73]');
		expect(result.error?.description).toMatch(
			/^Nothing was sent\. Items are counted from 0\. <ul><li>Item 73: .*<li>Item 90: 'Contacts › Phone Number' is empty/,
		);
		expect(await posts('/listings')).toEqual([]);
		expect(await sandbox.state('listings')).toEqual([]);
	});

	test('with continue, the listing holds the good items and the bad ones come out with their reason', async () => {
		const items = [lead(0), { ...lead(1), phone: 'none' }, lead(2)];
		const result = await run(node, fromItems(), { items, onError: 'continueRegularOutput' });
		const [request] = await posts('/listings');
		expect(
			request!.body.contacts.map(({ phone_number: phone }: { phone_number: string }) => phone),
		).toEqual([lead(0).phone, lead(2).phone]);
		expect(result.pairedItems()).toEqual([[0, 2], [1]]);
		expect(result.json()[1]).toMatchObject({
			who: 'Lead 1',
			errorCode: 'INVALID_ITEM',
			errorItem: 1,
		});
	});

	// interface: §7 VALIDATION_ERROR
	test('what the platform refuses in a row is told with the item that the row was made from', async () => {
		const body = {
			success: false,
			message: 'The number is blocked.',
			error: { code: 'VALIDATION_ERROR', field: 'contacts.1.phone_number' },
		};
		await sandbox.strike('POST ^/listings$', { status: 422, body });
		const items = [lead(0), lead(0), lead(1)];
		const result = await run(node, fromItems(), { items });
		expect(result.error?.message).toBe(
			"The platform did not accept 'Contacts › Phone Number' of item 2, +14155551001: The number is blocked",
		);
		const going = await run(node, fromItems(), {
			items,
			onError: 'continueRegularOutput',
		});
		expect(
			going.json().map(({ who, errorField, errorItem }) => [who, errorField, errorItem]),
		).toEqual(items.map(({ who }, index) => [who, 'contacts.1.phone_number', index]));
	});

	test('Preview shows the one request and sends nothing', async () => {
		const result = await run(
			node,
			fromItems({ autoStart: true, agent: id(await firstAgent()), options: { preview: true } }),
			{ items: [lead(0), lead(1), lead(0)] },
		);
		expect(requestsShown(result)).toHaveLength(1);
		expect(requestsShown(result)[0]).toMatchObject({
			preview: true,
			method: 'POST',
			url: `${sandbox.url}/api/v1/listings`,
			body: {
				name: 'Spring offer',
				auto_start: true,
				contacts: [{ name: 'Lead 0' }, { name: 'Lead 1' }],
			},
			itemsRead: 3,
			contactsSent: 2,
		});
		expect(await sandbox.ledger({ method: 'POST' })).toEqual([]);
	});

	test('an end before the start is refused before anything is sent', async () => {
		const result = await run(
			node,
			fromItems({ additionalFields: { startDate: '2027-03-01', endDate: '2027-02-01' } }),
			{ items: [lead(0)] },
		);
		expect(result.error?.message).toContain("'End Date' is before 'Start Date'");
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('input fields of the same name can be taken as they are', async () => {
		const schema = ['phone_number', 'name'].map((field) => ({
			id: field,
			displayName: field,
			required: false,
			defaultMatch: false,
			display: true,
		}));
		await run(
			node,
			fromItems({ contacts: { mappingMode: 'autoMapInputData', value: null, schema } as never }),
			{ items: [{ phone_number: '+14155550001', name: 'Anna', shoe_size: 39 }] },
		);
		const [request] = await posts('/listings');
		expect(request!.body.contacts).toEqual([{ phone_number: '+14155550001', name: 'Anna' }]);
	});

	test('the fields offered are those of a listing and the active custom contact fields', async () => {
		const { fields } = await engine.resourceMapping(node, 'getListingContactFields');
		expect(fields.find(({ id: field }) => field === 'phone_number')).toMatchObject({
			required: true,
			displayName: 'Phone Number',
		});
		expect(fields.map(({ id: field }) => field)).toEqual(
			expect.arrayContaining(['name', 'email', 'company', 'lead_source']),
		);
	});
});

describe('a listing with auto-start whose answer is lost', () => {
	const started = async () =>
		fromItems({ autoStart: true, agent: id(await firstAgent()), options: { startAgain: true } });
	const running = async () =>
		(await sandbox.state('listings')).filter(({ status }) => status === 'running');

	test.each([
		['the connection breaks', { kind: 'reset-after' as const }],
		['a proxy answers with a page', { kind: 'html' as const, status: 502, afterAcceptance: true }],
		['the answer is cut off', { kind: 'truncated' as const }],
		['the answer is empty', { kind: 'empty' as const }],
		['the platform takes too long', { kind: 'timeout' as const, afterAcceptance: true }],
	])('%s after acceptance: created once, and found again', async (_, fault) => {
		await sandbox.strike('POST ^/listings$', fault, { times: 1 });
		const parameters = { ...(await started()), options: { timeout: 2 } };
		const result = await run(node, parameters, { items: [lead(0), lead(1)] });
		expect(errorOf(result)).toBe('undefined undefined');
		expect(await posts('/listings')).toHaveLength(1);
		const listings = await running();
		expect(listings).toHaveLength(1);
		expect(result.json()).toEqual([
			expect.objectContaining({ uuid: listings[0].uuid, itemsRead: expect.any(Number) }),
		]);
		expect(
			result
				.hints()
				.map(({ message }) => message)
				.join(' '),
		).toContain('It was found on the platform and not created again');
	});

	test('an older listing of the same name is not taken for it', async () => {
		const parameters = await started();
		await run(node, parameters, { items: [lead(0)] });
		const [older] = await running();
		await sandbox.strike('POST ^/listings$', 'reset-after', { times: 1 });
		const result = await run(node, parameters, { items: [lead(1)] });
		expect(await running()).toHaveLength(2);
		expect(result.json()[0].uuid).not.toBe(older.uuid);
	});

	test('not found: it stops and says so, and neither Retry On Fail nor retrying the execution creates it', async () => {
		await sandbox.strike('POST ^/listings$', 'reset-before', { times: 1 });
		const result = await run(node, await started(), {
			items: [lead(0)],
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 1,
		});
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain('the request may have gone through');
		expect(result.error?.description).toMatch(
			/did not find it.*It was not sent again.*Check the platform.*start a new run/,
		);
		const again = await engine.retry(result);
		expect(again.status).toBe('error');
		expect(await posts('/listings')).toHaveLength(1);
		expect(await running()).toEqual([]);

		const anew = await run(node, await started(), { items: [lead(0)] });
		expect(anew.status).toBe('success');
		expect(await running()).toHaveLength(1);
	}, 60_000);

	test('it appears late: retrying the execution finds it', async () => {
		// The list cannot be read while the node looks, so it stops although the listing is there.
		await sandbox.strike('POST ^/listings$', 'reset-after', { times: 1 });
		await sandbox.strike(
			'GET ^/listings$',
			{ status: 403, code: 'FORBIDDEN' },
			{ nth: [2, 3, 4, 5, 6, 7] },
		);
		const result = await run(node, await started(), { items: [lead(0)] });
		expect(result.error?.description).toContain('could not be searched');
		await sandbox.clearFaults();
		const again = await engine.retry(result);
		expect(errorOf(again)).toBe('undefined undefined');
		expect(await posts('/listings')).toHaveLength(1);
		expect(again.json()[0].uuid).toBe((await running())[0].uuid);
	}, 60_000);

	test('without permission to list, it is created; a lost answer then stops the run, in every try', async () => {
		await sandbox.strike('GET ^/listings$', { status: 403, code: 'FORBIDDEN' });
		await sandbox.strike('POST ^/listings$', 'reset-after', { nth: 2 });
		expect((await run(node, await started(), { items: [lead(0)] })).status).toBe('success');
		const result = await run(node, await started(), {
			items: [lead(1)],
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 1,
		});
		expect(result.error?.description).toContain('could not be searched');
		expect(await posts('/listings')).toHaveLength(2);
	});
});

describe('listings', () => {
	const newListing = async (parameters: INodeParameters = {}) => {
		const result = await run('acpOutreach listing.create', {
			name: 'By hand',
			contacts: {
				values: [
					{
						phoneNumber: '+14155550001',
						name: 'Anna',
						timezone: 'Europe/Istanbul',
						customFields: '{"company": "Example Ltd"}',
					},
					{ email: 'ben@example.com' },
				],
			},
			...parameters,
		});
		return result;
	};

	test.each([
		['none', {}],
		['one expression for the whole field, which n8n ignores', '={{ $json.people }}'],
	])('without contacts (%s): it is made, and a hint says what to do', async (_, contacts) => {
		const people = { values: [{ phoneNumber: '+14155550001' }] };
		const result = await run(
			'acpOutreach listing.create',
			{ name: 'Later', contacts },
			{ items: [{ people }] },
		);
		expect(errorOf(result)).toBe('undefined undefined');
		expect(result.hints().map(({ message }) => message)).toEqual([
			"The listing was created without contacts. If you set the whole field 'Contacts' by an expression, n8n ignored " +
				"it: use 'Create From Items' instead.",
		]);
		const filled = await newListing();
		expect(filled.hints()).toEqual([]);
	});

	test('a row that cannot be reached is named', async () => {
		const bad = await newListing({
			contacts: { values: [{ phoneNumber: '+14155550001' }, { phoneNumber: '555-1' }] },
		});
		expect(bad.error?.message).toContain("'Contacts 2 › Phone Number' is not a phone number");
		const nobody = await newListing({
			contacts: { values: [{ phoneNumber: '+14155550001' }, { name: 'Anna' }] },
		});
		expect(nobody.error?.message).toContain(
			"'Contacts 2' has neither a phone number nor an email address",
		);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('contacts are added as rows and from all items, and taken out', async () => {
		const [listing] = (await newListing()).json();
		const path = `/listings/${listing.uuid}/contacts`;
		await run('acpOutreach listing.addContacts', {
			listing: id(listing.uuid),
			contacts: { values: [{ phoneNumber: '+14155550003' }] },
		});
		const added = await run(
			'acpOutreach listing.addContactsFromItems',
			{
				listing: id(listing.uuid),
				contacts: columns({ phone_number: '={{ $json.phone }}' }) as never,
			},
			{ items: [lead(0), lead(1), lead(0)] },
		);
		expect((await posts(path)).map(({ body }) => body.contacts.length)).toEqual([1, 2]);
		expect(added.json()[0]).toMatchObject({ itemsRead: 3, contactsSent: 2 });
		const { contact_uuids: contacts } = (await sandbox.state('listings'))[0];
		const removed = await run('acpOutreach listing.removeContact', {
			listing: id(listing.uuid),
			contact: id(contacts[0]),
		});
		expect(removed.json()).toEqual([{ deleted: true, uuid: contacts[0] }]);
		expect((await sandbox.state('listings'))[0].contact_uuids).toEqual(contacts.slice(1));
	});

	// interface: §2.1 rule 2
	test('outcomes are the conversations of the listing and no others', async () => {
		await sandbox.settings({ call: { lifeMs: 0 } });
		const agent = id(await firstAgent());
		const [mine] = (
			await run(node, fromItems({ autoStart: true, agent }), { items: [lead(0), lead(1), lead(2)] })
		).json();
		await run(node, fromItems({ name: 'Another', autoStart: true, agent }), {
			items: [lead(3), lead(4)],
		});
		const result = await run('acpOutreach listing.getOutcomes', {
			listing: id(mine.uuid),
			returnAll: true,
		});
		expect(errorOf(result)).toBe('undefined undefined');
		expect(
			result
				.json()
				.map(({ contact_phone_number: phone }) => phone)
				.sort(),
		).toEqual([0, 1, 2].map((index) => lead(index).phone));
		expect(Object.keys(result.json()[0]).length).toBeLessThanOrEqual(10);
		const two = await run('acpOutreach listing.getOutcomes', {
			listing: id(mine.uuid),
			limit: 2,
			simplify: false,
		});
		expect(two.json().map(({ listing_uuid: uuid }) => uuid)).toEqual([mine.uuid, mine.uuid]);
		const later = await run('acpOutreach listing.getOutcomes', {
			listing: id(mine.uuid),
			filters: { createdAfter: '2100-01-01T00:00:00' },
		});
		expect(later.json()).toEqual([]);
	});
});

describe('tasks', () => {
	const task = async (parameters: INodeParameters = {}): Promise<INodeParameters> => ({
		resource: 'task',
		operation: 'create',
		title: '={{ $json.title ?? "Remind" }}',
		type: 'make_call',
		agent: id(await firstAgent()),
		scheduledAt: '2100-05-01T09:30:00',
		phoneNumber: '={{ $json.phone ?? "+14155550001" }}',
		...parameters,
	});

	test('the time is read in the zone that applies, and a template makes the data of the message', async () => {
		const [template] = await sandbox.state('whatsapp_templates');
		const result = await run(
			node,
			await task({
				type: 'send_message',
				additionalFields: { template: id(template.uuid), priority: 9, timezone: 'Asia/Kolkata' },
				options: { timezone: 'Europe/Istanbul' },
			}),
		);
		expect(errorOf(result)).toBe('undefined undefined');
		expect(result.hints()).toEqual([]);
		expect((await posts('/tasks'))[0]!.body).toMatchObject({
			scheduled_at: '2100-05-01T09:30:00+03:00',
			contact: { phone_number: '+14155550001' },
			task_data: { message_type: 'whatsapp_template', template_uuid: template.uuid },
			priority: 9,
			timezone: 'Asia/Kolkata',
		});
	});

	test('a message without a template: a hint says that it names none', async () => {
		const result = await run(node, await task({ type: 'send_message' }));
		expect(errorOf(result)).toBe('undefined undefined');
		expect(result.hints().map(({ message }) => message)).toEqual([
			"The task names no template to send. Choose one in 'Template' under Additional Fields.",
		]);
	});

	test('phone number or contact, one of them', async () => {
		const [contact] = (await sandbox.api.get('/contacts')).data.data.data;
		await sandbox.clearLedger();
		const both = await run(node, await task({ additionalFields: { contact: id(contact.uuid) } }));
		expect(both.error?.message).toContain("Enter 'Phone Number' or choose 'Contact', not both");
		const none = await run(node, await task({ phoneNumber: '' }));
		expect(none.error?.message).toContain("Enter 'Phone Number', or choose a contact");
		expect(await posts('/tasks')).toEqual([]);
		expect(
			(
				await run(
					node,
					await task({ phoneNumber: '', additionalFields: { contact: id(contact.uuid) } }),
				)
			).status,
		).toBe('success');
	});
});

describe('campaigns, rules and pace', () => {
	test('a campaign gets pools and a rule, and is changed', async () => {
		const [campaign] = await sandbox.state('campaigns');
		const pool = (await sandbox.api.post('/pools', { name: 'People', description: 'All' })).data
			.data;
		const [rule] = (
			await run('acpOutreach outreachRule.create', {
				name: 'Office hours',
				additionalFields: { maxCallsPerDay: 2, endTime: '18:00' },
			})
		).json();
		expect(rule).toMatchObject({ max_calls_per_day: 2, end_time: '18:00:00' });
		const attached = await run('acpOutreach campaign.attachPools', {
			campaign: id(campaign.uuid),
			pools: pool.uuid,
		});
		expect(attached.json()[0]).toMatchObject({ pools_attached: 1, pool_uuids_not_found: [] });
		await run('acpOutreach campaign.setRule', { campaign: id(campaign.uuid), rule: id(rule.uuid) });
		await run('acpOutreach campaign.update', {
			campaign: id(campaign.uuid),
			updateFields: { name: 'Renamed', startDate: '2027-06-01T00:00:00' },
			options: { timezone: 'America/New_York' },
		});
		const [request] = await sandbox.ledger({
			path: `/campaigns/${campaign.uuid}`,
			method: 'PUT',
		});
		expect(request!.body).toEqual({ name: 'Renamed', start_date: '2027-06-01T00:00:00-04:00' });
		const stored = (await sandbox.state('campaigns')).find(({ uuid }) => uuid === campaign.uuid);
		expect(stored).toMatchObject({
			name: 'Renamed',
			pool_uuids: [pool.uuid],
			rule: { uuid: rule.uuid },
		});
	});

	test('Create says that nothing here starts a campaign', async () => {
		const { properties } = await engine.describe(node);
		const of = ({ displayOptions }: (typeof properties)[number]) =>
			displayOptions?.show?.resource?.includes('campaign');
		const operations = properties.find((one) => one.name === 'operation' && of(one));
		expect(operations?.options).toContainEqual(
			expect.objectContaining({
				value: 'create',
				description: expect.stringMatching(/No operation here starts it/),
			}),
		);
	});

	test('publishing stands under Other Endpoint, with what to know about it', async () => {
		const described = await engine.describe(node);
		const notice = parametersOf(described, 'otherEndpoint', 'apiRequest').find(
			({ name }) => name === 'notice',
		);
		expect(notice?.displayName).toContain('Publishing a campaign');
	});
});

describe('how a listing is doing', () => {
	const numbers = ['0101', '0102', '0103', '0104'].map((end) => `+1415555${end}`);
	const slow = { call: { lifeMs: 60_000_000, liveLimit: 3 } };
	const outcomes = {
		call: {
			lifeMs: 50,
			outcomeByNumber: { '0101': 'interested', '0102': 'no_answer', '0103': 'voicemail' },
		},
	};

	/** A listing that has been started. @returns its uuid, and the campaign that came of it */
	async function started(settings: object, contacts = numbers) {
		await sandbox.settings(settings);
		const { data } = await sandbox.api.post('/listings', {
			name: 'Spring offer',
			agent_uuid: await firstAgent(),
			auto_start: true,
			contacts: contacts.map((phone_number) => ({ phone_number })),
		});
		return { listing: data.data.uuid as string, campaign: data.data.campaign_uuid as string };
	}
	const allEnded = async () =>
		await until('all calls to end', async () => {
			const all = await sandbox.state('conversations');
			return all.length > 0 && all.every(({ status }) => status === 'Closed');
		});
	const summary = async (listing: string, more: INodeParameters = {}) => {
		const result = await run('acpOutreach listing.getSummary', { listing: id(listing), ...more });
		expect(errorOf(result)).toBe('undefined undefined');
		expect(result.json()).toHaveLength(1);
		return {
			record: result.json()[0],
			hints: result.hints().flatMap(({ message }) => message.split('<br>')),
		};
	};

	test('reached, not reached and in progress add up; each status is counted', async () => {
		const { listing } = await started(outcomes, numbers.slice(0, 3));
		await allEnded();
		// A conversation that came of no listing.
		await sandbox.api.post('/call', {
			agentId: await firstAgent(),
			participant: { number: '+14155559999' },
		});
		await allEnded();
		const { record, hints } = await summary(listing);
		const calls = (await sandbox.state('conversations')).filter(
			(one) => one.listing_uuid === listing,
		);
		expect(record).toMatchObject({
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
		expect(hints).toEqual([]);
		expect(Date.parse(record.firstAt)).toBeLessThanOrEqual(Date.parse(record.lastAt));
	});

	test('what is live, what waits for a line, and what has not begun', async () => {
		const { listing, campaign } = await started(slow);
		const [first, second] = await sandbox.state('tasks');
		// Nobody has called the fifth contact; the first is to be called again.
		const task = (contact_uuid: string, status: string) =>
			sandbox.add('tasks', { campaign_uuid: campaign, contact_uuid, status });
		await task('11111111-2222-4333-8444-555555555555', 'scheduled');
		const conversations = await sandbox.state('conversations');
		const [called] = conversations.filter(({ task_uuids: uuids }) => uuids.includes(first.uuid));
		await sandbox.change('conversations', called.uuid, {
			status: 'Closed',
			call: { ...called.call, status: 'no-answer' },
		});
		await sandbox.change('tasks', first.uuid, { status: 'failed' });
		await task(first.contact_uuid, 'pending');
		const [lost] = conversations.filter(({ task_uuids: uuids }) => uuids.includes(second.uuid));
		await sandbox.change('conversations', lost.uuid, {
			status: 'Closed',
			call: { ...lost.call, status: 'busy' },
		});
		await sandbox.change('tasks', second.uuid, { status: 'failed' });
		const { record } = await summary(listing, { contactCount: 7 });
		expect(record).toMatchObject({
			contacts: 7,
			reached: 0,
			inProgress: 3,
			notReached: 1,
			notBegun: 1 + 2,
			unclear: 0,
			byStatus: 'busy: 1, in-progress: 1, no-answer: 1, queued: 1',
			tasksByStatus: 'failed: 2, in_progress: 1, pending: 1, queued: 1, scheduled: 1',
		});
	});

	test.each([
		[
			{},
			{ contacts: null, notBegun: null },
			[/How many contacts/, /campaign's tasks could not be read/],
		],
		[{ contactCount: 10 }, { contacts: 10, notBegun: 7 }, [/campaign's tasks could not be read/]],
	] as const)(
		'tasks that cannot be read (%j): what nobody knows is said',
		async (more, known, says) => {
			const { listing } = await started(outcomes, numbers.slice(0, 3));
			await allEnded();
			await sandbox.settings({ manners: { unreadable: ['/tasks'] } });
			const { record, hints } = await summary(listing, more);
			expect(record).toMatchObject({ ...known, reached: 2, notReached: 1, tasksByStatus: null });
			expect(hints).toEqual(says.map((sentence) => expect.stringMatching(sentence)));
			expect(record.unknown).toBe(hints.join(' '));
		},
	);

	test('before the first conversation nothing is counted, and the reason is said', async () => {
		const { record } = await summary('11111111-2222-4333-8444-555555555555', { contactCount: 5 });
		expect(record).toMatchObject({ contacts: 5, reached: 0, notBegun: 5, conversations: 0 });
		expect(record).toMatchObject({ firstAt: null, lastAt: null, tasksByStatus: null });
		expect(record.unknown).toMatch(/^This listing has no conversations yet/);
	});

	test('the same where the platform does not know the filter by listing; Created After narrows', async () => {
		const { listing } = await started(outcomes, numbers.slice(0, 3));
		await sandbox.api.post('/call', {
			agentId: await firstAgent(),
			participant: { number: '+14155559999' },
		});
		await allEnded();
		const known = await summary(listing);
		await sandbox.settings({ manners: { ignoreGuesses: true } });
		expect(await summary(listing)).toEqual(known);
		const later = await summary(listing, { filters: { createdAfter: '2040-01-01T00:00:00Z' } });
		expect(later.record.conversations).toBe(0);
	});

	test('the guide "Stop a listing": its tasks are cancelled, and nobody further is called', async () => {
		const six = Array.from({ length: 6 }, (_, index) => lead(index).phone);
		const { listing } = await started(slow, six);
		const step = async (parameters: INodeParameters, items: IDataObject[] = [{}]) => {
			const result = await run(node, { simplify: false, ...parameters }, { items });
			expect(errorOf(result)).toBe('undefined undefined');
			return result.json();
		};
		expect((await summary(listing)).record).toMatchObject({ inProgress: 6, notReached: 0 });
		const [outcome] = await step({
			resource: 'listing',
			operation: 'getOutcomes',
			listing: id(listing),
			limit: 1,
		});
		const tasks = await step(
			{
				resource: 'task',
				operation: 'getAll',
				returnAll: true,
				filters: { campaign: id('={{ $json.campaign_uuid }}') },
			},
			[outcome],
		);
		const open = tasks.filter(({ status }) =>
			['pending', 'scheduled', 'queued', 'on_hold'].includes(status),
		);
		expect(open).toHaveLength(3);
		await step({ resource: 'task', operation: 'cancel', task: id('={{ $json.uuid }}') }, open);
		expect((await summary(listing)).record).toMatchObject({ inProgress: 3, notReached: 3 });
		for (const { uuid, status } of await sandbox.state('conversations'))
			if (status === 'Active') await sandbox.api.post(`/calls/action/${uuid}/hangup`, {});
		const calls = await sandbox.state('calls');
		expect(calls.filter(({ started_at: at }) => at !== null)).toHaveLength(3);
	});

	test('the form asks for no number of results', async () => {
		const shown = parametersOf(await engine.describe(node), 'listing', 'getSummary');
		expect(shown.map(({ name }) => name)).toEqual([
			'listing',
			'contactCount',
			'filters',
			'options',
		]);
	});
});

describe('campaigns that are made', () => {
	const create = async (parameters: INodeParameters, options: object = {}) =>
		await run('acpOutreach campaign.create', { name: 'Spring', ...parameters }, options);

	test.each([
		['12', 12],
		[' 12 ', 12],
		['3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35', '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'],
	])(
		'the agent "%s" is sent as %j: a number in one variant, an ID in the other',
		async (given, sent) => {
			const result = await create({ additionalFields: { agent: id(given) } });
			expect(errorOf(result)).toBe('undefined undefined');
			expect((await posts('/campaigns'))[0]!.body).toEqual({ name: 'Spring', agent_id: sent });
		},
	);

	test('neither a number nor an ID: nothing is sent', async () => {
		const result = await create({ additionalFields: { agent: '={{ "Anna" }}' } });
		expect(result.error?.message).toContain('It is a number, or an ID with dashes');
		expect(await posts('/campaigns')).toEqual([]);
	});

	test('an answer that is lost: the campaign is found, not made twice', async () => {
		await create({});
		await sandbox.strike('POST ^/campaigns$', 'reset-after', { times: 1 });
		const result = await create({});
		expect(errorOf(result)).toBe('undefined undefined');
		const made = (await sandbox.state('campaigns')).filter(({ name }) => name === 'Spring');
		expect(made).toHaveLength(2);
		expect(result.json()[0].uuid).toBe(made[1].uuid);
	});

	test('a campaign is chosen from the list, searched on the platform, wherever one is asked for', async () => {
		await create({});
		const asking = nodes().flatMap(({ description }) =>
			description.properties
				.flatMap((property) => [property, ...((property.options ?? []) as (typeof property)[])])
				.filter(({ name, type }) => name === 'campaign' && type === 'resourceLocator')
				.map((property) => ({ type: description.name, modes: property.modes! })),
		);
		expect(asking.length).toBeGreaterThan(5);
		for (const { modes } of asking)
			expect(modes[0]).toMatchObject({ typeOptions: { searchListMethod: 'searchCampaigns' } });
		const types = [...new Set(asking.map((one) => one.type))];
		expect(types.length).toBeGreaterThan(2);
		for (const type of types) {
			await sandbox.clearLedger();
			const { results } = await engine.listSearch(type, 'searchCampaigns', { filter: 'spring' });
			expect(results).toMatchObject([{ name: 'Spring – Draft' }]);
			expect((await sandbox.ledger())[0]!.query).toMatchObject({ search: 'spring' });
		}
	});
});
