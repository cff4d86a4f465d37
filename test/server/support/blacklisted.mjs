/**
 * Puts the contact with this number on the platform's blacklist; makes one where none is.
 * @param {{sandbox: any}} live
 * @param {string} phone_number
 * @returns {Promise<{}>} no sample data
 */
export async function blacklisted({ sandbox }, phone_number) {
	const known = await sandbox.control('GET /state/contacts');
	const { uuid } =
		known.find((one) => one.phone_number === phone_number) ??
		(await sandbox.api('POST /contacts', { name: 'Opted out', phone_number })).body.data;
	const { status } = await sandbox.api(`POST /contacts/${uuid}/blacklist`, {
		reason: 'Asked for it',
		is_permanent: true,
	});
	if (status >= 300) throw new Error(`status ${status}`);
	return {};
}
