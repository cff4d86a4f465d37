import { groupBy, memoize, omit, pick, uniq } from 'lodash';
import { blacklistedAmong } from './blacklist';
import { withRows } from './inBatches';
import { rawOptions } from './parameters';
import { skippedNumbers } from './skipNumbers';
import { shortNameOf } from '../execution';
import type { Problem } from '../fields/field';
import { addressOf, ContactPoints } from '../people/contactPoints';
import { alsoReached } from '../people/known';
import { andList, quoted } from '../text/text';
import {
	reachesBy,
	isReachLimited,
	reachedBy,
	recipientCount,
	type Recipient,
	recipientsOf,
	twiceByDefault,
} from '../operation/places';
import type { SameNumberTwice } from '../operation/runOptions';
import { reachName, wasReached } from '../journal/reached';
import type { PreparedRequest, Execution } from '../operation/operation';

/** Why a recipient is not reached, also the `reason` in the output; and how the overview counts them. */
export const reasons = {
	skip_numbers: "in 'Skip Numbers'",
	blacklisted: 'blacklisted',
	same_number: 'with the number of an earlier item',
	reached_before: 'reached by an earlier run',
};
export type Reason = keyof typeof reasons;

/** A recipient whom a run does not reach although an item asks for it. */
export interface LeftOut {
	item: number;
	reason: Reason;
	message: string;
	number?: string;
	contact?: string;
	/** Place in the item's list, from 1. */
	entry?: number;
	/** The same number again: the request that is not sent, and the one that is sent instead. */
	instead?: { request: PreparedRequest; of: PreparedRequest };
}

export interface Shared {
	number: string;
	items: number[];
	/** The same for people: "item 3", or a row of its list. */
	places: string[];
}

export interface Sorted {
	ready: PreparedRequest[];
	leftOut: LeftOut[];
	shared: Shared[];
	problems: Problem[];
}

/** One reason to leave a recipient out: its words for the item, and who is reached instead; nothing if it is reached. */
type Rule = (recipient: Recipient) => { said: string; instead?: Recipient } | undefined;

export interface Unwanted {
	/** The first that holds counts. */
	rules: Partial<Record<Reason, Rule>>;
	/** Requests whose recipients have nothing known to compare. */
	problems: Problem[];
	recipients: Map<PreparedRequest, Recipient[]>;
}

const isAddress = (written: string): boolean => addressOf(written) !== undefined;

const knownAs = ({ number, contact }: Recipient): string => number ?? contact ?? '';

const hasNumber = ({ number }: Recipient): boolean => number !== undefined && !isAddress(number);

/** What a recipient is known by: other phone numbers may be an office's; a row has what its request names first. */
const ownOf = ({ row, number, addresses }: Recipient): string[] =>
	uniq([...(number ? [number] : []), ...(row === undefined ? addresses.filter(isAddress) : [])]);

/** Recipients by everything that is known of them, for finding the first of several with the same number. */
function firstOnes({ options }: Execution) {
	const contacts = new Map<string, Recipient>();
	const points = new ContactPoints<Recipient>();
	const countryOf = ({ request }: Recipient) => options(request.item).defaultCountry;
	return {
		add: (recipient: Recipient): void => {
			const { contact } = recipient;
			if (contact !== undefined && !contacts.has(contact)) contacts.set(contact, recipient);
			for (const one of ownOf(recipient)) points.add(one, [countryOf(recipient)], recipient);
		},
		find: (recipient: Recipient): Recipient | undefined => {
			for (const one of ownOf(recipient)) {
				const found = points.find(one, countryOf(recipient));
				// People of one household may share an email address.
				const isShared = found && isAddress(one) && hasNumber(recipient) && hasNumber(found);
				if (found && found !== recipient && !isShared) return found;
			}
			const found = contacts.get(recipient.contact ?? '');
			return found === recipient ? undefined : found;
		},
	};
}

