// Words of other languages; cspell:disable
/**
 * How people head the columns of a sheet of contacts, beside the fields' own names and labels: small letters, without
 * spaces and signs. Headings that may mean something else ("Number", "Contact", "Country") are none.
 */
export const contactHeadings: Record<string, string[]> = {
	phone_number: [
		...['phone', 'phoneno', 'phonenr', 'telephone', 'telephonenumber', 'tel', 'telno', 'telnr'],
		...['mobile', 'mobilenumber', 'mobilephone', 'mobileno', 'mobilenr', 'cell', 'cellphone'],
		...['cellnumber', 'cellphonenumber', 'msisdn', 'gsm', 'whatsapp', 'whatsappnumber'],
		...[
			'telefon',
			'telefonnummer',
			'telefonnr',
			'rufnummer',
			'mobil',
			'mobilnummer',
			'mobiltelefon',
		],
		...['handy', 'handynummer', 'handynr', 'whatsappnummer'],
		...['telefono', 'telefone', 'numerodetelefono', 'numerotelefono', 'numerodetelefone'],
		...['celular', 'movil', 'telefonomovil', 'telefonocelular', 'cellulare', 'telemovel'],
		...['numerodetelephone', 'telephoneportable', 'telephonemobile', 'portable'],
		...['telefoon', 'telefoonnummer', 'mobielnummer', 'gsmnummer'],
		...['telefonnumarasi', 'ceptelefonu', 'ceptel', 'cepno', 'cepnumarasi', 'gsmno'],
	],
	name: [
		...['firstname', 'givenname', 'forename', 'fullname', 'contactname', 'vorname', 'prenom'],
		...['nombre', 'nome', 'primeironome', 'voornaam', 'ad', 'adi', 'isim'],
	],
	surname: [
		...['lastname', 'familyname', 'secondname', 'nachname', 'familienname', 'zuname'],
		...['nomdefamille', 'apellido', 'apellidos', 'cognome', 'sobrenome', 'apelido', 'achternaam'],
		...['soyad', 'soyadi', 'soyisim'],
	],
	email: [
		...['mail', 'emailaddress', 'mailaddress', 'emailid', 'emailadresse', 'mailadresse'],
		...[
			'correo',
			'correoelectronico',
			'courriel',
			'adresseemail',
			'adressemail',
			'adresseelectronique',
		],
		...['indirizzoemail', 'emailadres', 'eposta', 'epostaadresi', 'enderecodeemail'],
	],
};
