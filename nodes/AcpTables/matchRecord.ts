import { merge } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Field } from '../engine/fields';
import { storedIn } from '../engine/fields/mapper';
import { shownRecords } from './tableCells';
import { fromRequest, matchFirst, perPage, read } from '../engine/operation';
import { InvalidValue, quoted, yesOrNo } from '../engine/text/text';

/** Large whole numbers are rounded, so that different ones look the same. */
const isExact = (number: number): boolean =>
	Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));

/**
 * What a value can be found by, the form that it is in first. Texts are compared exactly, but for spaces around them;
 * numbers, and true and false, by their value, also if the platform keeps them as text.
 * @returns nothing for an empty value, undefined for one that cannot be compared
 */
function formsOf(value: unknown): string[] | undefined {
	if (value === null) return [];
	if (typeof value === 'string') {
		const text = value.trim();
		const truth = yesOrNo(text);
		if (text === '') return [];
		return [
			`text ${text}`,
			...(isExact(Number(text)) ? [`number ${Number(text)}`] : []),
			...(truth === undefined ? [] : [`boolean ${truth}`]),
		];
	}
	if (typeof value === 'boolean') return [`boolean ${value}`, `text ${value}`];
	if (typeof value !== 'number' || !isExact(value)) return undefined;
	return [
		`number ${value}`,
		`text ${value}`,
		...(value === 0 || value === 1 ? [`boolean ${value === 1}`] : []),
	];
}

/** What several values together can be found by: every way to choose one form of each. */
const keysOf = (forms: string[][]): string[] =>
	forms
		.reduce<string[][]>(
			(ways, some) => ways.flatMap((way) => some.map((form) => [...way, form])),
			[[]],
		)
		.map((way) => JSON.stringify(way));

const sent = ({ record }: IDataObject): IDataObject => record as IDataObject;

/** The columns of a row, with the question by which of them it is matched. */
export const withMatching = (columns: Field<IDataObject>): Field<IDataObject> => ({
	...columns,
	show: (...given) => {
		const [shown, ...hints] = columns.show(...given) as [INodeProperties];
		const propertyHint = `${shown.builderHint?.propertyHint}. Beside value, "matchingColumns":["status"] (required): the keys by which a record is found`;
		const resourceMapper = { mode: 'upsert', multiKeyMatch: true };
		merge(shown, { builderHint: { propertyHint }, typeOptions: { resourceMapper } });
		return [shown, ...hints];
	},
	read: (source, name, displayName) => {
		const values = columns.read(source, name, displayName) ?? {};
		const { matching } = storedIn(source.get(name));
		const empty = matching.find((column) => !Object.hasOwn(values, column));
		const unmatched =
			'is empty, so no record can be matched by it. Fill it in, or check its expression';
		const unchosen = "has no column to match on. Choose at least one under 'Columns to match on'";
		if (matching.length === 0) throw new InvalidValue(displayName, unchosen);
		if (empty !== undefined) throw new InvalidValue(`${displayName} › ${empty}`, unmatched);
		source.report({ matching });
		return values;
	},
});

/** A record is matched by the values of the columns that people chose; no source shows a search in the list. */
export const matchRecord = matchFirst({
	in: read('GET /data/{uuid}/records', { uuid: fromRequest('uuid') }),
	pageSize: perPage,
	what: 'records',
	key: (body, matching) => {
		const forms = matching.map((name) => formsOf(sent(body)[name])?.[0]);
		return forms.includes(undefined) ? undefined : JSON.stringify(forms);
	},
	says: (body, matching) =>
		matching.map((name) => `${quoted(name)} ${quoted(sent(body)[name])}`).join(', '),
	records: (rows, { matching, checked }) => {
		const shown = shownRecords(rows, checked);
		const inTwoPlaces = 'The list shows columns of the table in two places.';
		if (!shown) return { records: [], unclear: inTwoPlaces };
		const hidden = matching.find((name) =>
			shown.some(({ values }) => formsOf(values[name]) === undefined),
		);
		const notShown = `No record of the list shows the column ${quoted(hidden)}, or one shows it in a way that cannot be compared. Match on another column.`;
		const records = shown.map((one) => ({
			...one,
			// When it is asked for: those of a whole table would take too long at a time.
			get keys() {
				return keysOf(matching.map((name) => formsOf(one.values[name]) ?? []));
			},
		}));
		return hidden === undefined ? { records } : { records, unclear: notShown };
	},
	update: { endpoint: 'PUT /data/{uuid}/records/{record}', id: 'record', sent },
});
