import { readBeside, unreadText } from '../execution';
import { InvalidValue, Needed, type Problem } from '../fields/field';
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
		if (of(item).type !== 'iana' && !learned.has(item)) throw new Needed(item, 'zone');
		return of(item);
	};
	return { zones: { of, needed, learned, unread: new Map() }, problems };
}

/** The platform does not let this token read, or has no such endpoint: it tells nothing, now or later. */
const maySeeNothing = (thrown: unknown): boolean =>
	thrown instanceof RequestError && [403, 404, 405].includes(thrown.facts.status ?? 0);

/** A response of the last minutes may have told it; else one read does, even a refused one. @throws InvalidValue if none can */
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
			if (!maySeeNothing(thrown) && !client.learnedZone(asked)) {
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

/** Learns first what a value needs: a zone, names or a contact. @throws InvalidValue if the platform could not be asked */
export async function withLearned<T>(execution: Execution, make: () => T): Promise<T> {
	for (;;) {
		try {
			return make();
		} catch (thrown) {
			if (!(thrown instanceof Needed)) return rethrow(thrown);
			const { item, what } = thrown;
			if (what === 'zone') await learnZoneOf(execution, item);
			else if ('uuid' in what) await learnContact(execution, item, what.uuid);
			else await learnNames(execution, item, what);
		}
	}
}

/** For times of another offset; no part of the requests, so a zone that the platform does not tell stays unknown. */
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
