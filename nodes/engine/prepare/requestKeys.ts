import { groupBy, once } from 'lodash';
import { DateTime } from 'luxon';
import { isExpression } from 'n8n-workflow';
import { itemPlaceOf } from '../execution';
import { isEmpty, type Problem, problemsOf } from '../fields/field';
import { midnightZone } from '../fields/time';
import { isRaw } from '../operation/kinds';
import { isReachLimited, recipientsOf } from '../operation/places';
import { keySourceOf } from '../operation/recovery';
import { normalForm } from '../people/contactPoints';
import { itemName } from '../text/itemName';
import { digest, type Fail, quoted, refusing } from '../text/text';
import { expressionsIn } from './plainExpressions';
import { rawOptions, readerOf } from './parameters';
import { withLearned } from './zones';
import type { Draft, PreparedRequest, Execution } from '../operation/operation';

/** What JavaScript writes for a missing value. */
const noValues = ['undefined', 'null', 'NaN', 'Invalid Date', 'Invalid DateTime'];

const lacksValue = (key: string): boolean => {
	const words = ` ${key.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
	return noValues.some((value) => words.includes(` ${value} `)) || /\[object \w+\]/.test(key);
};

function partsOfKey({ context, asTool }: Execution) {
	const raw = rawOptions(context)?.requestKey;
	if (!isExpression(raw)) return [];
	return expressionsIn(raw).map((expression) => ({
		code: expression.slice(2, -2).trim(),
		valueFor: readerOf(context, asTool, expression),
	}));
}

const refuseKey: Fail = refusing('Request Key');
const refuseReach: Fail = refusing('Reach Each Person');

/** Without the recipient; the same in each run of this node, or of one day; undefined if it is off. @throws InvalidValue, Needed */
function keyOfReach(execution: Execution, { item, operation, body }: Draft): string | undefined {
	const chosen = execution.options(item);
	const { reachEachPerson: often } = chosen;
	const hasOwnKey = 'requestKey' in chosen || !isEmpty(body.request_key);
	if (often === 'ownKey' && !hasOwnKey)
		refuseReach("is 'By My Own Key', but no key is set. Add 'Request Key' under Options");
	if (!isReachLimited(chosen) || !operation.reaches) return undefined;
	if (hasOwnKey)
		refuseReach("and 'Request Key' are both set. Choose 'By My Own Key', or remove 'Request Key'");
	const { context, zones } = execution;
	const today = () =>
		DateTime.now()
			.setZone(midnightZone(zones.needed(item), 'Reach Each Person'))
			.toISODate();
	const day = often === 'once' ? '' : today();
	return digest(context.getWorkflow().id, context.getNode().id, day);
}

/** @returns the user's key as text; empty if the node makes it @throws InvalidValue if it cannot tell its item from others */
function keyGiven(
	{ body, item }: Draft,
	{ options, asTool }: Execution,
	parts: () => ReturnType<typeof partsOfKey>,
): string {
	const chosen = options(item);
	const given = chosen.requestKey ?? body.request_key;
	if (!isEmpty(given) && typeof given !== 'string' && !Number.isFinite(given))
		refuseKey(`should be text or a number, but it is ${quoted(given)}`);
	const key = String(given ?? '').trim();
	if (key === '' && 'requestKey' in chosen && !asTool)
		refuseKey(
			'is empty for this item. Give each item its own key, like an order number or a row ID, or remove the option',
		);
	if (key === '') return key;
	const missing = parts().find(({ valueFor }) => String(valueFor(item) ?? '').trim() === '');
	if (missing)
		refuseKey(
			`is ${quoted(key)} for this item, because ${quoted(missing.code)} is empty. Other items ` +
				'without this value would have the same key, and the platform would act on only one of them. Use a value that each item has',
		);
	if (lacksValue(key))
		refuseKey(
			`is ${quoted(key)} for this item: a part of it has no value. Use a value that each item has`,
		);
	return key;
}

/** With the recipient: a key that two share by mistake skips neither. As written for API Request and what reaches many. */
function keySent(prepared: Draft, key: string, isOfNode: boolean): string {
	const { operation } = prepared;
	if (!operation.reaches || operation.reaches.rows !== undefined) return key;
	const [recipient] = recipientsOf(prepared);
	const who = recipient?.number === undefined ? recipient?.contact : normalForm(recipient.number);
	if (who === undefined && isOfNode)
		refuseReach('cannot be kept, because this item names no number, email address or contact');
	return who === undefined ? key : `${key}-${digest(who).slice(0, 12)}`;
}

/** Gives every request its identity, and its key. @returns also the items that are refused */
export async function identified(execution: Execution, drafts: Draft[]) {
	const { journal } = execution;
	const problems: Problem[] = [];
	const parts = once(() => partsOfKey(execution));
	const withKey = async (draft: Draft): Promise<PreparedRequest> => {
		const { operation, body } = draft;
		const makesKey = keySourceOf(operation.recover) !== undefined;
		if (operation.method === 'GET' || !(makesKey || isRaw(operation)))
			return journal.identified(draft, false);
		const keyOfNode = await withLearned(execution, () => keyOfReach(execution, draft));
		const ownKey = keyOfNode ?? keyGiven(draft, execution, parts);
		if (ownKey === '') return journal.identified(draft, makesKey);
		const request_key = keySent(draft, ownKey, keyOfNode !== undefined);
		const told = keyOfNode === undefined ? ownKey : request_key;
		return journal.identified({ ...draft, body: { ...body, request_key }, ownKey: told }, false);
	};
	const ready: PreparedRequest[] = [];
	for (const draft of drafts) {
		try {
			ready.push(await withKey(draft));
		} catch (thrown) {
			problems.push(...problemsOf(thrown, draft.item));
		}
	}
	return { ready, problems };
}

/** Two items with the same key of the user's are refused, because one of them must be a mistake. */
export function sameKeys(execution: Execution, ready: PreparedRequest[]): Problem[] {
	const keyed = ready.filter(({ ownKey }) => ownKey !== undefined);
	return Object.values(groupBy(keyed, 'ownKey')).flatMap((same) =>
		same.length < 2
			? []
			: same.map(({ item, ownKey = '' }, at) => {
					const twin = itemName(itemPlaceOf(execution, (same[at ? 0 : 1] as PreparedRequest).item));
					return {
						item,
						field: 'Request Key',
						message: `'Request Key' "${ownKey.slice(0, 60)}" is also the key of ${twin}. Give each item its own key`,
					};
				}),
	);
}
