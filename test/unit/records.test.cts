/** What the platform answers becomes records, one n8n item each, whatever it is. */
import { operation } from '../../nodes/engine/operation';
import { records } from '../../nodes/engine/deliver/records';

const prepared = {
	operation: operation.get('GET /outbound/summary', { name: 'Get', action: 'Get it' }),
	path: {},
	body: {},
};

test.each([
	['an envelope', { success: true, data: { uuid: 'a' } }, [{ uuid: 'a' }]],
	[
		'a list in an envelope',
		{ data: [{ uuid: 'a' }, { uuid: 'b' }] },
		[{ uuid: 'a' }, { uuid: 'b' }],
	],
	['no envelope', { calls: 3 }, [{ calls: 3 }]],
	['no body', undefined, [{ success: true }]],
	['null as data', { success: true, data: null }, [{ success: true }]],
	['empty text as data', { data: '' }, [{ success: true }]],
	['a text', 'done', [{ value: 'done' }]],
	['zero', { data: 0 }, [{ value: 0 }]],
	['false', { data: false }, [{ value: false }]],
])('%s: the answer %j becomes the records %j', (_, answer, expected) => {
	expect(records(answer, prepared)).toEqual(expected);
});
