import { type Field, type FieldOptions, leaf } from './field';
import { asText } from './scalar';
import { countries, type Country, countryOf } from '../phone/countries';
import { readPhone } from '../phone/phoneNumber';
import { quoted } from '../text/text';

/** A phone number in whichever way people write it; it is sent as E.164. */
export const phone = (options: FieldOptions = {}): Field<string> => {
	const field = leaf<string>(
		{
			placeholder: 'e.g. +1 415 555 0123',
			hint: "Include the country code, or choose 'Default Country' under Options",
			...options,
		},
		{ type: 'string', default: '' },
		(value, fail, source) => {
			const written = asText(value, fail).trim();
			const { number, refused } = readPhone(written, source.defaultCountry);
			source.numberRead({ written, number });
			return refused === undefined ? number : fail(refused);
		},
		{ empty: '' },
	);
	return { ...field, takesPhone: true };
};

/** In its place among the countries, because the linter wants dropdowns in the order of names. */
const offered = [...countries, { name: 'None', value: '' }].sort((a, b) =>
	a.name.localeCompare(b.name),
);

/** A country that has phone numbers, as its two letters. */
export const country = (options: FieldOptions = {}): Field<Country> =>
	leaf<Country>(
		options,
		{ type: 'options', options: offered, default: '' },
		(value, fail) =>
			countryOf(value) ??
			fail(
				`is ${quoted(value)}, which is not a country. Choose one, or enter its two letters, like DE`,
			),
	);
