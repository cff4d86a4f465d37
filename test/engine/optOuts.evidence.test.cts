/** Who is reached and who is not, where something could be taken for an answer that is none. */
import type { INodeParameters } from 'n8n-workflow';
import { usePlatform } from './harness/index.cts';
import {
	agentOf,
	failure,
	fast,
	hintsOf,
	sms,
	taskFor,
	ok,
	keptAndSkipped,
} from './guarantees/scene.cts';

const { sandbox, run } = usePlatform({ settings: fast, speed: 10 });
const [anna, ben, carl] = ['+4915112345611', '+493090182001', '+14155550103'] as const;

const send = async (phones: string[], options: INodeParameters, more: object = {}) =>
	await run('acpMessages', sms(await agentOf(sandbox), options), {
		items: phones.map((phone) => ({ phone, text: phone })),
		...more,
	});
const reached = async () =>
	(await sandbox.ledger({ path: '/sms/send' })).map(({ body }) => body.message).sort();
/** As an expression; two braces that close would end it. */
const listOf = (rows: unknown[]) => `={{ ${JSON.stringify(rows).replaceAll('}}', '} }')} }}`;
/** A contact whose number is stored as somebody wrote it: not every way into a workspace asks for a format. */
const contactOf = async (stored: string, change: object = {}): Promise<string> => {
	const { data } = await sandbox.api.post('/contacts', { phone_number: '+14155550199' });
	await sandbox.change('contacts', data.data.uuid, { phone_number: stored, ...change });
	return data.data.uuid;
};
const blacklist = async (stored: string) => await contactOf(stored, { status: 'Blacklisted' });
const manyContacts = async (count: number) =>
	await sandbox.addMany('contacts', count, (index) => ({
		...{ name: '', surname: '', email: '', status: 'Active', custom: {} },
		phone_number: `+1212555${1000 + index}`,
	}));
const tasks = async () => await sandbox.ledger({ path: '/tasks', method: 'POST' });
const written = async () => await sandbox.ledger({ path: '/email/messages' });
const continued = { onError: 'continueRegularOutput' } as const;

describe('Evidence: something else in a list is taken for the numbers of people who said no', () => {
	const row = (more: object) => [{ phone: ben, ...more }];
	const noNumber = 'contains a row without a phone number';
	const beside = [{ Kundennummer: 10023456, Telefon: anna, Email: 'a@b.co' }];
	const columnsRead = 'column "Telefon" (1 number), "Email" (1 address)';
	const skipsNobody = "'Skip Numbers' read 0 entries, so it skips nobody.";
	const cut = '4.91511E+12';
	const damaged = [{ Wer: `${anna} or ring twice`, Phone: carl }];
	const inColumn = 'in the column "Wer", which is not a phone number';
	// Cells: test/unit/people.test.cts. Spellings: test/unit/phone.test.cts.
	test.each<[string, unknown[], string[] | string, string?]>([
		['a customer number and an email address beside a number', beside, [ben, carl], columnsRead],
		["another node's item", [{ json: { phone: anna } }], [ben, carl]],
		['markup', row({ note: '<b>+4915112345611</b>' }), [carl]],
		['no entries', [], [anna, ben, carl], skipsNobody],
		['an empty line of a sheet', [{ row_number: 2, Phone: '' }], [anna, ben, carl], skipsNobody],
		['a row with a date alone', [{ 'Phone opt-out date': '2026-01-15' }], noNumber],
		['a good row before one without', [{ Phone: anna }, { Phone: 'n/a', Name: 'Ben' }], noNumber],
		['a number among words alone', [...row({}), { notes: 'rang 0151 12345611' }], noNumber],
		['a number that lost digits', [{ Phone: cut }], `contains "${cut}" in the column`],
		['addresses without rows', ['a@b.co', 'c@d.co'], 'contains only email addresses'],
		['a damaged number in a column that nobody knows', damaged, inColumn],
	])('%s: who stands there is not reached, or nobody', async (_, list, outcome, hint = '') => {
		const result = await send([anna, ben, carl], { skipNumbers: listOf(list) });
		const isRefused = typeof outcome === 'string';
		expect(failure(result) ?? '').toContain(isRefused ? outcome : '');
		const nobody = /could be reached, so nothing was sent/;
		expect(failure(result) ?? '').toMatch(isRefused ? nobody : /^$/);
		expect(hintsOf(result)).toContain(hint);
		expect(await reached()).toEqual(isRefused ? [] : [...outcome].sort());
	});
});

