/** Who is reached and who is not, where something could be taken for an answer that is none. */
import type { INodeParameters } from 'n8n-workflow';
import { usePlatform } from './harness/index.cts';
import {
	agentOf,
	byId as by,
	failure,
	fast,
	hintsOf,
	sms,
	taskFor,
	ok,
	mapped,
	keptAndSkipped,
} from './guarantees/scene.cts';

const { sandbox, engine, run } = usePlatform({ settings: fast, speed: 10 });
const [anna, ben, carl] = ['+4915112345611', '+493090182001', '+14155550103'] as const;

const send = async (phones: string[], options: INodeParameters, more: object = {}) =>
	await run('acpMessages', sms(await agentOf(sandbox), options), {
		items: phones.map((phone) => ({ phone, text: phone })),
		...more,
	});
const reached = async () =>
	(await sandbox.ledger({ path: '/sms/send' })).map(({ body }) => body.message).sort();
const listOf = (rows: object[]) => `={{ ${JSON.stringify(rows)} }}`;
/** A contact whose number is stored as somebody wrote it: not every way into a workspace asks for a format. */
const contactOf = async (stored: string, change: object = {}): Promise<string> => {
	const { data } = await sandbox.api.post('/contacts', { phone_number: '+14155550199' });
	await sandbox.change('contacts', data.data.uuid, { phone_number: stored, ...change });
	return data.data.uuid;
};
const blacklist = async (stored: string): Promise<string> => {
	const uuid = await contactOf(stored);
	await sandbox.api.post(`/contacts/${uuid}/blacklist`, { reason: 'said no' });
	return uuid;
};
const manyContacts = async (count: number) =>
	await sandbox.addMany('contacts', count, (index) => ({
		name: '',
		surname: '',
		email: '',
		phone_number: `+1212555${1000 + index}`,
		status: 'Active',
		custom: {},
	}));
const task = async (contact: string, options: INodeParameters) =>
	await run('acpOutreach', taskFor(await agentOf(sandbox), contact, options));
const mail = async (to: string, list: object[]) =>
	await run('acpMessages email.send', { to, options: { skipNumbers: listOf(list) } });
const tasks = async () => await sandbox.ledger({ path: '/tasks', method: 'POST' });

describe('Evidence: another column of a list is taken for the numbers of people who said no', () => {
	test.each<[string, object]>([
		['an email column beside a number', { Name: 'A', Email: 'a@b.co', Number: anna }],
		['a contact beside an email', { contact: anna, email: 'a@b.co' }],
		['a heading with "cell" inside another word', { Number: anna, 'Cancelled at': '2026-01-15' }],
		['a date of an opt-out', { Number: anna, 'Phone opt-out date': '2026-01-15' }],
		['a heading that nobody knows', { Wer: anna, Wann: 45306 }],
		['a number of a customer', { Kundennummer: 10023456, Telefon: anna }],
	])('%s: who stands there is not reached, and the hint names the column', async (_, row) => {
		const result = ok(await send([anna, ben], { skipNumbers: listOf([row]) }));
		expect(await reached()).toEqual([ben]);
		expect(hintsOf(result)).toMatch(
			/'Skip Numbers' read 1 row, column .*"(?:Number|Rufnummer|contact|Wer|Telefon)" \(1 number\)/,
		);
	});

	test.each<[string, object[]]>([
		['a row with an email alone', [{ Email: 'a@b.co' }]],
		['a row with a date alone', [{ 'Phone opt-out date': '2026-01-15' }]],
		['a row with a customer number alone', [{ 'Customer number': 10023456, Email: 'a@b.co' }]],
		['a good row before one without a number', [{ Phone: anna }, { Phone: 'n/a', Name: 'Ben' }]],
		['a number that lost digits', [{ Phone: '4.91511E+12', Name: 'Ben' }]],
		['addresses without rows', ['a@b.co', 'c@d.co'] as never],
	])('%s: nobody is reached, and the row is named', async (_, rows) => {
		const result = await send([anna, ben], { skipNumbers: listOf(rows) });
		expect(failure(result)).toMatch(
			/'Skip Numbers' contains .*could be reached, so nothing is sent/,
		);
		expect(await reached()).toEqual([]);
	});
});

