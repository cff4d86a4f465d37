import { type Country, getCountries, getCountryCallingCode, Metadata } from './libphonenumber';

/** The rules of one calling code, each expression made once; the library makes all of them for every number. */
interface Plan {
	/** What a country dials before a number; the library strips it also behind a calling code. */
	prefix: RegExp | undefined;
	/** By country, in the library's order: how its numbers begin, if that tells them apart, and which ones exist. */
	countries: Array<{ begins: RegExp | undefined; given: RegExp }>;
}

/** Of the version of the library in package.json, 1.13.16. */
export const planDate = 'November 2026';

const countriesByCode = new Map<string, Country[]>();
for (const country of getCountries()) {
	const code = getCountryCallingCode(country);
	countriesByCode.set(code, [...(countriesByCode.get(code) ?? []), country]);
}
const plans = new Map<string, Plan>();

const types = [
	...['FIXED_LINE', 'MOBILE', 'PREMIUM_RATE', 'TOLL_FREE', 'SHARED_COST', 'VOIP'],
	...['PERSONAL_NUMBER', 'PAGER', 'UAN', 'VOICEMAIL'],
];

// At most 14 characters: isPhone looks at the whole number first. The patterns are the library's.
const beginning = (pattern: string): RegExp => new RegExp(`^(?:${pattern})`);

const whole = (pattern: string, lengths: number[] = []): string =>
	`(?=(?:${lengths.map((length) => `\\d{${length}}`).join('|')})$)(?:${pattern})$`;

function givenBy(metadata: Metadata): RegExp {
	const known = types.flatMap((name) => {
		const type = metadata.type(name);
		return type?.pattern() ? [whole(type.pattern(), type.possibleLengths())] : [];
	});
	return beginning(`(?=(?:${metadata.nationalNumberPattern()})$)(?:${known.join('|')})`);
}

function planOf(code: string): Plan {
	const metadata = new Metadata();
	metadata.selectNumberingPlan(code);
	const prefix = metadata.nationalPrefixForParsing();
	const countries = metadata.getCountryCodesForCallingCode(code).map((country) => {
		metadata.selectNumberingPlan(country);
		const begins = metadata.leadingDigits();
		return {
			begins: begins ? beginning(begins) : undefined,
			given: givenBy(metadata),
		};
	});
	return { prefix: prefix ? beginning(prefix) : undefined, countries };
}

/** The calling code of a number in E.164, if a country has it; none is the beginning of another. */
const codeOf = (number: string): string | undefined =>
	[2, 3, 4].map((end) => number.slice(1, end)).find((code) => countriesByCode.has(code));

/** Whether no country has the calling code of a number in E.164: a satellite or another network, or one yet unknown. */
export const isOfNoCountry = (number: string): boolean => codeOf(number) === undefined;

/** The calling code that a number in E.164 begins with: "+49". */
export const callingCode = (number: string): string => `+${codeOf(number) ?? number.slice(1, 4)}`;

/** As the library reads it, in a twentieth of the time. If false, it may still be a number, in a form that is changed. */
export function isGivenOut(number: string): boolean {
	const code = codeOf(number);
	if (code === undefined) return false;
	let plan = plans.get(code);
	if (!plan) plans.set(code, (plan = planOf(code)));
	const national = number.slice(code.length + 1);
	if (plan.prefix?.exec(national)?.[0]) return false;
	const country = plan.countries.find(({ begins, given }) => (begins ?? given).test(national));
	return country !== undefined && (!country.begins || country.given.test(national));
}
