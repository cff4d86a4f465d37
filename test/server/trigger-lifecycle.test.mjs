/**
 * The life of the ACP Event Trigger in real n8n servers: publishing, unpublishing, restarts, crashes, edits and
 * mishaps, seen from the webhooks that the platform's agents have. Waits on n8n's own publication
 * status and on conditions only.
 * Prints what each case leaves: webhooks of this n8n before, during and after it (foreign ones are never touched).
 */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { before } from 'node:test';
import { HostClient, until } from '../../tools/host-client.mjs';
import { startHost } from '../../tools/host.mjs';
import { withParameters } from '../../tools/workspace.mjs';
import { inEachVersion } from './support/lifecycle.mjs';

const hook = 'https://crm.example.com/hook';
const missing = { kind: 'status', status: 404, code: 'RESOURCE_NOT_FOUND' };

inEachVersion('ACP Event Trigger', 'webhooks before / during / after', {}, (life) => {
	const { version, record, lives } = life;
	/** @type {typeof life.workspace} */
	let workspace;
	/** @type {typeof workspace.host} */
	let host;
	/** @type {typeof workspace.sandbox} */
	let sandbox;
	/** @type {string[]} Each case takes its own agents. */
	let freshAgents;
	before(async () => {
		workspace = life.workspace;
		({ host, sandbox } = workspace);
		await sandbox.control('POST /reset', { agents: 60 });
		freshAgents = (await sandbox.control('GET /state/agents')).map((agent) => agent.agent_uuid);
	});
	const agents = (count = 1) => freshAgents.splice(0, count);
	const publish = async (id) => await workspace.publish(id);
	const unpublish = async (id) => await host.deactivate(id);
	const edit = async (id, change) => await workspace.edit(id, change);
	const executions = async (id, count) => await workspace.executions(id, count);

	/** @returns {Promise<any[]>} webhooks of the agents, as the platform keeps them */
	const allWebhooks = async (chosen) =>
		(await sandbox.control('GET /state/webhooks')).filter((webhook) =>
			chosen.includes(webhook.agent_uuid),
		);
	const webhooks = async (...chosen) =>
		(await allWebhooks(chosen.flat())).filter(({ url }) => !url.includes('example.com'));
	const uuidsOf = async (...chosen) =>
		(await webhooks(...chosen)).map(({ webhook_uuid: uuid }) => uuid);
	const agentsWith = async (chosen) => (await webhooks(chosen)).map((one) => one.agent_uuid).sort();
	const gone = async (...chosen) =>
		await until(
			'the test webhooks to be gone',
			async () => (await webhooks(...chosen)).length === 0,
			30_000,
		);
	const answers = async (agent) =>
		await until('the webhook to answer', async () => (await arrives(agent))[0] === 200, 30_000);

	/** A delivery of the platform for each webhook of the agent. @returns {Promise<number[]>} how n8n answered */
	const arrives = async (agent) => (await workspace.deliver(agent)).map(({ status }) => status);
	const assertArrives = async (agent) => assert.equal((await arrives(agent))[0], 200);

	/** @param {string} agent @param {string} url */
	async function foreign(agent, url) {
		const events = ['conversation_status'];
		const { status } = await sandbox.api(`POST /agents/${agent}/webhooks`, { url, events });
		assert.equal(status, 201);
	}

	const trigger = (chosen, change = {}) => ({
		name: 'Events',
		type: 'acpTrigger',
		parameters: { agents: chosen, events: ['conversation_end_report'], options: {} },
		...change,
	});
	/** What the case that goes on has saved. @type {string[]} */
	let saved = [];
	const made = (id) => (saved.push(id), id);
	/** A saved workflow [trigger → No Operation]. */
	const workflow = async (chosen, change = {}) =>
		made(
			await workspace.workflow(`Events ${randomUUID()}`, [
				trigger(chosen, change),
				{ name: 'After', type: 'n8n-nodes-base.noOp' },
			]),
		);
	/** A saved workflow of triggers alone. */
	const triggers = async (...nodes) =>
		made(await workspace.workflow('Several', nodes, { connections: {} }));

	/**
	 * @param {string} name
	 * @param {number} count agents that the case takes
	 * @param {(chosen: string[], during: () => Promise<void>) => Promise<void>} run calls
	 * `during` where the case is at its height; all that is still published in the end is unpublished
	 */
	function lifecycle(name, count, run) {
		lives(name, async () => {
			const chosen = agents(count);
			await foreign(chosen[0], `${hook}?key=hidden`);
			saved = [];
			const before = (await webhooks(chosen)).length;
			let during = 0;
			await run(chosen, async () => {
				during = Math.max(during, (await webhooks(chosen)).length);
			});
			for (const id of saved) await unpublish(id).catch(() => undefined);
			record(name, before, during, (await webhooks(chosen)).length);
			assert.deepEqual(await webhooks(chosen), []);
			assert.equal(
				(await allWebhooks([chosen[0]])).filter(({ url }) => url === `${hook}?key=hidden`).length,
				1,
				'a foreign webhook was touched',
			);
		});
	}

	// Publishing and unpublishing

	lifecycle('published and unpublished 30 times', 1, async ([agent], during) => {
		const id = await workflow([agent]);
		for (let cycle = 0; cycle < 30; cycle++) {
			await publish(id);
			await during();
			assert.equal((await webhooks(agent)).length, 1);
			await unpublish(id);
		}
		assert.deepEqual(await webhooks(agent), []);
	});

	lifecycle('delivers while published, the execution has the event', 1, async ([agent], during) => {
		const id = await workflow([agent]);
		await publish(id);
		await during();
		const [delivery] = await workspace.deliver(agent);
		assert.equal(delivery.status, 200);
		const [execution] = await executions(id, 1);
		const { nodes } = await host.getExecution(execution.id);
		const [{ json }] = nodes.Events.items;
		const { timestamp, ...data } = json.data;
		assert.ok(timestamp);
		assert.deepEqual(
			{ ...json, data, deliveryId: json.deliveryId.slice(0, 5), receivedAt: '' },
			{
				event: 'conversation_end_report',
				knownEvent: true,
				agent,
				data: { number: '+12125550101' },
				deliveryId: 'body-',
				deliveryHeaderId: delivery.headers['x-delivery-id'],
				receivedAt: '',
				signatureVerified: true,
			},
		);
		const [{ url }] = await webhooks(agent);
		for (const stranger of [url.split('?')[0], `${url}x`]) {
			const answer = await fetch(stranger, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: '{"event":"conversation_end_report","data":{}}',
			});
			assert.deepEqual([answer.status, await answer.json()], [401, { message: 'Unauthorized' }]);
		}
		await unpublish(id);
		assert.equal((await host.listExecutions({ workflowId: id })).length, 1);
	});

	/** @type {Array<[string, (other: string) => (node: any) => object, (agent: string, other: string) => object]>} */
	const edits = [
		['agents', (other) => withParameters({ agents: [other] }), (_, agent_uuid) => ({ agent_uuid })],
		[
			'events',
			() => withParameters({ events: ['voice_evaluation'] }),
			() => ({ events: ['voice_evaluation'] }),
		],
		['the name', () => () => ({ name: 'Call Ended' }), (agent_uuid) => ({ agent_uuid })],
	];
	for (const [what, change, expected] of edits)
		lifecycle(`${what} edited`, 2, async ([agent, other], during) => {
			const id = await workflow([agent]);
			await publish(id);
			await edit(id, change(other));
			await publish(id);
			await during();
			const [webhook, ...more] = await webhooks(agent, other);
			assert.deepEqual([{ ...webhook, ...expected(agent, other) }, more], [webhook, []]);
			await workspace.deliver(webhook.agent_uuid, undefined, webhook.events[0]);
			await executions(id, 1);
		});

	// Copies

	/** The copy is published beside the original, and unpublished; the original goes on. */
	async function publishBeside(original, copy, agent, during) {
		const before = await webhooks(agent);
		await publish(copy);
		await during();
		assert.equal((await webhooks(agent)).length, 2);
		await unpublish(copy);
		assert.deepEqual(await webhooks(agent), before);
		await assertArrives(agent);
		await executions(original, 1);
	}

	const withOwnIds = (one) => ({
		...one,
		id: randomUUID(),
		...(one.webhookId && { webhookId: randomUUID() }),
	});

	/** n8n's public API. @param {string} apiKey @param {string} path @param {object} [body] */
	async function publicApi(apiKey, path, body) {
		const answer = await fetch(`${host.url}/api/v1/workflows${path}`, {
			method: body ? 'POST' : 'GET',
			headers: { 'x-n8n-api-key': apiKey, 'content-type': 'application/json' },
			body: body && JSON.stringify(body),
		});
		const text = await answer.text();
		assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
		return JSON.parse(text);
	}

	/** How a copy comes to be, and whether it has the address of its original. */
	const copies = {
		// What the dialog sends: new IDs and addresses; n8n 1.x keeps the static data.
		'duplicated by the editor': async ({ nodes, connections, settings, staticData }) => {
			assert.equal(staticData['node:Events'].registrations.length, 1);
			const all = { nodes: nodes.map(withOwnIds), connections, settings, staticData };
			return [await host.createWorkflow({ name: `Copy ${randomUUID()}`, ...all }), false];
		},
		// Node ID, address and static data are the original's.
		'duplicated by the public API': async ({ id }) => {
			const { rawApiKey } = await host.request('POST', '/rest/api-keys', {
				label: 'Copies',
				expiresAt: null,
				scopes: ['workflow:create', 'workflow:read'],
			});
			const { nodes, connections, staticData } = await publicApi(rawApiKey, `/${id}`);
			const settings = { executionOrder: 'v1' };
			const all = { name: `Copy ${randomUUID()}`, nodes, connections, settings, staticData };
			return [await publicApi(rawApiKey, '', all), true];
		},
		'imported from a file, in the editor': async ({ nodes, connections, settings }) => {
			const all = { nodes: nodes.map((one) => ({ ...one, id: randomUUID() })), connections };
			return [
				await host.createWorkflow({ name: `Import ${randomUUID()}`, ...all, settings }),
				true,
			];
		},
	};
	for (const [how, copied] of Object.entries(copies))
		lifecycle(how, 1, async ([agent], during) => {
			const original = await workflow([agent]);
			await publish(original);
			const [{ id: copy }, hasSameAddress] = await copied(await host.getWorkflow(original));
			made(copy);
			if (hasSameAddress) {
				const addresses = [];
				for (const id of [original, copy])
					addresses.push((await host.getWorkflow(id)).nodes.map(({ webhookId }) => webhookId));
				assert.deepEqual(addresses[0], addresses[1]);
				// n8n refuses it and clears up; the original goes on.
				const before = await webhooks(agent);
				await workspace.refused(copy);
				assert.deepEqual(await webhooks(agent), before);
				await assertArrives(agent);
				await edit(copy, () => ({ webhookId: randomUUID() }));
			}
			await publishBeside(original, copy, agent, during);
		});

	lifecycle('imported from a file, over itself', 1, async ([agent], during) => {
		const id = await workflow([agent]);
		await publish(id);
		const pathsOf = async () => (await webhooks(agent)).map(({ url }) => new URL(url).pathname);
		const before = await pathsOf();
		const file = join(workspace.folder, 'workflow.json');
		await host.command('export:workflow', `--id=${id}`, `--output=${file}`);
		// n8n unpublishes what it imports; the running n8n may not have noticed.
		await host.command('import:workflow', `--input=${file}`);
		await publish(id);
		await during();
		assert.deepEqual(await pathsOf(), before);
		await assertArrives(agent);
	});

	/** @returns {Promise<string>} ID of the personal project of a second person */
	async function anotherProject() {
		const [{ user }] = await host.request('POST', '/rest/invitations', [
			{ email: 'second@example.com', role: 'global:member' },
		]);
		const person = new HostClient(host.url);
		const about = { firstName: 'Selim', lastName: 'Second', password: 'Leads2Calls' };
		if (version.startsWith('1.')) {
			const { id: inviterId } = await host.request('GET', '/rest/login');
			const path = `/rest/invitations/${user.id}/accept`;
			await person.request('POST', path, { inviterId, ...about });
		} else {
			const { link } = await host.request('POST', `/rest/users/${user.id}/invite-link`);
			const token = new URL(link).searchParams.get('token');
			await person.request('POST', '/rest/invitations/accept', { token, ...about });
		}
		return (await person.request('GET', '/rest/projects/personal')).id;
	}

	lifecycle('moved to another project', 1, async ([agent], during) => {
		const own = await workspace.newCredential();
		const id = await workflow([agent], { credentials: { acpApi: own } });
		await publish(id);
		await host.request('PUT', `/rest/workflows/${id}/transfer`, {
			destinationProjectId: await anotherProject(),
			shareCredentials: [own.id],
		});
		await answers(agent);
		await during();
		assert.equal((await webhooks(agent)).length, 1);
	});

	lifecycle('two n8n with one database publish at once', 1, async ([agent], during) => {
		const id = await workflow([agent]);
		const other = await startHost({
			version,
			userFolder: host.userFolder,
			env: { ...host.options.env, WEBHOOK_URL: `${host.url}/` },
		});
		try {
			await sandbox.control('PATCH /settings', { latencyMs: 500 });
			const published = await Promise.all([host, other].map((one) => one.activate(id, 120_000)));
			await sandbox.control('PATCH /settings', { latencyMs: 0 });
			assert.ok(
				published.some(({ active }) => active),
				JSON.stringify(published),
			);
			await during();
			assert.equal((await webhooks(agent)).length, 1);
			await assertArrives(agent);
		} finally {
			await other.stop();
		}
	});

	lifecycle('node disabled', 2, async ([one, two], during) => {
		const id = await triggers(trigger([one]), trigger([two, one], { name: 'Events 2' }));
		await publish(id);
		await during();
		assert.deepEqual(await agentsWith([one, two]), [one, one, two].sort());
		await edit(id, ({ name }) => ({ disabled: name === 'Events 2' }));
		await publish(id);
		assert.deepEqual(await agentsWith([one, two]), [one]);
	});

	lifecycle('two triggers with one address: refused', 1, async ([agent], during) => {
		const webhookId = randomUUID();
		const both = ['Events', 'Events 2'].map((name) => trigger([agent], { name, webhookId }));
		const error = await workspace.refused(await triggers(...both));
		await during();
		// n8n 2.x finds it by itself.
		assert.match(error, /have the same webhook URL|conflict/i);
	});

	lifecycle('workflow deleted while published', 1, async ([agent], during) => {
		const id = await workflow([agent]);
		await publish(id);
		await during();
		await host.deleteWorkflow(id);
		assert.deepEqual(await webhooks(agent), []);
	});

	// Several agents

	// Together, because n8n 2.x tries each of them for 15 seconds.
	lives(
		'refused, with all that is to be known in the message: an agent missing, an agent full',
		async () => {
			const [missingAgent, there, [full, other]] = [randomUUID(), agents(2), agents(2)];
			for (let index = 1; index <= 5; index++) await foreign(full, `${hook}/${index}?key=hidden`);
			const [ofMissing, ofFull] = await Promise.all([
				workspace.refused(await workflow([...there, missingAgent])),
				workspace.refused(await workflow([other, full])),
			]);
			for (const [name, chosen] of [
				['several agents, one missing: none', there],
				['several agents, one full: none, and the five are named', [other, full]],
			]) {
				record(name, 0, 0, (await webhooks(chosen)).length);
				assert.deepEqual(await webhooks(chosen), [], name);
			}
			assert.match(
				ofMissing,
				new RegExp(`The agent ${missingAgent} was not found at 127\\.0\\.0\\.1`),
			);
			for (let index = 1; index <= 5; index++)
				assert.ok(ofFull.includes(`${index}. ${hook}/${index} (conversation_status)`), ofFull);
			assert.match(ofFull, /Delete one that you no longer need/);
			assert.doesNotMatch(ofFull, /hidden/);
			assert.equal((await allWebhooks([full])).length, 5);
		},
	);

	lifecycle('several agents: published and unpublished', 5, async (chosen, during) => {
		const id = await workflow(chosen.join(', '));
		await publish(id);
		await during();
		assert.deepEqual(await agentsWith(chosen), [...chosen].sort());
	});

	// Credentials

	lifecycle('token changed: repaired at the next publish', 1, async ([agent], during) => {
		const { token } = await sandbox.control('POST /tokens', {
			kind: 'workspace',
			label: 'second',
		});
		const own = await workspace.newCredential();
		const id = await workflow([agent], { credentials: { acpApi: own } });
		await publish(id);
		await workspace.changeCredential(own, { token });
		assert.deepEqual(await arrives(agent), [200], 'events go on until then');
		await unpublish(id);
		await publish(id);
		await during();
		assert.deepEqual(await arrives(agent), [200]);
		const [execution] = await executions(id, 2);
		const { nodes } = await host.getExecution(execution.id);
		assert.equal(nodes.Events.items[0].json.signatureVerified, true);
	});

	lifecycle('credential deleted: explained, adopted later', 1, async ([agent], during) => {
		const own = await workspace.newCredential();
		const id = await workflow([agent], { credentials: { acpApi: own } });
		await publish(id);
		const before = await webhooks(agent);
		await host.deleteCredential(own.id);
		await unpublish(id);
		await during();
		assert.ok(host.logs().includes(`of agent ${agent} could not be removed.`));
		assert.deepEqual(await webhooks(agent), before);
		await edit(id, () => ({ credentials: { acpApi: workspace.credential } }));
		await publish(id);
		assert.deepEqual(await uuidsOf(agent), [before[0].webhook_uuid]);
	});

	lifecycle(
		'three triggers, the platform is away for the first: the others are unpublished',
		3,
		async (chosen, during) => {
			const [first, ...others] = chosen;
			const names = ['Events 1', 'Events 2', 'Events 3'];
			const id = await triggers(
				...chosen.map((agent, index) => trigger([agent], { name: names[index] })),
			);
			for (const time of ['the first time', 'once more']) {
				await publish(id);
				await during();
				assert.equal((await webhooks(chosen)).length, 3, time);
				await sandbox.control('POST /faults', [
					{ match: { path: `^/agents/${first}` }, fault: { kind: 'status', status: 503 } },
				]);
				await unpublish(id);
				await sandbox.control('DELETE /faults');
				assert.equal((await webhooks(first)).length, 1);
				assert.deepEqual(await webhooks(others), []);
				assert.ok(host.logs().includes(`of agent ${first} could not be removed.`));
				// What stays remembered is what is still there.
				const { staticData } = await host.getWorkflow(id);
				assert.deepEqual(
					names.map((name) => staticData[`node:${name}`].registrations.map(({ agent }) => agent)),
					[[first], [], []],
				);
			}
			await publish(id);
			assert.equal((await webhooks(chosen)).length, 3);
		},
	);

	// Listening for a test event

	lifecycle('test listening: stopped', 1, async ([agent], during) => {
		const id = await workflow([agent]);
		await host.listen(id);
		await during();
		assert.equal((await webhooks(agent)).length, 1);
		await host.stopListening(id);
		await gone(agent);
	});

	lifecycle(
		'test listening beside a published workflow: both get the event, only the test ends',
		1,
		async ([agent], during) => {
			const id = await workflow([agent]);
			await publish(id);
			const production = await webhooks(agent);
			await host.listen(id);
			await during();
			assert.equal((await webhooks(agent)).length, 2);
			assert.deepEqual(await arrives(agent), [200, 200]);
			const both = await executions(id, 2);
			assert.deepEqual(both.map(({ mode }) => mode).sort(), ['manual', 'webhook']);
			await until(
				'the test webhook to be gone',
				async () => (await webhooks(agent)).length === 1,
				30_000,
			);
			assert.deepEqual(await webhooks(agent), production);
			await assertArrives(agent);
		},
	);

	lifecycle('two tests that one event ends: n8n goes on', 1, async ([agent], during) => {
		const ids = [await workflow([agent]), await workflow([agent])];
		for (const id of ids) await host.listen(id);
		await during();
		await sandbox.control('PATCH /settings', { latencyMs: 300 });
		try {
			assert.deepEqual(await arrives(agent), [200, 200]);
			for (const id of ids) await executions(id, 1);
		} finally {
			await sandbox.control('PATCH /settings', { latencyMs: 0 });
		}
		await gone(agent);
		// Blocked, n8n answers nobody for half a minute.
		for (let asked = 0; asked < 300; asked++)
			await fetch(`${host.url}/healthz`, { signal: AbortSignal.timeout(10_000) });
	});

	lifecycle('another agent chosen while a test listens', 2, async ([one, two], during) => {
		const id = await workflow([one]);
		await host.listen(id);
		await edit(id, withParameters({ agents: [two] }));
		await host.listen(id);
		await during();
		assert.deepEqual(await agentsWith([one, two]), [two]);
		await host.stopListening(id);
		await gone(two);
	});

	lifecycle('test listening that cannot begin leaves nothing', 2, async (chosen, during) => {
		const id = await workflow([...chosen, randomUUID()]);
		await assert.rejects(host.listen(id), /was not found/);
		await during();
		assert.deepEqual(await webhooks(chosen), []);
	});

	// Restarts. Several cases share each of them.

	lives(
		'restarted, from a backup with the same address, and with a missing agent: the webhooks stay',
		async () => {
			const [agent, stays, vanishes] = agents(3);
			const id = await workflow([agent]);
			const several = await workflow([stays, vanishes]);
			await publish(id);
			await publish(several);
			const before = await webhooks(agent, stays, vanishes);
			await sandbox.control('POST /faults', [
				{ match: { path: `^/agents/${vanishes}` }, fault: missing },
			]);
			await host.stop();
			const original = host.userFolder;
			host.userFolder = `${original}-backup`;
			await cp(original, host.userFolder, { recursive: true });
			await rm(original, { recursive: true, force: true });
			await host.start();
			if (version.startsWith('1.'))
				assert.ok(
					host
						.logs()
						.includes(`could not check what it registered: The agent ${vanishes} was not found`),
				);
			for (const there of [agent, stays]) await answers(there);
			assert.deepEqual(await webhooks(agent, stays, vanishes), before);
			await sandbox.control('DELETE /faults');
			// Published from the backup, it is still the same webhook.
			await publish(id);
			assert.deepEqual(await webhooks(agent, stays, vanishes), before);
			for (const one of [id, several]) await unpublish(one);
			assert.deepEqual(await webhooks(agent, stays, vanishes), []);
			record('restarted, from a backup with the same address', 1, 1, 0);
			record('a missing agent at start-up does not silence the other', 2, 2, 0);
		},
	);

	lives(
		'killed with -9, while published, publishing or listening for a test event: the next publish leaves one webhook',
		async () => {
			const all = agents(3);
			const ids = [];
			for (const agent of all) ids.push(await workflow([agent]));
			const [published, publishing, listening] = ids;
			await publish(published);
			await host.listen(listening);
			await sandbox.control('PATCH /settings', { latencyMs: 3000 });
			const interrupted = host.activate(publishing).catch(() => undefined);
			await until(
				'the platform to have the webhook',
				async () => (await webhooks(all[1])).length === 1,
				30_000,
				20,
			);
			await host.kill();
			await interrupted;
			await sandbox.control('PATCH /settings', { latencyMs: 0 });
			assert.deepEqual(await agentsWith(all), [...all].sort());
			await host.start();

			await answers(all[0]);
			for (const [index, agent] of all.entries()) {
				// n8n may be publishing it again by itself; publishing once more does no harm.
				if (index > 0) await publish(ids[index]);
				const [webhook, ...others] = await webhooks(agent);
				assert.deepEqual(others, []);
				assert.match(new URL(webhook.url).pathname, /^\/webhook\//);
				await assertArrives(agent);
			}
			for (const id of ids) await unpublish(id);
			for (const [index, when] of [
				'published',
				'publishing',
				'listening for a test event',
			].entries())
				record(`killed while ${when}`, 1, 1, (await webhooks(all[index])).length);
			assert.deepEqual(await webhooks(all), []);
		},
	);

	lives('restarted under another address: left alone, then moved by Take Over From', async () => {
		const [agent] = agents();
		const moved = await workflow([agent]);
		await publish(moved);
		await host.stop();
		host.options.env = { ...host.options.env, WEBHOOK_URL: `http://localhost:${host.port}/` };
		await host.start();

		// n8n 1.x looks at start-up, 2.x when it is published again. What stands under the other address may be
		// another n8n's, so it stays, and a person is told.
		const [old] = await webhooks(agent);
		if (!version.startsWith('1.')) {
			await unpublish(moved);
			await publish(moved);
		}
		const hosts = async () =>
			(await webhooks(agent)).map(({ url }) => new URL(url).hostname).sort();
		assert.deepEqual(await hosts(), ['127.0.0.1', 'localhost']);
		assert.match(
			host.logs(),
			new RegExp(`of agent ${agent} was not changed: this workflow registered it under`),
		);
		await unpublish(moved);
		assert.deepEqual(await webhooks(agent), [old]);
		record('restored with another address', 1, 2, 1);

		await edit(moved, withParameters({ options: { takeOverFrom: host.url } }));
		await publish(moved);
		assert.deepEqual([await uuidsOf(agent), await hosts()], [[old.webhook_uuid], ['localhost']]);
		await unpublish(moved);
		record('moved to another address, Take Over From', 1, 1, (await webhooks(agent)).length);
		assert.deepEqual(await webhooks(agent), []);
	});
});
