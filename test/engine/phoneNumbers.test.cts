/**
 * A sheet as people have it: phone numbers in every spelling, rows with their number in the sheet. What is
 * sent, what is refused and how the row is named.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { agentOf, fast, hintsOf, mapped, requestsShown, sms, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, run } = usePlatform({ settings: fast });

/** Rows of an exported sheet, as the node for Google Sheets gives them, and what is sent of each. */
const rows: Array<[name: string, phone: string | number, sent?: string]> = [
	['Anna', '+14155550101', '+14155550101'],
	['Ben', '+1 (415) 555-0102', '+14155550102'],
	['Cem', '0090 532 123 45 67', '+905321234567'],
	['Dora', '(415) 555-0104', '+14155550104'],
	['Fatma', 4155550106, '+14155550106'],
	['Gil', 'tel:+4930901820', '+4930901820'],
	['Hana', '（４１５）５５５－０１０８', '+14155550108'],
	['Ida', '415-555-0104', '+14155550104'],
	['Jan', '+1 415 555 0110 ext. 12'],
	['Kai', '4.15556E+9'],
	['Lea', '555-0112'],
];
const sheet = rows.map(([name, phone], index) => ({
	row_number: index + 2,
	name,
	phone,
	text: `Hello ${name}`,
}));
const numbers = rows.flatMap(([, , sent]) => sent ?? []).sort();

const inUs = { defaultCountry: 'US' };
const send = async (options: INodeParameters, items: IDataObject[], more: object = {}) =>
	await run('acpMessages', sms(await agentOf(sandbox), options), { items, ...more });
const sentNumbers = async () =>
	(await sandbox.ledger({ path: '/sms/send' })).map(({ body }) => body.phoneNumber).sort();

describe('a run of messages', () => {
	test('every spelling is sent in international format; hint and output tell what was changed', async () => {
		const result = ok(await send(inUs, sheet.slice(0, numbers.length)));
		expect(await sentNumbers()).toEqual(numbers);
		expect(hintsOf(result)).toMatch(
			/ 7 numbers .* international format: "\+1 \(415\) 555-0102" → \+14155550102 \(row 3\); .*; 2 more\./,
		);
		expect(new Set(result.json().map((json) => Object.keys(json).sort().join())).size).toBe(1);
	});

	test('rows that cannot be called are refused by row; with continue they are error items that tell it', async () => {
		const { error } = await send(inUs, sheet);
		expect(error?.message).toMatch(/^3 of 11 items cannot be sent: /);
		expect(error?.description).toMatch(
			/<li>Row 10: .* has an extension.*<li>Row 11: .* scientific notation.*<li>Row 12: .* not a valid United States number/,
		);
		expect(await sandbox.ledger()).toEqual([]);
		const going = await send(inUs, sheet, { onError: 'continueRegularOutput' });
		expect(await sentNumbers()).toEqual(numbers);
		const errors = going.json().filter(({ error: told }) => told !== undefined);
		expect(errors).toMatchObject(
			sheet.slice(numbers.length).map((row) => ({ ...row, errorItem: row.row_number - 2 })),
		);
	});

	test('a default country that is none is refused before anything is sent; an empty one is none', async () => {
		const wrong = await send({ defaultCountry: 'Utopia' }, [sheet[0]!]);
		expect(wrong.error?.message).toMatch(/^'Options › Default Country' is "Utopia", which is not/);
		const { error } = await send({ defaultCountry: '' }, [sheet[3]!]);
		expect(error?.message).toMatch(
			/not a phone number in international format: .* Choose 'Default Country' under Options/,
		);
		expect(await sandbox.ledger()).toEqual([]);
	});
});

test('a long listing: Preview tells the first hundred, the hint how many', async () => {
	const items = Array.from({ length: 150 }, (_, at) => ({ phone: `(415) 555-${1000 + at}` }));
	const contacts = mapped({ phone_number: '={{ $json.phone }}' });
	const parameters = { name: 'L', contacts, options: { ...inUs, preview: true } };
	const result = await run('acpOutreach listing.createFromItems', parameters, { items });
	const [{ changedNumbers: told }] = requestsShown(result);
	expect(told.split('; ')).toHaveLength(101);
	expect(told).toMatch(/^"\(415\) 555-1000" → \+14155551000 \(item 0\); .*; 50 more$/);
	expect(hintsOf(result)).toMatch(/150 numbers were converted to international format: /);
});

test('every operation that takes a phone number has the option, and no other has it', () => {
	const has = ({ parameters }: any): boolean =>
		JSON.stringify(parameters).includes('"name":"defaultCountry"');
	const asks = ({ parameters }: any): boolean =>
		/\+1 415 555 0123|"getListingContactFields"/.test(JSON.stringify(parameters));
	const entries = operationsOf(nodes());
	expect(entries.filter(has).length).toBeGreaterThan(15);
	const wrong = entries.filter((entry) => has(entry) !== asks(entry));
	expect(wrong.map(({ subject }) => subject)).toEqual([]);
});