const isFromItems = ({ operation }: PreparedRequest): boolean => operation.allItems !== undefined;

const placesOf = (execution: Execution, { request, items, row }: Recipient): string[] =>
	row === undefined || isFromItems(request)
		? items.map((item) => shortNameOf(execution, item))
		: [`entry ${row + 1} of ${shortNameOf(execution, request.item)}`];

function withoutRows(request: PreparedRequest, list: string, gone: Set<number>): PreparedRequest {
	const rest = withRows(request, list, (rows) => rows.filter((_, row) => !gone.has(row)));
	if (!isFromItems(request)) return rest;
	const itemsSkipped = request.items.length - rest.items.length;
	const facts = { ...rest.report.facts, [`${list}Sent`]: recipientCount(rest), itemsSkipped };
	return { ...rest, report: { ...rest.report, facts } };
}

const looksUp = (execution: Execution, { item }: PreparedRequest): boolean =>
	execution.options(item).skipBlacklistedContacts === true;

/** What happens to items with the same number; rows of a list are the platform's to compare. */
function twiceOf({ options }: Execution, { item, operation }: PreparedRequest): SameNumberTwice {
	const chosen = options(item);
	if (isReachLimited(chosen) && chosen.sameNumberTwice !== 'stop') return 'first';
	return chosen.sameNumberTwice ?? (operation.reaches ? twiceByDefault(operation.reaches) : 'both');
}

const isOnce = ({ options }: Execution, { item }: PreparedRequest): boolean =>
	!['both', undefined].includes(options(item).sameNumberTwice);

const contentOf = ({ operation: { reaches }, path, query, body }: PreparedRequest): string =>
	JSON.stringify([path, query, omit(body, 'request_key', ...(reaches?.at ?? []))]);

/** Items with one number of which none is sent; whoever an earlier try has reached is not called back. */
function refusedOf(execution: Execution, group: Recipient[]): Problem[] {
	const contents = groupBy(group, ({ request }) => contentOf(request));
	const namesOf = memoize((same: Recipient[]) =>
		andList(same.map(({ request }) => shortNameOf(execution, request.item))),
	);
	return group.flatMap((recipient) => {
		const { request } = recipient;
		const twice = twiceOf(execution, request);
		if (!twice.startsWith('stop') || execution.journal.sentBefore(request)) return [];
		const isIdentical = twice === 'stopIdentical';
		const same = isIdentical ? (contents[contentOf(request)] ?? []) : group;
		if (same.length < 2) return [];
		const what = isIdentical ? 'send the same content to' : 'have';
		return {
			item: request.item,
			message: `${namesOf(same)} ${what} the same number, ${knownAs(recipient)}. Keep one of them, or change 'Same Number Twice' under Options`,
		};
	});
}

/** Adds whom a request reaches beside its recipient. @returns why they cannot be compared */
function addOthers(recipient: Recipient): string | undefined {
	const { addresses, contact, row } = recipient;
	if (row !== undefined) return undefined;
	const { body, asWritten = [], operation } = recipient.request;
	const also = alsoReached(pick(body, asWritten), reachesBy(operation));
	recipient.also = also.addresses;
	if (addresses.length === 0 && contact === undefined)
		return (
			"The recipient cannot be compared with 'Skip Numbers' or the blacklist, because the request does not name " +
			'one in a field that this node reads. Enter it in its own field, or remove the option'
		);
	const [unread] = also.unread;
	return (
		unread &&
		`${quoted(unread)} in 'Body (JSON)' cannot be compared with 'Skip Numbers' or the blacklist. Correct it, or remove the option`
	);
}

/** Contacts whose number is none, which is known only when they are read. */
const incomparable = ({ contact, number }: Recipient, others: string, way: string) =>
	contact === undefined || number === undefined || new ContactPoints().add(number) !== undefined
		? undefined
		: `The number of contact ${contact} cannot be compared with ${others}, because it is not a phone number: ` +
			`${quoted(number)}. Correct the contact, or ${way}`;

