import type { IExecuteFunctions, INode } from 'n8n-workflow';
import type { Problem } from '../fields/field';
import type { Client } from '../http/client';
import { clock } from '../http/clock';
import { apiError, describeError } from '../http/errorText';
import { RequestError } from '../http/requestError';
import type { Operation } from '../operation/operation';
import { fieldsOf } from '../operation/places';
import type { RunOptions } from '../operation/runOptions';
import { quoted } from '../text/text';
import { type Zone, zoneOf } from '../time';
import { rethrow } from '../rethrow';

/** How long a learned zone counts: workspaces and members can change theirs. */
const lastingMs = 5 * 60_000;

const known = new Map<string, { zone: Zone; until: number }>();

/**
 * The zone that the platform applies for this token, the member's or the workspace's, learned from the `X-Timezone` of
 * one read (interface §2.1 rules 5 and 6) and kept for a few minutes.
 * @param asked a Windows name, which the platform maps, or no zone
 * @throws NodeApiError when the read does not succeed
 */
export async function workspaceZone(client: Client, asked: Zone, node: INode): Promise<Zone> {
	const key = JSON.stringify([client.workspace.origin, client.tokenMark, asked.name]);
	const before = known.get(key);
	if (before && clock.now() < before.until) return before.zone;
	try {
		const answer = await client.request({
			method: 'GET',
			path: '/agents',
			query: { per_page: 1 },
			class: 'read',
			zone: asked,
		});
		const zone = zoneOf(answer.headers['x-timezone']);
		if (zone?.kind === 'iana') known.set(key, { zone, until: clock.now() + lastingMs });
		return zone?.kind === 'iana' ? zone : asked;
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) rethrow(thrown);
		const error = apiError(
			node,
			describeError(thrown, { host: client.workspace.host, class: 'read' }),
			thrown.facts,
		);
		throw error;
	}
}

/**
 * The zone that applies to each item: the option's, else the credential's; learned from the
 * platform where a field needs
 * one and none is known.
 * @throws NodeApiError when it has to be learned and the read does not succeed
 */
export async function zonesOf(
	context: IExecuteFunctions,
	client: Client,
	operation: Operation,
	count: number,
	options: (index: number) => RunOptions,
): Promise<{ zone: (index: number) => Zone; problems: Problem[] }> {
	const needed = fieldsOf(operation).some(({ field }) => field.needsZone);
	const zones: Zone[] = [];
	const problems: Problem[] = [];
	for (let index = 0; index < count; index++) {
		const asked = zoneOf(options(index).timezone);
		if (!asked) {
			problems.push({
				item: index,
				field: 'Timezone',
				message: `'Timezone' under Options is not known: ${quoted(options(index).timezone)}. Use a name like Europe/Istanbul`,
			});
		}
		let zone = asked && asked.kind !== 'none' ? asked : client.workspace.zone;
		if (needed && zone.kind !== 'iana') zone = await workspaceZone(client, zone, context.getNode());
		zones.push(zone);
	}
	return { zone: (index) => zones[index] ?? client.workspace.zone, problems };
}
