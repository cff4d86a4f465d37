import {
	bareDigits,
	formsOf,
	invisible,
	lineOf,
	meaningsOf,
	numberOfChat,
	readPhone,
	type Country,
} from '../phone/phoneNumber';

export const hiding = '*•●∙…_#';

const hidden = new RegExp(`[${hiding}]{2}|…|x{3}`, 'i');
const gaps = new RegExp(`[${hiding}]+|x{3,}`);

/** Whether a text hides a part of a number or an email address: `+49151*****11`, `a***@example.com`. */
export const isMasked = (text: string): boolean => hidden.test(text);

/** Whether a text has all parts in their order, the first at its beginning and the last at its end. */
function hasParts(text: string, parts: string[]): boolean {
	let from = 0;
	return parts.every((part, index) => {
		const isLast = index === parts.length - 1;
		const at = isLast ? text.length - part.length : text.indexOf(part, from);
		const fits = at >= from && (index > 0 || at === 0) && text.startsWith(part, at);
		from = at + part.length;
		return fits;
	});
}

/** Whether a number in E.164 or an email address fits what a text shows of one, or digits that a spreadsheet cut. */
export function likenessOf(text: string): (form: string) => boolean {
	const bare = text.normalize('NFKC').toLowerCase();
	if (bare.includes('@')) {
		const parts = bare.replace(/\s/g, '').split(gaps);
		return (form) => hasParts(form, parts);
	}
	const cut = bare.replace(/e\+?\d+$/, '…');
	const digits = cut.replace(/\(\s*0\s*\)|[\s()./-]/g, '').replace(/^\+?0+/, '');
	const parts = ['', ...(digits.match(/\d+/g) ?? ['']), ...(/\d$/.test(cut) ? [] : [''])];
	const fits = (form: string): boolean => hasParts(form.slice(1), parts);
	return (form) => !form.includes('@') && formsOf(`+${form.replace(/\D/g, '')}`).some(fits);
}

/** No line of a mail's header is longer (RFC 5322). */
const longest = 998;

const isAddress = (text: string): boolean => /^[^\s@,;<>]+@[^\s@,;<>]+$/.test(text);

/** A text without what sheets and links put around an email address. */
const inside = /[^\s"'\u2018-\u201f([{<](?:[^]*[^\s"'\u2018-\u201f)\]}>.:!])?/;

/** An email address in small letters, of `mailto:` and `Anna <a@b.c>` too; nothing if it is none: an ID of WhatsApp. */
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

/** One form, for comparing what is certain; any other text stays. @param country of numbers without a country code */
export function normalForm(value: unknown, country?: Country): string {
	const text = String(value ?? '').trim();
	const { number } = readPhone(text, country);
	if (number !== undefined) return lineOf(number).slice(1);
	const address = addressOf(text);
	return address === undefined ? (bareDigits(text)?.replace('+', '') ?? text) : mailboxOf(address);
}

/** One reading of a text: a number in E.164, the end of one whose country is not known, or a mailbox. */
interface Reading {
	form: string;
	kind: 'number' | 'ending' | 'address';
}

/** All that a text can stand for: whoever said no must be found in each of its readings. */
function readingsOf(value: unknown, countries: ReadonlyArray<Country | undefined>): Reading[] {
	const address = addressOf(value);
	if (address !== undefined) return [{ form: mailboxOf(address), kind: 'address' }];
	const { numbers, ending } = meaningsOf(value, countries);
	const forms = numbers.flatMap(formsOf);
	const readings: Reading[] = forms.map((form) => ({ form, kind: 'number' }));
	return ending === undefined ? readings : [...readings, { form: ending, kind: 'ending' }];
}

const mayMeet = (one: Reading, other: Reading): boolean =>
	one.form === other.form ||
	(one.kind === 'ending' && other.form.endsWith(one.form)) ||
	(other.kind === 'ending' && one.form.endsWith(other.form));

/** Whether two texts reach the same person; unknown if one cannot be read, or they cannot be compared. */
export function mayBeSame(one: unknown, other: unknown): 'yes' | 'no' | 'unknown' {
	if (normalForm(one) === normalForm(other)) return 'yes';
	const [first, second] = [readingsOf(one, [undefined]), readingsOf(other, [undefined])];
	const isUnlike = (a: Reading, b: Reading) =>
		(a.kind === 'address') === (b.kind === 'address') && !mayMeet(a, b);
	const areRead = first.length > 0 && second.length > 0;
	return areRead && first.every((a) => second.every((b) => isUnlike(a, b))) ? 'no' : 'unknown';
}

/** Digits that all spellings of a number end in, with and without its country code. */
const commonDigits = 7;

/** In all readings. A number without country code stands for all that end in it: it is safer not to call them. */
export class ContactPoints<T = true> {
	/** By the last digits of a number, or by mailbox. */
	private readonly kept = new Map<string, Array<Reading & { whose: T }>>();
	private readonly masked: Array<{ says: string; fits: (form: string) => boolean }> = [];

	get isEmpty(): boolean {
		return this.kept.size === 0;
	}

	/** @param countries `undefined` among them for unknown @param whose the first stays @returns nothing if it is neither */
	add(
		value: unknown,
		countries: ReadonlyArray<Country | undefined> = [undefined],
		whose: T = true as T,
	): 'number' | 'address' | undefined {
		const readings = readingsOf(value, countries);
		for (const reading of readings) {
			const key = keyOf(reading);
			const before = this.kept.get(key);
			if (before) before.push({ ...reading, whose });
			else this.kept.set(key, [{ ...reading, whose }]);
		}
		return readings[0] && (readings[0].kind === 'address' ? 'address' : 'number');
	}

	/** Adds a number or an email address that hides a part: whoever it fits may be meant. */
	addMasked(text: string, says = text): void {
		this.masked.push({ says, fits: likenessOf(text) });
	}

	has(value: unknown, country?: Country): boolean {
		return this.find(value, country) !== undefined;
	}

	/** Whose a number or an email address is, in any of its readings. */
	find(value: unknown, country?: Country): T | undefined {
		if (this.isEmpty) return undefined;
		for (const reading of readingsOf(value, [country])) {
			const found = this.kept.get(keyOf(reading))?.find((one) => mayMeet(one, reading));
			if (found) return found.whose;
		}
		return undefined;
	}

	/** The masked text that may stand for a number or an email address. */
	findMasked(value: unknown, country?: Country): string | undefined {
		if (this.masked.length === 0) return undefined;
		const forms = [addressOf(value) ?? '', ...readingsOf(value, [country]).map(({ form }) => form)];
		return this.masked.find(({ fits }) => forms.some(fits))?.says;
	}
}

const keyOf = ({ form, kind }: Reading): string =>
	kind === 'address' ? form : form.slice(-commonDigits);
