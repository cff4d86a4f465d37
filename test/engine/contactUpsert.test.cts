/** Contacts: *Create or Update* by number, email or custom field, and *Find*, which creates nobody. */
import type { INodeParameters } from 'n8n-workflow';
import { answer } from './guarantees/promises.cts';
import { byId as by, failure, fast, hintsOf, mapped, ok, writesOf } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, run } = usePlatform({ settings: fast, speed: 50, contacts: 0 });

const upsert = async (parameters: INodeParameters, items?: object[], continues = false) =>
	await run('acpContacts contact.upsert', parameters, {
		items: items as never,
		...(continues && { onError: 'continueRegularOutput' }),
	});
const find = async (find: string, more: INodeParameters = {}, items?: object[]) =>
	await run('acpContacts contact.find', { find, ...more }, { items: items as never });

/** The workspace's contacts. @returns what they hold */
async function contacts(...some: object[]): Promise<any[]> {
	for (const one of some) await sandbox.api.post('/contacts', one);
	await sandbox.clearLedger();
	return await sandbox.state('contacts');
}
const names = async () => (await sandbox.state('contacts')).map(({ name }) => name);
const writes = async () => (await writesOf(sandbox)).map(({ method }) => method);

const anna = { phone_number: '+14155550101', name: 'Anna', email: 'anna@example.com' };
const ben = { phone_number: '+14155550102', name: 'Ben', email: 'ben@example.com' };
const phoneNumber = anna.phone_number;
const ofEmail = (email: string) => ({ matchBy: 'email', email, name: 'New' });

describe('Create or Update', () => {
	const mask = 'a***@example.com';
	const mayBe = `shows "${mask}", which may be this one`;
	const untold = 'does not show the field to compare';

	const number = { customer_number: 'C-1' };
	const matchField = 'customer_number';
	const ofField = { matchBy: 'customField', matchField, customFields: mapped(number) };
	test.each<[string, INodeParameters, object]>([
		['phone number', { phoneNumber: '+1 (415) 555-0101' }, { phone_number: phoneNumber }],
		['email, in capitals or not', ofEmail('Anna@Example.com'), { email: 'Anna@Example.com' }],
		['custom field', ofField, number],
	])('by %s: the contact there is updated, no other one', async (_, how, sent) => {
		await sandbox.api.post('/contacts/fields', { key: 'customer_number', name: 'Customer' });
		const [{ uuid }] = await contacts({ ...anna, ...number }, ben);
		const result = ok(await upsert({ ...how, name: 'Anna Maria' }));
		expect(result.json()).toMatchObject([{ uuid, name: 'Anna Maria', created: false }]);
		const [put] = await sandbox.ledger({ method: 'PUT' });
		expect(put!.body).toEqual({ name: 'Anna Maria', ...sent });
		expect(await writes()).toEqual(['PUT']);
		expect(await names()).toEqual(['Anna Maria', 'Ben']);
	});

	test.each<[string, object | undefined, INodeParameters, string]>([
		['two have it', { email: ben.email }, ofEmail(ben.email), '2 contacts have "email" "b'],
		['a masked address may be it', { email: mask }, ofEmail(anna.email), mayBe],
		['the list does not show it', undefined, ofEmail('new@example.com'), untold],
		['no email', {}, { matchBy: 'email', phoneNumber }, "'Email' is empty"],
		['no phone number', {}, { email: anna.email }, "'Phone Number' is empty"],
		['no custom field', {}, { matchBy: 'customField', email: anna.email }, 'Custom Field Key'],
	])('%s: nothing is sent, and it is told', async (_, change, parameters, said) => {
		const all = await contacts(anna, ben);
		if (change) await sandbox.change('contacts', all[0].uuid, change);
		else {
			const items = all.map(({ email: _email, ...row }) => row);
			const body = { data: { items, pagination: { total: items.length } } };
			await sandbox.strike('GET ^/contacts$', answer(body));
		}
		const told = failure(await upsert(parameters));
		expect(told).toContain(said);
		for (const { uuid } of said.startsWith('2 ') ? all : []) expect(told).toContain(uuid);
		expect(await writes()).toEqual([]);
	});

	test('an address with a plus is an address of its own', async () => {
		await contacts(anna);
		ok(await upsert(ofEmail('anna+x@example.com')));
		expect(await writes()).toEqual(['POST']);
	});

	test('the creation is lost and nobody can find it: its twin in the run is held back', async () => {
		await sandbox.strike('POST ^/contacts$', 'reset-after', { times: 1 });
		await sandbox.strike('GET ^/contacts$', answer({ data: [] }));
		const items = [{ name: 'One' }, { name: 'Two' }];
		const result = await upsert({ phoneNumber, name: '={{ $json.name }}' }, items, true);
		expect(result.json().map(({ error }) => error)).toEqual([
			expect.stringContaining('may have gone through'),
			expect.stringContaining('It is not known whether the record exists already'),
		]);
		expect(await names()).toEqual(['One']);
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
	])('by %s, %s: %j, and nobody is created', async (findBy, asked, wanted) => {
		await contacts(anna, ben, { phone_number: '+14155550103', name: 'anna', surname: 'Berg' });
		const result = ok(await find(asked, { findBy, ifSeveralMatch: 'all' }));
		expect(result.json().map(({ name }) => name)).toEqual(wanted);
		expect(hintsOf(result)).toBe(wanted.length ? '' : "No record matches 'Contact to Find'.");
		expect(await writes()).toEqual([]);
	});

	test.each([
		['phone_number', 'Anna', "'Contact to Find' is not a phone number"],
		['email', 'Anna', "'Contact to Find' is not an email address"],
		['any', '+1 415 555 0101 ext 5', 'has an extension'],
		['phone_number', '415 555 0101', 'Default Country'],
	])('by %s, %s is refused and nothing is read', async (findBy, asked, message) => {
		await contacts(anna);
		expect(failure(await find(asked, { findBy }))).toContain(message);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test.each([
		['a number without its country', { phone_number: '415 555 0101' }, '+14155550101'],
		['a masked number', { phone_number: '+1415*****01' }, '+14155550101'],
		['a masked address', { email: 'a***@example.com' }, 'anna@example.com'],
	])('%s may be the one: not known, and not said that nobody has it', async (_, shown, asked) => {
		const [{ uuid }] = await contacts(anna);
		await sandbox.change('contacts', uuid, shown);
		const result = ok(await find(asked, { findBy: 'any' }));
		expect(result.json()).toEqual([]);
		expect(hintsOf(result)).toMatch(/it is not known whether they match .* 'Get Many' shows them/);
		expect(hintsOf(result)).not.toContain('No contact has');
	});

	test('with Default Country, a number without its country is found', async () => {
		const [{ uuid }] = await contacts(anna);
		await sandbox.change('contacts', uuid, { phone_number: '415 555 0101' });
		const options = { defaultCountry: by('US') };
		for (const one of ['415 555 0101', '+14155550101'])
			expect(ok(await find(one, { options })).json()).toHaveLength(1);
	});
});
