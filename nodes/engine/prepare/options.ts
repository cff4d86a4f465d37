import type { ReadParameter } from '../execution';
import { InvalidValue, type Problem, type Source } from '../fields/field';
import { boolean, integer, number } from '../fields/scalar';
import { type Placed, readFields, within } from '../fields/structure';
import { mostConcurrency, mostLargestFile, type RunOptions } from '../operation/runOptions';
import { title } from '../text/text';
import { rethrow } from '../rethrow';

/** Options whose values an expression may have got wrong. */
const checked = {
	batchSize: integer({ min: 1 }),
	concurrency: integer({ min: 1, max: mostConcurrency }),
	downloadFile: boolean(),
	largestFile: number({ min: 1, max: mostLargestFile }),
	maxRetries: integer({ min: 0, max: 20 }),
	preview: boolean(),
	retryWrites: boolean(),
	sendEmpty: boolean(),
	timeout: number({ min: 1, max: 600 }),
	waitTimeout: number({ min: 1, max: 86_400 }),
};

const placed: Placed[] = Object.entries(checked).map(([name, field]) => ({
	field,
	path: [name],
	name,
	displayName: title(name),
}));

/**
 * The options of one item, in their types; those left empty are absent.
 * @throws InvalidValue naming the option
 */
function readOptions(given: RunOptions, item: number): RunOptions {
	const source = within({ item, sendEmpty: false, above: ['Options'] } as unknown as Source, given);
	const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !(name in checked)));
	return { ...rest, ...readFields(placed, source) };
}

/** The options of all items, read once; an item whose options cannot be read has none and stands among the problems. */
export function readAllOptions(
	parameter: ReadParameter,
	count: number,
): { options: (item: number) => RunOptions; problems: Problem[] } {
	const problems: Problem[] = [];
	const none: RunOptions = {};
	// Without expressions all items have the very same.
	let last: { given?: RunOptions; read: RunOptions } = { read: none };
	const known = Array.from({ length: count }, (_, item) => {
		try {
			const given = parameter('options', item) as RunOptions | undefined;
			if (given !== last.given) last = { given, read: given ? readOptions(given, item) : none };
			return last.read;
		} catch (thrown) {
			if (!(thrown instanceof InvalidValue)) rethrow(thrown);
			problems.push({ item, field: thrown.field, message: thrown.message });
			return none;
		}
	});
	return { options: (item) => known[item] ?? none, problems };
}