describe('Evidence: a second number in a row is taken for none', () => {
	test.each<[string, object]>([
		['a WhatsApp ID, which is the number', { wa_id: '4915112345611' }],
		['an address of WhatsApp', { jid: '4915112345611@c.us' }],
		['a link', { chat: 'https://wa.me/4915112345611' }],
		['a link in a column of telephones', { WhatsApp: 'https://wa.me/4915112345611?text=Hi' }],
		['markup', { note: '<b>+4915112345611</b>' }],
		['JSON', { raw: '{"phone":"+4915112345611"}' }],
		['words', { notes: 'also 0151 12345611' }],
		['a tab between two', { phone: `${ben}\t${anna}` }],
		['a count behind it', { mobile: '+49 151 12345611 (2)' }],
	])('%s: who stands there is not reached', async (_, more) => {
		const result = ok(await send([anna, carl], { skipNumbers: listOf([{ phone: ben, ...more }]) }));
		expect(result.json('Node', 1)[0]).toMatchObject({ reason: 'skip_numbers' });
		expect(await reached()).toEqual([carl]);
	});

	test.each<[string, object]>([
		['words without digits', { mobile: 'see notes' }],
		[
			'a time, an order and an ID',
			{ notes: 'on 2026-01-15 10:00, order 4711', id: '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35' },
		],
	])('%s beside the number are none: the others are reached', async (_, more) => {
		await send([anna, ben], { skipNumbers: listOf([{ phone: ben, ...more }]) });
		expect(await reached()).toEqual([anna]);
	});

	test('a number that looks like a date, in a column of telephones: who stands there is not reached', async () => {
		const list = listOf([{ phone: '20121224', mobile: '+4520999999' }]);
		const result = await send(['+4520121224'], { defaultCountry: 'DK', skipNumbers: list });
		expect(ok(result).json('Node', 1)).toMatchObject([{ reason: 'skip_numbers' }]);
		expect(await reached()).toEqual([]);
	});

	test('a row with a number among words alone cannot be compared: nobody is reached', async () => {
		const rows = [{ phone: ben }, { notes: 'rang from 0151 12345611' }];
		const result = await send([carl], { skipNumbers: listOf(rows) });
		expect(failure(result)).toContain('contains a row without a phone number');
		expect(await reached()).toEqual([]);
	});
});

describe('Evidence: an empty list is taken for a list that was read', () => {
	test.each<[string, unknown]>([
		['no entries', []],
		['an empty line of a sheet', [{ row_number: 2, Phone: '' }]],
	])('%s: everybody is reached, and the hint says that nobody is skipped', async (_, list) => {
		const result = await send([anna], { skipNumbers: listOf(list as object[]) });
		expect(hintsOf(result)).toContain("'Skip Numbers' read 0 entries, so it skips nobody.");
		expect(await reached()).toEqual([anna]);
	});
});

