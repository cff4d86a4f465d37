/**
 * A sheet as people have it: phone numbers in every spelling, rows with their number in the sheet. What is
 * sent, what is refused and how the row is named.
 */
import type { INodeParameters } from 'n8n-workflow';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { agentOf, fast, hintsOf, mapped, requestsShown, sms, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, run } = usePlatform({ settings: fast });
const messages = 'acpMessages';

/** Twelve rows of an exported sheet, as the node for Google Sheets gives them. */
const sheet = [
	['Anna', '+14155550101'],
	['Ben', '+1 (415) 555-0102'],
	['Cem', '0090 532 123 45 67'],
	['Dora', '(415) 555-0104'],
	['Emil', '415.555.0105'],
	['Fatma', 4155550106],
	['Gil', 'tel:+4930901820'],
	['Hana', '（４１５）５５５－０１０８'],
	['Ida', '415-555-0104'],
	['Jan', '+1 415 555 0110 ext. 12'],
	['Kai', '4.15556E+9'],
	['Lea', '555-0112'],
].map(([name, phone], index) => ({ row_number: index + 2, name, phone, text: `Hello ${name}` }));
const good = sheet.slice(0, 9);
const numbers = [
	'+14155550101',
	'+14155550102',
	'+905321234567',
	'+14155550104',
	'+14155550105',
	'+14155550106',
	'+4930901820',
	'+14155550108',
	'+14155550104',
];

const listing = (options: INodeParameters = {}): INodeParameters => ({
	resource: 'listing',
	operation: 'createFromItems',
	name: 'Spring offer',
	contacts: mapped({ phone_number: '={{ $json.phone }}', name: '={{ $json.name }}' }),
	options,
});
const sentNumbers = async () =>
	(await sandbox.ledger({ path: '/sms/send' })).map(({ body }) => body.phoneNumber);

describe('a run of messages', () => {
	test('every spelling is sent in international format; hint and output tell what was changed', async () => {
		const result = ok(
			await run(messages, sms(await agentOf(sandbox), { defaultCountry: 'US' }), { items: good }),
		);
		expect((await sentNumbers()).sort()).toEqual([...numbers].sort());
		expect(hintsOf(result)).toContain(
			'8 numbers were converted to international format: "+1 (415) 555-0102" → +14155550102 (row 3); ',
		);
		expect(hintsOf(result)).toContain('; 3 more.');
		expect(new Set(result.json().map((json) => Object.keys(json).sort().join())).size).toBe(1);
	});

	test('without a default country the message names the option, the row and its number', async () => {
		const result = await run(messages, sms(await agentOf(sandbox)), {
			items: [...sheet.slice(0, 4), { ...sheet[4], phone: '+14155550105', text: '' }],
		});
		expect(result.error?.message).toMatch(
			/^2 of 5 items cannot be sent: 'Phone Number' is not a phone number in international format: "\(415\) 555-0104"\. Choose 'Default Country' under Options.*\(row 5\)$/,
		);
		expect(result.error?.description).toMatch(
			/Rows are counted as in the sheet\. <ul><li>Row 5: 'Phone Number' .*<li>\+14155550105 \(row 6\): 'Message' is empty.*<\/ul>$/,
		);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('rows that cannot be called are refused by row; with continue they are error items that tell it', async () => {
		const parameters = sms(await agentOf(sandbox), { defaultCountry: 'US' });
		const stopped = await run(messages, parameters, { items: sheet });
		expect(stopped.error?.message).toMatch(/^3 of 12 items cannot be sent: /);
		expect(stopped.error?.description).toMatch(
			/<li>Row 11: 'Phone Number' has an extension.*<li>Row 12: 'Phone Number' is in the scientific notation.*<li>Row 13: 'Phone Number' is not a valid United States number/,
		);
		expect(await sandbox.ledger()).toEqual([]);
		const going = await run(messages, parameters, {
			items: sheet,
			onError: 'continueRegularOutput',
		});
		expect((await sentNumbers()).sort()).toEqual([...numbers].sort());
		const errors = going.json().filter(({ error }) => error !== undefined);
		expect(errors.map(({ errorItem, ...input }) => [errorItem, input])).toEqual(
			sheet.slice(9).map((row) => [row.row_number - 2, expect.objectContaining(row)]),
		);
	});

	test('a default country that is none is refused before anything is sent; None and an empty one are none', async () => {
		const agent = await agentOf(sandbox);
		const wrong = await run(messages, sms(agent, { defaultCountry: 'Utopia' }), {
			items: [sheet[0]!],
		});
		expect(wrong.error?.message).toBe(
			`'Options › Default Country' is "Utopia", which is not a country. Choose one, or enter its two letters, like DE`,
		);
		const none = await run(messages, sms(agent, { defaultCountry: '' }), { items: [sheet[3]!] });
		expect(none.error?.message).toContain("'Default Country' under Options");
		expect(await sandbox.ledger()).toEqual([]);
	});
});

describe('a listing', () => {
	test('contacts that are given as rows are read in the same way', async () => {
		ok(
			await run(
				'acpOutreach listing.create',
				{
					name: 'Spring offer',
					contacts: {
						values: [{ phoneNumber: '={{ $json.one }}' }, { phoneNumber: '+1 415 555 0101' }],
					},
					options: { defaultCountry: 'TR' },
				},
				{ items: [{ one: '0532 123 45 67' }] },
			),
		);
		const { body } = (await sandbox.created('/listings'))[0]!;
		expect(body.contacts.map(({ phone_number: number }: any) => number)).toEqual([
			'+905321234567',
			'+14155550101',
		]);
	});

	test('a long list: Preview tells the first hundred, the hint how many', async () => {
		const items = Array.from({ length: 150 }, (_, index) => ({
			name: `Lead ${index}`,
			phone: `(415) 555-${1000 + index}`,
		}));
		const result = await run('acpOutreach', listing({ defaultCountry: 'US', preview: true }), {
			items,
		});
		const [told] = requestsShown(result).map(({ changedNumbers }) => changedNumbers);
		expect(told.split('; ')).toHaveLength(101);
		expect(told).toMatch(/^"\(415\) 555-1000" → \+14155551000 \(item 0\); .*; 50 more$/);
		expect(hintsOf(result)).toMatch(/150 numbers were converted to international format: /);
	});
});

test('every operation that takes a phone number has the option, and no other has it', () => {
	const entries = operationsOf(nodes());
	const withOption = entries.filter(({ parameters }) =>
		parameters
			.find(({ name }) => name === 'options')
			?.options?.some(({ name }) => name === 'defaultCountry'),
	);
	const asks = ({ parameters }: (typeof entries)[number]) =>
		/\+1 415 555 0123|"getListingContactFields"/.test(JSON.stringify(parameters));
	expect(
		withOption.map(({ node, resource, value }) => `${node.name}.${resource.value}.${value}`),
	).toEqual(
		entries
			.filter(asks)
			.map(({ node, resource, value }) => `${node.name}.${resource.value}.${value}`),
	);
	expect(withOption.length).toBeGreaterThan(15);
});
