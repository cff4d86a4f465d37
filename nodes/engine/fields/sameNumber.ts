/** Everything that stands between and around the digits of a phone number without meaning. */
const separators =
	/^tel:|[\s()./\-\u2010-\u2015\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gi;

/**
 * The phone numbers in E.164 that a text may mean, or the email address in small letters: two texts that share one
 * mean the same person. Digits without a plus are read as a whole international number.
 * @returns nothing where the text is neither
 */
export function readingsOf(value: unknown): string[] {
	if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
		return [];
	const text = String(value).normalize('NFKC').trim();
	if (/^[^\s@,;]+@[^\s@,;]+$/.test(text)) return [text.toLowerCase()];
	const digits = text.replace(separators, '').replace(/^00/, '+');
	if (/^\+[1-9]\d{1,14}$/.test(digits)) return [digits];
	return /^[1-9]\d{7,14}$/.test(digits) ? [`+${digits}`] : [];
}

/** One form for all spellings of a phone number or an email address, to compare by. */
export const comparable = (value: unknown): string => readingsOf(value)[0] ?? String(value).trim();

/** Calling codes of two digits (ITU-T E.164); 1 and 7 stand alone, all others have three. */
const twoDigits = /^\+(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** The calling code that a number in E.164 begins with: "+49". */
export const callingCode = (number: string): string =>
	/^\+[17]/.exec(number)?.[0] ?? twoDigits.exec(number)?.[0] ?? number.slice(0, 4);
