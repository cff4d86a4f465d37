/** Contacts: *Create or Update* by number, email or custom field, and *Find*, which creates nobody. */
import { byId as by, failure, fast, hintsOf, mapped, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ settings: fast, speed: 50, contacts: 0 });

const run = async (operation: string, parameters: object, options: object = {}) =>
	await engine.runNode(
		'acpContacts',
		{ resource: 'contact', operation, ...parameters } as never,
		options,
	);

/** The workspace's contacts. @returns what they hold */
async function contacts(...some: object[]): Promise<any[]> {
	for (const one of some) await sandbox.api.post('/contacts', one);
	await sandbox.clearLedger();
	return await sandbox.state('contacts');
}
const writes = async () =>
	(await sandbox.ledger())
		.filter(({ method }) => method !== 'GET')
		.map(({ method, body }) => [method, body]);

const anna = { phone_number: '+14155550101', name: 'Anna', email: 'anna@example.com' };
const ben = { phone_number: '+14155550102', name: 'Ben', email: 'ben@example.com' };

describe('Create or Update', () => {
	beforeEach(async () => {
		await sandbox.api.post('/contacts/fields', { key: 'customer_number', name: 'Customer' });
	});

	test.each([
		['phone number', {}, { phoneNumber: '+1 (415) 555-0101' }, { phone_number: '+14155550101' }],
		[
			'email, in capitals or not',
			{ matchBy: 'email' },
			{ email: 'Anna@Example.com' },
			{ email: 'Anna@Example.com' },
		],
		[
			'custom field',
			{ matchBy: 'customField', matchField: 'customer_number' },
			{ customFields: mapped({ customer_number: 'C-1' }) },
			{ customer_number: 'C-1' },
		],
	])('by %s: the contact there is updated, no other one', async (_, how, value, sent) => {
		const [{ uuid }] = await contacts({ ...anna, customer_number: 'C-1' }, ben);
		const result = ok(await run('upsert', { ...how, ...value, name: 'Anna Maria' }));
		expect(result.json()).toMatchObject([{ uuid, name: 'Anna Maria', created: false }]);
		expect(await writes()).toEqual([['PUT', { name: 'Anna Maria', ...sent }]]);
		expect((await sandbox.state('contacts')).map(({ name }) => name)).toEqual([
			'Anna Maria',
			'Ben',
		]);
	});

	test('nobody is there: the contact is created once, also for two items that name it', async () => {
		await contacts(ben);
		const items = [{ name: 'Anna' }, { name: 'Anna Maria' }];
		const result = ok(
			await run('upsert', { phoneNumber: anna.phone_number, name: '={{ $json.name }}' }, { items }),
		);
		expect(result.json().map(({ created }) => created)).toEqual([true, false]);
		expect((await writes()).map(([method]) => method)).toEqual(['POST', 'PUT']);
		expect((await sandbox.state('contacts')).map(({ name }) => name)).toEqual([
			'Ben',
			'Anna Maria',
		]);
	});

	test('two have the address: nothing is sent, and both are named', async () => {
		const both = await contacts(anna, { ...ben, email: anna.email });
		const result = await run('upsert', { matchBy: 'email', email: anna.email, name: 'A' });
		expect(result.error?.message).toContain('2 contacts have "email" "anna@example.com"');
		for (const { uuid } of both) expect(result.error?.description).toContain(uuid);
		expect(await writes()).toEqual([]);
	});

	test('the list does not show what is compared: nothing is created', async () => {
		const hidden = (await contacts(anna)).map(({ email: _, ...row }) => row);
		await sandbox.strike('GET ^/contacts$', {
			status: 200,
			body: { success: true, data: { items: hidden, pagination: { total: hidden.length } } },
		});
		const result = await run('upsert', { matchBy: 'email', email: 'new@example.com' });
		expect(failure(result)).toContain('does not show the field to compare');
		expect(await writes()).toEqual([]);
	});

	test('a masked address may be the one: nobody is created', async () => {
		const [{ uuid }] = await contacts(anna);
		await sandbox.change('contacts', uuid, { email: 'a***@example.com' });
		const result = await run('upsert', { matchBy: 'email', email: 'anna@example.com', name: 'X' });
		expect(failure(result)).toContain('shows "a***@example.com", which may be this one');
		expect(await writes()).toEqual([]);
	});

	test('an address with a plus is an address of its own', async () => {
		await contacts(anna);
		ok(await run('upsert', { matchBy: 'email', email: 'anna+x@example.com', name: 'X' }));
		expect((await writes()).map(([method]) => method)).toEqual(['POST']);
	});

	test.each([
		['email', { matchBy: 'email', phoneNumber: anna.phone_number }, "'Email' is empty"],
		['phone number', { email: anna.email }, "'Phone Number' is empty"],
		['custom field', { matchBy: 'customField', email: anna.email }, 'Custom Field Key'],
	])('without the %s to match by, nothing is sent', async (_, parameters, said) => {
		await sandbox.clearLedger();
		const result = await run('upsert', parameters);
		expect(failure(result)).toContain(said);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('the response to the creation is lost: the contact is found, and created once', async () => {
		await contacts();
		await sandbox.strike('POST ^/contacts$', 'reset-after', { times: 1 });
		ok(await run('upsert', { phoneNumber: anna.phone_number, name: 'New' }));
		expect((await sandbox.state('contacts')).map(({ name }) => name)).toEqual(['New']);
	});

	test('the response to the update is lost: the item says so, and a retry updates it again', async () => {
		await contacts(anna);
		await sandbox.strike('PUT ^/contacts/', 'reset-after', { times: 1 });
		const lost = await run('upsert', { phoneNumber: anna.phone_number, name: 'New' });
		expect(failure(lost)).toContain('may have gone through');
		expect(ok(await engine.retry(lost)).json()).toMatchObject([{ name: 'New', created: false }]);
		expect((await sandbox.state('contacts')).map(({ name }) => name)).toEqual(['New']);
	});
});

describe('Find', () => {
	test.each([
		['phone_number', '+1 415-555-0101', ['Anna']],
		['email', 'ANNA@example.com', ['Anna']],
		['any', 'ANNA@example.com', ['Anna']],
		['any', 'anna', ['Anna', 'anna']],
		['name', 'Anna Berg', ['anna']],
		['name', 'Ann', []],
		['any', '+14155550199', []],
	])('by %s, %s: %j, and nobody is created', async (findBy, find, names) => {
		await contacts(anna, ben, { phone_number: '+14155550103', name: 'anna', surname: 'Berg' });
		const result = ok(await run('find', { findBy, find, ifSeveralMatch: 'all' }));
		expect(result.json().map(({ name }) => name)).toEqual(names);
		expect(await writes()).toEqual([]);
	});

	test.each([
		['phone_number', 'Anna', "'Contact to Find' is not a phone number"],
		['email', 'Anna', "'Contact to Find' is not an email address"],
		['any', '+1 415 555 0101 ext 5', 'has an extension'],
	])('by %s, %s is refused and nothing is read', async (findBy, find, message) => {
		await contacts(anna);
		expect(failure(await run('find', { findBy, find }))).toContain(message);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('several who match are not handed on, and named', async () => {
		const [one, other] = await contacts(anna, { ...ben, name: 'Anna' });
		const told = failure(await run('find', { findBy: 'name', find: 'Anna' }));
		expect(told).toContain('2 contacts match "Anna"');
		for (const { uuid } of [one, other]) expect(told).toContain(uuid);
	});

	test('many items read the list once', async () => {
		await contacts(anna, ben);
		const items = ['Anna', 'Ben', 'Nobody', 'ann'].map((who) => ({ who }));
		const result = ok(await run('find', { findBy: 'name', find: '={{ $json.who }}' }, { items }));
		expect(result.pairedItems()).toEqual([[0], [1]]);
		expect(await sandbox.ledger()).toHaveLength(1);
	});

	test('none found says so', async () => {
		await contacts(ben);
		expect(hintsOf(ok(await run('find', { findBy: 'name', find: 'Anna' })))).toBe(
			"No record fits 'Contact to Find'.",
		);
	});

	test.each([
		['a number without its country', { phone_number: '415 555 0101' }, '+14155550101'],
		['a masked number', { phone_number: '+1415*****01' }, '+14155550101'],
		['a masked address', { email: 'a***@example.com' }, 'anna@example.com'],
	])('%s may be the one: not known, and not said that nobody has it', async (_, shown, find) => {
		const [{ uuid }] = await contacts(anna);
		await sandbox.change('contacts', uuid, shown);
		const result = ok(await run('find', { findBy: 'any', find }));
		expect(result.json()).toEqual([]);
		expect(hintsOf(result)).toMatch(/it is not known whether they match .* 'Get Many' shows them/);
		expect(hintsOf(result)).not.toContain('No contact has');
	});

	test('a number without its country is found with Default Country', async () => {
		const [{ uuid }] = await contacts(anna);
		await sandbox.change('contacts', uuid, { phone_number: '415 555 0101' });
		const options = { defaultCountry: by('US') };
		expect(ok(await run('find', { find: '+14155550101', options })).json()).toHaveLength(1);
	});

	test('digits without a country are refused, and read with Default Country', async () => {
		await contacts(anna);
		expect(failure(await run('find', { find: '415 555 0101' }))).toContain('Default Country');
		const options = { defaultCountry: by('US') };
		expect(ok(await run('find', { find: '415 555 0101', options })).json()).toHaveLength(1);
	});
});
