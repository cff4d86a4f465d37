import { email, json, phone, spread, text, zone } from '../engine/fields';
import type { Schema, Shape } from '../engine/operation';

/** Fields of a contact that a listing takes (reference: listings); further keys of the JSON are custom fields. */
const about = {
	name: text({ placeholder: 'e.g. Anna' }),
	surname: text({ placeholder: 'e.g. Demir' }),
	email: email(),
	timezone: zone(),
	country_code: text('Two-letter country code', { placeholder: 'e.g. TR' }),
	primary_language: text('Two-letter language code', { placeholder: 'e.g. tr' }),
	preferred_contact_time: text({ samples: ['morning'] }),
	preferred_contact_channel: text({ samples: ['whatsapp'] }),
};

/** A contact in a row that a person fills in. */
export const contactRow: Shape<Schema<'ListingContact'>> = {
	phone_number: phone(),
	...about,
	customFields: spread(
		json('Values of custom contact fields by key', {
			placeholder: 'e.g. {"company": "Example Ltd"}',
		}),
	),
};

/** A contact made from an input item: items with the same phone number are the same contact. */
export const contactOfItem: Shape<Schema<'ListingContact'>> = {
	phone_number: phone({ required: true }),
	...about,
};

/** The platform finds a contact by phone number, then by email address (reference: listings), so it needs either. */
export function unreachable(contacts: unknown): string | undefined {
	const at = Array.isArray(contacts)
		? contacts.findIndex(
				({ phone_number: number, email: address }: Record<string, unknown>) => !number && !address,
			)
		: -1;
	return at < 0
		? undefined
		: `'Contacts ${at + 1}' has neither a phone number nor an email address. Enter one of them`;
}
