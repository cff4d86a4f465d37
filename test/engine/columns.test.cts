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

const run = async (contacts: unknown, items: IDataObject[]) => {
	await sandbox.clearLedger();
	const parameters = { name: 'Spring', contacts: contacts as never };
	return await engine.runNode('acpOutreach listing.createFromItems', parameters, { items });
};
const sentContacts = async () =>
	(await sandbox.created('/listings')).flatMap(({ body }) => body.contacts);

describe('Evidence: columns that the node does not find, taken for columns that are not there', () => {
	// Other headings: test/unit/fields.test.cts.
	test('Map Automatically, headings of other languages: every column is read', async () => {
		const [phone, email] = [phoneOf(1), 'z@example.com'];
		const row = { Rufnummer: phone, Adı: 'Zoe', Apellidos: 'Doe', 'Correo electrónico': email };
		ok(await run(await automatic(), [row]));
		const contact = { phone_number: phone, name: 'Zoe', surname: 'Doe', email };
		expect(await sentContacts()).toEqual([contact]);
	});

	test('Map Automatically, columns that fill in nothing: named once, for all rows', async () => {
		const rows = [1, 2, 3].map((row_number) => ({
			row_number,
			Phone: phoneOf(row_number),
			Shoe: row_number > 2 ? '' : 39,
			Note: 'x',
		}));
		const said = hintsOf(ok(await run(await automatic(), rows)));
		expect(await sentContacts()).toHaveLength(3);
		expect(said.match(/Not sent: "Shoe", "Note"\./g)).toHaveLength(1);
		expect(said).not.toContain('row_number');
	});
});

describe('Evidence: a column whose name is another than it looks, taken for people without a name', () => {
	// A file that a spreadsheet saved begins with a byte-order mark.
	const rows = [1, 2].map((index) => ({ '\ufeffName': 'Zoe', Phone: phoneOf(index) }));

	test('a listing, Map Automatically: the mark does no harm, an empty column is told', async () => {
		const items = rows.map((row) => ({ ...row, Surname: '' }));
		const result = ok(await run(await automatic(), items));
		expect((await sentContacts()).map(({ name }) => name)).toEqual(['Zoe', 'Zoe']);
		expect(hintsOf(result)).toContain("Surname' is empty for all 2 items");
	});

	test.each([
		['some have one', [{ Name: 'Zoe', Phone: phoneOf(3) }, ...rows], false],
		['none has one', rows, true],
	])('contacts one by one, %s', async (_, items, isTold) => {
		const additionalFields = { surname: '={{ $json.Name }}' };
		const parameters = { phoneNumber: '={{ $json.Phone }}', name: 'x', additionalFields };
		const result = ok(
			await engine.runNode('acpContacts contact.findOrCreate', parameters, { items }),
		);
		expect(hintsOf(result).includes(`'Surname' is empty for all ${items.length} items`)).toBe(
			isTold,
		);
	});
});
