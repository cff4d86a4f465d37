import { isExpression } from 'n8n-workflow';
import { type Execution, itemPlaceOf } from '../execution';
import { isEmpty, type Problem } from '../fields/field';
import { digest } from '../journal/journal';
import { isRaw } from '../operation/kinds';
import type { Draft, PreparedRequest } from '../operation/preparedRequest';
import { recipientsOf } from '../operation/recipients';
import { keySourceOf } from '../operation/recovery';
import { itemName } from '../text/itemName';
import { quoted } from '../text/text';
import { codesIn, leftToN8n, understand } from './plainExpressions';
import { rawOptions } from './readOptions';

/** What JavaScript writes for a missing value. */
const noValues = ['undefined', 'null', 'NaN', 'Invalid Date', 'Invalid DateTime'];

const lacksValue = (key: string): boolean => {
	const words = ` ${key.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
	return noValues.some((value) => words.includes(` ${value} `)) || /\[object \w+\]/.test(key);
};

/** A part of a key that an expression fills in, for one item. */
type KeyPart = (item: number) => { code: string; value: unknown };

/** The parts of the key as the workflow holds it; none if it is the same for all items, or made as a whole. */
function partsOfKey({ context, asTool }: Execution): KeyPart[] {
	const raw = rawOptions(context)?.requestKey;
	if (!isExpression(raw)) return [];
	const inputs = context.getInputData();
	return codesIn(raw).map((written): KeyPart => {
		const expression = `{{${written}}}`;
		const code = written.trim();
		// An AI tool's `$json` is not the item.
		const plain = asTool ? undefined : understand(`=${expression}`);
		return (item) => {
			const value = plain?.(inputs[item]?.json ?? {}) ?? leftToN8n;
			return {
				code,
				value:
					value === leftToN8n ? (context.evaluateExpression(expression, item) as unknown) : value,
			};
		};
	});
}

const isNothing = (value: unknown): boolean =>
	value === null || value === undefined || String(value).trim() === '';

/** Why a key cannot tell its item from others: a part of it is empty. */
function missingPart(key: string, parts: KeyPart[], item: number): string | undefined {
	const missing = parts.map((part) => part(item)).find(({ value }) => isNothing(value));
	if (missing)
		return (
			`is ${quoted(key)} for this item, because ${quoted(missing.code)} is empty. Other items ` +
			'without this value would have the same key, and the platform would act on only one ' +
			'of them. Use a value that each item has'
		);
	return lacksValue(key)
		? `is ${quoted(key)} for this item: a part of it has no value. Use a value that each item has`
		: undefined;
}

/** The key that the user set for an item, as text; empty if the node makes it. */
function keyGiven(
	{ body, item }: Draft,
	{ options, asTool }: Execution,
	parts: KeyPart[],
): { key: string } | { complaint: string } {
	const chosen = options(item);
	const given = chosen.requestKey ?? body.request_key;
	if (!isEmpty(given) && typeof given !== 'string' && !Number.isFinite(given))
		return { complaint: `should be text or a number, but it is ${quoted(given)}` };
	const key = String(given ?? '').trim();
	if (key === '' && 'requestKey' in chosen && !asTool)
		return {
			complaint:
				'is empty for this item. Give each item its own key, like an order number or a ' +
				'row ID, or remove the option',
		};
	if (key === '') return { key };
	const complaint = missingPart(key, parts, item);
	return complaint === undefined ? { key } : { complaint };
}

/**
 * The key as it is sent. It holds the recipient, so that the same key for another recipient is another send: a key that
 * two people share by mistake skips neither of them. What reaches many, and API Request, keep the key as it was
 * written.
 */
function keySent(prepared: Draft, key: string): string {
	const { operation } = prepared;
	if (!operation.reaches || operation.reaches.rows !== undefined) return key;
	const [recipient] = recipientsOf(prepared);
	const who = recipient?.number?.toLowerCase() ?? recipient?.contact;
	return who === undefined ? key : `${key}-${digest(who).slice(0, 12)}`;
}

const refusal = (item: number, message: string): Problem => ({
	item,
	field: 'Request Key',
	message,
});

/**
 * Adds its identity to every request, and its key to those that carry one.
 * @returns the requests, and the items that are refused
 */
export function identified(
	execution: Execution,
	drafts: Draft[],
): { ready: PreparedRequest[]; problems: Problem[] } {
	const { journal } = execution;
	const problems: Problem[] = [];
	let parts: KeyPart[] | undefined;
	const ready = drafts.flatMap((draft): PreparedRequest[] => {
		const { operation, body, item } = draft;
		const makesKey = keySourceOf(operation.recover) !== undefined;
		if (operation.method === 'GET' || !(makesKey || isRaw(operation)))
			return [journal.identified(draft, false)];
		const given = keyGiven(draft, execution, (parts ??= partsOfKey(execution)));
		if ('complaint' in given) {
			problems.push(refusal(item, `'Request Key' ${given.complaint}`));
			return [];
		}
		if (given.key === '') return [journal.identified(draft, makesKey)];
		const request_key = keySent(draft, given.key);
		const keyed = { ...draft, body: { ...body, request_key }, ownKey: given.key };
		return [journal.identified(keyed, false)];
	});
	return { ready, problems };
}

/** Two items with the same key of the user's are refused, because one of them must be a mistake. */
export function sameKeys(execution: Execution, ready: PreparedRequest[]): Problem[] {
	const refused = new Map<number, Problem>();
	const first = new Map<string, PreparedRequest>();
	for (const prepared of ready) {
		const key = prepared.ownKey;
		if (key === undefined) continue;
		const twin = first.get(key);
		if (!twin) {
			first.set(key, prepared);
			continue;
		}
		for (const [one, other] of [
			[twin.item, prepared.item],
			[prepared.item, twin.item],
		] as const)
			if (!refused.has(one))
				refused.set(
					one,
					refusal(
						one,
						`'Request Key' "${key.slice(0, 60)}" is also the key of ${itemName(itemPlaceOf(execution, other))}. A key stands for one request. Give each item its own key`,
					),
				);
	}
	return [...refused.values()];
}
