import { readBeside, unreadText } from '../execution';
import {
	ContactNeeded,
	InvalidValue,
	NamesNeeded,
	type Problem,
	ZoneNeeded,
} from '../fields/field';
import type { Client } from '../http/client';
import { learnContact } from './contacts';
import { learnNames } from './names';
import { readPage } from '../pages/layouts';
import { RequestError, rethrow } from '../errors/requestError';
import type { RunOptions } from '../operation/runOptions';
import { quoted } from '../text/text';
import { type Zone, zoneOf } from '../time';
import type { ItemZones, PreparedRequest, Execution } from '../operation/operation';

export function zonesOf(
	client: Client,
	count: number,
	options: (index: number) => RunOptions,
): { zones: ItemZones; problems: Problem[] } {
	const problems: Problem[] = [];
	const asked = Array.from({ length: count }, (_, item) => {
		const zone = zoneOf(options(item).timezone);
		if (!zone) {
			problems.push({
				item,
				field: 'Timezone',
				message: `'Timezone' under Options is not known: ${quoted(options(item).timezone)}. Use a name like Europe/Istanbul`,
			});
		}
		return zone && zone.type !== 'none' ? zone : client.workspace.zone;
	});
	const learned = new Map<number, Zone>();
	const of = (item: number): Zone => learned.get(item) ?? asked[item] ?? client.workspace.zone;
	const needed = (item: number): Zone => {
		if (of(item).type !== 'iana' && !learned.has(item)) throw new ZoneNeeded(item);
		return of(item);
	};
	return { zones: { of, needed, learned, unread: new Map() }, problems };
}

/** The platform does not let this token read, or has no such endpoint: it tells nothing, now or later. */
const isRefusal = (thrown: unknown): boolean =>
	thrown instanceof RequestError && [403, 404, 405].includes(thrown.facts.status ?? 0);

/**
 * Learns the zone that the platform applies for an item. Any response of the last minutes may have told it; otherwise
 * one read does, even if it is refused. @throws InvalidValue if the platform could not be asked
 */
async function learnZoneOf(execution: Execution, item: number): Promise<void> {
	const { client, zones } = execution;
	const asked = zones.of(item);
	const before = zones.unread.get(asked.name);
	if (before) rethrow(before);
	if (!client.learnedZone(asked)) {
		try {
			const query = { per_page: 1 };
			await readBeside(execution, { item }, '/agents', { query, reads: readPage });
		} catch (thrown) {
			if (!(thrown instanceof RequestError)) rethrow(thrown);
			if (!isRefusal(thrown) && !client.learnedZone(asked)) {
				const { message } = unreadText(execution, thrown);
				const unread = new InvalidValue(
					undefined,
					`The time zone of the workspace could not be read. Choose one under 'Timezone' in the credential or under Options. ${message}.`,
				);
				zones.unread.set(asked.name, unread);
				throw unread;
			}
		}
		if (!client.learnedZone(asked)) client.learnZone(asked, undefined);
	}
	zones.learned.set(item, client.learnedZone(asked)?.zone ?? asked);
}

/**
 * Makes something of parameters. If a value needs a zone, names or a contact that are not known, they are learned first.
 * @throws InvalidValue, also if the platform could not be asked for the zone
 */
export async function withLearned<T>(execution: Execution, make: () => T): Promise<T> {
	for (;;) {
		try {
			return make();
		} catch (thrown) {
			if (thrown instanceof NamesNeeded) await learnNames(execution, thrown);
			else if (thrown instanceof ContactNeeded) await learnContact(execution, thrown);
			else if (thrown instanceof ZoneNeeded) await learnZoneOf(execution, thrown.item);
			else rethrow(thrown);
		}
	}
}

/**
 * Learns the zones in force for requests with times of another offset. They are no part of the requests: if the
 * platform does not tell one, it stays unknown.
 */
export async function learnZones(execution: Execution, requests: PreparedRequest[]): Promise<void> {
	const { zones } = execution;
	for (const { item, report } of requests) {
		if (report.moments.length === 0 || zones.of(item).type === 'iana') continue;
		try {
			await learnZoneOf(execution, item);
		} catch (thrown) {
			if (!(thrown instanceof InvalidValue)) rethrow(thrown);
		}
	}
}

/** The zone in force for an item, by what is known here and what answers of the platform told. */
export function zoneInForce({ client, zones }: Execution, item: number): Zone {
	const asked = zones.of(item);
	return asked.type === 'iana' ? asked : (client.learnedZone(asked)?.zone ?? asked);
}
