import { isPlainObject } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ReadParameter } from '../execution';
import { refuseUnanswered } from '../fields/answered';
import { InvalidValue, isEmpty, type Problem, type Source } from '../fields/field';
import { country } from '../fields/phone';
import { boolean, choice, integer, number } from '../fields/scalar';
import { type Placed, readFields, within } from '../fields/structure';
import {
	mostConcurrency,
	mostMaximumFileSize,
	type RunOptions,
	sameNumberTwice,
} from '../operation/runOptions';
import { emptyPartOf } from './parameters';
import { title } from '../text/text';
import { rethrow } from '../errors/rethrow';

/** Options whose values an expression may have got wrong. */
const checked = {
	batchSize: integer({ min: 1 }),
	concurrency: integer({ min: 1, max: mostConcurrency }),
	defaultCountry: country(),
	downloadFile: boolean(),
	maximumFileSize: number({ min: 1, max: mostMaximumFileSize }),
	maxRetries: integer({ min: 0, max: 20 }),
	preview: boolean(),
	retryWrites: boolean(),
	sameNumberTwice: choice(sameNumberTwice),
	skipBlacklistedContacts: boolean(),
	sendEmptyFields: boolean(),
	startAgain: boolean(),
	timeout: number({ min: 1, max: 600 }),
	waitTimeout: number({ min: 1, max: 86_400 }),
};

/** Options that are read elsewhere; 'Skip Numbers' and 'Request Key' say there what an empty expression means. */
const readElsewhere = { binaryPropertyName: 'Put Output File in Field', timezone: 'Timezone' };

const placed: Placed[] = Object.entries(checked).map(([name, field]) => ({
	field,
	path: [name],
	name,
	displayName: title(name),
	decides: true,
}));

/** 'Skip Numbers' may be a long list that is the same for all items, so it is read apart from the others. */
export const skipNumbersPath = 'options.skipNumbers';

/** The options as they were written, expressions unresolved; nothing if they are one expression as a whole. */
export function rawOptions(context: IExecuteFunctions): IDataObject | undefined {
	const raw: unknown = context.getNodeParameter('options', 0, {}, { rawExpressions: true });
	return isPlainObject(raw) ? (raw as IDataObject) : undefined;
}

/** The options of one item as they were given, without a list that is read apart. */
function optionsGiven(
	parameter: ReadParameter,
	item: number,
	raw: IDataObject | undefined,
): RunOptions | undefined {
	if (!raw || !('skipNumbers' in raw)) return parameter('options', item) as RunOptions | undefined;
	const names = Object.keys(raw).filter((name) => name !== 'skipNumbers');
	return Object.fromEntries(names.map((name) => [name, parameter(`options.${name}`, item)]));
}

/**
 * The options of one item, in their types; those left empty are absent.
 * @throws InvalidValue naming the option
 */
function readOptions(
	context: IExecuteFunctions,
	given: RunOptions,
	item: number,
	raw: IDataObject | undefined,
): RunOptions {
	const source = within(
		{
			item,
			sendEmptyFields: false,
			above: ['Options'],
			emptyPart: (text: unknown) => emptyPartOf(context, text, item),
		} as unknown as Source,
		given,
		raw,
	);
	for (const [name, displayName] of Object.entries(readElsewhere))
		if (isEmpty(given[name])) refuseUnanswered(source, name, displayName);
	const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !(name in checked)));
	return { ...rest, ...readFields(placed, source) };
}

/** The options of all items, read once; an item whose options cannot be read has none and is among the problems. */
export function readAllOptions(
	context: IExecuteFunctions,
	parameter: ReadParameter,
	count: number,
): { options: (item: number) => RunOptions; problems: Problem[] } {
	const problems: Problem[] = [];
	const raw = rawOptions(context);
	const none: RunOptions = {};
	// Without expressions all items have the very same.
	let last: { given?: RunOptions; read: RunOptions } = { read: none };
	const known = Array.from({ length: count }, (_, item) => {
		try {
			const given = optionsGiven(parameter, item, raw);
			if (given !== last.given)
				last = { given, read: given ? readOptions(context, given, item, raw) : none };
			return last.read;
		} catch (thrown) {
			if (!(thrown instanceof InvalidValue)) rethrow(thrown);
			problems.push({ item, field: thrown.field, message: thrown.message });
			return none;
		}
	});
	return { options: (item) => known[item] ?? none, problems };
}
