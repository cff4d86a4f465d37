import { groupBy, memoize, omit, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { type Blacklisted, blacklistedAmong } from './blacklist';
import { alsoReached } from './knownAddresses';
import { skippedNumbers } from './skipNumbers';
import { type Execution, itemPlaceOf } from '../execution';
import type { Problem } from '../fields/field';
import { addressOf, KeptNumbers } from '../phone/sameNumber';
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
	private readonly numbers = new KeptNumbers<Recipient>();
	private readonly addresses = new Map<string, Recipient>();

	constructor(private readonly execution: Execution) {}

	add(recipient: Recipient): void {
		const { contact } = recipient;
		const [numbers, addresses] = this.of(recipient);
		if (contact !== undefined && !this.contacts.has(contact)) this.contacts.set(contact, recipient);
		for (const one of numbers) this.numbers.add(one, [this.countryOf(recipient)], recipient);
		for (const one of addresses) if (!this.addresses.has(one)) this.addresses.set(one, recipient);
	}

	find(recipient: Recipient): Recipient | undefined {
		const [numbers, addresses] = this.of(recipient);
		for (const one of numbers) {
			const found = this.numbers.find(one, this.countryOf(recipient));
			if (found) return found;
		}
		// People of one household may share an email address.
		for (const one of addresses) {
			const found = this.addresses.get(one);
			if (found && (numbers.length === 0 || this.of(found)[0].length === 0)) return found;
		}
		return recipient.contact === undefined ? undefined : this.contacts.get(recipient.contact);
	}

	private countryOf({ request }: Recipient): string | undefined {
		return this.execution.options(request.item).defaultCountry;
	}

	/** The phone number, and email addresses in the form to compare by: other numbers may be those of an office. */
	private of({ row, number, addresses }: Recipient): [numbers: string[], addresses: string[]] {
		const numbers = number === undefined || addressOf(number) !== undefined ? [] : [number];
		// A row is known by what its request names first.
		const known = row === undefined ? addresses : addresses.slice(0, 1);
		return [numbers, known.flatMap((one) => addressOf(one) ?? [])];
	}
}

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

/** Whether a list of numbers and email addresses can hold it. */
const isComparable = (value: string): boolean => new KeptNumbers().add(value) !== undefined;

/** Whom a run must not reach: known before any recipient is left out. */
export interface Unwanted {
	skipped: KeptNumbers;
	blacklisted: Blacklisted;
	/** Requests whose recipients have nothing known to compare. */
	problems: Problem[];
	recipients: Map<PreparedRequest, Recipient[]>;
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
		skipped: new KeptNumbers(),
		blacklisted: { numbers: new KeptNumbers(), contacts: new Set(), problems: [] },
		problems: [],
		recipients: new Map(),
	};
	const { operation } = execution;
	if (!operation.reaches) return unwanted;
	unwanted.skipped = skippedNumbers(execution, count);
	const isAsked = (request: PreparedRequest) =>
		unwanted.skipped.size > 0 || looksUp(execution, request);
	// One request of long lists in which every number occurs once.
	if (operation.allItems && !requests.some(isAsked)) return unwanted;
	for (const request of requests) unwanted.recipients.set(request, recipientsOf(request));
	const asked = [...unwanted.recipients.values()].flat().filter(({ request }) => isAsked(request));
	for (const recipient of asked) {
		const { request, row, addresses, contact } = recipient;
		if (row !== undefined) continue;
		const { item, body, asWritten = [] } = request;
		const also = alsoReached(pick(body, asWritten), operation.reaches.by ?? 'number');
		const [unread] = also.unread;
		if (addresses.length === 0 && contact === undefined)
			unwanted.problems.push({
				item,
				message:
					"The recipient cannot be compared with 'Skip Numbers' or the blacklist, because the request does not name " +
					'one in a field that this node reads. Enter it in its own field, or remove the option',
			});
		else if (unread)
			unwanted.problems.push({
				item,
				message:
					`${quoted(unread.text)} in 'Body (JSON)' cannot be compared with 'Skip Numbers' or the blacklist. Correct ` +
					'it, or remove the option',
			});
		recipient.also = also.addresses;
	}
	const all = [...unwanted.recipients.values()].flat();
	const areCompared =
		all.length > 1 &&
		all.some(({ request, row }) => row === undefined && isOnce(execution, request));
	const option = unwanted.skipped.size > 0 ? 'Skip Numbers' : 'Same Number Twice';
	const toRead = areCompared ? all : asked;
	if (toRead.length > 0)
		unwanted.blacklisted = await blacklistedAmong(
			execution,
			toRead,
			({ request }) => looksUp(execution, request),
			option,
		);
	unwanted.problems.push(...unwanted.blacklisted.problems);
	if (unwanted.skipped.size === 0 && !areCompared) return unwanted;
	const [others, way] =
		option === 'Skip Numbers'
			? ["'Skip Numbers'", 'remove the option']
			: ['those of other items', "change 'Same Number Twice'"];
	// Numbers of contacts are known only now.
	for (const { request, contact, number } of toRead)
		if (contact !== undefined && number !== undefined && !isComparable(number))
			unwanted.problems.push({
				item: request.item,
				message:
					`The number of contact ${contact} cannot be compared with ${others}, because it is not a phone number: ` +
					`${quoted(number)}. Correct the contact, or ${way}`,
			});
	return unwanted;
}

/**
 * Removes whom the run may not call or write to and, with 'Same Number Twice', what an earlier item already reaches.
 * What an earlier try has sent stays, because it has happened.
 */
export function leaveOut(
	execution: Execution,
	requests: PreparedRequest[],
	{ skipped, blacklisted, recipients: known }: Unwanted,
): Sorted {
	const { operation, options, journal } = execution;
	const recipients = requests.flatMap((request) => known.get(request) ?? []);
	const first = new FirstOnes(execution);
	// Whom an earlier try has reached is reached, whatever the order of items.
	for (const recipient of recipients)
		if (recipient.row === undefined && journal.sentBefore(recipient.request)) first.add(recipient);
	/** Why a recipient is not reached. */
	const reasonFor = (recipient: Recipient): [Reason, string, Recipient?] | undefined => {
		const { request, row, contact, number } = recipient;
		const addresses = reachedBy(recipient);
		const country = options(request.item).defaultCountry;
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
	};

	const leftOut: LeftOut[] = [];
	const groups = new Map<Recipient, Recipient[]>();
	const gone = new Map<PreparedRequest, Set<number>>();
	for (const recipient of recipients) {
		const { request, items, row, number, contact } = recipient;
		const found = reasonFor(recipient);
		const isSent = () => journal.sentBefore(request);
		if (found && (row !== undefined || !isSent())) {
			const [reason, message, of] = found;
			for (const item of items)
				leftOut.push({
					item,
					reason,
					message,
					...(number === undefined ? { contact } : { number }),
					...(row === undefined || isFromItems(request) ? {} : { entry: row + 1 }),
					...(of && { instead: { request, of: of.request } }),
				});
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
		// Marks of the journal are made of the whole body.
		const isSent = journal.sentBefore(request);
		const { request: rest, left } = withoutRows(request, rows);
		return left > 0 || isSent ? [journal.sameAs(request, rest)] : [];
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
