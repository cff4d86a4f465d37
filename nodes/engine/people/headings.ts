import { words } from '../text/text';

// cspell:disable -- words of ten languages

/** By the field's key, as `plainHeading` has them; none that may mean something else ("Number", "Contact", "Country"). */
export const usualHeadings = {
	phone_number: words(
		'phone phoneno phonenr telephone telephonenumber tel telno telnr mobile mobilenumber mobilephone mobileno ' +
			'mobilenr cell cellphone cellnumber cellphonenumber msisdn gsm whatsapp whatsappnumber telefon telefonnummer ' +
			'telefonnr rufnummer mobil mobilnummer mobiltelefon handy handynummer handynr whatsappnummer telefono ' +
			'telefone numerodetelefono numerotelefono numerodetelefone celular movil telefonomovil telefonocelular ' +
			'cellulare telemovel numerodetelephone telephoneportable telephonemobile portable telefoon telefoonnummer ' +
			'mobielnummer gsmnummer telefonnumarasi ceptelefonu ceptel cepno cepnumarasi gsmno',
	),
	name: words(
		'firstname givenname forename fullname contactname vorname prenom nombre nome primeironome voornaam ad adi isim',
	),
	surname: words(
		'lastname familyname secondname nachname familienname zuname nomdefamille apellido apellidos cognome sobrenome apelido achternaam soyad soyadi soyisim',
	),
	email: words(
		'mail emailaddress mailaddress emailid emailadresse mailadresse correo correoelectronico courriel adresseemail ' +
			'adressemail adresseelectronique indirizzoemail emailadres eposta epostaadresi enderecodeemail',
	),
};

/** How words for telephones begin in the languages of sheets. */
const phoneStems = words(
	'phone telephone smartphone cellphone fon foon telefon telefoon mobi movil handy telemov telef whatsapp rufn ' +
		'cellular celular komork festnetz matkapuh puhelin телеф моб сотов ' +
		'هاتف الهاتف جوال الجوال موبايل 電話 携帯 电话 手机 전화 휴대',
).map(plainHeading);
/** The same as whole words: "cell" is one, "Cancelled" is not. */
const phones = new Set(
	[...usualHeadings.phone_number, ...words('cells cel sms wa hp cep fixe tlf tfn тел phones')].map(
		plainHeading,
	),
);
/** Words that stand for a telephone if no other word says otherwise. */
const numbers = new Set(
	words(
		'number numbers no nr num nummer numero numeros numer numara numarasi nro номер رقم 番号 号码 contact contacts ' +
			'contacto contatto contato kontakt kontakte iletisim контакт recipient recipients empfanger destinataire',
	).map(plainHeading),
);
const identities = new Set(words('id ids uuid guid key type typ format'));
const others = new Set(
	words(
		'date dates day time timestamp at on since until datum zeit uhrzeit am seit fecha hora data ora heure tarih saat ' +
			'дата время تاريخ 日付 日期 created updated row zeile index order orders invoice account customer client member ' +
			'ticket case amount price total sum betrag preis summe umsatz montant prix importe precio prezzo valor fiyat ' +
			'tutar kwota cena сумма цена zip zipcode postcode postal plz cp cap age alter edad yas status count qty ' +
			'quantity year jahr version vat iban bic kundennummer bestellnummer rechnungsnummer auftragsnummer mitgliedsnummer vertragsnummer hausnummer',
	).map(plainHeading),
);
// cspell:enable

/** A name without case, accents, spaces and signs: "Phone Number", `phoneNumber` and `phone_number` are the same. */
export function plainHeading(name: string): string {
	return name
		.normalize('NFKD')
		.toLowerCase()
		.replace(/ı/g, 'i')
		.replace(/[^\p{L}\p{N}]/gu, '');
}

/** What the heading of a column says about its digits: telephones or something else; unknown where it says nothing. */
export type Heading = 'phone' | 'other' | 'unknown';

const known = new Map<string, Heading>();

/** Read once: records have the same fields. */
export function headingOf(name: string): Heading {
	const before = known.get(name);
	if (before !== undefined) return before;
	const heading = readHeading(name);
	if (known.size < 1000) known.set(name, heading);
	return heading;
}

/** "Telefon-Nr." and "phoneNumber" are two words each. */
function readHeading(name: string): Heading {
	const parts = name
		.normalize('NFKC')
		.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
		.split(/[^\p{L}\p{M}]+/u)
		.map(plainHeading);
	const has = (list: ReadonlySet<string>) => parts.some((part) => list.has(part));
	// WhatsApp's ID of a person is the number.
	if (/^(?:wa|whatsapp) id$/.test(parts.join(' '))) return 'unknown';
	if (has(identities)) return 'other';
	const isPhone = parts.some((part) => phoneStems.some((stem) => part.startsWith(stem)));
	if (isPhone || has(phones)) return 'phone';
	return has(others) ? 'other' : has(numbers) ? 'phone' : 'unknown';
}
