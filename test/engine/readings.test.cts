/** How many requests it takes to learn something of a long list, counted where the platform is. */
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, fast, ok } from './guarantees/scene.cts';

const { sandbox, engine } = usePlatform({ settings: fast, speed: 50 });

const contacts = 2000;
const pages = contacts / 100;
const strangers = Array.from({ length: 30 }, (_, at) => `+1415555${String(9000 + at)}`);

beforeEach(async () => {
	await engine.forget();
	await sandbox.reset({ contacts });
});

const numbers = async (count: number): Promise<string[]> =>
	(await sandbox.state('contacts')).slice(-count).map((one: any) => one.phone_number);
const reads = async () => (await sandbox.ledger({ path: '/contacts', method: 'GET' })).length;

type Work = 'call' | 'find' | 'findOrCreate' | 'upsert';
const run = async (work: Work, phones: string[], numberSearchConfirmed = false) => {
	const phoneNumber = '={{ $json.phone }}';
	const options = { skipBlacklistedContacts: true };
	const agent = byId(await agentOf(sandbox));
	const call = ['acpCalls call.start', { agent, phoneNumber, options }] as const;
	const about = { phoneNumber, find: phoneNumber, ...(work === 'upsert' && { name: 'Ada' }) };
	const [node, parameters] = work === 'call' ? call : [`acpContacts contact.${work}`, about];
	const acpApi = { ...sandbox.credential(), numberSearchConfirmed };
	const items = phones.map((phone) => ({ phone }));
	return ok(await engine.runNode(node, parameters, { items, credentials: { acpApi } as never }));
};

test.each<[string, Work, 'known' | 'new', number, boolean, number]>([
	['confirmed: one search for each of two', 'call', 'new', 2, true, 2],
	['confirmed, but as many people as pages: the list', 'call', 'new', 30, true, pages + 1],
	['not confirmed: the list', 'call', 'new', 1, false, pages + 1],
	['confirmed, five people: the first page, and a search for each', 'find', 'known', 5, true, 6],
	['not confirmed, 30 people: the list, once for all', 'find', 'known', 30, false, pages + 1],
	['confirmed: one search proves that nobody is there', 'findOrCreate', 'new', 1, true, 1],
	['not confirmed: a search, and the list', 'findOrCreate', 'new', 1, false, pages + 2],
	['not confirmed: a search that finds somebody', 'upsert', 'known', 1, false, 1],
	['fewer people than pages: the first one, and searches', 'upsert', 'known', 10, false, 11],
])('%s (%s, %s, %i)', async (_, work, who, count, isConfirmed, expected) => {
	const phones = who === 'new' ? strangers.slice(0, count) : await numbers(count);
	await sandbox.clearLedger();
	const result = await run(work, phones, isConfirmed);
	expect(await reads()).toBe(expected);
	const shown = work === 'call' ? phones : result.json().map((one: any) => one.phone_number);
	expect(result.json()).toHaveLength(count);
	expect(shown).toEqual(phones);
});

test('confirmed, but the platform ignores the search: the list is read', async () => {
	await sandbox.reset({ contacts, settings: { ignoredQuery: ['search'] } });
	const [{ uuid }] = (await run('find', await numbers(1), true)).json();
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
	const contact = byId(one.uuid);
	const tagged = async (value: string) =>
		await engine.runNode('acpContacts contact.addTag', {
			contact,
			tagId: { __rl: true, mode: 'name', value },
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
