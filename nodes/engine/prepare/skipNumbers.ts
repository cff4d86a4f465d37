import { isPlainObject } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { parameter, rawOptions, skipNumbersPath } from './options';
import type { Execution } from '../execution';
import { InvalidValue, isEmpty } from '../fields/field';
import { readingsOf } from '../fields/sameNumber';
import { asList } from '../fields/scalar';
import { operationError } from '../http/errorText';
import { rethrow } from '../rethrow';
import { quoted } from '../text/text';

/** Column headings under which people keep phone numbers and email addresses. */
const heading = /phone|mobile|cell|whatsapp|telef|msisdn|gsm|handy|e-?mail|^(tel|number)$/i;

const refuse = (text: string): never => {
	throw new InvalidValue('Skip Numbers', text);
};

const canTell =
	"Somebody who is to be left out could be reached, so nothing is sent. Correct it, or name the column, like {{ $('Opt-outs').all().map(row => row.json.phone) }}";

/** The numbers of one entry: text, a number, an item of n8n or a row with columns. @throws InvalidValue */
function numbersOf(entry: unknown): string[] {
	if (isEmpty(entry)) return [];
	if (!isPlainObject(entry)) {
		const readings = readingsOf(entry);
		return readings.length
			? readings
			: refuse(`holds ${quoted(entry)}, which is not a phone number. ${canTell}`);
	}
	const row = entry as IDataObject;
	if (isPlainObject(row.json)) return numbersOf(row.json);
	const filled = Object.entries(row).filter(
		([name, value]) => !isEmpty(value) && name !== 'row_number',
	);
	const named = filled.filter(([name]) => heading.test(name) && !/type|format/i.test(name));
	if (named.length) return named.flatMap(([, value]) => asList(value).flatMap(numbersOf));
	const readings = filled.flatMap(([, value]) => readingsOf(value));
	if (filled.length > 0 && readings.length === 0)
		return refuse(`holds a row without a phone number: ${quoted(row)}. ${canTell}`);
	return readings;
}

/**
 * The list that people give in 'Skip Numbers': text, a list, or the items of another node.
 * @returns all numbers and addresses that it may mean
 * @throws InvalidValue where an entry cannot be read, because somebody who said no would be called
 */
export function readSkipNumbers(value: unknown): string[] {
	const list = typeof value === 'string' ? asList(value.replace(/;/g, ',')) : asList(value);
	return list.flatMap(numbersOf);
}

const isExpression = (raw: unknown): raw is string =>
	typeof raw === 'string' && raw.startsWith('=');

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
export function skippedNumbers({ context, options }: Execution, count: number): Set<string> {
	const numbers = new Set<string>();
	const raw = rawOptions(context)?.skipNumbers;
	const valueOf = (item: number) =>
		raw === undefined ? options(item).skipNumbers : parameter(context, skipNumbersPath, item);
	const seen = new Set<unknown>();
	let isEmptyList = false;
	try {
		for (let item = 0; item < (isSameForAll(raw) ? 1 : count); item++) {
			const value = valueOf(item);
			if (seen.has(value)) continue;
			seen.add(value);
			isEmptyList ||= Array.isArray(value) && value.length === 0;
			for (const number of readSkipNumbers(value)) numbers.add(number);
		}
		if (isExpression(raw) && numbers.size === 0 && !isEmptyList)
			refuse(`gave no phone number, although it has an expression. ${canTell}`);
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