/** Headings in the languages of sheets for telephones, and for what is none beside them; values that are none. */
const headings = (
	'Phone;phone_number;Mobile;Cell;WhatsApp;Tel.;Telefon;Rufnummer;Handynummer;Mobil;Téléphone;Portable;Teléfono;' +
	'Móvil;Celular;Telefone;Telemóvel;Cellulare;Telefono;Cep Telefonu;GSM;Telefoon;Mobiel nummer;Komórka;' +
	'Numer telefonu;Телефон;هاتف;電話番号;customerPhone;Number;No.;Nummer;Numéro;Número;Numero;Numara;Numer;Номер;رقم;' +
	'番号;Contact;Contacto;Kontakt'
).split(';');
const days =
	'Cancelled at;Phone opt-out date;WhatsApp opt-out;Date;Datum;Fecha;Tarih;Mobile since;Contact date;Telefon abgemeldet am';
const noNumbers =
	'2026-01-15;15.01.2026;1/15/2026;1.2.24;2026-01-15T10:30:00Z;2026-01-15 10:30;45306;20260115;10:30;n/a';
const spellings: Array<(national: string) => unknown> = [
	(one) => `+49 ${one.replace(/(\d{3})/g, '$1 ')}`,
	(one) => `+49.${one.replace(/(\d{3})/, '$1-')}`,
	(one) => `0049${one}`,
	(one) => `011 49 ${one}`,
	(one) => `tel:+49-${one}`,
	(one) => `="+49${one}"`,
	(one) => `'+49${one}`,
	(one) => `+49${one}`.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
	(one) => `\u202a+49\u00a0${one}\u202c`,
	(one) => Number(`49${one}`),
	(one) => `49${one}.0`,
	(one) => `+49 (0) ${one}`,
	(one) => `+490${one}`,
	(one) => `0${one.replace(/(\d{3})/, '$1 ')}`,
	(one) => Number(one),
];

test.each(['DE', undefined])(
	'a sheet with every heading and every spelling, at home in %s: nobody who stands there is reached, and all others are',
	async (country) => {
		const national = (index: number) => `151${23_456_000 + index}`;
		const list = headings.map((heading, at) => ({
			row_number: at + 2,
			[days.split(';')[at % 10]!]: noNumbers.split(';')[at % 10],
			[heading]: spellings[at % spellings.length]!(national(at)),
		}));
		const phones = headings.flatMap((_, at) => [at, at + 500]).map((at) => `+49${national(at)}`);
		const options = { skipNumbers: listOf(list), ...(country && { defaultCountry: country }) };
		ok(await send(phones, options));
		expect(await reached()).toEqual(phones.filter((_, at) => at % 2).sort());
	},
);

