/** What an agent gets to say of what n8n answers, in each form in which n8n's nodes return it. */
import { holdResponse, type HttpResponse } from '../../nodes/AcpIntentTrigger/answer';

const settings = {
	immediately: false,
	field: '',
	text: '',
	fallbackText: 'Sorry',
	longestMs: 1000,
	authToken: 'off' as const,
};

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
	holdResponse(response, { ...settings, field }, 1000);
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

test.each<[string, string, unknown, string]>([
	['one field of an item', 'answer', item, 'At seven'],
	['an item', '', item, JSON.stringify(item)],
	['a text, although a field is set', 'answer', 'At seven', 'At seven'],
	['a text', '', 'At seven', 'At seven'],
	['the first of all items', 'answer', [item, { answer: 'No' }], 'At seven'],
	['all items', '', [item], JSON.stringify([item])],
	['no items', 'answer', [], 'Sorry'],
	['a first item that tells of an error', 'answer', [{ error: 'Down', ...item }], 'Sorry'],
	['an error among all items', '', [item, { error: 'Down' }], sorry],
	['dots', 'answer', '…', 'Sorry'],
])('%s', (_, field, body, answer) => {
	expect(said(field, 200, body)).toBe(answer);
});

test('the words of an error are not said', () => {
	expect(said('answer', 500, 'There was a problem')).toBe('Sorry');
});