const skipRule =
	({ options }: Execution, skipped: ContactPoints): Rule =>
	(recipient) => {
		const { request, number } = recipient;
		const country = options(request.item).defaultCountry;
		const listed = reachedBy(recipient).find((address) => skipped.has(address, country));
		if (listed === undefined) return undefined;
		const other = number !== undefined && listed !== number ? `${listed} is ` : '';
		return { said: `Skipped: ${other}on your 'Skip Numbers' list` };
	};

const blacklistRule =
	(execution: Execution, has: (recipient: Recipient) => boolean): Rule =>
	(recipient) =>
		looksUp(execution, recipient.request) && has(recipient)
			? { said: 'Skipped: the contact is blacklisted on the platform' }
			: undefined;

const reachedRule =
	({ client, options, reach }: Execution): Rule =>
	({ request, row }) => {
		const chosen = options(request.item);
		if (row !== undefined || !isReachLimited(chosen)) return undefined;
		const { origin } = client.workspace;
		const today = chosen.reachEachPerson === 'once' ? '' : ' today';
		const said = `Skipped: this node already reached this person${today}`;
		if (wasReached(origin, request.body.request_key)) return { said };
		// An earlier run that was killed notes some whom it did not reach.
		return reach.known.has(reachName(origin, request.body.request_key))
			? { said: `${said}, or may have` }
			: undefined;
	};

const sameNumberRule =
	(execution: Execution, { find }: ReturnType<typeof firstOnes>): Rule =>
	(recipient) => {
		if (recipient.row !== undefined || twiceOf(execution, recipient.request) !== 'first')
			return undefined;
		const instead = find(recipient);
		const name = instead && shortNameOf(execution, instead.request.item);
		return instead && { said: `Skipped: ${name} has the same number`, instead };
	};

/** @throws NodeOperationError, NodeApiError if it is not known who must be left out; Cancelled */
export async function findUnwanted(
	execution: Execution,
	requests: PreparedRequest[],
	count: number,
): Promise<Unwanted> {
	const { reaches, allItems } = execution.operation;
	const none: Unwanted = { rules: {}, problems: [], recipients: new Map() };
	if (!reaches) return none;
	const written = rawOptions(execution.context);
	const mayBeGiven = !written || 'skipNumbers' in written;
	const skipped = mayBeGiven ? skippedNumbers(execution, count) : new ContactPoints();
	const isAsked = (request: PreparedRequest) => !skipped.isEmpty || looksUp(execution, request);
	// One request of long lists in which every number occurs once.
	if (allItems && !requests.some(isAsked)) return none;
	const recipients = new Map(requests.map((request) => [request, recipientsOf(request)]));
	const all = [...recipients.values()].flat();
	const asked = all.filter(({ request }) => isAsked(request));
	const problems: Problem[] = [];
	const refuseAll = (some: Recipient[], why: (recipient: Recipient) => string | undefined) => {
		for (const recipient of some) {
			const message = why(recipient);
			if (message !== undefined) problems.push({ item: recipient.request.item, message });
		}
	};
	refuseAll(asked, addOthers);
	const areCompared =
		all.length > 1 &&
		all.some(({ request, row }) => row === undefined && isOnce(execution, request));
	const toRead = areCompared ? all : asked;
	const rules: Unwanted['rules'] = {};
	if (!skipped.isEmpty) rules.skip_numbers = skipRule(execution, skipped);
	if (toRead.length > 0) {
		const blacklisted = await blacklistedAmong(
			execution,
			toRead,
			({ request }) => looksUp(execution, request),
			skipped.isEmpty ? 'Same Number Twice' : 'Skip Numbers',
		);
		rules.blacklisted = blacklistRule(execution, blacklisted.has);
		problems.push(...blacklisted.problems);
	}
	const [others, way] = skipped.isEmpty
		? ['those of other items', "change 'Same Number Twice'"]
		: ["'Skip Numbers'", 'remove the option'];
	if (!skipped.isEmpty || areCompared)
		refuseAll(toRead, (recipient) => incomparable(recipient, others, way));
	return { rules, problems, recipients };
}

