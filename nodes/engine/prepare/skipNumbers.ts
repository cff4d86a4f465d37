import { isPlainObject } from 'lodash';
import { type IDataObject, isExpression } from 'n8n-workflow';
import { dependsOnItem } from './parameters';
import { rawOptions, skipNumbersPath } from './readOptions';
import { headingOf, readCell } from './skipColumns';
import type { Execution } from '../execution';
import { InvalidValue, isEmpty } from '../fields/field';
import { KeptNumbers } from '../phone/sameNumber';
import { asList } from '../fields/scalar';
import { operationError } from '../errors/errorText';
import { rethrow } from '../errors/rethrow';
import { quoted } from '../text/text';

const refuse = (text: string): never => {
	throw new InvalidValue('Skip Numbers', text);
};

const canTell =
	'A contact to be skipped could be reached, so nothing is sent. Correct it, or name the ' +
	"column, like {{ $('Opt-outs').all().map(row => row.json.phone) }}";

const noEntries =
	"'Skip Numbers' read 0 entries, so it skips nobody. If people have opted out, check where its list comes from.";

/** What n8n outputs for a node without items ("Always Output Data"), or an empty line of a sheet. */
const isEmptyRow = (entry: unknown): boolean =>
	isPlainObject(entry) &&
	Object.entries(
		(isPlainObject((entry as IDataObject).json)
			? (entry as IDataObject).json
			: entry) as IDataObject,
	).every(([name, value]) => name === 'row_number' || isEmpty(value));

/** A column of rows on the list, as the hint names it. */
interface Column {
	numbers: number;
	addresses: number;
}

/** What is looked for in each row: people are reached by phone, or by email. */
export type By = 'number' | 'address';

const called: Record<By, string> = { number: 'phone number', address: 'email address' };

/** Reads a list of people who said no, one by one. */
export class SkipList {
	readonly kept = new KeptNumbers();
	readonly columns = new Map<string, Column>();
	/** Rows with columns. */
	rows = 0;
	/** Entries without columns, by what they are. */
	private readonly plain: Record<By, number> = { number: 0, address: 0 };

	/** @param countries possible countries of numbers without a country code; `undefined` among them for unknown */
	constructor(
		private readonly by: By,
		private readonly countries: ReadonlyArray<string | undefined>,
	) {}

	/**
	 * Adds what people enter in 'Skip Numbers': text, a list, or the items of another node.
	 * @throws InvalidValue if a line cannot be compared, because a person who said no would be reached
	 */
	add(value: unknown): void {
		const list = typeof value === 'string' ? value.replace(/;/g, ',') : value;
		for (const entry of asList(list)) this.addEntry(entry);
	}

	/** @throws InvalidValue if the list has entries and none can be compared with whom the run reaches */
	end(): void {
		const other: By = this.by === 'number' ? 'address' : 'number';
		if (this.plain[this.by] === 0 && this.plain[other] > 0 && this.rows === 0)
			refuse(
				`contains no ${called[this.by]}, only ${called[other]}s, and this operation reaches people by ${called[this.by]}. ${canTell}`,
			);
	}

	/** Which columns were read, for the output panel. */
	sentence(): string | undefined {
		if (this.rows === 0) return undefined;
		const told = [...this.columns].map(([name, { numbers, addresses }]) => {
			const counts = [
				numbers ? `${numbers} ${numbers === 1 ? 'number' : 'numbers'}` : '',
				addresses ? `${addresses} ${addresses === 1 ? 'address' : 'addresses'}` : '',
			];
			return `${quoted(name)} (${counts.filter(Boolean).join(', ')})`;
		});
		return `'Skip Numbers' read ${this.rows} ${this.rows === 1 ? 'row' : 'rows'}, column ${told.join(', ')}.`;
	}

	private addEntry(entry: unknown): void {
		if (isEmpty(entry)) return;
		if (isPlainObject(entry)) return this.addRow(entry as IDataObject);
		const kind = this.kept.add(entry, this.countries);
		if (kind === undefined)
			return refuse(`contains ${quoted(entry)}, which is not a phone number. ${canTell}`);
		this.plain[kind]++;
	}

	private addRow(entry: IDataObject): void {
		const row = isPlainObject(entry.json) ? (entry.json as IDataObject) : entry;
		if (isEmptyRow(row)) return;
		this.rows++;
		const cells = Object.entries(row).flatMap(([name, value]) => {
			if (name === 'row_number') return [];
			const heading = headingOf(name);
			return asList(value).map((one) => ({
				name,
				heading,
				...readCell(one, heading, this.countries),
			}));
		});
		const withAddresses = new Set(
			cells.filter(({ addresses }) => addresses.length > 0).map(({ name }) => name),
		);
		for (const { name, unreadable, noAddress } of cells) {
			// In a column of email addresses it is meant as one; elsewhere it may be any text.
			const broken = this.by === 'address' && withAddresses.has(name) ? noAddress : undefined;
			const [value, kind] = unreadable
				? [unreadable, 'a phone number']
				: [broken, 'an email address'];
			if (value !== undefined)
				refuse(
					`contains ${quoted(value)} in the column ${quoted(name)}, which is not ${kind}. ${canTell}`,
				);
		}
		const all = { number: 0, address: 0 };
		for (const { name, numbers, addresses, among } of cells) {
			for (const one of [...numbers, ...addresses, ...among]) this.kept.add(one, this.countries);
			all.number += numbers.length;
			all.address += addresses.length;
			if (numbers.length + addresses.length === 0) continue;
			const column = this.columns.get(name) ?? { numbers: 0, addresses: 0 };
			column.numbers += numbers.length;
			column.addresses += addresses.length;
			this.columns.set(name, column);
		}
		if (all[this.by] === 0)
			refuse(
				`contains a row without ${this.by === 'number' ? 'a phone number' : 'an email address'} that can be compared: ${quoted(row)}. ${canTell}`,
			);
	}
}

/**
 * The numbers that the run skips, from all items together. An expression that does not look at the item is resolved
 * once: another node's list may be long.
 * @throws NodeOperationError if the list cannot be read
 */
export function skippedNumbers(
	{ context, operation, options, parameter, hints }: Execution,
	count: number,
): KeptNumbers {
	const written = rawOptions(context);
	if (written && !('skipNumbers' in written)) return new KeptNumbers();
	const raw = written?.skipNumbers;
	const valueOf = (item: number) =>
		raw === undefined ? options(item).skipNumbers : parameter(skipNumbersPath, item);
	const countries = new Set<string | undefined>();
	for (let item = 0; item < count; item++) countries.add(options(item).defaultCountry);
	const list = new SkipList(operation.reaches?.by ?? 'number', [...countries]);
	const seen = new Set<unknown>();
	let isEmptyList = false;
	try {
		for (let item = 0; item < (raw === undefined || dependsOnItem(raw) ? count : 1); item++) {
			const value = valueOf(item);
			if (seen.has(value)) continue;
			seen.add(value);
			isEmptyList ||= Array.isArray(value) && value.every(isEmptyRow);
			list.add(value);
		}
		if (isExpression(raw) && list.kept.size === 0 && !isEmptyList)
			refuse(`returned no phone number, although it has an expression. ${canTell}`);
		list.end();
	} catch (thrown) {
		if (!(thrown instanceof InvalidValue)) rethrow(thrown);
		const unreadable = operationError(context.getNode(), {
			message: thrown.message,
			description: 'Nothing was sent.',
		});
		throw unreadable;
	}
	const sentence = list.sentence() ?? (isEmptyList && list.kept.size === 0 ? noEntries : undefined);
	if (sentence) hints.add(sentence);
	return list.kept;
}
