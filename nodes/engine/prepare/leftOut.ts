import { groupBy, memoize, omit, pick, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { type Blacklisted, blacklistedAmong } from './blacklist';
import { skippedNumbers } from './skipNumbers';
import { type Execution, itemPlaceOf } from '../execution';
import type { Problem } from '../fields/field';
import { addressOf, ContactPoints } from '../people/contactPoints';
import { alsoReached } from '../people/known';
import { itemName } from '../text/itemName';
import { andList, quoted } from '../text/text';
import type { PreparedRequest } from '../operation/preparedRequest';
import { reachedBy, type Recipient, recipientsOf, twiceByDefault } from '../operation/recipients';
import type { SameNumberTwice } from '../operation/runOptions';

/** Why a recipient is not reached; also the `reason` in the output. */
export type Reason = 'skip_numbers' | 'blacklisted' | 'same_number';

/** A recipient whom a run does not reach although an item asks for it. */
export interface LeftOut {
	/** Input item, from 0. */
	item: number;
	reason: Reason;
	message: string;
	/** As it would have been sent. */
	number?: string;
	contact?: string;
	/** Place in the item's list, from 1. */
	entry?: number;
	/** The same number again: the request that is not sent, and the one that is sent instead. */
	instead?: { request: PreparedRequest; of: PreparedRequest };
}

/** A number that several requests or rows reach. */
export interface Shared {
	number: string;
	items: number[];
	/** The same for people: "item 3", or a row of its list. */
	places: string[];
}

export interface Sorted {
	/** The remaining requests, with the remaining rows. */
	ready: PreparedRequest[];
	leftOut: LeftOut[];
	/** Numbers that more than one of the remaining requests reach. */
	shared: Shared[];
	problems: Problem[];
}

/** Recipients by everything that is known of them, for finding the first of several with the same number. */
class FirstOnes {
	private readonly contacts = new Map<string, Recipient>();
	private readonly points = new ContactPoints<Recipient>();

	constructor(private readonly execution: Execution) {}

	add(recipient: Recipient): void {
		const { contact } = recipient;
		if (contact !== undefined && !this.contacts.has(contact)) this.contacts.set(contact, recipient);
		for (const one of ownOf(recipient))
			this.points.add(one, [this.countryOf(recipient)], recipient);
	}

	find(recipient: Recipient): Recipient | undefined {
		for (const one of ownOf(recipient)) {
			const found = this.points.find(one, this.countryOf(recipient));
			// People of one household may share an email address.
			if (found && !(isAddress(one) && hasNumber(recipient) && hasNumber(found))) return found;
		}
		return recipient.contact === undefined ? undefined : this.contacts.get(recipient.contact);
	}

	private countryOf({ request }: Recipient): string | undefined {
		return this.execution.options(request.item).defaultCountry;
	}
}

const isAddress = (written: string): boolean => addressOf(written) !== undefined;

const hasNumber = ({ number }: Recipient): boolean => number !== undefined && !isAddress(number);

/** What a recipient is known by: other phone numbers may be an office's; a row has what its request names first. */
const ownOf = ({ row, number, addresses }: Recipient): string[] =>
	uniq([...(number ? [number] : []), ...(row === undefined ? addresses.filter(isAddress) : [])]);

/** An input item as people find it. */
const nameOf = (execution: Execution, item: number): string => {
	const { row } = itemPlaceOf(execution, item);
	return itemName({ item, ...(row === undefined ? {} : { row }) });
};

const placesOf = (execution: Execution, { request, items, row }: Recipient): string[] =>
	row === undefined || isFromItems(request)
		? items.map((item) => nameOf(execution, item))
		: [`entry ${row + 1} of ${nameOf(execution, request.item)}`];

/** Rows of the body are input items. */
const isFromItems = ({ operation }: PreparedRequest): boolean => operation.allItems === true;

/** A request without some of its rows. @returns also how many rows are left */
function withoutRows(
	request: PreparedRequest,
	gone: Set<number>,
): { request: PreparedRequest; left: number } {
	const { operation, body, report } = request;
	const list = operation.reaches?.rows as string;
	const isLeft = (_: unknown, row: number) => !gone.has(row);
	const rows = (body[list] as IDataObject[]).filter(isLeft);
	const rest = { ...request, body: { ...body, [list]: rows } };
	const made = report.rows[list];
	if (!made) return { request: rest, left: rows.length };
	const rowsMade = made.items.filter(isLeft);
	const items = rowsMade.flat().sort((a, b) => a - b);
	const skipped = request.items.length - items.length;
	const reportOfRest = {
		...report,
		rows: { ...report.rows, [list]: { ...made, items: rowsMade } },
		...(isFromItems(request) && {
			facts: { ...report.facts, [`${list}Sent`]: rows.length, itemsSkipped: skipped },
		}),
	};
	return { request: { ...rest, items, report: reportOfRest }, left: rows.length };
}

const looksUp = (execution: Execution, { item }: PreparedRequest): boolean =>
	execution.options(item).skipBlacklistedContacts === true;

/** What happens to items with the same number; rows of a list are the platform's to compare. */
const twiceOf = ({ options }: Execution, { item, operation }: PreparedRequest): SameNumberTwice =>
	options(item).sameNumberTwice ?? (operation.reaches ? twiceByDefault(operation.reaches) : 'both');

/** Whether the user wants contacts compared by their numbers, which must be read. */
const isOnce = ({ options }: Execution, { item }: PreparedRequest): boolean =>
	!['both', undefined].includes(options(item).sameNumberTwice);

/** What a request says to whomever it reaches. */
const contentOf = ({ operation: { reaches }, path, query, body }: PreparedRequest): string =>
	JSON.stringify([
		path,
		query,
		omit(body, 'request_key', reaches?.contact ?? '', ...(reaches?.at ?? [])),
	]);

/** Items with one number of which none is sent; whoever an earlier try has reached is not called back. */
function refusedOf(execution: Execution, group: Recipient[]): Problem[] {
	const contents = groupBy(group, ({ request }) => contentOf(request));
	const namesOf = memoize((same: Recipient[]) =>
		andList(same.map(({ request }) => nameOf(execution, request.item))),
	);
	return group.flatMap(({ request, number, contact }) => {
		const twice = twiceOf(execution, request);
		if (!twice.startsWith('stop') || execution.journal.sentBefore(request)) return [];
		const isIdentical = twice === 'stopIdentical';
		const same = isIdentical ? (contents[contentOf(request)] ?? []) : group;
		if (same.length < 2) return [];
		const what = isIdentical ? 'send the same content to' : 'have';
		return {
			item: request.item,
			message: `${namesOf(same)} ${what} the same number, ${number ?? contact ?? ''}. Keep one of them, or change 'Same Number Twice' under Options`,
		};
	});
}

/** Whom a run must not reach: known before any recipient is left out. */
export interface Unwanted {
	skipped: ContactPoints;
	blacklisted: Blacklisted;
	/** Requests whose recipients have nothing known to compare. */
	problems: Problem[];
	recipients: Map<PreparedRequest, Recipient[]>;
}

/** Adds whom a request reaches beside its recipient. @returns why they cannot be compared */
function addOthers(recipient: Recipient): string | undefined {
	const { addresses, contact } = recipient;
	const { body, asWritten = [], operation } = recipient.request;
	const also = alsoReached(pick(body, asWritten), operation.reaches?.by ?? 'number');
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
function incomparable(recipients: Recipient[], others: string, way: string): Problem[] {
	return recipients.flatMap(({ request, contact, number }) =>
		contact === undefined || number === undefined || new ContactPoints().add(number) !== undefined
			? []
			: {
					item: request.item,
					message:
						`The number of contact ${contact} cannot be compared with ${others}, because it is not a phone number: ` +
						`${quoted(number)}. Correct the contact, or ${way}`,
				},
	);
}

/**
 * Finds out whom the run may not call or write to: numbers in 'Skip Numbers' and blacklisted contacts.
 * @throws NodeOperationError, NodeApiError if it is not known who must be left out; Cancelled
 */
export async function findUnwanted(
	execution: Execution,
	requests: PreparedRequest[],
	count: number,
): Promise<Unwanted> {
	const unwanted: Unwanted = {
		skipped: new ContactPoints(),
		blacklisted: { numbers: new ContactPoints(), contacts: new Set(), problems: [] },
		problems: [],
		recipients: new Map(),
	};
	const { reaches, allItems } = execution.operation;
	if (!reaches) return unwanted;
	const skipped = skippedNumbers(execution, count);
	const isAsked = (request: PreparedRequest) => !skipped.isEmpty || looksUp(execution, request);
	// One request of long lists in which every number occurs once.
	if (allItems && !requests.some(isAsked)) return unwanted;
	const recipients = new Map(requests.map((request) => [request, recipientsOf(request)]));
	const all = [...recipients.values()].flat();
	const asked = all.filter(({ request }) => isAsked(request));
	const problems = asked.flatMap((recipient) => {
		const message = recipient.row === undefined ? addOthers(recipient) : undefined;
		return message === undefined ? [] : { item: recipient.request.item, message };
	});
	const areCompared =
		all.length > 1 &&
		all.some(({ request, row }) => row === undefined && isOnce(execution, request));
	const toRead = areCompared ? all : asked;
	let { blacklisted } = unwanted;
	if (toRead.length > 0)
		blacklisted = await blacklistedAmong(
			execution,
			toRead,
			({ request }) => looksUp(execution, request),
			skipped.isEmpty ? 'Same Number Twice' : 'Skip Numbers',
		);
	problems.push(...blacklisted.problems);
	if (!skipped.isEmpty)
		problems.push(...incomparable(toRead, "'Skip Numbers'", 'remove the option'));
	else if (areCompared)
		problems.push(...incomparable(toRead, 'those of other items', "change 'Same Number Twice'"));
	return { skipped, blacklisted, problems, recipients };
}

/** Why a recipient is not reached; with the one that is reached in its place. Nothing if it is reached. */
function reasonFor(
	execution: Execution,
	recipient: Recipient,
	{ skipped, blacklisted }: Unwanted,
	first: FirstOnes,
): [Reason, string, Recipient?] | undefined {
	const { request, row, contact, number } = recipient;
	const addresses = reachedBy(recipient);
	const country = execution.options(request.item).defaultCountry;
	const listed = addresses.find((address) => skipped.has(address, country));
	if (listed !== undefined) {
		const other = number !== undefined && listed !== number ? `${listed} is ` : '';
		return ['skip_numbers', `Skipped: ${other}on your 'Skip Numbers' list`];
	}
	if (
		looksUp(execution, request) &&
		((contact !== undefined && blacklisted.contacts.has(contact)) ||
			addresses.some((address) => blacklisted.numbers.has(address, country)))
	)
		return ['blacklisted', 'Skipped: the contact is blacklisted on the platform'];
	if (row !== undefined || twiceOf(execution, request) !== 'first') return undefined;
	const earlier = first.find(recipient);
	if (!earlier || earlier === recipient) return undefined;
	const name = nameOf(execution, earlier.request.item);
	return ['same_number', `Skipped: ${name} has the same number`, earlier];
}

/** A recipient who is not reached, for each of its items. */
function leftOutOf(
	{ request, items, row, number, contact }: Recipient,
	[reason, message, of]: [Reason, string, Recipient?],
): LeftOut[] {
	return items.map((item) => ({
		item,
		reason,
		message,
		...(number === undefined ? { contact } : { number }),
		...(row === undefined || isFromItems(request) ? {} : { entry: row + 1 }),
		...(of && { instead: { request, of: of.request } }),
	}));
}

/**
 * Removes whom the run may not call or write to and, with 'Same Number Twice', what an earlier item already reaches.
 * What an earlier try has sent stays, because it has happened.
 */
export function leaveOut(
	execution: Execution,
	requests: PreparedRequest[],
	unwanted: Unwanted,
): Sorted {
	const { operation, journal } = execution;
	const recipients = requests.flatMap((request) => unwanted.recipients.get(request) ?? []);
	const first = new FirstOnes(execution);
	// Whom an earlier try has reached is reached, whatever the order of items.
	for (const recipient of recipients)
		if (recipient.row === undefined && journal.sentBefore(recipient.request)) first.add(recipient);
	const leftOut: LeftOut[] = [];
	const groups = new Map<Recipient, Recipient[]>();
	const gone = new Map<PreparedRequest, Set<number>>();
	for (const recipient of recipients) {
		const { request, row } = recipient;
		const found = reasonFor(execution, recipient, unwanted, first);
		if (found && (row !== undefined || !journal.sentBefore(request))) {
			leftOut.push(...leftOutOf(recipient, found));
			gone.set(request, (gone.get(request) ?? new Set()).add(row ?? 0));
			continue;
		}
		const earlier = first.find(recipient);
		first.add(recipient);
		if (!earlier || earlier === recipient) continue;
		const group = groups.get(earlier) ?? [earlier];
		group.push(recipient);
		groups.set(earlier, group);
	}
	const ready = requests.flatMap((request) => {
		const rows = gone.get(request);
		if (!rows) return [request];
		if (!operation.reaches?.rows) return [];
		const isSent = journal.sentBefore(request);
		const { request: rest, left } = withoutRows(request, rows);
		return left > 0 || isSent ? [rest] : [];
	});
	const shared = [...groups.values()].map((group) => ({
		number: group.flatMap(({ number, contact }) => number ?? contact ?? [])[0] ?? '',
		items: group.flatMap(({ items }) => items),
		places: group.flatMap((one) => placesOf(execution, one)),
	}));
	const problems = operation.reaches?.rows
		? []
		: [...groups.values()].flatMap((group) => refusedOf(execution, group));
	return { ready, leftOut, shared, problems };
}

/**
 * Whoever was left out for a request that the platform refused: the next item with the same number takes its place.
 * @param refused requests that certainly reached nobody
 * @returns the requests to send now; they are no longer among those left out, and others wait for them
 */
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
