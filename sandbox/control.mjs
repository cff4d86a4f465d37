import { buffer } from 'node:stream/consumers';
import { ApiError } from './errors.mjs';
import { allManners, NO_MANNERS } from './manners.mjs';
import { targetOf } from './intents.mjs';
import { reply } from './resources/conversations.mjs';
import { born } from './store.mjs';
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
	const send = (status, body) => {
		const text = JSON.stringify(body);
		response.writeHead(status, {
			'content-type': 'application/json; charset=utf-8',
			'content-length': Buffer.byteLength(text),
		});
		response.end(text);
	};
	try {
		const bytes = await buffer(request);
		const body = bytes.length === 0 ? undefined : JSON.parse(bytes.toString('utf8'));
		const steps = path.split('/').filter(Boolean).slice(1);
		send(200, await act(sandbox, request.method, steps, search, body));
	} catch (error) {
		if (error instanceof ApiError) send(error.status, error.body());
		else send(400, { success: false, message: error.message });
	}
}

const done = { ok: true };

/** The person at the page, as a contact. */
const PERSON = '+12025550100';

/**
 * Places a call to the person at the page, through the public API, as any client would.
 * @returns {Promise<{uuid: string}>} of the call
 * @throws {ApiError} what the API refuses
 */
async function callMe(sandbox) {
	const agents = [...sandbox.store.collection('agents').values()];
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

async function act(sandbox, method, [area, name, uuid], search, body) {
	switch (`${method} ${area}${name === undefined ? '' : '/…'}`) {
		case 'POST reset':
			sandbox.reset(body);
			return done;
		case 'GET settings':
			return sandbox.settings;
		case 'PATCH settings':
			sandbox.change(body);
			return sandbox.settings;
		case 'GET manners':
			return allManners();
		case 'DELETE manners':
			sandbox.change({ manners: NO_MANNERS });
			return done;
		case 'DELETE manners/…':
			if (!Object.hasOwn(NO_MANNERS, name))
				throw new ApiError(404, { message: `There is no manner ${name}.` });
			sandbox.change({ manners: { [name]: NO_MANNERS[name] } });
			return done;
		case 'GET tokens':
			return sandbox.identities.all();
		case 'POST tokens':
			return sandbox.identities.add(body.kind, body);
		case 'POST tokens/…':
			if (name !== 'revoke' || !sandbox.identities.revoke(body.token))
				throw new ApiError(404, { message: 'No such token.' });
			return done;
		case 'GET ledger':
			return sandbox.ledger.list({ path: search.get('path'), method: search.get('method') });
		case 'GET ledger/…':
			return sandbox.ledger.summary();
		case 'DELETE ledger':
			sandbox.ledger.clear();
			return done;
		case 'GET faults':
			return sandbox.faults.all();
		case 'POST faults':
			sandbox.faults.add([body].flat());
			return done;
		case 'DELETE faults':
			sandbox.faults.clear();
			return done;
		case 'GET state':
			return sandbox.store.names();
		case 'GET state/…':
			return sandbox.store.shown(name);
		case 'POST state/…': {
			const collection = sandbox.store.collection(name);
			const add = (given) => {
				const record = { ...born(), ...sandbox.contract.withInstants(given, UTC) };
				record[collection.key] ??= sandbox.random.uuid();
				collection.add(record);
				return record;
			};
			return JSON.parse(JSON.stringify(Array.isArray(body) ? body.map(add) : add(body)));
		}
		case 'PATCH state/…': {
			const record = sandbox.store
				.collection(name)
				.change(uuid, sandbox.contract.withInstants(body, UTC));
			if (record === undefined)
				throw new ApiError(404, { message: `There is no ${uuid} in ${name}.` });
			return JSON.parse(JSON.stringify(record));
		}
		case 'DELETE state/…':
			if (!sandbox.store.collection(name).delete(uuid))
				throw new ApiError(404, { message: `There is no ${uuid} in ${name}.` });
			return done;
		case 'POST deliver':
			return sandbox.deliveries.deliver(body.agent, body.event, body.data ?? {});
		case 'GET deliveries':
			return sandbox.deliveries.log();
		case 'DELETE deliveries':
			sandbox.deliveries.clear();
			return done;
		case 'POST intents':
			return sandbox.intents.trigger(body);
		case 'GET intents':
			return sandbox.intents.log();
		case 'DELETE intents':
			sandbox.intents.clear();
			return done;
		case 'POST call-me':
			return await callMe(sandbox);
		case 'POST calls/…':
			if (`${name}/${uuid}` === 'all/decline') sandbox.calls.declineAll();
			else sandbox.calls.byHand(name, uuid, body);
			return done;
		case 'POST replies/…':
			reply(sandbox, name, body?.text);
			return done;
		case 'GET files':
			return sandbox.fileRequests;
		case 'GET health':
			return { pid: process.pid, memory: process.memoryUsage(), cpu: process.cpuUsage() };
		default:
			throw new ApiError(404, { message: `The control interface has no ${method} ${area ?? ''}.` });
	}
}
