/** Contacts: custom fields, Find or Create, the blacklist, and what cannot be changed. */
import { cases, refusals } from './guarantees/cases.cts';
import { byId, ok, mapped } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox, run } = platform;
const some = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');
const phoneNumber = '+14155550101';

const create = (fields: object, more: object = {}) => ({
	node: 'acpContacts contact.create',
	parameters: { phoneNumber, customFields: mapped(fields), ...more },
});
/** A contact that gets a tag, named so. */
const tagged = async (name: 'id' | 'uuid') => {
	const [{ uuid: contact }] = await sandbox.state('contacts');
	const [tag] = await sandbox.state('contact_tags');
	return {
		node: 'acpContacts contact.addTag',
		parameters: { contact: byId(contact), tagId: byId(tag[name]) },
		json: [{ tags: [{ name: tag.name }] }],
		got: { 'POST .*': [{ tag_id: tag[name] }] },
	};
};
const blocked = (reason: string, more: object, sent: object) => ({
	node: 'acpContacts contact.blacklist',
	parameters: { contact: some, reason, ...more },
	fails: /not found/,
	got: { 'POST .*/blacklist': [{ reason, ...sent }] },
});

const aList = "'Custom Fields › tags' should be text, but it is a list";
const otherKey = { key: byId('order_number'), options: { bodyJson: '{"key": "other"}' } };

cases(platform, {
	'custom fields stand at the top level of the body, as texts': async () => {
		for (const key of ['order_number', 'vip'])
			await sandbox.api.post('/contacts/fields', { key, name: key });
		const email = 'ada@example.com';
		const sent = { phone_number: phoneNumber, order_number: '1001', vip: 'true', email };
		return {
			...create({ order_number: 1001, vip: true }, { additionalFields: { email } }),
			got: { 'POST /contacts': [sent] },
		};
	},
	'a custom field that is not registered is named': {
		...create({ shoe_size: '44' }),
		fails: 'shoe_size',
		there: { contacts: 25 },
	},
	'a tag: a number is sent as a number': async () => await tagged('id'),
	'a tag: an ID is sent as text': async () => await tagged('uuid'),
	'a simplified contact shows its tags, so that others can be left out': async () => {
		const { parameters, json } = await tagged('id');
		await run('acpContacts contact.addTag', parameters);
		return { node: 'acpContacts contact.get', parameters: { contact: parameters.contact }, json };
	},
	'a contact is blocked for good': blocked('Asked for it', {}, { is_permanent: true }),
	'a contact is blocked until a date': blocked(
		'On holiday',
		{ isPermanent: false, expiresAt: '2099-12-31T00:00:00' },
		{ is_permanent: false, expires_at: '2099-12-31' },
	),
	// interface: §2.11 contact field; §4.3 PUT contact field
	...refusals('acpContacts', [
		['contact.create', { customFields: mapped({ tags: ['a', 'b'] }) }, aList],
		['contact.addTag', { contact: some, tagId: '={{ "VIP" }}' }, /"VIP". It is a number, or an ID/],
		['contactField.update', otherKey, 'The key of a field cannot be changed'],
	]),
});

test.each([[true], [false]])(
	'Find or Create, found, created, found again and found after a lost answer: one shape (Simplify %s)',
	async (simplify) => {
		const [known] = await sandbox.state('contacts');
		const shapes = [];
		for (const phone of [known.phone_number, phoneNumber, phoneNumber, '+14155550102']) {
			const parameters = { phoneNumber: phone, name: 'Ada', simplify };
			const result = ok(await run('acpContacts contact.findOrCreate', parameters));
			shapes.push(Object.keys(result.json()[0]).sort().join());
			if (phone === phoneNumber)
				await sandbox.strike('POST ^/contacts$', 'reset-after', { times: 1 });
		}
		expect([shapes.length, new Set(shapes).size]).toEqual([4, 1]);
	},
);

describe('contact analyzer', () => {
	// Through an expression: what is typed in, n8n itself checks.
	const update = (id: string, updateFields: object) =>
		({ internalId: byId(`={{ "${id}" }}`), updateFields }) as never;
	const builtIn = "For a built-in contact field (b_), only 'Update Behavior' can be changed";

	cases(
		platform,
		refusals('acpContacts', [
			// interface: §2.11 analyzer prefixes
			['contactAnalyzer.update', update('order', { analysisGoals: 'x' }), /It begins with b_ for/],
			['contactAnalyzer.update', update('b_email', { analysisGoals: 'x' }), builtIn],
			['contactAnalyzer.update', update('b_email', { exampleValues: 'x' }), builtIn],
			['contactAnalyzer.update', update('p_first', { exampleValues: 'x' }), 'no example values'],
		]),
	);
});
