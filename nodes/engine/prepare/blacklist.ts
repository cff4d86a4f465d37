import { groupBy, isEmpty, lowerCase, memoize, uniq, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { listBeside, readBeside, unreadText } from '../execution';
import type { Problem } from '../fields/field';
import { numberSearch, searchDigits, showsDigits } from '../phone/numberSearch';
import { meaningsOf } from '../phone/phoneNumber';
import { addressOf, ContactPoints } from '../people/contactPoints';
import { type Known, knownOf } from '../people/known';
import { readRecord } from '../response/response';
import { apiError, codeOf } from '../errors/errorText';
import { perPage, whyIncomplete } from '../pages/pages';
import { fewSearches, readWhole } from '../pages/whole';
import { learn, recall } from '../http/learned';
import { segment } from '../http/path';
import { RequestError, rethrow } from '../errors/requestError';
import { reachesBy, reachedBy, type Recipient } from '../operation/places';
import { read } from '../operation/secondaryRead';
import { isPlainObject, quoted, yesOrNo } from '../text/text';
import type { Execution } from '../operation/operation';

const mostReadings = 3;

class CannotTell extends Error {
	override name = 'CannotTell';
}

const cannotTell = (why: string): never => {
	throw new CannotTell(why);
};

/** The end of an entry is a date (reference: contacts), however it is shown: that day must have ended everywhere. */
const dayMs = 36 * 3_600_000;

const isOver = ({ is_permanent: permanent, expires_at: until }: IDataObject): boolean =>
	permanent === false && typeof until === 'string' && Date.parse(until) + dayMs < Date.now();

/** The states of a contact that are known beside "Blacklisted" (reference: contacts). Another may be a kind of "no". */
const others: ReadonlySet<string> = new Set(['active', 'inactive']);

/** What a contact shows of its entry on the blacklist: one, or a list of them (reference: contacts). */
const entriesOf = ({ blacklist }: IDataObject): IDataObject[] =>
	(Array.isArray(blacklist) ? blacklist : [blacklist]).filter(
		(entry): entry is IDataObject => isPlainObject(entry) && !isEmpty(entry),
	);

/** Fields under which a platform may say the same in another way. */
const signs = ['blacklist', 'blacklisted', 'is_blacklisted', 'blacklisted_at'];

/** Whether a value of such a field says anything but no. */
const isSign = (value: unknown): boolean =>
	typeof value === 'object' ? !isEmpty(value) : Boolean(value) && yesOrNo(String(value)) !== false;

/** Whether a contact is on the blacklist; undefined if the platform does not show it. */
export function isBlacklisted(contact: IDataObject): boolean | undefined {
	const { status } = contact;
	if (typeof status === 'string' && lowerCase(status) === 'blacklisted') return true;
	const entries = entriesOf(contact);
	if (entries.some((entry) => !isOver(entry))) return true;
	if (yesOrNo(String(contact.is_blacklisted)) === true) return true;
	// What no source shows is no "no".
	const unexplained = entries.length > 0 ? { ...contact, blacklist: undefined } : contact;
	if (signs.some((name) => isSign(unexplained[name]))) return undefined;
	if (entries.length > 0) return false;
	return typeof status === 'string' && others.has(lowerCase(status)) ? false : undefined;
}

const everyContact = { in: read('GET /contacts'), pageSize: perPage };

class Contacts {
	private readonly numbers = new ContactPoints();
	private readonly uuids = new Set<string>();
	/** Contacts of whom the platform does not show whether they are blacklisted. */
	private readonly untold = new ContactPoints();
	/** IDs of contacts that were looked up by themselves and show whether they are blacklisted. */
	private readonly named = new Set<string>();
	/** People of the run who were shown as not blacklisted, if the list changed so that others may be missing. */
	private clear?: ContactPoints;
	any = false;

	constructor(
		private readonly execution: Execution,
		private readonly item: number,
		private readonly countries: Array<string | undefined>,
	) {}

	private get list() {
		return listBeside(this.execution, { item: this.item, pathValues: {} }, everyContact);
	}

	private keep(contact: IDataObject, kept: ContactPoints): Known {
		const known = knownOf(contact, this.countries);
		for (const address of known.addresses) kept.add(address, this.countries);
		// A mask that shows nothing says nothing beside a number or an email address that can be read.
		for (const text of known.unread)
			if (known.addresses.length === 0 || /[\d@]/.test(text))
				kept.addMasked(text, `${String(contact.uuid)} has ${quoted(text)}`);
		return known;
	}

	/** Someone blacklisted for emails alone may be called, if the platform shows for what (reference: contacts). */
	private note(contact: IDataObject): void {
		const listed = isBlacklisted(contact);
		if (listed === false) return;
		this.any ||= listed === true;
		const inForce = entriesOf(contact).filter((entry) => !isOver(entry));
		const other = reachesBy(this.execution.operation) === 'address' ? 'Phone' : 'Email';
		if (listed && inForce.length > 0 && inForce.every(({ type }) => type === other)) return;
		const uuid = String(contact.uuid);
		if (listed) this.uuids.add(uuid);
		const { addresses } = this.keep(contact, listed ? this.numbers : this.untold);
		// What a token may not see is left out; whoever has none shows it empty.
		const [needed, label] =
			other === 'Phone' ? ['email', 'email address'] : ['phone_number', 'phone number'];
		const isReadable = addresses.some((one) => one.includes('@') === (needed === 'email'));
		if (contact[needed as string] === undefined && !isReadable)
			cannotTell(`The platform hides the ${label} of contact ${uuid}, who may be blacklisted`);
	}

	/** @returns whether it searches; it does not if the platform shows what was not searched for */
	async search(digits: string): Promise<boolean> {
		const found = await readWhole({
			...this.list,
			query: { search: digits },
			fits: (row) => showsDigits(row, digits),
			take: (rows) => rows.forEach((row) => this.note(row)),
		});
		if (found.whole) return true;
		return found.ended === 'ignored' ? false : cannotTell(upperFirst(found.why));
	}

	/** @returns whether the search may be used instead, because it takes fewer reads and is proven */
	async readAll(searches: number, ofRun: string[]): Promise<boolean> {
		const { countries, list } = this;
		const people = new ContactPoints();
		for (const address of ofRun) people.add(address, countries);
		const clear = new ContactPoints();
		const all = await readWhole({
			...list,
			readings: mostReadings,
			take: (rows, { reading }) => {
				for (const row of rows) {
					this.note(row);
					if (reading > 1 && isBlacklisted(row) === false)
						for (const address of [row.phone_number, row.email])
							if (address && countries.some((country) => people.has(address, country)))
								clear.add(address, countries);
				}
			},
			search: {
				confirmed: this.execution.client.workspace.findsNumbers,
				...numberSearch,
				pays: (total) => searches + 2 < Math.ceil(total / perPage.max),
			},
		});
		if (all.whole) return false;
		if (all.ended) return true;
		if (all.why !== whyIncomplete.changed) cannotTell(upperFirst(all.why));
		this.clear = clear;
		return false;
	}

	async readNamed(
		recipients: Recipient[],
		looksUp: (recipient: Recipient) => boolean,
	): Promise<void> {
		const read = memoize(async (uuid: string) => {
			const path = `/contacts/${segment(uuid)}`;
			const asked = readBeside(this.execution, { item: this.item }, path, { reads: readRecord });
			return readRecord((await asked).body) as IDataObject;
		});
		for (const recipient of recipients) {
			const { contact: uuid } = recipient;
			if (uuid === undefined || recipient.number !== undefined) continue;
			const contact = await read(uuid);
			const { phone_number: phone, email } = contact;
			if (phone === undefined && email === undefined)
				cannotTell(`Contact ${uuid} was returned without a phone number`);
			const shown = [phone, email].filter(Boolean).map(String);
			recipient.addresses = uniq([...shown, ...knownOf(contact, this.countries).addresses]);
			if (phone) recipient.number = String(phone);
			if (!looksUp(recipient)) continue;
			if (isBlacklisted(contact) === undefined)
				cannotTell(`The platform does not show whether contact ${uuid} is blacklisted`);
			this.note(contact);
			this.named.add(uuid);
		}
	}

	has(recipient: Recipient): boolean {
		const { defaultCountry: country } = this.execution.options(recipient.request.item);
		return (
			this.uuids.has(recipient.contact ?? '') ||
			reachedBy(recipient).some((address) => this.numbers.has(address, country))
		);
	}

	isUntold(address: string): boolean {
		const isAmong = this.untold.has(address) || this.untold.findMasked(address) !== undefined;
		return isAmong && !this.numbers.has(address);
	}

	/** Why nobody can tell whether a recipient is blacklisted; nothing if it is known. */
	doubtAbout(recipient: Recipient): string | undefined {
		if (this.has(recipient)) return undefined;
		const { request, number, contact = '' } = recipient;
		const { defaultCountry: country } = this.execution.options(request.item);
		const masked = reachedBy(recipient)
			.map((address) => this.numbers.findMasked(address, country))
			.find(Boolean);
		if (masked !== undefined)
			return `the blacklisted contact ${masked}, which cannot be read. Correct that contact`;
		return !this.clear || this.named.has(contact) || this.clear.has(number, country)
			? undefined
			: 'the list of contacts kept changing while it was read. Try again';
	}
}

/**
 * Finds out who is blacklisted. A search that finds nothing proves nothing, because the parameter's name and how it
 * compares are not known. So all contacts are read, unless the search takes fewer reads and proves itself in this run,
 * or the workspace's owner has confirmed it.
 */
async function look(
	execution: Execution,
	contacts: Contacts,
	addresses: string[],
	country: string | undefined,
): Promise<void> {
	const digits = new Set<string>();
	let searchable = true;
	for (const address of addresses) {
		const [number] = meaningsOf(address, [country]).numbers;
		// Whether capitals count in a search for email addresses is not known either.
		if (number === undefined || addressOf(address) !== undefined) searchable = false;
		else digits.add(searchDigits(number));
	}
	const { findsNumbers } = execution.client.workspace;
	const isSearched = searchable && findsNumbers && digits.size <= fewSearches;
	if (!isSearched && !(await contacts.readAll(searchable ? digits.size : Infinity, addresses)))
		return;
	for (const one of digits)
		if (!(await contacts.search(one))) {
			await contacts.readAll(Infinity, addresses);
			return;
		}
}

const unconfirmed =
	'No blacklisted contact was seen in this workspace, so it is unconfirmed whether the platform shows them to this ' +
	"node. To check: use 'Add to Blacklist' for one test contact, then turn on 'Preview' here and enter its number. It " +
	'must come out as skipped.';

type Option = 'Skip Blacklisted Contacts' | 'Skip Numbers' | 'Same Number Twice';

function unread(execution: Execution, thrown: RequestError | CannotTell, option: Option) {
	const isRefusal = thrown instanceof RequestError;
	const { message, description } = isRefusal
		? unreadText(execution, thrown)
		: { message: thrown.message, description: '' };
	const advice = option === 'Same Number Twice' ? 'choose another' : 'turn off';
	const said = {
		message:
			option === 'Skip Blacklisted Contacts'
				? 'The blacklist could not be checked, so nothing was sent'
				: `'${option}' could not be compared with a contact, so nothing was sent`,
		description: `${message}. ${description ? `${description} ` : ''}Try again, or ${advice} '${option}' under Options.`,
	};
	const facts = isRefusal ? { status: thrown.facts.status, code: codeOf(thrown) } : {};
	return apiError(execution.context.getNode(), said, facts);
}

function unknownAmong(contacts: Contacts, recipients: Recipient[]): Problem[] {
	const unknown = recipients.flatMap((recipient) => {
		const doubt = contacts.doubtAbout(recipient);
		return doubt === undefined ? [] : [{ ...recipient, doubt }];
	});
	return Object.values(groupBy(unknown, ({ request }) => request.item)).map((ofRequest) => {
		const [{ request, number, contact, doubt }] = ofRequest as [(typeof unknown)[number]];
		const who = number ?? `contact ${contact}`;
		const more =
			ofRequest.length > 1 ? `, and ${ofRequest.length - 1} more in the same request` : '';
		return {
			item: request.item,
			message: `It is unknown whether ${who} is blacklisted${more}: ${doubt}, or turn off 'Skip Blacklisted Contacts' under Options`,
		};
	});
}

/** @param option the other option that compares the numbers @throws NodeApiError if the platform shows too little; Cancelled */
export async function blacklistedAmong(
	execution: Execution,
	recipients: Recipient[],
	looksUp: (recipient: Recipient) => boolean,
	option: Option,
): Promise<{ has: (recipient: Recipient) => boolean; problems: Problem[] }> {
	const { client, hints, options } = execution;
	const item = recipients[0]?.request.item ?? 0;
	const countries = uniq(recipients.map(({ request }) => options(request.item).defaultCountry));
	const contacts = new Contacts(execution, item, countries);
	const asked = recipients.filter(looksUp);
	try {
		await contacts.readNamed(recipients, looksUp);
		const addresses = uniq(asked.flatMap(reachedBy));
		if (addresses.length > 0) await look(execution, contacts, addresses, countries[0]);
		const untold = addresses.find((one) => contacts.isUntold(one));
		if (untold !== undefined)
			cannotTell(`The platform does not show whether the contact with ${untold} is blacklisted`);
	} catch (thrown) {
		if (!(thrown instanceof RequestError || thrown instanceof CannotTell)) rethrow(thrown);
		throw unread(execution, thrown, asked.length > 0 ? 'Skip Blacklisted Contacts' : option);
	}
	// Whether lists of contacts show it is not known (contract).
	const about = [client.workspace.origin, 'shows blacklisted contacts'];
	if (contacts.any) learn(about, true);
	else if (asked.length > 0 && !recall(about)) hints.add(unconfirmed, 'last');
	return { has: (recipient) => contacts.has(recipient), problems: unknownAmong(contacts, asked) };
}