const entriesOf = (
	{ request, items, row, number, contact }: Recipient,
	reason: Reason,
	{ said: message, instead }: NonNullable<ReturnType<Rule>>,
): LeftOut[] =>
	items.map((item) => ({
		...{ item, reason, message },
		...(number === undefined ? { contact } : { number }),
		...(row === undefined || isFromItems(request) ? {} : { entry: row + 1 }),
		...(instead && { instead: { request, of: instead.request } }),
	}));

/** Also what an earlier item reaches ('Same Number Twice'). What an earlier try has sent stays: it has happened. */
export function leaveOut(
	execution: Execution,
	requests: PreparedRequest[],
	unwanted: Unwanted,
): Sorted {
	const { operation, journal } = execution;
	const list = operation.reaches?.rows;
	const recipients = requests.flatMap((request) => unwanted.recipients.get(request) ?? []);
	const first = firstOnes(execution);
	const rules: Unwanted['rules'] = {
		...unwanted.rules,
		reached_before: reachedRule(execution),
		same_number: sameNumberRule(execution, first),
	};
	/** Rows of a request that was sent are left out: those that have not left are not to be sent. */
	const isSent = ({ row, request }: Recipient) => row === undefined && journal.sentBefore(request);
	// Whom an earlier try has reached is reached, whatever the order of items.
	for (const recipient of recipients) if (isSent(recipient)) first.add(recipient);
	const leftOut: LeftOut[] = [];
	const groups = new Map<Recipient, Recipient[]>();
	const gone = new Map<PreparedRequest, Set<number>>();
	const skips = (recipient: Recipient): boolean => {
		const { request, row } = recipient;
		for (const [reason, rule] of Object.entries(rules) as Array<[Reason, Rule]>) {
			const found = rule(recipient);
			if (!found) continue;
			leftOut.push(...entriesOf(recipient, reason, found));
			gone.set(request, (gone.get(request) ?? new Set()).add(row ?? 0));
			return true;
		}
		return false;
	};
	for (const recipient of recipients) {
		if (!isSent(recipient) && skips(recipient)) continue;
		const earlier = first.find(recipient);
		first.add(recipient);
		if (!earlier) continue;
		const group = groups.get(earlier) ?? [earlier];
		group.push(recipient);
		groups.set(earlier, group);
	}
	const ready = requests.flatMap((request) => {
		const rows = gone.get(request);
		if (!rows) return [request];
		if (list === undefined) return [];
		const rest = withoutRows(request, list, rows);
		return recipientCount(rest) > 0 || journal.sentBefore(request) ? [rest] : [];
	});
	const shared = [...groups.values()].map((group) => ({
		number: group.map(knownAs).find(Boolean) ?? '',
		items: group.flatMap(({ items }) => items),
		places: group.flatMap((one) => placesOf(execution, one)),
	}));
	const problems =
		list === undefined ? [...groups.values()].flatMap((group) => refusedOf(execution, group)) : [];
	return { ready, leftOut, shared, problems };
}

/** The next item with the number takes its place. @param refused certainly reached nobody @returns what to send now */
export function standIns(sorted: Sorted, refused: ReadonlySet<PreparedRequest>): PreparedRequest[] {
	const next = new Map<PreparedRequest, PreparedRequest>();
	sorted.leftOut = sorted.leftOut.filter(({ instead }) => {
		if (!instead || !refused.has(instead.of)) return true;
		const standIn = next.get(instead.of);
		if (!standIn) {
			next.set(instead.of, instead.request);
			return false;
		}
		instead.of = standIn;
		return true;
	});
	const requests = [...next.values()];
	sorted.ready.push(...requests);
	return requests;
}
