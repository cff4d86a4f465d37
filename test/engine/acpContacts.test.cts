/** ACP Contacts in n8n's engine: what is special to its operations. */
import { byId as by, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ speed: 10 });
const mapped = (value: Record<string, unknown>) =>
	({ mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] }) as any;

const run = async (
	resource: string,
	operation: string,
	parameters: object = {},
	options: object = {},
) => await engine.runNode('acpContacts', { resource, operation, ...parameters } as any, options);

const writes = async (path?: string) =>
	(await sandbox.ledger(path ? { path } : {})).filter(({ method }) => method !== 'GET');
const addField = async (key: string, more: object = {}) =>
	await sandbox.api.post('/contacts/fields', { key, name: key, ...more });
const createdContacts = async () => await sandbox.created('/contacts');

describe('contact', () => {
	test('custom fields stand at the top level of the body, as texts', async () => {
		await addField('order_number');
		await addField('vip');
		await sandbox.clearLedger();
		const result = ok(
			await run('contact', 'create', {
				phoneNumber: '+14155550101',
				name: 'Ada',
				customFields: mapped({ order_number: 1001, vip: true }),
				additionalFields: { timezone: 'Europe/Istanbul', email: 'ada@example.com' },
			}),
		);
		const [request] = await createdContacts();
		expect(request!.body).toEqual({
			phone_number: '+14155550101',
			name: 'Ada',
			order_number: '1001',
			vip: 'true',
			timezone: 'Europe/Istanbul',
			email: 'ada@example.com',
		});
		expect(result.json()[0]).toMatchObject({
			uuid: request!.resourceUuid,
			name: 'Ada',
			phone_number: '+14155550101',
		});
	});

	test('a custom field that is not registered is named', async () => {
		const result = await run('contact', 'create', {
			phoneNumber: '+14155550101',
			customFields: mapped({ shoe_size: '44' }),
		});
		expect(result.error?.message).toMatch(/shoe_size/);
		expect(await createdContacts()).toEqual([]);
	});

	test('a list is no text, and an empty contact is no contact: nothing is sent', async () => {
		const result = await run('contact', 'create', { customFields: mapped({ tags: ['a', 'b'] }) });
		expect(result.error?.message).toMatch(
			/'Custom Fields › tags' should be text, but it is a list/,
		);
		const empty = await run('contact', 'create');
		expect(empty.error?.message).toMatch(/The contact would be empty\. Fill in 'Phone Number'/);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('an update sends only what is filled in, and clears on demand', async () => {
		await addField('order_number');
		const [contact] = await sandbox.state('contacts');
		const path = `/contacts/${contact.uuid}`;
		await sandbox.api.put(path, { order_number: 'A-1' });
		await sandbox.clearLedger();
		ok(
			await run('contact', 'update', {
				contact: by(contact.uuid),
				updateFields: { surname: 'Byron', email: '' },
				customFields: mapped({ order_number: '' }),
			}),
		);
		ok(
			await run('contact', 'update', {
				contact: by(contact.uuid),
				customFields: mapped({ order_number: '' }),
				options: { sendEmptyFields: true },
			}),
		);
		expect((await writes(path)).map(({ body }) => body)).toEqual([
			{ surname: 'Byron' },
			{ order_number: '' },
		]);
		const { data } = await sandbox.api.get(path);
		expect(data.data).toMatchObject({ surname: 'Byron', email: contact.email, order_number: '' });
	});

	test('a search is sent, and what the platform finds is taken as it is', async () => {
		await sandbox.reset({ contacts: 230 });
		engine.credentials = { acpApi: sandbox.credential() };
		const result = await run('contact', 'getAll', {
			filters: { search: 'contact229@EXAMPLE.com' },
		});
		expect(result.json().map(({ email }) => email)).toEqual(['contact229@example.com']);
		const [request, ...others] = await sandbox.ledger({ path: '/contacts' });
		expect(request!.query).toMatchObject({ search: 'contact229@EXAMPLE.com' });
		expect(others).toEqual([]);
	});
});

describe('find or create by phone', () => {
	const find = async (items: object[], options: object = {}) =>
		await run(
			'contact',
			'findOrCreate',
			{ phoneNumber: '={{ $json.phone }}', name: '={{ $json.name }}' },
			{ items, ...options },
		);

	test('what is there is returned as it is, the rest is created, the same number once', async () => {
		const [known] = await sandbox.state('contacts');
		const items = [
			{ phone: known.phone_number, name: 'Other' },
			{ phone: '+14155550101', name: 'Ada' },
			{ phone: '+14155550101', name: 'Ada again' },
			{ phone: '+4930901820', name: 'Other number' },
		];
		const result = ok(await find(items));
		const [first, second, third, fourth] = result.json();
		expect(first).toMatchObject({ uuid: known.uuid, name: known.name, created: false });
		expect([second.created, third.created, fourth.created]).toEqual([true, false, true]);
		expect(third.uuid).toBe(second.uuid);
		expect(fourth.uuid).not.toBe(second.uuid);
		expect((await createdContacts()).map(({ body }) => body.phone_number).sort()).toEqual([
			'+14155550101',
			'+4930901820',
		]);
		const again = await find(items);
		expect(again.json().map(({ created }) => created)).toEqual([false, false, false, false]);
		expect(await createdContacts()).toHaveLength(2);
	});

	test.each([[true], [false]])(
		'found, created, found again and found after a lost answer: one shape (Simplify %s)',
		async (simplify) => {
			const [known] = await sandbox.state('contacts');
			const shapes: string[] = [];
			for (const phone of [known.phone_number, '+14155550101', '+14155550101', '+14155550102']) {
				const [only] = (
					await run('contact', 'findOrCreate', { phoneNumber: phone, name: 'Ada', simplify })
				).json();
				shapes.push(Object.keys(only).sort().join());
				if (phone === '+14155550101')
					await sandbox.strike('POST ^/contacts$', 'reset-after', { times: 1 });
			}
			expect(shapes).toHaveLength(4);
			expect([...new Set(shapes)]).toHaveLength(1);
		},
	);

	test('it works when the platform refuses the parameter that is searched by, and when it ignores it', async () => {
		const [known] = (await sandbox.state('contacts')).slice(-1);
		await sandbox.strike(
			'GET ^/contacts$',
			{ status: 422, code: 'VALIDATION_ERROR' },
			{ times: 1 },
		);
		expect((await find([{ phone: known.phone_number, name: 'Other' }])).json()[0]).toMatchObject({
			uuid: known.uuid,
			created: false,
		});
		await sandbox.settings({ ignoredQuery: ['search'] });
		expect((await find([{ phone: known.phone_number, name: 'Other' }])).json()[0]).toMatchObject({
			uuid: known.uuid,
			created: false,
		});
		expect(await createdContacts()).toEqual([]);
	});
});

describe('tags', () => {
	test('a number is sent as a number, an ID as text; the answer shows the tags', async () => {
		const [{ uuid: contact }] = await sandbox.state('contacts');
		const [vip, newsletter] = await sandbox.state('contact_tags');
		const tags = async (operation: string, tagId: unknown) => {
			const result = await run('contact', operation, { contact: by(contact), tagId: by(tagId) });
			return result.json()[0].tags.map(({ name }: { name: string }) => name);
		};
		expect(await tags('addTag', vip.id)).toEqual(['VIP']);
		expect(await tags('addTag', newsletter.uuid)).toEqual(['VIP', 'Newsletter']);
		expect(await tags('removeTag', vip.id)).toEqual(['Newsletter']);
		expect((await writes()).map(({ body }) => body)).toEqual([
			{ tag_id: vip.id },
			{ tag_id: newsletter.uuid },
			{ tag_id: vip.id },
		]);
	});

	test('a name is neither: nothing is sent', async () => {
		const [{ uuid: contact }] = await sandbox.state('contacts');
		const result = await run('contact', 'addTag', { contact: by(contact), tagId: '={{ "VIP" }}' });
		expect(result.error?.message).toMatch(
			/'Tag' is not a valid ID: "VIP"\. It is a number, or an ID/,
		);
		expect(await writes()).toEqual([]);
	});
});

describe('blacklist', () => {
	test('a contact is blocked for good, or until a date that may not be missing', async () => {
		const [one, two] = await sandbox.state('contacts');
		const good = await run('contact', 'blacklist', {
			contact: by(one.uuid),
			reason: 'Asked for it',
			additionalFields: { type: 'Phone' },
		});
		expect(good.json()[0]).toMatchObject({
			uuid: one.uuid,
			status: 'Blacklisted',
			blacklist: { type: 'Phone', is_permanent: true },
		});
		ok(
			await run('contact', 'blacklist', {
				contact: by(two.uuid),
				reason: 'On holiday',
				isPermanent: false,
				expiresAt: '2099-12-31T00:00:00',
			}),
		);
		expect((await writes()).map(({ body }) => body)).toEqual([
			{ reason: 'Asked for it', is_permanent: true, type: 'Phone' },
			{ reason: 'On holiday', is_permanent: false, expires_at: '2099-12-31' },
		]);
		const missing = await run('contact', 'blacklist', {
			contact: by(two.uuid),
			reason: 'On holiday',
			isPermanent: false,
			expiresAt: '={{ $json.nothing }}',
		});
		expect(missing.error?.message).toMatch(/'Expires At' is empty/);
		const short = await run('contact', 'blacklist', { contact: by(two.uuid), reason: 'no' });
		expect(short.error?.message).toMatch(/'Reason' has 2 characters; at least 3 are required/);
		expect(await writes()).toHaveLength(2);
	});
});

describe('contact field', () => {
	// interface: §2.11 contact field; §4.3 PUT contact field
	test('the key is immutable, and that is said before anything is sent', async () => {
		const result = await run('contactField', 'update', {
			key: by('order_number'),
			options: { bodyJson: '{"key": "other"}' },
		});
		expect(result.error?.message).toMatch(
			/The key of a field cannot be changed\. To use another key, delete the field and create a new one/,
		);
		const nothing = await run('contactField', 'update', { key: by('order_number') });
		expect(nothing.error?.message).toMatch(/There is nothing to change/);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('a workspace without the delete that was concluded says what to do instead', async () => {
		await addField('order_number');
		await sandbox.strike('DELETE ', { status: 404, code: 'ENDPOINT_NOT_FOUND' });
		const result = await run('contactField', 'delete', { key: by('order_number') });
		expect(result.error?.message).toBe(
			'This workspace cannot delete contact fields through the API',
		);
		expect(result.error?.description).toMatch(/turn off 'Is Active'/);
	});
});

describe('contact analyzer', () => {
	// Through an expression: what is typed in, n8n itself checks.
	const update = async (internalId: string, updateFields: object) =>
		await run(
			'contactAnalyzer',
			'update',
			{ internalId: by('={{ $json.id }}'), updateFields },
			{ items: [{ id: internalId }] },
		);

	// interface: §2.11 analyzer prefixes
	test.each([
		[
			'order_number',
			{ updateBehavior: 'dont_update' },
			/'Analyzer' is not a valid ID: "order_number"\. It begins with b_ for a built-in contact field, f_ for a custom one or p_ for a pipeline stage rule/,
		],
		[
			'b_email',
			{ analysisGoals: 'x' },
			/For a built-in contact field \(b_\), only 'Update Behavior' can be changed/,
		],
		['b_email', { exampleValues: 'x' }, /For a built-in contact field \(b_\)/],
		[
			'p_initial_contact',
			{ exampleValues: 'x' },
			/A pipeline stage rule \(p_\) has no example values/,
		],
		['f_order_number', {}, /There is nothing to change/],
		[
			'f_order_number',
			{ analysisGoals: 'x'.repeat(1001) },
			/'Analysis Goals' has 1001 characters; at most 1000/,
		],
	])('%s is refused before it is sent (case %#)', async (id, fields, message) => {
		expect((await update(id, fields)).error?.message).toMatch(message);
		expect(await sandbox.ledger()).toEqual([]);
	});
});

test('approvals are listed by status and confidence', async () => {
	const result = await run('contactApproval', 'getAll', {
		filters: { status: 'Pending', confidence: 'high' },
	});
	expect(result.json()).toMatchObject([
		{ field_name: 'b_email', status: 'Pending', confidence: 0.9 },
	]);
	expect((await sandbox.ledger())[0]!.query).toMatchObject({
		status: 'Pending',
		confidence: 'high',
		per_page: '50',
	});
});

describe('choosing', () => {
	const search = async (filter?: string, paginationToken?: string) =>
		await engine.listSearch('acpContacts', 'searchContacts', { filter, paginationToken });

	test('contacts are read page by page, and searched on the server', async () => {
		await sandbox.reset({ contacts: 150 });
		engine.credentials = { acpApi: sandbox.credential() };
		const first = await search();
		expect(first.results).toHaveLength(100);
		const second = await search(undefined, first.paginationToken);
		expect(second.results).toHaveLength(50);
		expect(second.paginationToken).toBeUndefined();
		const found = await search('contact149@example.com');
		expect(found.results).toMatchObject([
			{ name: expect.stringContaining('contact149@example.com') },
		]);
	});

	test('custom fields are chosen by key, and only active ones are offered to be filled in', async () => {
		await addField('order_number', { name: 'Order Number' });
		await addField('old', { is_active: false });
		const keys = await engine.listSearch('acpContacts', 'searchContactFields', { filter: 'order' });
		expect(keys.results).toEqual([{ name: 'Order Number – order_number', value: 'order_number' }]);
		const { fields, ...more } = await engine.resourceMapping('acpContacts', 'getContactFields');
		expect(more).toEqual({});
		expect(fields.map(({ id }) => id)).toContain('order_number');
		expect(fields.map(({ id }) => id)).not.toContain('old');
	});
});

test('an area without a known endpoint says so and is reached by API Request', async () => {
	const { properties } = await engine.describe('acpContacts');
	const notice = properties.find(
		({ type, displayOptions }) =>
			type === 'notice' && displayOptions?.show?.operation?.includes('apiRequest'),
	);
	expect(notice?.displayName).toMatch(/^Not supported yet: contact settings. Take the path/);
	ok(await run('otherEndpoint', 'apiRequest', { method: 'GET', path: '/contacts/fields' }));
});
