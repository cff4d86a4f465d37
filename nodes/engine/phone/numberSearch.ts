import type { IDataObject } from 'n8n-workflow';
import { callingCode } from './numberingPlans';
import { lineOf, meaningsOf } from './phoneNumber';

/** Digits without country code, which occur in every spelling. @param number in E.164 */
export function searchDigits(number: string): string {
	const line = lineOf(number);
	return line.slice(callingCode(line).length);
}

const digitsOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\D/g, '') : '';

/** Whether a record shows digits, in whichever spelling. */
export const showsDigits = (record: IDataObject, digits: string): boolean =>
	Object.values(record).some((value) => digitsOf(value).includes(digits));

/** Digits by which only a search that sees every spelling finds a stored number; nothing if one for plain text does. */
export function provingDigits(stored: unknown): string | undefined {
	const text = String(stored ?? '');
	const [number] = meaningsOf(text, [undefined]).numbers;
	if (number === undefined || !text.includes('+')) return undefined;
	const digits = searchDigits(number);
	return digitsOf(text).includes(digits) && !text.includes(digits) ? digits : undefined;
}

/** A search among contacts for the digits of a number: what proves it, and which rows it may show. */
export const numberSearch = {
	proof: ({ phone_number: number }: IDataObject): { search: string } | undefined => {
		const search = provingDigits(number);
		return search === undefined ? undefined : { search };
	},
	fits: (row: IDataObject, { search }: IDataObject): boolean => showsDigits(row, String(search)),
};
