import { type Field, type Given, leaf, optionsOf } from './field';
import { fromList, locatorValue, mode } from './locator';
import { asText } from './scalar';
import { readPhone, type Country, countryOf } from '../phone/phoneNumber';
import { quoted } from '../text/text';

/** A phone number in whichever way people write it; it is sent as E.164. */
export const phone = (...given: Given): Field<string> => ({
	...leaf<string>(
		{
			placeholder: 'e.g. +1 415 555 0123',
			hint: "Include the country code, or choose 'Default Country' under Options",
			...optionsOf(given),
		},
		{ type: 'string', default: '' },
		(value, fail, source) => {
			const written = asText(value, fail).trim();
			const { refused, ...read } = readPhone(written, source.defaultCountry);
			source.numberRead({ written, ...read });
			return read.number ?? fail(refused as string);
		},
		{ empty: '' },
	),
	takesPhone: true,
});

/** A country that has phone numbers, as its two letters. The list is searched when it is opened: it is long. */
export const country = (...given: Given): Field<Country> =>
	leaf<Country>(
		optionsOf(given),
		{
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			modes: [
				fromList('searchCountries'),
				mode('By Code', 'id', 'string', { placeholder: 'e.g. DE' }),
			],
		},
		(value, fail) =>
			countryOf(value) ??
			fail(
				`is ${quoted(value)}, which is not a country. Choose one, or enter its two letters, like DE`,
			),
		{ valueIn: locatorValue },
	);