describe('Evidence: another spelling is taken for another person', () => {
	// Phone numbers in all spellings: optOuts.fuzz.
	test('a contact that is stored without plus: no task is created', async () => {
		const result = await task(await contactOf(anna.slice(1)), { skipNumbers: anna });
		expect(result.json('Node', 1)[0]).toMatchObject({ reason: 'skip_numbers' });
		expect(await tasks()).toEqual([]);
	});

	test.each<[string, string, string]>([
		['quotes', 'anna@example.com', '"Anna@example.com"'],
		['a link with a subject', 'anna@example.com', 'mailto:anna@example.com?subject=Stop'],
		['a plus on the list', 'anna@example.com', 'anna+news@example.com'],
		['a plus in the item', 'anna+shop@example.com', 'anna@example.com'],
	])('an email address, %s: nobody is reached', async (_, to, Email) => {
		const result = await mail(to, [{ Email }]);
		expect(result.json('Node', 1)[0]).toMatchObject({ reason: 'skip_numbers', email: to });
		expect(await sandbox.ledger({ path: '/email/messages' })).toEqual([]);
	});

	test('a broken address beside a good one: nobody is reached, and it is named', async () => {
		const result = await mail('anna@example.com', [
			{ Email: 'ben@example.com, anna @example.com' },
		]);
		expect(failure(result)).toMatch(/contains "anna @example.com" in the column "Email"/);
		expect(await sandbox.ledger({ path: '/email/messages' })).toEqual([]);
	});

	test.each<[string, object]>([
		['a space between them', { Phone: `${ben} ${anna}` }],
		['a column that nobody knows', { Wer: `${ben} ${anna}`, Phone: carl }],
	])('two numbers in one cell, %s: neither is reached', async (_, row) => {
		const result = await send([anna, ben], { skipNumbers: listOf([row]) });
		expect(result.json('Node', 1).map(({ reason }) => reason)).toEqual([
			'skip_numbers',
			'skip_numbers',
		]);
		expect(await reached()).toEqual([]);
	});

	test('a number in a column that nobody knows is damaged: nobody is reached, and it is named', async () => {
		const rows = [{ Wer: `${anna} or ring twice`, Phone: carl }];
		const result = await send([anna], { skipNumbers: listOf(rows) });
		expect(failure(result)).toContain('in the column "Wer", which is not a phone number');
		expect(await reached()).toEqual([]);
	});

	test.each(['n/a', '0151 (new)', '12'])(
		'a contact whose number is %s: no task',
		async (stored) => {
			const contact = await contactOf(stored);
			const result = await task(contact, { skipNumbers: anna });
			expect(failure(result)).toContain(
				`contact ${contact} cannot be compared with 'Skip Numbers'`,
			);
			expect(await tasks()).toEqual([]);
		},
	);

	test('the zero after the country code: Same Number Twice sees one number', async () => {
		await send([anna, '+49015112345611'], { sameNumberTwice: 'first' });
		expect(await reached()).toEqual([anna]);
	});

	test.each([
		['in two spellings', '0049 151 123456 11'],
		['without its country code', '0151 12345611'],
	])(
		'two contacts with one number, %s: Only the First makes one task, Stop none',
		async (_, stored) => {
			const items = [{ uuid: await contactOf(anna) }, { uuid: await contactOf(stored) }];
			const both = async (sameNumberTwice: string) =>
				await run(
					'acpOutreach',
					{
						...taskFor(await agentOf(sandbox), '', { sameNumberTwice }),
						additionalFields: { contact: by('={{ $json.uuid }}') },
					},
					{ items },
				);
			expect(failure(await both('stop'))).toContain('have the same number');
			expect(await tasks()).toEqual([]);
			const result = await both('first');
			expect(result.json('Node', 1)).toMatchObject([{ reason: 'same_number' }]);
			expect(await tasks()).toHaveLength(1);
		},
	);

	test('an address on the list beside a row with number and address: the row is left out', async () => {
		ok(
			await run('acpOutreach listing.create', {
				name: 'L',
				contacts: {
					values: [{ phoneNumber: ben, email: 'ben@example.com' }, { phoneNumber: carl }],
				},
				options: { skipNumbers: `Ben@Example.com, ${anna}` },
			}),
		);
		const [sent] = await sandbox.ledger({ path: '/listings', method: 'POST' });
		expect(sent!.body.contacts).toEqual([{ phone_number: carl }]);
	});
});

