/** How many requests it takes to learn something of a long list, counted where the platform is. */
import { usePlatform } from './guarantees/platform.cts';
import { fast, ok } from './guarantees/scene.cts';

const { sandbox, engine } = usePlatform({ settings: fast, speed: 50 });

const contacts = 2000;
const pages = contacts / 100;
const strangers = Array.from({ length: 30 }, (_, at) => `+1415555${String(9000 + at)}`);

beforeEach(async () => {
	await engine.forget();
	await sandbox.reset({ contacts });
});

const confirmed = () => ({
	credentials: { acpApi: { ...sandbox.credential(), numberSearchConfirmed: true } },
});
const numbers = async (count: number): Promise<string[]> =>
	(await sandbox.state('contacts')).slice(-count).map((one: any) => one.phone_number);
const reads = async () => (await sandbox.ledger({ path: '/contacts', method: 'GET' })).length;
const agent = async () => ({
	__rl: true,
	mode: 'id',
	value: (await sandbox.state('agents'))[0].agent_uuid,
});

const works = {
	call: async () => ({
		resource: 'call',
		operation: 'start',
		agent: await agent(),
		phoneNumber: '={{ $json.phone }}',
		options: { skipBlacklistedContacts: true },
	}),
	find: async () => ({ resource: 'contact', operation: 'find', find: '={{ $json.phone }}' }),
	findOrCreate: async () => ({
		resource: 'contact',
		operation: 'findOrCreate',
		phoneNumber: '={{ $json.phone }}',
	}),
	upsert: async () => ({
		resource: 'contact',
		operation: 'upsert',
		phoneNumber: '={{ $json.phone }}',
		name: 'Ada',
	}),
};

const run = async (work: keyof typeof works, phones: string[], more: object = {}) =>
	ok(
		await engine.runNode(work === 'call' ? 'acpCalls' : 'acpContacts', await works[work](), {
			items: phones.map((phone) => ({ phone })),
			...more,
		}),
	);

test.each<[string, keyof typeof works, 'known' | 'new', number, boolean, number]>([
	['confirmed: one search', 'call', 'new', 1, true, 1],
	['confirmed: one search for each of two', 'call', 'new', 2, true, 2],
	['confirmed, but as many people as pages: the list', 'call', 'new', 30, true, pages + 1],
	['not confirmed: the list', 'call', 'new', 1, false, pages + 1],
	['confirmed: one search', 'find', 'known', 1, true, 1],
	['confirmed, five people: the first page, and a search for each', 'find', 'known', 5, true, 6],
	['not confirmed, 30 people: the list, once for all', 'find', 'known', 30, false, pages + 1],
	['confirmed: one search proves that nobody is there', 'findOrCreate', 'new', 1, true, 1],
	[
		'not confirmed: a search that finds nobody, and the list',
		'findOrCreate',
		'new',
		1,
		false,
		pages + 2,
	],
	['not confirmed: a search that finds somebody', 'upsert', 'known', 1, false, 1],
	['more people than pages: the list', 'upsert', 'known', 30, false, pages + 1],
	[
		'fewer people than pages: the first page, and a search for each',
		'upsert',
		'known',
		10,
		false,
		11,
	],
])('%s (%s, %s, %i)', async (_, work, who, count, isConfirmed, expected) => {
	const phones = who === 'new' ? strangers.slice(0, count) : await numbers(count);
	await sandbox.clearLedger();
	const result = await run(work, phones, isConfirmed ? confirmed() : {});
	expect(await reads()).toBe(expected);
	const shown = work === 'call' ? phones : result.json().map((one: any) => one.phone_number);
	expect(result.json()).toHaveLength(count);
	expect(shown).toEqual(phones);
});

test('confirmed, but the platform ignores the search: the list is read', async () => {
	await sandbox.reset({ contacts, settings: { ignoredQuery: ['search'] } });
	const [phone] = (await numbers(1)) as [string];
	const [{ uuid }] = (await run('find', [phone], confirmed())).json();
	expect((await sandbox.state('contacts')).at(-1).uuid).toBe(uuid);
});

test('a list that lacks some: whom a search finds is updated all the same', async () => {
	await sandbox.reset({ contacts: 250 });
	const phones = await numbers(3);
	const body = { data: { items: [], total: 250, current_page: 3, last_page: 3 } };
	await sandbox.strike('GET ^/contacts$', { status: 200, body }, { nth: 3 });
	const result = await run('upsert', phones);
	expect(result.json().map((one: any) => [one.phone_number, one.created])).toEqual(
		phones.map((phone) => [phone, false]),
	);
	expect(await sandbox.created('/contacts')).toEqual([]);
});

test('executions that wait at the same moment read together; whoever asks later gets a later reading', async () => {
	const at = async (phone: string) => await run('call', [phone]);
	await sandbox.clearLedger();
	await Promise.all(strangers.slice(0, 12).map(at));
	// They do not all begin in the same moment.
	expect(await reads()).toBeLessThan(12 + 4 * pages);
	await sandbox.clearLedger();
	await sandbox.settings({ latencyMs: 20 });
	const first = at(strangers[20]!);
	while ((await reads()) < 5) await sandbox.state('agents');
	const { data } = await sandbox.api.post('/contacts', { phone_number: strangers[21] });
	await sandbox.api.post(`/contacts/${data.data.uuid}/blacklist`, { reason: 'said no' });
	const [, late] = await Promise.all([first, at(strangers[21]!)]);
	expect(late.json('Node', 1)).toMatchObject([{ reason: 'blacklisted' }]);
});

test("a tag's name is remembered; a name that is not known is read again", async () => {
	const [one] = await sandbox.state('contacts');
	const tagged = async (name: string) =>
		await engine.runNode('acpContacts', {
			resource: 'contact',
			operation: 'addTag',
			contact: { __rl: true, mode: 'id', value: one.uuid },
			tagId: { __rl: true, mode: 'name', value: name },
		});
	const [{ uuid, name }] = await sandbox.state('contact_tags');
	await sandbox.api.post(`/contacts/${one.uuid}/add-tag`, { tag_id: uuid });
	ok(await tagged(name));
	await sandbox.clearLedger();
	ok(await tagged(name));
	expect(await reads()).toBe(0);
	expect((await tagged(`${name} that is new`)).error).toBeDefined();
	expect(await reads()).toBe(pages);
});
