import { pickBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { ContactPoints } from '../engine/people/contactPoints';
import { knownOf } from '../engine/people/known';
import { likenessOf } from '../engine/people/masked';
import { quoted } from '../engine/text/text';

/** Fields for the person's own number. One with another word in its name may hold that of an office or a manager. */
const ownNumbers =
	/^(?:(?:mobile|cell|whatsapp|contact)?_?(?:phone|number)s?|phone_?numbers?|mobile|telephone|msisdn|wa_id)$/i;

/** Of a contact, which numbers it may have although its phone number does not prove it. */
interface Likeness {
	/** Numbers, in their normal form, and why. */
	mayBe: Array<[digits: string, why: string]>;
	/** False if what it shows cannot be compared; undefined if it shows nothing. */
	compared: boolean | undefined;
}

/**
 * For finding a contact by its number.
 * @param wanted numbers, in their normal form
 * @param countries possible countries of numbers without a country code
 */
export function likeNumbers(
	wanted: string[],
	countries: ReadonlyArray<string | undefined>,
): (record: IDataObject) => Likeness {
	const kept = new ContactPoints<string>();
	for (const digits of wanted) kept.add(`+${digits}`, [undefined], digits);
	return (record) => {
		const own = pickBy(record, (_, name) => ownNumbers.test(name));
		const { addresses, unread } = knownOf(own, countries);
		const mayBe = new Map<string, string>();
		for (const address of addresses)
			for (const country of countries) {
				const digits = kept.find(address, country);
				if (digits !== undefined) mayBe.set(digits, address);
			}
		for (const text of unread) {
			const isLike = likenessOf(text);
			for (const digits of wanted) if (isLike(`+${digits}`)) mayBe.set(digits, text);
		}
		const number = record.phone_number;
		const isRead = addresses.length + unread.length > 0 || number === null || number === '';
		return {
			mayBe: [...mayBe].map(([digits, text]) => [
				digits,
				`Contact ${String(record.uuid)} shows ${quoted(text)}, which may be this number. Correct that contact, or ` +
					"choose 'Default Country' under Options if it lacks the country code.",
			]),
			compared: isRead ? true : number === undefined ? undefined : false,
		};
	};
}