describe('Evidence: a search that finds nothing is taken for "not blacklisted"', () => {
	// First, because an engine remembers that a workspace has shown one.
	test('a list that hides them: the hint says that it is unconfirmed', async () => {
		await sandbox.reset();
		engine.credentials = { acpApi: sandbox.credential() };
		await blacklist(anna);
		await sandbox.settings({ ...fast, manners: { blacklistShown: 'hidden' } });
		const result = await send([ben], { skipBlacklistedContacts: true });
		expect(hintsOf(result)).toContain('it is unconfirmed whether the platform shows them');
		expect(await reached()).toEqual([ben]);
	});

	test.each<[string, string, object]>([
		['spaces in the stored number', '+49 151 123 456 11', {}],
		['a stored number without country code', '0151 12345611', {}],
		['a search that compares beginnings', anna, { contactSearch: 'prefix' }],
		['a search that compares whole texts', anna, { contactSearch: 'exact' }],
		['a proven search', '+49 151 123 456 11', { contactSearch: 'digits' }],
		['a status that stays Active beside the entry', anna, { blacklistShown: 'beside-active' }],
	])('%s, 300 contacts: the contact is not reached', async (_, stored, manners) => {
		await contactOf('+90 555 000 00 01');
		await manyContacts(300);
		await blacklist(stored);
		await sandbox.settings({ manners });
		const result = await send([anna, ben], { skipBlacklistedContacts: true, defaultCountry: 'DE' });
		expect(result.json('Node', 1)[0]).toMatchObject({ reason: 'blacklisted' });
		expect(await reached()).toEqual([ben]);
	});

	test.each<[string, string, number]>([
		['', 'Joe', 4],
		['; one that then shows somebody else: all', 'Room 15112', 13],
	])(
		'a search that proves itself on a contact that was seen: fewer reads%s',
		async (_, name, reads) => {
			await contactOf('+90 555 000 00 01', { name, surname: '345611' });
			await manyContacts(900);
			await blacklist('+49 151 123 456 11');
			await sandbox.settings({ manners: { contactSearch: 'digits' } });
			await sandbox.clearLedger();
			await send([anna, ben], { skipBlacklistedContacts: true });
			expect(await reached()).toEqual([ben]);
			expect(await sandbox.ledger({ path: '/contacts' })).toHaveLength(reads);
		},
	);

	test.each<[string, object]>([
		// Thirty with each page come in faster than a few readings can follow: then it is unknown, as below.
		['ten new contacts with each page come in at the top', { add: 10 }],
		['new contacts come in at the end', { add: 30, at: 'end' }],
		['contacts are deleted', { remove: 5 }],
		['contacts are added and deleted', { add: 3, remove: 2 }],
		['contacts go to the top when something happens', { turn: 5 }],
	])(
		'%s while the list is read: all were seen, so only who is blacklisted is left out',
		async (_, move) => {
			await manyContacts(150);
			await blacklist(anna);
			await manyContacts(150);
			await sandbox.settings({ movingLists: { '/contacts': move } });
			const result = ok(await send([anna, ben], { skipBlacklistedContacts: true }));
			expect(result.json('Node', 1)[0]).toMatchObject({ reason: 'blacklisted' });
			expect(await reached()).toEqual([ben]);
		},
	);

	test('some are missing from every reading: who was seen is sent or left out, only the others are refused', async () => {
		await manyContacts(150);
		await blacklist(anna);
		await contactOf(ben);
		await manyContacts(150);
		// So many that Carl alone, who is no contact, stays unknown; with 110 the page with Ben is never read either.
		await sandbox.settings({ movingLists: { '/contacts': { turn: 115 } } });
		await sandbox.clearLedger();
		const options = { skipBlacklistedContacts: true };
		const result = await send([anna, ben, carl], options, { onError: 'continueRegularOutput' });
		expect(keptAndSkipped(result).map(({ reason, error }) => reason ?? error ?? 'sent')).toEqual([
			'blacklisted',
			'sent',
			expect.stringMatching(`^It is unknown whether \\${carl} is blacklisted: .* kept changing`),
		]);
		expect(await reached()).toEqual([ben]);
		const stopped = await send([anna, ben, carl], options);
		expect(failure(stopped)).toContain('It is unknown whether');
	});

	test('some are missing, and a list of people goes in one request: nothing is sent', async () => {
		await manyContacts(300);
		await sandbox.settings({ movingLists: { '/contacts': { turn: 110 } } });
		await sandbox.clearLedger();
		const result = await run('acpOutreach listing.create', {
			name: 'L',
			contacts: { values: [{ phoneNumber: ben }, { phoneNumber: carl }] },
			options: { skipBlacklistedContacts: true },
		});
		expect(failure(result)).toContain(`${ben} is blacklisted, and 1 more in the same request`);
		expect(await sandbox.ledger({ path: '/listings', method: 'POST' })).toEqual([]);
	});

	test.each<[string, string, object]>([
		['two numbers in the field', '+49 151 12345611 / +49 30 123456', {}],
		['an extension', '+49 151 12345611 ext 3', {}],
		['a second number beside it', '+4930123456', { phone_numbers: ['+4930123456', anna] }],
		['a second number with a name', '+4930123456', { phones: [{ type: 'mobile', number: anna }] }],
		['the number in another field', '', { mobile: anna }],
		[
			'a list of entries',
			anna,
			{ status: 'Active', blacklist: [{ type: 'both', is_permanent: true }] },
		],
		['a flag', anna, { status: 'Active', is_blacklisted: true }],
	])('%s: the blacklisted contact is not reached', async (_, stored, change) => {
		await contactOf(stored, { status: 'Blacklisted', ...change });
		const result = await send([anna, ben], { skipBlacklistedContacts: true });
		expect(result.json('Node', 1)[0]).toMatchObject({ reason: 'blacklisted' });
		expect(await reached()).toEqual([ben]);
	});

	test.each<[string, string, object]>([
		['hidden digits', '+49151*****11', {}],
		['hidden digits of a number without country code', '0151 XXXX 5611', {}],
		['digits that a sheet cut', '4.91511E+12', {}],
	])(
		'%s in a blacklisted contact: whoever it could be is refused, the others are sent',
		async (_, stored, change) => {
			const uuid = await contactOf(stored, { status: 'Blacklisted', ...change });
			const result = await send(
				[anna, ben],
				{ skipBlacklistedContacts: true },
				{ onError: 'continueRegularOutput' },
			);
			expect(result.json()[0].error).toContain(
				`It is unknown whether ${anna} is blacklisted: the blacklisted contact ${uuid} has "${stored}"`,
			);
			expect(await reached()).toEqual([ben]);
		},
	);

	// interface: §2.1 rule 4
	test.each(['', 'T00:00:00Z'])(
		'an entry until today%s: the day has not ended everywhere',
		async (midnight) => {
			const today = new Date().toISOString().slice(0, 10);
			const entry = { type: 'Both', is_permanent: false, expires_at: `${today}${midnight}` };
			await contactOf(anna, { blacklist: entry, status: 'Active' });
			await send([anna, ben], { skipBlacklistedContacts: true });
			expect(await reached()).toEqual([ben]);
		},
	);

	test('a date of an entry beside the status Active: nothing is sent', async () => {
		await contactOf(anna, { blacklisted_at: '2026-01-01T00:00:00Z' });
		const result = await send([anna, ben], { skipBlacklistedContacts: true });
		expect(failure(result)).toContain(`does not show whether the contact with ${anna}`);
		expect(await reached()).toEqual([]);
	});

	test('the manager of a blacklisted contact, and one who is no longer blacklisted: both are reached', async () => {
		await contactOf('+905550000001', { status: 'Blacklisted', manager: { phone_number: anna } });
		const over = { type: 'Both', is_permanent: false, expires_at: '2020-01-01' };
		await contactOf(ben, { blacklist: [over], is_blacklisted: false, blacklisted_at: null });
		await send([anna, ben], { skipBlacklistedContacts: true });
		expect(await reached()).toEqual([ben, anna].sort());
	});

	test('a state that nobody knows: nothing is sent', async () => {
		await sandbox.change('contacts', await contactOf(anna), { status: 'Do Not Call' });
		const result = await send([anna, ben], { skipBlacklistedContacts: true });
		expect(failure(result)).toContain(`does not show whether the contact with ${anna}`);
		expect(await reached()).toEqual([]);
	});

	test('rows that do not say who is blacklisted: nothing is sent', async () => {
		await blacklist(anna);
		await sandbox.settings({ manners: { blacklistShown: 'untold' } });
		const result = await send([anna, ben], { skipBlacklistedContacts: true });
		expect(failure(result)).toContain('does not show whether the contact with');
		expect(await reached()).toEqual([]);
	});
});

