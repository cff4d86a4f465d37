/**
 * The package in n8n's queue mode: main, two workers and one webhook processor with Redis and PostgreSQL.
 * Executions place one call each under the row's own request key; a worker is killed in the middle.
 */
import assert from '../asserted.mjs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ensureBuild, ensureHost, ensurePack, ensurePackage } from '../../tools/bootstrap.mjs';
import { startServices } from '../../tools/services.mjs';
import { inFull, isFull } from '../full.mjs';

await ensurePackage();
const { Host, defaultVersion, startHost } = await import('../../tools/host.mjs');
const { until } = await import('../../tools/host-client.mjs');
const { address, freePort } = await import('../../tools/ports.mjs');
const { startSandbox } = await import('../../sandbox/client.mjs');
const { action, byId, eventTrigger, postJson, set, webhook, Workspace } =
	await import('../../tools/workspace.mjs');

const minutes = 60_000;
const sends = isFull ? 500 : 50;

/** A worker or a webhook processor: it has a health check instead of an editor. */
class Part extends Host {
	async loginAsOwner() {}
}

const cleanups = [];
let main;
/**
 * Starts a worker or a webhook processor.
 * @type {(command: string[], port?: number, more?: object) => Promise<Part>}
 */
let part;
const newWorker = async () => await part(['worker', '--concurrency=10']);
let workers;
let receiver;
let sandbox;
/** The main process's. */
let workspace;

before(
	async () => {
		await ensureHost(defaultVersion);
		await ensureBuild();
		const tarball = await ensurePack();
		const userFolder = await realpath(await mkdtemp(join(tmpdir(), 'queue-')));
		cleanups.push(() => rm(userFolder, { recursive: true, force: true }));
		// n8n refuses an event when its database is late, as on a busy machine: the platform sends it again. Nobody sends
		// again what n8n still works at, or a machine that is late gets more and more to do.
		const webhookSettings = { attempts: 100, retryDelayMs: 2000, timeoutMs: 4 * minutes };
		sandbox = await startSandbox({
			settings: { call: { lifeMs: 500 }, webhooks: webhookSettings },
		});
		cleanups.push(() => sandbox.stop());
		const services = await startServices();
		cleanups.push(services.stop);
		const receiverPort = await freePort();
		const env = {
			...services.env,
			WEBHOOK_URL: `http://${address}:${receiverPort}/`,
			N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
			// A killed worker's executions are noticed in seconds instead of minutes.
			QUEUE_WORKER_LOCK_DURATION: '10000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
			QUEUE_WORKER_STALLED_INTERVAL: '5000',
			// An execution whose job has gone, as when the database was late, is found crashed after a minute, not three hours.
			N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
		};
		main = await startHost({ userFolder, tarball, env, bare: true });
		// nothing of it is needed any more, and it may wait for what the killed worker took along
		cleanups.push(() => main.kill());
		part = async (command, port = 0, more = {}) => {
			const own = port || (await freePort());
			const started = new Part({
				userFolder,
				port: own,
				command,
				bare: true,
				env: { ...env, QUEUE_HEALTH_CHECK_PORT: String(own), ...more },
			});
			await started.start();
			cleanups.push(async () => started.running && (await started.kill()));
			return started;
		};
		workers = [await newWorker(), await newWorker()];
		receiver = await part(['webhook'], receiverPort);
		workspace = new Workspace(
			{ folder: userFolder, files: userFolder, host: main, users: 1 },
			sandbox,
		);
		workspace.credential = await workspace.newCredential();
	},
	{ timeout: 15 * minutes },
);
after(
	async () => {
		const failures = [];
		for (const step of cleanups.reverse()) await step().catch((error) => failures.push(error));
		assert.deepEqual(failures, []);
	},
	{ timeout: 15 * minutes },
);

/** How many executions a worker says that it has ended. */
const finishedBy = (worker) => (worker.logs().match(/finished execution/gi) ?? []).length;
const firstAgent = async () => (await sandbox.control('GET /state/agents'))[0].agent_uuid;
const webhooks = async () => await sandbox.control('GET /state/webhooks');

const triggerWorkflow = (agent) => eventTrigger(agent, workspace.credential, 'Outcomes');

