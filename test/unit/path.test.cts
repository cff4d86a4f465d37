/** What may stand in a path, whoever fills it. */
import { endpointOf } from '../../nodes/engine/http/path';

test('requests to one endpoint have it in common, whatever their IDs', () => {
	for (const id of ['7', 'ab5f-1c', '5f2c', 'x7y'])
		expect(endpointOf('GET', `/agents/${id}/notes/${id}`)).toBe('GET /agents/*/notes/*');
	expect(endpointOf('GET', '/agents')).toBe('GET /agents');
});