describe('Evidence: a copy of an email is taken for nobody', () => {
	const write = async (body: object, options: INodeParameters) =>
		await run('acpMessages email.send', {
			to: 'ben@example.com',
			bodyJson: JSON.stringify({ subject: 'x', ...body }),
			options,
		});
	const written = async () => await sandbox.ledger({ path: '/email/messages' });

	test.each<[string, object]>([
		['cc', { cc: ['anna@example.com'] }],
		['bcc, in one text', { bcc: 'carl@example.com; Anna <anna@example.com>' }],
		['recipients with names', { more: { recipients: [{ name: 'A', email: 'ANNA@example.com' }] } }],
	])('%s: the email is not sent, and it says because of whom', async (_, body) => {
		const result = await write(body, { skipNumbers: 'anna@example.com' });
		expect(result.json('Node', 1)).toEqual([
			expect.objectContaining({
				reason: 'skip_numbers',
				message: expect.stringMatching(
					/^Skipped: .*anna@example\.com>? is on your 'Skip Numbers' list$/i,
				),
			}),
		]);
		expect(await written()).toEqual([]);
	});

	test('a blacklisted contact gets a copy: the email is not sent', async () => {
		await contactOf(anna, { status: 'Blacklisted', email: 'anna@example.com' });
		const result = await write({ cc: ['anna@example.com'] }, { skipBlacklistedContacts: true });
		expect(result.json('Node', 1)[0]).toMatchObject({ reason: 'blacklisted' });
		expect(await written()).toEqual([]);
	});

	test('who gets a copy cannot be read: the email is not sent', async () => {
		const result = await write({ cc: 'list-17' }, { skipNumbers: 'anna@example.com' });
		expect(failure(result)).toContain(`"list-17" in 'Body (JSON)' cannot be compared`);
		expect(await written()).toEqual([]);
	});

	test('the sender is on the list, or an address stands in the text: the email is sent', async () => {
		const body = {
			from: 'anna@example.com',
			reply_to: 'anna@example.com',
			text: 'Write to anna@example.com',
		};
		await write(body, { skipNumbers: 'anna@example.com' });
		expect(await written()).toHaveLength(1);
	});
});

