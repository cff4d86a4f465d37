/**
 * What is used of libphonenumber-js. The build puts it beside the compiled files as `libphonenumber.js`
 * (gulpfile.js, docs/contributing/decisions/0011-phone-library-in-dist.md).
 */

/** A country that has phone numbers, in two letters. */
export type Country = string;

export interface PhoneNumber {
	number: string;
	/** Digits without country code and trunk prefix. */
	nationalNumber: string;
	/** What such numbers are for: "MOBILE"; nothing where no country gives them out, as far as the metadata knows. */
	getType(): string | undefined;
	/** Whether its country has numbers of this length. */
	isPossible(): boolean;
}

/** @param options `extract: false` takes the text as a whole for the number instead of looking for one in it */
export function parsePhoneNumberFromString(
	text: string,
	options: { defaultCountry?: Country; extract: false },
): PhoneNumber | undefined;

export function getCountries(): Country[];

/** Digits without plus: "49". */
export function getCountryCallingCode(country: Country): string;

/** The rules of all countries; one is selected, by itself or by its calling code. */
export class Metadata {
	selectNumberingPlan(countryOrCallingCode: string): void;
	getCountryCodesForCallingCode(code: string): Country[];
	/** Expressions without anchors. */
	nationalNumberPattern(): string;
	nationalPrefixForParsing(): string | undefined;
	leadingDigits(): string | undefined;
	type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
}
