import { isEmpty, isPlainObject, once, partition, pick } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { optionFieldsOf } from '../describe/options';
import type { ReadParameter } from '../execution';
import type { Problem, Source } from '../fields/field';
import { type Placed, readFields, within } from '../fields/structure';
import type { Operation } from '../operation/operation';
import { advanced, type RunOptions } from '../operation/runOptions';
import { bodyJson, queryParametersJson } from '../platform/guesses';
import { emptyPartOf } from './parameters';
import { problemsOf } from './problems';

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
	return isPlainObject(raw) ? unfolded(raw as IDataObject) : undefined;
}

/** The options of one item as they were given, without a list that is read apart. */
function optionsGiven(
	parameter: ReadParameter,
	item: number,
	raw: IDataObject | undefined,
): RunOptions | undefined {
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
				last = { given, read: isEmpty(given) ? none : read(given as RunOptions, item) };
			return last.read;
		} catch (thrown) {
			problems.push(...problemsOf(thrown, item));
			return none;
		}
	});
	return { options: (item) => known[item] ?? none, problems };
}
