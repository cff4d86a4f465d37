/** What the tests of the sandbox share: a sandbox per file, a workspace per test, and what stands for n8n. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, beforeEach } from 'node:test';
import { startSandbox } from '../../sandbox/client.mjs';
import { merged } from '../../sandbox/settings.mjs';

/** Nothing is held back unless a test asks for it. */
const FAST = { rate: { send: { limit: 1000 }, general: { limit: 100_000 } } };

/** @param {object} usual settings of each workspace */
export function useSandbox(usual = {}) {
	const here = {
		sandbox: undefined,
		agents: [],
		/** Of the first agent. */
		agent: '',
		/** A fresh workspace. */
		async reset({ settings = {}, ...options } = {}) {
			const all = merged(merged(FAST, usual), settings);
			await here.control('POST /reset', { seed: 1, ...options, settings: all });
			here.agents = await here.state('agents');
			here.agent = here.agents[0]?.agent_uuid;
		},
		api: (...request) => here.sandbox.api(...request),
		control: (...request) => here.sandbox.control(...request),
		set: (settings) => here.control('PATCH /settings', settings),
		state: (name) => here.control(`GET /state/${name}`),
		ledger: () => here.control('GET /ledger'),
		/** What stands under the data of the answer to a request that must succeed, else the whole body. */
		async done(request, body, headers) {
			const answer = await here.api(request, body, headers);
			if (answer.status >= 300) throw new Error(`${request}: ${JSON.stringify(answer.body)}`);
			return answer.body.data ?? answer.body;
		},
		ring: (more = {}) =>
			here.api('POST /call', {
				agentId: here.agent,
				participant: { number: '+14155550100' },
				...more,
			}),
		text: (more = {}) =>
			here.api('POST /sms/send', {
				agentId: here.agent,
				phoneNumber: '+14155550100',
				message: 'm',
				...more,
			}),
	};
	before(async () => {
		here.sandbox = await startSandbox();
	});
	after(() => here.sandbox.stop());
	beforeEach(() => here.reset());
	return here;
}

/**
 * What stands for n8n: keeps what it is sent.
 * @param {{after: (close: () => void) => void}} context of the test, which ends it
 * @param {{status?: number, type?: string, text?: string} | null} answer to every request; null: none
 */
export async function receiver(context, answer = {}) {
	const received = [];
	const server = createServer(async (request, response) => {
		const text = Buffer.concat(await request.toArray()).toString();
		received.push({ path: request.url, headers: request.headers, text, body: JSON.parse(text) });
		if (answer === null) return;
		response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'text/plain' });
		response.end(answer.text ?? 'thanks');
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	context.after(() => {
		server.closeAllConnections();
		server.close();
	});
	const url = `http://127.0.0.1:${server.address().port}/in`;
	return { answer, received, url, events: () => received.map(({ body }) => body.event) };
}

/** A form with texts and files (`{text, type, name}`). */
export function form(fields) {
	const data = new FormData();
	for (const [name, value] of Object.entries(fields))
		if (typeof value === 'string') data.append(name, value);
		else data.append(name, new Blob([value.text], { type: value.type }), value.name);
	return data;
}
