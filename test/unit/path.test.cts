/** What may stand in a path, whoever fills it. */
import { endpointOf, fillPath, segment, UnsafePath } from '../../nodes/engine/http/path';

test.each<[unknown, string]>([
	['', 'nothing'],
	[undefined, 'undefined'],
	[null, 'null'],
	['.', 'the same place'],
	['..', 'the place above'],
])('%p leads elsewhere: %s', (value) => {
	expect(() => segment(value)).toThrow(UnsafePath);
	expect(() => fillPath('/agents/{uuid}/webhooks', () => value)).toThrow(
		`'Path' has a part that leads elsewhere: "${String(value ?? '')}"`,
	);
});

test.each<[unknown, string]>([
	['a/b', 'a%2Fb'],
	['%2e%2e', '%252e%252e'],
	['a?b#c', 'a%3Fb%23c'],
	['...', '...'],
	[0, '0'],
])('%p stays one part: %s', (value, encoded) => {
	expect(segment(value)).toBe(encoded);
	expect(fillPath('/data/{table}/{record}', () => value)).toBe(`/data/${encoded}/${encoded}`);
});

test('requests to one endpoint have it in common, whatever their IDs', () => {
	for (const id of ['7', 'ab5f-1c', '5f2c', 'x7y'])
		expect(endpointOf('GET', `/agents/${id}/notes/${id}`)).toBe('GET /agents/*/notes/*');
	expect(endpointOf('GET', '/agents')).toBe('GET /agents');
});
