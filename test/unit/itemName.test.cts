/** How messages name input items: by the row in the sheet or the number, and the phone number. */
import { itemMark, itemName, itemsMark, itemsName, rowOf } from '../../nodes/engine/text/itemName';

test('the row is that of the nodes for Google Sheets and Excel, as a number or as text', () => {
	expect([{ row_number: 5 }, { row_number: '17' }].map(rowOf)).toEqual([5, 17]);
	const without = [{}, undefined, { row_number: 0 }, { row_number: 'x' }, { row_number: null }];
	expect(without.map(rowOf)).toEqual(Array(5).fill(undefined));
	expect([{ row_number: 2.5 }, { row_number: '' }].map(rowOf)).toEqual([undefined, undefined]);
});

test('a row of a sheet, otherwise the item, with what it is called', () => {
	expect(itemName({ item: 3 })).toBe('item 3');
	expect(itemName({ item: 3, row: 5 })).toBe('row 5');
	expect(itemName({ item: 3, row: 5, phoneNumber: '+14155550101' })).toBe('+14155550101 (row 5)');
});

test('behind a message: a row in its own form, an item in that of n8n', () => {
	expect(itemMark({ item: 3 })).toBe('[item 3]');
	expect(itemMark({ item: 3, row: 5, phoneNumber: '030 9' })).toBe('(030 9, row 5)');
	expect(itemsMark([{ item: 4 }, { item: 5 }, { item: 7 }])).toBe('[items 4–5, 7]');
	expect(itemsMark([2, 3, 9].map((row) => ({ item: row - 2, row })))).toBe('(rows 2–3, 9)');
	const scattered = Array.from({ length: 60 }, (_, index) => ({ item: 2 * index }));
	expect(itemsMark(scattered)).toMatch(/^\[items 0, 2, 4, .*, 28, …\]$/);
});

test('many: counted in rows only if all have one, each once, and no list without end', () => {
	const [second, third] = [
		{ item: 0, row: 2 },
		{ item: 1, row: 3 },
	];
	expect(itemsName([second, third, { item: 7, row: 9 }])).toBe('3 rows (2–3, 9)');
	expect(itemsName([second, { item: 4 }])).toBe('2 items (0, 4)');
	expect(itemsName([third, third])).toBe('1 row (3)');
	const scattered = Array.from({ length: 60 }, (_, index) => ({ item: 2 * index }));
	expect(itemsName(scattered)).toMatch(/^60 items \(0, 2, 4, .*, 78, …\)$/);
});

test('a phone number that the message shows is not repeated, one that is cut neither', () => {
	expect(itemName({ item: 3, phoneNumber: '030 9' }, 'wrong: "030 9"')).toBe('item 3');
	expect(itemName({ item: 3, phoneNumber: '030 9…' }, 'wrong: "030 99"')).toBe('item 3');
	expect(itemName({ item: 3, phoneNumber: '030 9' }, 'wrong')).toBe('030 9 (item 3)');
});