test(
	'two registrations of the same trigger at once leave one webhook',
	{ timeout: 15 * minutes, ...inFull },
	async () => {
		const { id } = await main.createWorkflow(triggerWorkflow(await firstAgent()));
		const both = await Promise.all([main.activate(id), main.activate(id)]);
		assert.ok(
			both.some(({ active }) => active),
			JSON.stringify(both),
		);
		assert.equal((await webhooks()).length, 1);
		await main.deactivate(id);
		await until('the webhook to be removed', async () => (await webhooks()).length === 0, minutes);
	},
);

const sorry = 'Nobody can tell right now.';

/**
 * Publishes a workflow in which the Agent Question Trigger starts these nodes, each one the next.
 * @param {object} parameters @param {any[]} steps
 * @returns {Promise<{id: string, url: string}>} the workflow, and the URL that the intent calls
 */
async function publishedIntent(parameters, steps) {
	const agent = await firstAgent();
	const { body } = await sandbox.api(`POST /agents/${agent}/intents`, {
		name: crypto.randomUUID(),
	});
	const intent = body.data.intent_uuid;
	const all = { agent, intent, responseField: 'answer', fallbackText: sorry, ...parameters };
	const trigger = { name: 'Ask', type: 'acpIntentTrigger', parameters: all };
	const id = await workspace.workflow('Answers', [trigger, ...steps]);
	await workspace.publish(id);
	const { body: shown } = await sandbox.api(`GET /agents/${agent}`);
	const own = shown.data.intents.find((one) => one.intent_uuid === intent);
	return { id, url: own.webhook.url };
}

/** What the agent is told. @param {string} url @param {string} day */
async function ask(url, day) {
	const response = await postJson(url, { parameters: { day } });
	return await response.text();
}

