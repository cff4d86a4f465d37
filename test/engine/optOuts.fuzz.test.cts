/**
 * Sheets of people who said no, as people keep them: headings in ten languages, numbers in every spelling, what
 * spreadsheets do to them, six layouts. Who stands on a sheet is decided when it is made, from numbers that the phone
 * library with its full metadata knows, before anybody has written them down; not by the node.
 *
 *   FUZZ_COUNT=1000     more sheets
 *   FUZZ_SEED=1         others
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { usePlatform } from './harness/index.cts';
import { agentOf, failure, fast, sms } from './guarantees/scene.cts';

const count = Number(process.env.FUZZ_COUNT ?? 60);
const { sandbox, run } = usePlatform({ settings: fast, speed: 10 });

/** Numbers of mobile phones as each country gives them out: `#` is any digit. The zero is what people dial inside. */
const countries = {
	DE: { code: '49', zero: '0', mobile: ['151########', '170#######', '176########'] },
	AT: { code: '43', zero: '0', mobile: ['664#######', '676#######'] },
	CH: { code: '41', zero: '0', mobile: ['79#######', '78#######'] },
	GB: { code: '44', zero: '0', mobile: ['7700######', '7911######'] },
	FR: { code: '33', zero: '0', mobile: ['61#######', '62#######'] },
	IT: { code: '39', zero: '', mobile: ['347#######', '333#######'] },
	ES: { code: '34', zero: '', mobile: ['61#######', '65#######'] },
	TR: { code: '90', zero: '0', mobile: ['532#######', '555#######'] },
	US: { code: '1', zero: '', mobile: ['415555####', '212555####'] },
	MX: { code: '52', zero: '', mobile: ['55########', '33########'] },
	AR: { code: '54', zero: '0', mobile: ['11########'] },
	PL: { code: '48', zero: '', mobile: ['601######', '501######'] },
} as const;
type Country = keyof typeof countries;
const all = Object.keys(countries) as Country[];

const phoneHeadings = (
	'Phone;phone_number;Mobile;Cell;WhatsApp;Tel.;Telefon;Rufnummer;Handynummer;Mobil;Téléphone;' +
	'Portable;Teléfono;Móvil;Celular;Telefone;Telemóvel;Cellulare;Telefono;Cep Telefonu;GSM;' +
	'Telefoon;Mobiel nummer;Komórka;Numer telefonu;Телефон;هاتف;電話番号;customerPhone'
).split(';');
const numberHeadings =
	'Number;No.;Nummer;Numéro;Número;Numero;Numara;Numer;Номер;رقم;番号;Contact;Contacto;Kontakt'.split(
		';',
	);
const anyHeadings = [...phoneHeadings, ...numberHeadings];
const nameHeadings = 'Name;Nom;Nombre;Ad Soyad;Naam;Имя;Kunde;Cancelled by'.split(';');
const emailHeadings = 'Email;E-Mail;Courriel;Correo;E-posta;Adres e-mail;mail'.split(';');
const dayHeadings = (
	'Cancelled at;Phone opt-out date;WhatsApp opt-out;Date;Datum;Fecha;Tarih;Mobile since;' +
	'Contact date;Telefon abgemeldet am'
).split(';');
const dayValues = [
	'2026-01-15',
	'15.01.2026',
	'1/15/2026',
	'1.2.24',
	'2026-01-15T10:30:00Z',
	'2026-01-15 10:30',
	45306,
	'45306',
	'20260115',
	'10:30',
];
const otherColumns: Array<[string, unknown]> = [
	['ID', 10234567],
	['Amount', '1.250,00'],
	['Price', 12.5],
	['PLZ', '10115'],
	['Customer number', '20045671'],
	['Status', 'no'],
	['Consent', false],
];

type Random = () => number;
/** Mulberry32. */
const randomOf = (seed: number): Random => {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
};

interface Person {
	country: Country;
	/** Without country code and without zero. */
	national: string;
	/** E.164. */
	number: string;
}

const grouped = (digits: string, by: string) => digits.replace(/(\d{3})(?=\d{3})/g, `$1${by}`);
const wide = (text: string) =>
	text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));

/** How one number is written down. @param home where the sheet is at home, as 'Default Country' says */
function spellings({ country, national }: Person, home?: Country): unknown[] {
	const { code, zero } = countries[country];
	const whole = `+${code}${national}`;
	const given: unknown[] = [
		whole,
		`+${code} ${grouped(national, ' ')}`,
		`+${code}-${grouped(national, '-')}`,
		`+${code}.${grouped(national, '.')}`,
		`00${code}${national}`,
		`00${code} ${grouped(national, ' ')}`,
		`tel:+${code}-${national}`,
		`="+${code}${national}"`,
		`'+${code}${national}`,
		wide(whole),
		`\u202a+${code}\u00a0${grouped(national, '\u00a0')}\u202c`,
		// A spreadsheet took the plus.
		Number(`${code}${national}`),
		`${code}${national}`,
		`${code}${national}.0`,
		`${code} ${grouped(national, ' ')}`,
		`011 ${code} ${grouped(national, ' ')}`,
	];
	if (zero)
		given.push(
			`+${code} (0) ${grouped(national, ' ')}`,
			`${code} (0) ${grouped(national, ' ')}`,
			`+${code}0${national}`,
			`="+${code}"&"0${national}"`.replace('"&"', ''),
		);
	if (country === 'MX') given.push(`+521${national}`, `+52 1 ${grouped(national, ' ')}`);
	if (country === 'AR') given.push(`+549${national}`, `+54 9 ${grouped(national, ' ')}`);
	if (country === home || home === undefined)
		given.push(`${zero}${national}`, `${zero}${grouped(national, ' ')}`, Number(national));
	return given;
}

