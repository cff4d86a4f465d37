/** How messages name an input item: by its number, its row in the sheet and its phone number. */
import { itemName, rowOf } from '../../nodes/engine/text/itemName';

test('the row is that of the nodes for Google Sheets and Excel, as a number or as text', () => {
	expect([{ row_number: 5 }, { row_number: '17' }].map(rowOf)).toEqual([5, 17]);
	const without = [{}, undefined, { row_number: 0 }, { row_number: 'x' }, { row_number: null }];
	expect(without.map(rowOf)).toEqual(Array(5).fill(undefined));
	expect([{ row_number: 2.5 }, { row_number: '' }].map(rowOf)).toEqual([undefined, undefined]);
});

test('what is known stands beside the number of the item', () => {
	expect(itemName({ item: 3 })).toBe('item 3');
	expect(itemName({ item: 3, row: 5 })).toBe('item 3, row 5');
	expect(itemName({ item: 3, row: 5, phoneNumber: '+14155550101' })).toBe(
		'item 3, row 5, +14155550101',
	);
});

test('a phone number that the message shows is not repeated, one that is cut neither', () => {
	expect(itemName({ item: 3, phoneNumber: '030 9' }, 'wrong: "030 9"')).toBe('item 3');
	expect(itemName({ item: 3, phoneNumber: '030 9…' }, 'wrong: "030 99"')).toBe('item 3');
	expect(itemName({ item: 3, phoneNumber: '030 9' }, 'wrong')).toBe('item 3, 030 9');
});
