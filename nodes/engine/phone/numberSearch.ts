import type { IDataObject } from 'n8n-workflow';
import { callingCode } from './numberingPlans';
import { lineOf, meaningsOf } from './phoneNumber';

/**
 * What to search a number by: its digits without country code occur in the international and in the national spelling.
 * @param number in E.164
 */
export function searchDigits(number: string): string {
	const line = lineOf(number);
	return line.slice(callingCode(line).length);
}

const digitsOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\D/g, '') : '';

/** Whether a record shows digits, in whichever spelling. */
export const showsDigits = (record: IDataObject, digits: string): boolean =>
	Object.values(record).some((value) => digitsOf(value).includes(digits));

/**
 * Digits by which a search must find a stored number to prove that it sees numbers in every spelling; nothing if
 * finding it would prove too little, because a search for plain text finds it, too.
 */
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