const answer = set('=Free on {{ $json.parameters.day }}', 'Answer');
const ways = [
	{
		name: 'Respond to Webhook',
		questions: sends,
		respond: 'responseNode',
		steps: [
			{ name: 'Wait', type: 'n8n-nodes-base.wait', typeVersion: 1.1, disabled: true },
			answer,
			{
				name: 'Respond',
				type: 'n8n-nodes-base.respondToWebhook',
				typeVersion: 1.1,
				parameters: { respondWith: 'firstIncomingItem', options: {} },
			},
		],
	},
	{
		name: 'When Last Node Finishes, and n8n keeps ended jobs',
		questions: sends / 5,
		more: { N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED: '1000' },
		respond: 'lastNode',
		steps: [answer],
	},
];
for (const { name, questions, more, respond, steps } of ways)
	test(
		`${questions} questions of callers, answered by ${name}: none is lost`,
		{ timeout: 15 * minutes, ...inFull },
		async (t) => {
			// Longer than any answer takes here: only an answer that never comes is the fallback text.
			const options = { responseTimeout: 60 };
			const { id, url } = await publishedIntent({ respond, options }, steps);
			const own = more && (await part(['webhook'], 0, more));
			const here = Object.assign(new URL(url), { port: String((own ?? receiver).port) }).href;
			// It says that it is healthy a moment before it takes requests.
			await until(
				'the webhook processor to answer',
				async () => (await ask(here, 'Monday').catch(() => '')) === 'Free on Monday',
				3 * minutes,
			);
			const days = Array.from({ length: questions }, (_, index) => `day ${index}`);
			const wrong = [];
			let slowest = 0;
			const asker = async () => {
				for (let day = days.pop(); day; day = days.pop()) {
					const begun = performance.now();
					const said = await ask(here, day);
					slowest = Math.max(slowest, performance.now() - begun);
					if (said !== `Free on ${day}`) wrong.push(`${day}: ${said}`);
				}
			};
			await Promise.all(Array.from({ length: 10 }, asker));
			t.diagnostic(`the slowest answer took ${(slowest / 1000).toFixed(1)} s`);
			assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${questions}`);
			await main.deactivate(id);
			await own?.kill();
		},
	);

test(
	'a question that no worker takes in time: the item says that nobody waits any more',
	{ timeout: 15 * minutes, ...inFull },
	async () => {
		const inTime = {
			name: 'Does Somebody Wait?',
			type: 'n8n-nodes-base.filter',
			typeVersion: 2.2,
			parameters: {
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
					conditions: [
						{
							id: 'in-time',
							leftValue: '={{ DateTime.fromISO($json.answerBy) > $now }}',
							rightValue: '',
							operator: { type: 'boolean', operation: 'true', singleValue: true },
						},
					],
					combinator: 'and',
				},
				options: {},
			},
		};
		for (const [responseTimeout, workersStop, booked] of [
			[20, false, true],
			[1, true, false],
		]) {
			const { id, url } = await publishedIntent({ options: { responseTimeout } }, [
				inTime,
				set('Booked', 'Book'),
			]);
			const stopped = workersStop ? workers : [];
			for (const worker of stopped) worker.signalGroup('SIGSTOP');
			try {
				const said = await ask(url, 'Friday');
				if (workersStop) assert.equal(said, sorry);
			} finally {
				for (const worker of stopped) worker.signalGroup('SIGCONT');
			}
			const [{ id: execution }] = await until(
				'the execution to end',
				async () => {
					const { results } = await main.executions({ workflowId: id, status: ['success'] });
					return results.length > 0 && results;
				},
				minutes,
			);
			const { nodes } = await main.getExecution(execution);
			assert.equal(nodes.Book !== undefined, booked);
			await main.deactivate(id);
		}
	},
);

test(
	`${sends} executions over two workers, one of them killed in the middle: no call lost, none twice`,
	{ timeout: 20 * minutes },
	async (t) => {
		const agent = await firstAgent();
		const path = 'rows';
		const outcomes = await main.createWorkflow(triggerWorkflow(agent));
		const calls = await workspace.workflow('Calls', [
			webhook('Row', path),
			action('Call', 'acpCalls', 'call.start', {
				agent: byId(agent),
				phoneNumber: '={{ $json.body.number }}',
				options: { requestKey: '={{ $json.body.key }}' },
			}),
		]);
		for (const id of [outcomes.id, calls]) await workspace.publish(id);
		await sandbox.control('DELETE /ledger');
		const begun = Date.now();
		const rows = Array.from({ length: sends }, (_, index) => ({
			key: `row-${index}`,
			number: `+1415${String(5_550_000 + index)}`,
		}));
		const send = async (row) => {
			let said = '';
			const look = async () => {
				const signal = AbortSignal.timeout(4 * minutes);
				const response = await postJson(`${receiver.url}/webhook/${path}`, row, { signal });
				said = `${response.status} ${await response.text()}`;
				// n8n answers so when its database is late, as on a busy machine; whether it started
				// the row or not, the key makes another try safe
				return response.status < 500 && response.status;
			};
			const looked = async () => await look().catch((error) => void (said = String(error)));
			return await until('the webhook processor to take a row', looked, minutes, 500).catch(
				(error) => {
					throw new Error(`${error.message}: ${said}`);
				},
			);
		};
		for (let first = 0; first < rows.length; first += 10) {
			const ten = rows.slice(first, first + 10);
			assert.deepEqual(await Promise.all(ten.map(send)), Array(ten.length).fill(200));
		}

		const placed = async () => await workspace.created('/call');
		await until(
			'two fifths of the calls',
			async () => (await placed()).length >= sends * 0.4,
			2 * minutes,
			500,
		);
		await workers[0].kill();
		const finishedByFirst = finishedBy(workers[0]);

		/** Waits until so many executions have ended and none is under way. @returns those that did not succeed */
		const ended = async (workflowId, count = sends) => {
			let found = '';
			const look = async () => {
				const [succeeded, broken, underWay] = await Promise.all(
					[['success'], ['error', 'crashed', 'canceled'], ['new', 'running', 'waiting']].map(
						async (status) => await main.executions({ workflowId, status }),
					),
				);
				const over = succeeded.count + broken.count;
				found = `${over} of ${count} executions of ${workflowId} ended, ${underWay.count} under way`;
				return over >= count && underWay.count === 0 && { count: over, broken: broken.results };
			};
			return await until('all executions to end', look, 2 * minutes, 2000).catch((error) => {
				throw new Error(`${error.message}: ${found}`);
			});
		};
		const { broken: crashed } = await ended(calls);
		const seconds = (Date.now() - begun) / 1000;

		// What a person does about crashed executions: Retry. n8n keeps nothing of an execution that its worker took along,
		// so where Retry cannot go on, the rows are sent again: those without a call, and some that have one.
		let retried = 0;
		for (const { id } of crashed)
			if ((await main.retryExecution(id)).status === 'success') retried++;
		const before = await placed();
		/** The key of the row: what is sent has a mark of the recipient behind it. */
		const keyOf = ({ body }) => body.request_key.replace(/-[0-9a-f]{12}$/, '');
		const done = new Set(before.map(keyOf));
		const again = [
			...rows.filter(({ key }) => !done.has(key)),
			...before.slice(-20).map((call) => ({
				key: keyOf(call),
				number: call.body.participant.number,
			})),
		];
		// Twenty that have a call already, and whatever has none.
		assert.ok(again.length >= Math.min(20, before.length));
		for (const row of again) assert.equal(await send(row), 200);
		await ended(calls, sends + crashed.length + again.length);
		await until(
			'an outcome of every call',
			async () =>
				(await sandbox.control('GET /deliveries')).filter(({ status }) => status === 200).length >=
				sends,
			2 * minutes,
			1000,
		);
		const outcomeExecutions = await ended(outcomes.id);

		const created = await placed();
		assert.deepEqual(
			created.map(keyOf).sort(),
			rows.map(({ key }) => key).sort(),
			'every row has exactly one call',
		);
		const stored = await sandbox.control('GET /state/calls');
		assert.equal(stored.length, sends);
		const repeats = (await sandbox.control('GET /deliveries')).filter(
			({ attempt }) => attempt > 1,
		).length;
		t.diagnostic(`${repeats} events were sent again`);
		assert.ok(
			outcomeExecutions.count >= sends && outcomeExecutions.count <= sends + repeats,
			`every outcome has started the trigger once: ${outcomeExecutions.count} of ${sends}, ${repeats} sent again`,
		);
		assert.ok(
			outcomeExecutions.broken.length <= 10,
			'at most what the killed worker held at that moment is broken',
		);

		const all = await sandbox.control('GET /ledger?path=/call&method=POST');
		const rejected = all.filter(({ status }) => status === 429).length;
		const repeated = all.filter(({ effect }) => effect === 'repeated').length;
		const finished = [finishedByFirst, finishedBy(workers[1])];
		assert.ok(
			finished.every((count) => count > 0),
			`both workers worked: ${finished}`,
		);
		t.diagnostic(
			`${sends} calls in ${seconds.toFixed(0)} s (${(sends / seconds).toFixed(2)} per second); requests ${all.length}, of them 429: ${rejected} (${((100 * rejected) / all.length).toFixed(1)} %), answered with the first call: ${repeated}`,
		);
		t.diagnostic(
			`executions finished by the killed worker ${finished[0]}, by the other ${finished[1]}; crashed: ${crashed.length}, of them n8n's Retry could go on with ${retried}; rows sent again: ${again.length}; outcomes whose execution crashed: ${outcomeExecutions.broken.length}`,
		);
	},
);

