import { type Execution, itemPlaceOf } from '../execution';
import { isEmpty, type Problem } from '../fields/field';
import { isRaw } from '../operation/kinds';
import type { PreparedRequest } from '../operation/preparedRequest';
import { keySourceOf } from '../operation/recovery';
import { itemName } from '../text/itemName';
import { quoted } from '../text/text';

/** The key that the user gave an item, as text; empty where it is left to the node. @throws a sentence about it */
function keyGiven(
	{ body, item }: PreparedRequest,
	{ options, asTool }: Execution,
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
	return { key };
}

const refusal = (item: number, message: string): Problem => ({
	item,
	field: 'Request Key',
	message,
});

/**
 * Gives every request that carries a request key its key.
 * @returns the items that are refused
 */
export function addRequestKeys(execution: Execution, ready: PreparedRequest[]): Problem[] {
	const problems: Problem[] = [];
	for (const prepared of ready) {
		const { operation, body, item } = prepared;
		const keySource = keySourceOf(operation.recover);
		if (operation.method === 'GET' || !(keySource || isRaw(operation))) continue;
		const given = keyGiven(prepared, execution);
		if ('complaint' in given) problems.push(refusal(item, `'Request Key' ${given.complaint}`));
		else if (given.key === '') {
			if (keySource) body.request_key = execution.journal.keyFor(prepared);
		} else {
			body.request_key = given.key;
			prepared.ownKey = true;
		}
	}
	return problems;
}

/** Two items with the same key of the user's are refused, because one would be lost. */
export function sameKeys(execution: Execution, ready: PreparedRequest[]): Problem[] {
	const refused = new Map<number, Problem>();
	const first = new Map<unknown, PreparedRequest>();
	for (const prepared of ready) {
		if (!prepared.ownKey) continue;
		const key = prepared.body.request_key;
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
						`'Request Key' "${String(key).slice(0, 60)}" is also the key of ${itemName(itemPlaceOf(execution, other))}. The platform would carry out only one of them. Give each item its own key`,
					),
				);
	}
	return [...refused.values()];
}