describe('Evidence: another spelling is taken for another person', () => {
	test.each([
		['is stored without plus', anna.slice(1), undefined],
		['has no number', '0151 (new)', "cannot be compared with 'Skip Numbers'"],
	])('a contact that %s: no task is created', async (_, stored, fails) => {
		const [agent, contact] = [await agentOf(sandbox), await contactOf(stored)];
		const result = await run('acpOutreach', taskFor(agent, contact, { skipNumbers: anna }));
		expect(failure(result) ?? '').toContain(fails ?? '');
		const reasons = result.json('Node', 1).map(({ reason }) => reason);
		expect(reasons).toEqual(fails ? [] : ['skip_numbers']);
		expect(await tasks()).toEqual([]);
	});

	test('two contacts with one number: Only the First makes one task, Stop none', async () => {
		const items = [{ uuid: await contactOf(anna) }, { uuid: await contactOf('0151 12345611') }];
		const both = async (sameNumberTwice: string) => {
			const task = taskFor(await agentOf(sandbox), '={{ $json.uuid }}', { sameNumberTwice });
			return await run('acpOutreach', task, { items });
		};
		expect(failure(await both('stop'))).toContain('have the same number');
		expect(await tasks()).toEqual([]);
		const result = await both('first');
		expect(result.json('Node', 1)).toMatchObject([{ reason: 'same_number' }]);
		expect(await tasks()).toHaveLength(1);
	});

	test('an address on the list beside a row with number and address: the row is left out', async () => {
		const values = [{ phoneNumber: ben, email: 'ben@example.com' }, { phoneNumber: carl }];
		const options = { skipNumbers: `Ben@Example.com, ${anna}` };
		ok(await run('acpOutreach listing.create', { name: 'L', contacts: { values }, options }));
		const [sent] = await sandbox.ledger({ path: '/listings', method: 'POST' });
		expect(sent!.body.contacts).toEqual([{ phone_number: carl }]);
	});
});

describe('Evidence: a search that finds nothing is taken for "not blacklisted"', () => {
	const options = { skipBlacklistedContacts: true };
	/** Anna is blacklisted, Ben is not. @returns who is reached */
	const reachedOfBoth = async (more: INodeParameters = {}) => {
		await sandbox.clearLedger();
		const result = await send([anna, ben], { ...options, ...more });
		expect(result.json('Node', 1)[0]).toMatchObject({ reason: 'blacklisted' });
		return await reached();
	};

	// First, because an engine remembers that a workspace has shown one.
	test('a list that hides them: the hint says that it is unconfirmed', async () => {
		await sandbox.settings({ manners: { blacklistShown: 'hidden' } });
		const result = await send([ben], options);
		expect(hintsOf(result)).toContain('it is unconfirmed whether the platform shows them');
		expect(await reached()).toEqual([ben]);
	});

	test.each<[string, string, object]>([
		['a stored number without country code', '0151 12345611', {}],
		['a search that compares beginnings', anna, { contactSearch: 'prefix' }],
		['a proven search', '+49 151 123 456 11', { contactSearch: 'digits' }],
		['a status that stays Active beside the entry', anna, { blacklistShown: 'beside-active' }],
	])('%s, 300 contacts: the contact is not reached', async (_, stored, manners) => {
		await contactOf('+90 555 000 00 01');
		await manyContacts(300);
		const uuid = await contactOf(stored);
		await sandbox.api.post(`/contacts/${uuid}/blacklist`, { reason: 'said no' });
		await sandbox.settings({ manners });
		expect(await reachedOfBoth({ defaultCountry: 'DE' })).toEqual([ben]);
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
			expect(await reachedOfBoth()).toEqual([ben]);
			expect(await sandbox.ledger({ path: '/contacts' })).toHaveLength(reads);
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
		const result = await send([anna, ben, carl], options, continued);
		expect(keptAndSkipped(result).map(({ reason, error }) => reason ?? error ?? 'sent')).toEqual([
			'blacklisted',
			'sent',
			expect.stringMatching(`^It is unknown whether \\${carl} is blacklisted: .* kept changing`),
		]);
		expect(await reached()).toEqual([ben]);
	});

	const today = { type: 'Both', is_permanent: false, expires_at: new Date().toISOString() };
	test.each<[string, string, object]>([
		['the number in another field', '', { status: 'Blacklisted', mobile: anna }],
		['a list of entries', anna, { blacklist: [{ type: 'both', is_permanent: true }] }],
		['a flag', anna, { is_blacklisted: true }],
		// interface: §2.1 rule 4
		['an entry until today, which has not ended everywhere', anna, { blacklist: today }],
	])('%s: the blacklisted contact is not reached', async (_, stored, change) => {
		await contactOf(stored, { status: 'Active', ...change });
		expect(await reachedOfBoth()).toEqual([ben]);
	});

	const blacklisted = { status: 'Blacklisted' };
	const untold = 'does not show whether the contact with';
	test.each<[string, string, object, string, string[]]>([
		['hidden digits', '+49151*****11', blacklisted, 'is blacklisted: the blacklisted', [ben]],
		['hidden ones without country code', '0151 XXXX 5611', blacklisted, 'has "0151 XXXX', [ben]],
		['digits that a sheet cut', '4.91511E+12', blacklisted, 'has "4.91511E+12"', [ben]],
		['a date beside the status Active', anna, { blacklisted_at: '2026-01-01' }, untold, []],
		['a state that nobody knows', anna, { status: 'Do Not Call' }, untold, []],
	])(
		'%s: whoever it could be is refused, and it says why',
		async (_, stored, change, said, sent) => {
			await contactOf(stored, change);
			const result = await send([anna, ben], options, continued);
			const [{ error, errorDescription }] = result.json();
			expect(`${error} ${errorDescription}`).toContain(said);
			expect(await reached()).toEqual(sent);
		},
	);

	test('the manager of a blacklisted contact, and one who is no longer blacklisted: both are reached', async () => {
		await contactOf('+905550000001', { status: 'Blacklisted', manager: { phone_number: anna } });
		const over = { type: 'Both', is_permanent: false, expires_at: '2020-01-01' };
		await contactOf(ben, { blacklist: [over], is_blacklisted: false, blacklisted_at: null });
		await send([anna, ben], options);
		expect(await reached()).toEqual([ben, anna].sort());
	});
});

