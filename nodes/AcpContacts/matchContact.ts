import type { IDataObject } from 'n8n-workflow';
import { uniq } from 'lodash';
import { matchFirst, perPage, read } from '../engine/operation';
import type { Look } from '../engine/operation/recovery';
import { provingDigits, searchDigits, showsDigits } from '../engine/phone/numberSearch';
import { normalForm } from '../engine/people/contactPoints';
import { likeNumbers } from '../engine/people/known';

/** Reads what contacts can be found by: their number, also as people wrote it, or another that may be it. */
function contactReader({ keys: wanted, countries }: Look) {
	const likeness = likeNumbers(wanted, countries);
	return (row: IDataObject) => {
		const { phone_number: number, uuid } = row;
		const keys = uniq([undefined, ...countries].map((country) => normalForm(number, country)));
		const { mayBe, compared } = likeness(row);
		const others = mayBe.filter(([key]) => !keys.includes(key));
		return { id: String(uuid ?? ''), row, keys, mayBe: others, compared };
	};
}

/** A contact is found by its phone number. */
export const matchContact = matchFirst({
	in: read('GET /contacts'),
	pageSize: perPage,
	what: 'contacts',
	// Without the plus, because stored numbers may lack it.
	key: ({ phone_number: number }) => normalForm(number),
	says: ({ phone_number: number }) => `the phone number ${String(number)}`,
	keeps: (look) => {
		const readContact = contactReader(look);
		return (row) => {
			const { keys, mayBe, compared } = readContact(row);
			return compared !== true || mayBe.length > 0 || keys.some((key) => look.keys.includes(key));
		};
	},
	records: (kept, look, rows) => {
		const records = kept.map(contactReader(look));
		const unread = records.filter(({ compared }) => compared !== true).length;
		const isSilent =
			rows > 0 && records.filter(({ compared }) => compared === undefined).length >= rows;
		return {
			records,
			...(isSilent && { unclear: 'The list of contacts does not show what to compare.' }),
			...(unread > 0 && {
				hint:
					`${unread} of ${rows} contacts could not be compared, because they show no phone number that can be ` +
					'read. What was created may exist among them.',
			}),
		};
	},
	search: {
		// What the search looks in and how it compares is not shown, so what comes back is looked at.
		guess: (digits) => ({ search: searchDigits(`+${digits}`) }),
		fits: (row, { search }) => showsDigits(row, String(search)),
		proof: ({ phone_number: number }) => {
			const digits = provingDigits(number);
			return digits === undefined ? undefined : { search: digits };
		},
	},
});
