/** A proxy before the sandbox that changes how answers look, and in which order requests come through. */
import http from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { mapValues, omit } from 'lodash';
import type { World } from './world.cts';

type View = Omit<World['view'], 'fault'> & {
	fault?: Omit<NonNullable<World['view']['fault']>, 'kind'> & { kind: string };
};

/** Whether all of 127.0.0.0/8 is this machine, and not 127.0.0.1 alone. */
export const isApart = process.platform === 'linux';

/** All but the end of an ID. */
const someId = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b';
/** A no that is true: the request was not carried out, and the answer says so beside an ID. */
const denials: Array<[method: string, path: RegExp, data: object, status?: number]> = [
	['DELETE', /^\/contacts\/[^/]+$/, { deleted: false }],
	['DELETE', /^\/contacts\/[^/]+$/, { uuid: undefined, cleared: 'later' }],
	['DELETE', /^\/contacts\/[^/]+$/, { uuid: `${someId}37` }],
	['DELETE', /^\/contacts\/[^/]+$/, { uuid: undefined }, 202],
	['POST', /^\/call$/, { conversation_uuid: null, contact_uuid: `${someId}35` }],
	['POST', /^\/sms\/send$/, { messageId: `${someId}36`, status: 'failed', error: 'No route.' }],
	['POST', /\/blacklist$/, { is_blacklisted: false }],
	['POST', /\/cancel$/, { status: 'scheduled' }],
];

/** Answers with status 200, in whose place nothing was carried out or read: they prove nothing. */
const hollow: unknown[] = [
	'',
	'Service busy, try again later',
	'"Server busy"',
	'0',
	{},
	[],
	{ data: {} },
	{ message: 'Server busy' },
	{ status: 'busy' },
	{ ok: false },
	{ code: 500 },
	{ success: 'false', message: 'Out of order.' },
	{ error: { code: 'OUT_OF_ORDER' } },
	{ errors: [{ title: 'Out of order' }] },
	{ data: null, message: 'Server busy' },
	{ success: true, data: 'Server busy' },
	{ success: false, message: 'No credit.', error: { code: 'NO_CREDIT' } },
	// Each field of the request, and what is wrong with it.
	(sent: object) => mapValues(sent, () => 'is not valid'),
];

/** Where null says that there is none, which would be the opposite of the truth. */
const saysNone = [
	...['phone_number', 'data', 'items', 'contacts', 'blacklist', 'conversation_uuid'],
	...['webhook', 'url', 'intents'],
];

const isCounted = (list: unknown): boolean => /"total":\d/.test(JSON.stringify(list));

/** Refusals that say nothing about what is there. */
const refusals = [400, 401, 403, 405, 409, 423, 500, 501, 504];

/** @returns a number as a list may show it to a token with few rights, or to people of one country */
function shownNumber(number: string, numbers: View['numbers']): string {
	if (numbers === 'masked') return `${number.slice(0, 4)}*****${number.slice(-2)}`;
	return numbers === 'national' ? `0${number.slice(number.startsWith('+1') ? 2 : 3)}` : number;
}

function shown(value: any, view: View): any {
	if (Array.isArray(value)) return value.map((one) => shown(one, view));
	if (value === null || typeof value !== 'object') return value;
	const entries = Object.entries(value).flatMap(([name, one]): Array<[string, unknown]> => {
		if ((view.hidden as string[]).includes(name))
			return view.hiddenAs === 'null' && !saysNone.includes(name) ? [[name, null]] : [];
		if (name === 'contacts_count' && view.noCounts) return [[name, 0]];
		if (name === 'phone_number' && typeof one === 'string' && one)
			return [[name, shownNumber(one, view.numbers)]];
		return [[name, shown(one, view)]];
	});
	return Object.fromEntries(entries);
}