describe('Evidence: a search that finds nothing is taken for "no such contact"', () => {
	test.each<[string, string, object]>([
		['spaces in the stored number', '+49 151 123 456 11', {}],
		['a stored number without country code', '0151 12345611', {}],
		['a stored number with 00', '004915112345611', { contactSearch: 'exact' }],
		['a search that compares beginnings', '0049 151 12345611', { contactSearch: 'prefix' }],
		['a proven search', '+49 (0) 151 12345611', { contactSearch: 'digits' }],
	])('%s, 150 contacts: it is found and not created again', async (_, stored, manners) => {
		await contactOf('+90 555 000 00 01');
		await manyContacts(150);
		const uuid = await contactOf(stored);
		await sandbox.settings({ manners });
		await sandbox.clearLedger();
		const result = await run('acpContacts contact.findOrCreate', {
			phoneNumber: anna,
			options: { defaultCountry: 'DE' },
		});
		expect(result.json()[0]).toMatchObject({ uuid, created: false });
		expect(await sandbox.created('/contacts')).toEqual([]);
	});
});

describe('Evidence: a contact whose number cannot be read is taken for "no such contact"', () => {
	const find = async (phoneNumber: string = anna) =>
		await run('acpContacts contact.findOrCreate', { phoneNumber });
	const made = async () =>
		(await sandbox.created('/contacts')).filter(({ body }) => body.phone_number === anna);

	test.each<[string, string, object]>([
		['a national number, without Default Country', '0151 12345611', {}],
		['two numbers in the field', '+49 151 12345611 / +49 30 123456', {}],
		['an extension', '+49 151 12345611 ext 2', {}],
		['hidden digits', '+49*******611', {}],
	])('%s: none is created, and the contact is named', async (_, stored, more) => {
		const uuid = await contactOf(stored, more);
		for (const settings of [{}, { ignoredQuery: ['search'] }]) {
			await sandbox.settings(settings);
			const said = failure(await find());
			expect(said).toContain('It is not known whether the record exists already');
			expect(said).toContain(`Contact ${uuid} shows "`);
		}
		expect(await made()).toEqual([]);
	});

	test('a list that shows no numbers: none is created', async () => {
		const rows = { success: true, data: [{ uuid: 'a', name: 'Anna' }] };
		await sandbox.strike('GET ^/contacts$', { status: 200, body: rows });
		expect(failure(await find())).toContain('does not show the field to compare');
		expect(await made()).toEqual([]);
	});

	test('two contacts have the number: neither is returned, and both are named', async () => {
		const both = [await contactOf(anna, { status: 'Blacklisted' }), await contactOf(anna)];
		const said = failure(await find());
		expect(said).toContain('2 contacts have the phone number');
		for (const uuid of both) expect(said).toContain(uuid);
	});

	test('other numbers, an office, a number that was never finished: it is created, and a hint counts the last', async () => {
		await contactOf('+49*******612');
		await contactOf('+49 30 123456 / +49 30 123457');
		await contactOf('+493012345601', { office_phone: anna });
		expect(hintsOf(await find())).not.toContain('could not be compared');
		expect(await made()).toHaveLength(1);
		await contactOf('0151 (new)');
		expect(hintsOf(await find('+14155550188'))).toMatch(/1 of \d+ contacts could not be compared/);
	});
});

