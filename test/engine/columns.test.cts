/**
 * Columns that people name as they please: what is meant is taken, what nobody knows is refused or named, and nobody is
 * called without the name and the email address that the sheet holds.
 */
import type { IDataObject } from 'n8n-workflow';
import { fast, hintsOf, phoneOf, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ settings: fast });

/** What n8n's editor stores for Map Automatically: optional fields are marked as removed, and there are no values. */
async function automatic(): Promise<IDataObject> {
	const { fields } = await engine.resourceMapping('acpOutreach', 'getListingContactFields', {});
	return {
		mappingMode: 'autoMapInputData',
		value: null,
		matchingColumns: [],
		schema: fields.map((field) => ({ ...field, removed: !field.required })),
		attemptToConvertTypes: false,
		convertFieldsToString: false,
	} as never;
}

const run = async (contacts: unknown, items: object[], more: object = {}) => {
	await sandbox.clearLedger();
	return await engine.runNode(
		'acpOutreach',
		{ resource: 'listing', operation: 'createFromItems', name: 'Spring', contacts } as never,
		{ items: items as never, ...more },
	);
};
const sentContacts = async () =>
	(await sandbox.created('/listings')).flatMap(({ body }) => body.contacts);

describe('Evidence: columns that the node does not find, taken for columns that are not there', () => {
	const sheets: Array<[string, object, object]> = [
		[
			'keys of the platform',
			{ phone_number: phoneOf(1), name: 'Zoe', email: 'zoe@example.com', company: 'Tea Ltd' },
			{ phone_number: phoneOf(1), name: 'Zoe', email: 'zoe@example.com', company: 'Tea Ltd' },
		],
		[
			'labels of the editor',
			{
				'Phone Number': phoneOf(1),
				Name: 'Zoe',
				Surname: 'Doe',
				'Preferred Contact Channel': 'sms',
			},
			{ phone_number: phoneOf(1), name: 'Zoe', surname: 'Doe', preferred_contact_channel: 'sms' },
		],
		[
			'names as programs write them',
			{ phoneNumber: phoneOf(1), firstName: 'Zoe', lastName: 'Doe', emailAddress: 'z@example.com' },
			{ phone_number: phoneOf(1), name: 'Zoe', surname: 'Doe', email: 'z@example.com' },
		],
		[
			'German headings',
			{ Rufnummer: phoneOf(1), Vorname: 'Zoe', Nachname: 'Doe', 'E-Mail': 'z@example.com' },
			{ phone_number: phoneOf(1), name: 'Zoe', surname: 'Doe', email: 'z@example.com' },
		],
		[
			'Turkish headings',
			{ 'Cep Telefonu': phoneOf(1), Adı: 'Zoe', Soyadı: 'Doe', 'E-posta': 'z@example.com' },
			{ phone_number: phoneOf(1), name: 'Zoe', surname: 'Doe', email: 'z@example.com' },
		],
		[
			'Spanish and French headings',
			{
				Teléfono: phoneOf(1),
				Prénom: 'Zoe',
				Apellidos: 'Doe',
				'Correo electrónico': 'z@example.com',
			},
			{ phone_number: phoneOf(1), name: 'Zoe', surname: 'Doe', email: 'z@example.com' },
		],
	];
	test.each(sheets)('Map Automatically, %s: every column is read', async (_, row, contact) => {
		ok(await run(await automatic(), [row]));
		expect(await sentContacts()).toEqual([contact]);
	});

	test('Map Automatically, columns that fill in nothing: named once, for all rows', async () => {
		const rows = [1, 2, 3].map((index) => ({
			row_number: index,
			Phone: phoneOf(index),
			Shoe: index > 2 ? '' : 39,
			Note: 'x',
		}));
		const result = ok(await run(await automatic(), rows));
		expect(await sentContacts()).toHaveLength(3);
		const said = hintsOf(result);
		expect(said.match(/Not sent: "Shoe", "Note"\./g)).toHaveLength(1);
		expect(said).not.toContain('row_number');
	});
});

