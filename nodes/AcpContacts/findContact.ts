import type { IDataObject } from 'n8n-workflow';
import { readList } from '../engine/deliver/list';
import { RequestError } from '../engine/errors/requestError';
import type { Delivering } from '../engine/execution';
import { choice } from '../engine/fields';
import { readDeciding } from '../engine/fields/answered';
import { type Field, leaf } from '../engine/fields/field';
import { asText } from '../engine/fields/scalar';
import { ownFilter } from '../engine/operation';
import type { PreparedRequest } from '../engine/operation/preparedRequest';
import { addressOf } from '../engine/people/contactPoints';
import type { Country } from '../engine/phone/countries';
import { readPhone } from '../engine/phone/phoneNumber';
import { listOf, quoted } from '../engine/text/text';
import { contactReader, keyOf } from './matchContact';

type By = 'phone_number' | 'email' | 'name';

/** Whom to look for, and the country of numbers without a country code. */
interface Wanted {
	by: By;
	written: string;
	country?: Country;
	/** All who match are handed on, because the user said so. */
	all: boolean;
}

const findBy = choice(
	[
		{ name: 'Phone Number', value: 'phone_number' },
		{ name: 'Email', value: 'email' },
		{ name: 'Name', value: 'name', description: 'The first name, the surname or both' },
		{ name: 'Any of These', value: 'any', description: 'What the value looks like decides' },
	],
	'What the contact is recognized by',
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
		description: 'The whole number, email or name of the contact, not a part of it',
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

const plain = (name: unknown): string =>
	String(name ?? '')
		.trim()
		.toLowerCase();

function hasName({ name, surname }: IDataObject, wanted: string): boolean | undefined {
	if (name === undefined) return undefined;
	const names = [name, surname].map(plain);
	return [...names, names.join(' ').trim()].includes(plain(wanted));
}

/** @returns undefined if the contact does not show what is asked about, or may be the one */
function isWanted(row: IDataObject, { by, written, country }: Wanted): boolean | undefined {
	if (by === 'name') return hasName(row, written);
	const key = keyOf(by, written) as string;
	const read = contactReader({ keys: [key], countries: [country], matching: [by] });
	const { keys, mayBe, compared } = read(row);
	if (keys.includes(key)) return true;
	return compared === true && mayBe.length === 0 ? false : undefined;
}

export const findContact = ownFilter(wanted, isWanted);

const mostNamed = 5;

const nameOf = ({ name, surname, uuid }: IDataObject): string =>
	`${quoted([name, surname].filter(Boolean).join(' '))} (ID ${String(uuid)})`;

/** Reads all who match, because the next node would act on the first of several. @throws RequestError, Cancelled */
export async function findOne(
	execution: Delivering,
	prepared: PreparedRequest,
): Promise<IDataObject[]> {
	const found = await readList(execution, prepared, (rows) => rows);
	const { written, all } = prepared.filters.find as unknown as Wanted;
	if (found.length < 2 || all) return found;
	throw new RequestError('notSent', 'nothing', {
		code: 'SEVERAL_CONTACTS',
		message: `${found.length} contacts match ${quoted(written)}`,
		details: `${listOf(found.map(nameOf), mostNamed)}. Look for what only one of them has, or choose 'Return All' in 'If Several Match'.`,
	});
}
