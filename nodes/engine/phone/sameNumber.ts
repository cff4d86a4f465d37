import type { Country } from './countries';
import { invisible, lineOf, meaningsOf, numberOfChat } from './phoneNumber';

/** No line of a mail's header is longer (RFC 5322). */
const longest = 998;

const isAddress = (text: string): boolean => /^[^\s@,;<>]+@[^\s@,;<>]+$/.test(text);

/** A text without what sheets and links put around an email address. */
const inside = /[^\s"'\u2018-\u201f([{<](?:[^]*[^\s"'\u2018-\u201f)\]}>.:!])?/;

/**
 * An email address in the form to compare by; nothing if it is none, as an ID of WhatsApp is. `mailto:` and
 * `Anna <a@b.c>` are read too.
 */
export function addressOf(value: unknown): string | undefined {
	const text = String(value ?? '')
		.normalize('NFKC')
		.replace(invisible, '')
		.trim();
	if (text.length > longest) return undefined;
	const shown = inside.exec(/<([^<>]+)>$/.exec(text)?.[1] ?? text)?.[0] ?? '';
	const bare = shown.replace(/^mailto:([^?]*)(?:\?[^]*)?$/i, '$1').trim();
	return isAddress(bare) && numberOfChat(bare) === undefined ? bare.toLowerCase() : undefined;
}

/** The mailbox of an email address: what follows a plus only sorts the mails of one person. */
const mailboxOf = (address: string): string => address.replace(/^(\+*[^+@]+)\+[^@]*/, '$1');

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
 * Numbers and email addresses that users keep in their own spellings, in all their readings, each with whose it is. A
 * number without country code stands for every number that ends in it: it is safer not to call anyone who may be on a
 * list of people not to be called.
 */
export class KeptNumbers<T = true> {
	private readonly whole = new Map<string, T>();
	private readonly endings = new Map<string, T>();
	/** How long endings are. */
	private readonly lengths = new Set<number>();

	get size(): number {
		return this.whole.size + this.endings.size;
	}

	/**
	 * @param countries possible countries of numbers without a country code; `undefined` among them for unknown
	 * @param whose the first stays
	 * @returns what it is; nothing if it is neither
	 */
	add(
		value: unknown,
		countries: ReadonlyArray<Country | undefined> = [undefined],
		whose: T = true as T,
	): 'number' | 'address' | undefined {
		const address = addressOf(value);
		if (address !== undefined) {
			keep(this.whole, mailboxOf(address), whose);
			return 'address';
		}
		const { numbers, ending } = meaningsOf(value, countries);
		for (const number of numbers) keep(this.whole, lineOf(number), whose);
		if (ending !== undefined) {
			keep(this.endings, ending, whose);
			this.lengths.add(ending.length);
		}
		return numbers.length > 0 || ending !== undefined ? 'number' : undefined;
	}

	/** Whether a number or an email address is kept, in any of its readings. */
	has(value: unknown, country?: Country): boolean {
		return this.find(value, country) !== undefined;
	}

	/** Whose a number or an email address is, in any of its readings. */
	find(value: unknown, country?: Country): T | undefined {
		if (this.size === 0) return undefined;
		const address = addressOf(value);
		if (address !== undefined) return this.whole.get(mailboxOf(address));
		const { numbers, ending } = meaningsOf(value, [country]);
		for (const number of numbers) {
			const found = this.findNumber(number);
			if (found !== undefined) return found;
		}
		return ending === undefined ? undefined : this.findEnding(ending);
	}

	private findNumber(number: string): T | undefined {
		const line = lineOf(number);
		const known = this.whole.get(line);
		if (known !== undefined) return known;
		for (const length of this.lengths) {
			const found =
				this.endings.get(number.slice(-length)) ?? this.endings.get(line.slice(-length));
			if (found !== undefined) return found;
		}
		return undefined;
	}

	/** A recipient whose country is not known; there are few. */
	private findEnding(ending: string): T | undefined {
		for (const [number, whose] of this.whole) if (number.endsWith(ending)) return whose;
		for (const [other, whose] of this.endings)
			if (other.endsWith(ending) || ending.endsWith(other)) return whose;
		return undefined;
	}
}

function keep<T>(kept: Map<string, T>, key: string, whose: T): void {
	if (!kept.has(key)) kept.set(key, whose);
}

/** Calling codes of two digits (ITU-T E.164); 1 and 7 stand alone, all others have three. */
const twoDigits = /^\+(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** The calling code that a number in E.164 begins with: "+49". */
export const callingCode = (number: string): string =>
	/^\+[17]/.exec(number)?.[0] ?? twoDigits.exec(number)?.[0] ?? number.slice(0, 4);
