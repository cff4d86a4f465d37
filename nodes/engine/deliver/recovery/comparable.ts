import { yesOrNo } from '../../text/text';

/** Large whole numbers are rounded, so that different ones look the same. */
const isExact = (number: number): boolean =>
	Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));

/**
 * What a value can be found by, the form that it is in first. Texts are compared exactly, but for spaces around them;
 * numbers, and true and false, by their value, also if the platform keeps them as text.
 * @returns nothing for an empty value, undefined for one that cannot be compared
 */
export function comparable(value: unknown): string[] | undefined {
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
export const together = (forms: string[][]): string[] =>
	forms
		.reduce<string[][]>(
			(ways, some) => ways.flatMap((way) => some.map((form) => [...way, form])),
			[[]],
		)
		.map((way) => JSON.stringify(way));
