import { isPlainObject } from 'lodash';
import { type IDataObject, isExpression } from 'n8n-workflow';
import { rawOptions, skipNumbersPath } from './readOptions';
import type { Execution } from '../execution';
import { InvalidValue, isEmpty } from '../fields/field';
import { KeptNumbers } from '../phone/sameNumber';
import { asList } from '../fields/scalar';
import { operationError } from '../errors/errorText';
import { rethrow } from '../errors/rethrow';
import { quoted } from '../text/text';

/** Headings of columns with phone numbers or email addresses: those that say so, then those that may. */
const headings = [
	/phone|mobile|cell|whatsapp|telef|msisdn|gsm|handy|e-?mail|^tel\b/i,
	/number|nummer|n[uú]mero|rufnr|contact/i,
];
const otherHeadings = /type|format|^row_number$/i;

const refuse = (text: string): never => {
	throw new InvalidValue('Skip Numbers', text);
};

const canTell =
	'A contact to be skipped could be reached, so nothing is sent. Correct it, or name the ' +
	"column, like {{ $('Opt-outs').all().map(row => row.json.phone) }}";

/** What n8n gives out for a node without items ("Always Output Data"). */
const isEmptyRow = (entry: unknown): boolean =>
	isPlainObject(entry) &&
	Object.keys((entry as IDataObject).json ?? (entry as object)).length === 0;

/** Adds one entry: text, a number, an item of n8n or a row with columns. @throws InvalidValue where it is none */
function addEntry(entry: unknown, kept: KeptNumbers, country?: string): void {
	if (isEmpty(entry)) return;
	if (!isPlainObject(entry)) {
		if (!kept.add(entry, country))
			refuse(`contains ${quoted(entry)}, which is not a phone number. ${canTell}`);
		return;
	}
	const row = entry as IDataObject;
	if (isPlainObject(row.json)) return addEntry(row.json, kept, country);
	if (isEmptyRow(row)) return;
	const names = Object.keys(row).filter((name) => !otherHeadings.test(name));
	const columns = headings
		.map((heading) => names.filter((name) => heading.test(name)))
		.find(({ length }) => length > 0);
	if (!columns)
		return refuse(`contains a row without a column for phone numbers: ${quoted(row)}. ${canTell}`);
	for (const name of columns)
		// "n/a" and the like stand where there is no number.
		for (const value of asList(row[name]))
			if (/[\d@]/.test(String(value))) addEntry(value, kept, country);
}

/**
 * The list that people give in 'Skip Numbers': text, a list, or the items of another node.
 * @throws InvalidValue where an entry cannot be read, because somebody who said no would be called
 */
export function addSkipNumbers(value: unknown, kept: KeptNumbers, country?: string): void {
	const list = typeof value === 'string' ? value.replace(/;/g, ',') : value;
	for (const entry of asList(list)) addEntry(entry, kept, country);
}

/** Whether a value is the same for every item: an expression in it looks at whole nodes, not at the item. */
const isSameForAll = (raw: unknown): boolean =>
	raw !== undefined &&
	(!isExpression(raw) ||
		(!/item/i.test(raw) &&
			[...raw.matchAll(/\$\w*/g)].every(([name]) => ['$', '$input', '$vars'].includes(name))));

/**
 * The numbers that the run leaves out, from all items together. An expression that does not look at the item is
 * resolved once: another node's list may be long.
 * @throws NodeOperationError where the list cannot be read
 */
export function skippedNumbers(
	{ context, options, parameter }: Execution,
	count: number,
): KeptNumbers {
	const numbers = new KeptNumbers();
	const written = rawOptions(context);
	if (written && !('skipNumbers' in written)) return numbers;
	const raw = written?.skipNumbers;
	const valueOf = (item: number) =>
		raw === undefined ? options(item).skipNumbers : parameter(skipNumbersPath, item);
	const seen = new Set<unknown>();
	let isEmptyList = false;
	try {
		for (let item = 0; item < (isSameForAll(raw) ? 1 : count); item++) {
			const value = valueOf(item);
			if (seen.has(value)) continue;
			seen.add(value);
			isEmptyList ||= Array.isArray(value) && value.every(isEmptyRow);
			addSkipNumbers(value, numbers, options(item).defaultCountry);
		}
		if (isExpression(raw) && numbers.size === 0 && !isEmptyList)
			refuse(`returned no phone number, although it has an expression. ${canTell}`);
	} catch (thrown) {
		if (!(thrown instanceof InvalidValue)) rethrow(thrown);
		const unreadable = operationError(context.getNode(), {
			message: thrown.message,
			description: 'Nothing was sent.',
		});
		throw unreadable;
	}
	return numbers;
}
