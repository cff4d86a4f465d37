import { agents } from './agents.mjs';
import { builders } from './builders.mjs';
import { calls } from './calls.mjs';
import { contactHooks, contacts } from './contacts.mjs';
import { conversations } from './conversations.mjs';
import { flows } from './flows.mjs';
import { genericHandler } from './generic.mjs';
import { insightHooks, insights } from './insights.mjs';
import { medias } from './medias.mjs';
import { messageHooks, messages } from './messages.mjs';
import { outreach, outreachHooks } from './outreach.mjs';
import { phoneNumbers } from './phone-numbers.mjs';
import { quality, qualityHooks } from './quality.mjs';
import { scheduling, schedulingHooks } from './scheduling.mjs';
import { tables } from './tables.mjs';

/** Behaviour by operation key; what is not here is served by the contract's shape alone. */
const HANDLERS = {
	...agents,
	...builders,
	...calls,
	...contacts,
	...conversations,
	...flows,
	...insights,
	...medias,
	...messages,
	...outreach,
	...phoneNumbers,
	...quality,
	...scheduling,
	...tables,
};

const HOOKS = {
	...contactHooks,
	...insightHooks,
	...messageHooks,
	...outreachHooks,
	...qualityHooks,
	...schedulingHooks,
};

/** @type {WeakMap<object, (context: object) => import('../answers.mjs').Result>} */
const found = new WeakMap();

/**
 * @param {import('../validate.mjs').Contract} contract
 * @param {import('../validate.mjs').Operation} operation
 * @returns {(context: object) => import('../answers.mjs').Result}
 */
export function handlerFor(contract, operation) {
	let handler = found.get(operation);
	if (handler === undefined)
		found.set(
			operation,
			(handler = HANDLERS[operation.key] ?? genericHandler(contract, operation, HOOKS)),
		);
	return handler;
}

/** @returns {string[]} keys of handlers that no operation of the contract uses */
export const unusedHandlers = (contract) => {
	const keys = new Set(contract.operations.map(({ key }) => key));
	return Object.keys(HANDLERS).filter((key) => !keys.has(key));
};
