/** What an agent gets to say of what n8n answers, in each form in which n8n's nodes return it. */
import { holdResponse, type HttpResponse } from '../../nodes/AcpIntentTrigger/answer';

/** What is sent when n8n answers like this. */
function said(field: string, status: number, body: unknown): string {
	const sent: string[] = [];
	const response = {
		headersSent: false,
		status: () => response,
		setHeader: () => response,
		send: (text: string) => (sent.push(text), response),
		json: () => response,
	} as unknown as HttpResponse & { json(body: unknown): void };
	const settings = { immediately: false, field, text: '', fallbackText: 'Sorry', longestMs: 1000 };
	holdResponse(response, { ...settings, authToken: 'off' }, 1000);
	response.status(status);
	if (typeof body === 'string') response.send(body);
	else response.json(body);
	expect(sent).toHaveLength(1);
	return sent[0] as string;
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const sorry = JSON.stringify({ message: 'Sorry' });
const item = { answer: 'At seven' };
const items = [item];
const error = 'connect ECONNREFUSED 10.0.0.5:5432 at /opt/db.js:1';
const nothing = { a: null, b: '  ', c: [], d: { e: [null, { f: '-' }] } };
const empty = 'Workflow executed successfully but the last node did not return any data';

test.each<[string, string, unknown, unknown]>([
	['one field of an item', 'answer', item, 'At seven'],
	['an item', '', item, item],
	['a text, although a field is set', 'answer', 'At seven', 'At seven'],
	['a text', '', 'At seven', 'At seven'],
	['the first of all items', 'answer', [item, { answer: 'No' }], 'At seven'],
	['all items', '', items, items],
	['no items', 'answer', [], 'Sorry'],
	['what n8n says of no data', '', { message: empty }, sorry],
	['a message of the workflow', '', { message: 'Done', a: 1 }, { message: 'Done', a: 1 }],
	['an item that says no', '', { free: false }, { free: false }],
	['an item without fields', '', {}, sorry],
	['an item with nothing in it', '', nothing, sorry],
	['a field with nothing in it', 'answer', { answer: nothing, a: 1 }, 'Sorry'],
	['a field without a word', 'answer', { answer: ' … 😀 ' }, 'Sorry'],
	['an empty field', 'answer', { answer: '' }, 'Sorry'],
	['a word in another script', 'answer', { answer: '七' }, '七'],
	['a field that is a number', 'answer', { answer: 7 }, '7'],
	['a field that is an object', 'answer', { answer: { at: 7 } }, '{"at":7}'],
	['a path', 'a.b', { a: { b: 'x' } }, 'x'],
	['a key with a dot', 'a.b', { 'a.b': 'x' }, 'x'],
	['dots', 'answer', '…', 'Sorry'],
	['a first item that tells of an error', 'answer', [{ error: 'Down', ...item }], 'Sorry'],
	['an error among all items', '', [item, { error: 'Down' }], sorry],
	['an error with a message', '', { error: { stack: error }, message: 'x' }, sorry],
	['the message of an error', 'message', { error, message: error }, 'Sorry'],
	['an error that is none', '', { a: 1, error: '' }, { a: 1, error: '' }],
	['error: false', 'answer', { error: false, ...item }, 'At seven'],
	['error: 0', 'answer', { error: 0, ...item }, 'At seven'],
])('%s', (_, field, body, answer) => {
	expect(said(field, 200, body)).toBe(typeof answer === 'string' ? answer : JSON.stringify(answer));
});

test('the words of an error are not said', () => {
	expect(said('answer', 500, 'There was a problem')).toBe('Sorry');
	expect(said('answer', 400, item)).toBe('Sorry');
});
