import type { INode } from 'n8n-workflow';
import { clock } from './http/clock';
import { apiError, words } from './http/errors';
import { Fault } from './http/fault';
import type { Gate } from './http/request';
import { zoneOf, type Zone } from './time';

/** How long a learned zone counts, in milliseconds: workspaces and members can change theirs. */
const lasting = 5 * 60_000;

const known = new Map<string, { zone: Zone; until: number }>();

/**
 * The zone that the platform applies for this token, the member's or the workspace's, learned from the `X-Timezone` of
 * one read (interface §2.1 rules 5 and 6) and kept for a few minutes.
 * @param asked a Windows name, which the platform maps, or no zone
 * @throws NodeApiError when the read does not succeed
 */
export async function workspaceZone(gate: Gate, asked: Zone, node: INode): Promise<Zone> {
	const key = JSON.stringify([gate.workspace.origin, gate.tokenMark, asked.name]);
	const before = known.get(key);
	if (before && clock.now() < before.until) return before.zone;
	try {
		const answer = await gate.request({
			method: 'GET',
			path: '/agents',
			query: { per_page: 1 },
			class: 'read',
			zone: asked,
		});
		const zone = zoneOf(answer.headers['x-timezone']);
		if (zone?.kind === 'iana') known.set(key, { zone, until: clock.now() + lasting });
		return zone?.kind === 'iana' ? zone : asked;
	} catch (thrown) {
		if (!(thrown instanceof Fault)) {
			const other = thrown;
			throw other as Error;
		}
		const error = apiError(
			node,
			words(thrown, { host: gate.workspace.host, class: 'read' }),
			thrown.facts,
		);
		throw error;
	}
}
