import { type IExecuteFunctions, isExpression, type IDataObject } from 'n8n-workflow';
import { isEmpty, type Problem, type Source, problemsOf } from '../fields/field';
import { isPlainObject, InvalidValue, tidy, title, words } from '../text/text';
import { expressionsIn, leftToN8n, piecesOf, type Plain, understand } from './plainExpressions';
import { once, partition, pick, size } from 'lodash';
import { optionFieldsOf } from '../describe/options';
import { type Placed, readFields, within } from '../fields/structure';
import type { Operation, ReadParameter } from '../operation/operation';
import { advanced, type RunOptions } from '../operation/runOptions';
import { bodyJson, queryParametersJson } from '../platform/guesses';

/** Stands for a parameter that the operation does not show; n8n would throw. */
const absent = '(no such parameter)';

function readBy(context: IExecuteFunctions, name: string, item: number, raw: boolean): unknown {
	const value = context.getNodeParameter(name, item, absent, { rawExpressions: raw });
	return value === absent ? undefined : value;
}

function resolved(context: IExecuteFunctions, name: string, item: number): unknown {
	try {
		return readBy(context, name, item, false);
	} catch (thrown) {
		const message = thrown instanceof Error ? thrown.message : '';
		const unresolved = new InvalidValue(
			title(name),
			`has an expression that could not be resolved: ${tidy(message, 150) ?? 'no reason given'}`,
		);
		throw unresolved;
	}
}

/** Expressions that only name values of the item are read from it, not by n8n; not of an AI tool, whose `$json` is another. */
export function parametersOf(context: IExecuteFunctions, asTool: boolean): ReadParameter {
	const inputs = context.getInputData();
	const known = new Map<string, Plain | undefined>();
	return (name, item) => {
		const json = inputs[item]?.json;
		if (asTool || !json) return resolved(context, name, item);
		if (!known.has(name)) known.set(name, understand(readBy(context, name, 0, true)));
		const plain = known.get(name);
		const value = plain ? plain(json) : leftToN8n;
		return value === leftToN8n ? resolved(context, name, item) : value;
	};
}

/** What expressions name that is the same for every item of a run. */
const sameForAll = new Set(
	words(
		'$ $input $vars $env $secrets $now $today $execution $workflow $prevNode $runIndex $if $ifEmpty $min $max',
	),
);

/** Whether a parameter, as it was written, may return another value for another item: it looks at more than nodes. */
export const dependsOnItem = (written: unknown): boolean =>
	typeof written === 'string'
		? isExpression(written) &&
			(/item/i.test(written) ||
				[...written.matchAll(/\$\w*/g)].some(([name]) => !sameForAll.has(name)))
		: typeof written === 'object' && written !== null && Object.values(written).some(dependsOnItem);

/** What a part in braces returns; a part that does more than naming a value may say "nothing" with an empty text. */
function isEmptyPart(context: IExecuteFunctions, part: string, item: number): boolean {
	const plain = understand(`=${part}`);
	const value = plain ? plain(context.getInputData()[item]?.json ?? {}) : leftToN8n;
	if (value !== leftToN8n) return isEmpty(value);
	try {
		const given: unknown = context.evaluateExpression(part, item);
		return typeof given !== 'string' && isEmpty(given);
	} catch {
		// n8n splits the text elsewhere.
		return false;
	}
}

/** `{{ $json.phone }}` in `+{{ $json.phone }}`, if it returns nothing. @param written the text with its expressions */
export function emptyPartOf(
	context: IExecuteFunctions,
	written: unknown,
	item: number,
): string | undefined {
	if (!isExpression(written) || written.includes('\\')) return undefined;
	const parts = expressionsIn(written);
	if (parts[0]?.length === written.trim().length - 1) return undefined;
	return parts.find((part) => isEmptyPart(context, part, item));
}

