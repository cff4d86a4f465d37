import type { INode } from 'n8n-workflow';
import { apiError, words } from './http/errors';
import { Fault } from './http/fault';
import type { Gate } from './http/request';
import { zoneOf, type Zone } from './time';

const known = new Map<string, Zone>();

/**
 * The zone that the platform applies for this credential, learned from the `X-Timezone` of one read
 * (interface §2.1 rules 5 and 6) and kept for the process.
 * @param asked a Windows name, which the platform maps, or no zone
 * @throws NodeApiError when the read does not succeed
 */
export async function workspaceZone(gate: Gate, asked: Zone, node: INode): Promise<Zone> {
	const key = JSON.stringify([gate.workspace.origin, node.credentials?.acpApi?.id, asked.name]);
	const before = known.get(key);
	if (before) return before;
	try {
		const answer = await gate.request({ method: 'GET', path: '/agents', query: { per_page: 1 }, class: 'read', zone: asked });
		const zone = zoneOf(answer.headers['x-timezone']);
		if (zone?.kind === 'iana') known.set(key, zone);
		return zone?.kind === 'iana' ? zone : asked;
	} catch (thrown) {
		if (!(thrown instanceof Fault)) {
			const other = thrown;
			throw other as Error;
		}
		const error = apiError(node, words(thrown, { host: gate.workspace.host, class: 'read' }), thrown.facts);
		throw error;
	}
}
