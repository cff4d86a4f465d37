import { type Field, isEmpty, labelOf, type Source } from './field';
import { readDeciding } from './answered';
import { reference } from './locator';
import { choice } from './scalar';
import { countryOf } from '../phone/phoneNumber';
import { isMasked } from '../people/contactPoints';
import { type Fail, quoted, refusing } from '../text/text';

const ways = {
	phoneNumber: { key: 'phone_number', label: 'Phone Number' },
	email: { key: 'email', label: 'Email Address' },
};

const contact = reference('searchContacts');

/** What a contact is reached by, as the platform shows it now. @throws Needed, InvalidValue */
function ofContact(by: keyof typeof ways, direct: Field<string>, source: Source) {
	const { key, label } = ways[by];
	const uuid = readDeciding(contact, source, 'contact', 'Contact') as string;
	const { record, why } = source.contactOf(uuid);
	const refuse: Fail = refusing(labelOf(source, 'Contact'));
	if (!record) return refuse(`${uuid} could not be read: ${why}`);
	const value = record[key];
	const instead = `or choose '${label}' in 'Reach By' and enter it`;
	const what = label.toLowerCase();
	if (isEmpty(value))
		refuse(`${uuid} shows no ${what}. Add it to the contact if it has none, ${instead}`);
	if (isMasked(String(value)))
		refuse(
			`${uuid} shows its ${what} masked: ${quoted(value)}. Use a token that may see it, ${instead}`,
		);
	const inside: Source = {
		...source,
		above: [...source.above, 'Contact'],
		defaultCountry: countryOf(record.country_code) ?? source.defaultCountry,
		get: () => value,
	};
	return direct.read(inside, key, label);
}

/** A phone number or an email address that is filled in, or that of a contact of the workspace. */
export const recipient = (by: keyof typeof ways, direct: Field<string>): Field<string> => {
	const { label } = ways[by];
	const how = choice(
		[
			{ name: label, value: by },
			{ name: 'Contact', value: 'contact' },
		],
		"'Contact' reaches only contacts of the workspace",
		{ default: by },
	);
	const only = (value: string, shown: ReturnType<Field<string>['show']>) =>
		shown.map((one) => ({ ...one, displayOptions: { show: { reachBy: [value] } } }));
	return {
		...direct,
		show: (name, displayName) => [
			...how.show('reachBy', 'Reach By'),
			...only(by, direct.show(name, displayName)),
			...only('contact', contact.show('contact', 'Contact')),
		],
		read: (source, name, displayName) =>
			readDeciding(how, source, 'reachBy', 'Reach By') === 'contact'
				? ofContact(by, direct, source)
				: direct.read(source, name, displayName),
	};
};
