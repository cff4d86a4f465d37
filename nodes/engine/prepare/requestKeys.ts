import { type Execution, placeOf } from '../execution';
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

/**
 * Gives every request that carries a request key its key. Two items with the same key of the
 * user's are refused, because
 * one would be lost.
 * @returns the items that are refused
 */
export function addRequestKeys(execution: Execution, ready: PreparedRequest[]): Problem[] {
	const problems: Problem[] = [];
	const refuse = (item: number, text: string) =>
		problems.push({ item, field: 'Request Key', message: `'Request Key' ${text}` });
	const first = new Map<string, PreparedRequest>();
	const twins = new Set<number>();
	for (const prepared of ready) {
		const { operation, body, item } = prepared;
		const keySource = keySourceOf(operation.recover);
		if (operation.method === 'GET' || !(keySource || isRaw(operation))) continue;
		const given = keyGiven(prepared, execution);
		if ('complaint' in given) {
			refuse(item, given.complaint);
			continue;
		}
		const { key } = given;
		if (key === '') {
			if (keySource) body.request_key = execution.journal.keyFor(prepared);
			continue;
		}
		body.request_key = key;
		prepared.ownKey = true;
		const twin = first.get(key);
		if (!twin) {
			first.set(key, prepared);
			continue;
		}
		for (const [one, other] of [
			[twin.item, item],
			[item, twin.item],
		] as const) {
			if (twins.has(one)) continue;
			twins.add(one);
			refuse(
				one,
				`"${key.slice(0, 60)}" is also the key of ${itemName(placeOf(execution, other))}. The platform would carry out only one of them; give each item its own key`,
			);
		}
	}
	return problems;
}
