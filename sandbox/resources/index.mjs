import { resultOf } from '../answers.mjs';
import * as agents from './agents.mjs';
import * as builders from './builders.mjs';
import * as calls from './calls.mjs';
import * as contacts from './contacts.mjs';
import * as conversations from './conversations.mjs';
import * as flows from './flows.mjs';
import { genericHandler, ownerOf } from './generic.mjs';
import * as insights from './insights.mjs';
import * as medias from './medias.mjs';
import * as messages from './messages.mjs';
import * as outreach from './outreach.mjs';
import * as phoneNumbers from './phone-numbers.mjs';
import * as quality from './quality.mjs';
import * as scheduling from './scheduling.mjs';
import * as tables from './tables.mjs';

const AREAS = [
	...[agents, builders, calls, contacts, conversations, flows, insights, medias],
	...[messages, outreach, phoneNumbers, quality, scheduling, tables],
];

/** Behaviour by operation key; what is not here is served by the contract's shape alone. */
const HANDLERS = Object.assign({}, ...AREAS.map(({ handlers }) => handlers));
/** What is special about collections that are served so. */
const RULES = Object.assign({}, ...AREAS.map(({ rules }) => rules));

/** @type {WeakMap<object, (context: any) => any>} */
const found = new WeakMap();

function handlerFor(contract, operation) {
	if (!found.has(operation))
		found.set(operation, HANDLERS[operation.key] ?? genericHandler(contract, operation, RULES));
	return found.get(operation);
}

/**
 * Carries out a request that the contract allows.
 * @param {any} context with `record`, the one that the path names first, the handler's
 * @returns {import('../answers.mjs').Result}
 */
export function carryOut(context) {
	const { sandbox, operation, params } = context;
	const owner = ownerOf(operation);
	const record = owner && sandbox.store.need(owner.name, params[owner.index]);
	const data = handlerFor(sandbox.contract, operation)({ ...context, record });
	return resultOf(sandbox.contract, operation, params, data);
}

/** @returns {string[]} keys of handlers that no operation of the contract uses */
export const unusedHandlers = (contract) => {
	const keys = new Set(contract.operations.map(({ key }) => key));
	return Object.keys(HANDLERS).filter((key) => !keys.has(key));
};