describe('Evidence: a column whose name is another than it looks, taken for people without a name', () => {
	// A file that a spreadsheet saved begins with a byte-order mark.
	const rows = [1, 2].map((index) => ({ '\ufeffName': 'Zoe', Phone: phoneOf(index) }));
	const said = "Name' is empty for all 2 items. Check which column fills it.";

	test('a listing', async () => {
		const value = { phone_number: '={{ $json.Phone }}', name: '={{ $json.Name }}', surname: null };
		const result = ok(await run({ mappingMode: 'defineBelow', value, schema: [] }, rows));
		expect(hintsOf(result)).toContain(said);
		expect(hintsOf(result)).not.toContain('Surname');
	});

	test('a listing, Map Automatically: the mark does no harm, an empty column is told', async () => {
		const result = ok(
			await run(
				await automatic(),
				rows.map((row) => ({ ...row, Surname: '' })),
			),
		);
		expect((await sentContacts()).map(({ name }) => name)).toEqual(['Zoe', 'Zoe']);
		expect(hintsOf(result)).toContain("Surname' is empty for all 2 items");
	});

	test.each([
		['some have one', [{ Name: 'Zoe', Phone: phoneOf(3) }, ...rows], false],
		['none has one', rows, true],
	])('contacts one by one, %s', async (_, items, isTold) => {
		const result = ok(
			await engine.runNode(
				'acpContacts',
				{
					resource: 'contact',
					operation: 'findOrCreate',
					phoneNumber: '={{ $json.Phone }}',
					name: 'x',
					additionalFields: { surname: '={{ $json.Name }}' },
				} as never,
				{ items: items as never },
			),
		);
		expect(hintsOf(result).includes(`'Surname' is empty for all ${items.length} items`)).toBe(
			isTold,
		);
	});
});

describe('Evidence: a column that nobody knows, taken for a custom field', () => {
	const written = (value: object, schema: object[] = []) => ({
		mappingMode: 'defineBelow',
		value,
		schema,
	});
	const phone = phoneOf(1);
	const schema = [
		{ id: 'phone_number', displayName: 'Phone Number' },
		{ id: 'name', displayName: 'Name' },
		{ id: 'company', displayName: 'Company (company)' },
	];
	const taken: Array<[string, unknown]> = [
		['camelCase', written({ phoneNumber: phone, firstName: 'Zoe', company: 'Tea' })],
		['labels', written({ 'Phone Number': phone, 'First Name': 'Zoe', Company: 'Tea' }, schema)],
		['JSON text', JSON.stringify({ mobile: phone, Vorname: 'Zoe', company: 'Tea' })],
	];
	test.each(taken)('%s: taken for the field that is meant', async (_, contacts) => {
		ok(await run(contacts, [{}]));
		expect(await sentContacts()).toEqual([{ phone_number: phone, name: 'Zoe', company: 'Tea' }]);
	});

	const refused: Array<[string, unknown, string]> = [
		[
			'a misspelled field',
			written({ phone_number: phone, emial: 'z@example.com' }),
			`'Contacts' has no field "emial". Did you mean "Email"?`,
		],
		[
			'a field that the workspace does not have',
			written({ phone_number: phone, shoe: 39 }, schema),
			`'Contacts' has no field "shoe". It has: Phone Number, Name`,
		],
	];
	test.each(refused)(
		'%s: refused with the nearest name, nothing is sent',
		async (_, contacts, says) => {
			const result = await run(contacts, [{}]);
			expect(result.error?.message).toContain(says);
			expect(await sentContacts()).toEqual([]);
		},
	);

	test('a name that only the platform could know: sent, and named in a hint', async () => {
		const result = ok(
			await run(written({ phone_number: phone, loyalty: 'gold', phone_number_2: 'x' }), [{}]),
		);
		expect(hintsOf(result)).toContain('sent "loyalty", "phone_number_2" as custom fields');
	});

	test('custom fields of a contact: known by the schema that the editor stored', async () => {
		await sandbox.api.post('/contacts/fields', {
			key: 'order_number',
			name: 'Order Number',
			type: 'text',
		});
		const fields = [{ id: 'order_number', displayName: 'Order Number (order_number)' }];
		const contact = (value: object) => ({
			resource: 'contact',
			operation: 'create',
			phoneNumber: phone,
			customFields: written(value, fields),
		});
		ok(await engine.runNode('acpContacts', contact({ orderNumber: 7 }) as never, { items: [{}] }));
		const [created] = await sandbox.created('/contacts');
		expect(created!.body).toEqual({ phone_number: phone, order_number: '7' });
	});
});
