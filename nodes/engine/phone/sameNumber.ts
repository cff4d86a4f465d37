import type { Country } from './countries';
import { invisible, lineOf, type Meanings, meaningsOf, numberOfChat } from './phoneNumber';

const isAddress = (text: string): boolean => /^[^\s@,;<>]+@[^\s@,;<>]+$/.test(text);

/** What sheets and links put around an email address. */
const around = /^[\s"'\u2018-\u201f([{<]+|[\s"'\u2018-\u201f)\]}>.:!]+$/g;

/**
 * An email address in the form to compare by; nothing if it is none, as an address of WhatsApp is. `mailto:` and
 * `Anna <a@b.c>` are read too.
 */
export function addressOf(value: unknown): string | undefined {
	const text = String(value ?? '')
		.normalize('NFKC')
		.replace(invisible, '')
		.trim();
	const bare = (/<([^<>]+)>$/.exec(text)?.[1] ?? text)
		.replace(around, '')
		.replace(/^mailto:([^?]*).*$/is, '$1')
		.trim();
	return isAddress(bare) && numberOfChat(bare) === undefined ? bare.toLowerCase() : undefined;
}

/** The mailbox of an email address: what follows a plus only sorts the mails of one person. */
const mailboxOf = (address: string): string => address.replace(/(?<=[^+@])\+[^@]*(?=@)/, '');

/**
 * One form for all spellings of a phone number, or of an email address, to compare by: E.164 if the text is a number,
 * small letters if it is an email address, otherwise the bare text.
 * @param country country of numbers without a country code
 */
export function commonForm(value: unknown, country?: Country): string {
	const [number] = meaningsOf(value, [country]).numbers;
	if (number !== undefined) return lineOf(number);
	return addressOf(value) ?? String(value).normalize('NFKC').replace(/\s/g, '');
}

/**
 * Numbers and email addresses that users keep in their own spellings, in all their readings. A number without country
 * code stands for every number that ends in it: it is safer not to call anyone who may be on a list of people not to be
 * called.
 */
export class KeptNumbers {
	private readonly whole = new Set<string>();
	private readonly endings = new Set<string>();
	/** How long endings are. */
	private readonly lengths = new Set<number>();

	get size(): number {
		return this.whole.size + this.endings.size;
	}

	/**
	 * @param countries possible countries of numbers without a country code; `undefined` among them for unknown
	 * @returns what it is; nothing if it is neither
	 */
	add(
		value: unknown,
		countries: ReadonlyArray<Country | undefined> = [undefined],
	): 'number' | 'address' | undefined {
		const address = addressOf(value);
		if (address !== undefined) {
			this.whole.add(mailboxOf(address));
			return 'address';
		}
		const meanings = meaningsOf(value, countries);
		return this.addMeanings(meanings) ? 'number' : undefined;
	}

	/** @returns whether there are any */
	addMeanings({ numbers, ending }: Meanings): boolean {
		for (const number of numbers) this.whole.add(lineOf(number));
		if (ending !== undefined) {
			this.endings.add(ending);
			this.lengths.add(ending.length);
		}
		return numbers.length > 0 || ending !== undefined;
	}

	/** Whether a number or an email address is kept, in any of its readings. */
	has(value: unknown, country?: Country): boolean {
		if (this.size === 0) return false;
		const address = addressOf(value);
		if (address !== undefined) return this.whole.has(mailboxOf(address));
		const { numbers, ending } = meaningsOf(value, [country]);
		return (
			numbers.some((number) => this.hasNumber(number)) ||
			(ending !== undefined && this.hasEnding(ending))
		);
	}

	private hasNumber(number: string): boolean {
		const line = lineOf(number);
		if (this.whole.has(line)) return true;
		for (const length of this.lengths)
			if (this.endings.has(number.slice(-length)) || this.endings.has(line.slice(-length)))
				return true;
		return false;
	}

	/** A recipient whose country is not known; there are few. */
	private hasEnding(ending: string): boolean {
		for (const number of this.whole) if (number.endsWith(ending)) return true;
		for (const other of this.endings)
			if (other.endsWith(ending) || ending.endsWith(other)) return true;
		return false;
	}
}

/** Calling codes of two digits (ITU-T E.164); 1 and 7 stand alone, all others have three. */
const twoDigits = /^\+(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** The calling code that a number in E.164 begins with: "+49". */
export const callingCode = (number: string): string =>
	/^\+[17]/.exec(number)?.[0] ?? twoDigits.exec(number)?.[0] ?? number.slice(0, 4);
