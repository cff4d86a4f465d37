import type { IDataObject } from 'n8n-workflow';
import { uniq, pickBy } from 'lodash';
import { choice, text } from '../engine/fields';
import { type Field, isEmpty } from '../engine/fields/field';
import { matchFirst, perPage, read } from '../engine/operation';
import { numberSearch, searchDigits } from '../engine/phone/numberSearch';
import {
	addressOf,
	normalForm,
	isMasked,
	likenessOf,
	ContactPoints,
} from '../engine/people/contactPoints';
import { quoted } from '../engine/text/text';
import type { Look, MatchFirst } from '../engine/operation/operation';
import { knownOf } from '../engine/people/known';

/** Fields for the person's own number. One with another word in its name may hold that of an office or a manager. */
const ownNumbers =
	/^(?:(?:mobile|cell|whatsapp|contact)?_?(?:phone|number)s?|phone_?numbers?|mobile|telephone|msisdn|wa_id)$/i;

/** @param wanted numbers, in their normal form @param countries possible countries of numbers without a country code */
function likeNumbers(wanted: string[], countries: ReadonlyArray<string | undefined>) {
	const kept = new ContactPoints<string>();
	for (const digits of wanted) kept.add(`+${digits}`, [undefined], digits);
	return (record: IDataObject) => {
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
			mayBe: [...mayBe].map(([digits, text]): [digits: string, why: string] => [
				digits,
				`Contact ${String(record.uuid)} shows ${quoted(text)}, which may be this number. Correct that contact, or ` +
					"choose 'Default Country' under Options if it lacks the country code.",
			]),
			// False if what it shows cannot be compared; undefined if it shows nothing.
			compared: isRead ? true : number === undefined ? undefined : false,
		};
	};
}

const byNumber = 'phone_number';
const byCustomField = 'customField';

const matchByChoice = choice(
	[
		{ name: 'Phone Number', value: byNumber },
		{ name: 'Email', value: 'email' },
		{ name: 'Custom Field', value: byCustomField },
	],
	'How to find an existing contact',
	{ displayName: 'Match By', top: true, default: byNumber },
);

/** What a contact is matched by. It is not sent: the request holds the value under its own name. */
export const matchBy: Field<string> = {
	...matchByChoice,
	spread: true,
	read: (source, name, displayName) => {
		const by = matchByChoice.read(source, name, displayName) ?? byNumber;
		const key = by === byCustomField ? source.get('matchField') : by;
		source.report({ matching: isEmpty(key) ? [] : [String(key).trim()] });
		return undefined;
	},
};

const matchFieldText = text(
	"The field's key, as 'Contact Field: Get Many' shows it. Enter its value under 'Custom Fields'.",
	{
		required: true,
		displayName: 'Custom Field Key',
		placeholder: 'e.g. customer_number',
		showWhen: { matchBy: [byCustomField] },
		decides: true,
	},
);

export const matchField: Field<string> = {
	...matchFieldText,
	spread: true,
	read: (...given) => {
		matchFieldText.read(...given);
		return undefined;
	},
};

const columnOf = ([column = byNumber]: string[]): string => column;

/** How the keys begin that are not digits of a number. */
const textMark = 'text ';

/** A value as contacts are matched by it: email addresses in small letters, other texts as they are. */
const formOf = (value: unknown): string | undefined => {
	const written =
		typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	return written === '' ? undefined : `${textMark}${addressOf(written) ?? written}`;
};

/** What a contact is found by. @param column `phone_number`, or a field that is compared as text */
export const keyOf = (column: string, value: unknown): string | undefined =>
	column === byNumber ? normalForm(value) : formOf(value);

/** Reads what contacts can be found by: as it is, or as what may be it because it is masked or lacks its country. */
export function contactReader({
	keys: wanted,
	countries,
	matching,
}: Pick<Look, 'keys' | 'countries' | 'matching'>) {
	const likeness = likeNumbers(wanted, countries);
	return (row: IDataObject) => {
		const { phone_number: number, uuid } = row;
		const known = { id: String(uuid ?? ''), row, values: {} };
		const column = columnOf(matching);
		if (column !== byNumber) {
			const form = formOf(row[column]);
			const shown = form?.slice(textMark.length) ?? '';
			const isLike = isMasked(shown) ? likenessOf(shown) : () => false;
			const alike = wanted.filter((key) => isLike(key.slice(textMark.length)));
			const why = `Contact ${String(uuid)} shows ${quoted(shown)}, which may be this one. Correct that contact.`;
			const mayBe = alike.map((key): [string, string] => [key, why]);
			const compared = row[column] === undefined ? undefined : true;
			return { ...known, keys: form ? [form] : [], mayBe, compared };
		}
		const keys = uniq([undefined, ...countries].map((country) => normalForm(number, country)));
		const { mayBe, compared } = likeness(row);
		const others = mayBe.filter(([key]) => !keys.includes(key));
		return { ...known, keys, mayBe: others, compared };
	};
}

/** What the search looks in and how it compares is not shown, so what comes back is looked at. */
export const byDigits: NonNullable<ReturnType<NonNullable<MatchFirst['search']>>> = {
	guess: (digits) => ({ search: searchDigits(`+${digits}`) }),
	...numberSearch,
};

const how: Omit<MatchFirst, 'by'> = {
	in: read('GET /contacts'),
	pageSize: perPage,
	what: 'contacts',
	// Without the plus, because stored numbers may lack it.
	key: (body, matching) => keyOf(columnOf(matching), body[columnOf(matching)]),
	says: (body, matching) => {
		const column = columnOf(matching);
		const value = body[column];
		return column === byNumber
			? `the phone number ${String(value)}`
			: `${quoted(column)} ${quoted(value)}`;
	},
	keeps: (look) => {
		const readContact = contactReader(look);
		const wanted = new Set(look.keys);
		return (row) => {
			const { keys, mayBe, compared } = readContact(row);
			return compared !== true || mayBe.length > 0 || keys.some((key) => wanted.has(key));
		};
	},
	records: (kept, look, rows) => {
		const records = kept.map(contactReader(look));
		const unread = records.filter(({ compared }) => compared !== true).length;
		const silent = records.filter(({ compared }) => compared === undefined).length;
		const isSilent = columnOf(look.matching) === byNumber ? rows > 0 && silent >= rows : silent > 0;
		return {
			records,
			...(isSilent && { unclear: 'The list of contacts does not show the field to compare.' }),
			...(unread > 0 && {
				hint:
					`${unread} of ${rows} contacts could not be compared, because they show no phone number that can be ` +
					'read. What was created may exist among them.',
			}),
		};
	},
	search: (matching) => (columnOf(matching) === byNumber ? byDigits : undefined),
};

export const matchContact = matchFirst(how);

/** The same; the contact that is found gets the values of the request (reference: contacts). */
export const updateContact = matchFirst({
	...how,
	update: { endpoint: 'PUT /contacts/{uuid}', id: 'uuid', sent: (body) => body },
});
