/** Contacts: custom fields, Find or Create, the blacklist, and what cannot be changed. */
import { cases, refusals } from './guarantees/cases.cts';
import { byId, ok, mapped } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox, engine, run } = platform;

const addField = async (key: string, more: object = {}) =>
	await sandbox.api.post('/contacts/fields', { key, name: key, ...more });
const createdContacts = async () => await sandbox.created('/contacts');
const some = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');

describe('contact', () => {
	const phoneNumber = '+14155550101';

	cases(platform, {
		'custom fields stand at the top level of the body, as texts': async () => {
			for (const key of ['order_number', 'vip']) await addField(key);
			return {
				node: 'acpContacts contact.create',
				parameters: {
					phoneNumber,
					customFields: mapped({ order_number: 1001, vip: true }),
					additionalFields: { email: 'ada@example.com' },
				},
				got: {
					'POST /contacts': [
						{
							phone_number: phoneNumber,
							order_number: '1001',
							vip: 'true',
							email: 'ada@example.com',
						},
					],
				},
			};
		},
		'a custom field that is not registered is named': {
			node: 'acpContacts contact.create',
			parameters: { phoneNumber, customFields: mapped({ shoe_size: '44' }) },
			fails: 'shoe_size',
			there: { contacts: 25 },
		},
		'a tag: a number is sent as a number': async () => await tagged('id'),
		'a tag: an ID is sent as text': async () => await tagged('uuid'),
		'a contact is blocked for good': {
			node: 'acpContacts contact.blacklist',
			parameters: { contact: some, reason: 'Asked for it' },
			fails: /not found/,
			got: { 'POST .*/blacklist': [{ reason: 'Asked for it', is_permanent: true }] },
		},
		'a contact is blocked until a date': {
			node: 'acpContacts contact.blacklist',
			parameters: {
				contact: some,
				reason: 'On holiday',
				isPermanent: false,
				expiresAt: '2099-12-31T00:00:00',
			},
			fails: /not found/,
			got: {
				'POST .*/blacklist': [
					{ reason: 'On holiday', is_permanent: false, expires_at: '2099-12-31' },
				],
			},
		},
		// interface: §2.11 contact field; §4.3 PUT contact field
		...refusals('acpContacts', [
			[
				'contact.create',
				{ customFields: mapped({ tags: ['a', 'b'] }) },
				"'Custom Fields › tags' should be text, but it is a list",
			],
			['contact.create', {}, "The contact would be empty. Fill in 'Phone Number'"],
			[
				'contact.addTag',
				{ contact: some, tagId: '={{ "VIP" }}' },
				'\'Tag\' is not a valid ID: "VIP". It is a number, or an ID',
			],
			[
				'contact.blacklist',
				{ contact: some, reason: 'x'.repeat(3), isPermanent: false, expiresAt: '={{ $json.no }}' },
				"'Expires At' is empty",
			],
			[
				'contact.blacklist',
				{ contact: some, reason: 'no' },
				"'Reason' has 2 characters; at least 3 are required",
			],
			[
				'contactField.update',
				{ key: byId('order_number'), options: { bodyJson: '{"key": "other"}' } },
				'The key of a field cannot be changed. To use another key, delete the field and create a new one',
			],
			['contactField.update', { key: byId('order_number') }, 'There is nothing to change'],
		]),
	});

	const tagged = async (name: 'id' | 'uuid') => {
		const [{ uuid: contact }] = await sandbox.state('contacts');
		const [tag] = await sandbox.state('contact_tags');
		return {
			node: 'acpContacts contact.addTag',
			parameters: { contact: byId(contact), tagId: byId(tag[name]) },
			json: [{ tags: [{ name: tag.name }] }],
			got: { 'POST .*': [{ tag_id: tag[name] }] },
		};
	};
});

test('a simplified contact shows its tags, so that others can be left out', async () => {
	const [{ uuid }] = await sandbox.state('contacts');
	const [{ id: tagId, name }] = await sandbox.state('contact_tags');
	await sandbox.api.post(`/contacts/${uuid}/add-tag`, { tag_id: tagId });
	const [contact] = ok(
		await engine.runNode('acpContacts contact.get', { contact: byId(uuid) }),
	).json();
	expect(contact.tags).toMatchObject([{ name }]);
});

describe('find or create by phone', () => {
	const find = async (items: object[], simplify = true) =>
		ok(
			await run(
				'acpContacts contact.findOrCreate',
				{ phoneNumber: '={{ $json.phone }}', name: '={{ $json.name }}', simplify },
				{ items: items as never },
			),
		).json();

	test.each([[true], [false]])(
		'found, created, found again and found after a lost answer: one shape (Simplify %s)',
		async (simplify) => {
			const [known] = await sandbox.state('contacts');
			const shapes: string[] = [];
			for (const phone of [known.phone_number, '+14155550101', '+14155550101', '+14155550102']) {
				const [only] = await find([{ phone, name: 'Ada' }], simplify);
				shapes.push(Object.keys(only).sort().join());
				if (phone === '+14155550101')
					await sandbox.strike('POST ^/contacts$', 'reset-after', { times: 1 });
			}
			expect(shapes).toHaveLength(4);
			expect([...new Set(shapes)]).toHaveLength(1);
		},
	);

	test('it works when the platform refuses the parameter that is searched by', async () => {
		const [known] = (await sandbox.state('contacts')).slice(-1);
		await sandbox.strike(
			'GET ^/contacts$',
			{ status: 422, code: 'VALIDATION_ERROR' },
			{ times: 1 },
		);
		expect(await find([{ phone: known.phone_number, name: 'Other' }])).toMatchObject([
			{ uuid: known.uuid, created: false },
		]);
		expect(await createdContacts()).toEqual([]);
	});
});

describe('contact analyzer', () => {
	// Through an expression: what is typed in, n8n itself checks.
	const update = (id: string, updateFields: object) =>
		({ internalId: byId(`={{ "${id}" }}`), updateFields }) as never;

	cases(
		platform,
		refusals('acpContacts', [
			// interface: §2.11 analyzer prefixes
			[
				'contactAnalyzer.update',
				update('order_number', { updateBehavior: 'dont_update' }),
				'\'Analyzer\' is not a valid ID: "order_number". It begins with b_ for a built-in contact field, f_ for a custom one or p_ for a pipeline stage rule',
			],
			[
				'contactAnalyzer.update',
				update('b_email', { analysisGoals: 'x' }),
				"For a built-in contact field (b_), only 'Update Behavior' can be changed",
			],
			[
				'contactAnalyzer.update',
				update('b_email', { exampleValues: 'x' }),
				'For a built-in contact field (b_)',
			],
			[
				'contactAnalyzer.update',
				update('p_initial_contact', { exampleValues: 'x' }),
				'A pipeline stage rule (p_) has no example values',
			],
			['contactAnalyzer.update', update('f_order_number', {}), 'There is nothing to change'],
		]),
	);
});