/** The same for whom a run is to reach: with a plus, so that nobody can read them in two ways. */
const recipientSpellings = ({ country, national }: Person): string[] => {
	const { code, zero } = countries[country];
	return [
		`+${code}${national}`,
		`+${code} ${grouped(national, ' ')}`,
		`00${code}${national}`,
		...(zero ? [`+${code}0${national}`, `+${code} (0)${national}`] : []),
		...(country === 'MX' ? [`+521${national}`] : []),
		...(country === 'AR' ? [`+549${national}`] : []),
	];
};

interface Sheet {
	home?: Country;
	list: unknown;
	recipients: Array<{ phone: string; text: string }>;
	/** Texts of the messages that must be sent; nothing where nobody can tell, so that nothing may be. */
	expected?: string[];
}

function sheetOf(random: Random): Sheet {
	const pick = <T,>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
	const chance = (part: number) => random() < part;
	const home = chance(0.7) ? pick(all) : undefined;
	const person = (): Person => {
		const country = home && chance(0.6) ? home : pick(all);
		const national = pick<string>(countries[country].mobile).replace(/#/g, () =>
			String(Math.floor(random() * 10)),
		);
		const number = `+${countries[country].code}${national}`;
		// Behind an area code of Argentina, 15 says that a mobile number follows.
		if (/^\+541115/.test(number)) return person();
		return parsePhoneNumberFromString(number)?.isValid() ? { country, national, number } : person();
	};
	const people = new Map<string, Person>();
	// Nobody's number ends in somebody else's.
	while (people.size < 8) {
		const one = person();
		const end = one.national.slice(-7);
		if (!people.has(end)) people.set(end, one);
	}
	const both = [...people.values()];
	const [listed, others] = [both.slice(0, 4), both.slice(4)];
	const [heading, name, email] = [pick(anyHeadings), pick(nameHeadings), pick(emailHeadings)];
	const [day, other] = [pick(dayHeadings), pick(otherColumns)];
	const written = (one: Person) => pick(spellings(one, home));
	const second = pick(phoneHeadings.filter((one) => one !== heading));
	const layouts: Array<() => unknown> = [
		() => listed.map((one) => String(written(one))).join(pick(['\n', '; ', ','])),
		() => listed.map((one) => ({ [name]: 'Anna', [heading]: written(one) })),
		() =>
			listed.map((one, row) => ({
				row_number: row + 2,
				[email]: `a${row}@example.com`,
				[heading]: written(one),
				[other[0]]: other[1],
			})),
		() => listed.map((one) => ({ [heading]: written(one), [day]: pick(dayValues) })),
		() =>
			listed.map((one) =>
				chance(0.5)
					? { [heading]: written(one), [second]: '' }
					: { [heading]: '', [second]: written(one) },
			),
		() =>
			listed.map((one) => ({
				[day]: pick(dayValues),
				[name]: 'n/a',
				[heading]: written(one),
				[other[0]]: other[1],
				[email]: '',
			})),
	];
	let list = pick(layouts)();
	let cannotTell = false;
	if (Array.isArray(list)) {
		if (chance(0.2)) list.push({ [heading]: '', [name]: '' });
		if (chance(0.1)) {
			cannotTell = true;
			list.splice(1, 0, {
				[name]: 'Ben',
				[email]: 'ben@example.com',
				[heading]: pick(['', 'n/a', '-', '?']),
			});
		}
		if (chance(0.3)) list = list.map((json) => ({ json }));
	}
	const recipients = both
		.map((one) => ({ phone: pick(recipientSpellings(one)), text: one.number }))
		.sort(() => random() - 0.5);
	return {
		home,
		list,
		recipients,
		...(cannotTell ? {} : { expected: others.map(({ number }) => number).sort() }),
	};
}

/** As an expression; two braces that close would end it. */
const expressionOf = (list: unknown): string =>
	typeof list === 'string' ? list : `={{ ${JSON.stringify(list).replace(/\}(?=\})/g, '} ')} }}`;

test(
	`of ${count} sheets, nobody is reached who stands on one, and nobody is left out who does not`,
	async () => {
		const agent = await agentOf(sandbox);
		const wrong: unknown[] = [];
		const tally = { reached: 0, dropped: 0, stopped: 0, notStopped: 0 };
		for (let index = 0; index < count; index++) {
			const seed = Number(process.env.FUZZ_SEED ?? 20261) * 100_003 + index;
			const { home, list, recipients, expected } = sheetOf(randomOf(seed));
			await sandbox.clearLedger();
			const result = await run(
				'acpMessages',
				sms(agent, { skipNumbers: expressionOf(list), ...(home ? { defaultCountry: home } : {}) }),
				{ items: recipients },
			);
			const sent = await sandbox.ledger({ path: '/sms/send' });
			const texts = sent.map(({ body }) => String(body.message)).sort();
			const why = failure(result);
			const wanted = expected ?? [];
			const isWrong =
				texts.join() !== wanted.join() || (expected === undefined) !== (why !== undefined);
			if (!isWrong) continue;
			if (expected === undefined) tally.notStopped++;
			else if (why !== undefined) tally.stopped++;
			else if (texts.some((text) => !wanted.includes(text))) tally.reached++;
			else tally.dropped++;
			wrong.push({ seed, home, list, expected: wanted, texts, why: why?.slice(0, 300) });
		}
		if (process.env.FUZZ_COUNT) console.log(wrong.length, 'of', count, JSON.stringify(tally));
		expect(wrong.slice(0, 3)).toEqual([]);
	},
	60_000 + count * 1000,
);