describe('Evidence: an email is taken for one that reaches nobody who said no', () => {
	const mails = { skipNumbers: 'anna@example.com' };
	const broken = 'ben @example.com';
	const notRead = `contains "${broken}" in the column "Email"`;
	const listed = (Email: string) => ({ skipNumbers: listOf([{ Email }]) });
	const skips = /^Skipped: .*anna@example\.com>? is on your 'Skip Numbers' list$/i;
	test.each<[string, object, INodeParameters, string | RegExp]>([
		['cc', { cc: ['anna@example.com'] }, mails, skips],
		['bcc, in one text', { bcc: 'carl@example.com; Anna <anna@example.com>' }, mails, skips],
		['names', { more: { recipients: [{ name: 'A', email: 'ANNA@example.com' }] } }, mails, skips],
		['a blacklisted cc', { cc: 'anna@example.com' }, { skipBlacklistedContacts: true }, /blackl/],
		['a cc that cannot be read', { cc: 'list-17' }, mails, 'cannot be compared with'],
		['quotes on the list', {}, listed('"Ben@example.com"'), /^Skipped: on your/],
		['a subject on the list', {}, listed('mailto:ben@example.com?subject=Stop'), /^Skipped: on/],
		['a plus on the list', {}, listed('ben+news@example.com'), /^Skipped: on your/],
		['a broken address beside a good one', {}, listed(`carl@example.com, ${broken}`), notRead],
	])('%s: it is not sent, and it says because of whom', async (_, body, options, said) => {
		await contactOf(anna, { status: 'Blacklisted', email: 'anna@example.com' });
		const bodyJson = JSON.stringify({ subject: 'x', ...body });
		const parameters = { to: 'ben@example.com', bodyJson, options };
		const result = await run('acpMessages email.send', parameters);
		expect(failure(result) ?? result.json('Node', 1)[0].message).toMatch(said);
		expect(await written()).toEqual([]);
	});

	test('the sender is on the list, or an address stands in the text: it is sent', async () => {
		const [from, text] = ['anna@example.com', 'Write to anna@example.com'];
		const bodyJson = JSON.stringify({ from, reply_to: from, text });
		await run('acpMessages email.send', { to: 'ben@example.com', bodyJson, options: mails });
		expect(await written()).toHaveLength(1);
	});
});

test('Only the First, and the platform refuses the first item: the next one stands in', async () => {
	await sandbox.strike('POST ^/sms/send$', 422, { times: 1 });
	const result = await send([anna, anna], { sameNumberTwice: 'first' }, continued);
	expect(result.json().map(({ errorItem }) => errorItem ?? 'sent')).toEqual([0, 'sent']);
	expect(await sandbox.created('/sms/send')).toHaveLength(1);
});
