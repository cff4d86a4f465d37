import type { IDataObject } from 'n8n-workflow';
import { get, sumBy, uniq } from 'lodash';
import { fromResponse, perPage, read } from '../engine/operation';
import { RequestError, rethrow } from '../engine/errors/requestError';
import { objectOf } from '../engine/response/response';
import { ifShown } from '../engine/deliver/recovery/finder';
import { listBeside, readRecordBeside, unreadText } from '../engine/execution';
import { idOf } from './costlyWrites';
import type { Operation, PreparedRequest, Execution } from '../engine/operation/operation';
import { recipientCount, recipientsOf } from '../engine/operation/places';
import { guessing } from '../engine/pages/pages';
import { readWhole } from '../engine/pages/whole';
import { addressOf, normalForm } from '../engine/people/contactPoints';
import { andList, many, quoted, tidy } from '../engine/text/text';

/** Under which names a listing may say how many contacts it has; no source shows one. */
const counts = ['contacts_count', 'contact_count', 'total_contacts'];

/** What happens to the people in a listing (reference: listings, `campaign_type`). */
const verbs: Record<string, string> = {
	call: 'called',
	text: 'sent a text',
	whatsapp: 'sent a WhatsApp message',
};

const listings = { in: read('GET /listings'), pageSize: perPage };
const conversations = { in: read('GET /conversations'), pageSize: perPage };
const ruleOfListing = read('GET /rules/{uuid}', { uuid: fromResponse('uuid') });
const agents = { in: read('GET /agents'), pageSize: perPage };

const starts = ({ auto_start: started }: IDataObject): boolean => started === true;
export const nameOf = ({ name }: IDataObject): string => String(name).trim().toLowerCase();
const sizeOf = (listing: IDataObject): number | undefined =>
	counts.map((name) => listing[name]).find((count): count is number => Number.isInteger(count));

/** Compares the people of an earlier listing, as far as the platform shows them. @throws RequestError, Cancelled */
async function overlapOf(execution: Execution, prepared: PreparedRequest, listing: IDataObject) {
	const list = listBeside(execution, prepared, conversations);
	const persons = new Set<string>();
	const addresses = new Set<string>();
	const asked = recipientsOf(prepared).map(({ number }) => number);
	// Somebody whose number is masked, or has no country code, may be anybody.
	const tells = (value: unknown): value is string =>
		typeof value === 'string' &&
		(asked.some((one) => addressOf(one)) ? value !== '' : /^\+[1-9]\d+$/.test(value));
	const { whole } = await readWhole({
		...list,
		fetch: guessing(list.fetch, { listing_uuid: listing.uuid }),
		take: (rows) => {
			for (const row of rows) {
				if (listing.uuid === undefined || row.listing_uuid !== listing.uuid) continue;
				const [first, ...more] = ['contact.phone_number', 'contact.email']
					.map((place) => get(row, place) as unknown)
					.filter(tells)
					.map((value) => normalForm(value));
				if (first === undefined) continue;
				persons.add(first);
				for (const one of [first, ...more]) addresses.add(one);
			}
		},
	});
	const size = sizeOf(listing);
	const again = asked.filter((one) => one !== undefined && addresses.has(normalForm(one))).length;
	// A running listing without contacts shows a count that says nothing.
	return { again, areAllKnown: whole && size !== undefined && size > 0 && persons.size >= size };
}

function toldOf(listing: IDataObject, rows: number, again: number): string {
	const size = sizeOf(listing);
	const since = tidy(listing.created_at, 40);
	const about = [
		size === undefined ? '' : many(size, 'contact'),
		since ? `since ${since}` : '',
	].filter(Boolean);
	const people =
		again > 0 ? `It has ${again} of your ${rows} contacts` : 'It may have the same contacts';
	return (
		`A listing named ${quoted(listing.name)} may be running already` +
		`${about.length ? ` (${about.join(', ')})` : ''}. ${people}`
	);
}

const way = "'Start Again' under Options reaches them again";
const notKnown = 'It is not known whether this listing is running already, because';

/** People whom this process has started listings for, by workspace and name: a list that lags does not show them. */
const started = new Map<string, Set<string>>();
/** The oldest go. */
const mostStarted = 1000;

const placeOf = ({ client }: Execution, { body }: PreparedRequest): string =>
	`${client.workspace.origin} ${nameOf(body)}`;
const linesOf = (prepared: PreparedRequest): string[] =>
	recipientsOf(prepared).map(({ number }) => normalForm(number));

/** Remembers that a listing leaves. @returns what forgets it, if it certainly did not start */
function leaves(execution: Execution, prepared: PreparedRequest): () => void {
	if (!starts(prepared.body)) return () => undefined;
	const place = placeOf(execution, prepared);
	const lines = started.get(place) ?? new Set();
	started.set(place, lines);
	const fresh = linesOf(prepared).filter((line) => !lines.has(line));
	for (const line of fresh) lines.add(line);
	const [oldest] = started.keys();
	if (started.size > mostStarted && oldest !== undefined) started.delete(oldest);
	return () => fresh.forEach((line) => lines.delete(line));
}

