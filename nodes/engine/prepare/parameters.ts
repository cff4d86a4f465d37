import { type IExecuteFunctions, isExpression } from 'n8n-workflow';
import { isEmpty } from '../fields/field';
import { InvalidValue, tidy, title } from '../text/text';
import type { ReadParameter } from '../execution';
import { expressionsIn, leftToN8n, type Plain, understand } from './plainExpressions';

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

/**
 * The only access to a node's parameters. Expressions that only name values of the item are read from the item itself,
 * with the same result as n8n's; n8n resolves all others. For an AI tool `$json` is not the item, so n8n resolves all.
 * @returns a function that returns a parameter of an item with its expressions resolved; undefined if the operation
 * does not show it. It throws InvalidValue when an expression cannot be resolved
 */
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
	'$ $input $vars $env $secrets $now $today $execution $workflow $prevNode $runIndex $if $ifEmpty $min $max'.split(
		' ',
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

/**
 * The first part of several in a text that returns nothing for an item: `{{ $json.phone }}` in `+{{ $json.phone }}`.
 * @param written the text with its expressions
 */
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
