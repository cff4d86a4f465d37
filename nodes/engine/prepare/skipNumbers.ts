import { compact, sumBy } from 'lodash';
import { type IDataObject, isExpression } from 'n8n-workflow';
import { dependsOnItem, rawOptions, skipNumbersPath } from './parameters';
import { InvalidValue, isEmpty } from '../fields/field';
import { asList } from '../fields/scalar';
import { operationError } from '../errors/errorText';
import { rethrow } from '../errors/requestError';
import { reachesBy } from '../operation/places';
import { readCell } from '../people/cells';
import { ContactPoints } from '../people/contactPoints';
import { headingOf } from '../people/headings';
import { type Fail, isPlainObject, many, quoted, refusing } from '../text/text';
import type { Execution } from '../operation/operation';

const canTell = 'Correct it, or name the column';
/** The example is here, because a message cannot show ">". */
const howTo =
	"Otherwise people on your list could be reached, so nothing was sent. To name a column: {{ $('Opt-outs').all().map(row => row.json.phone) }}";

const refuse: Fail = refusing('Skip Numbers');

const noEntries =
	"'Skip Numbers' read 0 entries, so it skips nobody. If people have opted out, check where its list comes from.";

/** The columns of a row of a sheet, or of an item of another node; nothing if it is neither. */
function columnsOf(entry: unknown): Array<[name: string, value: unknown]> | undefined {
	if (!isPlainObject(entry)) return undefined;
	const { json } = entry as IDataObject;
	const row = (isPlainObject(json) ? json : entry) as IDataObject;
	return Object.entries(row).filter(([name]) => name !== 'row_number');
}

/** What n8n outputs for a node without items ("Always Output Data"), or an empty line of a sheet. */
const isEmptyRow = (entry: unknown): boolean =>
	columnsOf(entry)?.every(([, value]) => isEmpty(value)) ?? false;

type By = 'number' | 'address';

const wanted: Record<By, string> = { number: 'phone number', address: 'email address' };
const severalOf: Record<By, string> = { number: 'phone numbers', address: 'email addresses' };
const oneOf = (by: By): string => `${by === 'number' ? 'a' : 'an'} ${wanted[by]}`;

type Counts = Record<By, number>;
const none: Counts = { number: 0, address: 0 };

class SkipList {
	readonly points = new ContactPoints();
	private readonly columns = new Map<string, Counts>();
	private rows = 0;
	private readonly plain = { ...none };

	/** @param countries possible countries of numbers without a country code; `undefined` among them for unknown */
	constructor(
		private readonly by: By,
		private readonly countries: ReadonlyArray<string | undefined>,
	) {}

	/** Text, a list, or another node's items. @throws InvalidValue for what cannot be compared: a person would be reached */
	add(value: unknown): void {
		for (const entry of asList(typeof value === 'string' ? value.replace(/;/g, ',') : value)) {
			const columns = columnsOf(entry);
			if (isEmpty(entry) || isEmptyRow(entry)) continue;
			if (columns) this.addRow(columns);
			else {
				const kind = this.points.add(entry, this.countries);
				if (kind === undefined)
					refuse(`contains ${quoted(entry)}, which is not a phone number. ${canTell}`);
				else this.plain[kind]++;
			}
		}
	}

	/** @throws InvalidValue if the list has entries and none can be compared with whom the run reaches */
	end(): void {
		const { by, plain, rows } = this;
		const other = by === 'number' ? 'address' : 'number';
		if (plain[by] === 0 && plain[other] > 0 && rows === 0)
			refuse(
				`contains only ${severalOf[other]}, but people are reached by ${wanted[by]}. ${canTell}`,
			);
	}

	sentence(): string | undefined {
		if (this.rows === 0) return undefined;
		const told = [...this.columns].map(([name, { number, address }]) => {
			const counts = compact([
				number && many(number, 'number'),
				address && many(address, 'address', 'addresses'),
			]);
			return `${quoted(name)} (${counts.join(', ')})`;
		});
		return `'Skip Numbers' read ${many(this.rows, 'row')}, column ${told.join(', ')}.`;
	}

	private addRow(columns: Array<[name: string, value: unknown]>): void {
		const { by, countries } = this;
		this.rows++;
		let found = 0;
		for (const [name, value] of columns) {
			const cells = asList(value).map((one) => readCell(one, headingOf(name), countries));
			const counts = {
				number: sumBy(cells, 'numbers.length'),
				address: sumBy(cells, 'addresses.length'),
			};
			found += counts[by];
			for (const { numbers, addresses, among, unreadable, noAddress } of cells) {
				// In a column of email addresses it is meant as one; elsewhere it may be any text.
				const broken = by === 'address' && counts.address > 0 ? noAddress : undefined;
				const shown = unreadable ?? broken;
				if (shown !== undefined)
					refuse(
						`contains ${quoted(shown)} in the column ${quoted(name)}, which is not ${oneOf(unreadable === undefined ? 'address' : 'number')}. ${canTell}`,
					);
				for (const one of [...numbers, ...addresses, ...among]) this.points.add(one, countries);
			}
			if (counts.number + counts.address === 0) continue;
			const { number, address } = this.columns.get(name) ?? none;
			this.columns.set(name, {
				number: number + counts.number,
				address: address + counts.address,
			});
		}
		if (found === 0)
			refuse(
				`contains a row without ${oneOf(by)} that can be compared: ${quoted(Object.fromEntries(columns))}. ${canTell}`,
			);
	}
}

/** What does not look at the item is resolved once: it may be long. @throws NodeOperationError if it cannot be read */
export function skippedNumbers(
	{ context, operation, options, parameter, hints }: Execution,
	count: number,
): ContactPoints {
	const raw = rawOptions(context)?.skipNumbers;
	const items = Array.from({ length: count }, (_, item) => item);
	const countries = new Set(items.map((item) => options(item).defaultCountry));
	const list = new SkipList(reachesBy(operation), [...countries]);
	const asked = raw === undefined || dependsOnItem(raw) ? items : items.slice(0, 1);
	let isEmptyList = false;
	try {
		const values = asked.map((item): unknown =>
			raw === undefined ? options(item).skipNumbers : parameter(skipNumbersPath, item),
		);
		for (const value of new Set(values)) {
			isEmptyList ||= Array.isArray(value) && value.every(isEmptyRow);
			list.add(value);
		}
		if (isExpression(raw) && list.points.isEmpty && !isEmptyList)
			refuse(`returned no phone number, although it has an expression. ${canTell}`);
		list.end();
	} catch (thrown) {
		if (!(thrown instanceof InvalidValue)) rethrow(thrown);
		const { message } = thrown;
		throw operationError(context.getNode(), { message, description: howTo });
	}
	const sentence = list.sentence() ?? (isEmptyList && list.points.isEmpty ? noEntries : undefined);
	if (sentence) hints.add(sentence);
	return list.points;
}
