import { buffer } from 'node:stream/consumers';
import { ApiError } from './errors.mjs';
import { allManners, NO_MANNERS } from './manners.mjs';
import { targetOf } from './intents.mjs';
import { sendJson } from './pieces.mjs';
import { reply } from './resources/conversations.mjs';
import { callersZone } from './zone.mjs';

const UTC = callersZone({}).zone;

/**
 * The control interface under /_sandbox: JSON, without authentication.
 * @param {import('./sandbox.mjs').Sandbox} sandbox
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {string} path
 * @param {URLSearchParams} search
 */
export async function control(sandbox, request, response, path, search) {
	try {
		const bytes = await buffer(request);
		const body = bytes.length === 0 ? undefined : JSON.parse(bytes.toString('utf8'));
		const [area, name, uuid] = path.split('/').filter(Boolean).slice(1);
		const key = `${request.method} ${area}${name === undefined ? '' : '/…'}`;
		const action = needed(Object.hasOwn(ACTIONS, key) && ACTIONS[key], `${key} here`);
		const result = (await action(sandbox, { name, uuid, search, body })) ?? { ok: true };
		sendJson(response, 200, result);
	} catch (error) {
		if (error instanceof ApiError) sendJson(response, error.status, error.body());
		else sendJson(response, 400, { success: false, message: error.message });
	}
}

/** The person at the page, as a contact. */
const PERSON = '+12025550100';

/**
 * Places a call to the person at the page, through the public API, as any client would.
 * @returns {Promise<{uuid: string}>} of the call
 * @throws {ApiError} what the API refuses
 */
async function callMe(sandbox) {
	const agents = sandbox.store.all('agents');
	const agent =
		agents.find(({ intents }) => intents.some((intent) => targetOf(intent) !== undefined)) ??
		agents[0];
	const response = await fetch(`${sandbox.url}/api/v1/call`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${sandbox.identities.token('workspace')}`,
			'content-type': 'application/json',
		},
		body: JSON.stringify({
			agentId: agent?.agent_uuid,
			participant: { number: PERSON, about: 'You pressed Call me.' },
			message: {
				start: `Hello, this is ${agent?.name}. You pressed “Call me”; a workflow rings you in the same way.`,
			},
		}),
	});
	const { data, message } = await response.json().catch(() => ({}));
	if (response.ok && data?.id) return { uuid: data.id };
	throw new ApiError(409, {
		message: `Nobody was called: ${message ?? `status ${response.status}`}`,
	});
}

const needed = (found, what) => {
	if (!found) throw new ApiError(404, { message: `There is no ${what}.` });
	return found;
};

/** What each request does with the sandbox: method and first step of the path, `/…` if it goes on. */
const ACTIONS = {
	'POST reset': (sandbox, { body }) => sandbox.reset(body),
	'GET settings': ({ settings }) => settings,
	'PATCH settings': (sandbox, { body }) => {
		sandbox.change(body);
		return sandbox.settings;
	},
	'GET manners': () => allManners(),
	'DELETE manners': (sandbox) => sandbox.change({ manners: NO_MANNERS }),
	'GET tokens': ({ identities }) => identities.all(),
	'POST tokens': ({ identities }, { body }) => identities.add(body.kind, body),
	'POST tokens/…': ({ identities }, { name, body }) =>
		void needed(name === 'revoke' && identities.revoke(body.token), 'such token'),
	'GET ledger': ({ ledger }, { search }) =>
		ledger.list({ path: search.get('path'), method: search.get('method') }),
	'GET ledger/…': ({ ledger }) => ledger.summary(),
	'DELETE ledger': ({ ledger }) => ledger.clear(),
	'GET faults': ({ faults }) => faults.all(),
	'POST faults': ({ faults }, { body }) => faults.add([body].flat()),
	'DELETE faults': ({ faults }) => faults.clear(),
	'GET state': ({ store }) => store.names(),
	'GET state/…': ({ store }, { name }) => store.shown(name),
	'POST state/…': ({ contract, store }, { name, body }) => {
		const add = (record) => store.add(name, contract.withInstants(record, UTC));
		return Array.isArray(body) ? body.map(add) : add(body);
	},
	'PATCH state/…': ({ contract, store }, { name, uuid, body }) => {
		const record = needed(store.get(name, uuid), `${uuid} in ${name}`);
		return Object.assign(record, contract.withInstants(body, UTC));
	},
	'DELETE state/…': ({ store }, { name, uuid }) =>
		void needed(store.delete(name, uuid), `${uuid} in ${name}`),
	'POST deliver': ({ deliveries }, { body: { agent, event, data = {} } }) =>
		deliveries.deliver(agent, event, data),
	'GET deliveries': ({ deliveries }) => deliveries.log(),
	'DELETE deliveries': ({ deliveries }) => deliveries.clear(),
	'POST intents': ({ intents }, { body }) => intents.trigger(body),
	'GET intents': ({ intents }) => intents.log(),
	'DELETE intents': ({ intents }) => intents.clear(),
	'POST call-me': callMe,
	'POST hours/…': ({ hours }, { name }) => {
		needed(name === 'begin', `hours/${name} here`);
		hours.beginNow();
	},
	'POST calls/…': ({ calls }, { name, uuid: action, body }) => {
		if (`${name}/${action}` === 'all/decline') calls.declineAll();
		else calls.byHand(name, action, body);
	},
	'POST replies/…': (sandbox, { name, body }) => reply(sandbox, name, body?.text),
	/** What is there by now was there before: a read that lags shows it. */
	'POST settle': (sandbox) => void (sandbox.seededAt = Date.now()),
	'GET files': ({ fileRequests }) => fileRequests,
	'GET health': () => ({
		pid: process.pid,
		memory: process.memoryUsage(),
		cpu: process.cpuUsage(),
	}),
};