/** It leaves only if no listing of its name is seen to reach the same people; no source shows which state means "ended". */
async function runsAlready(execution: Execution, prepared: PreparedRequest) {
	if (!starts(prepared.body)) return undefined;
	const lines = linesOf(prepared);
	const mine = started.get(placeOf(execution, prepared));
	const again = lines.filter((line) => mine?.has(line)).length;
	if (again > 0) return `${toldOf({ name: prepared.body.name }, lines.length, again)}. ${way}`;
	const namesakes = new Map<string, IDataObject>();
	try {
		const all = await readWhole({
			...listBeside(execution, prepared, listings),
			take: (rows) => {
				for (const row of rows) {
					const isNamesake = typeof row.name !== 'string' || nameOf(row) === nameOf(prepared.body);
					if (isNamesake) namesakes.set(idOf(row), row);
				}
			},
		});
		for (const listing of namesakes.values()) {
			const { again, areAllKnown } = await overlapOf(execution, prepared, listing);
			if (again > 0 || !areAllKnown)
				return `${toldOf(listing, recipientsOf(prepared).length, again)}. ${way}`;
		}
		return all.whole ? undefined : `${notKnown} ${all.why}. Run it again. ${way}`;
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) return rethrow(thrown);
		const { message } = unreadText(execution, thrown);
		return `${notKnown} the platform could not be asked: ${message}. Run it later, or turn on 'Start Again' under Options`;
	}
}

/** The names of agents; their IDs, and a hint, where the platform does not tell. @throws Cancelled */
async function namesOf(execution: Execution, prepared: PreparedRequest, ids: string[]) {
	const names = new Map<string, string>();
	try {
		await readWhole({
			...listBeside(execution, prepared, agents),
			take: (rows) => {
				for (const row of rows)
					for (const id of [row.agent_uuid, row.uuid].map(String)) {
						const name = tidy(row.name, 60);
						if (name !== undefined && ids.includes(id)) names.set(id, name);
					}
				return names.size === ids.length;
			},
		});
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) rethrow(thrown);
	}
	if (names.size < ids.length)
		execution.hints.add(
			'The name of the agent could not be read from the platform, so the preview shows its ID.',
		);
	return ids.map((id) => quoted(names.get(id) ?? id));
}

/** The hours that a listing's rule allows, as a part of a sentence; nothing where the listing has no rule. @throws Cancelled */
async function hoursOf(execution: Execution, prepared: PreparedRequest) {
	if (prepared.body.rule === undefined) return undefined;
	let rule = objectOf(prepared.body.rule);
	if (rule.uuid !== undefined && rule.start_time === undefined && rule.end_time === undefined)
		rule = (await ifShown(readRecordBeside(execution, prepared, ruleOfListing, rule))) ?? {};
	const [from, to] = [rule.start_time, rule.end_time].map((time) =>
		typeof time === 'string' ? time.slice(0, 5) : undefined,
	);
	if (!from && !to) return undefined;
	const hours = from && to ? `${from} to ${to}` : from ? `from ${from}` : `until ${to}`;
	return `${hours}, contacts' local time`;
}

async function whenOf(execution: Execution, launches: PreparedRequest[]): Promise<string[]> {
	const [first, ...more] = launches as [PreparedRequest];
	const timesOf = ({ body }: PreparedRequest) => JSON.stringify([body.rule, body.start_date]);
	if (more.some((one) => timesOf(one) !== timesOf(first)))
		return ['Their rules and start dates differ.'];
	const { start_date: start } = first.body;
	const hours = await hoursOf(execution, first);
	return [
		hours
			? `Hours of its rule: ${hours}.`
			: 'No outreach rule was found that limits the hours or weekdays.',
		...(start ? [`'Start Date' is ${String(start)}; it may not delay them.`] : []),
	];
}

async function preview(execution: Execution, requests: PreparedRequest[]): Promise<string> {
	const launches = requests.filter(({ body }) => starts(body));
	const [first] = launches;
	if (!first) return "Nobody is reached yet, because 'Start Contacting Immediately' is off.";
	const ids = uniq(launches.map(({ body }) => String(body.agent_uuid)));
	const by = andList(await namesOf(execution, first, ids));
	const verb = verbs[String(first.body.campaign_type)] ?? 'called or sent a message';
	const when = await whenOf(execution, launches);
	return `${many(sumBy(launches, recipientCount), 'person', 'people')} will be ${verb} by ${by} when you run this with 'Preview' off. ${when.join(' ')}`;
}

/** A listing with 'Start Contacting Immediately' starts much by itself. */
export const launch: Pick<Operation, 'guard' | 'preview'> = {
	guard: {
		check: runsAlready,
		leaves,
		unless:
			'Whether to start a listing although one of this name may be running already. People in both are reached twice.',
	},
	preview,
};

export const again = (body: IDataObject): string | undefined =>
	starts(body)
		? "Running this again with another name, or with 'Start Again', starts another listing for the same people."
		: undefined;

/** The platform starts a listing with its agent; without one it is not known who would call. */
export const withoutAgent = (body: IDataObject): string | undefined =>
	starts(body) && body.agent_uuid === undefined
		? "'Start Contacting Immediately' needs an agent. Choose one in 'Agent', or turn it off"
		: undefined;