describe('Evidence: a row that was refused is taken for a person who is reached', () => {
	test('Only the First, and the platform refuses the first row: the next row stands in', async () => {
		const template = (await sandbox.state('whatsapp_templates'))[0];
		const result = await run(
			'acpMessages whatsapp.sendTemplate',
			{
				agent: by(await agentOf(sandbox)),
				template: '={{ $json.template }}',
				phoneNumber: anna,
				options: { sameNumberTwice: 'first' },
			},
			{
				items: [{ template: '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35' }, { template: template.uuid }],
				onError: 'continueRegularOutput',
			},
		);
		expect(result.json().map(({ errorItem, skipped }) => errorItem ?? skipped ?? 'sent')).toEqual([
			0,
			'sent',
		]);
		expect(await sandbox.created('/whatsapp/template')).toHaveLength(1);
	});
});

describe('Evidence: an item that does not come out is taken for one that was done', () => {
	const fromItems = async (
		items: object[],
		options: INodeParameters = {},
		more: INodeParameters = {},
	) =>
		await run(
			'acpOutreach listing.createFromItems',
			{ name: 'L', contacts: mapped({ phone_number: '={{ $json.phone }}' }), options, ...more },
			{ items: items as never, onError: 'continueRegularOutput' },
		);
	const items = [anna, ben, 'nobody', anna, carl].map((phone) => ({ phone }));
	const once = (result: Awaited<ReturnType<typeof fromItems>>) =>
		[0, 1].flatMap((output) => result.pairedItems('Node', output).flat()).sort();

	test.each<[string, INodeParameters, object | undefined]>([
		['done, merged, left out and refused', { skipNumbers: carl }, undefined],
		[
			'the platform refuses the list',
			{},
			{ kind: 'status', status: 422, code: 'VALIDATION_ERROR' },
		],
		['the request key cannot be used', { requestKey: '={{ [1, 2] }}' }, undefined],
		['batches', { batchSize: 1 }, undefined],
	])('%s: every item comes out once', async (_, options, fault) => {
		if (fault) await sandbox.strike('^/listings$', fault as never);
		expect(once(await fromItems(items, options))).toEqual([0, 1, 2, 3, 4]);
	});

	test('the target cannot be read: every item comes out once', async () => {
		await sandbox.settings({ manners: { unreadable: ['/listings/{uuid}'] } });
		const result = await fromItems(
			items,
			{},
			{ operation: 'addContactsFromItems', listing: by('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35') },
		);
		expect(once(result)).toEqual([0, 1, 2, 3, 4]);
	});
});
