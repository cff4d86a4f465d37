import type { IDataObject } from 'n8n-workflow';
import { type Field, leaf } from '../engine/fields/field';
import { asText } from '../engine/fields/scalar';
import { ownFilter } from '../engine/operation';
import { addressOf, normalForm } from '../engine/people/contactPoints';
import { bareDigits, readPhone } from '../engine/phone/phoneNumber';

/** Whom to look for: a number in E.164, an email address in small letters, or a name. */
interface Wanted {
	by: 'phone_number' | 'email' | 'name';
	form: string;
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
		(value, fail, { defaultCountry }) => {
			const written = asText(value, fail).trim();
			const address = addressOf(written);
			if (address !== undefined) return { by: 'email', form: address };
			const { number, refused } = readPhone(written, defaultCountry);
			if (number !== undefined) return { by: 'phone_number', form: number };
			// Whoever enters digits means a number, and no contact is called like that.
			if (bareDigits(written) !== undefined) return fail(refused as string);
			return { by: 'name', form: written.toLowerCase() };
		},
		{ decides: true },
	),
	takesPhone: true,
};

/** @returns undefined if the contact does not show what is asked about */
function isWanted(row: IDataObject, { by, form }: Wanted): boolean | undefined {
	const shown = row[by];
	if (shown === undefined) return undefined;
	if (by === 'phone_number') return normalForm(shown) === normalForm(form);
	if (by === 'email') return addressOf(shown) === form;
	const { name, surname } = row;
	const names = [name, surname].map((one) =>
		String(one ?? '')
			.trim()
			.toLowerCase(),
	);
	return [...names, names.join(' ').trim()].includes(form);
}

export const findContact = ownFilter(wanted, isWanted);
