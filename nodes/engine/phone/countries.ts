import { type Country, getCountries, getCountryCallingCode } from './libphonenumber';

export type { Country };

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** "Germany" */
export const nameOfCountry = (country: Country): string => names.of(country) ?? country;

const known = new Set(getCountries());

/** The country that the user wrote as a code, in capitals or not; nothing if it is none. */
export function countryOf(written: unknown): Country | undefined {
	const code = typeof written === 'string' ? written.trim().toUpperCase() : '';
	return known.has(code) ? code : undefined;
}

/** All countries that have phone numbers, by name, as a dropdown offers them. */
export const countries: ReadonlyArray<{ name: string; value: Country }> = [...known]
	.map((value) => ({
		name: `${nameOfCountry(value)} (+${getCountryCallingCode(value)})`,
		value,
	}))
	.sort((a, b) => a.name.localeCompare(b.name));
