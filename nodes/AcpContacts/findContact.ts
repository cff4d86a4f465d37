import type { IDataObject } from 'n8n-workflow';
import { type Field, leaf } from '../engine/fields/field';
import { asText } from '../engine/fields/scalar';
import { ownFilter } from '../engine/operation';
import { addressOf } from '../engine/people/contactPoints';
import type { Country } from '../engine/phone/countries';
import { bareDigits, readPhone } from '../engine/phone/phoneNumber';
import { contactReader, keyOf } from './matchContact';

/** Whom to look for, and the country of numbers without a country code. */
interface Wanted {
	by: 'phone_number' | 'email' | 'name';
	written: string;
	country?: Country;
}

const wanted: Field<Wanted> = {
	...leaf<Wanted>(
		{
			required: true,
			displayName: 'Phone Number, Email or Name',
			placeholder: 'e.g. +1 415 555 0123',
			description: 'The whole number, email or name of the contact, not a part of it',
		},
		{ type: 'string', default: '' },
		(value, fail, { defaultCountry: country }) => {
			const written = asText(value, fail).trim();
			if (addressOf(written) !== undefined) return { by: 'email', written };
			const { number, refused } = readPhone(written, country);
			if (number !== undefined) return { by: 'phone_number', written: number, country };
			// Whoever enters digits means a number, and no contact is called like that.
			if (bareDigits(written) !== undefined) return fail(refused as string);
			return { by: 'name', written: written.toLowerCase() };
		},
		{ decides: true },
	),
	takesPhone: true,
};

function hasName({ name, surname }: IDataObject, wanted: string): boolean | undefined {
	if (name === undefined) return undefined;
	const names = [name, surname].map((one) =>
		String(one ?? '')
			.trim()
			.toLowerCase(),
	);
	return [...names, names.join(' ').trim()].includes(wanted);
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