/** Reads what an expression in braces returns for an item. */
export function readerOf(
	context: IExecuteFunctions,
	asTool: boolean,
	part: string,
): (item: number) => unknown {
	const inputs = context.getInputData();
	// An AI tool's `$json` is not the item.
	const plain = asTool ? undefined : understand(`=${part}`);
	return (item) => {
		const value = plain ? plain(inputs[item]?.json ?? {}) : leftToN8n;
		return value === leftToN8n ? context.evaluateExpression(part, item) : value;
	};
}

/** Texts and values of what is both, as `Source.pieces` has them. */
export function piecesFor(
	context: IExecuteFunctions,
	asTool: boolean,
	written: string,
	item: number,
): ReturnType<Source['pieces']> {
	const pieces = piecesOf(written.slice(1));
	const texts = pieces.filter((_, at) => at % 2 === 0);
	const codes = pieces.filter((_, at) => at % 2 === 1);
	if (codes.length === 1 && texts.join('').trim() === '') return undefined;
	const values = () => codes.map((code) => readerOf(context, asTool, `{{${code}}}`)(item));
	return { texts, values };
}

/** Options that are read elsewhere, where an empty expression may mean something. */
const readElsewhere = ['requestKey', 'skipNumbers', bodyJson.name, queryParametersJson.name];

/** 'Skip Numbers' may be a long list that is the same for all items, so it is read apart from the others. */
export const skipNumbersPath = 'options.skipNumbers';

/** Options and those in 'Advanced', on one level. */
const unfolded = <T extends object>({ advanced, ...options }: T & { advanced?: object }) => ({
	...options,
	...advanced,
});

/** The options as they were written, expressions unresolved; nothing if they are one expression as a whole. */
export function rawOptions(context: IExecuteFunctions): IDataObject | undefined {
	const raw: unknown = context.getNodeParameter('options', 0, {}, { rawExpressions: true });
	return isPlainObject(raw) ? unfolded(raw) : undefined;
}

/** The options of one item as they were given, without a list that is read apart. */
function optionsGiven(parameter: ReadParameter, item: number, raw: IDataObject | undefined) {
	if (!raw || !('skipNumbers' in raw)) return parameter('options', item) as RunOptions | undefined;
	const names = Object.keys(raw).filter((name) => name !== 'skipNumbers');
	const placeOf = (name: string) => (advanced.includes(name) ? `advanced.${name}` : name);
	return Object.fromEntries(
		names.map((name) => [name, parameter(`options.${placeOf(name)}`, item)]),
	);
}

/** The options of all items, read once; an item whose options cannot be read has none and is among the problems. */
export function readAllOptions(
	context: IExecuteFunctions,
	operation: Operation,
	parameter: ReadParameter,
	count: number,
): { options: (item: number) => RunOptions; problems: Problem[] } {
	const problems: Problem[] = [];
	const raw = rawOptions(context);
	const none: RunOptions = {};
	const placed = once(() =>
		partition(
			optionFieldsOf(operation)
				.filter(({ name }) => !readElsewhere.includes(name))
				.map((field): Placed => ({ ...field, decides: true })),
			({ name }) => advanced.includes(name),
		),
	);
	const read = (options: RunOptions, item: number): RunOptions => {
		const given = unfolded(options);
		const emptyPart = (text: unknown) => emptyPartOf(context, text, item);
		const readBelow = (fields: Placed[], ...above: string[]) => {
			const source = { item, sendEmptyFields: false, above, emptyPart } as unknown as Source;
			return readFields(fields, within(source, given, raw));
		};
		const [inside, beside] = placed();
		return {
			...pick(given, readElsewhere),
			...readBelow(beside, 'Options'),
			...readBelow(inside, 'Options', 'Advanced'),
		};
	};
	// Without expressions all items have the very same.
	let last: { given?: RunOptions; read: RunOptions } = { read: none };
	const known = Array.from({ length: count }, (_, item) => {
		try {
			const given = optionsGiven(parameter, item, raw);
			if (given !== last.given)
				last = { given, read: size(given) === 0 ? none : read(given as RunOptions, item) };
			return last.read;
		} catch (thrown) {
			problems.push(...problemsOf(thrown, item));
			return none;
		}
	});
	return { options: (item) => known[item] ?? none, problems };
}