/** Opens the proxy. `show` says how the platform behind it looks from now on. */
export async function openView() {
	let view: View;
	let target = '';
	let writes = 0;
	let reads = 0;
	let interrupt: (() => Promise<void>) | undefined;
	let arrived = 0;
	const agent = new http.Agent({ keepAlive: true });
	const waiting = new Set<() => void>();
	/** What else it serves, by the first part of the path: an n8n, or nobody while that is down. */
	const others = new Map<string, string | undefined>();

	/** Lets so many others come first; nobody waits for those who never come. */
	const turn = async (others: number) => {
		const mine = ++arrived;
		for (const wake of waiting) wake();
		if (others === 0) return;
		await new Promise<void>((resolve) => {
			const timer = setTimeout(done, 12);
			function done() {
				clearTimeout(timer);
				waiting.delete(look);
				resolve();
			}
			function look() {
				if (arrived >= mine + others) done();
			}
			waiting.add(look);
		});
	};

	const forward = async (request: http.IncomingMessage, body: Buffer, to = target) =>
		await new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>(
			(resolve, reject) => {
				const { hostname, port, host } = new URL(to);
				const { method, url = '', headers } = request;
				const path = to === target ? url : url.replace(/^\/[^/]+/, '');
				const asked = http.request(
					{ agent, hostname, port, method, path, headers: { ...headers, host } },
					(answer) => {
						const { statusCode: status = 0, headers } = answer;
						text(answer).then((said) => resolve({ status, headers, text: said }), reject);
					},
				);
				asked.on('error', reject);
				asked.end(body);
			},
		);

	const handle = async (request: http.IncomingMessage, response: http.ServerResponse) => {
		// What the nodes still do to the platform of an earlier world must not reach that of this one.
		if (request.headers.host !== shownAt) return void request.socket.resetAndDestroy();
		const body = await buffer(request);
		const { method = 'GET', url = '' } = request;
		const path = url.replace(/^\/api\/v1|\?.*$/g, '');
		const [, first = ''] = url.split(/[/?]/);
		if (others.has(first)) {
			const to = others.get(first);
			if (to === undefined) return void response.writeHead(502).end();
			const { status, headers, text: said } = await forward(request, body, to);
			return void response.writeHead(status, headers).end(said);
		}
		await turn(view.holds[arrived % Math.max(1, view.holds.length)] ?? 0);
		const send = (status: number, data: unknown, headers: object = {}) => {
			response.writeHead(status, { 'content-type': 'application/json', ...headers });
			response.end(JSON.stringify(data));
		};
		const { fault } = view;
		const isRead = method === 'GET';
		const at = isRead ? -1 : writes++;
		const hits = (fault?.of === 'reads') === isRead ? (isRead ? reads++ : at) : -1;
		const isHit = fault !== undefined && hits >= fault.from && hits < fault.from + fault.times;
		const kind = isHit ? fault.kind : undefined;
		const no = (message: string, error?: object) => ({ success: false, message, error });
		const down = no('Down.', { code: 'SERVICE_UNAVAILABLE' });
		if (kind === 'dropped') return void request.socket.resetAndDestroy();
		if (kind === 'failsBefore') return send(503, down);
		if (kind === 'hollow') {
			// An empty list is an answer: it would say that there is none. So is success, of a write.
			const says = hollow.filter((one: any) =>
				isRead ? !Array.isArray(one) : one.success !== true,
			);
			const one = says[fault!.says % says.length];
			const said =
				typeof one === 'function' ? one(body.length ? JSON.parse(body.toString()) : {}) : one;
			response.writeHead(200, { 'content-type': 'application/json' });
			return void response.end(typeof said === 'string' ? said : JSON.stringify(said));
		}
		if (kind === 'busy')
			return send(429, no('Wait.', { code: 'RATE_LIMIT_EXCEEDED' }), { 'retry-after': '1' });
		if (kind === 'status') return send(refusals[fault!.says % refusals.length]!, no('No.'));
		if (kind === 'refused')
			return send(422, no('Not valid.', { code: 'VALIDATION_ERROR', field: 'x' }));
		const fitting = denials.filter(([of, one]) => of === method && one.test(path));
		const denial = kind === 'denied' && fitting[(fault?.says ?? 0) % fitting.length];
		const [, id] = /^\/[^/]+\/([^/]+)/.exec(path) ?? [];
		if (denial) {
			const data = { ...(id && { uuid: id }), ...denial[2] };
			return send(denial[3] ?? 200, { success: true, data });
		}
		const answer = await forward(request, body);
		if (at === view.stopsAt) {
			await interrupt?.();
			interrupt = undefined;
		}
		if (view.latencyMs) await new Promise((resolve) => setTimeout(resolve, view.latencyMs));
		if (kind === 'lost') return void response.socket?.resetAndDestroy();
		if (kind === 'failsAfter') return send(503, down);
		if (kind === 'late') return send(408, { success: false, message: 'Late.' });
		if (kind === 'page') {
			response.writeHead(502, { 'content-type': 'text/html' });
			return void response.end('<html>Bad gateway</html>');
		}
		if (kind === 'cut') {
			response.writeHead(answer.status, { 'content-type': 'application/json' });
			response.write(answer.text.slice(0, answer.text.length / 2));
			return void setImmediate(() => response.destroy());
		}
		if (kind === 'redirects') return send(303, {}, { location: '/done' });
		let { text: shownText } = answer;
		if (answer.headers['content-type']?.includes('json'))
			try {
				const data = shown(JSON.parse(shownText), view);
				// Beside a count that is right: a row that is missing without a sign would say that there is none.
				const list = [data.data, data.data?.data, data.data?.items].find(Array.isArray);
				if (kind === 'short' && list && isCounted(data)) list.pop();
				shownText = JSON.stringify(data);
			} catch {
				// What is no JSON goes on as it is.
			}
		const ofThisAnswer = ['content-length', 'transfer-encoding', 'connection'];
		response.writeHead(answer.status, omit(answer.headers, ofThisAnswer));
		response.end(shownText);
	};
	const server = http.createServer((request, response) => {
		handle(request, response).catch(() => response.destroy());
	});
	server.keepAliveTimeout = 600_000;
	await new Promise<void>((resolve) => server.listen(0, resolve));
	const { port } = server.address() as { port: number };
	let worlds = 1;
	let shownAt = '';
	return {
		/**
		 * Shows the platform at `sandboxUrl` in this view. @returns its address: another one for each world where the system
		 * has more than one for itself, so that what the nodes remember of the world before is about another platform
		 */
		show(next: View, sandboxUrl: string): string {
			[view, target, writes, reads, arrived, interrupt] = [next, sandboxUrl, 0, 0, 0, undefined];
			if (isApart) worlds++;
			shownAt = `127.${worlds >> 16}.${(worlds >> 8) & 255}.${worlds & 255}:${port}`;
			return `http://${shownAt}`;
		},
		/** The same platform in another view. */
		turns(next: View): void {
			[view, writes, reads, arrived] = [next, 0, 0, 0];
		},
		/** Serves an n8n under a path of its own, as a reverse proxy does; undefined: it is down. */
		serves(first: string, n8n: string | undefined): void {
			others.set(first, n8n);
		},
		/** What happens once the write `stopsAt` is carried out, before its answer. */
		interrupts(by: () => Promise<void>): void {
			interrupt = by;
		},
		close() {
			server.closeAllConnections();
			server.close();
			agent.destroy();
		},
	};
}
