import type { IDataObject } from 'n8n-workflow';
import { get, lowerCase } from 'lodash';
import { type Execution, readBeside } from '../execution';
import { commonForm, KeptNumbers } from '../phone/sameNumber';
import type { PlatformResponse } from '../http/client';
import { unwrap } from '../http/envelope';
import { apiError, codeOf, describeError } from '../errors/errorText';
import { readPage } from '../pages/layouts';
import { NotNarrowed, paginate, perPage } from '../pages/pages';
import { segment } from '../http/path';
import { RequestError } from '../errors/requestError';
import type { Recipient } from '../operation/recipients';
import { rethrow } from '../errors/rethrow';

/** Up to so many numbers are looked for at once, without asking first how many contacts are blacklisted. */
const fewNumbers = 3;
/** Where the platform does not tell how many contacts there are, as many are reckoned with. */
const usualContacts = 10_000;

/** Whoever is not to be reached. */
export interface Blacklisted {
	numbers: KeptNumbers;
	/** IDs of contacts. */
	contacts: Set<string>;
}

/** The platform does not show all contacts. */
class PartOnly extends Error {
	override name = 'PartOnly';
}

/**
 * Adds a contact that is blacklisted. Its status says so (reference: contacts); where it shows for what, a number that
 * is blacklisted for emails alone may be called.
 */
function note(contact: IDataObject, found: Blacklisted): void {
	if (lowerCase(String(contact.status)) !== 'blacklisted') return;
	const blocked: unknown = get(contact, 'blacklist.type');
	found.contacts.add(String(contact.uuid));
	if (blocked !== 'Email' && contact.phone_number) found.numbers.add(contact.phone_number);
	if (blocked !== 'Phone' && contact.email) found.numbers.add(contact.email);
}

/** Reads of contacts for one run. */
function contactsFor(execution: Execution, item: number) {
	const get = async (path: string, query: IDataObject = {}): Promise<PlatformResponse> =>
		await readBeside(execution, { item }, path, { query });
	const pages = async (
		query: IDataObject,
		found: Blacklisted,
		fits: (row: IDataObject) => boolean,
	): Promise<void> => {
		let [told, seen] = [0, 0];
		await paginate({
			fetch: async (page) => {
				const answer = await get('/contacts', page);
				told = readPage(answer.body).total ?? 0;
				return answer;
			},
			query,
			limit: Infinity,
			pageSize: perPage,
			take: (rows) => {
				if (!rows.every(fits)) throw new NotNarrowed();
				for (const row of rows) note(row, found);
				seen += rows.length;
				return [];
			},
		});
		if (seen >= told) return;
		const part = new PartOnly(`The platform has ${told} contacts and shows only ${seen} of them`);
		throw part;
	};
	return {
		one: async (uuid: string) =>
			unwrap((await get(`/contacts/${segment(uuid)}`)).body) as IDataObject,
		count: async (query: IDataObject) =>
			readPage((await get('/contacts', { ...query, per_page: 1 })).body).total,
		whole: async (found: Blacklisted) => await pages({}, found, () => true),
		/** How the search compares is not known (contract); @throws NotNarrowed where nothing comes of it */
		search: async (number: string, found: Blacklisted) => {
			const text = number.replace(/^\+/, '');
			const shows = (value: unknown) =>
				typeof value === 'string' &&
				(value.toLowerCase().includes(text) || value.replace(/\D/g, '').includes(text));
			try {
				await pages({ search: text }, found, (row) => Object.values(row).some(shows));
			} catch (thrown) {
				if (!(thrown instanceof RequestError) || !thrown.isInvalidRequest) rethrow(thrown);
				const ignored = new NotNarrowed();
				throw ignored;
			}
		},
	};
}

/**
 * Finds out who is blacklisted in as few reads as are certain. No documented filter asks for them, but those that are
 * neither Active nor Inactive can be counted; where there are none, three small reads are enough. Else each number is
 * looked for, or all contacts are read, whichever takes fewer reads.
 */
async function look(
	contacts: ReturnType<typeof contactsFor>,
	numbers: string[],
	found: Blacklisted,
): Promise<void> {
	let pages = Infinity;
	if (numbers.length > fewNumbers) {
		const [all, active, inactive] = await Promise.all([
			contacts.count({}),
			contacts.count({ status: 'Active' }),
			contacts.count({ status: 'Inactive' }),
		]);
		if (all !== undefined && all === (active ?? NaN) + (inactive ?? NaN)) return;
		pages = Math.ceil((all ?? usualContacts) / perPage.max);
	}
	if (numbers.length >= pages) return await contacts.whole(found);
	try {
		for (const number of numbers) await contacts.search(number, found);
	} catch (thrown) {
		if (!(thrown instanceof NotNarrowed)) rethrow(thrown);
		await contacts.whole(found);
	}
}

function why(thrown: RequestError | PartOnly, host: string): string {
	if (thrown instanceof PartOnly) return `${thrown.message}.`;
	const { message, description } = describeError(thrown, { host, class: 'read' });
	return `${message}. ${description}`;
}

/**
 * Reads the contacts that requests name by their ID alone, for their numbers, and looks up who of all recipients is
 * blacklisted.
 * @throws NodeApiError when the platform could not be asked, Cancelled
 */
export async function blacklistedAmong(
	execution: Execution,
	recipients: Recipient[],
	looksUp: (recipient: Recipient) => boolean,
): Promise<Blacklisted> {
	const found: Blacklisted = { numbers: new KeptNumbers(), contacts: new Set() };
	const contacts = contactsFor(execution, recipients[0]?.request.item ?? 0);
	const read = new Map<string, IDataObject>();
	try {
		for (const recipient of recipients) {
			const { contact: uuid } = recipient;
			if (uuid === undefined || recipient.number !== undefined) continue;
			const contact = read.get(uuid) ?? (await contacts.one(uuid));
			read.set(uuid, contact);
			if (contact.phone_number) recipient.number = String(contact.phone_number);
			if (looksUp(recipient)) note(contact, found);
		}
		const wanted = recipients.filter(
			(recipient) => looksUp(recipient) && recipient.contact === undefined,
		);
		const numbers = new Set(wanted.flatMap(({ number }) => (number ? [commonForm(number)] : [])));
		if (numbers.size > 0) await look(contacts, [...numbers], found);
	} catch (thrown) {
		if (!(thrown instanceof RequestError || thrown instanceof PartOnly)) rethrow(thrown);
		const { client, context } = execution;
		const said = {
			message: 'The blacklist could not be checked, so nothing was sent',
			description: `${why(thrown, client.workspace.host)} Try again, or turn off 'Skip Blacklisted Contacts' under Options.`,
		};
		const facts =
			thrown instanceof RequestError ? { status: thrown.facts.status, code: codeOf(thrown) } : {};
		const unread = apiError(context.getNode(), said, facts);
		throw unread;
	}
	return found;
}
