/**
 * The life of the Agent Question Trigger in real n8n servers: publishing, unpublishing, tests, copies, crashes and mishaps,
 * seen from the intents of the platform; and what is answered, however a workflow ends. Waits on n8n's own publication
 * status and on conditions only.
 */
import assert from '../asserted.mjs';
import { randomUUID } from 'node:crypto';
import { Agent, createServer, request } from 'node:http';
import { after, before } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { until } from '../../tools/host-client.mjs';
import { listening } from '../../tools/ports.mjs';
import { raw, set, withParameters } from '../../tools/workspace.mjs';
import { inEachVersion } from './support/lifecycle.mjs';

const crm = { url: 'https://crm.example.com/answer?key=hidden', auth_token: 'hidden' };
const nothing = { url: '', auth_token: '' };
const sorry = 'Nobody can tell right now.';
const longCalls = { call: { lifeMs: 3_600_000 } };

inEachVersion('Agent Question Trigger', longCalls, (life) => {
	let agent;
	/** What waits for the slow server. @type {import('node:http').ServerResponse[]} */
	const pending = [];
	const slowServer = createServer((_, response) => pending.push(response));
	let slowUrl = '';
	before(async () => {
		[{ agent_uuid: agent }] = await life.sandbox.control('GET /state/agents');
		slowUrl = `${await listening(slowServer)}/`;
		const call = { agentId: agent, participant: { number: '+12125550101' } };
		assert.equal((await life.sandbox.api('POST /call', call)).status, 201);
	});
	after(() => {
		slowServer.closeAllConnections();
		slowServer.close();
	});
	const atSlowServer = async (count) =>
		await until(`${count} at the slow server`, async () => pending.length === count, 30_000);
	const letGo = () => pending.splice(0).forEach((response) => response.end('{}'));

	const workflow = async (...nodes) => await life.workspace.workflow(`Ask ${randomUUID()}`, nodes);
	const together = async (...nodes) =>
		await life.workspace.workflow('Several', nodes, { connections: {} });
	const edit = async (id, change) => await life.workspace.edit(id, change);
	const publish = async (id) => await life.workspace.publish(id);
	const unpublish = async (id) => await life.host.deactivate(id);
	const refused = async (id) => await life.workspace.refused(id);
	const listen = async (id) => await life.host.listen(id);
	const stopListening = async (id) => await life.host.stopListening(id);
	/** How executions have ended. */
	const ended = async (id, count) =>
		(await life.workspace.executions(id, count)).map(({ status }) => status).sort();

	async function newIntent(webhook = crm) {
		const { status, body } = await life.sandbox.api(`POST /agents/${agent}/intents`, {
			name: `Intent ${randomUUID()}`,
			parameters: [{ key: 'guests', type: 'integer', default: '', required: true }],
			...(webhook.url && { webhook }),
		});
		assert.equal(status, 201);
		return body.data.intent_uuid;
	}

	/** Everything of an intent that a trigger may change. */
	async function stateOf(intent) {
		const { body } = await life.sandbox.api(`GET /agents/${agent}`);
		const found = body.data.intents.find((one) => one.intent_uuid === intent);
		const { body: action } = await life.sandbox.api(`GET /agents/${agent}/intents/${intent}/event`);
		const { name, description, parameters, webhook = nothing } = found;
		return { name, description, parameters, webhook, action: action.data };
	}
	const webhookOf = async (intent) => (await stateOf(intent)).webhook;

	/** What an intent calls, in a word of the table. */
	async function callsOf(intent) {
		const { url } = await webhookOf(intent);
		if (url === '') return 'nothing';
		if (url === crm.url) return 'other';
		return new URL(url).pathname.startsWith('/webhook-test/') ? 'test' : 'n8n';
	}
	const calls = async (what, intent) =>
		await until(`the intent to call ${what}`, async () => (await callsOf(intent)) === what, 60_000);

	const node = (intent, parameters = {}, change = {}) => ({
		name: 'Ask',
		type: 'acpIntentTrigger',
		parameters: { agent, intent, fallbackText: sorry, options: { replace: true }, ...parameters },
		...change,
	});
	const inText = { responseField: 'answer' };
	/** A workflow that answers with a word. */
	const saying = async (intent, word) => await workflow(node(intent, inText), set(word));

	const trigger = (intent) =>
		life.sandbox.control('POST /intents', { agent, intent, parameters: { guests: 4 } });
	const spoken = async (intent) => (await trigger(intent)).spoken;
	const answers = async (intent) =>
		await until('an answer', async () => (await trigger(intent)).status === 200, 60_000);

	/** A request that is made by hand, so that its connection can be looked at. */
	const post = (url, agentOfHttp, headers = {}) =>
		new Promise((resolve, reject) => {
			const sent = request(
				url,
				{ method: 'POST', agent: agentOfHttp, headers: { 'content-length': 0, ...headers } },
				(response) => {
					const chunks = [];
					response.on('data', (chunk) => chunks.push(chunk));
					response.on('error', reject);
					response.on('end', () => {
						const bytes = Buffer.concat(chunks);
						const { statusCode: status, headers: got } = response;
						const text = bytes.toString();
						resolve({ status, headers: got, bytes, text, reused: sent.reusedSocket });
					});
				},
			);
			sent.on('error', reject);
			sent.end();
		});

	/**
	 * A case of life: in its end the intent has what it had.
	 * @param {string} name
	 * @param {(intent: string) => Promise<void>} run
	 */
	const lifecycle = (name, run, had = crm) =>
		life.lives(name, async () => {
			const intent = await newIntent(had);
			const state = await stateOf(intent);
			await run(intent);
			assert.deepEqual(await stateOf(intent), state);
		});

	// What is answered

	lifecycle('published, asked in a call, answered, unpublished', async (intent) => {
		const id = await workflow(
			node(intent, inText),
			set('=A table for {{ $json.parameters.guests + 1 }}'),
		);
		await publish(id);
		const { url, auth_token: authToken } = await webhookOf(intent);
		const entry = await trigger(intent);
		assert.deepEqual([entry.status, entry.spoken], [200, 'A table for 5']);
		const [execution] = await life.workspace.executions(id, 1);
		const { nodes } = await life.host.getExecution(execution.id);
		const { body, receivedAt, answerBy, ...item } = nodes.Ask.items[0].json;
		assert.ok(body && receivedAt && answerBy);
		assert.deepEqual(item, {
			intent,
			agent,
			parameters: { guests: 4 },
			conversation: entry.conversationUuid,
			contact: { uuid: null, name: null, phone_number: '+12125550101', email: null },
			contactFrom: { uuid: null, name: null, phone_number: 'number', email: null },
		});
		assert.equal((await post(`${url}x`)).status, 401);
		await unpublish(id);
		assert.equal((await post(url)).status, 404);
		assert.equal((await life.host.listExecutions({ workflowId: id })).length, 1);
		const { staticData } = await life.host.getWorkflow(id);
		assert.doesNotMatch(JSON.stringify(staticData), new RegExp(`hidden|${authToken}`));
	});

	const fail = { type: 'n8n-nodes-base.stopAndError', parameters: { errorMessage: 'It fails' } };
	const none = {
		type: 'n8n-nodes-base.filter',
		parameters: { conditions: { boolean: [{ value1: true, value2: false }] } },
	};
	const wait = (more) => ({ type: 'n8n-nodes-base.wait', typeVersion: 1.1, ...more });
	const later = { parameters: { resume: 'timeInterval', amount: 90, unit: 'seconds' } };
	const getting = (url, more = {}) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { url, options: {} },
		...more,
	});
	const goesOn = { onError: 'continueRegularOutput' };
	const unreadable = { ...raw('Unreadable', '={{ "no JSON" }}'), ...goesOn };
	const respond = (respondWith, more = {}) => ({
		type: 'n8n-nodes-base.respondToWebhook',
		typeVersion: 1.1,
		parameters: { respondWith, options: {}, ...more },
	});
	// n8n's node wants one of n8n's own triggers or a Wait node before it; without one it fails.
	const passes = wait({ disabled: true });
	const byNode = { respond: 'responseNode', ...inText };
	const first = respond('firstIncomingItem');
	const wrong = "={{ $('No').first().json.a }}";
	const sorryJson = JSON.stringify({ message: sorry });
	const immediately = { respond: 'immediately', responseText: 'On its way' };
	const unreached = getting('http://127.0.0.1:9/private', goesOn);
	const inWords = respond('text', { responseBody: 'At eight' });
	const all = respond('allIncomingItems');
	const never = set('Never');
	const ways = [
		['fails', inText, [fail], sorry, 'error'],
		['gives nothing', inText, [none], sorry, 'success'],
		['waits', inText, [set('Hold on'), wait(later)], 'Hold on', 'waiting'],
		['answers immediately', immediately, [never], 'On its way', 'success'],
		['goes on though nobody is reached', {}, [unreached], sorryJson, 'success'],
		['goes on with what is no JSON', {}, [unreadable], sorryJson, 'success'],
		['has a field that cannot be read', { responseField: wrong }, [never], sorry, 'error'],
		['responds, and goes on', byNode, [passes, set('At six'), first, fail], 'At six', 'error'],
		['responds with a text', byNode, [passes, never, inWords], 'At eight', 'success'],
		['responds with all items', byNode, [passes, set('At nine'), all], 'At nine', 'success'],
		['does not reach its responding node', byNode, [passes, never], sorry, 'success'],
		['fails before it responds', byNode, [passes, fail, first], sorry, 'error'],
		['has no Wait node before the responding one', byNode, [never, first], sorry, 'error'],
	];
	for (const [what, parameters, steps, answer, how] of ways)
		lifecycle(`a workflow that ${what}`, async (intent) => {
			const id = await workflow(node(intent, parameters), ...steps);
			await publish(id);
			const entry = await trigger(intent);
			assert.deepEqual([entry.status, entry.answer], [200, answer]);
			assert.deepEqual(await ended(id, 1), [how]);
			await unpublish(id);
		});

	lifecycle(
		'slow, cancelled and late: answered in time, and the next request on the connection is not lost',
		async (intent) => {
			const options = { responseTimeout: 1, replace: true };
			const slow = getting(slowUrl);
			const id = await workflow(node(intent, { ...inText, options }), slow, set('Late'));
			await publish(id);
			const { url } = await webhookOf(intent);
			const connection = new Agent({ keepAlive: true, maxSockets: 1 });
			try {
				const one = await post(url, connection);
				assert.deepEqual([one.status, one.text, pending.length], [200, sorry, 1]);
				// While the next one is under way on the same connection, n8n comes to answer the first.
				const second = post(url, connection);
				await atSlowServer(2);
				pending[0].end('{}');
				const { status, text, reused } = await second;
				assert.deepEqual([status, text, reused], [200, sorry, true]);
				const [last] = await life.host.listExecutions({ workflowId: id, status: ['running'] });
				await life.host.stopExecution(last.id);
				assert.deepEqual(await ended(id, 2), ['canceled', 'success']);
				letGo();
				// In time and successful: what the workflow says.
				const third = post(url, connection);
				await atSlowServer(1);
				letGo();
				const inTime = await third;
				assert.deepEqual([inTime.status, inTime.text, inTime.reused], [200, 'Late', true]);
			} finally {
				connection.destroy();
			}
			assert.doesNotMatch(life.host.logs(), /ERR_HTTP_HEADERS_SENT|headers after they are sent/);
			await unpublish(id);
		},
	);

	lifecycle('cancelled before its time is over: answered immediately', async (intent) => {
		const options = { responseTimeout: 100, replace: true };
		const id = await workflow(node(intent, { options }), getting(slowUrl));
		await publish(id);
		const answer = post((await webhookOf(intent)).url);
		await atSlowServer(1);
		const [running] = await life.host.listExecutions({ workflowId: id, status: ['running'] });
		await life.host.stopExecution(running.id);
		const { status, text } = await answer;
		assert.deepEqual([status, text], [200, sorryJson]);
		assert.deepEqual(await ended(id, 1), ['canceled']);
		letGo();
		await unpublish(id);
	});

	lifecycle('a long answer that n8n compresses comes through whole', async (intent) => {
		const text = 'Şükrü says yes. '.repeat(2000).trim();
		const id = await saying(intent, text);
		await publish(id);
		const packed = { 'accept-encoding': 'gzip' };
		const { headers, bytes } = await post((await webhookOf(intent)).url, undefined, packed);
		assert.equal(headers['content-encoding'], 'gzip');
		assert.equal(gunzipSync(bytes).toString(), text);
		await unpublish(id);
	});

	lifecycle('another way to respond, chosen while published', async (intent) => {
		const id = await saying(intent, 'At seven');
		await publish(id);
		const { url } = await webhookOf(intent);
		for (const [way, answer] of [
			['responseNode', sorry],
			['lastNode', 'At seven'],
		]) {
			await edit(id, withParameters({ respond: way }));
			await publish(id);
			assert.equal((await webhookOf(intent)).url === url, way === 'lastNode');
			assert.equal(await spoken(intent), answer);
		}
		await unpublish(id);
	});

	lifecycle('a test takes the intent, but not from the published workflow', async (intent) => {
		const id = await saying(intent, 'Tested');
		await listen(id);
		assert.equal(await callsOf(intent), 'test');
		await stopListening(id);
		await calls('other', intent);
		await publish(id);
		const live = await webhookOf(intent);
		await assert.rejects(listen(id), /the published workflow, which answers it/);
		assert.deepEqual(await webhookOf(intent), live);
		assert.equal(await spoken(intent), 'Tested');
		await edit(id, withParameters({ respond: 'responseNode' }));
		await assert.rejects(listen(id), /the published workflow, which answers it/);
		await unpublish(id);
	});

	// What the intent had

	const comesBack = (when, run) => lifecycle(`what was there before comes back: ${when}`, run);

	comesBack('published while a test listens', async (intent) => {
		const id = await workflow(node(intent));
		await listen(id);
		assert.equal(await callsOf(intent), 'test');
		await publish(id);
		await stopListening(id);
		await unpublish(id);
	});

	lifecycle(
		'unpublished while the platform is away, and deleted: said, and given back by another trigger',
		async (intent) => {
			const [id, next] = [
				await workflow(node(intent)),
				await workflow(node(await newIntent(nothing))),
			];
			await publish(id);
			const from = life.host.logs().length;
			await life.fails(`^/agents/${agent}`);
			await unpublish(id);
			await life.recovers();
			const said = life.host.logs().slice(from);
			assert.match(
				said,
				new RegExp(`The intent ${intent} of agent ${agent} could not be restored`),
			);
			// n8n with the publication service shows this to a person, too.
			assert.equal(/kept failing/.test(said), !/^(1|2\.0)\./.test(life.version));
			await life.host.deleteWorkflow(id);
			await publish(next);
			assert.deepEqual(await webhookOf(intent), crm);
			await unpublish(next);
		},
	);

	life.takeLong();

	comesBack('another node of the workflow is refused', async (intent) => {
		const foreign = node(await newIntent(), { options: {} }, { name: 'Ask 2' });
		await refused(await together(node(intent), foreign));
	});

	comesBack(
		'killed before n8n saved anything, while another test listens; what is published goes on',
		async (intent) => {
			const id = await workflow(node(intent));
			const [other, tested] = [await newIntent(), await newIntent()];
			const published = await workflow(node(other));
			await publish(published);
			const own = await webhookOf(other);
			const listening = await workflow(node(tested));
			await listen(listening);
			const lost = { kind: 'timeout', afterAcceptance: true };
			await life.fails(`/intents/${intent}`, lost, { method: 'PATCH' });
			const publishing = life.host.activate(id, 120_000).catch(() => undefined);
			await calls('n8n', intent);
			await life.host.kill();
			await publishing;
			assert.equal(await callsOf(tested), 'test');
			await life.recovers();
			await life.host.start();
			await answers(other);
			assert.deepEqual(await webhookOf(other), own);
			await listen(listening);
			await stopListening(listening);
			await calls('other', tested);
			await unpublish(published);
			await unpublish(id).catch(() => undefined);
			await publish(id);
			await unpublish(id);
		},
	);
});
