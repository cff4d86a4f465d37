/**
 * Values that cannot be sent: what people, spreadsheets and expressions really give. Each is refused before anything
 * leaves, with the item, the field and a sentence that says what to do. The cases stand in test/data/badInput.json.
 */
import { pick, range } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { fast, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

interface Group {
	about: string;
	node: string;
	/** With `{{ $json.value }}` where the value stands. */
	parameters: INodeParameters;
	/** The phone number by which items are named; `value`: it is the value. */
	number?: string;
	/** A value that could be sent, where there is one. */
	good?: unknown;
	/**
	 * Without `value`: the item has none. `{"$repeat": ["x", 1000]}` stands for a long text.
	 * `field` is absent where a rule concerns several.
	 */
	cases: Array<{ about: string; value?: unknown; field?: string; message: string }>;
}

const groups = require('../data/badInput.json') as Group[];
const { sandbox, run } = usePlatform({ settings: fast });

const itemOf = (one: { value?: any }) => {
	const [text, times] = one.value?.$repeat ?? [];
	return times ? { value: text.repeat(times) } : pick(one, 'value');
};

test('there are enough cases', () => {
	const cases = groups.flatMap(({ about, cases: ofGroup }) =>
		ofGroup.map((one) => `${about}: ${one.about}`),
	);
	expect(cases.length).toBeGreaterThanOrEqual(200);
	expect(new Set(cases).size).toBe(cases.length);
});

describe.each(groups)('$about', (group) => {
	const { node, parameters, good, cases } = group;
	// interface: §4.1 rule 1; §6 event names; §7 INVALID_FORMAT; §7 INVALID_UUID
	test('On Error is Continue: each becomes an error item that names its field and says what to do', async () => {
		const items = cases.map(itemOf);
		const result = ok(await run(node, parameters, { items, onError: 'continueRegularOutput' }));
		expect(result.json().map(({ value, ...told }) => told)).toEqual(
			cases.map((one, item) => ({
				error: one.message,
				errorDescription: 'This item was not sent.',
				errorCode: 'INVALID_ITEM',
				errorField: one.field ?? null,
				errorStatus: null,
				errorOutcome: 'nothing happened',
				errorItem: item,
			})),
		);
		expect(result.pairedItems()).toEqual(cases.map((_, item) => [item]));
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('On Error is Stop: nothing is sent for the good item either, and every bad one is listed', async () => {
		expect(cases.length).toBeGreaterThan(0);
		const first = good === undefined ? 0 : 1;
		const items = [...(first ? [{ value: good }] : []), ...cases].map(itemOf);
		const { message, description } = (await run(node, parameters, { items })).error!;
		const named = group.number && group.number !== 'value' ? `(${group.number}) ` : '';
		expect(message.endsWith(`${named}[item ${first}]`)).toBe(true);
		if (cases.length > 1)
			expect(message.startsWith(`${cases.length} of ${items.length} items cannot be sent: `)).toBe(
				true,
			);
		const listed = description!.match(/(?<=<li>).*?(?=<\/li>)/g) ?? [];
		const itemsIn = (line: string) =>
			(/^(?:Item |\d+ items \(|.*?\(item )(\d+(?:–\d+)?(?:, \d+(?:–\d+)?)*)/.exec(line)?.[1] ?? '')
				.split(', ')
				.flatMap((part) => {
					const [from, to = from] = part.split('–').map(Number);
					return range(from!, to! + 1);
				});
		if (cases.length > 1)
			expect(listed.flatMap(itemsIn).sort((a, b) => a - b)).toEqual(range(first, items.length));
		expect(listed.length).toBeLessThanOrEqual(20);
		expect(await sandbox.ledger()).toEqual([]);
	});
});
