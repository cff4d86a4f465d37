import type { Country } from './countries';
import { readPhone } from './phoneNumber';

/** Everything that stands between and around the digits of a phone number without meaning. */
const separators =
	/^tel:|[\s()./\-\u2010-\u2015\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gi;

/**
 * One form for all spellings of a phone number, or of an email address, to compare by: E.164 where the text is a
 * number, small letters where it is an address, else the bare text.
 * @param country where numbers without a country code are at home
 */
export function commonForm(value: unknown, country?: Country): string {
	if (typeof value === 'string' && isInternational(value)) return value;
	const text = String(value).normalize('NFKC').trim();
	if (isAddress(text)) return text.toLowerCase();
	return readPhone(text, country).number ?? text.replace(separators, '').replace(/^00/, '+');
}

const isInternational = (text: string): boolean => /^\+[1-9]\d{1,14}$/.test(text);

const isAddress = (text: string): boolean => /^[^\s@,;]+@[^\s@,;]+$/.test(text);

/** A number without the part that people leave out or write in several ways. */
const endingOf = (bare: string): string | undefined => /^0*([1-9]\d{6,14})$/.exec(bare)?.[1];

/**
 * Numbers and addresses that somebody keeps in spellings of their own. One without country code stands for every number
 * that ends in it: whoever is on a list of people who are not to be called had better not be called.
 */
export class KeptNumbers {
	private readonly whole = new Set<string>();
	private readonly endings = new Set<string>();
	/** How long endings are. */
	private readonly lengths = new Set<number>();

	get size(): number {
		return this.whole.size + this.endings.size;
	}

	/** @returns whether it is a phone number or an email address */
	add(value: unknown, country?: Country): boolean {
		const bare = commonForm(value, country);
		const ending = endingOf(bare);
		if (ending !== undefined) {
			this.endings.add(ending);
			this.lengths.add(ending.length);
		} else if (isInternational(bare) || isAddress(bare)) this.whole.add(bare);
		else return false;
		return true;
	}

	/** @param number in its common form */
	has(number: string): boolean {
		if (this.whole.has(number)) return true;
		if (!number.startsWith('+')) return false;
		for (const length of this.lengths) if (this.endings.has(number.slice(-length))) return true;
		return false;
	}
}

/** Calling codes of two digits (ITU-T E.164); 1 and 7 stand alone, all others have three. */
const twoDigits = /^\+(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** The calling code that a number in E.164 begins with: "+49". */
export const callingCode = (number: string): string =>
	/^\+[17]/.exec(number)?.[0] ?? twoDigits.exec(number)?.[0] ?? number.slice(0, 4);
