/** Whether a search among contacts finds a phone number however it is stored, as the nodes search for it. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { rowsIn } from './workspace.mjs';

const mostTried = 5;
const setting = "'Number Search Confirmed' in the credential";

const digitsOf = (value) => String(value ?? '').replace(/\D/g, '');

/** The nodes search by the digits without the country code. */
const searchedBy = ({ phone_number: text }) => {
	const number = parsePhoneNumberFromString(String(text ?? ''));
	return number?.isPossible() ? number.nationalNumber : undefined;
};

/**
 * Searches for a few contacts of the workspace. Reads alone.
 * @param {import('./workspace.mjs').Workspace} workspace
 * @returns {Promise<{verdict: string, how: string}>} what to choose in the credential
 */
export async function numberSearchOf(workspace) {
	const contacts = (await workspace.rowsOf('/contacts')).filter(searchedBy);
	const isApart = (row) => !String(row.phone_number).includes(searchedBy(row));
	// A search for plain text fails where something stands between the digits.
	const apart = contacts.filter(isApart).slice(0, mostTried);
	const tried = [...apart, ...contacts.filter((row) => !isApart(row))].slice(0, mostTried);
	if (tried.length === 0)
		return { verdict: 'not asked', how: 'no contact shows a phone number with its country code' };
	for (const row of tried) {
		const search = searchedBy(row);
		const { status, body } = await workspace.ask('/contacts', { search });
		const found = rowsIn(body)?.rows ?? [];
		const isFound = status === 200 && found.some(({ uuid }) => uuid === row.uuid);
		const isOther = found.some(
			(one) => !Object.values(one).some((value) => digitsOf(value).includes(search)),
		);
		const how = `leave ${setting} off`;
		if (isOther) return { verdict: 'it is ignored', how };
		if (!isFound) return { verdict: 'it misses contacts', how };
	}
	return {
		verdict: 'it finds them',
		how:
			apart.length > 0
				? `${apart.length} of ${tried.length} have spaces or signs between their digits. Turn on ${setting}`
				: `all ${tried.length} are stored as a plus and digits. Turn on ${setting} if all your contacts are`,
	};
}