test(
	"'Only Once' over two workers, one after the other: each of 50 people is reached once",
	{ timeout: 15 * minutes, ...inFull },
	async () => {
		const agent = await firstAgent();
		const path = 'people';
		const id = await workspace.workflow('People', [
			webhook('Row', path),
			{
				name: 'Split',
				type: 'n8n-nodes-base.splitOut',
				parameters: { fieldToSplitOut: 'body.people', options: {} },
			},
			action('Send', 'acpMessages', 'sms.send', {
				agent: byId(agent),
				phoneNumber: '={{ $json["body.people"] }}',
				message: 'Hello',
				options: { reachEachPerson: 'once' },
			}),
		]);
		await workspace.publish(id);
		await sandbox.control('DELETE /ledger');
		const people = Array.from({ length: 50 }, (_, index) => `+1415${String(5_560_000 + index)}`);
		/** Only this worker is there to take the execution. */
		const runOn = async (worker, count) => {
			const before = finishedBy(worker);
			const { status } = await postJson(`${receiver.url}/webhook/${path}`, { people });
			assert.equal(status, 200);
			await until(
				'the execution to end',
				async () => (await main.executions({ workflowId: id, status: ['success'] })).count >= count,
				5 * minutes,
				500,
			);
			await until('the worker to say so', () => finishedBy(worker) > before, minutes);
		};
		const alive = workers.filter(({ running }) => running);
		for (const one of alive.slice(1)) await one.kill();
		await runOn(alive[0], 1);
		await alive[0].kill();
		await runOn(await newWorker(), 2);
		const sent = await sandbox.control('GET /ledger?path=/sms/send&method=POST');
		assert.deepEqual(
			sent
				.filter(({ status }) => status !== 429)
				.map(({ body, effect }) => `${effect} ${body.phoneNumber}`)
				.sort(),
			people.map((number) => `created ${number}`),
		);
	},
);
