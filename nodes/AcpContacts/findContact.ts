import { deburr, groupBy, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { noneFits, notShown } from '../engine/deliver/list';
import { notSent, rethrow } from '../engine/errors/requestError';
import { listBeside } from '../engine/execution';
import { choice, type Field, leaf, asText } from '../engine/fields';
import { readDeciding } from '../engine/fields/answered';
import { ownFilter, perPage, read } from '../engine/operation';
import { addressOf } from '../engine/people/contactPoints';
import { readPhone, type Country } from '../engine/phone/phoneNumber';
import { fewSearches, readWhole } from '../engine/pages/whole';
import { listOf, quoted } from '../engine/text/text';
import { byDigits, contactReader, keyOf } from './matchContact';
import type { PreparedRequest, Delivering } from '../engine/operation/operation';

type By = 'phone_number' | 'email' | 'name';

interface Wanted {
	by: By;
	written: string;
	country?: Country;
	all: boolean;
}

const findBy = choice(
	[
		{ name: 'Phone Number', value: 'phone_number' },
		{ name: 'Email', value: 'email' },
		{
			name: 'Name',
			value: 'name',
			description: 'The first name, the surname or both, whatever their case and accents',
		},
		{ name: 'Any of These', value: 'any', description: 'What the value looks like decides' },
	],
	'How to find the contact',
	{ default: 'phone_number' },
);

const several = choice(
	[
		{ name: 'Refuse', value: 'refuse', description: 'Return none of them, and name them' },
		{ name: 'Return All', value: 'all', description: 'The next node acts on each of them' },
	],
	'What to do if more than one contact matches',
	{ default: 'refuse' },
);

/** With as many digits a text is meant as a number, and no contact is called like that. */
const fewestOfNumber = 5;

const value = leaf<Wanted>(
	{
		required: true,
		displayName: 'Contact to Find',
		placeholder: 'e.g. +1 415 555 0123',
		description: 'The whole number, email or name (first, last or both), not a part of it',
	},
	{ type: 'string', default: '' },
	(given, fail, source) => {
		const written = asText(given, fail).trim();
		const { defaultCountry: country } = source;
		const by = readDeciding(findBy, source, 'findBy', 'Find By') ?? 'phone_number';
		const all = readDeciding(several, source, 'ifSeveralMatch', 'If Several Match') === 'all';
		const isAddress = addressOf(written) !== undefined;
		if (by === 'name') return { by, written, all };
		if (by === 'email' || (by === 'any' && isAddress))
			return isAddress
				? { by: 'email', written, all }
				: fail(`is not an email address: ${quoted(written)}`);
		const { number, refused } = readPhone(written, country);
		if (number !== undefined) return { by: 'phone_number', written: number, country, all };
		const isName = by === 'any' && written.replace(/\P{Nd}/gu, '').length < fewestOfNumber;
		return isName ? { by: 'name', written, all } : fail(refused as string);
	},
	{ decides: true },
);

const wanted: Field<Wanted> = {
	...value,
	takesPhone: true,
	show: (name, displayName) => [
		...findBy.show('findBy', 'Find By'),
		...value.show(name, displayName),
		...several.show('ifSeveralMatch', 'If Several Match'),
	],
};

/** `findOne` looks at the rows, for all items together. */
export const findContact = ownFilter(wanted, () => true);

/** A name as people compare it: ANNA and Anna are one, whatever their accents, and so are the Turkish I, İ, ı and i. */
const plain = (name: unknown): string =>
	deburr(String(name ?? '').trim())
		.toLowerCase()
		.replace(/\s+/g, ' ');

type Compare = (row: IDataObject) => { fits: string[]; mayFit: Iterable<string> };

interface Match {
	rows: Map<unknown, IDataObject>;
	/** Some contacts do not show what is asked about, or may be the one. */
	isUnsure: boolean;
}

interface Group {
	compare: Compare;
	matches: Map<string, Match>;
}

const formOf = ({ by, written }: Wanted): string =>
	by === 'name' ? plain(written) : (keyOf(by, written) as string);

function compareBy({ by, country }: Wanted, forms: string[]): Compare {
	if (by === 'name')
		return ({ name, surname }) => {
			const names = [name, surname].map(plain);
			const mayFit = name === undefined ? forms : [];
			return { fits: [...names, names.join(' ').trim()], mayFit };
		};
	const readContact = contactReader({ keys: forms, countries: [country], matching: [by] });
	return (row) => {
		const { keys: fits, mayBe, compared } = readContact(row);
		return { fits, mayFit: compared === true ? mayBe.map(([form]) => form) : forms };
	};
}

/** What is known of all whom a run looks for: each contact is compared once, not once for each of them. */
class Matches {
	private readonly groups: Map<string, Group>;

	constructor(wanted: Wanted[]) {
		const alike = Object.entries(groupBy(wanted, Matches.groupOf));
		this.groups = new Map(
			alike.map(([name, some]) => {
				const forms = uniq(some.map(formOf));
				const none = (): Match => ({ rows: new Map(), isUnsure: false });
				const matches = new Map(forms.map((form) => [form, none()]));
				return [name, { compare: compareBy(some[0] as Wanted, forms), matches }];
			}),
		);
	}

	private static readonly groupOf = ({ by, country = '' }: Wanted): string => `${by} ${country}`;

	add(rows: IDataObject[]): void {
		for (const { compare, matches } of this.groups.values())
			for (const row of rows) {
				const { fits, mayFit } = compare(row);
				for (const form of fits) matches.get(form)?.rows.set(row.uuid ?? row, row);
				for (const form of mayFit) if (!fits.includes(form)) matches.get(form)!.isUnsure = true;
			}
	}

	of(wanted: Wanted): Match {
		return this.groups.get(Matches.groupOf(wanted))!.matches.get(formOf(wanted))!;
	}
}

interface Found {
	matches: Matches;
	why?: string;
	/** The list is long, and a search finds a number however it is stored. */
	isSearched?: boolean;
}

const contacts = { in: read('GET /contacts'), pageSize: perPage };
const wantedBy = ({ filters }: PreparedRequest): Wanted => filters.find as unknown as Wanted;

/** @param searched what to search for instead of reading the list; null: it must be read @throws RequestError, Cancelled */
async function readFor(
	execution: Delivering,
	requests: readonly PreparedRequest[],
	searched?: IDataObject | null,
): Promise<Found> {
	const [prepared] = requests as [PreparedRequest];
	const all = requests.map(wantedBy);
	const matches = new Matches(all);
	const isSearchable = all.every(({ by }) => by === 'phone_number');
	const { findsNumbers: confirmed } = execution.client.workspace;
	const pays = (total: number): boolean => all.length + 1 < Math.ceil(total / perPage.max);
	const shown = await readWhole({
		...listBeside(execution, prepared, contacts),
		query: { ...prepared.query, ...searched },
		...(searched && { fits: (row) => byDigits.fits(row, searched) }),
		...(searched === undefined && isSearchable && { search: { ...byDigits, confirmed, pays } }),
		take: (rows) => matches.add(rows),
	});
	if (shown.whole) return { matches };
	return shown.ended === undefined
		? { matches, why: shown.why }
		: { matches, isSearched: shown.ended === 'proven' };
}

async function findAll(execution: Delivering, prepared: PreparedRequest): Promise<Found> {
	const { lists, client, zones } = execution;
	// Times in records are those of the zone that was asked for.
	const nameOfList = ({ query, item }: PreparedRequest): string =>
		JSON.stringify(['find', query, zones.of(item).name]);
	const list = nameOfList(prepared);
	const requests = execution.requests.filter((one) => nameOfList(one) === list);
	const { by } = wantedBy(prepared);
	const search = async (): Promise<Found | undefined> => {
		const found = await readFor(execution, [prepared], byDigits.guess(formOf(wantedBy(prepared))));
		return found.isSearched === undefined ? found : undefined;
	};
	const isShort = client.workspace.findsNumbers && requests.length <= fewSearches;
	const found = isShort && by === 'phone_number' ? await search() : undefined;
	if (found) return found;
	const known = lists.get(list) as Promise<Found> | undefined;
	const reading = known ?? readFor(execution, requests);
	lists.set(list, reading);
	const whole = await reading.catch((thrown: unknown) => {
		// The next item may have more luck.
		lists.delete(list);
		return rethrow(thrown);
	});
	return whole.isSearched
		? ((await search()) ?? (await readFor(execution, [prepared], null)))
		: whole;
}

const mostNamed = 5;

const nameOf = ({ name, surname, uuid }: IDataObject): string =>
	`${quoted([name, surname].filter(Boolean).join(' '))} (ID ${String(uuid)})`;

/** Returns all who match, because the next node would act on the first of several. @throws RequestError, Cancelled */
export async function findOne(
	execution: Delivering,
	prepared: PreparedRequest,
): Promise<IDataObject[]> {
	const { matches, why } = await findAll(execution, prepared);
	const { written, all } = wantedBy(prepared);
	const { rows, isUnsure } = matches.of(wantedBy(prepared));
	const found = [...rows.values()];
	if (why)
		execution.hints.add(`Not all contacts were seen, because ${why}. Run it again.`, 'warning');
	if (isUnsure) execution.hints.add(notShown('Contact to Find', true), 'warning');
	if (!why && !isUnsure && found.length === 0) execution.hints.add(noneFits("'Contact to Find'"));
	if (found.length < 2 || all) return found;
	throw notSent(
		'SEVERAL_CONTACTS',
		`${found.length} contacts match ${quoted(written)}`,
		`${listOf(found.map(nameOf), mostNamed)}. Look for what only one of them has, or choose 'Return All' in 'If Several Match'.`,
	);
}
